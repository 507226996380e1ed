//! The tree-walker: functions, bodies, statements.

mod batch;
pub(crate) mod code;
mod compile;
mod consumed;
pub(crate) mod custom;
mod failures;
mod flatmap;
mod hist;
pub(crate) mod kernel;
pub(crate) mod linear;
#[cfg(feature = "threads")]
mod parallel;
mod post;
pub(crate) mod prim;
pub(crate) mod rows;
mod scatter;
mod show;
mod soac;
mod stream;
mod strict;
pub(crate) mod strided;
pub(crate) mod val;

#[cfg(test)]
mod copies;
#[cfg(test)]
mod live;
#[cfg(test)]
pub(crate) mod tests;

use crate::ctx::{Counters, Ctx};
use crate::vjp::trace::Tape;
pub use code::Code;
use code::{Body, Exp, Form, Frame, Loop, Opd, Slot, Stm, Ty};
use futi_core::failure::{FailureKind, RuntimeError, run_check};
use futi_core::ir::{Check, Dim, Prov, SubExp, Type};
use futi_core::prim::{CmpOp, Prim, Scalar, ScalarType};
use futi_core::value::Value;
use futi_core::value::meter::Meter;
use linear::Linear;
use std::sync::Arc;
use val::{Tag, Val};

// Note [What is live]
// ~~~~~~~~~~~~~~~~~~~
// Whoever makes an array registers its column with the run's meter as soon as it is there (`Machine::counted`), before it is shared with a frame or a trace;
// rows under construction are registered with the room that is reserved for them. A column gives its bytes back when the last who holds it lets go, so
// views, moves and updates in place need no thought, and scalars none at all. Arguments are registered when the caller has given them away; what the
// caller holds as well is the caller's. Traces hold the bytes of their nodes on the same meter. Not counted: frames, kernels' registers, and what strict
// mode copies to look at.

pub(crate) type Result<T> = std::result::Result<T, RuntimeError>;

/// An ill-formed program: some value is not what the IR says.
pub(crate) fn bad(expected: &str, got: &Val) -> RuntimeError {
    match got {
        Val::Consumed => RuntimeError::new(FailureKind::Strict, "An array is used after it was consumed."),
        got => RuntimeError::internal(format!("{expected} was expected, not {got:?}")),
    }
}

/// The state of one run.
pub(crate) struct Machine<'a> {
    pub code: &'a Code,
    pub ctx: &'a Ctx,
    pub counters: Counters,
    /// What is live: see Note [What is live].
    pub meter: Arc<Meter>,
    /// The traces of the `vjp`s that are active.
    pub tapes: Vec<Tape>,
    last_tag: Tag,
    accs: Vec<soac::Accs<'a>>,
    /// What has failed so far, under [`Ctx::all_failures`].
    failures: Vec<RuntimeError>,
    partials: prim::PartialTable,
    /// The parts of the value that is being shown, as far as they have come.
    shown: Vec<String>,
    /// The values at a `#[break]`, as far as they have come.
    given: Vec<Value>,
    /// The statement that is being executed, under [`Ctx::stop_at`].
    at: Prov,
    /// Calls that are active.
    depth: usize,
    /// Loops that are active.
    loops: usize,
    /// The bytes of the pieces of stack that have been added: [`Machine::on_stack`].
    stack: u64,
    /// The number of statements after which to look at fuel and cancellation again.
    next_look: u64,
    /// Where kernels work.
    scratch: Option<Box<kernel::Scratch>>,
}

/// How many statements may pass before cancellation is noticed.
const LOOK_EVERY: u64 = 1024;

impl Code {
    /// Runs a function. Arguments and results are its parameters and results, leading sizes included; an argument that nobody else holds and that the
    /// function may consume is updated in place.
    ///
    /// # Errors
    /// What the function fails with, wrong arguments, or a limit of the context.
    pub fn call(&self, fun: &str, args: Vec<Value>, ctx: &Ctx) -> Result<Vec<Value>> {
        let callee = self.callee(fun, &args)?;
        let mut machine = Machine::new(self, ctx);
        // Arguments that share elements are no aliases of each other: strict mode is not to think so.
        let apart = |v: Value| if ctx.strict { strict::isolated(v.into()) } else { v.into() };
        let args: Vec<Val> = args.into_iter().map(|v| machine.counted(apart(v))).collect();
        let results = machine.apply(callee, args.into_iter());
        ctx.failed.replace(machine.all_failures(&results));
        let value = |v: Val| strict::without_shadow(v).into_value();
        let results = results.and_then(|vals| vals.into_iter().map(value).collect());
        ctx.add(&machine.end());
        results
    }

