//! What a host program must be: what is named is there and has a value, types and numbers agree, memory is used while it is there, and what others look at is not changed.
//!
//! What is here is local to a statement and to what is bound around it; `alias` says what memory may be the same.

mod alias;
pub mod guarded;
mod sites;
mod types;

use super::ir::*;
use super::print::{first_line, mem_name, scalar_name};
use alias::Fixed;
use futi_core::ir::Check;
use futi_core::prim::ScalarType;
use sites::sites;
use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use types::{I64, Kind, Type, Types, named, type_of};

/// What is wrong with a host program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckError {
    /// The rule that is broken.
    pub rule: Rule,
    /// What breaks it.
    pub message: String,
    /// The function, and the first line of the statement if it is in one.
    pub place: Option<(String, Option<String>)>,
}

/// A rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// What is named is there, and only one function is called from outside by a name.
    Names,
    /// A scalar and memory is bound once.
    Once,
    /// It is bound where it is used.
    Bound,
    /// Operands and results have the types that are asked for.
    Types,
    /// There are as many as are asked for.
    Arity,
    /// What is checked is of the operands 0, 1, …, in their order.
    Sites,
    /// An array that a function is called with is the beginning of its memory.
    Beginning,
    /// The memory of a parameter that is not unique, and of a constant, is not changed.
    Unchanged,
    /// Memory is not used behind `free`, freed once, and not in a loop outside of which it is bound.
    Freed,
    /// What is guarded needs nothing that only the machine knows: Note [What is guarded] of the IR.
    Guarded,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.rule, self.message)?;
        match &self.place {
            None => Ok(()),
            Some((fun, None)) => write!(f, ", in {fun}"),
            Some((fun, Some(statement))) => write!(f, ", in `{statement}` of {fun}"),
        }
    }
}

impl std::error::Error for CheckError {}

/// A host program that is well-formed.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckedHost(HostProgram);

impl CheckedHost {
    /// A program, if it is well-formed.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn new(program: HostProgram) -> Result<CheckedHost, Vec<CheckError>> {
        match errors(&program) {
            none if none.is_empty() => Ok(CheckedHost(program)),
            all => Err(all),
        }
    }

    /// The program, no longer known to be well-formed.
    pub fn into_inner(self) -> HostProgram {
        self.0
    }
}

impl Deref for CheckedHost {
    type Target = HostProgram;
    fn deref(&self) -> &HostProgram {
        &self.0
    }
}

/// What is wrong with a host program; nothing if it is well-formed.
pub fn errors(program: &HostProgram) -> Vec<CheckError> {
    let mut errors = Vec::new();
    sites(program, &mut errors);
    let fixed = alias::fixed(program);
    let mut entries = HashSet::new();
    for (fun, fixed) in program.funs.iter().zip(&fixed) {
        if let Some(entry) = fun.entry.as_deref().filter(|entry| !entries.insert(*entry)) {
            let message = format!("two functions are called from outside as {entry}");
            errors.push(CheckError { rule: Rule::Names, message, place: None });
        }
        let mut checker = Checker {
            program,
            fun,
            fixed,
            errors: Vec::new(),
            statement: None,
            scalars: vec![State::NotYet; fun.scalars.len()],
            mems: vec![State::NotYet; fun.mems.len()],
            freed: vec![false; fun.mems.len()],
            outside: Vec::new(),
        };
        checker.fun();
        errors.append(&mut checker.errors);
    }
    errors
}

/// Whether a variable is bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    NotYet,
    Here,
    /// It was, in a block that has ended.
    Gone,
}

struct Checker<'a> {
    program: &'a HostProgram,
    fun: &'a Fun,
    /// Which memory may be what nobody may change.
    fixed: &'a Fixed,
    errors: Vec<CheckError>,
    /// The statement that is being looked at.
    statement: Option<&'a Op>,
    scalars: Vec<State>,
    mems: Vec<State>,
    /// Which memory may have been freed.
    freed: Vec<bool>,
    /// For each loop around, which memory is bound outside of it.
    outside: Vec<Vec<bool>>,
}

