//! The interpreter as a backend, for the harness to treat as any other.

use crate::ctx::Ctx;
use crate::eval::Code;
use futi_core::backend::{Backend, CallCtx, Executable, Handle, IrLevel, Options, Unsupported};
use futi_core::failure::RuntimeError;
use futi_core::ir::Program;
use futi_core::ir::check::Checked;
use futi_core::value::Value;
use std::sync::Arc;

/// The reference interpreter. A handle is a [`Value`] on the host.
#[derive(Clone, Debug, Default)]
pub struct Interpreter {
    /// Whether to run in strict mode: [`Ctx::strict`].
    pub strict: bool,
    /// Is given what `#[trace]` shows: [`Ctx::show`].
    pub show: Option<fn(&str)>,
}

struct Compiled {
    code: Result<Code, RuntimeError>,
    strict: bool,
    show: Option<fn(&str)>,
}

impl Backend for Interpreter {
    fn name(&self) -> &str {
        "interp"
    }

    fn level(&self) -> IrLevel {
        IrLevel::Core
    }

    fn describe(&self) -> Vec<(String, String)> {
        let strict = if self.strict { "yes" } else { "no" };
        vec![("kind".into(), "reference interpreter, one thread".into()), ("strict".into(), strict.into())]
    }

    fn compile(&self, program: &Checked<Program>, _: &Options) -> Result<Box<dyn Executable>, Vec<Unsupported>> {
        Ok(Box::new(Compiled { code: Code::new(program), strict: self.strict, show: self.show }))
    }

    fn put(&self, value: &Value) -> Result<Handle, RuntimeError> {
        Ok(Handle(Arc::new(value.clone())))
    }

    fn get(&self, handle: &Handle) -> Result<Value, RuntimeError> {
        handle.0.downcast_ref().cloned().ok_or_else(foreign)
    }
}

fn foreign() -> RuntimeError {
    RuntimeError::internal("a handle of another backend")
}

/// The value of a handle that is given up: nobody else has it if nobody else has the handle.
fn taken(handle: Handle) -> Result<Value, RuntimeError> {
    handle.0.downcast().map(Arc::unwrap_or_clone).map_err(|_| foreign())
}

impl Executable for Compiled {
    fn call(&self, entry: &str, args: Vec<Handle>, ctx: &CallCtx) -> Result<Vec<Handle>, RuntimeError> {
        let args = args.into_iter().map(taken).collect::<Result<_, _>>()?;
        let run = Ctx { call: ctx.clone(), strict: self.strict, show: self.show, ..Ctx::default() };
        let results = self.code.as_ref().map_err(Clone::clone)?.call(entry, args, &run)?;
        Ok(results.into_iter().map(|v| Handle(Arc::new(v))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;
    use futi_core::ir::check::check;

    #[test]
    fn calls_go_through_handles() {
        let program = ir("fun \"main\"(x_0: f64) -> (y_1: f64) { let (y_2: f64) = mul.f64(x_0, x_0) in (y_2) }");
        let backend: &dyn Backend = &Interpreter { strict: true, ..Interpreter::default() };
        let executable = backend.compile(&check(program).unwrap(), &Options::default()).unwrap();
        let x = backend.put(&float(3.)).unwrap();
        let results = executable.call("main", vec![x], &CallCtx::default()).unwrap();
        assert_eq!(backend.get(&results[0]).unwrap(), float(9.));
        let foreign = Handle(Arc::new(3));
        assert!(backend.get(&foreign).is_err() && executable.call("main", vec![foreign], &CallCtx::default()).is_err());
    }
    #[test]
    fn what_nobody_else_has_is_changed_where_it_is() {
        let program =
            ir("fun \"main\"(*a_0: [2]f64) -> (*r_1: [2]f64) { let (b_2: [2]f64) = update a_0[0i64] = 9f64 in (b_2) }");
        let backend: &dyn Backend = &Interpreter::default();
        let executable = backend.compile(&check(program).unwrap(), &Options::default()).unwrap();
        let place = |handle: &Handle| match handle.0.downcast_ref() {
            Some(Value::Array(array)) => array.slice::<f64>().unwrap().as_ptr(),
            _ => panic!("no array"),
        };
        let call = |args| executable.call("main", args, &CallCtx::default()).unwrap().remove(0);
        let a = backend.put(&floats(&[2], &[1., 2.])).unwrap();
        let before = place(&a);
        let copied = call(vec![a.clone()]);
        assert_eq!(backend.get(&a).unwrap(), floats(&[2], &[1., 2.]));
        let changed = call(vec![a]);
        for result in [&copied, &changed] {
            assert_eq!(backend.get(result).unwrap(), floats(&[2], &[9., 2.]));
        }
        assert!(place(&changed) == before && place(&copied) != before);
    }
}