    /// The function of that name, which takes these arguments.
    pub(crate) fn callee(&self, fun: &str, args: &[Value]) -> Result<&code::Fun> {
        let callee = self.by_name.get(fun).map(|i| &self.funs[*i]);
        let callee = callee
            .ok_or_else(|| RuntimeError::new(FailureKind::Arguments, format!("There is no function '{fun}'.")))?;
        check_arguments(callee, args)?;
        Ok(callee)
    }
}

/// Whether the arguments are of the parameters' types.
fn check_arguments(fun: &code::Fun, args: &[Value]) -> Result<()> {
    let fail = |message: String| Err(RuntimeError::new(FailureKind::Arguments, message));
    if args.len() != fun.types.len() {
        return fail(format!("'{}' takes {} arguments, {} were given.", fun.name, fun.types.len(), args.len()));
    }
    for (i, (arg, ty)) in args.iter().zip(&fun.types).enumerate() {
        let expected: Option<Vec<i64>> = (ty.shape().iter())
            .map(|d| match d {
                Dim::Const(n) => Some(*n),
                Dim::Var(v) => args[*fun.sizes.get(v)?].as_scalar()?.as_i64(),
            })
            .collect();
        // mutant: an argument for a size that is no i64 has been refused itself: sizes come first
        let shape_fits = expected.is_some_and(|dims| {
            dims.len() == arg.shape().len() && dims.iter().zip(arg.shape()).all(|(d, n)| *d == *n as i64)
        });
        let is_array = matches!(arg, Value::Array(_));
        if ty.elem() != Some(arg.elem()) || is_array != matches!(ty, Type::Array(..)) || !shape_fits {
            let got = futi_core::value::compare::type_text(arg);
            return fail(format!(
                "Argument {} of '{}' is of type {got}, which is not the parameter's.",
                i + 1,
                fun.name
            ));
        }
    }
    Ok(())
}

impl<'a> Machine<'a> {
    pub fn new(code: &'a Code, ctx: &'a Ctx) -> Self {
        Machine {
            code,
            ctx,
            counters: Counters::default(),
            meter: Arc::default(),
            tapes: Vec::new(),
            last_tag: val::SHADOW,
            accs: Vec::new(),
            failures: Vec::new(),
            partials: prim::PartialTable::default(),
            shown: Vec::new(),
            given: Vec::new(),
            at: Prov::UNKNOWN,
            depth: 0,
            loops: 0,
            stack: 0,
            // mutant: limits are looked at one step later
            next_look: 0,
            scratch: None,
        }
    }

    /// What the run has counted. All that is live then is what its results hold.
    pub fn end(mut self) -> Counters {
        let (meter, mut counters) = (self.meter.clone(), std::mem::take(&mut self.counters));
        // mutant: whoever adds a trace or accumulators to the machine takes them away again, also where it fails: no other arrays are in it
        drop(self);
        (counters.live, counters.peak) = (meter.live(), meter.peak());
        counters
    }

    /// Whether an application of `jvp` or `vjp` has begun in this run, so that values may have tags.
    pub fn differentiates(&self) -> bool {
        // mutant: whoever asks looks also whether an operand depends on something
        self.last_tag > val::SHADOW
    }

    /// A tag for a new application of `jvp` or `vjp`.
    pub fn fresh_tag(&mut self) -> Tag {
        // mutant off by one: tags are to grow, by however much
        self.last_tag += 1;
        self.last_tag
    }

    /// Calls a function.
    pub fn apply(&mut self, fun: &'a code::Fun, args: impl Iterator<Item = Val>) -> Result<Vec<Val>> {
        if self.depth >= self.ctx.call_depth {
            let message = format!("recursion deeper than {} calls", self.ctx.call_depth);
            return Err(RuntimeError::new(FailureKind::Memory, message));
        }
        self.depth += 1;
        let mut frame = Frame::new(fun.slots);
        self.bind_all(&mut frame, &fun.params, args);
        let results = self.on_stack(|m| m.run(&mut frame, &fun.body));
        self.depth -= 1;
        results
    }

