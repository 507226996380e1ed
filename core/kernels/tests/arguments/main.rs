//! What becomes of arguments that a call consumes, on the executor: the memory of a handle that nobody else has is the result's; what somebody keeps stays as it is.

use futi_core::backend::{Backend, CallCtx, Executable, Handle, IrLevel, Options};
use futi_core::driver::{compile::compile, pipeline::for_level};
use futi_core::failure::RuntimeError;
use futi_core::ir::check::check;
use futi_core::value::text::parse_values;
use futi_kernels::exec::Executor;
use futi_kernels::exec::device::{Allocation, Memory};
use futi_kernels::host::run::Datum;
use std::sync::{Arc, Weak};

/// A program ready to run.
struct Ready {
    executor: Executor,
    program: Vec<(&'static str, Box<dyn Executable>)>,
}

impl Ready {
    /// Entry points of a program, each compiled alone.
    fn new(source: &str, entries: &[&'static str], tuning: &[(&str, i64)]) -> Ready {
        let provider = |_: &str| Ok(source.to_string());
        let program = compile("main.fut", &provider).program.expect("a program");
        let flat = check(for_level(program, IrLevel::Flat).expect("a flat program")).expect("a well-formed one");
        let executor = Executor::default();
        let tuning: Vec<(String, i64)> = tuning.iter().map(|(name, value)| (name.to_string(), *value)).collect();
        let compiled = || executor.compile(&flat, &Options { tuning: tuning.clone() }).expect("kernels");
        let program = entries.iter().map(|entry| (*entry, compiled())).collect();
        Ready { executor, program }
    }

    fn put(&self, values: &str) -> Vec<Handle> {
        parse_values(values).unwrap().iter().map(|value| self.executor.put(value).unwrap()).collect()
    }

    fn call(&self, entry: &str, args: Vec<Handle>) -> Result<Vec<Handle>, RuntimeError> {
        let (_, executable) = self.program.iter().find(|(name, _)| *name == entry).expect("an entry point");
        executable.call(entry, args, &CallCtx::default())
    }

    fn text(&self, handle: &Handle) -> String {
        self.executor.get(handle).unwrap().to_string()
    }
}

/// The memory of an array, which is not kept by that.
fn memory(handle: &Handle) -> Weak<Allocation> {
    match handle.0.downcast_ref::<Datum<Memory>>() {
        Some(Datum::Array { buffer, .. }) => Arc::downgrade(&buffer.memory),
        _ => panic!("no array"),
    }
}

/// Whether two handles have one memory.
fn same(a: &Handle, b: &Handle) -> bool {
    memory(a).ptr_eq(&memory(b))
}

/// An element that the host changes, one that a kernel changes, and all of them in a loop.
const CHANGES: [(&str, &str); 3] = [
    ("entry main [n] (xs: *[n]i64) : *[n]i64 = xs with [0] = 9", "[9i64, 2i64, 3i64]"),
    (
        "entry main [n] (xs: *[n]i64) : *[n]i64 = scatter xs (map (2 -) (indices xs)) (map (* 10) (iota n))",
        "[20i64, 10i64, 0i64]",
    ),
    (
        "entry main [n] (xs: *[n]i64) : *[n]i64 = loop xs for i < n do xs with [i] = xs[i] + xs[(i + 1) % n]",
        "[3i64, 5i64, 6i64]",
    ),
];

#[test]
fn what_nobody_else_has_is_changed_where_it_is() {
    for (source, expected) in CHANGES {
        let ready = Ready::new(source, &["main"], &[]);
        let args = ready.put("3i64 [1i64, 2i64, 3i64]");
        let before = memory(&args[1]);
        let results = ready.call("main", args).unwrap();
        assert_eq!(ready.text(&results[0]), expected, "{source}");
        assert!(memory(&results[0]).ptr_eq(&before), "{source}");
    }
}

#[test]
fn what_somebody_keeps_stays_as_it_is() {
    for (source, expected) in CHANGES {
        let ready = Ready::new(source, &["main"], &[]);
        let args = ready.put("3i64 [1i64, 2i64, 3i64]");
        for _ in 0..2 {
            let results = ready.call("main", args.clone()).unwrap();
            assert_eq!(ready.text(&results[0]), expected, "{source}");
            assert_eq!(ready.text(&args[1]), "[1i64, 2i64, 3i64]", "{source}");
        }
    }
}

#[test]
fn nothing_is_in_place_where_that_is_switched_off() {
    for (source, expected) in CHANGES {
        let ready = Ready::new(source, &["main"], &[("in_place", 0)]);
        let args = ready.put("3i64 [1i64, 2i64, 3i64]");
        let before = memory(&args[1]);
        let results = ready.call("main", args).unwrap();
        assert_eq!(ready.text(&results[0]), expected, "{source}");
        assert!(!memory(&results[0]).ptr_eq(&before), "{source}");
    }
}

const SEVERAL: &str = "
    entry set [n] (xs: *[n]i64) : *[n]i64 = xs with [0] = 9
    entry add [n] (xs: *[n]i64) (ys: [n]i64) : *[n]i64 = loop xs for i < n do xs with [i] = xs[i] + 10 * ys[n - 1 - i]
    entry same [n] (xs: [n]i64) : [n]i64 = xs
    entry both [n] (xs: [n]i64) : ([n]i64, [n]i64) = (xs, xs)
    entry table (i: i64) : [4]i64 = [5, 6, 7, 8]
    entry fails [n] (xs: *[n]i64) (k: i64) : *[n]i64 =
      let xs = xs with [0] = 9
      let ys = map (\\x -> xs[x * k]) (iota n)
      in xs with [1] = ys[0] + ys[n - 1]";

fn several() -> Ready {
    Ready::new(SEVERAL, &["set", "add", "same", "both", "table", "fails"], &[])
}

#[test]
fn one_array_may_be_two_arguments() {
    let ready = several();
    for keeps in [false, true] {
        let args = ready.put("3i64 [1i64, 2i64, 3i64]");
        let (size, xs) = (args[0].clone(), args[1].clone());
        let kept = keeps.then(|| xs.clone());
        drop(args);
        let results = ready.call("add", vec![size, xs.clone(), xs]).unwrap();
        // 1 + 30, 2 + 20, 3 + 10: what is read is what was there before
        assert_eq!(ready.text(&results[0]), "[31i64, 22i64, 13i64]");
        assert!(kept.is_none_or(|xs| ready.text(&xs) == "[1i64, 2i64, 3i64]"));
    }
}

#[test]
fn results_that_share_memory_keep_it() {
    let ready = several();
    let args = ready.put("2i64 [1i64, 2i64]");
    let pair = ready.call("both", args.clone()).unwrap();
    let alias = ready.call("same", args.clone()).unwrap().remove(0);
    assert!(same(&pair[0], &pair[1]) && same(&pair[0], &args[1]) && same(&alias, &args[1]));
    // each of the handles is the only one, of memory that others have
    let mut pair = pair.into_iter();
    for handle in [pair.next().unwrap(), alias] {
        let set = ready.call("set", vec![args[0].clone(), handle]).unwrap();
        assert_eq!((ready.text(&set[0]), ready.text(&args[1])), ("[9i64, 2i64]".into(), "[1i64, 2i64]".into()));
    }
    let (size, last) = (args[0].clone(), pair.next().unwrap());
    drop(args);
    let before = memory(&last);
    // now it is the only one
    let set = ready.call("set", vec![size, last]).unwrap();
    assert!(memory(&set[0]).ptr_eq(&before));
}

#[test]
fn constants_stay() {
    let ready = several();
    for _ in 0..2 {
        let table = ready.call("table", ready.put("0i64")).unwrap().remove(0);
        assert_eq!(ready.text(&table), "[5i64, 6i64, 7i64, 8i64]");
        let args = ready.put("4i64").into_iter().chain([table]).collect();
        assert_eq!(ready.text(&ready.call("set", args).unwrap()[0]), "[9i64, 6i64, 7i64, 8i64]");
    }
}

#[test]
fn a_call_that_fails_leaves_what_is_kept() {
    let ready = several();
    let args = ready.put("2i64 [1i64, 2i64] 3i64");
    let message = |args| ready.call("fails", args).err().map(|e| e.message).unwrap_or_default();
    assert_eq!(message(args.clone()), "Index [3] out of bounds for array of shape [2].");
    assert_eq!(ready.text(&args[1]), "[1i64, 2i64]");
    // what is consumed is gone
    let consumed = memory(&args[1]);
    assert_eq!(message(args), "Index [3] out of bounds for array of shape [2].");
    assert!(consumed.upgrade().is_none());
    // 9 + 9 for k = 0
    assert_eq!(ready.text(&ready.call("fails", ready.put("2i64 [1i64, 2i64] 0i64")).unwrap()[0]), "[9i64, 18i64]");
}
