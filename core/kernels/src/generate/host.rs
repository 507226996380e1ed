//! What stands around nests becomes the host's program: [`lower`].
//!
//! Scalars that come from arrays or reductions stay in memory, in *cells*: scalar code on them becomes a kernel of one invocation, and the host reads a cell only when its own control flow or a
//! size depends on it.

use super::beyond;
use super::deferred::Origin;
use super::emit::positional;
use super::numbers::Numbers;
use super::pending::uses;
use super::scan::of_arrays;
use crate::host::ir::*;
use crate::ir::{Ident, Named};
use futi_core::analysis::alias::{Consumable, consumable};
use futi_core::backend::Unsupported;
use futi_core::hash::{HashMap, HashSet};
use futi_core::ir::build::Vars;
use futi_core::ir::visit::{free_vars, walk_fun};
use futi_core::ir::{
    self, AccInput, Attr, BinOp, Binder, CmpOp, Dim, Exp as Ir, Name, Prim, Program, Prov, Scalar, ScalarType, SegKind,
    SubExp, Type, Var,
};
use futi_core::passes::flatten::{threshold, threshold_number};
use futi_core::value::{Array, Column};
use std::rc::Rc;

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
        numbers: Numbers::default(),
        scalars: Vec::new(),
        mems: Vec::new(),
        lens: HashMap::default(),
        stms: Vec::new(),
        read: Vec::new(),
        consumable: Consumable::default(),
        results: HashSet::default(),
        pending: Vec::new(),
        errors: Vec::new(),
        changed: Vec::new(),
        sought: Vec::new(),
        fun: String::new(),
        made: 0,
        ahead: false,
        in_one: HashSet::default(),
        in_versions: HashSet::default(),
        prov: Prov::UNKNOWN,
    };
    let ids = program.funs.iter().enumerate().map(|(i, fun)| (fun.name.clone(), FunId(i as u32)));
    lowering.funs = ids.collect();
    lowering.consumable = consumable(program);
    let results = program.funs.iter().flat_map(|fun| &fun.body.result).filter_map(|e| e.as_var());
    lowering.results = results.map(|var| lowering.consumable.group(var)).collect();
    program.funs.iter().for_each(|fun| lowering.function(fun));
    if lowering.errors.is_empty() { Ok(lowering.out) } else { Err(lowering.errors) }
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
    /// An array that is made where it is used.
    View(Rc<Ir>, Origin),
    /// An accumulator or a certificate.
    Unit,
}

/// An accumulator of the host.
pub(super) struct SharedAcc {
    pub input: AccInput,
    /// The locks of its places, if its operator needs them.
    pub lock: Option<Var>,
}

pub(super) struct Lowering {
    pub(super) vars: Vars,
    pub(super) out: HostProgram,
    pub(super) funs: HashMap<Name, FunId>,
    pub(super) uses: HashMap<Var, usize>,
    pub(super) env: HashMap<Var, Val>,
    /// The accumulators of the host, by identity.
    pub(super) accs: HashMap<Var, SharedAcc>,
    /// What the statements so far say of numbers.
    pub(super) numbers: Numbers,
    /// Of the function in the making.
    pub(super) scalars: Vec<Named>,
    pub(super) mems: Vec<Named>,
    /// How many elements memory has that the function has allocated.
    pub(super) lens: HashMap<Mem, Exp>,
    /// The statements of the block in the making.
    pub(super) stms: Vec<Stm>,
    /// The cells that were read and the views that were stored, innermost block last, and what they were before: behind the block nobody has that.
    pub(super) read: Vec<(Var, Val)>,
    /// What may be consumed.
    pub(super) consumable: Consumable,
    /// The groups of arrays that may be results of functions.
    pub(super) results: HashSet<Var>,
    /// Statements on cells that are to become one kernel.
    pub(super) pending: Vec<ir::Stm>,
    pub(super) errors: Vec<Unsupported>,
    /// The arrays that the kernel in the making changes in place.
    pub(super) changed: Vec<Var>,
    /// The sizes whose bounds are being found: none is found by itself.
    pub(super) sought: Vec<Var>,
    pub(super) fun: String,
    /// How many kernels have a name.
    pub(super) made: usize,
    /// Whether what is being lowered is a round of a loop in which the host is not to wait for the machine.
    pub(super) ahead: bool,
    /// Loops that one invocation runs with all that is in them, by their first result.
    pub(super) in_one: HashSet<Var>,
    /// Loops that are a version already, by their results.
    pub(super) in_versions: HashSet<Var>,
    pub(super) prov: Prov,
}

