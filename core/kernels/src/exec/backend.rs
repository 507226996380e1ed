//! The executor as a backend, for the harness to treat as any other: host programs and kernels without a device, every one of them checked before it runs.

use super::device::{Device, Loaded, Memory, Options, argument, elements};
use crate::generate::{checked, ill_formed};
use crate::host::run::{Datum, Part, call};
use crate::host::tally::Tallies;
use crate::host::{CheckedHost, HostProgram};
use futi_core::backend::{Backend, CallCtx, Executable, Handle, IrLevel, Options as Asked, Profile, Unsupported};
use futi_core::failure::RuntimeError;
use futi_core::ir::Program;
use futi_core::ir::check::Checked;
use futi_core::value::meter::Meter;
use futi_core::value::{Array, Column, Value, count};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The executor.
#[derive(Clone, Debug)]
pub struct Executor {
    /// How it runs programs.
    pub options: Options,
    /// Held by whoever uses memory: a launch has for itself what it works on.
    turn: Arc<Mutex<()>>,
    /// Counts the memory of arguments, constants, calls and results.
    meter: Arc<Meter>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Default for Executor {
    fn default() -> Self {
        Executor::new(Options::default())
    }
}

impl Executor {
    /// An executor.
    pub fn new(options: Options) -> Executor {
        Executor { options, turn: Arc::default(), meter: Arc::default() }
    }

    /// A host program, ready to run.
    ///
    /// # Errors
    /// What is wrong with it: a fault of who made it.
    pub fn load(&self, program: HostProgram, asked: &Asked) -> Result<Box<dyn Executable>, Vec<Unsupported>> {
        Ok(self.ready(CheckedHost::new(program).map_err(ill_formed)?, self.asked(asked)))
    }

    /// How a program is run.
    fn asked(&self, asked: &Asked) -> Options {
        let mut options = self.options.clone();
        options.set(&asked.tuning);
        options
    }

    fn ready(&self, program: CheckedHost, options: Options) -> Box<dyn Executable> {
        let loaded = Loaded::new(&program, self.meter.clone());
        Box::new(Compiled { program, loaded, options, turn: self.turn.clone(), tallies: Mutex::default() })
    }
}

impl Backend for Executor {
    fn name(&self) -> &str {
        "executor"
    }

    fn level(&self) -> IrLevel {
        IrLevel::Flat
    }

    fn describe(&self) -> Vec<(String, String)> {
        let Options { seed, group_size, subgroup_size, .. } = self.options;
        let groups = format!("{group_size} invocations, subgroups of {subgroup_size}");
        [("kind", "executor of kernels, one thread".to_string()), ("groups", groups), ("seed", seed.to_string())]
            .map(|(what, is)| (what.to_owned(), is))
            .to_vec()
    }

    fn compile(&self, program: &Checked<Program>, asked: &Asked) -> Result<Box<dyn Executable>, Vec<Unsupported>> {
        let options = self.asked(asked);
        Ok(self.ready(checked(program, &options.memory_options)?, options))
    }

    fn put(&self, value: &Value) -> Result<Handle, RuntimeError> {
        Ok(Handle(Arc::new(argument(value, &self.meter))))
    }

    fn get(&self, handle: &Handle) -> Result<Value, RuntimeError> {
        let _turn = lock(&self.turn);
        match datum(handle)? {
            Datum::Scalar(x) => Ok((*x).into()),
            Datum::Array { buffer, offset, shape } => {
                let all = elements(Part { of: buffer, offset: *offset, len: count(shape) as u64 })?;
                let column = Column::from_scalars(buffer.elem, all.into_iter());
                let column = column.ok_or_else(|| RuntimeError::internal("elements of another type"))?;
                Ok(Array::new(shape, column).into())
            }
        }
    }

    fn peak_memory(&self) -> Option<u64> {
        Some(self.meter.peak())
    }
}

fn foreign() -> RuntimeError {
    RuntimeError::internal("a handle of another backend")
}

fn datum(handle: &Handle) -> Result<&Datum<Memory>, RuntimeError> {
    handle.0.downcast_ref().ok_or_else(foreign)
}

/// What a handle stands for that is given up: nothing else has its memory if nothing else has the handle, nor has another one the memory.
fn taken(handle: Handle) -> Result<Datum<Memory>, RuntimeError> {
    handle.0.downcast().map(Arc::unwrap_or_clone).map_err(|_| foreign())
}

/// A compiled program.
struct Compiled {
    program: CheckedHost,
    loaded: Loaded,
    options: Options,
    turn: Arc<Mutex<()>>,
    tallies: Mutex<Tallies>,
}

impl Executable for Compiled {
    fn call(&self, entry: &str, args: Vec<Handle>, ctx: &CallCtx) -> Result<Vec<Handle>, RuntimeError> {
        let args = args.into_iter().map(taken).collect::<Result<_, _>>()?;
        let _turn = lock(&self.turn);
        let mut tallies = lock(&self.tallies);
        let mut device = Device {
            program: &self.program,
            loaded: &self.loaded,
            options: &self.options,
            ctx,
            tallies: std::mem::take(&mut *tallies),
            launches: 0,
            idle: false,
            watch: None,
        };
        let results = call(&mut device, &self.program, entry, args);
        *tallies = device.tallies;
        Ok(results?.into_iter().map(|datum| Handle(Arc::new(datum))).collect())
    }

