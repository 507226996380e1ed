//! What the oracles look at: an entry point with its derivatives, and a case as the reference ran it.

use crate::applies::{self, Objection};
use crate::columns::Column;
use crate::fault::Fault;
use crate::random::{Rng, rebuilt};
use crate::stages::{EntryProgram, context, error_text};
use crate::widen::widened;
use futi_core::ad::entry::{Derivative, Mode, Selection, derivative, floats};
use futi_core::failure::RuntimeError;
use futi_core::ir::{Name, Program};
use futi_core::prim::Scalar;
use futi_core::source::SourceMap;
use futi_core::value::Value;
use futi_interp::Ctx;
use std::sync::OnceLock;

/// An entry point and its derivatives.
#[derive(Debug)]
pub struct Entry {
    /// The entry point itself.
    pub primal: EntryProgram,
    /// What it can be differentiated in; none if it has no float parameter or no float result.
    pub floats: Option<Selection>,
    /// The oracles that do not judge it, and why not.
    objections: Vec<(Column, Objection)>,
    derivatives: OnceLock<[Derived; 2]>,
    wide: OnceLock<(EntryProgram, [Derived; 2])>,
    fault: Option<Fault>,
}

/// A derivative of an entry point.
#[derive(Debug)]
pub struct Derived {
    /// Forward or reverse.
    pub mode: Mode,
    /// How many leading results of the primal it takes as parameters.
    pub sizes: usize,
    /// The derivative.
    pub program: EntryProgram,
}

impl Entry {
    /// The entry point of that name, if the program has it.
    pub fn new(program: &Program, name: &str, fault: Option<Fault>) -> Option<Entry> {
        let fun = program.entry(name)?;
        let primal = EntryProgram::new(program, &fun.name, fault);
        let floats = floats(fun);
        let objection = |c| applies::applies(c, &primal.program, fun).err().map(|why| (c, why));
        let objections = Column::ALL.into_iter().filter_map(objection).collect();
        Some(Entry { primal, floats, objections, derivatives: OnceLock::new(), wide: OnceLock::new(), fault })
    }

    /// Whether an oracle judges it: [`applies::applies`].
    ///
    /// # Errors
    /// Why not.
    pub fn applies(&self, column: Column) -> Result<(), Objection> {
        self.objections.iter().find(|(c, _)| *c == column).map_or(Ok(()), |(_, why)| Err(*why))
    }

    /// Whether the order of adjoints' terms decides more than their last digits: an active value is converted between floats and integers, and what an adjoint loses
    /// on its way back is lost of the sum of its terms, or of each.
    pub fn cuts_adjoints(&self) -> bool {
        matches!(self.applies(Column::Identity), Err(Objection::Conversion(..)))
    }

    /// `jvp` and `vjp`; none if it has no floats.
    pub fn derivatives(&self) -> Option<&[Derived; 2]> {
        let floats = self.floats.as_ref()?;
        Some(self.derivatives.get_or_init(|| derived(&self.primal.program, &self.primal.entry, floats, self.fault)))
    }

    /// The entry point in double precision, with its derivatives; none if it has no floats.
    pub fn wide(&self) -> Option<&(EntryProgram, [Derived; 2])> {
        let floats = self.floats.as_ref()?;
        Some(self.wide.get_or_init(|| {
            let program = widened(&self.primal.program);
            let derivatives = derived(&program, &self.primal.entry, floats, self.fault);
            (EntryProgram::new(&program, &self.primal.entry, self.fault), derivatives)
        }))
    }
}

/// The derivatives of an entry point, forward and reverse.
pub fn derived(program: &Program, entry: &Name, floats: &Selection, fault: Option<Fault>) -> [Derived; 2] {
    Mode::ALL.map(|mode| {
        let Derivative { program, entry, sizes } = match program.entry(entry.as_str()) {
            Some(fun) => derivative(program, fun, floats, mode),
            None => Derivative { program: Program::default(), entry: entry.clone(), sizes: 0 },
        };
        Derived { mode, sizes, program: EntryProgram::new(&program, &entry, fault) }
    })
}