    pub fn bind_all(&mut self, frame: &mut Frame, slots: &[Slot], vals: impl IntoIterator<Item = Val>) {
        slots.iter().zip(vals).for_each(|(s, v)| frame.set(*s, v));
    }

    /// Executes a body and reads its results.
    pub fn run(&mut self, frame: &mut Frame, body: &'a Body) -> Result<Vec<Val>> {
        self.body(frame, body)?;
        Ok(self.read_all(frame, &body.result))
    }

    /// Executes the statements of a body; its results are then to be read.
    pub fn body(&mut self, frame: &mut Frame, body: &'a Body) -> Result<()> {
        self.counters.bodies += 1;
        self.tick()?;
        for s in &body.dead {
            frame.take(*s);
        }
        for stm in &body.stms {
            self.counters.statements += 1;
            self.counters.count_node(stm.kind);
            let failures = self.failures.len();
            if self.ctx.stop_at.is_some() {
                self.at = stm.prov;
            }
            if let Err(e) = self.stm(frame, stm) {
                return Err(self.failed(stm, e, failures));
            }
        }
        Ok(())
    }

    pub fn read_all(&mut self, frame: &mut Frame, opds: &[Opd]) -> Vec<Val> {
        opds.iter().map(|e| frame.read(*e)).collect()
    }

    /// Looks at cancellation and fuel, now and then.
    #[inline]
    pub fn tick(&mut self) -> Result<()> {
        if self.counters.steps() >= self.next_look { self.look() } else { Ok(()) }
    }

    fn look(&mut self) -> Result<()> {
        if self.ctx.call.cancelled() {
            return Err(RuntimeError::new(FailureKind::Cancelled, "cancelled"));
        }
        let done = self.counters.steps();
        // mutant: limits are looked at more often than they need be
        self.next_look = done + LOOK_EVERY;
        if let Some(fuel) = self.ctx.fuel {
            if done > fuel {
                return Err(RuntimeError::new(FailureKind::Fuel, format!("more than {fuel} steps")));
            }
            // mutant dropped term: limits are looked at where the fuel just suffices, too
            self.next_look = self.next_look.min(fuel + 1);
        }
        self.within_memory(0)
    }

