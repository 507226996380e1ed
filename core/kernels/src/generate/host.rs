//! What stands around nests becomes the host's program: [`lower`].
//!
//! Scalars that come from arrays or reductions stay in memory, in *cells*: scalar code on them becomes a kernel of one invocation, and the host reads a cell only when its own control flow or a
//! size depends on it.

use super::emit::{BlockArg, Context, Known, Launchable, Made, ParamArg, Refusal, positional};
use super::reduce::{once_more, one_each, reduce_kernel};
use super::{beyond, free, nest};
use crate::host::ir::*;
use crate::ir::{GroupSizes, Ident, Named};
use futi_core::backend::Unsupported;
use futi_core::hash::HashMap;
use futi_core::hash::HashSet;
use futi_core::ir::build::{Builder, Vars};
use futi_core::ir::visit::{Visit, free_vars, walk_exp, walk_fun};
use futi_core::ir::{
    self, AccInput, BinOp, Binder, Body, CmpOp, Dim, Exp as Ir, Level, LoopForm, LoopParam, Name, Operator, Prim,
    Program, Prov, Scalar, ScalarType, SegOp, SubExp, Type, Var,
};
use futi_core::value::{Array, Column};

/// The host's program of a flat program, and its kernels.
///
/// # Errors
/// All constructs that cannot be compiled.
pub fn lower(program: &Program) -> Result<HostProgram, Vec<Unsupported>> {
    let missing = beyond::beyond(program);
    if !missing.is_empty() {
        return Err(missing);
    }
    let mut lowering = Lowering {
        vars: Vars::of(program),
        out: HostProgram { prov: program.prov.clone(), ..HostProgram::default() },
        funs: HashMap::default(),
        uses: HashMap::default(),
        env: HashMap::default(),
        accs: HashMap::default(),
        scalars: Vec::new(),
        mems: Vec::new(),
        lens: HashMap::default(),
        stms: Vec::new(),
        read: Vec::new(),
        pending: Vec::new(),
        errors: Vec::new(),
        changed: Vec::new(),
        sought: Vec::new(),
        fun: String::new(),
        made: 0,
        prov: Prov::UNKNOWN,
    };
    let ids = program.funs.iter().enumerate().map(|(i, fun)| (fun.name.clone(), FunId(i as u32)));
    lowering.funs = ids.collect();
    program.funs.iter().for_each(|fun| lowering.function(fun));
    if lowering.errors.is_empty() { Ok(lowering.out) } else { Err(lowering.errors) }
}

/// How often each variable is used.
fn uses(walk: impl FnOnce(&mut dyn Visit)) -> HashMap<Var, usize> {
    #[derive(Default)]
    struct Uses(HashMap<Var, usize>);
    impl Visit for Uses {
        fn var(&mut self, v: &Var) {
            // mutant off by one: uses are only compared with one another
            *self.0.entry(*v).or_default() += 1;
        }
    }
    let mut uses = Uses::default();
    walk(&mut uses);
    uses.0
}

/// What a variable of the IR is on the host.
#[derive(Clone, Debug)]
pub(super) enum Val {
    /// A scalar that the host has.
    Scalar(Exp),
    /// A scalar in memory of one element, and its value if the host has read it.
    Cell(Mem, Option<HostScalar>),
    /// An array: its memory and its first element.
    Array(Mem, Exp),
    /// An accumulator or a certificate.
    Unit,
}

/// Which numbers were taken before something was lowered that is lowered again.
struct Mark {
    kernels: usize,
    checks: usize,
    constants: usize,
    errors: usize,
    scalars: usize,
    mems: usize,
    made: usize,
}

pub(super) struct Lowering {
    pub(super) vars: Vars,
    out: HostProgram,
    funs: HashMap<Name, FunId>,
    uses: HashMap<Var, usize>,
    pub(super) env: HashMap<Var, Val>,
    /// The accumulators of the host, by identity.
    accs: HashMap<Var, AccInput>,
    /// Of the function in the making.
    scalars: Vec<Named>,
    mems: Vec<Named>,
    /// How many elements memory has that the function has allocated.
    lens: HashMap<Mem, Exp>,
    /// The statements of the block in the making.
    stms: Vec<Stm>,
    /// The cells that were read, innermost block last: behind the block nobody has their values.
    read: Vec<Var>,
    /// Statements on cells that are to become one kernel.
    pending: Vec<ir::Stm>,
    errors: Vec<Unsupported>,
    /// The arrays that the kernel in the making changes in place.
    changed: Vec<Var>,
    /// The sizes whose bounds are being found: none is found by itself.
    sought: Vec<Var>,
    fun: String,
    /// How many kernels have a name.
    made: usize,
    pub(super) prov: Prov,
}

const ZERO: Exp = Exp::Lit(Scalar::I64(0));
pub(super) const ONE: Exp = Exp::Lit(Scalar::I64(1));

pub(super) fn op(op: BinOp, a: Exp, b: Exp) -> Exp {
    let prim = Prim::Bin(op, ScalarType::I64);
    match (op, &a, &b) {
        (_, Exp::Lit(x), Exp::Lit(y)) => Exp::Lit(prim.eval(&[*x, *y])),
        (BinOp::Mul | BinOp::Quot, _, Exp::Lit(Scalar::I64(1))) | (BinOp::Add, _, Exp::Lit(Scalar::I64(0))) => a,
        (BinOp::Mul, Exp::Lit(Scalar::I64(1)), _) | (BinOp::Add, Exp::Lit(Scalar::I64(0)), _) => b,
        _ => Exp::Prim(prim, vec![a, b]),
    }
}

pub(super) fn product(factors: impl IntoIterator<Item = Exp>) -> Exp {
    factors.into_iter().fold(ONE, |a, b| op(BinOp::Mul, a, b))
}

fn at_most(a: Exp, b: Exp) -> Exp {
    Exp::Prim(Prim::Cmp(CmpOp::Le, ScalarType::I64), vec![a, b])
}

fn logic(op: BinOp, a: Exp, b: Exp) -> Exp {
    Exp::Prim(Prim::Bin(op, ScalarType::Bool), vec![a, b])
}

/// The fewest groups of a size that have an invocation for each of some items.
fn covering(items: Exp, size: Exp) -> Exp {
    let most = op(BinOp::Sub, size.clone(), ONE);
    op(BinOp::Quot, op(BinOp::Add, items, most), size)
}

