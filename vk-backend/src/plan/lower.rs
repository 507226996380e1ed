//! From a flat program to the host's program and its kernels.

use super::beyond::beyond;
use super::lifetimes::note_drops;
use super::*;
use crate::device::{Caps, DeviceKind};
use crate::kernels::{Context, Refusal, map_kernel, reduce_kernel};
use futi_core::backend::Unsupported;
use futi_core::hash::{HashMap, HashSet};
use futi_core::ir::build::{Builder, Vars};
use futi_core::ir::visit::{Visit, free_vars, walk_exp, walk_fun};
use futi_core::ir::{
    AccInput, BinOp, Body, Exp, Lambda, Level, LoopForm, LoopParam, Operator, Program, Scalar, Screma, SegOp, Stm,
};

/// Makes the plan of a flat program; all constructs that cannot be compiled, if there are any.
pub fn lower(program: &Program, caps: &Caps) -> Result<Plan, Vec<Unsupported>> {
    // mutant: in which order refusals are named makes no difference to what is refused
    let missing = [beyond(program), support::unsupported(program)].concat();
    if !missing.is_empty() {
        return Err(missing);
    }
    let mut lowering = Lowering {
        vars: Vars::of(program),
        caps,
        plan: Plan { prov: program.prov.clone(), ..Plan::default() },
        uses: HashMap::default(),
        cells: HashSet::default(),
        accs: HashMap::default(),
        steps: Vec::new(),
        pending: Vec::new(),
        errors: Vec::new(),
        entry: "main".into(),
    };
    for fun in program.funs.iter().filter(|fun| fun.entry.is_some()) {
        lowering.entry = fun.name.clone();
        lowering.uses = uses(|visit| walk_fun(visit, fun));
        let block = lowering.block(&fun.body);
        let params = fun.params.iter().map(|p| (p.binder.clone(), p.unique)).collect();
        lowering.plan.entries.insert(fun.name.clone(), Entry { params, block });
    }
    let Lowering { mut plan, errors, .. } = lowering;
    let Plan { entries, kernels, .. } = &mut plan;
    entries.values_mut().for_each(|entry| note_drops(&mut entry.block, kernels));
    if errors.is_empty() { Ok(plan) } else { Err(errors) }
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

struct Lowering<'a> {
    vars: Vars,
    caps: &'a Caps,
    plan: Plan,
    uses: HashMap<Var, usize>,
    /// Scalars in device memory.
    cells: HashSet<Var>,
    /// The accumulators of the host, by identity.
    accs: HashMap<Var, AccInput>,
    /// The steps of the block in the making.
    steps: Vec<Step>,
    /// Statements on cells that are to become one kernel.
    pending: Vec<Stm>,
    errors: Vec<Unsupported>,
    entry: Name,
}

/// Invocations in a workgroup.
fn group_size(caps: &Caps) -> u32 {
    // mutant off by one: it is rounded down to a power of two
    let wanted = if caps.kind == DeviceKind::Cpu { 64 } else { 256 };
    // A power of two, for the tree of a reduction.
    // mutant off by one: no device has workgroups of less than 128
    1 << wanted.min(caps.max_group_size.max(1)).ilog2()
}

/// Invocations in a workgroup that has one thing to do: but one. llvmpipe executes a subgroup's worth of them however few are asked for, those that nobody asked for with
/// index 0 and zeros for what they load, and they too count to its limit of rounds: a loop that ends by what it loads may never end for them.
fn least_group_size(caps: &Caps) -> u32 {
    if caps.loop_limit.is_some() { caps.subgroup_size.clamp(1, caps.max_group_size.max(1)) } else { 1 }
}