    /// Runs `f` with enough stack for one more level of nesting: a piece more of it where what is left is little. How deep a program calls itself is limited by
    /// the bytes of these pieces, which the nesting of its functions takes as well.
    fn on_stack<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        const PIECE: u64 = 4 << 20;
        if stacker::remaining_stack().is_some_and(|left| left >= 128 << 10) {
            return f(self);
        }
        if self.stack + PIECE > self.ctx.stack {
            let message = format!("recursion deeper than {} bytes of stack hold", self.ctx.stack);
            return Err(RuntimeError::new(FailureKind::Memory, message));
        }
        self.within_memory(PIECE)?;
        self.stack += PIECE;
        let result = stacker::grow(PIECE as usize, || f(self));
        self.stack -= PIECE;
        result
    }

    /// Whether so many bytes may be live besides those that are.
    fn within_memory(&self, asked: u64) -> Result<()> {
        let Some(limit) = self.ctx.memory else { return Ok(()) };
        let live = self.meter.live() + self.stack;
        if live.saturating_add(asked) <= limit {
            return Ok(());
        }
        let message = format!("more than {limit} bytes of memory: {live} are live and {asked} more are asked for");
        Err(RuntimeError::new(FailureKind::Memory, message))
    }

    /// A value that has just been made, an array counted among what is live. See Note [What is live].
    pub fn counted(&self, mut v: Val) -> Val {
        if let Val::Array(a) = &mut v {
            a.metered(&self.meter);
        }
        v
    }

    /// Zero everywhere, of the value's type and shape.
    pub fn zero(&self, v: &Val) -> Result<Val> {
        v.zero().map(|zero| self.counted(zero))
    }

    /// Zero everywhere, of this type and shape.
    pub fn zeros(&self, elem: ScalarType, shape: &[usize]) -> Val {
        self.counted(linear::zero_of(elem, shape))
    }

    /// Permission to make an array of this shape; the number of its elements.
    pub fn allocate(&mut self, elem: ScalarType, shape: &[usize]) -> Result<usize> {
        let count = self.count(shape)?;
        self.allocate_elements(elem, count)?;
        Ok(count)
    }

    /// Permission to make an array of this many elements.
    pub fn allocate_elements(&mut self, elem: ScalarType, count: usize) -> Result<()> {
        let too_big = || RuntimeError::new(FailureKind::Memory, format!("no memory for an array of {count} elements"));
        // mutant: so much memory no system has: it is refused either way
        let bytes = count.checked_mul(elem.bytes()).filter(|n| *n <= isize::MAX as usize).ok_or_else(too_big)?;
        self.within_memory(bytes as u64)?;
        // An allocation that the system refuses would end the process.
        // mutant off by one: about which sizes the system is asked first; memory that it does not give is not to be had either way
        // mutant comparison: about which sizes the system is asked first; memory that it does not give is not to be had either way
        if bytes > 1 << 28 && Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
            return Err(too_big());
        }
        self.counters.allocated += bytes as u64;
        Ok(())
    }

    /// How many elements an array of this shape has.
    pub fn count(&self, shape: &[usize]) -> Result<usize> {
        if shape.contains(&0) {
            return Ok(0);
        }
        let count = shape.iter().try_fold(1usize, |n, d| n.checked_mul(*d));
        count
            .ok_or_else(|| RuntimeError::new(FailureKind::Memory, format!("no memory for an array of shape {shape:?}")))
    }

    /// A size.
    pub fn size(&self, frame: &Frame, e: Opd) -> Result<usize> {
        let n = self.int(frame, e)?;
        usize::try_from(n)
            .map_err(|_| RuntimeError::new(FailureKind::NegativeSize, format!("size of array is negative: {n}")))
    }

    /// Sizes.
    pub fn sizes(&self, frame: &Frame, es: &[Opd]) -> Result<Vec<usize>> {
        es.iter().map(|e| self.size(frame, *e)).collect()
    }

    /// The `i64` that an operand stands for, whatever depends on it.
    #[inline]
    pub fn int(&self, frame: &Frame, e: Opd) -> Result<i64> {
        match e {
            Opd::Lit(Scalar::I64(x)) => Ok(x),
            Opd::Lit(x) => Err(bad("an i64", &x.into())),
            Opd::Copy(s) | Opd::Move(s) => frame.get(s).int(),
        }
    }

    /// An index, which a check has found in range.
    fn offset(&self, frame: &Frame, e: Opd) -> Result<usize> {
        let i = self.int(frame, e)?;
        usize::try_from(i).map_err(|_| RuntimeError::internal(format!("index {i} without a check")))
    }

    fn bool(&self, frame: &Frame, e: Opd) -> Result<bool> {
        match e {
            Opd::Lit(Scalar::Bool(x)) => Ok(x),
            Opd::Lit(x) => Err(bad("a bool", &x.into())),
            Opd::Copy(s) | Opd::Move(s) => frame.get(s).bool(),
        }
    }

    /// Row shape and element type of a value of this type; `None` for accumulators and certificates.
    pub fn value_type(&self, frame: &Frame, ty: &Ty) -> Result<Option<(ScalarType, Vec<usize>)>> {
        match ty {
            Ty::Value(elem, shape) => Ok(Some((*elem, self.sizes(frame, shape)?))),
            Ty::Acc(_) | Ty::Cert => Ok(None),
        }
    }

    fn stm(&mut self, frame: &mut Frame, stm: &'a Stm) -> Result<()> {
        match &stm.exp {
            Exp::Prim { op, args, n } => {
                let v = match (n, frame.scalar(args[0]), frame.scalar(args[1])) {
                    (2, Some(x), Some(y)) => self.scalar2(*op, x, y).into(),
                    _ => {
                        let literals = args.map(literal);
                        let vals = [0, 1, 2].map(|i| args[i].slot().map_or(&literals[i], |s| frame.get(s)));
                        self.prim(*op, &vals[..*n])?
                    }
                };
                frame.set(stm.pat[0], v);
                return Ok(());
            }
            Exp::Index { array, indices } => {
                let v = self.index_stm(frame, *array, indices)?;
                frame.set(stm.pat[0], v);
            }
            Exp::Check(check) => {
                if !passes(frame, check) {
                    let mut ill_typed = None;
                    let checked = run_check(check, &mut |e| match check_operand(frame, e) {
                        Ok(x) => x,
                        Err(e) => {
                            ill_typed = Some(e);
                            // mutant: what the check makes of it is not looked at: the operand's own failure is reported
                            Scalar::I64(0)
                        }
                    });
                    ill_typed.map_or(checked, Err)?;
                }
            }
            exp => match self.value(frame, exp)? {
                Some(v) => frame.set(stm.pat[0], v),
                None => self.on_stack(|m| m.compound(frame, exp, &stm.pat))?,
            },
        }
        for s in &stm.drops {
            frame.take(*s);
        }
        Ok(())
    }

    fn index_stm(&mut self, frame: &mut Frame, array: Opd, indices: &[Opd]) -> Result<Val> {
        let slot = array.slot().ok_or_else(|| RuntimeError::internal("an index into a constant"))?;
        // mutant: as many are read as there are indices, which replace them
        let mut at = [0; 4];
        let many: Vec<usize>;
        // mutant: in a list of their own the indices are the same
        let at = if indices.len() <= at.len() {
            for (i, e) in at.iter_mut().zip(indices) {
                *i = self.offset(frame, *e)?;
            }
            &at[..indices.len()]
        } else {
            many = indices.iter().map(|e| self.offset(frame, *e)).collect::<Result<Vec<_>>>()?;
            &many[..]
        };
        let v = self.index(frame.get(slot), at)?;
        self.defined(v)
    }

    /// The value of an expression without bodies, other than scalar operators, indices and checks; `None` for one with bodies.
    fn value(&mut self, frame: &mut Frame, exp: &'a Exp) -> Result<Option<Val>> {
        let v = match exp {
            Exp::Operand(e) => frame.read(*e),
            Exp::Show { value, part } => {
                let v = frame.read(*value);
                self.show(part, &v);
                v
            }
            Exp::ArrayLit { elems, row } => {
                let Some((elem, row)) = self.value_type(frame, row)? else {
                    return Err(RuntimeError::internal("an array literal without a row type"));
                };
                let rows = self.read_all(frame, elems);
                self.linear(&Linear::Pack { elem, row: &row }, rows)?
            }
            Exp::Update { array, indices, value } => {
                let at = indices.iter().map(|e| self.offset(frame, *e)).collect::<Result<Vec<_>>>()?;
                let (array, value) = (frame.read(*array), frame.read(*value));
                self.consume(frame, &array);
                let at = linear::position(array.array()?.shape(), &at)?;
                self.update(array, at, value)?
            }
            Exp::Slice { array, slice } => {
                let array = frame.read(*array);
                let lmad = self.slice_of(frame, array.array()?.shape(), slice)?;
                let part = self.part(array, &lmad)?;
                self.defined(part)?
            }
            Exp::FlatIndex { array, flat } => {
                let lmad = self.flat_of(frame, flat)?;
                let array = frame.read(*array);
                self.part(array, &lmad)?
            }
            Exp::UpdateSlice { array, slice, value } => {
                let (array, value) = (frame.read(*array), frame.read(*value));
                self.consume(frame, &array);
                let lmad = self.slice_of(frame, array.array()?.shape(), slice)?;
                self.put(array, &lmad, value)?
            }
            Exp::FlatUpdate { array, flat, value } => {
                let (array, value) = (frame.read(*array), frame.read(*value));
                self.consume(frame, &array);
                let lmad = self.flat_of(frame, flat)?;
                self.put(array, &lmad, value)?
            }
            Exp::Iota { n, start, step, elem } => self.iota(frame, [*n, *start, *step], *elem)?,
            Exp::Replicate { shape, value } => {
                let shape = self.sizes(frame, shape)?;
                let value = frame.read(*value);
                self.linear(&Linear::Replicate { shape: &shape }, vec![value])?
            }
            Exp::Scratch { elem, shape } => {
                let shape = self.sizes(frame, shape)?;
                self.scratch(*elem, &shape)?
            }
            Exp::Rearrange { perm, array } => {
                let array = frame.read(*array);
                self.linear(&Linear::Rearrange { perm }, vec![array])?
            }
            Exp::Reshape { shape, array } => {
                let shape = self.sizes(frame, shape)?;
                let array = frame.read(*array);
                self.linear(&Linear::Reshape { shape: &shape }, vec![array])?
            }
            Exp::Coerce { shape, array } => {
                let shape = self.sizes(frame, shape)?;
                let array = frame.read(*array);
                if array.array()?.shape()[..] != shape[..] {
                    let message = format!("coerce of {:?} to {shape:?} without a check", array.shape());
                    return Err(RuntimeError::internal(message));
                }
                array
            }
            Exp::Reverse(array) => {
                let array = frame.read(*array);
                self.linear(&Linear::Reverse, vec![array])?
            }
            Exp::Rotate { by, array } => {
                let by = self.int(frame, *by)?;
                let array = frame.read(*array);
                // Less than the size, so that the way back is the negative.
                // mutant off by one: what is rotated has a dimension
                let n = array.shape().first().copied().unwrap_or(0) as i64;
                // mutant: an array without rows is the same however far it is turned
                let by = by.checked_rem_euclid(n).unwrap_or(0);
                self.linear(&Linear::Rotate { by }, vec![array])?
            }
            Exp::Concat { arrays } => {
                let arrays = self.read_all(frame, arrays);
                self.linear(&Linear::Concat, arrays)?
            }
            Exp::Copy(array) => {
                let array = frame.read(*array);
                self.linear(&Linear::Copy, vec![array])?
            }
            Exp::UpdAcc { acc, indices, values } => {
                return self.on_stack(|m| m.upd_acc(frame, *acc, indices, values)).map(Some);
            }
            _ => return Ok(None),
        };
        Ok(Some(v))
    }

    /// An expression with bodies; binds its results.
    fn compound(&mut self, frame: &mut Frame, exp: &'a Exp, pat: &[Slot]) -> Result<()> {
        let vals = match exp {
            Exp::If { cond, yes, no } => {
                let taken = if self.bool(frame, *cond)? { yes } else { no };
                return self.branch(frame, taken, pat);
            }
            Exp::Match(m) => {
                let scrutinees = m.scrutinees.iter().map(|e| frame.read(*e).scalar()).collect::<Result<Vec<_>>>()?;
                let case = m.cases.iter().find(|(pattern, _)| matches(pattern, &scrutinees));
                return self.branch(frame, case.map_or(&m.default, |(_, body)| body), pat);
            }
            Exp::Apply { fun, args } => {
                let callee = &self.code.funs[*fun];
                let args = self.read_all(frame, args);
                for (arg, unique) in args.iter().zip(&callee.unique) {
                    if *unique {
                        self.consume(frame, arg);
                    }
                }
                self.apply(callee, args.into_iter())?
            }
            Exp::Loop(l) => self.loop_(frame, l)?,
            Exp::Screma(s) => self.screma(frame, s)?,
            Exp::Hist(h) => self.hist(frame, h)?,
            Exp::Scatter(s) => self.scatter(frame, s)?,
            Exp::Stream(s) => self.stream(frame, s)?,
            Exp::FlatMap(f) => self.flatmap(frame, f)?,
            Exp::WithAcc(w) => self.with_acc(frame, w)?,
            Exp::Jvp(ad) => self.jvp(frame, ad)?,
            Exp::Vjp(ad) => self.vjp(frame, ad)?,
            Exp::Custom(c) => self.custom(frame, *c)?,
            Exp::SegOp(seg) => self.seg_op(frame, seg)?,
            _ => return Err(RuntimeError::internal("an expression without bodies")),
        };
        if vals.len() != pat.len() {
            return Err(RuntimeError::internal(format!("{} results for {} binders", vals.len(), pat.len())));
        }
        self.bind_all(frame, pat, vals);
        Ok(())
    }

    /// Executes the branch taken and binds its results.
    fn branch(&mut self, frame: &mut Frame, taken: &'a Body, pat: &[Slot]) -> Result<()> {
        self.body(frame, taken)?;
        // No result is a variable of the pattern.
        for (s, e) in pat.iter().zip(&taken.result) {
            let v = frame.read(*e);
            frame.set(*s, v);
        }
        Ok(())
    }

    fn loop_(&mut self, frame: &mut Frame, l: &'a Loop) -> Result<Vec<Val>> {
        self.loops += 1;
        let results = self.rounds(frame, l);
        self.loops -= 1;
        results
    }

    fn rounds(&mut self, frame: &mut Frame, l: &'a Loop) -> Result<Vec<Val>> {
        let told = self.ctx.rounds.as_deref().filter(|_| self.loops == 1);
        let mut next = self.read_all(frame, &l.init);
        for (v, _) in next.iter().zip(&l.unique).filter(|(_, unique)| **unique) {
            self.consume(frame, v);
        }
        let (counter, mut trips) = match l.form {
            Form::For { bound, .. } => match frame.read(bound).scalar()? {
                Scalar::I64(n) => (ScalarType::I64, 0..n),
                bound => match bound.to_int() {
                    // a bound that does not fit an i64 is never reached
                    Some(n) => (bound.scalar_type(), 0..i64::try_from(n).unwrap_or(i64::MAX)),
                    None => return Err(bad("an integer bound", &bound.into())),
                },
            },
            // mutant: the trips of a `while` are not counted
            Form::While(_) => (ScalarType::I64, 0..0),
        };
        if let Some(told) = told {
            told.begin(trips.end);
        }
        self.loop_kernel(frame, l, &mut next, &mut trips)?;
        loop {
            for (s, v) in l.params.iter().zip(next.drain(..)) {
                frame.set(*s, v);
            }
            match (&l.form, trips.next()) {
                (Form::While(cond), _) if frame.get(*cond).bool()? => {}
                (Form::For { index, .. }, Some(i)) => frame.set(*index, Scalar::from_i64(counter, i).into()),
                _ => break,
            }
            self.body(frame, &l.body)?;
            next.extend(l.body.result.iter().map(|e| frame.read(*e)));
            if let Some(told) = told {
                told.next();
            }
        }
        Ok(l.params.iter().map(|s| frame.take(*s)).collect())
    }

    /// `[x, x+s, …]`. Start and step may depend on what is differentiated.
    fn iota(&mut self, frame: &mut Frame, [n, start, step]: [Opd; 3], elem: ScalarType) -> Result<Val> {
        let n = self.size(frame, n)?;
        let (start, step) = (frame.read(start), frame.read(step));
        let (plus, times) = (elem.plus(), elem.times());
        let mut rows = self.rows(elem, &[], n)?;
        for i in 0..n {
            let i = Val::from(Scalar::from_i64(elem, i as i64));
            let distance = self.prim_uncounted(times, [&i, &step])?;
            let x = self.prim_uncounted(plus, [&start, &distance])?;
            rows.push(x)?;
        }
        self.assemble(rows, &[n])
    }
}