    fn tuning(&self) -> Vec<(String, i64)> {
        [self.options.list(), self.options.thresholds.list(&self.program)].concat()
    }

    fn profile(&self) -> Profile {
        lock(&self.tallies).profile(&self.program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::failure::FailureKind;
    use futi_core::ir::Prov;
    use futi_core::value::text::parse_values;
    use std::sync::atomic::AtomicBool;

    fn executable(executor: &Executor, text: &str) -> Box<dyn Executable> {
        executor.load(text.parse().expect("a program"), &Asked::default()).map_err(|e| e[0].construct.clone()).unwrap()
    }

    fn executor() -> Executor {
        Executor::new(Options::default())
    }

    fn values(executor: &Executor, handles: &[Handle]) -> String {
        handles.iter().map(|h| executor.get(h).unwrap().to_string()).collect::<Vec<_>>().join(" ")
    }

    const HALF: &str = "futi-host 1
        fun main_0 entry \"half\" {
          scalar n_0: i64 scalar m_1: i64 mem xs_0: i32
          param n_0 param mem.xs_0[n_0]
          m_1 = quot.i64(n_0, 2i64)
          return (m_1, mem.xs_0 at m_1 [sub.i64(n_0, m_1)])
        }";

    #[test]
    fn what_a_call_returns_is_an_argument_of_another() {
        let executor = executor();
        let half = executable(&executor, HALF);
        let args = parse_values("4i64 [1i32, 2i32, 3i32, 4i32]").unwrap();
        let args: Vec<Handle> = args.iter().map(|x| executor.put(x).unwrap()).collect();
        let once = half.call("half", args, &CallCtx::default()).unwrap();
        let twice = half.call("half", once.clone(), &CallCtx::default()).unwrap();
        assert_eq!(
            (values(&executor, &once), values(&executor, &twice)),
            ("2i64 [3i32, 4i32]".into(), "1i64 [4i32]".into())
        );
        assert_eq!(executor.shape(&once[1]).unwrap(), (futi_core::prim::ScalarType::I32, vec![2]));
        let foreign = Handle(Arc::new(3));
        assert!(executor.get(&foreign).is_err() && half.call("half", vec![foreign], &CallCtx::default()).is_err());
    }

    const ENDLESS: &str = "futi-host 1
        kernel k @3 {
          block y_0: read write i32 local x_0: i32
          if eq.i32(add.i32(@group, @invocation), 0i32) {
            x_0 = load block.y_0[0i32]
            store block.y_0[0i32] = add.i32(x_0, 1i32)
          }
        }
        fun main_0 entry \"main\" {
          scalar n_0: i32 scalar i_1: i32 scalar r_2: i32 mem a_0: i32
          param n_0
          mem.a_0 = alloc
          write mem.a_0[0i64] = neg.i32(3i32)
          loop for i_1 below n_0 () -> () {
            launch kernel.k_0 groups 2i64 points 5i64 () (mem.a_0[0i64 : 1i64])
            in ()
          }
          read (r_2 = mem.a_0[0i64])
          return (r_2)
        }";

    #[test]
    fn what_takes_too_many_steps_is_no_defect() {
        let few = Executor::new(Options { budget: 3, ..Options::default() });
        let once = few.put(&futi_core::prim::Scalar::I32(1).into()).unwrap();
        let failed = executable(&few, ENDLESS).call("main", vec![once], &CallCtx::default()).map(drop).unwrap_err();
        assert_eq!(failed.kind, FailureKind::Fuel);
    }

    #[test]
    fn a_run_is_stopped() {
        let executor = executor();
        let endless = executable(&executor, ENDLESS);
        let args = vec![executor.put(&futi_core::prim::Scalar::I32(i32::MAX).into()).unwrap()];
        let ctx = CallCtx { cancel: Some(Arc::new(AtomicBool::new(true))) };
        let failure = endless.call("main", args, &ctx).err().map(|e| (e.kind, e.message));
        assert_eq!(failure, Some((FailureKind::Cancelled, "the run was stopped".into())));
    }