impl<'a> Checker<'a> {
    fn require(&mut self, fine: bool, rule: Rule, message: impl FnOnce() -> String) {
        if !fine {
            let statement = self.statement.map(|op| first_line(self.program, self.fun, op));
            let place = Some((self.fun.name.to_string(), statement));
            self.errors.push(CheckError { rule, message: message(), place });
        }
    }

    fn fun(&mut self) {
        let fun = self.fun;
        for param in &fun.params {
            match param {
                Param::Scalar(s) => self.bind_scalar(*s, None),
                Param::Array { mem, shape, .. } => {
                    self.shape(shape);
                    self.bind_mem(*mem, None);
                }
            }
        }
        self.stms(&fun.body);
        self.statement = None;
        fun.results.iter().for_each(|result| _ = self.value(result));
    }

    fn stms(&mut self, stms: &'a [Stm]) {
        for stm in stms {
            self.statement = Some(&stm.op);
            self.op(&stm.op);
        }
    }

    fn op(&mut self, op: &'a Op) {
        match op {
            Op::Let(to, e) => {
                let ty = self.exp(e);
                self.bind_scalar(*to, ty);
            }
            Op::Check { check, operands } => self.check(*check, operands),
            Op::Alloc { mem, shape, .. } => {
                self.shape(shape);
                self.bind_mem(*mem, None);
            }
            Op::Constant(mem, id) => {
                let elem = self.program.constants.get(id.at()).map(|array| array.elem());
                self.require(elem.is_some(), Rule::Names, || format!("there is no constant {}", id.0));
                self.bind_mem(*mem, elem);
            }
            Op::Free(mem) => self.free(*mem),
            Op::Copy { to, from } => {
                let (a, b) = (self.slice(to), self.slice(from));
                self.same(b, a, "what is copied");
                self.changes(to.mem);
            }
            Op::Write { to, index, value } => {
                let elem = self.mem(*to);
                self.i64(index, "an index");
                let ty = self.exp(value);
                self.same(ty, elem, "a value that is written");
                self.changes(*to);
            }
            Op::Read(reads) => {
                let types: Vec<Type> = reads
                    .iter()
                    .map(|(_, mem, index)| {
                        self.i64(index, "an index");
                        self.mem(*mem)
                    })
                    .collect();
                reads.iter().zip(types).for_each(|((to, ..), ty)| self.bind_scalar(*to, ty));
            }
            Op::Launch(launch) => self.launch(launch),
            Op::If { cond, yes, no, scalars, mems } => {
                let ty = self.exp(cond);
                self.same(ty, Some(ScalarType::Bool), "a condition");
                let [first, second] = self.sides(op, yes, no);
                self.bind_results(&first, scalars, mems);
                self.agree(&second, scalars, mems);
            }
            Op::When { cond, yes, no } => {
                let elem = self.mem(*cond);
                self.same(elem, Some(ScalarType::Bool), "a condition");
                self.guarded(guarded::side(yes).and_then(|()| guarded::side(no)));
                let [first, second] = self.sides(op, yes, no);
                [first, second].iter().for_each(|results| self.count(results, &[], &[]));
            }
            Op::Loop { form, scalars, mems, frees, body, last_scalars, last_mems } => {
                self.loop_(op, form, scalars, (mems, frees), body);
                let types = Types {
                    scalars: scalars.iter().map(|(s, _)| self.scalar_type(*s)).collect(),
                    mems: mems.iter().map(|(m, _)| self.fun.elem(*m)).collect(),
                };
                self.bind_results(&types, last_scalars, last_mems);
            }
            Op::Call { fun, args, results } => self.call(*fun, args, results),
        }
    }

