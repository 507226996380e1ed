//! From the IR to [`Code`]: slots, and last uses by one backward walk.

use super::code::*;
use super::consumed::consumes;
use super::kernel::{self, Nest};
use super::show::Part;
use crate::ctx::NodeKind;
use futi_core::failure::RuntimeError;
use futi_core::hash::HashMap;
use futi_core::ir::visit::{Node, Visit, VisitMut, free_vars, walk_fun};
use futi_core::ir::{self, Binder, Dim, LoopForm, Program, Prov, ProvNode, ProvTable, Role, SubExp, Type, Var};
use std::cell::{Cell, RefCell};

type Result<T> = std::result::Result<T, RuntimeError>;

impl Code {
    /// Compiles a program.
    ///
    /// # Errors
    /// An internal error when the program is not well-formed: a variable that is not bound, a call of no function.
    pub fn new(program: &Program) -> Result<Code> {
        let by_name: HashMap<String, usize> =
            program.funs.iter().enumerate().map(|(i, f)| (f.name.as_str().to_string(), i)).collect();
        let unique: Vec<Vec<bool>> =
            (program.funs.iter()).map(|f| f.params.iter().map(|p| p.unique).collect()).collect();
        let (customs, shows) = (RefCell::default(), Cell::new(false));
        let compiler = |vars| Compiler {
            vars,
            funs: &by_name,
            unique: &unique,
            prov: &program.prov,
            customs: &customs,
            shows: &shows,
        };
        let funs = program.funs.iter().map(|f| fun(f, compiler)).collect::<Result<_>>()?;
        Ok(Code { funs, customs: customs.into_inner(), by_name, shows: shows.get() })
    }
}

fn fun<'a>(f: &ir::Fun, compiler: impl Fn(Slots) -> Compiler<'a>) -> Result<Fun> {
    let mut vars = Slots::default();
    walk_fun(&mut vars, f);
    let c = compiler(vars);
    let mut live = c.none();
    let body = c.body(&f.body, &mut live)?;
    let params = f.params.iter().map(|p| c.binder(&p.binder, &live)).collect::<Result<_>>()?;
    Ok(Fun {
        name: f.name.as_str().to_string(),
        slots: c.vars.arrays.len(),
        params,
        types: f.params.iter().map(|p| p.binder.ty.clone()).collect(),
        sizes: f.params.iter().enumerate().map(|(i, p)| (p.binder.var, i)).collect(),
        unique: f.params.iter().map(|p| p.unique).collect(),
        body,
    })
}

/// The slots of a function's variables, and whether each holds an array.
#[derive(Default)]
struct Slots {
    slots: HashMap<Var, Slot>,
    arrays: Vec<bool>,
}

impl Visit for Slots {
    fn bind(&mut self, b: &Binder) {
        let arrays = &mut self.arrays;
        self.slots.entry(b.var).or_insert_with(|| {
            arrays.push(matches!(b.ty, Type::Array(..)));
            Slot(arrays.len() as u32 - 1)
        });
    }
}

/// The arrays that are read later. Only arrays are moved and dropped: a scalar is copied as cheaply.
#[derive(Clone)]
struct Live(Vec<u64>);

impl Live {
    fn has(&self, s: Slot) -> bool {
        self.0[s.0 as usize / 64] >> (s.0 % 64) & 1 == 1
    }
    fn add(&mut self, s: Slot) {
        self.0[s.0 as usize / 64] |= 1 << (s.0 % 64);
    }
    fn remove(&mut self, s: Slot) {
        self.0[s.0 as usize / 64] &= !(1 << (s.0 % 64));
    }
    fn union(&mut self, other: &Live) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
    /// Those of `self` that are not in `other`.
    fn minus(&self, other: &Live) -> Vec<Slot> {
        let mut slots = Vec::new();
        for (i, (a, b)) in self.0.iter().zip(&other.0).enumerate() {
            let mut left = a & !b;
            while left != 0 {
                slots.push(Slot(i as u32 * 64 + left.trailing_zeros()));
                left &= left - 1;
            }
        }
        slots
    }
}