    #[test]
    fn launches_are_counted() {
        let executor = executor();
        let counting = executable(&executor, ENDLESS);
        let args = vec![executor.put(&futi_core::prim::Scalar::I32(10).into()).unwrap()];
        let results = counting.call("main", args, &CallCtx::default()).unwrap();
        assert_eq!(values(&executor, &results), "7i32");
        let profile = counting.profile();
        let row = |name: &str| profile.kernels.iter().find(|k| k.name == name).cloned().unwrap();
        let k = row("k");
        // of 2 groups of 8, each invocation applies two operators, and one of them one more; it reads and writes 4 bytes
        assert_eq!((k.launches, k.invocations, k.operations, k.bytes, k.prov), (10, 50, 10 * 33, 10 * 8, Prov(3)));
        assert_eq!(row("host").operations, 1);
    }

    #[test]
    fn results_are_written_when_a_call_is_back() {
        let text = "futi-host 1 fun main_0 entry \"main\" { mem a_0: i32 mem.a_0 = alloc return (mem.a_0 at 0i64) }";
        let executor = executor();
        let failure = executable(&executor, text).call("main", vec![], &CallCtx::default()).err().unwrap();
        assert!(failure.message.contains("element 0 of memory, which was never written"), "{failure}");
    }

    #[test]
    fn what_is_not_well_formed_is_not_run() {
        let text = HALF.replace("m_1 = quot.i64(n_0, 2i64)", "m_1 = quot.i64(n_0, 2i32)");
        let refused = executor().load(text.parse().unwrap(), &Asked::default()).map(drop).unwrap_err();
        assert_eq!(refused.len(), 1);
        assert!(refused[0].construct.starts_with("internal error: Types: an operand is of type i32"), "{refused:?}");
    }

    #[test]
    fn numbers_that_suit_the_machine_have_names() {
        let executor = executor();
        let text = "futi-host 1 fun main_0 entry \"main\" { return (@reduce_groups, @reduce_each_length) }";
        let asked = Asked { tuning: vec![("reduce_groups".into(), 11), ("other".into(), 5)] };
        let executable = executor.load(text.parse().unwrap(), &asked).map_err(|e| e.len()).unwrap();
        let results = executable.call("main", vec![], &CallCtx::default()).unwrap();
        assert_eq!(values(&executor, &results), "11i64 4i64");
        assert!(executable.tuning().contains(&("reduce_groups".into(), 11)));
    }

    #[test]
    fn thresholds_have_names() {
        let executor = executor();
        let text = "futi-host 1
            threshold 0 \"main.enough_0\"
            threshold 1 \"main.enough_1\"
            fun main_0 entry \"main\" { scalar n_0: i64 param n_0 return (few(0, n_0), few(1, n_0)) }";
        let tuning = [("main.enough_1", 7), ("enough", 5), ("main.enough_1", 6), ("other", 9)];
        let asked = Asked { tuning: tuning.map(|(name, value)| (name.to_string(), value)).to_vec() };
        let executable = executor.load(text.parse().unwrap(), &asked).map_err(|e| e.len()).unwrap();
        let few = |n: i64| {
            let n = executor.put(&futi_core::prim::Scalar::I64(n).into()).unwrap();
            values(&executor, &executable.call("main", vec![n], &CallCtx::default()).unwrap())
        };
        assert_eq!([few(6), few(4), few(5)], ["false false", "true true", "false true"]);
        let known = executable.tuning();
        assert!(known.contains(&("main.enough_0".into(), 5)) && known.contains(&("main.enough_1".into(), 6)));
        let compared = |name: &str| (name.to_string(), vec![4, 5, 6]);
        assert_eq!(executable.profile().thresholds, [compared("main.enough_0"), compared("main.enough_1")]);
    }

    #[test]
    fn scratch_is_full_of_what_shows() {
        let text = "futi-host 1
            fun main_0 entry \"main\" { mem a_0: f32 mem.a_0 = scratch [2i64] return (mem.a_0 at 0i64 [2i64]) }";
        let executor = executor();
        let with = |poison| {
            let asked = Asked { tuning: vec![("poison".into(), poison)] };
            let executable = executor.load(text.parse().unwrap(), &asked).map_err(|e| e.len()).unwrap();
            values(&executor, &executable.call("main", vec![], &CallCtx::default()).unwrap())
        };
        assert_eq!(with(1), "[f32.nan, f32.nan]");
        assert_ne!(with(0), with(1));
    }
}