/// Whether each scrutinee equals its constant, by the equality of its type: a NaN equals nothing.
fn matches(pattern: &[Option<Scalar>], scrutinees: &[Scalar]) -> bool {
    // mutant swap: equality is symmetric
    let equal = |k: Scalar, x: Scalar| Prim::Cmp(CmpOp::Eq, k.scalar_type()).eval(&[k, x]) == Scalar::Bool(true);
    pattern.iter().zip(scrutinees).all(|(k, x)| k.is_none_or(|k| equal(k, *x)))
}

/// An operand that is a constant, as a value.
fn literal(e: Opd) -> Val {
    match e {
        Opd::Lit(x) => x.into(),
        Opd::Copy(_) | Opd::Move(_) => Val::Gone,
    }
}

/// Whether a frequent check plainly holds, without a message to prepare. `run_check` decides the others.
fn passes(frame: &Frame, check: &Check) -> bool {
    let int = |e: SubExp| match check_operand(frame, e) {
        Ok(Scalar::I64(x)) => Some(x),
        _ => None,
    };
    match check {
        Check::Bounds { indices, sizes } => indices.iter().zip(sizes).all(|(i, n)| match (int(*i), int((*n).into())) {
            // mutant off by one `0`: only plain cases are decided here; `run_check` decides the others, and these the same
            (Some(i), Some(n)) => (0..n).contains(&i),
            _ => false,
        }),
        Check::NonZero(e) => int(*e).is_some_and(|x| x != 0),
        // mutant: only plain cases are decided here; `run_check` decides the others, and these the same
        Check::NonNegativeSize(e) => int(*e).is_some_and(|x| x >= 0),
        Check::Made(_) => true,
        _ => false,
    }
}

/// An operand of a check, whose variables are slots.
fn check_operand(frame: &Frame, e: SubExp) -> Result<Scalar> {
    match e {
        SubExp::Lit(x) => Ok(x),
        SubExp::Var(v) => frame.get(Slot(v.0)).scalar(),
    }
}