impl Lowering {
    fn function(&mut self, fun: &ir::Fun) {
        self.fun = fun.name.to_string();
        self.uses = uses(|visit| walk_fun(visit, fun));
        self.env.clear();
        let mut params = Vec::new();
        for param in &fun.params {
            let binder = &param.binder;
            match &binder.ty {
                Type::Array(elem, shape) => {
                    let mem = self.mem(binder.name.as_str(), *elem);
                    let shape = shape.iter().map(|dim| self.dim(*dim)).collect();
                    params.push(Param::Array { mem, shape, unique: param.unique });
                    self.env.insert(binder.var, Val::Array(mem, ZERO));
                }
                ty => {
                    let scalar = self.host_scalar(binder.name.as_str(), ty.elem().unwrap_or(ScalarType::Bool));
                    params.push(Param::Scalar(scalar));
                    self.env.insert(binder.var, Val::Scalar(Exp::Var(scalar)));
                }
            }
        }
        fun.body.stms.iter().for_each(|stm| self.stm(stm));
        self.flush();
        let results = self.results(fun);
        let mut made = Fun {
            name: Ident::new(fun.name.as_str()),
            entry: fun.entry.as_ref().map(|_| fun.name.to_string()),
            scalars: std::mem::take(&mut self.scalars),
            mems: std::mem::take(&mut self.mems),
            params,
            body: std::mem::take(&mut self.stms),
            results,
        };
        self.read.clear();
        free::free(&mut made);
        self.out.funs.push(made);
    }

    /// The results of a function; cells are read at once.
    fn results(&mut self, fun: &ir::Fun) -> Vec<Value> {
        let mut reads = Vec::new();
        for e in &fun.body.result {
            if let Some(var) = e.as_var()
                && let Some(Val::Cell(mem, None)) = self.env.get(&var).cloned()
            {
                let scalar = self.host_scalar("result", self.mems[mem.at()].ty);
                reads.push((scalar, mem, ZERO));
                self.env.insert(var, Val::Cell(mem, Some(scalar)));
            }
        }
        if !reads.is_empty() {
            self.push(Op::Read(reads));
        }
        let result = |(e, result): (&SubExp, &ir::FunResult)| match self.operand(*e) {
            Val::Array(mem, offset) => {
                let ty = e.as_var().map_or(result.binder.ty.clone(), |v| self.vars.ty(v).clone());
                let shape = ty.shape().iter().map(|dim| self.dim(*dim)).collect();
                Value::Array { mem, offset, shape }
            }
            Val::Scalar(e) => Value::Scalar(e),
            Val::Cell(..) | Val::Unit => Value::Scalar(self.host(*e)),
        };
        fun.body.result.iter().zip(&fun.results).map(result).collect()
    }

    fn host_scalar(&mut self, name: &str, ty: ScalarType) -> HostScalar {
        self.scalars.push(Named { name: Ident::new(name), ty });
        HostScalar(self.scalars.len() as u32 - 1)
    }

    fn mem(&mut self, name: &str, elem: ScalarType) -> Mem {
        self.mems.push(Named { name: Ident::new(name), ty: elem });
        Mem(self.mems.len() as u32 - 1)
    }

    /// The type of the elements of memory.
    pub(super) fn elem(&self, mem: Mem) -> ScalarType {
        self.mems[mem.at()].ty
    }

    pub(super) fn push(&mut self, op: Op) {
        self.stms.push(Stm { op, prov: self.prov });
    }

    /// A scalar with a name: itself, if it is short.
    pub(super) fn named(&mut self, name: &str, e: Exp) -> Exp {
        if matches!(e, Exp::Lit(_) | Exp::Var(_)) {
            return e;
        }
        let scalar = self.host_scalar(name, ScalarType::I64);
        self.push(Op::Let(scalar, e));
        Exp::Var(scalar)
    }

    /// New memory.
    fn alloc(&mut self, name: &str, elem: ScalarType, shape: Vec<Exp>) -> Mem {
        let mem = self.mem(name, elem);
        self.lens.insert(mem, product(shape.iter().cloned()));
        self.push(Op::Alloc { mem, scratch: false, shape });
        mem
    }

    /// A scalar in memory.
    fn cell(&mut self, ty: ScalarType, value: Exp) -> Mem {
        let mem = self.alloc("cell", ty, vec![]);
        self.push(Op::Write { to: mem, index: ZERO, value });
        mem
    }

    fn copied(&mut self, from: Mem, offset: Exp, ty: &Type) -> Mem {
        let shape: Vec<Exp> = ty.shape().iter().map(|dim| self.dim(*dim)).collect();
        let len = product(shape.clone());
        let elem = self.mems[from.at()].ty;
        let mem = self.alloc("copy", elem, shape);
        let to = Slice { mem, offset: ZERO, len: len.clone() };
        self.push(Op::Copy { to, from: Slice { mem: from, offset, len } });
        mem
    }

    pub(super) fn operand(&self, e: SubExp) -> Val {
        match e {
            SubExp::Lit(x) => Val::Scalar(Exp::Lit(x)),
            SubExp::Var(v) => self.env.get(&v).cloned().unwrap_or(Val::Unit),
        }
    }

    /// A scalar's value, read if need be.
    pub(super) fn host(&mut self, e: SubExp) -> Exp {
        match self.operand(e) {
            Val::Scalar(e) => e,
            Val::Cell(_, Some(scalar)) => Exp::Var(scalar),
            Val::Cell(mem, None) => {
                let scalar = self.host_scalar("read", self.mems[mem.at()].ty);
                self.push(Op::Read(vec![(scalar, mem, ZERO)]));
                if let Some(var) = e.as_var() {
                    self.env.insert(var, Val::Cell(mem, Some(scalar)));
                    self.read.push(var);
                }
                Exp::Var(scalar)
            }
            Val::Array(..) | Val::Unit => {
                self.fail("an operand that is no scalar", "a scalar", self.prov);
                ZERO
            }
        }
    }

    fn hosts(&mut self, es: &[SubExp]) -> Vec<Exp> {
        es.iter().map(|e| self.host(*e)).collect()
    }

    pub(super) fn dim(&mut self, dim: Dim) -> Exp {
        self.host(dim.into())
    }

    pub(super) fn dims(&mut self, dims: &[Dim]) -> Vec<Exp> {
        dims.iter().map(|dim| self.dim(*dim)).collect()
    }

    pub(super) fn array(&mut self, var: Var) -> (Mem, Exp) {
        match self.operand(var.into()) {
            Val::Array(mem, offset) => (mem, offset),
            Val::Scalar(_) | Val::Cell(..) | Val::Unit => {
                self.fail("an operand that is no array", "an array", self.prov);
                (Mem(0), ZERO)
            }
        }
    }

    /// The first element of a row.
    fn row(&mut self, array: Var, offset: Exp, indices: &[SubExp]) -> Exp {
        let shape = self.vars.ty(array).shape().to_vec();
        let shape = self.dims(&shape);
        let indices = self.hosts(indices);
        let mut at = offset;
        for (k, i) in indices.into_iter().enumerate() {
            at = op(BinOp::Add, at, op(BinOp::Mul, i, product(shape[k + 1..].iter().cloned())));
        }
        self.named("row", at)
    }

    fn fail(&mut self, construct: &str, missing: &str, prov: Prov) {
        // what has not been made cannot be used: that was said
        if !self.errors.is_empty() {
            return;
        }
        self.errors.push(Unsupported { construct: construct.into(), missing: missing.into(), prov });
    }

