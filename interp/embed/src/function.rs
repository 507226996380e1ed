//! Entry points, and what is made of them, as functions to call.

use crate::{Ad, Error, Kind, Model};
use futi_core::ad::entry::{self as derived, Derivative, Mode, Selection};
use futi_core::backend::{CallCtx, Executable, Handle, IrLevel, Options};
use futi_core::driver::pipeline;
use futi_core::entry;
use futi_core::ir::{Body, Dim, EntrySig, Fun, FunResult, Program, ProvTable, check};
use std::sync::OnceLock;

/// What is made of an entry point, or of what has been made of one. Positions are those of its leaves, sizes not counted: a record has as many as it has arrays and
/// scalars, in the order of its fields.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Step {
    /// Its derivative in forward mode: takes the arguments, then tangents of the parameters; gives the results, then their tangents.
    Jvp(Selection),
    /// Its derivative in reverse mode: takes the arguments, then cotangents of the results; gives the results, then the adjoints of the parameters.
    Vjp(Selection),
    /// It at all elements of arrays: these parameters, and all results, have one more dimension, the outermost.
    Map(Vec<usize>),
}

impl Step {
    /// [`Step::Jvp`] of these results with respect to these parameters.
    pub fn jvp(params: impl Into<Vec<usize>>, results: impl Into<Vec<usize>>) -> Step {
        Step::Jvp(Selection { params: params.into(), results: results.into(), ..Selection::default() })
    }

    /// [`Step::Vjp`] of these results with respect to these parameters.
    pub fn vjp(params: impl Into<Vec<usize>>, results: impl Into<Vec<usize>>) -> Step {
        Step::Vjp(Selection { params: params.into(), results: results.into(), ..Selection::default() })
    }
}

/// What a model can be called for.
pub struct Function {
    name: String,
    /// Its parameters and results; the body is the program's.
    fun: Fun,
    sig: EntrySig,
    /// Itself and what it calls.
    program: Program,
    /// By definition and by transformation.
    compiled: [OnceLock<Result<Compiled, Error>>; 2],
}

type Compiled = (ProvTable, Box<dyn Executable>);

impl Function {
    /// The entry point of this name, and what these steps make of it, one after the other.
    pub(crate) fn of(model: &Model, entry: &str, steps: &[Step]) -> Result<Function, Error> {
        let mut program = pipeline::only(model.program(), entry);
        let mut name = entry.to_string();
        for step in steps {
            (program, name) = made(&program, &name, step)?;
        }
        let missing = || {
            let known: Vec<&str> = model.program().entries().map(|n| n.as_str()).collect();
            let known =
                if known.is_empty() { "it has none".to_string() } else { format!("it has {}", known.join(", ")) };
            Error::arguments(format!("the program has no entry point `{entry}`: {known}"))
        };
        let fun = program.entry(&name).ok_or_else(missing)?;
        let sig = fun.entry.clone().ok_or_else(missing)?;
        let fun = Fun { body: Body::default(), ..fun.clone() };
        Ok(Function { name, fun, sig, program, compiled: Default::default() })
    }

    /// The types of its parameters and of its result.
    pub fn signature(&self) -> &EntrySig {
        &self.sig
    }

    /// Which leaves of the parameters are consumed: none of what is made of an entry point.
    pub fn consumes(&self) -> Vec<bool> {
        self.fun.params[self.sig.sizes..].iter().map(|p| p.unique).collect()
    }

    /// The sizes of its results that only a run tells, each as a result's leaf and a dimension of that. A derivative of it takes them, as 64-bit integers, behind the
    /// arguments and before the seeds.
    pub fn result_sizes(&self) -> Vec<(usize, usize)> {
        let leaves = self.sig.result.leaves().len();
        let (sizes, results) = self.fun.results.split_at(self.fun.results.len() - leaves);
        let place = |size: &FunResult| {
            let dims = results
                .iter()
                .enumerate()
                .flat_map(|(i, r)| r.binder.ty.shape().iter().enumerate().map(move |(d, dim)| (i, d, dim)));
            dims.into_iter().find(|(.., dim)| **dim == Dim::Var(size.binder.var)).map(|(i, d, _)| (i, d))
        };
        sizes.iter().filter_map(place).collect()
    }