impl Lowering<'_> {
    fn block(&mut self, body: &Body) -> Block {
        let outer = std::mem::take(&mut self.steps);
        body.stms.iter().for_each(|stm| self.stm(stm));
        self.flush();
        let steps = std::mem::replace(&mut self.steps, outer);
        Block { steps, result: body.result.clone() }
    }

    fn step(&mut self, op: Op, prov: Prov) {
        self.steps.push(Step { op, prov, drops: Vec::new() });
    }

    fn fail(&mut self, construct: &str, missing: &str, prov: Prov) {
        self.errors.push(Unsupported { construct: construct.into(), missing: missing.into(), prov });
    }

    fn is_cell(&self, e: &SubExp) -> bool {
        matches!(e, SubExp::Var(v) if self.cells.contains(v))
    }

    fn stm(&mut self, stm: &Stm) {
        let prov = stm.prov;
        match (&stm.exp, &stm.pat[..]) {
            (Exp::SubExp(e), [pat]) => {
                if self.is_cell(e) {
                    self.cells.insert(pat.var);
                }
                // mutant: what waits for a kernel of one invocation gets one of its own before a constant that has a name, and simplified programs
                //   have none: results are the same
                if e.as_var().is_some_and(|v| self.is_pending(v)) {
                    self.flush();
                }
                self.rename(pat, *e, prov);
            }
            (Exp::Prim(prim, args), [pat]) if !args.iter().any(|e| self.is_cell(e)) => {
                self.step(Op::Prim(pat.var, *prim, args.clone()), prov);
            }
            (Exp::Check(check), _) if !uses(|v| v.exp(&stm.exp)).keys().any(|v| self.cells.contains(v)) => {
                self.step(Op::Check(check.clone()), prov);
            }
            (Exp::SegOp(seg), _) => {
                self.flush();
                self.launch(seg, &stm.pat, prov);
            }
            (Exp::Index { array, indices }, [pat]) if pat.ty.rank() > 0 => {
                self.flush();
                self.step(Op::Row { var: pat.var, array: *array, indices: indices.clone() }, prov);
            }
            (Exp::Update { array, indices, value }, [pat]) => {
                self.flush();
                let (array, indices, value) = (*array, indices.clone(), *value);
                self.step(Op::Write { var: pat.var, array, indices, value }, prov);
            }
            (Exp::ArrayLit { elems, row }, [pat]) => {
                self.flush();
                self.literal(pat.var, elems, row, prov);
            }
            (Exp::Reshape { shape, array } | Exp::Coerce { shape, array }, [pat]) => {
                self.flush();
                self.step(Op::View { var: pat.var, array: *array, shape: shape.clone() }, prov);
            }
            (Exp::Scratch { elem, shape }, [pat]) => {
                self.flush();
                self.step(Op::Scratch { var: pat.var, elem: *elem, shape: shape.clone() }, prov);
            }
            (Exp::Copy(array), [pat]) => {
                self.flush();
                self.step(Op::Copy(pat.var, *array), prov);
            }
            (Exp::WithAcc(with), pats) => {
                self.flush();
                for (input, id) in with.inputs.iter().zip(&with.lambda.params) {
                    self.accs.insert(id.var, input.clone());
                }
                with.lambda.body.stms.iter().for_each(|stm| self.stm(stm));
                self.flush();
                let arrays = with.inputs.iter().flat_map(|input| input.arrays.iter().map(|a| SubExp::Var(*a)));
                let others = with.lambda.body.result[with.inputs.len()..].iter().copied();
                for (pat, result) in pats.iter().zip(arrays.chain(others).collect::<Vec<_>>()) {
                    if self.is_cell(&result) {
                        self.cells.insert(pat.var);
                    }
                    self.rename(pat, result, prov);
                }
            }
            // One invocation would copy arrays element by element: a branch on arrays is the host's.
            (Exp::If { cond, yes, no }, pats)
                if pats.iter().any(|pat| pat.ty.rank() > 0) || !self.is_device_code(&stm.exp) =>
            {
                self.flush();
                self.branch(*cond, yes, no, pats, prov);
            }
            (Exp::Loop { params, form, body }, pats) if !self.is_device_code(&stm.exp) => {
                self.flush();
                self.iterate(params, form, body, pats, prov);
            }
            (Exp::Apply { fun, .. }, _) => self.fail(&format!("a call of {fun}"), "inlining", prov),
            (Exp::Jvp(_) | Exp::Vjp(_), _) => self.fail("a derivative", "its transformation", prov),
            _ => self.postpone(stm),
        }
    }

    /// Another name for a value; accumulators and certificates are none.
    fn rename(&mut self, pat: &Binder, e: SubExp, prov: Prov) {
        if matches!(pat.ty, Type::Scalar(_) | Type::Array(..)) {
            self.step(Op::Bind(pat.var, e), prov);
        }
    }

    /// Whether a branch or loop is sequential code that touches device memory: one invocation runs it.
    fn is_device_code(&self, exp: &Exp) -> bool {
        struct Parallel(bool);
        impl Visit for Parallel {
            fn exp(&mut self, e: &Exp) {
                self.0 |= matches!(e, Exp::SegOp(_) | Exp::Apply { .. } | Exp::Jvp(_) | Exp::Vjp(_));
                walk_exp(self, e);
            }
        }
        let mut parallel = Parallel(false);
        parallel.exp(exp);
        let device = |v: &Var| self.cells.contains(v) || !matches!(self.vars.ty(*v), Type::Scalar(_) | Type::Cert);
        !parallel.0 && uses(|visit| visit.exp(exp)).keys().any(device)
    }

    fn is_pending(&self, var: Var) -> bool {
        // mutant swap: it is asked of renamed variables and of the sizes of what is no nest: in simplified programs nothing is renamed, and such
        //   sizes are those of arrays that are there
        self.pending.iter().any(|stm| stm.pat.iter().any(|pat| pat.var == var))
    }

    /// A statement for the device that is no nest.
    fn postpone(&mut self, stm: &Stm) {
        // What has the size of what is pending waits until that is known.
        if stm.pat.iter().any(|pat| free_vars(&pat.ty).iter().any(|v| self.is_pending(*v))) {
            self.flush();
        }
        let scalars = stm.pat.iter().filter(|pat| matches!(pat.ty, Type::Scalar(_)));
        self.cells.extend(scalars.map(|pat| pat.var));
        self.pending.push(stm.clone());
    }

    /// Makes the pending statements a kernel of one invocation.
    fn flush(&mut self) {
        let stms = std::mem::take(&mut self.pending);
        // mutant: each of the statements that become one kernel is a place of it; a failure has its own
        let Some(prov) = stms.first().map(|stm| stm.prov) else { return };
        let inside = uses(|visit| stms.iter().for_each(|stm| visit.stm(stm)));
        let escapes = |v: &Var| self.uses.get(v).copied().unwrap_or(0) > inside.get(v).copied().unwrap_or(0);
        let bound = stms.iter().flat_map(|stm| &stm.pat);
        let outputs: Vec<Binder> = bound
            .filter(|pat| matches!(pat.ty, Type::Scalar(_) | Type::Array(..)) && escapes(&pat.var))
            .cloned()
            .collect();
        let one = self.vars.fresh("i", Type::I64);
        let body = Body { stms, result: outputs.iter().map(|pat| pat.var.into()).collect() };
        let ret = outputs.iter().map(|pat| pat.ty.clone()).collect();
        let seg = SegOp {
            level: Level::Grid,
            space: vec![(one, Dim::Const(1))],
            reduces: vec![],
            ret,
            body,
            scans: vec![],
            hists: vec![],
        };
        self.launch_as(&seg, &outputs, "scalars", prov);
    }

    fn literal(&mut self, var: Var, elems: &[SubExp], row: &Type, prov: Prov) {
        let scalars: Option<Vec<_>> = elems.iter().map(|e| e.as_lit()).collect();
        let column = scalars.zip(row.elem()).and_then(|(xs, elem)| {
            futi_core::value::Column::from_scalars(elem, xs.into_iter()).filter(|_| row.rank() == 0)
        });
        match column {
            Some(column) if !elems.is_empty() => {
                self.plan.constants.push(Array::new(&[elems.len()], column));
                self.step(Op::Constant(var, self.plan.constants.len() - 1), prov);
            }
            _ => self.step(Op::Gather { var, rows: elems.to_vec(), row: row.clone() }, prov),
        }
    }

    fn branch(&mut self, cond: SubExp, yes: &Body, no: &Body, pats: &[Binder], prov: Prov) {
        let (yes, no) = (self.block(yes), self.block(no));
        let results = pats.iter().enumerate().map(|(k, pat)| {
            let cell = self.is_cell(&yes.result[k]) || self.is_cell(&no.result[k]);
            Slot { var: pat.var, cell: pat.ty.elem().filter(|_| cell) }
        });
        let results: Vec<Slot> = results.collect();
        self.cells.extend(results.iter().filter(|slot| slot.cell.is_some()).map(|slot| slot.var));
        self.step(Op::If { cond, yes, no, results }, prov);
    }

    /// A parameter is a cell if its first value is, or if the body makes it one: then the body is lowered again.
    fn iterate(&mut self, params: &[LoopParam], form: &LoopForm, body: &Body, pats: &[Binder], prov: Prov) {
        let from_cells: Vec<Var> =
            params.iter().filter(|param| self.is_cell(&param.init)).map(|param| param.binder.var).collect();
        self.cells.extend(from_cells);
        let block = loop {
            let (kernels, sites, errors) = (self.plan.kernels.len(), self.plan.sites.len(), self.errors.len());
            let constants = self.plan.constants.len();
            let block = self.block(body);
            let changed: Vec<Var> = params
                .iter()
                .zip(&block.result)
                .filter(|(param, result)| self.is_cell(result) && !self.cells.contains(&param.binder.var))
                .map(|(param, _)| param.binder.var)
                .collect();
            if changed.is_empty() {
                break block;
            }
            self.cells.extend(changed);
            self.plan.kernels.truncate(kernels);
            self.plan.places.truncate(kernels);
            self.plan.sites.truncate(sites);
            self.plan.constants.truncate(constants);
            self.errors.truncate(errors);
        };
        let slots = params.iter().map(|param| {
            let cell = self.cells.contains(&param.binder.var);
            (Slot { var: param.binder.var, cell: param.binder.ty.elem().filter(|_| cell) }, param.init)
        });
        let slots: Vec<(Slot, SubExp)> = slots.collect();
        for ((slot, _), pat) in slots.iter().zip(pats) {
            if slot.cell.is_some() {
                self.cells.insert(pat.var);
            }
        }
        let form = match form {
            LoopForm::For { index, bound } => Form::For { index: index.var, bound: *bound },
            LoopForm::While(cond) => Form::While(*cond),
        };
        let results = pats.iter().map(|pat| pat.var).collect();
        self.step(Op::Loop { params: slots, form, body: block, results }, prov);
    }

    fn launch(&mut self, seg: &SegOp, pats: &[Binder], prov: Prov) {
        self.launch_as(seg, pats, "map", prov);
    }

    fn launch_as(&mut self, seg: &SegOp, pats: &[Binder], what: &str, prov: Prov) {
        let outputs: Vec<(usize, Binder)> = pats
            .iter()
            .enumerate()
            .filter(|(_, pat)| matches!(pat.ty, Type::Array(..) | Type::Scalar(_)))
            .map(|(k, pat)| (k, pat.clone()))
            .collect();
        let scalars = outputs.iter().filter(|(_, pat)| matches!(pat.ty, Type::Scalar(_)));
        // mutant: results of reductions are on the device and are read by the host when it needs them, whether operators on them are the device's or
        //   the host's
        self.cells.extend(scalars.map(|(_, pat)| pat.var));
        let mut bounds = HashMap::default();
        let how = loop {
            let made = match seg.reduces.is_empty() {
                true => {
                    let one = seg.space.iter().all(|(_, dim)| *dim == Dim::Const(1));
                    let group_size = if one { least_group_size(self.caps) } else { group_size(self.caps) };
                    self.map(seg, group_size, what, prov, &bounds).map(How::Map)
                }
                false => self.reduce(seg, prov, &bounds),
            };
            match made {
                Ok(how) => break how,
                Err(refusal) => match self.bound(seg, &refusal, &bounds, prov) {
                    Some((size, bound)) => bounds.insert(size, bound),
                    None => return self.errors.push(refusal.unsupported),
                },
            };
        };
        let space = seg.space.iter().map(|(_, dim)| *dim).collect();
        self.step(Op::Launch(Box::new(Launch { outputs, space, how })), prov);
    }

    /// Finds, before a nest runs, the greatest value of a size that differs from point to point; the size, and the cell with its bound. `None` if
    /// the size changes inside of a point.
    fn bound(&mut self, seg: &SegOp, refusal: &Refusal, bounds: &HashMap<Var, Var>, prov: Prov) -> Option<(Var, Var)> {
        let size = refusal.unbounded.filter(|size| !bounds.contains_key(size))?;
        let body = slice(&seg.body, size)?;
        let mut space = seg.space.clone();
        let mut operand = body;
        loop {
            let maximum = Prim::Bin(BinOp::Max, ScalarType::I64);
            let max = Builder::new(&mut self.vars, prov).operator(maximum, Scalar::I64(0));
            let reduces = vec![Operator { commutative: true, ..max }];
            let nest = SegOp {
                level: seg.level,
                space,
                reduces,
                ret: vec![Type::I64],
                body: operand,
                scans: vec![],
                hists: vec![],
            };
            let outer: Vec<Dim> = nest.space[..nest.space.len() - 1].iter().map(|(_, dim)| *dim).collect();
            let bound = self.vars.fresh("bound", Type::I64.array_of(&outer));
            self.launch(&nest, std::slice::from_ref(&bound), prov);
            if outer.is_empty() {
                return Some((size, bound.var));
            }
            // A reduction is over the last dimension: the others follow.
            space = outer.iter().map(|dim| (self.vars.fresh("i", Type::I64), *dim)).collect();
            let indices: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
            let mut b = Builder::new(&mut self.vars, prov);
            operand = b.inner(|b| vec![b.index(bound.var, &indices).into()]);
        }
    }

    fn reduce(&mut self, seg: &SegOp, prov: Prov, bounds: &HashMap<Var, Var>) -> Result<How, Refusal> {
        let each = self.one_each(seg);
        let each = self.map(&each, group_size(self.caps), "reduce each", prov, bounds)?;
        let reduced: usize = seg.reduces.iter().map(|op| op.neutral.len()).sum();
        let scalars = seg.ret[..reduced].iter().all(|ty| matches!(ty, Type::Scalar(_)));
        if !scalars {
            return Ok(How::Reduce { each, group: None });
        }
        let first = self.grouped(seg, "reduce", prov, bounds)?;
        let (second, partial, chunks) = self.once_more(seg, reduced);
        let second = self.grouped(&second, "reduce chunks", prov, bounds)?;
        let group = Grouped { first, second, partial, chunks };
        Ok(How::Reduce { each, group: Some(Box::new(group)) })
    }

    /// The nest without its last dimension, which becomes a loop in each point.
    fn one_each(&mut self, seg: &SegOp) -> SegOp {
        let mut seg = seg.clone();
        let Some((index, width)) = seg.space.pop() else { return seg };
        if seg.space.is_empty() {
            // mutant off by one: a kernel of points never reads its outermost size: neither indices nor strides depend on it, and the host launches
            //   as many points as there are segments
            seg.space.push((self.vars.fresh("i", Type::I64), Dim::Const(1)));
        }
        let iota = self.vars.fresh("iota", Type::Array(ScalarType::I64, vec![width]));
        let map = Lambda { params: vec![index], ret: seg.ret.clone(), body: seg.body };
        let screma = Screma { width, arrays: vec![iota.var], map, scans: vec![], reduces: seg.reduces, post: None };
        let types = screma.result_types();
        let pat: Vec<Binder> = types.iter().map(|ty| self.vars.fresh("x", ty.clone())).collect();
        let result = pat.iter().map(|pat| pat.var.into()).collect();
        let (zero, one) = (SubExp::i64(0), SubExp::i64(1));
        let indices = Exp::Iota { n: width.into(), start: zero, step: one, elem: ScalarType::I64 };
        let stm = |pat, exp| Stm { pat, exp, certs: vec![], attrs: vec![], prov: Prov::UNKNOWN };
        let body = Body { stms: vec![stm(vec![iota], indices), stm(pat, Exp::Screma(screma))], result };
        SegOp { level: Level::Grid, space: seg.space, reduces: vec![], ret: types, body, scans: vec![], hists: vec![] }
    }

    /// The reduction of what the first kernel has left: its operands with one more dimension, over the chunks.
    fn once_more(&mut self, seg: &SegOp, reduced: usize) -> (SegOp, Vec<Binder>, Var) {
        let chunks = self.vars.fresh("chunks", Type::I64);
        let outer: Vec<Dim> = seg.space[..seg.space.len() - 1].iter().map(|(_, dim)| *dim).collect();
        let dims = [&outer[..], &[Dim::Var(chunks.var)]].concat();
        let partial: Vec<Binder> =
            seg.ret[..reduced].iter().map(|ty| self.vars.fresh("partial", ty.array_of(&dims))).collect();
        let space: Vec<(Binder, Dim)> = dims.iter().map(|dim| (self.vars.fresh("i", Type::I64), *dim)).collect();
        let indices: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
        let elements: Vec<Binder> = seg.ret[..reduced].iter().map(|ty| self.vars.fresh("x", ty.clone())).collect();
        let stms = elements.iter().zip(&partial).map(|(x, array)| Stm {
            pat: vec![x.clone()],
            exp: Exp::Index { array: array.var, indices: indices.clone() },
            certs: vec![],
            attrs: vec![],
            prov: Prov::UNKNOWN,
        });
        let body = Body { stms: stms.collect(), result: elements.iter().map(|x| x.var.into()).collect() };
        let reduces: Vec<Operator> = seg.reduces.clone();
        let ret = seg.ret[..reduced].to_vec();
        (SegOp { level: Level::Grid, space, reduces, ret, body, scans: vec![], hists: vec![] }, partial, chunks.var)
    }

    fn map(
        &mut self,
        seg: &SegOp,
        group_size: u32,
        what: &str,
        prov: Prov,
        bounds: &HashMap<Var, Var>,
    ) -> Result<KernelIndex, Refusal> {
        self.kernel(what, prov, bounds, |context, sites| map_kernel(seg, group_size, context, sites, prov))
    }

    fn grouped(
        &mut self,
        seg: &SegOp,
        what: &str,
        prov: Prov,
        bounds: &HashMap<Var, Var>,
    ) -> Result<KernelIndex, Refusal> {
        let size = group_size(self.caps);
        self.kernel(what, prov, bounds, |context, sites| reduce_kernel(seg, size, context, sites, prov))
    }

    fn kernel(
        &mut self,
        what: &str,
        prov: Prov,
        bounds: &HashMap<Var, Var>,
        make: impl FnOnce(&Context, &mut Vec<Site>) -> Result<Kernel, Refusal>,
    ) -> Result<KernelIndex, Refusal> {
        let (vars, caps, accs) = (&self.vars, self.caps, &self.accs);
        let context = Context { vars, caps, is_cell: &|var| self.cells.contains(&var), accs, bounds };
        let sites = self.plan.sites.len();
        let made = make(&context, &mut self.plan.sites);
        if made.is_err() {
            self.plan.sites.truncate(sites);
        }
        let index = self.plan.kernels.len();
        self.plan.kernels.push((format!("{}: {what} {index}", self.entry), made?));
        self.plan.places.push(prov);
        Ok(KernelIndex(index))
    }
}

/// The statements of a body that a variable needs which one of them binds, with that variable as the result.
fn slice(body: &Body, var: Var) -> Option<Body> {
    body.stms.iter().flat_map(|stm| &stm.pat).find(|pat| pat.var == var)?;
    let mut needed = HashSet::from_iter([var]);
    let mut stms = Vec::new();
    for stm in body.stms.iter().rev() {
        if stm.pat.iter().any(|pat| needed.contains(&pat.var)) {
            needed.extend(free_vars(stm));
            stms.push(stm.clone());
        }
    }
    stms.reverse();
    Some(Body { stms, result: vec![var.into()] })
}