    /// Whether the host has not seen this scalar.
    fn is_cell(&self, e: &SubExp) -> bool {
        matches!(e, SubExp::Var(v) if matches!(self.env.get(v), Some(Val::Cell(..))))
            || e.as_var().is_some_and(|v| self.is_pending(v))
    }

    pub(super) fn stm(&mut self, stm: &ir::Stm) {
        let prov = stm.prov;
        self.prov = prov;
        match (&stm.exp, &stm.pat[..]) {
            (Ir::SubExp(e) | Ir::Opaque(e), [pat]) => {
                if e.as_var().is_some_and(|v| self.is_pending(v)) {
                    self.flush();
                }
                let value = self.operand(*e);
                self.env.insert(pat.var, value);
            }
            (Ir::Prim(prim, args), [pat]) if !args.iter().any(|e| self.is_cell(e)) => {
                let args = self.hosts(args);
                let ty = prim.signature().map_or(ScalarType::Bool, |(_, result)| result);
                let scalar = self.host_scalar(pat.name.as_str(), ty);
                self.push(Op::Let(scalar, Exp::Prim(*prim, args)));
                self.env.insert(pat.var, Val::Scalar(Exp::Var(scalar)));
            }
            (Ir::Check(check), pats) if !uses(|v| v.exp(&stm.exp)).keys().any(|v| self.is_cell(&(*v).into())) => {
                if !matches!(check, ir::Check::Made(_)) {
                    let operands = self.hosts(&check.operands());
                    self.out.checks.push(Site { check: positional(check), prov });
                    self.push(Op::Check { check: CheckId(self.out.checks.len() as u32 - 1), operands });
                }
                pats.iter().for_each(|pat| _ = self.env.insert(pat.var, Val::Unit));
            }
            (Ir::SegOp(seg), _) => {
                self.flush();
                self.launch_as(seg, &stm.pat, "map", prov);
            }
            (Ir::Index { array, indices }, [pat]) if pat.ty.rank() > 0 => {
                self.flush();
                let (mem, offset) = self.array(*array);
                let offset = self.row(*array, offset, indices);
                self.env.insert(pat.var, Val::Array(mem, offset));
            }
            (Ir::Update { array, indices, value }, [pat]) => {
                self.flush();
                let (mem, offset) = self.array(*array);
                let shape = self.vars.ty(*array).shape().to_vec();
                let shape = self.dims(&shape);
                let index = self.row(*array, offset.clone(), indices);
                self.write(mem, index, *value, product(shape[indices.len()..].iter().cloned()));
                self.env.insert(pat.var, Val::Array(mem, offset));
            }
            (Ir::ArrayLit { elems, row }, [pat]) => {
                self.flush();
                let mem = self.literal(elems, row);
                self.env.insert(pat.var, Val::Array(mem, ZERO));
            }
            (Ir::Reshape { array, .. } | Ir::Coerce { array, .. }, [pat]) => {
                self.flush();
                let (mem, offset) = self.array(*array);
                self.env.insert(pat.var, Val::Array(mem, offset));
            }
            (Ir::Scratch { elem, shape }, [pat]) => {
                self.flush();
                let shape = self.dims(shape);
                let mem = self.mem(pat.name.as_str(), *elem);
                self.push(Op::Alloc { mem, scratch: true, shape });
                self.env.insert(pat.var, Val::Array(mem, ZERO));
            }
            (Ir::Slice { array, slice }, [pat]) if pat.ty.rank() > 0 => {
                self.flush();
                self.slice(*array, slice, pat);
            }
            (Ir::FlatIndex { array, offset, dims }, [pat]) => {
                self.flush();
                self.flat_index(*array, *offset, dims, pat);
            }
            (Ir::UpdateSlice { array, slice, value }, [pat]) => {
                self.flush();
                self.update_slice(*array, slice, *value, pat);
            }
            (Ir::FlatUpdate { array, offset, dims, value }, [pat]) => {
                self.flush();
                self.flat_update(*array, *offset, dims, *value, pat);
            }
            (Ir::Rotate { by, array }, [pat]) => {
                self.flush();
                self.rotate(*by, *array, pat);
            }
            (Ir::Scatter(s), pats) => {
                self.flush();
                self.scatter(s, pats);
            }
            (Ir::Copy(array) | Ir::Manifest { array, .. }, [pat]) => {
                self.flush();
                let (mem, offset) = self.array(*array);
                let copy = self.copied(mem, offset, &pat.ty);
                self.env.insert(pat.var, Val::Array(copy, ZERO));
            }
            (Ir::WithAcc(with), pats) => {
                self.flush();
                for (input, id) in with.inputs.iter().zip(&with.lambda.params) {
                    self.accs.insert(id.var, input.clone());
                }
                let arrays: Vec<Var> = with.inputs.iter().flat_map(|input| input.arrays.clone()).collect();
                arrays.iter().for_each(|array| self.widen(*array));
                with.lambda.body.stms.iter().for_each(|stm| self.stm(stm));
                self.flush();
                arrays.iter().for_each(|array| self.narrow(*array));
                let others = with.lambda.body.result[with.inputs.len()..].iter().copied();
                for (pat, result) in pats.iter().zip(arrays.into_iter().map(SubExp::Var).chain(others)) {
                    let value = self.operand(result);
                    self.env.insert(pat.var, value);
                }
            }
            // One invocation would copy arrays element by element: a branch on arrays is the host's.
            (Ir::If { cond, yes, no }, pats)
                if pats.iter().any(|pat| pat.ty.rank() > 0) || !self.is_device_code(&stm.exp) =>
            {
                self.flush();
                self.branch(*cond, yes, no, pats);
            }
            (Ir::Loop { params, form, body }, pats) if !self.is_device_code(&stm.exp) => {
                self.flush();
                self.iterate(params, form, body, pats);
            }
            (Ir::Screma(s), pats) if !s.scans.is_empty() && s.post.is_none() => {
                self.flush();
                self.prov = prov;
                self.scan(s, pats);
            }
            (Ir::Apply { fun, args }, pats) => {
                self.flush();
                self.apply(fun, args, pats);
            }
            (Ir::Jvp(_) | Ir::Vjp(_), _) => self.fail("a derivative", "its transformation", prov),
            _ => self.postpone(stm),
        }
    }