/// A case as the reference ran it.
pub struct Subject<'a> {
    /// The entry point.
    pub entry: &'a Entry,
    /// Where the program comes from.
    pub sources: &'a SourceMap,
    /// The arguments of the IR function.
    pub args: Vec<Value>,
    /// Its results, or its failure.
    pub reference: Result<Vec<Value>, RuntimeError>,
    plain: OnceLock<Result<Vec<Value>, RuntimeError>>,
    /// The case's own stream of random numbers; each use clones it.
    pub rng: Rng,
}

impl<'a> Subject<'a> {
    /// Runs the entry point in the interpreter.
    pub fn new(entry: &'a Entry, sources: &'a SourceMap, args: Vec<Value>, rng: Rng) -> Subject<'a> {
        Subject::within(entry, sources, args, rng, &context())
    }

    /// Runs the entry point in the interpreter, as a context allows.
    pub fn within(entry: &'a Entry, sources: &'a SourceMap, args: Vec<Value>, rng: Rng, ctx: &Ctx) -> Subject<'a> {
        let reference = entry.primal.run(&args, ctx);
        Subject { entry, sources, args, reference, plain: OnceLock::new(), rng }
    }

    /// What the entry point gives element by element, without kernels: [`Ctx::plain`].
    pub fn plain(&self) -> &Result<Vec<Value>, RuntimeError> {
        self.plain.get_or_init(|| self.entry.primal.run(&self.args, &Ctx { plain: true, ..context() }))
    }

    /// The text of a runtime error of the entry point as lowered.
    pub fn error_text(&self, e: &RuntimeError) -> String {
        error_text(e, &self.entry.primal.program.prov, self.sources)
    }

    /// The directions ẋ, one for each float parameter, and ȳ, one for each float result: random, the former relative to the parameter's elements.
    /// None if the entry point fails or has no floats.
    pub fn seeds(&self) -> Option<(Vec<Value>, Vec<Value>)> {
        let (floats, results) = (self.entry.floats.as_ref()?, self.reference.as_ref().ok()?);
        let mut rng = self.rng.clone();
        let tangents = floats.params.iter().map(|i| scaled(&self.args[*i], &mut rng)).collect();
        let adjoints = floats.results.iter().map(|i| rng.direction_like(results[*i].elem(), results[*i].shape()));
        Some((tangents, adjoints.collect()))
    }

    /// Random arguments near these, which are the entry point's, perhaps in double precision: each float moved by up to 2 %, or 0.02 where it is zero.
    pub fn nearby(&self, args: &[Value], rng: &mut Rng) -> Vec<Value> {
        let mut args = args.to_vec();
        for i in self.entry.floats.iter().flat_map(|f| &f.params) {
            let elem = args[*i].elem();
            let mut near = |x: f64| x + 0.02 * rng.direction() * if x == 0.0 { 1.0 } else { x.abs() };
            let moved = args[*i].elements().map(|x| Scalar::from_f64(elem, near(x.to_f64())));
            args[*i] = rebuilt(elem, args[*i].shape(), moved);
        }
        args
    }

    /// The arguments of a derivative with these seeds.
    pub fn derivative_args(&self, derived: &Derived, seeds: &[Value]) -> Vec<Value> {
        self.derivative_args_at(&self.args, derived, seeds)
    }

    /// The arguments of a derivative with these seeds at another point.
    pub fn derivative_args_at(&self, args: &[Value], derived: &Derived, seeds: &[Value]) -> Vec<Value> {
        let sizes = self.reference.as_ref().map_or(&[][..], |r| &r[..derived.sizes]);
        [args, sizes, seeds].concat()
    }

    /// The seeds that a mode takes, of those that [`Subject::seeds`] gives.
    pub fn seeds_of(mode: Mode, (tangents, adjoints): &(Vec<Value>, Vec<Value>)) -> &[Value] {
        match mode {
            Mode::Forward => tangents,
            Mode::Reverse => adjoints,
        }
    }
}

/// A random direction relative to the elements of a value.
fn scaled(v: &Value, rng: &mut Rng) -> Value {
    let direction = rng.direction_like(v.elem(), v.shape());
    let scale = |x: f64| if x == 0.0 || !x.is_finite() { 1.0 } else { x.abs() };
    let elements = v.elements().zip(direction.elements());
    let product = elements.map(|(x, d)| Scalar::from_f64(v.elem(), scale(x.to_f64()) * d.to_f64()));
    rebuilt(v.elem(), v.shape(), product)
}
