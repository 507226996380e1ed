//! A kernel in the making: what variables of the IR are in it, what it asks of the host, sizes that the host knows.

use super::acc::word_of;
use super::array::Array;
use super::exps::*;
use super::host::SharedAcc;
use super::numbers::Numbers;
use crate::build::{Declaring, Doing, Maker};
use crate::check::Checked;
use crate::host::ir::Site as Reported;
use crate::ir::{Access, Block, Builtin, Cost, Exp, GroupSizes, Local, Site};
use futi_core::backend::Unsupported;
use futi_core::hash::{HashMap, HashSet};
use futi_core::ir::build::Vars;
use futi_core::ir::visit::{Node, VisitMut, free_vars};
use futi_core::ir::{AccInput, BinOp, Binder, Check, Dim, Prim, Prov, Scalar, ScalarType, SubExp, Type, Var};
use std::fmt::Display;

/// What a kernel's surroundings are.
pub(super) struct Context<'a> {
    /// The program's variables.
    pub vars: &'a Vars,
    /// Whether the host has not seen this scalar: it is in memory.
    pub is_cell: &'a dyn Fn(Var) -> bool,
    /// The accumulators of the host, by identity.
    pub accs: &'a HashMap<Var, SharedAcc>,
    /// What the host's statements say of numbers.
    pub numbers: &'a Numbers,
    /// Arrays that the kernel changes, but for accumulators'.
    pub changed: &'a [Var],
    /// Of sizes that differ from point to point, the cells that hold their greatest.
    pub bounds: &'a HashMap<Var, Var>,
}

/// Why a kernel cannot be made.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Refusal {
    /// What to say about it.
    pub unsupported: Unsupported,
    /// The size that the host would have to know a bound of: with it in [`Context::bounds`], this would be no obstacle.
    pub unbounded: Option<Var>,
}

/// What making gives: why not, if it fails.
pub(super) type Made<T> = Result<T, Refusal>;

/// A scalar that a kernel asks of the host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ParamArg {
    /// How many points the nest has; of a reduction, how many segments.
    Points,
    /// Into how many chunks each segment is cut.
    Chunks,
    /// The value of a variable of the host.
    Var(Var),
}

/// A block that a kernel asks of the host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BlockArg {
    /// A scalar that the host has not seen.
    Cell(Var),
    /// An array.
    Array(Var),
    /// A result, by its position.
    Result(usize),
    /// Memory for an array of each invocation, an element of all invocations behind the other.
    Own(usize),
}

/// A number that the host can work out before the launch, from its own variables.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    /// A constant.
    Lit(Scalar),
    /// A variable of the host.
    Var(Var),
    /// An operator applied.
    Op(Prim, Vec<Known>),
}

/// An array that each invocation, or each group, has for itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Own {
    /// The type of its elements.
    pub elem: ScalarType,
    /// Its dimensions.
    pub shape: Vec<Known>,
    /// Whether a group has it, one behind the other; else each invocation, their elements interleaved.
    pub of_group: bool,
}

/// A kernel, and what it asks of the host.
pub(super) struct Launchable {
    pub kernel: Checked,
    pub sites: Vec<Reported>,
    pub params: Vec<ParamArg>,
    pub blocks: Vec<BlockArg>,
    pub own: Vec<Own>,
}

/// What a variable of the IR is in the kernel.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A scalar.
    Scalar(Exp),
    /// An array.
    Array(Array),
    /// An accumulator, which its type tells, or a certificate.
    Unit,
}

impl Value {
    /// The expression, if it is a scalar.
    pub fn as_scalar(&self) -> Option<Exp> {
        if let Value::Scalar(e) = self { Some(e.clone()) } else { None }
    }
}

/// An accumulator that an invocation has for itself.
#[derive(Clone)]
pub(super) struct OwnAcc {
    pub input: AccInput,
    pub arrays: Vec<Array>,
}

/// Makes one kernel.
pub(super) struct Emitter<'a> {
    pub context: &'a Context<'a>,
    kernel: Doing,
    env: HashMap<Var, Value>,
    known: HashMap<Var, Known>,
    /// Where arrays that are about to be made had best be.
    pub places: HashMap<Var, Array>,
    pub own_accs: HashMap<Var, OwnAcc>,
    /// Accumulators of the host that no two points update at the same place.
    pub unshared: HashSet<Var>,
    /// The lock that is held by the code in the making.
    pub held: Option<(crate::ir::Array, Exp)>,
    sites: Vec<Reported>,
    params: Vec<ParamArg>,
    blocks: Vec<BlockArg>,
    pub own: Vec<Own>,
    /// Operations of the code being made: of the innermost loop last.
    costs: Vec<Exp>,
    pub prov: Prov,
    /// How many points or segments there are.
    pub points: Exp,
    /// How many invocations there are, and which of them this one is.
    pub invocations: Exp,
    pub invocation: Exp,
    /// The number of the point in the making.
    pub point: Exp,
}

