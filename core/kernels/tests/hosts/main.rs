//! Host programs in files: `tests/programs/*.host`. Each says in comments how it is called and what comes out, and why:
//!
//! ```text
//! -- call main 3i64 [1i32, 2i32, 3i32]        an entry point and its arguments
//! -- gives [2i32, 4i32, 6i32] 12i32           what it returns
//! -- fails Bounds @2 @7: Index [3] out        how it fails: what, where, in which calls, and how the message begins
//! -- internal never written                   what the executor says of it
//! -- wrong Types                              it is not well-formed, and this alone is wrong
//! ```
//!
//! Besides, each is written and read back.

use futi_core::backend::{Backend, CallCtx, Options as Asked};
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::value::Value;
use futi_core::value::text::parse_values;
use futi_kernels::exec::Executor;
use futi_kernels::exec::device::Options;
use futi_kernels::host::HostProgram;
use futi_kernels::host::check::errors;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 50, "some programs are not where they were");
    let trial = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(name, move || test(&path).map_err(Failed::from))
    };
    libtest_mimic::run(&Arguments::from_args(), paths.into_iter().map(trial).collect()).exit();
}

fn test(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let program: HostProgram = text.parse().map_err(|e| format!("{}:{e}", path.display()))?;
    let printed = program.to_string();
    match printed.parse::<HostProgram>() {
        Ok(again) if again == program => {}
        Ok(_) => return Err(format!("it does not come back from its text:\n{printed}")),
        Err(e) => return Err(format!("{e} in its text:\n{printed}")),
    }
    let mut rules: Vec<String> = errors(&program).iter().map(|e| format!("{:?}", e.rule)).collect();
    rules.dedup();
    let lines = text.lines().filter_map(|line| line.strip_prefix("-- "));
    let said: Vec<(&str, &str)> = lines.map(|line| line.split_once(' ').unwrap_or((line, ""))).collect();
    let wanted: Vec<&str> = said.iter().filter(|(word, _)| *word == "wrong").map(|(_, rule)| *rule).collect();
    if rules != wanted {
        return Err(format!("{rules:?} is broken, not {wanted:?}: {:?}", errors(&program)));
    }
    let mut calls = 0;
    for (i, (_, args)) in said.iter().enumerate().filter(|(_, (word, _))| *word == "call") {
        let (word, expected) = said.get(i + 1).ok_or("what comes out?")?;
        for seed in 0..4 {
            // other sizes of groups, and more of them
            let group_size = [8, 8, 3, 32][seed as usize];
            let options = Options { seed, group_size, ..Options::default() };
            let result = called(&program, options, args);
            agrees(result, word, expected).map_err(|why| format!("call {args}, seed {seed}: {why}"))?;
        }
        calls += 1;
    }
    if wanted.is_empty() && calls == 0 { Err("it is not called".into()) } else { Ok(()) }
}

fn called(program: &HostProgram, options: Options, call: &str) -> Result<Vec<Value>, RuntimeError> {
    let (entry, args) = call.split_once(' ').unwrap_or((call, ""));
    let executor = Executor::new(options);
    let executable = executor.load(program.clone(), &Asked::default()).expect("it is well-formed");
    let args = parse_values(args).expect("values").iter().map(|x| executor.put(x)).collect::<Result<Vec<_>, _>>()?;
    let before: Vec<Value> = args.iter().map(|arg| executor.get(arg)).collect::<Result<_, _>>()?;
    let call = |args| -> Result<Vec<Value>, RuntimeError> {
        let results = executable.call(entry, args, &CallCtx::default())?;
        results.iter().map(|result| executor.get(result)).collect()
    };
    let results = call(args.clone());
    for (arg, before) in args.iter().zip(before) {
        assert_eq!(executor.get(arg)?, before, "an argument has changed");
    }
    // now the call may have for itself what it consumes
    assert_eq!(call(args), results, "in place");
    results
}

fn agrees(result: Result<Vec<Value>, RuntimeError>, word: &str, expected: &str) -> Result<(), String> {
    let text = |values: &[Value]| values.iter().map(|v| v.to_string()).collect::<Vec<_>>().join(" ");
    match (word, result) {
        ("gives", Ok(values)) => {
            let wanted = text(&parse_values(expected).map_err(|e| e.to_string())?);
            if text(&values) == wanted { Ok(()) } else { Err(format!("it gives {}, not {wanted}", text(&values))) }
        }
        ("fails", Err(e)) => {
            let places: String = [e.prov].iter().chain(&e.calls).map(|p| format!(" @{}", p.0)).collect();
            let is = format!("{:?}{places}: {}", e.kind, e.message);
            if is.starts_with(expected) { Ok(()) } else { Err(format!("it fails by {is}")) }
        }
        ("internal", Err(e)) if e.kind == FailureKind::Internal && e.message.contains(expected) => Ok(()),
        ("fails" | "internal", Ok(values)) => Err(format!("it gives {}", text(&values))),
        ("gives" | "internal", Err(e)) => Err(format!("{:?} at {:?}: {e}", e.kind, e.prov)),
        _ => Err(format!("{word} is no outcome")),
    }
}