    fn check(&mut self, id: CheckId, operands: &[Exp]) {
        let types: Vec<Type> = operands.iter().map(|e| self.exp(e)).collect();
        let Some(site) = self.program.checks.get(id.at()) else {
            return self.require(false, Rule::Names, || format!("there is no check {}", id.0));
        };
        let wanted = site.check.operands().len();
        self.require(wanted == types.len(), Rule::Arity, || format!("{} operands of a check of {wanted}", types.len()));
        match site.check {
            Check::Assert(..) => types.iter().for_each(|ty| self.same(*ty, Some(ScalarType::Bool), "an assertion")),
            Check::NonZero(_) | Check::NonNegativeExponent(_) | Check::Range { .. } => {
                let first = types.first().copied().flatten();
                let fine = first.is_none_or(ScalarType::is_int);
                self.require(fine, Rule::Types, || "integers are checked".into());
                types.iter().for_each(|ty| self.same(*ty, first, "an operand of a check"));
            }
            Check::Bounds { .. }
            | Check::Slice { .. }
            | Check::SizeEq { .. }
            | Check::NonNegativeSize(_)
            | Check::Shape(_)
            | Check::Made(_) => types.iter().for_each(|ty| self.same(*ty, I64, "an operand of a check")),
        }
    }

    fn guarded(&mut self, found: Result<(), &'static str>) {
        self.require(found.is_ok(), Rule::Guarded, || found.err().unwrap_or_default().into());
    }

    fn free(&mut self, mem: Mem) {
        self.mem(mem);
        let name = mem_name(self.fun, mem);
        let inside = self.outside.last().is_none_or(|outside| !outside.get(mem.at()).copied().unwrap_or(false));
        self.require(inside, Rule::Freed, || format!("{name} is bound outside of the loop"));
        if let Some(freed) = self.freed.get_mut(mem.at()) {
            *freed = true;
        }
    }

    fn launch(&mut self, launch: &Launch) {
        self.i64(&launch.groups, "a number of groups");
        self.i64(&launch.points, "a number of points");
        let params: Vec<Type> = launch.params.iter().map(|e| self.exp(e)).collect();
        let blocks: Vec<Type> = launch.blocks.iter().map(|slice| self.slice(slice)).collect();
        let Some(kernel) = self.kernel(launch.kernel) else { return };
        self.require(params.len() == kernel.params.len(), Rule::Arity, || {
            format!("{} parameters for the kernel's {}", params.len(), kernel.params.len())
        });
        self.require(blocks.len() == kernel.blocks.len(), Rule::Arity, || {
            format!("{} blocks for the kernel's {}", blocks.len(), kernel.blocks.len())
        });
        for (ty, param) in params.into_iter().zip(&kernel.params) {
            self.same(ty, Some(param.ty), "a parameter of a kernel");
        }
        for ((ty, slice), block) in blocks.into_iter().zip(&launch.blocks).zip(&kernel.blocks) {
            self.same(ty, Some(block.elem), "a block of a kernel");
            if block.access.changes() {
                self.changes(slice.mem);
            }
        }
    }