impl Maker for Emitter<'_> {
    fn doing(&mut self) -> &mut Doing {
        &mut self.kernel
    }
}

impl<'a> Emitter<'a> {
    /// A kernel for code; what that needs of scalars in memory is read first.
    pub fn new(name: &str, group: GroupSizes, code: &dyn Node, context: &'a Context<'a>, prov: Prov) -> Made<Self> {
        let mut declaring = Declaring::new(name, prov);
        declaring.group(group);
        let points = declaring.param("points", ScalarType::I64);
        let mut emitter = Emitter {
            context,
            kernel: declaring.done(),
            env: HashMap::default(),
            known: HashMap::default(),
            places: HashMap::default(),
            own_accs: HashMap::default(),
            unshared: HashSet::default(),
            held: None,
            sites: Vec::new(),
            params: vec![ParamArg::Points],
            blocks: Vec::new(),
            own: Vec::new(),
            costs: vec![ZERO],
            prov,
            points,
            invocations: ZERO,
            invocation: ZERO,
            point: ZERO,
        };
        let all = times(builtin(Builtin::Groups), builtin(Builtin::GroupSize));
        emitter.invocations = emitter.declare(ScalarType::I64, "invocations", all);
        let before = times(builtin(Builtin::Group), builtin(Builtin::GroupSize));
        let this = plus(before, builtin(Builtin::Invocation));
        emitter.invocation = emitter.declare(ScalarType::I64, "invocation", this);
        // an accumulator's operator stands elsewhere, and is code of the kernel, too
        let mut free = free_vars(code);
        for var in free.clone() {
            if let Type::Acc(acc) = context.vars.ty(var)
                && let Some(shared) = context.accs.get(&acc.id)
            {
                free.extend(free_vars(&shared.input.op.lambda));
            }
        }
        for var in free {
            for size in context.vars.ty(var).shape() {
                emitter.cell_of((*size).into())?;
            }
            emitter.cell_of(var.into())?;
        }
        Ok(emitter)
    }

    /// Reads a scalar that is in memory, if it is one.
    fn cell_of(&mut self, e: SubExp) -> Made<()> {
        match e.as_var() {
            Some(var) if (self.context.is_cell)(var) => self.value(var).map(drop),
            _ => Ok(()),
        }
    }

    /// A scalar that the host gives.
    pub fn param(&mut self, name: &str, ty: ScalarType, arg: ParamArg) -> Exp {
        self.params.push(arg);
        self.kernel.declare().param(name, ty)
    }

    /// A block that the host gives.
    pub fn block(&mut self, name: &str, elem: ScalarType, arg: BlockArg) -> Block {
        self.blocks.push(arg);
        self.kernel.declare().block(name, elem)
    }

    /// A place where it may fail.
    pub fn site(&mut self, check: &Check, operands: usize) -> Site {
        self.sites.push(Reported { check: positional(check), prov: self.prov });
        self.kernel.declare().site(self.prov, operands as u32)
    }

    /// Declares a variable with this value, for as long as the statements around it are run.
    pub fn declare(&mut self, ty: ScalarType, name: &str, value: Exp) -> Exp {
        Exp::Local(self.kernel.bind(name, ty, value))
    }

    /// A name for a number: itself, if it is short.
    pub fn named(&mut self, name: &str, value: Exp) -> Exp {
        if matches!(value, Exp::Prim(..)) { self.declare(ScalarType::I64, name, value) } else { value }
    }

    /// A loop of so many rounds from 0 on; its index is passed on. What it costs counts so many times.
    pub fn repeat<T>(
        &mut self,
        times: Exp,
        known: Option<Known>,
        inside: impl FnOnce(&mut Self, Exp) -> Made<T>,
    ) -> Made<T> {
        self.looped(ScalarType::I64, "k", [ZERO, times, ONE], known, inside)
    }

    /// A counting loop.
    pub fn looped<T>(
        &mut self,
        ty: ScalarType,
        name: &str,
        bounds: [Exp; 3],
        known: Option<Known>,
        inside: impl FnOnce(&mut Self, Exp) -> Made<T>,
    ) -> Made<T> {
        let index = self.kernel.local(name, ty);
        self.open_cost();
        let (body, made) = self.aside(|e| inside(e, Exp::Local(index)));
        self.close_cost(known.as_ref());
        self.kernel.for_each(index, bounds, body);
        made
    }

    /// A loop as long as a variable is true, which its rounds change.
    pub fn while_true(&mut self, cond: Exp, inside: impl FnOnce(&mut Self) -> Made<()>) -> Made<()> {
        let (body, made) = self.aside(inside);
        self.kernel.while_holds(Default::default(), cond, body);
        made
    }