pub(super) const ZERO: Exp = Exp::Lit(Scalar::I64(0));
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

impl Lowering {
    fn function(&mut self, fun: &ir::Fun) {
        self.fun = fun.name.to_string();
        self.uses = uses(|visit| walk_fun(visit, fun));
        // mutant removal: no variable is another function's
        self.env.clear();
        // mutant: what is known of numbers is known of variables
        self.numbers.forget(0);
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
        let made = Fun {
            name: Ident::new(fun.name.as_str()),
            entry: fun.entry.as_ref().map(|_| fun.name.to_string()),
            scalars: std::mem::take(&mut self.scalars),
            mems: std::mem::take(&mut self.mems),
            params,
            body: std::mem::take(&mut self.stms),
            results,
        };
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
        let result = |(e, result): (&SubExp, &ir::FunResult)| match self.held(*e) {
            Val::Array(mem, offset) => {
                let ty = e.as_var().map_or(result.binder.ty.clone(), |v| self.vars.ty(v).clone());
                let shape = ty.shape().iter().map(|dim| self.dim(*dim)).collect();
                Value::Array { mem, offset, shape }
            }
            Val::Scalar(e) => Value::Scalar(e),
            Val::Cell(..) | Val::View(..) | Val::Unit => Value::Scalar(self.host(*e)),
        };
        fun.body.result.iter().zip(&fun.results).map(result).collect()
    }

    pub(super) fn host_scalar(&mut self, name: &str, ty: ScalarType) -> HostScalar {
        self.scalars.push(Named { name: Ident::new(name), ty });
        HostScalar(self.scalars.len() as u32 - 1)
    }

    pub(super) fn mem(&mut self, name: &str, elem: ScalarType) -> Mem {
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
    pub(super) fn alloc(&mut self, name: &str, elem: ScalarType, shape: Vec<Exp>) -> Mem {
        let mem = self.mem(name, elem);
        self.lens.insert(mem, product(shape.iter().cloned()));
        self.push(Op::Alloc { mem, scratch: false, shape });
        mem
    }

    /// A scalar in memory.
    pub(super) fn cell(&mut self, ty: ScalarType, value: Exp) -> Mem {
        let mem = self.alloc("cell", ty, vec![]);
        self.push(Op::Write { to: mem, index: ZERO, value });
        mem
    }

    pub(super) fn copied(&mut self, from: Mem, offset: Exp, ty: &Type) -> Mem {
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

    /// An operand; an array is in memory.
    pub(super) fn held(&mut self, e: SubExp) -> Val {
        if let Some(var) = e.as_var().filter(|var| self.is_view(*var)) {
            self.store(var);
        }
        self.operand(e)
    }

    /// The function's threshold of a number.
    fn threshold(&mut self, number: i64) -> ThresholdId {
        let name = threshold(&self.fun, number);
        let all = &mut self.out.thresholds;
        let at = all.iter().position(|known| *known == name).unwrap_or_else(|| {
            all.push(name);
            all.len() - 1
        });
        ThresholdId(at as u32)
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
                    self.read.push((var, Val::Cell(mem, None)));
                }
                Exp::Var(scalar)
            }
            Val::Array(..) | Val::View(..) | Val::Unit => {
                self.fault("an operand that is no scalar");
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
            Val::View(..) => self.store(var),
            Val::Scalar(_) | Val::Cell(..) | Val::Unit => {
                self.fault("an operand that is no array");
                // mutant off by one: with an error there is no program
                (Mem(0), ZERO)
            }
        }
    }

    /// The first element of a row.
    pub(super) fn row(&mut self, array: Var, offset: Exp, indices: &[SubExp]) -> Exp {
        let shape = self.vars.ty(array).shape().to_vec();
        let shape = self.dims(&shape);
        let indices = self.hosts(indices);
        let mut at = offset;
        for (k, i) in indices.into_iter().enumerate() {
            at = op(BinOp::Add, at, op(BinOp::Mul, i, product(shape[k + 1..].iter().cloned())));
        }
        self.named("row", at)
    }

    /// Says that the program is not what passes make.
    pub(super) fn fault(&mut self, what: &str) {
        // what has not been made cannot be used: that was said
        if self.errors.is_empty() {
            self.errors.push(Unsupported::internal(what, self.prov));
        }
    }