    /// A call of a function.
    fn apply(&mut self, fun: &Name, args: &[SubExp], pats: &[Binder]) {
        let Some(id) = self.funs.get(fun).copied() else {
            return self.fail(&format!("a call of {fun}"), "the function", self.prov);
        };
        let mut values = Vec::new();
        for e in args {
            values.push(match self.operand(*e) {
                Val::Array(mem, offset) => {
                    let ty = e.as_var().map_or(Type::Cert, |v| self.vars.ty(v).clone());
                    // a function's arrays begin with their memory
                    let mem = if offset == ZERO { mem } else { self.copied(mem, offset, &ty) };
                    Value::Array { mem, offset: ZERO, shape: self.dims(ty.shape()) }
                }
                Val::Scalar(_) | Val::Cell(..) | Val::Unit => Value::Scalar(self.host(*e)),
            });
        }
        let mut results = Vec::new();
        for pat in pats {
            let name = pat.name.as_str();
            let (result, value) = match &pat.ty {
                Type::Array(elem, _) => {
                    let (mem, offset) = (self.mem(name, *elem), self.host_scalar("offset", ScalarType::I64));
                    (CallResult::Array(mem, offset), Val::Array(mem, Exp::Var(offset)))
                }
                ty => {
                    let scalar = self.host_scalar(name, ty.elem().unwrap_or(ScalarType::Bool));
                    (CallResult::Scalar(scalar), Val::Scalar(Exp::Var(scalar)))
                }
            };
            results.push(result);
            self.env.insert(pat.var, value);
        }
        self.push(Op::Call { fun: id, args: values, results });
    }

    /// Writes an element or row.
    fn write(&mut self, to: Mem, index: Exp, value: SubExp, len: Exp) {
        match self.operand(value) {
            Val::Scalar(value) => self.push(Op::Write { to, index, value }),
            Val::Cell(_, Some(scalar)) => self.push(Op::Write { to, index, value: Exp::Var(scalar) }),
            Val::Cell(mem, None) => self.copy((to, index), (mem, ZERO), ONE),
            Val::Array(mem, offset) => self.copy((to, index), (mem, offset), len),
            Val::Unit => self.fail("an update by no value", "a value", self.prov),
        }
    }

    fn copy(&mut self, to: (Mem, Exp), from: (Mem, Exp), len: Exp) {
        let slice = |(mem, offset): (Mem, Exp)| Slice { mem, offset, len: len.clone() };
        self.push(Op::Copy { to: slice(to), from: slice(from) });
    }

    /// Whether a branch or loop is sequential code that touches memory: one invocation runs it.
    fn is_device_code(&self, exp: &Ir) -> bool {
        struct Parallel(bool);
        impl Visit for Parallel {
            fn exp(&mut self, e: &Ir) {
                self.0 |= matches!(e, Ir::SegOp(_) | Ir::Apply { .. } | Ir::Jvp(_) | Ir::Vjp(_));
                walk_exp(self, e);
            }
        }
        let mut parallel = Parallel(false);
        parallel.exp(exp);
        let device = |v: &Var| self.is_cell(&(*v).into()) || !matches!(self.vars.ty(*v), Type::Scalar(_) | Type::Cert);
        !parallel.0 && uses(|visit| visit.exp(exp)).keys().any(device)
    }

    fn is_pending(&self, var: Var) -> bool {
        self.pending.iter().any(|stm| stm.pat.iter().any(|pat| pat.var == var))
    }

    /// A statement for the device that is no nest.
    fn postpone(&mut self, stm: &ir::Stm) {
        // What has the size of what is pending waits until that is known.
        if stm.pat.iter().any(|pat| free_vars(&pat.ty).iter().any(|v| self.is_pending(*v))) {
            self.flush();
        }
        self.pending.push(stm.clone());
    }

    /// Makes the pending statements a kernel of one invocation.
    fn flush(&mut self) {
        let stms = std::mem::take(&mut self.pending);
        let Some(prov) = stms.first().map(|stm| stm.prov) else { return };
        let inside = uses(|visit| stms.iter().for_each(|stm| visit.stm(stm)));
        let escapes = |v: &Var| self.uses.get(v).copied().unwrap_or(0) > inside.get(v).copied().unwrap_or(0);
        let bound = stms.iter().flat_map(|stm| &stm.pat);
        let outputs: Vec<Binder> = bound
            .filter(|pat| matches!(pat.ty, Type::Scalar(_) | Type::Array(..)) && escapes(&pat.var))
            .cloned()
            .collect();
        // what is consumed is changed in place, as nobody looks at it any more, and then is the result
        let changed = consumed(&stms);
        let (mut same, mut made) = (Vec::new(), Vec::new());
        for pat in outputs {
            match origin(&stms, pat.var).filter(|var| changed.contains(var)) {
                Some(var) => same.push((pat.var, var)),
                None => made.push(pat),
            }
        }
        let outputs = made;
        let one = self.vars.fresh("i", Type::I64);
        let body = Body { stms, result: outputs.iter().map(|pat| pat.var.into()).collect() };
        let ret = outputs.iter().map(|pat| pat.ty.clone()).collect();
        let space = vec![(one, Dim::Const(1))];
        let seg = SegOp { level: Level::Grid, space, reduces: vec![], ret, body, scans: vec![], hists: vec![] };
        self.changed = changed;
        self.launch_as(&seg, &outputs, "scalars", prov);
        self.changed.clear();
        for (pat, var) in same {
            let value = self.operand(var.into());
            self.env.insert(pat, value);
        }
    }

    fn literal(&mut self, elems: &[SubExp], row: &Type) -> Mem {
        let elem = row.elem().unwrap_or(ScalarType::Bool);
        let scalars: Option<Vec<Scalar>> = elems.iter().map(|e| e.as_lit()).collect();
        let column = scalars
            .filter(|scalars| row.rank() == 0 && !scalars.is_empty())
            .and_then(|scalars| Column::from_scalars(elem, scalars.into_iter()));
        if let Some(column) = column {
            self.out.constants.push(Array::new(&[elems.len()], column));
            let constant = self.mem("constant", elem);
            self.push(Op::Constant(constant, ConstantId(self.out.constants.len() as u32 - 1)));
            return self.copied(constant, ZERO, &row.array_of(&[Dim::Const(elems.len() as i64)]));
        }
        let row = self.dims(row.shape());
        let n = Exp::i64(elems.len() as i64);
        let mem = self.alloc("literal", elem, [vec![n], row.clone()].concat());
        let len = product(row);
        for (i, e) in elems.iter().enumerate() {
            let at = op(BinOp::Mul, Exp::i64(i as i64), len.clone());
            self.write(mem, at, *e, len.clone());
        }
        mem
    }

    /// The statements of a body, what its results are, and how many cells had been read before.
    fn block(&mut self, body: &Body) -> (Vec<Stm>, Vec<Val>, usize) {
        let outer = std::mem::take(&mut self.stms);
        let read = self.read.len();
        body.stms.iter().for_each(|stm| self.stm(stm));
        self.flush();
        let values = body.result.iter().map(|e| self.operand(*e)).collect();
        (std::mem::replace(&mut self.stms, outer), values, read)
    }

    /// Nobody has the values of cells any more that were read in a block.
    fn forget(&mut self, read: usize) {
        for var in self.read.split_off(read) {
            if let Some(Val::Cell(_, value)) = self.env.get_mut(&var) {
                *value = None;
            }
        }
    }

    /// A block that has no results.
    fn closed(&mut self, make: impl FnOnce(&mut Self)) -> Block {
        let (read, mut stms) = (self.read.len(), Vec::new());
        self.inside(&mut stms, make);
        self.forget(read);
        Block { stms, ..Block::default() }
    }