    /// What is done only if a condition holds.
    pub fn when<T>(&mut self, cond: Exp, inside: impl FnOnce(&mut Self) -> Made<T>) -> Made<T> {
        let (body, made) = self.aside(inside);
        self.kernel.choose(cond, body, Default::default());
        made
    }

    /// Begins to count what is done several times, or perhaps.
    pub fn open_cost(&mut self) {
        self.costs.push(ZERO);
    }

    /// What was counted since the last opening counts so many times; once if nobody knows.
    pub fn close_cost(&mut self, rounds: Option<&Known>) {
        let inner = self.costs.pop().unwrap_or(ZERO);
        let rounds = rounds.and_then(|rounds| self.told(rounds)).unwrap_or(ONE);
        self.count(times(rounds, inner));
    }

    /// Ends what was opened, without counting it.
    pub fn take_cost(&mut self) -> Exp {
        self.costs.pop().unwrap_or(ZERO)
    }

    /// Counts so many operations.
    pub fn count(&mut self, operations: Exp) {
        if let Some(sum) = self.costs.last_mut() {
            *sum = plus(sum.clone(), operations);
        }
    }

    /// What the host knows, as the kernel is told it.
    fn told(&self, known: &Known) -> Option<Exp> {
        Some(match known {
            Known::Lit(x) => int(x.to_int()? as i64),
            Known::Var(var) => {
                let at = self.params.iter().position(|arg| *arg == ParamArg::Var(*var))?;
                let ty = self.context.vars.ty(*var).elem()?;
                convert(ty, ScalarType::I64, Exp::Param(crate::ir::Param(at as u32)))
            }
            // a cost is a number of 64 bits, and what it is made of is, too
            // mutant negation: what is applied has a signature
            Known::Op(prim, args) if prim.signature().is_some_and(|(_, result)| result == ScalarType::I64) => {
                Exp::Prim(*prim, args.iter().map(|arg| self.told(arg)).collect::<Option<_>>()?)
            }
            Known::Op(..) => return None,
        })
    }

    pub fn bind(&mut self, var: Var, value: Value) {
        self.env.insert(var, value);
    }

    /// Records that a variable has a value that the host knows.
    pub fn learn(&mut self, var: Var, known: Option<Known>) {
        match known {
            Some(known) => self.known.insert(var, known),
            None => self.known.remove(&var),
        };
    }

    /// What a variable is, if it is known already.
    pub fn found(&self, var: Var) -> Option<&Value> {
        self.env.get(&var)
    }

    /// What a variable is; a free one is asked of the host now.
    pub fn value(&mut self, var: Var) -> Made<Value> {
        if let Some(value) = self.env.get(&var) {
            return Ok(value.clone());
        }
        let vars = self.context.vars;
        let name = vars.name(var).as_str();
        let value = match vars.ty(var).clone() {
            Type::Scalar(ty) if (self.context.is_cell)(var) => {
                let block = self.block(name, ty, BlockArg::Cell(var));
                Value::Scalar(self.kernel.load(name, crate::ir::Array::Block(block), ZERO))
            }
            Type::Scalar(ty) => {
                self.learn(var, Some(Known::Var(var)));
                Value::Scalar(self.param(name, ty, ParamArg::Var(var)))
            }
            Type::Array(elem, shape) => {
                let Context { accs, changed, .. } = self.context;
                let accumulator = accs.values().find(|acc| acc.input.arrays.contains(&var));
                let words = accumulator.is_some_and(|acc| acc.lock.is_none());
                let stored = if words { word_of(elem) } else { elem };
                let block = self.block(name, stored, BlockArg::Array(var));
                // mutant dropped term: nobody but its updates knows an accumulator's array in here
                let constant = accumulator.is_none() && !changed.contains(&var);
                Value::Array(self.packed(elem, &shape, crate::ir::Array::Block(block), [ZERO, ONE], constant)?)
            }
            Type::Acc(_) | Type::Cert => Value::Unit,
        };
        self.bind(var, value.clone());
        Ok(value)
    }

    /// The expression of a scalar operand.
    pub fn scalar(&mut self, operand: SubExp) -> Made<Exp> {
        match self.operand(operand)? {
            Value::Scalar(e) => Ok(e),
            Value::Array(_) | Value::Unit => Err(self.fault("an operand that is no scalar")),
        }
    }

    pub fn scalars(&mut self, operands: &[SubExp]) -> Made<Vec<Exp>> {
        operands.iter().map(|e| self.scalar(*e)).collect()
    }

    /// What an operand is.
    pub fn operand(&mut self, operand: SubExp) -> Made<Value> {
        match operand {
            SubExp::Lit(x) => Ok(Value::Scalar(Exp::Lit(x))),
            SubExp::Var(v) => self.value(v),
        }
    }