    fn loop_(
        &mut self,
        op: &'a Op,
        form: &Form,
        scalars: &[(HostScalar, Exp)],
        (mems, frees): (&[(Mem, Mem)], &[Mem]),
        body: &'a Block,
    ) {
        let counter = match form {
            Form::For(index, bound) => {
                let ty = self.exp(bound);
                self.require(ty.is_none_or(ScalarType::is_int), Rule::Types, || "a loop counts integers".into());
                Some((*index, ty))
            }
            Form::While(position) => {
                let cond = scalars.get(*position).map(|(s, _)| *s);
                self.require(cond.is_some(), Rule::Names, || format!("there is no scalar {position} of the loop"));
                let ty = cond.and_then(|s| self.scalar_type(s));
                self.same(ty, Some(ScalarType::Bool), "a condition");
                None
            }
            Form::Device(position) => {
                let cond = mems.get(*position).map(|(m, _)| *m);
                self.require(cond.is_some(), Rule::Names, || format!("there is no memory {position} of the loop"));
                let elem = cond.and_then(|m| self.fun.elem(m));
                self.same(elem, Some(ScalarType::Bool), "a condition");
                self.guarded(guarded::rounds(scalars.iter().map(|(s, _)| *s), body));
                None
            }
        };
        let types = Types {
            scalars: scalars.iter().map(|(_, init)| self.exp(init)).collect(),
            mems: mems.iter().map(|(_, init)| self.mem(*init)).collect(),
        };
        frees.iter().for_each(|mem| self.free(*mem));
        self.outside.push(self.mems.iter().map(|state| *state == State::Here).collect());
        let mut params: Vec<HostScalar> = scalars.iter().map(|(s, _)| *s).collect();
        let mem_params: Vec<Mem> = mems.iter().map(|(m, _)| *m).collect();
        if let Some((index, ty)) = counter {
            self.bind_scalar(index, ty);
        }
        self.bind_results(&types, &params, &mem_params);
        let results = self.block(body);
        self.statement = Some(op);
        self.agree(&results, &params, &mem_params);
        self.outside.pop();
        params.extend(counter.map(|(index, _)| index));
        for scalar in params {
            self.scalars.get_mut(scalar.at()).iter_mut().for_each(|state| **state = State::Gone);
        }
        for mem in mem_params {
            self.mems.get_mut(mem.at()).iter_mut().for_each(|state| **state = State::Gone);
        }
    }

    fn call(&mut self, id: FunId, args: &[Value], results: &[CallResult]) {
        let kinds: Vec<_> = args.iter().map(|arg| self.value(arg)).collect();
        let Some(callee) = self.program.funs.get(id.at()) else {
            return self.require(false, Rule::Names, || format!("there is no function {}", id.0));
        };
        self.require(args.len() == callee.params.len(), Rule::Arity, || {
            format!("{} arguments for {} parameters", args.len(), callee.params.len())
        });
        for ((arg, kind), param) in args.iter().zip(kinds).zip(&callee.params) {
            let wanted = match param {
                Param::Scalar(s) => Kind { ty: named(&callee.scalars, s.at()), rank: None },
                Param::Array { mem, shape, .. } => Kind { ty: callee.elem(*mem), rank: Some(shape.len()) },
            };
            self.same_kind(kind, wanted, "an argument");
            if let Value::Array { mem, offset, .. } = arg {
                self.require(*offset == Exp::i64(0), Rule::Beginning, || "an argument begins somewhere else".into());
                if matches!(param, Param::Array { unique: true, .. }) {
                    self.changes(*mem);
                }
            }
        }
        self.require(results.len() == callee.results.len(), Rule::Arity, || {
            format!("{} variables for {} results", results.len(), callee.results.len())
        });
        for (at, result) in results.iter().enumerate() {
            // what the function returns is of a type that is told where it is made
            let given = callee.results.get(at);
            match result {
                CallResult::Scalar(s) => {
                    let fits = given.is_none_or(|given| matches!(given, Value::Scalar(_)));
                    self.require(fits, Rule::Types, || "an array is no scalar".into());
                    let ty = match given {
                        Some(Value::Scalar(e)) => type_of(callee, e),
                        _ => None,
                    };
                    self.bind_scalar(*s, ty);
                }
                CallResult::Array(mem, offset) => {
                    let fits = given.is_none_or(|given| matches!(given, Value::Array { .. }));
                    self.require(fits, Rule::Types, || "a scalar is no array".into());
                    self.bind_mem(*mem, given.and_then(Value::mem).and_then(|m| callee.elem(m)));
                    self.bind_scalar(*offset, I64);
                }
            }
        }
    }

    /// Both sides of a choice: the types of their results. Behind it is freed what either has freed.
    fn sides(&mut self, op: &'a Op, yes: &'a Block, no: &'a Block) -> [Types; 2] {
        let before = self.freed.clone();
        let first = self.block(yes);
        let after_yes = std::mem::replace(&mut self.freed, before);
        let second = self.block(no);
        self.freed.iter_mut().zip(after_yes).for_each(|(a, b)| *a |= b);
        self.statement = Some(op);
        [first, second]
    }