    /// Whether the host has not seen this scalar.
    pub(super) fn is_cell(&self, e: &SubExp) -> bool {
        matches!(e, SubExp::Var(v) if matches!(self.env.get(v), Some(Val::Cell(..))))
            || e.as_var().is_some_and(|v| self.is_pending(v))
    }

    pub(super) fn stm(&mut self, stm: &ir::Stm) {
        let prov = stm.prov;
        self.prov = prov;
        self.numbers.stm(stm);
        match (&stm.exp, &stm.pat[..]) {
            (Ir::SubExp(e) | Ir::Opaque(e), [pat]) => {
                // mutant negation: to launch earlier what is pending takes a launch more at most
                if e.as_var().is_some_and(|v| self.is_pending(v)) {
                    self.flush();
                }
                let value = self.operand(*e);
                self.env.insert(pat.var, value);
            }
            (Ir::Prim(Prim::Cmp(CmpOp::Lt, ScalarType::I64), args), [pat])
                if let Some(number) = threshold_number(stm) =>
            {
                // mutant negation: likewise
                if args[0].as_var().is_some_and(|v| self.is_pending(v)) {
                    self.flush();
                }
                let threshold = self.threshold(number);
                let points = Box::new(self.host(args[0]));
                self.env.insert(pat.var, Val::Scalar(Exp::Few { threshold, points }));
            }
            (Ir::Prim(prim, args), [pat]) if !args.iter().any(|e| self.is_cell(e)) => {
                let args = self.hosts(args);
                let ty = prim.signature().map_or(ScalarType::Bool, |(_, result)| result);
                let scalar = self.host_scalar(pat.name.as_str(), ty);
                self.push(Op::Let(scalar, Exp::Prim(*prim, args)));
                self.env.insert(pat.var, Val::Scalar(Exp::Var(scalar)));
            }
            // nobody asks what a certificate is
            (Ir::Check(check), _) if !uses(|v| v.exp(&stm.exp)).keys().any(|v| self.is_cell(&(*v).into())) => {
                if !matches!(check, ir::Check::Made(_)) {
                    let operands = self.hosts(&check.operands());
                    self.out.checks.push(Site { check: positional(check), prov });
                    self.push(Op::Check { check: CheckId(self.out.checks.len() as u32 - 1), operands });
                }
            }
            (Ir::SegOp(seg), _) => {
                self.flush();
                match seg.kind {
                    SegKind::Map if let Some(room) = stm.attr(Attr::GROUP).and_then(|attr| attr.arg) => {
                        self.launch_within(seg, room, &stm.pat, prov);
                    }
                    SegKind::Reduce(_) if of_arrays(seg) => self.reduce_arrays(seg, &stm.pat),
                    SegKind::Map | SegKind::Reduce(_) => self.launch_as(seg, &stm.pat, "map", prov),
                    SegKind::Scan(_) => self.scan(seg, &stm.pat),
                    SegKind::Write(_) => self.scatter(seg, &stm.pat, stm.attr(Attr::APART).is_some()),
                }
            }
            (
                exp @ (Ir::Iota { .. }
                | Ir::Replicate { .. }
                | Ir::Rearrange { .. }
                | Ir::Reverse { .. }
                | Ir::Rotate { .. }
                | Ir::Slice { .. }
                | Ir::FlatIndex { .. }
                | Ir::Index { .. }
                | Ir::Coerce { .. }),
                [pat],
            ) if pat.ty.rank() > 0 => {
                if free_vars(stm).into_iter().any(|v| self.is_pending(v)) {
                    self.flush();
                }
                if !self.defer(exp, pat) {
                    self.piece_of(exp, pat);
                }
            }
            (Ir::Concat { arrays, .. }, [pat]) => {
                self.flush();
                self.concat(arrays, pat);
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
                let mem = self.literal(elems, row, pat.var);
                self.env.insert(pat.var, Val::Array(mem, ZERO));
            }
            (Ir::Reshape { array, .. }, [pat]) => {
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
            (Ir::UpdateSlice { array, slice, value }, [pat]) => {
                self.flush();
                self.update_slice(*array, slice, *value, pat);
            }
            (Ir::FlatUpdate { array, offset, dims, value }, [pat]) => {
                self.flush();
                self.flat_update(*array, *offset, dims, *value, pat);
            }
            (Ir::Copy(array) | Ir::Manifest { array, .. }, [pat]) => {
                self.flush();
                if let Val::View(exp, _) = self.operand((*array).into()) {
                    return self.make_view(&exp, pat);
                }
                let (mem, offset) = self.array(*array);
                let copy = self.copied(mem, offset, &pat.ty);
                self.env.insert(pat.var, Val::Array(copy, ZERO));
            }
            (Ir::WithAcc(with), pats) => {
                self.flush();
                self.with_acc(with, pats);
            }
            // One invocation would copy arrays element by element: a branch on arrays is the host's.
            (Ir::If { cond, yes, no }, pats)
                if pats.iter().any(|pat| pat.ty.rank() > 0) || !self.is_device_code(&stm.exp) =>
            {
                self.flush();
                let equivalent = stm.attr(Attr::EQUIVALENT).is_some();
                self.branch(*cond, [yes, no], pats, equivalent);
            }
            (Ir::Loop { params, form, body }, pats)
                if !self.is_device_code(&stm.exp) && !pats.iter().any(|pat| self.in_one.contains(&pat.var)) =>
            {
                if !self.one_invocation(stm, params) {
                    self.flush();
                    self.iterate_in_versions(params, form, body, pats);
                }
            }
            (Ir::Apply { fun, args }, pats) => {
                self.flush();
                self.apply(fun, args, pats);
            }
            (Ir::Jvp(_) | Ir::Vjp(_), _) => self.fault("a derivative is left"),
            _ => self.postpone(stm),
        }
    }

    /// A call of a function.
    fn apply(&mut self, fun: &Name, args: &[SubExp], pats: &[Binder]) {
        let Some(id) = self.funs.get(fun).copied() else {
            return self.fault(&format!("a call of {fun}, which is not there"));
        };
        let mut values = Vec::new();
        for e in args {
            values.push(match self.held(*e) {
                Val::Array(mem, offset) => {
                    let ty = e.as_var().map_or(Type::Cert, |v| self.vars.ty(v).clone());
                    // a function's arrays begin with their memory
                    let mem = if offset == ZERO { mem } else { self.copied(mem, offset, &ty) };
                    Value::Array { mem, offset: ZERO, shape: self.dims(ty.shape()) }
                }
                // mutant negation: nobody asks what a certificate is
                Val::Unit => Value::Scalar(Exp::Lit(Scalar::Bool(true))),
                Val::Scalar(_) | Val::Cell(..) | Val::View(..) => Value::Scalar(self.host(*e)),
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
    pub(super) fn write(&mut self, to: Mem, index: Exp, value: SubExp, len: Exp) {
        if let Some(array) = value.as_var().filter(|var| self.is_view(*var)) {
            return self.put(to, index, array);
        }
        match self.operand(value) {
            Val::Scalar(value) => self.push(Op::Write { to, index, value }),
            Val::Cell(_, Some(scalar)) => self.push(Op::Write { to, index, value: Exp::Var(scalar) }),
            Val::Cell(mem, None) => self.copy((to, index), (mem, ZERO), ONE),
            Val::Array(mem, offset) => self.copy((to, index), (mem, offset), len),
            Val::View(..) | Val::Unit => self.fault("an update by no value"),
        }
    }

    pub(super) fn copy(&mut self, to: (Mem, Exp), from: (Mem, Exp), len: Exp) {
        let slice = |(mem, offset): (Mem, Exp)| Slice { mem, offset, len: len.clone() };
        self.push(Op::Copy { to: slice(to), from: slice(from) });
    }

    /// An array that is written out. A constant stays where it is if nobody changes it or gets it as a result.
    fn literal(&mut self, elems: &[SubExp], row: &Type, var: Var) -> Mem {
        let elem = row.elem().unwrap_or(ScalarType::Bool);
        let scalars: Option<Vec<Scalar>> = elems.iter().map(|e| e.as_lit()).collect();
        let column = scalars
            .filter(|scalars| !scalars.is_empty())
            .and_then(|scalars| Column::from_scalars(elem, scalars.into_iter()));
        if let Some(column) = column {
            self.out.constants.push(Array::new(&[elems.len()], column));
            let constant = self.mem("constant", elem);
            self.push(Op::Constant(constant, ConstantId(self.out.constants.len() as u32 - 1)));
            if !self.consumable.may_be_consumed(var) && !self.results.contains(&self.consumable.group(var)) {
                return constant;
            }
            return self.copied(constant, ZERO, &row.array_of(&[Dim::Const(elems.len() as i64)]));
        }
        let row = self.dims(row.shape());
        let n = Exp::i64(elems.len() as i64);
        // mutant swap: it has as many elements either way
        let mem = self.alloc("literal", elem, [vec![n], row.clone()].concat());
        let len = product(row);
        for (i, e) in elems.iter().enumerate() {
            let at = op(BinOp::Mul, Exp::i64(i as i64), len.clone());
            self.write(mem, at, *e, len.clone());
        }
        mem
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::kernels;
    use super::*;
    use crate::host::options::MemoryOptions;

    fn lowered(text: &str) -> Result<HostProgram, Vec<Unsupported>> {
        super::super::lower(&text.parse().unwrap(), &MemoryOptions::default())
    }

    /// How many statements of a kind there are, not counting those inside of others.
    fn count(host: &HostProgram, is: impl Fn(&Op) -> bool) -> usize {
        host.funs[0].body.iter().filter(|stm| is(&stm.op)).count()
    }

    #[test]
    fn thresholds_are_named_by_function_and_number() {
        let sum = "map (\\n -> i64.sum (map (* n) (iota n)))";
        let greatest = "map (\\n -> i64.maximum (map (% 7) (iota n)))";
        let source = format!(
            "entry one (ns: []i64) (ms: []i64) = ({sum} ns, {greatest} ms)
            entry other (ns: []i64) = {sum} ns"
        );
        assert_eq!(kernels(&source).thresholds, ["one.enough_0", "one.enough_1", "other.enough_0"]);
    }

    #[test]
    fn constants_are_copied_if_others_get_them() {
        let result = "futi-ir 1 entry \"main\"() -> (r_0: [3]i64) sig 0 () -> [\"3\"]i64 {
            let (xs_1: [3]i64) = array [1i64, 2i64, 3i64] of i64
            in (xs_1)
        }";
        let read = "futi-ir 1 entry \"main\"(i_0: i64) -> (r_1: i64) sig 0 (\"i\": i64) -> i64 {
            let (xs_2: [3]i64) = array [1i64, 2i64, 3i64] of i64
            let (x_3: i64) = index xs_2[i_0]
            in (x_3)
        }";
        let copies = [result, read].map(|text| {
            let host = lowered(text).expect("kernels");
            (host.constants.len(), count(&host, |op| matches!(op, Op::Copy { .. })))
        });
        assert_eq!(copies, [(1, 1), (1, 0)]);
    }

    #[test]
    fn only_scratch_memory_may_stay_unwritten() {
        let text = "futi-ir 1 entry \"main\"(x_0: i64) -> (r_1: [2]i64, s_2: [2]i64) sig 0 (\"x\": i64) -> ([\"2\"]i64, [\"2\"]i64) {
            let (xs_3: [2]i64) = scratch [2]i64
            let (ys_4: [2]i64) = replicate [2] x_0
            in (xs_3, ys_4)
        }";
        let host = lowered(text).expect("kernels");
        let [scratch, other] =
            [true, false].map(|is| count(&host, |op| matches!(op, Op::Alloc { scratch, .. } if *scratch == is)));
        assert_eq!((scratch, other), (1, 1));
    }

    #[test]
    fn what_no_pass_makes_is_a_defect_of_ours() {
        let derivative =
            "let (y_2: f64, d_3: f64) = vjp \\(z_4: f64) -> (f64) { in (z_4) } at (x_0) with (1.0f64) in (y_2)";
        let no_scalar = "let (y_2: f64) = sqrt.f64(xs_5) in (y_2)";
        let no_array = "let (ys_2: [2]f64) = reshape [2] x_0 let (y_3: f64) = index ys_2[0i64] in (y_3)";
        // the other version could be compiled, but would hide it
        let version = "let (c_2: bool) = lt.f64(x_0, 1.0f64)
            let (y_3: f64) = if c_2 then { let (z_4: f64) = sqrt.f64(xs_5) in (z_4) } else { in (x_0) } attrs (\"either side\")
            in (y_3)";
        let all = [derivative, no_scalar, no_array, version].map(|body| {
            let text = format!(
                "futi-ir 1 entry \"main\"(x_0: f64, xs_5: [2]f64) -> (r_1: f64) sig 0 (\"x\": f64, \"xs\": [\"2\"]f64) -> f64 {{ {body} }}"
            );
            lowered(&text).expect_err("it cannot be compiled").into_iter().map(|e| e.construct).collect::<Vec<_>>()
        });
        let no_scalar = "an operand that is no scalar";
        let faults = ["a derivative is left", no_scalar, "an operand that is no array", no_scalar];
        assert_eq!(all, faults.map(|fault| [format!("internal error: {fault}")]));
    }
}