struct Compiler<'a> {
    vars: Slots,
    funs: &'a HashMap<String, usize>,
    /// Which parameters each function may consume.
    unique: &'a [Vec<bool>],
    prov: &'a ProvTable,
    /// The custom derivatives met so far.
    customs: &'a RefCell<Vec<Custom>>,
    /// Whether a value to show has been met so far.
    shows: &'a Cell<bool>,
}

impl Compiler<'_> {
    fn none(&self) -> Live {
        Live(vec![0; self.vars.arrays.len().div_ceil(64)])
    }

    fn slot(&self, v: Var) -> Result<Slot> {
        let slot = self.vars.slots.get(&v).copied();
        slot.ok_or_else(|| RuntimeError::internal(format!("variable {} is not bound in its function", v.0)))
    }

    fn is_array(&self, s: Slot) -> bool {
        self.vars.arrays[s.0 as usize]
    }

    /// Where a binder goes; nowhere for an array that is dead.
    fn binder(&self, b: &Binder, live: &Live) -> Result<Slot> {
        let s = self.slot(b.var)?;
        Ok(if self.is_array(s) && !live.has(s) { Slot::NONE } else { s })
    }

    /// An operand that leaves its variable where it is.
    fn keep(&self, e: SubExp) -> Result<Opd> {
        Ok(match e {
            SubExp::Lit(x) => Opd::Lit(x),
            SubExp::Var(v) => Opd::Copy(self.slot(v)?),
        })
    }

    fn keep_all(&self, es: &[SubExp]) -> Result<Vec<Opd>> {
        es.iter().map(|e| self.keep(*e)).collect()
    }

    fn dims(&self, dims: &[Dim]) -> Result<Vec<Opd>> {
        dims.iter().map(|d| self.keep((*d).into())).collect()
    }

    fn ty(&self, t: &Type) -> Result<Ty> {
        Ok(match t {
            Type::Scalar(t) => Ty::Value(*t, Vec::new()),
            Type::Array(t, shape) => Ty::Value(*t, self.dims(shape)?),
            Type::Acc(acc) => Ty::Acc(self.slot(acc.id)?),
            Type::Cert => Ty::Cert,
        })
    }

    /// The arrays that a piece of IR reads and does not bind.
    fn free(&self, node: &dyn Node, live: &mut Live) -> Result<()> {
        for v in free_vars(node) {
            let s = self.slot(v)?;
            if self.is_array(s) {
                live.add(s);
            }
        }
        Ok(())
    }

    /// A body; `live` is what is read after it, and becomes what is read from its start on.
    fn body(&self, b: &ir::Body, live: &mut Live) -> Result<Body> {
        let result = self.operands(&b.result, live)?;
        let mut stms = Vec::with_capacity(b.stms.len());
        for stm in b.stms.iter().rev() {
            stms.push(self.stm(stm, live)?);
        }
        stms.reverse();
        Ok(Body { dead: Vec::new(), stms, result })
    }

    /// Operands that are all read at once. One that is the only mention of an array not read later moves it.
    fn operands(&self, es: &[SubExp], live: &mut Live) -> Result<Vec<Opd>> {
        let mut out = Vec::with_capacity(es.len());
        for e in es {
            let SubExp::Var(v) = e else {
                out.push(self.keep(*e)?);
                continue;
            };
            let s = self.slot(*v)?;
            let only = es.iter().filter(|other| **other == *e).count() == 1;
            out.push(if only && self.is_array(s) && !live.has(s) { Opd::Move(s) } else { Opd::Copy(s) });
        }
        for s in out.iter().filter_map(|o| o.slot()) {
            if self.is_array(s) {
                live.add(s);
            }
        }
        Ok(out)
    }

    fn stm(&self, stm: &ir::Stm, live: &mut Live) -> Result<Stm> {
        let pat = stm.pat.iter().map(|b| self.binder(b, live)).collect::<Result<Vec<Slot>>>()?;
        for b in &stm.pat {
            // mutant: nothing reads a slot before it is bound; that of a variable of the other branch, which is emptied then, is empty
            live.remove(self.slot(b.var)?);
        }
        let after = live.clone();
        let mut moved = Vec::new();
        let (kind, mut exp) = self.exp(&stm.exp, live, &mut moved)?;
        if let (Exp::Operand(value), Some(part)) = (&exp, Part::of(&stm.attrs)) {
            self.shows.set(true);
            exp = Exp::Show { value: *value, part };
        }
        let mut drops = live.minus(&after);
        // mutant removal: what has been moved out of a slot is not in it any more: to empty the slot once more changes nothing
        drops.retain(|s| !moved.contains(s));
        Ok(Stm { kind, exp, pat, drops, prov: stm.prov, derivative: is_derivative(self.prov, stm.prov) })
    }

    /// An expression; `live` is what is read after it, and becomes what is read from its start on. `moved` gets the arrays that are dead after it and
    /// that it, or a body in it, disposes of itself.
    fn exp(&self, e: &ir::Exp, live: &mut Live, moved: &mut Vec<Slot>) -> Result<(NodeKind, Exp)> {
        // All direct operands in one list, so that an array mentioned twice is not moved.
        let mut all = |es: &[SubExp], live: &mut Live| -> Result<Vec<Opd>> {
            let out = self.operands(es, live)?;
            // mutant: what has been moved out of a slot is not in it any more: to empty the slot once more changes nothing
            moved.extend(out.iter().filter_map(|o| if let Opd::Move(s) = o { Some(*s) } else { None }));
            Ok(out)
        };
        let borrow = |v: &Var, live: &mut Live| -> Result<Opd> {
            let s = self.slot(*v)?;
            if self.is_array(s) {
                live.add(s);
            }
            Ok(Opd::Copy(s))
        };
        Ok(match e {
            ir::Exp::Opaque(e) => (NodeKind::Opaque, Exp::Operand(all(&[*e], live)?[0])),
            ir::Exp::SubExp(e) => (NodeKind::SubExp, Exp::Operand(all(&[*e], live)?[0])),
            ir::Exp::Prim(op, args) => {
                // mutant: operands that an operator does not have are not read
                let mut opds = [Opd::Lit(ir::Scalar::Bool(false)); 3];
                if op.signature().is_none_or(|s| s.0.len() != args.len()) {
                    return Err(RuntimeError::internal(format!("{op} with {} operands", args.len())));
                }
                for (o, e) in opds.iter_mut().zip(args) {
                    *o = self.keep(*e)?;
                }
                (NodeKind::Prim, Exp::Prim { op: *op, args: opds, n: args.len() })
            }
            ir::Exp::ArrayLit { elems, row } => {
                (NodeKind::ArrayLit, Exp::ArrayLit { elems: all(elems, live)?, row: self.ty(row)? })
            }
            ir::Exp::Index { array, indices } => {
                let indices = self.keep_all(indices)?;
                (NodeKind::Index, Exp::Index { array: borrow(array, live)?, indices })
            }
            ir::Exp::Slice { array, slice } => {
                let slice = self.slice(slice)?;
                (NodeKind::Slice, Exp::Slice { array: borrow(array, live)?, slice })
            }
            ir::Exp::FlatIndex { array, offset, dims } => {
                let flat = self.flat(*offset, dims)?;
                (NodeKind::FlatIndex, Exp::FlatIndex { array: borrow(array, live)?, flat })
            }
            ir::Exp::UpdateSlice { array, slice, value } => {
                let opds = all(&[(*array).into(), (*value).into()], live)?;
                let slice = self.slice(slice)?;
                (NodeKind::UpdateSlice, Exp::UpdateSlice { array: opds[0], slice, value: opds[1] })
            }
            ir::Exp::FlatUpdate { array, offset, dims, value } => {
                let opds = all(&[(*array).into(), (*value).into()], live)?;
                let flat = self.flat(*offset, dims)?;
                (NodeKind::FlatUpdate, Exp::FlatUpdate { array: opds[0], flat, value: opds[1] })
            }
            ir::Exp::Update { array, indices, value } => {
                let opds = all(&[(*array).into(), *value], live)?;
                (NodeKind::Update, Exp::Update { array: opds[0], indices: self.keep_all(indices)?, value: opds[1] })
            }
            ir::Exp::Iota { n, start, step, elem } => {
                let (n, start, step) = (self.keep(*n)?, self.keep(*start)?, self.keep(*step)?);
                (NodeKind::Iota, Exp::Iota { n, start, step, elem: *elem })
            }
            ir::Exp::Replicate { shape, value } => {
                (NodeKind::Replicate, Exp::Replicate { shape: self.dims(shape)?, value: all(&[*value], live)?[0] })
            }
            ir::Exp::Scratch { elem, shape } => {
                (NodeKind::Scratch, Exp::Scratch { elem: *elem, shape: self.dims(shape)? })
            }
            ir::Exp::Rearrange { perm, array } => {
                let array = all(&[(*array).into()], live)?[0];
                (NodeKind::Rearrange, Exp::Rearrange { perm: perm.clone(), array })
            }
            ir::Exp::Reshape { shape, array } => {
                let array = all(&[(*array).into()], live)?[0];
                (NodeKind::Reshape, Exp::Reshape { shape: self.dims(shape)?, array })
            }
            ir::Exp::Coerce { shape, array } => {
                let array = all(&[(*array).into()], live)?[0];
                (NodeKind::Coerce, Exp::Coerce { shape: self.dims(shape)?, array })
            }
            ir::Exp::Reverse { array } => (NodeKind::Reverse, Exp::Reverse(all(&[(*array).into()], live)?[0])),
            ir::Exp::Rotate { by, array } => {
                let array = all(&[(*array).into()], live)?[0];
                (NodeKind::Rotate, Exp::Rotate { by: self.keep(*by)?, array })
            }
            ir::Exp::Concat { arrays, .. } => (NodeKind::Concat, Exp::Concat { arrays: all(&operands(arrays), live)? }),
            ir::Exp::Manifest { array, .. } => (NodeKind::Manifest, Exp::Copy(borrow(array, live)?)),
            ir::Exp::Copy(array) => (NodeKind::Copy, Exp::Copy(borrow(array, live)?)),
            ir::Exp::Check(check) => {
                let mut numbered = ir::Exp::Check(check.clone());
                let mut numbering = Number { slots: &self.vars.slots, missing: None };
                numbered.visit_mut(&mut numbering);
                if let Some(v) = numbering.missing {
                    self.slot(v)?;
                }
                let ir::Exp::Check(check) = numbered else { return Err(RuntimeError::internal("a check changed")) };
                (NodeKind::Check, Exp::Check(check))
            }
            ir::Exp::Apply { fun, args } => {
                let callee = self.funs.get(fun.as_str()).copied();
                let fun =
                    callee.ok_or_else(|| RuntimeError::internal(format!("a call of {fun}, which is no function")))?;
                (NodeKind::Apply, Exp::Apply { fun, args: all(args, live)? })
            }
            ir::Exp::If { cond, yes, no } => {
                let after = live.clone();
                let mut live_no = live.clone();
                let mut yes = self.body(yes, live)?;
                let mut no = self.body(no, &mut live_no)?;
                yes.dead = live_no.minus(live);
                no.dead = live.minus(&live_no);
                live.union(&live_no);
                // mutant: a branch has emptied these slots: to empty them once more changes nothing
                moved.extend(live.minus(&after));
                (NodeKind::If, Exp::If { cond: self.keep(*cond)?, yes, no })
            }
            ir::Exp::Match { scrutinees, cases, default } => {
                let after = live.clone();
                let mut bodies = Vec::with_capacity(cases.len() + 1);
                for body in cases.iter().map(|c| &c.body).chain([default]) {
                    let mut live_here = after.clone();
                    bodies.push((self.body(body, &mut live_here)?, live_here));
                }
                bodies.iter().for_each(|(_, here)| live.union(here));
                let with_dead = bodies.into_iter().map(|(body, here)| Body { dead: live.minus(&here), ..body });
                let mut bodies: Vec<Body> = with_dead.collect();
                // mutant: a branch has emptied these slots: to empty them once more changes nothing
                moved.extend(live.minus(&after));
                let default = bodies.pop().unwrap_or_default();
                let cases = cases.iter().map(|c| c.pattern.clone()).zip(bodies).collect();
                let scrutinees = self.keep_all(scrutinees)?;
                (NodeKind::Match, Exp::Match(Box::new(Match { scrutinees, cases, default })))
            }
            ir::Exp::Loop { params, form, body } => {
                // The body runs again, so what it reads from outside stays.
                let slots = params.iter().map(|p| self.slot(p.binder.var)).collect::<Result<Vec<Slot>>>()?;
                self.free(body, live)?;
                slots.iter().for_each(|s| live.remove(*s));
                let mut inside = live.clone();
                let mut compiled = self.body(body, &mut inside)?;
                compiled.dead = slots.iter().copied().filter(|s| self.is_array(*s) && !inside.has(*s)).collect();
                let form = match form {
                    LoopForm::For { index, bound } => {
                        let ty = index.ty.elem().unwrap_or(ir::ScalarType::I64);
                        Form::For { index: self.slot(index.var)?, bound: self.keep(*bound)?, ty }
                    }
                    LoopForm::While(v) => Form::While(self.slot(*v)?),
                };
                let init: Vec<SubExp> = params.iter().map(|p| p.init).collect();
                let unique = params.iter().map(|p| p.unique).collect();
                let mut looped =
                    Loop { params: slots, init: all(&init, live)?, unique, form, body: compiled, kernel: None };
                looped.kernel = kernel::of_loop(&looped);
                (NodeKind::Loop, Exp::Loop(Box::new(looped)))
            }
            ir::Exp::Screma(s) => {
                let mut map = self.repeated(&s.map, live)?;
                let scans = s.scans.iter().map(|op| self.operator(op, live)).collect::<Result<_>>()?;
                let reduces = s.reduces.iter().map(|op| self.operator(op, live)).collect::<Result<_>>()?;
                let post = s.post.as_ref().map(|post| self.repeated(post, live)).transpose()?;
                let arrays = all(&operands(&s.arrays), live)?;
                let width = self.keep(s.width.into())?;
                map.own = self.own(&map, &arrays);
                let mut screma = Screma { width, arrays, map, scans, reduces, post, nest: None };
                screma.nest = Nest::of_screma(&screma);
                (NodeKind::Screma, Exp::Screma(Box::new(screma)))
            }
            ir::Exp::Hist(h) => {
                let mut map = self.repeated(&h.map, live)?;
                let operators = h.ops.iter().map(|h| self.operator(&h.op, live)).collect::<Result<Vec<_>>>()?;
                let dests = h.ops.iter().flat_map(|h| &h.dests);
                let arrays: Vec<Var> = h.arrays.iter().chain(dests).copied().collect();
                let mut opds = all(&operands(&arrays), live)?.into_iter();
                let arrays: Vec<Opd> = opds.by_ref().take(h.arrays.len()).collect();
                map.own = self.own(&map, &arrays);
                let ops = self.hist_ops(&h.ops, operators, opds)?;
                (NodeKind::Hist, Exp::Hist(Box::new(Hist { width: self.keep(h.width.into())?, arrays, map, ops })))
            }
            ir::Exp::Scatter(s) => {
                let mut map = self.repeated(&s.map, live)?;
                let arrays: Vec<Var> = s.arrays.iter().copied().chain(s.dests.iter().map(|d| d.array)).collect();
                let mut arrays = all(&operands(&arrays), live)?;
                let dests = arrays.split_off(s.arrays.len());
                map.own = self.own(&map, &arrays);
                let dests = self.dests(&s.dests, dests)?;
                let scatter = Scatter { width: self.keep(s.width.into())?, arrays, map, dests };
                (NodeKind::Scatter, Exp::Scatter(Box::new(scatter)))
            }
            ir::Exp::Stream(s) => {
                let lambda = self.repeated(&s.lambda, live)?;
                let init = match &s.form {
                    ir::StreamForm::Seq(init) => &init[..],
                    ir::StreamForm::Par(_) => &[],
                };
                let par = match &s.form {
                    ir::StreamForm::Seq(_) => None,
                    ir::StreamForm::Par(op) => Some(self.operator(op, live)?),
                };
                let mut arrays = all(&[&operands(&s.arrays), init].concat(), live)?;
                let init = arrays.split_off(s.arrays.len());
                let form = par.map_or(StreamForm::Seq(init), StreamForm::Par);
                let kind = if let StreamForm::Seq(_) = form { NodeKind::StreamSeq } else { NodeKind::StreamPar };
                (kind, Exp::Stream(Box::new(Stream { width: self.keep(s.width.into())?, arrays, form, lambda })))
            }
            ir::Exp::FlatMap(f) => {
                let mut lambda = self.repeated(&f.lambda, live)?;
                let arrays = all(&operands(&f.arrays), live)?;
                lambda.own = self.own(&lambda, &arrays);
                let (width, size) = (self.keep(f.width.into())?, self.slot(f.size.var)?);
                let flatmap = FlatMap { width, arrays, size, irregular: f.irregular, lambda };
                (NodeKind::FlatMap, Exp::FlatMap(Box::new(flatmap)))
            }
            ir::Exp::WithAcc(w) => {
                let after = live.clone();
                for input in &w.inputs {
                    self.free(&input.op.lambda, live)?;
                }
                let lambda = self.once(&w.lambda, live)?;
                // What the operators read stays until the end: the statement drops it. The body disposes of the rest.
                let mut operators = self.none();
                let mut inputs = Vec::new();
                let arrays: Vec<Var> = w.inputs.iter().flat_map(|i| i.arrays.iter().copied()).collect();
                for input in &w.inputs {
                    self.free(&input.op.lambda, &mut operators)?;
                }
                let body_only: Vec<Slot> = live.minus(&after).into_iter().filter(|s| !operators.has(*s)).collect();
                let mut arrays = all(&operands(&arrays), live)?.into_iter();
                // mutant: the body has emptied these slots: to empty them once more changes nothing
                moved.extend(body_only);
                for input in &w.inputs {
                    let op = self.operator(&input.op, live)?;
                    let arrays = arrays.by_ref().take(input.arrays.len()).collect();
                    inputs.push(AccInput { shape: self.dims(&input.shape)?, arrays, op });
                }
                (NodeKind::WithAcc, Exp::WithAcc(Box::new(WithAcc { inputs, lambda })))
            }
            ir::Exp::UpdAcc { acc, indices, values } => {
                let acc = borrow(acc, live)?;
                (NodeKind::UpdAcc, Exp::UpdAcc { acc, indices: self.keep_all(indices)?, values: all(values, live)? })
            }
            ir::Exp::Jvp(ad) | ir::Exp::Vjp(ad) => {
                let reverse = matches!(e, ir::Exp::Vjp(_));
                let after = live.clone();
                // With a seed shape `jvp` runs the function once for each direction.
                let (lambda, by_body) = if reverse || ad.seed_shape.is_empty() {
                    (self.once(&ad.lambda, live)?, live.minus(&after))
                } else {
                    (self.repeated(&ad.lambda, live)?, Vec::new())
                };
                let opds = all(&[&ad.args[..], &ad.seeds].concat(), live)?;
                // mutant: the function has emptied these slots: to empty them once more changes nothing
                moved.extend(by_body);
                let (args, seeds) = opds.split_at(ad.args.len());
                let (args, seeds, seed_shape) = (args.to_vec(), seeds.to_vec(), self.dims(&ad.seed_shape)?);
                let ad = Box::new(Ad { lambda, args, seeds, seed_shape });
                if reverse { (NodeKind::Vjp, Exp::Vjp(ad)) } else { (NodeKind::Jvp, Exp::Jvp(ad)) }
            }
            ir::Exp::Custom(c) => {
                let rule = |l: &Option<ir::Lambda>, live: &mut Live| -> Result<Option<Lambda>> {
                    l.as_ref().map(|l| self.repeated(l, live)).transpose()
                };
                let lambda = self.repeated(&c.lambda, live)?;
                let (vjp, jvp) = (rule(&c.vjp, live)?, rule(&c.jvp, live)?);
                let (mut free, mut own) = (Vec::new(), None);
                for l in [Some(&c.lambda), c.vjp.as_ref(), c.jvp.as_ref()].into_iter().flatten() {
                    for v in free_vars(l) {
                        let s = self.slot(v)?;
                        if !free.contains(&s) {
                            free.push(s);
                        }
                    }
                    own = own.or(Some(free.len()));
                }
                let own = own.unwrap_or(0);
                let args = all(&c.args, live)?;
                let slots = self.vars.arrays.len();
                let custom = Custom { lambda, saved: c.saved, vjp, jvp, args, free, own, slots };
                let mut customs = self.customs.borrow_mut();
                customs.push(custom);
                (NodeKind::Custom, Exp::Custom(customs.len() - 1))
            }
            ir::Exp::SegOp(seg) => {
                let operators = seg.operators().iter().map(|op| self.operator(op, live)).collect::<Result<_>>()?;
                let (scans, reduces) = match seg.kind {
                    ir::SegKind::Scan(_) => (operators, Vec::new()),
                    _ => (Vec::new(), operators),
                };
                self.free(&seg.body, live)?;
                let body = self.body(&seg.body, &mut live.clone())?;
                let space = seg.space.iter().map(|(b, d)| Ok((self.slot(b.var)?, self.keep((*d).into())?)));
                let space = space.collect::<Result<_>>()?;
                let ret = seg.ret.iter().map(|t| self.ty(t)).collect::<Result<_>>()?;
                let arrays: Vec<Var> = seg.dests().iter().map(|d| d.array).collect();
                let dests = self.dests(seg.dests(), all(&operands(&arrays), live)?)?;
                let mut seg = SegOp { space, scans, reduces, dests, ret, body, nest: None };
                if seg.scans.is_empty() && seg.dests.is_empty() {
                    seg.nest = Nest::of_seg_op(&seg);
                }
                (NodeKind::SegOp, Exp::SegOp(Box::new(seg)))
            }
        })
    }

    /// Places that are written to, with their arrays.
    fn dests(&self, dests: &[ir::ScatterDest], arrays: Vec<Opd>) -> Result<Vec<(Vec<Opd>, Opd)>> {
        let shapes = dests.iter().map(|d| self.dims(&d.shape)).collect::<Result<Vec<_>>>()?;
        Ok(shapes.into_iter().zip(arrays).collect())
    }

    /// Which rows of arrays a lambda is given to keep. See Note [Rows that are consumed] in `consumed.rs`.
    fn own(&self, l: &Lambda, arrays: &[Opd]) -> Vec<bool> {
        let given = l.params.iter().zip(arrays).map(|(p, a)| {
            let dead = matches!(a, Opd::Move(_)) && *p != Slot::NONE && self.is_array(*p);
            dead && consumes(&l.body, *p, self.unique)
        });
        given.collect()
    }

    fn slice(&self, slice: &[ir::SliceDim]) -> Result<Vec<SliceDim>> {
        let dim = |d: &ir::SliceDim| {
            Ok(match d {
                ir::SliceDim::Fix(e) => SliceDim::Fix(self.keep(*e)?),
                ir::SliceDim::Range { start, count, stride } => SliceDim::Range {
                    start: self.keep(*start)?,
                    count: self.keep((*count).into())?,
                    stride: self.keep(*stride)?,
                },
            })
        };
        slice.iter().map(dim).collect()
    }

    fn flat(&self, offset: SubExp, dims: &[(Dim, SubExp)]) -> Result<Flat> {
        let dims = dims.iter().map(|(n, stride)| Ok((self.keep((*n).into())?, self.keep(*stride)?)));
        Ok(Flat { offset: self.keep(offset)?, dims: dims.collect::<Result<_>>()? })
    }

    /// The destinations of a histogram, with their operators and arrays.
    fn hist_ops(
        &self,
        hists: &[ir::HistOp],
        operators: Vec<Operator>,
        mut dests: impl Iterator<Item = Opd>,
    ) -> Result<Vec<HistOp>> {
        let with = hists.iter().zip(operators).map(|(h, op)| {
            Ok(HistOp { shape: self.dims(&h.shape)?, dests: dests.by_ref().take(h.dests.len()).collect(), op })
        });
        with.collect()
    }

    /// A lambda that may run more than once: what it reads from outside stays.
    fn repeated(&self, l: &ir::Lambda, live: &mut Live) -> Result<Lambda> {
        self.free(l, live)?;
        let mut inside = live.clone();
        let body = self.body(&l.body, &mut inside)?;
        self.lambda(l, body, &inside)
    }

    /// A lambda that runs once: part of the enclosing body.
    fn once(&self, l: &ir::Lambda, live: &mut Live) -> Result<Lambda> {
        let body = self.body(&l.body, live)?;
        let lambda = self.lambda(l, body, live)?;
        for p in &l.params {
            // mutant: nothing reads a slot before it is bound
            live.remove(self.slot(p.var)?);
        }
        Ok(lambda)
    }

    fn lambda(&self, l: &ir::Lambda, body: Body, live: &Live) -> Result<Lambda> {
        let params = l.params.iter().map(|p| self.binder(p, live)).collect::<Result<_>>()?;
        let ret = l.ret.iter().map(|t| self.ty(t)).collect::<Result<_>>()?;
        Ok(Lambda { params, ret, body, own: Vec::new() })
    }

    fn operator(&self, op: &ir::Operator, live: &mut Live) -> Result<Operator> {
        let lambda = self.repeated(&op.lambda, live)?;
        if lambda.params.len() != 2 * op.neutral.len() {
            return Err(RuntimeError::internal("an operator's parameters do not match its neutral element"));
        }
        for e in &op.neutral {
            if let Opd::Copy(s) = self.keep(*e)?
                && self.is_array(s)
            {
                live.add(s);
            }
        }
        let prim = op.lambda.as_prim();
        Ok(Operator { lambda, neutral: self.keep_all(&op.neutral)?, prim })
    }
}

fn operands(vars: &[Var]) -> Vec<SubExp> {
    vars.iter().map(|v| (*v).into()).collect()
}

/// Whether code of this provenance is the derivative's own, not the primal program's. What a pass has merged with primal code is the program's.
fn is_derivative(table: &ProvTable, prov: Prov) -> bool {
    match *table.node(prov) {
        ProvNode::Unknown | ProvNode::Span { .. } => false,
        ProvNode::Inlined { body, call } => is_derivative(table, body) || is_derivative(table, call),
        ProvNode::Role { role: Role::Tangent | Role::Adjoint, .. } => true,
        ProvNode::Role { role: Role::Recomputed, of } => is_derivative(table, of),
        ProvNode::Merged(a, b) => is_derivative(table, a) && is_derivative(table, b),
    }
}

/// Gives the variables of a check the numbers of their slots.
struct Number<'a> {
    slots: &'a HashMap<Var, Slot>,
    missing: Option<Var>,
}

impl VisitMut for Number<'_> {
    fn var(&mut self, v: &mut Var) {
        match self.slots.get(v) {
            Some(s) => *v = Var(s.0),
            None => self.missing = Some(*v),
        }
    }
}