    /// Goes on with a block that was made.
    fn inside<T>(&mut self, stms: &mut Vec<Stm>, make: impl FnOnce(&mut Self) -> T) -> T {
        std::mem::swap(&mut self.stms, stms);
        let made = make(self);
        std::mem::swap(&mut self.stms, stms);
        made
    }

    /// A block whose results are as the slots say.
    fn settled(&mut self, mut stms: Vec<Stm>, values: &[Val], slots: &[Slot]) -> Block {
        let (mut scalars, mut mems) = (Vec::new(), Vec::new());
        self.inside(&mut stms, |l| {
            for (value, slot) in values.iter().zip(slots) {
                l.settle(value, slot, &mut scalars, &mut mems);
            }
        });
        Block { stms, scalars, mems }
    }

    /// A value as a slot takes it.
    fn settle(&mut self, value: &Val, slot: &Slot, scalars: &mut Vec<Exp>, mems: &mut Vec<Mem>) {
        match (slot, value) {
            (Slot::Scalar(_), Val::Scalar(e)) => scalars.push(e.clone()),
            (Slot::Scalar(_), Val::Cell(_, Some(scalar))) => scalars.push(Exp::Var(*scalar)),
            (Slot::Scalar(ty), Val::Cell(mem, None)) => {
                let scalar = self.host_scalar("read", *ty);
                self.push(Op::Read(vec![(scalar, *mem, ZERO)]));
                scalars.push(Exp::Var(scalar));
            }
            (Slot::Cell(_), Val::Cell(mem, _)) => mems.push(*mem),
            (Slot::Cell(ty), Val::Scalar(e)) => {
                let mem = self.cell(*ty, e.clone());
                mems.push(mem);
            }
            (Slot::Array { moves, .. }, Val::Array(mem, offset)) => {
                mems.push(*mem);
                if *moves {
                    scalars.push(offset.clone());
                }
            }
            (Slot::Unit, _) => {}
            _ => self.fail("a result of another kind", "agreement", self.prov),
        }
    }

    /// New variables for slots: what they are, the scalars and the memory.
    fn bound(&mut self, slots: &[(Slot, &Binder)]) -> (Vec<Val>, Vec<HostScalar>, Vec<Mem>) {
        let (mut values, mut scalars, mut mems) = (Vec::new(), Vec::new(), Vec::new());
        for (slot, binder) in slots {
            let name = binder.name.as_str();
            values.push(match slot {
                Slot::Scalar(ty) => {
                    let scalar = self.host_scalar(name, *ty);
                    scalars.push(scalar);
                    Val::Scalar(Exp::Var(scalar))
                }
                Slot::Cell(ty) => {
                    let mem = self.mem(name, *ty);
                    mems.push(mem);
                    Val::Cell(mem, None)
                }
                Slot::Array { elem, moves } => {
                    let mem = self.mem(name, *elem);
                    mems.push(mem);
                    let offset = if *moves {
                        let scalar = self.host_scalar("offset", ScalarType::I64);
                        scalars.push(scalar);
                        Exp::Var(scalar)
                    } else {
                        ZERO
                    };
                    Val::Array(mem, offset)
                }
                Slot::Unit => Val::Unit,
            });
        }
        (values, scalars, mems)
    }

    fn branch(&mut self, cond: SubExp, yes: &Body, no: &Body, pats: &[Binder]) {
        let prov = self.prov;
        let cond = self.host(cond);
        let (yes, yes_values, read) = self.block(yes);
        self.forget(read);
        let (no, no_values, read) = self.block(no);
        self.forget(read);
        self.prov = prov;
        let slots: Vec<Slot> = pats
            .iter()
            .zip(yes_values.iter().zip(&no_values))
            .map(|(pat, (a, b))| Slot::of(&pat.ty, &[a, b]))
            .collect();
        let yes = self.settled(yes, &yes_values, &slots);
        let no = self.settled(no, &no_values, &slots);
        let slots: Vec<(Slot, &Binder)> = slots.into_iter().zip(pats).collect();
        let (values, scalars, mems) = self.bound(&slots);
        pats.iter().zip(values).for_each(|(pat, value)| _ = self.env.insert(pat.var, value));
        self.push(Op::If { cond, yes, no, scalars, mems });
    }

    /// A parameter is a cell if its first value is, or if the body makes it one, and an array's first element moves if the body's does: then the body is lowered again.
    fn iterate(&mut self, params: &[LoopParam], form: &LoopForm, body: &Body, pats: &[Binder]) {
        let prov = self.prov;
        let inits: Vec<Val> = params.iter().map(|param| self.operand(param.init)).collect();
        let cond = match form {
            LoopForm::While(cond) => params.iter().position(|param| param.binder.var == *cond),
            LoopForm::For { .. } => None,
        };
        let form = match form {
            LoopForm::For { index, bound } => {
                let bound = self.host(*bound);
                let scalar = self.host_scalar(index.name.as_str(), index.ty.elem().unwrap_or(ScalarType::I64));
                self.env.insert(index.var, Val::Scalar(Exp::Var(scalar)));
                Form::For(scalar, bound)
            }
            // its position among the scalars follows from the slots
            LoopForm::While(_) => Form::While(0),
        };
        let slot = |k: usize, values: &[&Val]| {
            let ty = &params[k].binder.ty;
            // what the host decides by, it has
            if cond == Some(k) { Slot::Scalar(ScalarType::Bool) } else { Slot::of(ty, values) }
        };
        let mut slots: Vec<Slot> = inits.iter().enumerate().map(|(k, init)| slot(k, &[init])).collect();
        let mark = self.mark();
        let (inner, body) = loop {
            let bound: Vec<(Slot, &Binder)> = slots.iter().copied().zip(params.iter().map(|p| &p.binder)).collect();
            let inner = self.bound(&bound);
            params.iter().zip(&inner.0).for_each(|(p, value)| _ = self.env.insert(p.binder.var, value.clone()));
            let (stms, values, read) = self.block(body);
            self.forget(read);
            self.prov = prov;
            let next: Vec<Slot> =
                slots.iter().zip(&values).enumerate().map(|(k, (s, value))| s.join(slot(k, &[value]))).collect();
            if next == slots {
                break (inner, self.settled(stms, &values, &slots));
            }
            slots = next;
            self.reset(&mark);
        };
        let (mut first_scalars, mut first_mems) = (Vec::new(), Vec::new());
        for (init, slot) in inits.iter().zip(&slots) {
            self.settle(init, slot, &mut first_scalars, &mut first_mems);
        }
        let form = match (form, cond) {
            (Form::While(_), Some(k)) => Form::While(slots[..k].iter().map(Slot::scalars).sum()),
            (form, _) => form,
        };
        let bound: Vec<(Slot, &Binder)> = slots.iter().copied().zip(pats).collect();
        let (values, last_scalars, last_mems) = self.bound(&bound);
        pats.iter().zip(values).for_each(|(pat, value)| _ = self.env.insert(pat.var, value));
        let scalars = inner.1.into_iter().zip(first_scalars).collect();
        let mems = inner.2.into_iter().zip(first_mems).collect();
        self.push(Op::Loop { form, scalars, mems, body, last_scalars, last_mems });
    }