    /// A block: the types of its results. What it binds ends with it.
    fn block(&mut self, block: &'a Block) -> Types {
        let scalars = self.scalars.clone();
        let mems = self.mems.clone();
        // blocks nest as deep as those of the source
        stacker::maybe_grow(64 << 10, 1 << 20, || self.stms(&block.stms));
        let types = Types {
            scalars: block.scalars.iter().map(|e| self.exp(e)).collect(),
            mems: block.mems.iter().map(|m| self.mem(*m)).collect(),
        };
        let end = |now: &mut Vec<State>, before: Vec<State>| {
            for (now, before) in now.iter_mut().zip(before) {
                if *now == State::Here && before != State::Here {
                    *now = State::Gone;
                }
            }
        };
        end(&mut self.scalars, scalars);
        end(&mut self.mems, mems);
        types
    }

    fn bind_results(&mut self, types: &Types, scalars: &[HostScalar], mems: &[Mem]) {
        self.count(types, scalars, mems);
        let ty = |types: &[Type], i: usize| types.get(i).copied().flatten();
        scalars.iter().enumerate().for_each(|(i, s)| self.bind_scalar(*s, ty(&types.scalars, i)));
        mems.iter().enumerate().for_each(|(i, m)| self.bind_mem(*m, ty(&types.mems, i)));
    }

    /// Results of a block are of the types of what they are bound to.
    fn agree(&mut self, types: &Types, scalars: &[HostScalar], mems: &[Mem]) {
        self.count(types, scalars, mems);
        for (ty, s) in types.scalars.iter().zip(scalars) {
            let own = self.scalar_type(*s);
            self.same(*ty, own, "a result of a block");
        }
        for (ty, m) in types.mems.iter().zip(mems) {
            self.same(*ty, self.fun.elem(*m), "memory that a block leaves");
        }
    }

    fn count(&mut self, types: &Types, scalars: &[HostScalar], mems: &[Mem]) {
        let fine = types.scalars.len() == scalars.len() && types.mems.len() == mems.len();
        self.require(fine, Rule::Arity, || {
            let (s, m) = (types.scalars.len(), types.mems.len());
            format!("{s} scalars and {m} memories for {} and {}", scalars.len(), mems.len())
        });
    }

    fn scalar_type(&self, scalar: HostScalar) -> Type {
        named(&self.fun.scalars, scalar.at())
    }

    /// A scalar is bound to something of a type.
    fn bind_scalar(&mut self, scalar: HostScalar, ty: Type) {
        let own = self.scalar_type(scalar);
        self.same(ty, own, "what a scalar is bound to");
        let (state, name) = (self.scalars.get(scalar.at()).copied(), scalar_name(self.fun, scalar));
        self.bind(state, &name);
        self.scalars.get_mut(scalar.at()).iter_mut().for_each(|state| **state = State::Here);
    }

    fn bind_mem(&mut self, mem: Mem, ty: Type) {
        self.same(ty, self.fun.elem(mem), "what memory is bound to");
        let (state, name) = (self.mems.get(mem.at()).copied(), mem_name(self.fun, mem));
        self.bind(state, &name);
        self.mems.get_mut(mem.at()).iter_mut().for_each(|state| **state = State::Here);
    }

    fn bind(&mut self, state: Option<State>, name: &str) {
        self.require(state.is_some(), Rule::Names, || format!("there is no {name}"));
        self.require(state.is_none_or(|s| s == State::NotYet), Rule::Once, || format!("{name} is bound twice"));
    }

    /// Memory that is used: the type of its elements.
    fn mem(&mut self, mem: Mem) -> Type {
        let (state, name) = (self.mems.get(mem.at()).copied(), mem_name(self.fun, mem));
        self.require(state.is_some(), Rule::Names, || format!("there is no {name}"));
        self.require(state.is_none_or(|s| s == State::Here), Rule::Bound, || format!("{name} is not bound here"));
        let there = !self.freed.get(mem.at()).copied().unwrap_or(false);
        self.require(there, Rule::Freed, || format!("{name} may have been freed"));
        self.fun.elem(mem)
    }