    /// Calls it with one value for each leaf of its parameters; gives one for each leaf of its result. What a handle stands for that the caller has kept a clone of does not change;
    /// an array that is consumed is updated in place if its handle was the only one, else copied.
    ///
    /// # Errors
    /// The arguments do not fit; the program fails, or has what the backend lacks; it was asked to stop.
    pub fn call(&self, model: &Model, args: Vec<Handle>, ctx: &CallCtx) -> Result<Vec<Handle>, Error> {
        let backend = model.backend();
        let wrong = |e: &futi_core::failure::RuntimeError| Error::run(e, &self.program.prov, model.sources());
        let mut shapes = Vec::new();
        for arg in &args {
            shapes.push(backend.shape(arg).map_err(|e| wrong(&e))?);
        }
        let wanted = self.fun.params.len() - self.sig.sizes;
        if wanted != args.len() {
            return Err(Error::arguments(format!("{} takes {wanted} values; there are {}", self.name, args.len())));
        }
        let sizes = entry::sizes(&self.fun, &shapes).map_err(|e| wrong(&e))?;
        let mut all = Vec::with_capacity(self.fun.params.len());
        for size in &sizes {
            all.push(backend.put(size).map_err(|e| wrong(&e))?);
        }
        all.extend(args);
        let bytes = shapes.iter().map(|(elem, shape)| elem.bytes() * futi_core::value::count(shape)).sum();
        let (prov, executable) = self.compiled(model, bytes)?;
        let mut results = executable.call(&self.name, all, ctx).map_err(|e| Error::run(&e, prov, model.sources()))?;
        // sizes come first
        Ok(results.split_off(results.len().saturating_sub(self.sig.result.leaves().len())))
    }

    fn compiled(&self, model: &Model, bytes: usize) -> Result<&Compiled, Error> {
        let transforms = model.options().ad.transforms(&self.program, bytes, false);
        if transforms {
            let compiled = self.compiled[1].get_or_init(|| self.compile(model, IrLevel::NoAd));
            match compiled {
                Ok(compiled) => return Ok(compiled),
                Err(e) if model.options().ad == Ad::Transform || e.kind == Kind::Internal => return Err(e.clone()),
                // there is no rule for a construct
                Err(_) => {}
            }
        }
        self.compiled[0].get_or_init(|| self.compile(model, IrLevel::Core)).as_ref().map_err(Clone::clone)
    }

    /// Lowers it to this level, or to that of the backend if that is lower, and compiles it.
    fn compile(&self, model: &Model, level: IrLevel) -> Result<Compiled, Error> {
        let level = level.max(model.backend().level());
        let lowered = pipeline::for_level_with(self.program.clone(), level, model.options().checkpoints())
            .map_err(|errors| Error::unsupported(&errors.constructs, &errors.prov, model.sources()))?;
        let prov = lowered.prov.clone();
        let checked = check::check(lowered).map_err(|errors| {
            Error::internal(format!(
                "a pass broke the program: {}",
                errors.first().map(ToString::to_string).unwrap_or_default()
            ))
        })?;
        let options = Options { tuning: model.options().tuning.clone() };
        let executable = model
            .backend()
            .compile(&checked, &options)
            .map_err(|list| Error::unsupported(&list, &prov, model.sources()))?;
        Ok((prov, executable))
    }
}

/// What a step makes of an entry point: the program, and the name in it.
fn made(program: &Program, name: &str, step: &Step) -> Result<(Program, String), Error> {
    let missing = || Error::arguments(format!("the program has no entry point `{name}`"));
    let fun = program.entry(name).ok_or_else(missing)?;
    let sig = fun.entry.as_ref().ok_or_else(missing)?;
    let placed = |at: &[usize], before: usize, count: usize, what: &str| {
        let place = |i: &usize| match *i < count {
            true => Ok(before + i),
            false => Err(Error::arguments(format!("{name} has no {what} {i}"))),
        };
        at.iter().map(place).collect::<Result<Vec<_>, _>>()
    };
    let leaves = sig.result.leaves().len();
    let params = |of: &[usize]| placed(of, sig.sizes, fun.params.len() - sig.sizes, "parameter");
    let results = |of: &[usize]| placed(of, fun.results.len() - leaves, leaves, "result");
    let (mode, of) = match step {
        Step::Jvp(of) => (Mode::Forward, of),
        Step::Vjp(of) => (Mode::Reverse, of),
        Step::Map(over) => {
            let differs =
                || Error::arguments(format!("the results of {name} have sizes that may differ by the element"));
            let (program, name) = derived::mapped(program, fun, &params(over)?).ok_or_else(differs)?;
            return Ok((program, name.to_string()));
        }
    };
    let selection = Selection {
        params: params(&of.params)?,
        results: results(&of.results)?,
        aux: results(&of.aux)?,
        directions: of.directions,
    };
    let Derivative { program, entry, .. } = derived::derivative(program, fun, &selection, mode);
    Ok((program, entry.to_string()))
}