    fn mark(&self) -> Mark {
        let out = &self.out;
        Mark {
            kernels: out.kernels.len(),
            checks: out.checks.len(),
            constants: out.constants.len(),
            errors: self.errors.len(),
            scalars: self.scalars.len(),
            mems: self.mems.len(),
            made: self.made,
        }
    }

    fn reset(&mut self, mark: &Mark) {
        self.out.kernels.truncate(mark.kernels);
        self.out.checks.truncate(mark.checks);
        self.out.constants.truncate(mark.constants);
        self.errors.truncate(mark.errors);
        self.scalars.truncate(mark.scalars);
        self.mems.truncate(mark.mems);
        self.made = mark.made;
    }

    pub(super) fn launch_as(&mut self, seg: &SegOp, pats: &[Binder], what: &str, prov: Prov) {
        self.prov = prov;
        let mut bounds = HashMap::default();
        let how = loop {
            let made = match seg.reduces.is_empty() {
                true => {
                    let one = seg.space.iter().all(|(_, dim)| *dim == Dim::Const(1));
                    // for one thing to do a few invocations will do
                    let group = if one { GroupSizes { most: 32, ..GroupSizes::ANY } } else { GroupSizes::ANY };
                    self.map(seg, group, what, prov, &bounds).map(|kernel| How { each: Some(kernel), grouped: None })
                }
                false => self.reduce(seg, prov, &bounds),
            };
            match made {
                Ok(how) => break how,
                Err(refusal) => match self.bound_of(seg, &refusal, &bounds, prov) {
                    Some((size, bound)) => bounds.insert(size, bound),
                    None => {
                        self.errors.push(refusal.unsupported);
                        for pat in pats {
                            let elem = pat.ty.elem().unwrap_or(ScalarType::Bool);
                            let mem = self.mem("refused", elem);
                            let value = if pat.ty.rank() > 0 { Val::Array(mem, ZERO) } else { Val::Cell(mem, None) };
                            self.env.insert(pat.var, value);
                        }
                        return;
                    }
                },
            };
        };
        let space: Vec<Dim> = seg.space.iter().map(|(_, dim)| *dim).collect();
        let space = self.dims(&space);
        let mut outputs = HashMap::default();
        for (position, pat) in pats.iter().enumerate() {
            let value = match &pat.ty {
                Type::Scalar(ty) => {
                    let mem = self.alloc(pat.name.as_str(), *ty, vec![]);
                    outputs.insert(position, mem);
                    Val::Cell(mem, None)
                }
                Type::Array(elem, shape) => {
                    let shape = self.dims(shape);
                    let mem = self.alloc(pat.name.as_str(), *elem, shape);
                    outputs.insert(position, mem);
                    Val::Array(mem, ZERO)
                }
                Type::Acc(_) | Type::Cert => Val::Unit,
            };
            self.env.insert(pat.var, value);
        }
        let points = self.named("points", product(space.clone()));
        match how {
            How { each: Some(kernel), grouped: None } if seg.reduces.is_empty() => {
                self.launch(kernel, &points, &points, None, &outputs);
            }
            How { each, grouped } => {
                let (outer, length) = space.split_at(space.len() - 1);
                let segments = self.named("segments", product(outer.iter().cloned()));
                self.reduction(each, grouped, outer, segments, length[0].clone(), points, &outputs);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn reduction(
        &mut self,
        each: Option<Launchable>,
        grouped: Option<Grouped>,
        outer: &[Exp],
        segments: Exp,
        length: Exp,
        points: Exp,
        outputs: &HashMap<usize, Mem>,
    ) {
        let items = points.clone();
        let Some(grouped) = grouped else {
            if let Some(each) = each {
                self.launch(each, &segments, &items, None, outputs);
            }
            return;
        };
        let Some(each) = each else { return };
        let long = op(BinOp::Mul, length.clone(), Exp::i64(64));
        let many = logic(
            BinOp::And,
            at_most(Exp::Tuning(Tuning::ReduceEachSegments), segments.clone()),
            at_most(long, Exp::Tuning(Tuning::Rounds)),
        );
        let short = logic(BinOp::Or, at_most(length.clone(), Exp::Tuning(Tuning::ReduceEachLength)), many);
        let yes = self.closed(|l| l.launch(each, &segments, &items, None, outputs));
        let no = self.closed(|l| l.by_groups(grouped, outer, segments.clone(), length, items.clone(), outputs));
        self.push(Op::If { cond: short, yes, no, scalars: vec![], mems: vec![] });
    }

    /// A reduction by groups, in two steps if there are fewer segments than the machine can use.
    fn by_groups(
        &mut self,
        grouped: Grouped,
        outer: &[Exp],
        segments: Exp,
        length: Exp,
        points: Exp,
        outputs: &HashMap<usize, Mem>,
    ) {
        let first = self.kernel(grouped.first);
        let second = self.kernel(grouped.second);
        let size = op(BinOp::Mul, Exp::GroupSize(first.id), Exp::i64(2));
        let most = op(BinOp::Quot, Exp::Tuning(Tuning::ReduceGroups), segments.clone());
        let chunks = op(BinOp::Min, most, op(BinOp::Quot, length, size));
        let chunks = self.named("chunks", op(BinOp::Max, chunks, ONE));
        let once = self.closed(|l| l.launch_kernel(&first, &segments, &points, Some(&ONE), outputs));
        let twice = self.closed(|l| {
            let mut partials = outputs.clone();
            for (k, binder) in grouped.partial.iter().enumerate() {
                let shape = [outer, std::slice::from_ref(&chunks)].concat();
                let mem = l.alloc("partial", binder.ty.elem().unwrap_or(ScalarType::Bool), shape);
                l.env.insert(binder.var, Val::Array(mem, ZERO));
                partials.insert(k, mem);
            }
            l.env.insert(grouped.chunks.var, Val::Scalar(chunks.clone()));
            l.launch_kernel(&first, &segments, &points, Some(&chunks), &partials);
            let left = op(BinOp::Mul, segments.clone(), chunks.clone());
            l.launch_kernel(&second, &segments, &left, Some(&ONE), outputs);
        });
        let cond = at_most(chunks.clone(), ONE);
        self.push(Op::If { cond, yes: once, no: twice, scalars: vec![], mems: vec![] });
    }

    /// Finds, before a nest runs, the greatest value of a size that differs from point to point; the size, and the cell with its bound. `None` if the size changes inside of a point.
    fn bound_of(
        &mut self,
        seg: &SegOp,
        refusal: &Refusal,
        bounds: &HashMap<Var, Var>,
        prov: Prov,
    ) -> Option<(Var, Var)> {
        let size = refusal.unbounded.filter(|size| !bounds.contains_key(size) && !self.sought.contains(size))?;
        self.sought.push(size);
        let found = self.greatest(seg, size, prov);
        self.sought.pop();
        found.map(|bound| (size, bound))
    }

    /// The greatest value of a size at any point of a nest, in a cell.
    fn greatest(&mut self, seg: &SegOp, size: Var, prov: Prov) -> Option<Var> {
        let mut operand = slice(&seg.body, size)?;
        let mut space = seg.space.clone();
        loop {
            let maximum = Prim::Bin(BinOp::Max, ScalarType::I64);
            let max = Builder::new(&mut self.vars, prov).operator(maximum, Scalar::I64(0));
            let reduces = vec![Operator { commutative: true, ..max }];
            let ret = vec![Type::I64];
            let nest = SegOp { level: seg.level, space, reduces, ret, body: operand, scans: vec![], hists: vec![] };
            let outer: Vec<Dim> = nest.space[..nest.space.len() - 1].iter().map(|(_, dim)| *dim).collect();
            let bound = self.vars.fresh("bound", Type::I64.array_of(&outer));
            self.launch_as(&nest, std::slice::from_ref(&bound), "bound", prov);
            if outer.is_empty() {
                return Some(bound.var);
            }
            // A reduction is over the last dimension: the others follow.
            space = outer.iter().map(|dim| (self.vars.fresh("i", Type::I64), *dim)).collect();
            let indices: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
            let mut b = Builder::new(&mut self.vars, prov);
            operand = b.inner(|b| vec![b.index(bound.var, &indices).into()]);
        }
    }

    fn map(
        &mut self,
        seg: &SegOp,
        group: GroupSizes,
        what: &str,
        prov: Prov,
        bounds: &HashMap<Var, Var>,
    ) -> Made<Launchable> {
        let name = self.name(what);
        let changed = self.changed.clone();
        self.make(bounds, &changed, |context| nest::map_kernel(&name, seg, group, context, prov))
    }

    fn reduce(&mut self, seg: &SegOp, prov: Prov, bounds: &HashMap<Var, Var>) -> Made<How> {
        let each = one_each(seg, &mut self.vars);
        let each = self.map(&each, GroupSizes::ANY, "reduce each", prov, bounds)?;
        let reduced: usize = seg.reduces.iter().map(|op| op.neutral.len()).sum();
        if !seg.ret[..reduced].iter().all(|ty| matches!(ty, Type::Scalar(_))) {
            return Ok(How { each: Some(each), grouped: None });
        }
        let name = self.name("reduce");
        let first = self.make(bounds, &[], |context| reduce_kernel(&name, seg, context, prov))?;
        let (second, partial, chunks) = once_more(seg, reduced, &mut self.vars);
        let name = self.name("reduce chunks");
        let second = self.make(bounds, &[], |context| reduce_kernel(&name, &second, context, prov))?;
        Ok(How { each: Some(each), grouped: Some(Grouped { first, second, partial, chunks }) })
    }

    pub(super) fn name(&mut self, what: &str) -> String {
        self.made += 1;
        format!("{what} {} of {}", self.made, self.fun)
    }

    pub(super) fn make(
        &mut self,
        bounds: &HashMap<Var, Var>,
        changed: &[Var],
        make: impl FnOnce(&Context) -> Made<Launchable>,
    ) -> Made<Launchable> {
        let env = &self.env;
        let is_cell = |var: Var| matches!(env.get(&var), Some(Val::Cell(_, None)));
        make(&Context { vars: &self.vars, is_cell: &is_cell, accs: &self.accs, changed, bounds })
    }

    /// Launches a kernel of the points of a nest, if it could be made.
    pub(super) fn launch_made(&mut self, made: Made<Launchable>, seg: &SegOp) {
        match made {
            Ok(kernel) => {
                let space: Vec<Dim> = seg.space.iter().map(|(_, dim)| *dim).collect();
                let points = product(self.dims(&space));
                let points = self.named("points", points);
                self.launch(kernel, &points, &points, None, &HashMap::default());
            }
            Err(refusal) => self.errors.push(refusal.unsupported),
        }
    }

    fn kernel(&mut self, made: Launchable) -> Ready {
        let Launchable { kernel, sites, params, blocks, own } = made;
        self.out.kernels.push(HostKernel { kernel, sites });
        Ready { id: KernelId(self.out.kernels.len() as u32 - 1), params, blocks, own }
    }

    fn launch(
        &mut self,
        kernel: Launchable,
        items: &Exp,
        points: &Exp,
        chunks: Option<&Exp>,
        outputs: &HashMap<usize, Mem>,
    ) {
        let kernel = self.kernel(kernel);
        self.launch_kernel(&kernel, items, points, chunks, outputs);
    }

    /// Launches a kernel: `items` are the points of a map or the segments of a reduction, `points` what is counted; a reduction has chunks.
    fn launch_kernel(
        &mut self,
        kernel: &Ready,
        items: &Exp,
        points: &Exp,
        chunks: Option<&Exp>,
        outputs: &HashMap<usize, Mem>,
    ) {
        let wanted = match chunks {
            Some(chunks) => op(BinOp::Mul, items.clone(), chunks.clone()),
            None => covering(items.clone(), Exp::GroupSize(kernel.id)),
        };
        let own: Vec<(ScalarType, Vec<Exp>)> = kernel
            .own
            .iter()
            .map(|own| (own.elem, own.shape.iter().map(|known| self.known(known)).collect()))
            .collect();
        let bytes = own
            .iter()
            .map(|(elem, shape)| op(BinOp::Mul, product(shape.iter().cloned()), Exp::i64(elem.bytes() as i64)));
        let bytes = bytes.fold(ZERO, |a, b| op(BinOp::Add, a, b));
        let groups = Exp::Groups { kernel: kernel.id, wanted: Box::new(wanted), own: Box::new(bytes) };
        let groups = self.named("groups", groups);
        let own: Vec<Slice> = own
            .into_iter()
            .map(|(elem, shape)| {
                let shape = [vec![groups.clone(), Exp::GroupSize(kernel.id)], shape].concat();
                let len = product(shape.clone());
                Slice { mem: self.alloc("own", elem, shape), offset: ZERO, len }
            })
            .collect();
        let params = kernel
            .params
            .iter()
            .map(|param| match param {
                ParamArg::Points => items.clone(),
                ParamArg::Chunks => chunks.cloned().unwrap_or(ONE),
                ParamArg::Var(var) => self.host((*var).into()),
            })
            .collect();
        let blocks = kernel
            .blocks
            .iter()
            .map(|block| match block {
                BlockArg::Own(k) => own[*k].clone(),
                BlockArg::Cell(var) => match self.operand((*var).into()) {
                    Val::Cell(mem, _) => Slice { mem, offset: ZERO, len: ONE },
                    Val::Array(mem, offset) => Slice { mem, offset, len: ONE },
                    Val::Scalar(_) | Val::Unit => {
                        self.fail("a scalar that is not in memory", "memory", self.prov);
                        Slice { mem: Mem(0), offset: ZERO, len: ONE }
                    }
                },
                BlockArg::Array(var) => {
                    let (mem, offset) = self.array(*var);
                    let shape = self.vars.ty(*var).shape().to_vec();
                    let len = product(self.dims(&shape));
                    Slice { mem, offset, len }
                }
                BlockArg::Result(position) => {
                    let mem = outputs.get(position).copied().unwrap_or(Mem(0));
                    Slice { mem, offset: ZERO, len: self.lens.get(&mem).cloned().unwrap_or(ZERO) }
                }
            })
            .collect();
        let launch = Launch { kernel: kernel.id, groups, points: points.clone(), params, blocks };
        self.push(Op::Launch(launch));
    }

    fn known(&mut self, known: &Known) -> Exp {
        match known {
            Known::Lit(x) => Exp::Lit(*x),
            Known::Var(var) => self.host((*var).into()),
            Known::Op(prim, args) => Exp::Prim(*prim, args.iter().map(|arg| self.known(arg)).collect()),
        }
    }
}

/// The kernels of a nest.
struct How {
    /// One invocation of each point, or of each segment of a reduction.
    each: Option<Launchable>,
    /// Groups of each segment, if operands are scalars.
    grouped: Option<Grouped>,
}

/// A reduction by groups.
struct Grouped {
    /// Reduces chunks of segments.
    first: Launchable,
    /// Reduces what the first has made of several chunks.
    second: Launchable,
    /// What the second kernel calls the first one's results.
    partial: Vec<Binder>,
    /// And the number of chunks.
    chunks: Binder,
}

/// A kernel of the program, and what it asks of the host.
struct Ready {
    id: KernelId,
    params: Vec<ParamArg>,
    blocks: Vec<BlockArg>,
    own: Vec<super::emit::Own>,
}

/// A variable that gets values from several places, which must agree where a scalar is, and whether an array may begin anywhere in its memory.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Slot {
    Scalar(ScalarType),
    Cell(ScalarType),
    Array { elem: ScalarType, moves: bool },
    Unit,
}

impl Slot {
    /// What takes all of these values.
    fn of(ty: &Type, values: &[&Val]) -> Slot {
        match ty {
            Type::Scalar(ty) if values.iter().any(|value| matches!(value, Val::Cell(_, None))) => Slot::Cell(*ty),
            Type::Scalar(ty) => Slot::Scalar(*ty),
            Type::Array(elem, _) => {
                let moves = values.iter().any(|value| matches!(value, Val::Array(_, offset) if *offset != ZERO));
                Slot::Array { elem: *elem, moves }
            }
            Type::Acc(_) | Type::Cert => Slot::Unit,
        }
    }

    /// What takes what either takes.
    fn join(self, other: Slot) -> Slot {
        match (self, other) {
            (Slot::Cell(ty), Slot::Scalar(_)) | (Slot::Scalar(_), Slot::Cell(ty)) => Slot::Cell(ty),
            (Slot::Array { elem, moves: a }, Slot::Array { moves: b, .. }) => Slot::Array { elem, moves: a || b },
            (a, _) => a,
        }
    }

    /// How many scalars it has.
    fn scalars(&self) -> usize {
        usize::from(matches!(self, Slot::Scalar(_) | Slot::Array { moves: true, .. }))
    }
}

/// The arrays that statements consume and do not bind.
fn consumed(stms: &[ir::Stm]) -> Vec<Var> {
    struct Consumed(HashSet<Var>);
    impl Visit for Consumed {
        fn exp(&mut self, e: &Ir) {
            match e {
                Ir::Update { array, .. } | Ir::UpdateSlice { array, .. } | Ir::FlatUpdate { array, .. } => {
                    self.0.insert(*array);
                }
                Ir::Loop { params, .. } => {
                    self.0.extend(params.iter().filter(|p| p.unique).filter_map(|p| p.init.as_var()));
                }
                Ir::Scatter(s) => self.0.extend(s.dests.iter().map(|dest| dest.array)),
                Ir::Hist(h) => self.0.extend(h.ops.iter().flat_map(|op| &op.dests)),
                Ir::WithAcc(w) => self.0.extend(w.inputs.iter().flat_map(|input| &input.arrays)),
                _ => {}
            }
            walk_exp(self, e);
        }
    }
    let mut found = Consumed(HashSet::default());
    stms.iter().for_each(|stm| found.stm(stm));
    // what is another name of an array here is that array
    let mut all: Vec<Var> = found.0.into_iter().filter_map(|var| origin(stms, var)).collect();
    all.sort();
    all.dedup();
    all
}

/// The array, from outside of statements, whose memory a variable that they bind has.
fn origin(stms: &[ir::Stm], var: Var) -> Option<Var> {
    let Some((stm, k)) = stms.iter().find_map(|stm| Some((stm, stm.pat.iter().position(|pat| pat.var == var)?))) else {
        return Some(var);
    };
    let before = match &stm.exp {
        Ir::SubExp(e) => e.as_var()?,
        Ir::Update { array, .. } | Ir::UpdateSlice { array, .. } | Ir::FlatUpdate { array, .. } => *array,
        Ir::Coerce { array, .. } | Ir::Reshape { array, .. } => *array,
        Ir::Loop { params, .. } if params[k].unique => params[k].init.as_var()?,
        Ir::Scatter(s) => s.dests[k].array,
        _ => return None,
    };
    origin(stms, before)
}

/// The statements of a body that a variable needs which one of them binds, with that variable as the result.
fn slice(body: &Body, var: Var) -> Option<Body> {
    body.stms.iter().flat_map(|stm| &stm.pat).find(|pat| pat.var == var)?;
    Some(needed(body, vec![var.into()]))
}

/// What of a body gives some of its values. Of branches only those results are left that are asked for.
fn needed(body: &Body, result: Vec<SubExp>) -> Body {
    let mut wanted: HashSet<Var> = result.iter().filter_map(|e| e.as_var()).collect();
    let mut stms = Vec::new();
    for stm in body.stms.iter().rev() {
        if !stm.pat.iter().any(|pat| wanted.contains(&pat.var)) {
            continue;
        }
        let mut stm = stm.clone();
        if let Ir::If { yes, no, .. } = &mut stm.exp {
            let kept: Vec<bool> = stm.pat.iter().map(|pat| wanted.contains(&pat.var)).collect();
            let of = |all: &[SubExp]| all.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(e, _)| *e).collect();
            *yes = needed(yes, of(&yes.result));
            *no = needed(no, of(&no.result));
            let mut kept = kept.iter();
            stm.pat.retain(|_| kept.next() == Some(&true));
        }
        wanted.extend(free_vars(&stm));
        stms.push(stm);
    }
    stms.reverse();
    Body { stms, result }
}