    /// Memory is changed.
    fn changes(&mut self, mem: Mem) {
        let why = self.fixed.why(mem);
        self.require(why.is_none(), Rule::Unchanged, || {
            format!("{} may be {}", mem_name(self.fun, mem), why.unwrap_or_default())
        });
    }

    fn kernel(&mut self, id: KernelId) -> Option<&'a crate::ir::Kernel> {
        let kernel = self.program.kernels.get(id.at()).map(|k| k.kernel.kernel());
        self.require(kernel.is_some(), Rule::Names, || format!("there is no kernel {}", id.0));
        kernel
    }

    fn slice(&mut self, slice: &Slice) -> Type {
        self.i64(&slice.offset, "an offset");
        self.i64(&slice.len, "a length");
        self.mem(slice.mem)
    }

    fn shape(&mut self, shape: &[Exp]) {
        shape.iter().for_each(|e| self.i64(e, "a size"));
    }

    fn value(&mut self, value: &Value) -> Kind {
        match value {
            Value::Scalar(e) => Kind { ty: self.exp(e), rank: None },
            Value::Array { mem, offset, shape } => {
                self.i64(offset, "an offset");
                self.shape(shape);
                Kind { ty: self.mem(*mem), rank: Some(shape.len()) }
            }
        }
    }

    fn same_kind(&mut self, a: Kind, b: Kind, what: &str) {
        self.same(a.ty, b.ty, what);
        let text = |rank: Option<usize>| rank.map_or("a scalar".to_string(), |n| format!("an array of rank {n}"));
        self.require(a.rank == b.rank, Rule::Types, || {
            format!("{what} is {}, and {} is wanted", text(a.rank), text(b.rank))
        });
    }

    fn same(&mut self, a: Type, b: Type, what: &str) {
        if let (Some(a), Some(b)) = (a, b) {
            self.require(a == b, Rule::Types, || format!("{what} is of type {a}, and {b} is wanted"));
        }
    }

    fn i64(&mut self, e: &Exp, what: &str) {
        let ty = self.exp(e);
        self.same(ty, I64, what);
    }

    /// The type of an expression, if it has one.
    fn exp(&mut self, e: &Exp) -> Type {
        match e {
            Exp::Lit(_) | Exp::Tuning(_) => {}
            Exp::Var(s) => {
                let (state, name) = (self.scalars.get(s.at()).copied(), scalar_name(self.fun, *s));
                self.require(state.is_some(), Rule::Names, || format!("there is no {name}"));
                let bound = state.is_none_or(|s| s == State::Here);
                self.require(bound, Rule::Bound, || format!("{name} is not bound here"));
            }
            Exp::Prim(op, args) => {
                let types: Vec<Type> = args.iter().map(|e| self.exp(e)).collect();
                let Some((params, _)) = op.signature() else {
                    self.require(false, Rule::Types, || format!("there is no operator {op}"));
                    return None;
                };
                self.require(params.len() == args.len(), Rule::Arity, || format!("{} operands of {op}", args.len()));
                types.into_iter().zip(params).for_each(|(ty, param)| self.same(ty, Some(param), "an operand"));
            }
            Exp::Few { threshold, points } => {
                let known = threshold.at() < self.program.thresholds.len();
                self.require(known, Rule::Names, || format!("there is no threshold {}", threshold.0));
                self.i64(points, "a number of points");
            }
            Exp::GroupSize(kernel) => _ = self.kernel(*kernel),
            Exp::Groups { kernel, wanted, own } => {
                self.kernel(*kernel);
                self.i64(wanted, "a number of groups");
                self.i64(own, "a number of bytes");
            }
        }
        type_of(self.fun, e)
    }
}