    /// What a variable that stands for an array is.
    pub fn array(&mut self, var: Var) -> Made<Array> {
        match self.value(var)? {
            Value::Array(array) => Ok(array),
            Value::Scalar(_) | Value::Unit => Err(self.fault("an operand that is no array")),
        }
    }

    /// The expression of a size.
    pub fn dim(&mut self, dim: Dim) -> Made<Exp> {
        self.scalar(dim.into())
    }

    /// A size as the host works it out.
    pub fn known(&mut self, operand: SubExp) -> Option<Known> {
        match operand {
            SubExp::Lit(x) => Some(Known::Lit(x)),
            SubExp::Var(v) => {
                if !self.known.contains_key(&v) {
                    self.value(v).ok()?;
                }
                // the host has not seen a cell yet, but it can look
                let cell = || self.blocks.contains(&BlockArg::Cell(v)).then_some(Known::Var(v));
                self.known.get(&v).cloned().or_else(cell)
            }
        }
    }

    /// How many points a space has, as the host works it out.
    pub fn known_points(&mut self, space: &[(Binder, Dim)]) -> Option<Known> {
        // mutant dropped term: what a kernel costs is for profiles, and the executor counts by itself
        let multiply = Prim::Bin(BinOp::Mul, ScalarType::I64);
        let mut dims = space.iter().map(|(_, dim)| self.known((*dim).into())).collect::<Option<Vec<_>>>()?.into_iter();
        let first = dims.next()?;
        // mutant swap: likewise
        Some(dims.fold(first, |all, dim| Known::Op(multiply, vec![all, dim])))
    }

    pub fn unsupported(&self, construct: impl Into<String>, missing: impl Into<String>) -> Refusal {
        let unsupported = Unsupported { construct: construct.into(), missing: missing.into(), prov: self.prov };
        Refusal { unsupported, unbounded: None }
    }

    /// What no program leads to that passes have made.
    pub fn fault(&self, what: impl Display) -> Refusal {
        Refusal { unsupported: Unsupported::internal(what, self.prov), unbounded: None }
    }

    pub fn ty(&self, var: Var) -> Type {
        self.context.vars.ty(var).clone()
    }

    /// Binds a pattern's variable to a value. An array gets the sizes of the variable's type.
    pub fn bind_to(&mut self, binder: &Binder, value: Value) {
        let value = match value {
            Value::Array(array) => Value::Array(Array { shape: binder.ty.shape().to_vec(), ..array }),
            other => other,
        };
        self.bind(binder.var, value);
    }

    /// A variable that is given its value later.
    pub fn local(&mut self, name: &str, ty: ScalarType) -> Local {
        self.kernel.local(name, ty)
    }

    /// Gives a variable a value, unless it is that.
    pub fn set(&mut self, local: Local, value: Exp) {
        if value != Exp::Local(local) {
            self.kernel.set(local, value);
        }
    }

    /// The kernel; its code costs so much a point.
    pub fn finish(mut self, points: Exp) -> Made<Launchable> {
        let mut known = true;
        points.walk(&mut |e| known &= !matches!(e, Exp::Local(_)));
        let points = if known { points } else { self.points.clone() };
        let operations = times(points, self.take_cost());
        let accesses = self.kernel.accesses();
        let bytes = |wanted: fn(&Access) -> bool| {
            let of = |(i, (block, _)): (usize, &(ScalarType, Access))| {
                times(Exp::Length(Block(i as u32)), int(block.bytes() as i64))
            };
            accesses.iter().enumerate().filter(|(_, (_, access))| wanted(access)).map(of).fold(ZERO, plus)
        };
        let reads = bytes(|access| access.reads || access.atomics);
        let writes = bytes(|access| access.changes());
        self.kernel.declare().cost(Cost { reads, writes, operations });
        let Emitter { kernel, sites, params, blocks, own, prov, .. } = self;
        let kernel = kernel.finish().map_err(|errors| {
            let message = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            Refusal { unsupported: Unsupported::internal(message, prov), unbounded: None }
        })?;
        Ok(Launchable { kernel, sites, params, blocks, own })
    }
}

/// A check whose operands are the variables 0, 1, …, in their order, in which a visitor comes by, too.
pub(super) fn positional(check: &Check) -> Check {
    struct Number(u32);
    impl Number {
        fn next(&mut self) -> Var {
            self.0 += 1;
            Var(self.0 - 1)
        }
    }
    impl VisitMut for Number {
        fn subexp(&mut self, e: &mut SubExp) {
            *e = self.next().into();
        }

        fn dim(&mut self, d: &mut Dim) {
            *d = self.next().into();
        }
    }
    let mut exp = futi_core::ir::Exp::Check(check.clone());
    Number(0).exp(&mut exp);
    if let futi_core::ir::Exp::Check(check) = exp { check } else { check.clone() }
}
