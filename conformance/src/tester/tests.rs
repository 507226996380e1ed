use super::program::Program;
use super::serve::Job;
use super::*;
use crate::suite;
use std::path::Path;

fn job(path: &Path, mode: Mode) -> Job {
    let (path, seed, tuning) = (path.to_path_buf(), crate::dataset::SEED, Some(futi_embed::tuning::EXTENSION.into()));
    Job { path, mode, cases: vec![], seed, outside: false, tuning, constructs: false }
}

/// What comes of the cases of a program that lies beside these files, in this process.
fn cases(files: &[(&str, &str)], text: &str, mode: Mode) -> Vec<CaseReport> {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("p.fut");
    std::fs::write(&program, text).unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let n = plan::cases(&suite::program(program.clone()), mode).len();
    let backend = crate::child::built_in("interp").unwrap();
    let program = Program::compile(&job(&program, mode), backend.as_ref());
    (0..n).map(|i| program.case(i)).collect()
}

/// The names of a program's cases, each with `passed` or what is wrong.
fn verdicts(text: &str, mode: Mode) -> Vec<String> {
    verdicts_beside(&[], text, mode)
}

/// The same of a program that lies beside these files.
fn verdicts_beside(files: &[(&str, &str)], text: &str, mode: Mode) -> Vec<String> {
    let word = |c: CaseReport| match c.verdict {
        Verdict::Passed => format!("{} passed", c.case),
        Verdict::Failed { cause, .. } => format!("{} {cause:?}", c.case),
        Verdict::Skipped { .. } => format!("{} skipped", c.case),
    };
    cases(files, text, mode).into_iter().map(word).collect()
}

#[test]
fn expected_results_and_failures_decide() {
    let text = "-- ==
-- input { 1 } output { 2 }
-- input { 1 } output { 3 }
-- input { 1 } output { 2i64 }
-- input { 1 } output { 2 2 }
-- input { 0 } error: division by zero
-- input { 0 } error: out of bounds
-- input { 0 } output { 0 }
-- input { 1 } error:
-- input { 1i64 } output { 2 }
-- input { 1 }
-- input { 1 } auto output
-- entry: other
-- input { }
entry main (x: i32) : i32 = 2 / x
";
    let block = text.replace("-- entry: other\n-- input { }\n", "");
    let expected = [
        "main#1 passed",
        "main#2 Result",
        "main#3 Result",
        "main#4 Result",
        "main#5 passed",
        "main#6 OtherFailure",
        "main#7 Fails(\"DivisionByZero\")",
        "main#8 NoFailure",
        "main#9 Input",
        "main#10 passed",
        "main#11 passed",
    ];
    assert_eq!(verdicts(&block, Mode::Run), expected);
    // `entry:` may stand at the beginning only
    assert_eq!(verdicts(text, Mode::Run), ["test block Test"]);
    let missing = "-- ==\n-- entry: f\n-- input { }\nentry main : i32 = 1\n";
    assert_eq!(verdicts(missing, Mode::Run), ["f#1 Input"]);
}

#[test]
fn results_are_compared_twice() {
    let text = "-- ==
-- input { } output { 1000.0 1.5f32 }
-- input { } output { 1001.0 1.501f32 }
-- input { } output { 1003.0 1.5f32 }
entry main : (f64, f32) = (1000.0, 1.5)
";
    let found = cases(&[], text, Mode::Run);
    let strict: Vec<_> = found.iter().map(|c| c.strict.as_deref()).collect();
    assert_eq!(strict, [None, Some("result 1 of 2: 1000.0f64, expected 1001.0f64"), None]);
    assert_eq!((&found[0].verdict, &found[1].verdict), (&Verdict::Passed, &Verdict::Passed));
    let what = "result 1 of 2: 1000.0f64, expected 1003.0f64";
    assert_eq!(found[2].verdict, Verdict::failed(Cause::Result, what));
}

#[test]
fn data_comes_from_files_chance_and_scripts() {
    // -223823371 and -1815469669 are `futhark dataset -g [2]i32`: their sum wraps not, -2039293040
    let text = "-- ==
-- input @ data.in output { 3 }
-- input @ data.nowhere output { 3 }
-- input { [3] } output @ data.in
-- random input { [2]i32 } output { -2039293040 }
-- script input { two 7 } output { 14 }
-- script input @ data.script output { 2 }
-- script input { three 7 } output { 14 }
entry main (xs: []i32) : i32 = reduce (+) 0 xs
entry two (x: i32) : []i32 = [x, x]
";
    let expected = [
        "main#1 passed",
        "main#2 Input",
        "main#3 Result",
        "main#4 passed",
        "main#5 passed",
        "main#6 passed",
        "main#7 Input",
    ];
    let files = [("data.in", "[1, 2]"), ("data.script", "two 1")];
    assert_eq!(verdicts_beside(&files, text, Mode::Run), expected);
}

#[test]
fn files_outside_of_the_programs_folder_need_a_flag() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("inner/p.fut");
    std::fs::create_dir_all(folder.path().join("inner/deep")).unwrap();
    for file in ["secret.in", "inner/deep/own.in"] {
        std::fs::write(folder.path().join(file), "1").unwrap();
    }
    std::os::unix::fs::symlink(folder.path().join("secret.in"), folder.path().join("inner/link.in")).unwrap();
    let text = "-- ==
-- input @ deep/own.in output { 1 }
-- input @ ../secret.in output { 1 }
-- input @ link.in output { 1 }
-- input { 1 } output @ deep/../../secret.in
-- script input { $loaddata \"../secret.in\" } output { 1 }
-- script input { $loaddata \"deep/own.in\" } output @ deep/own.in
entry main (x: i32) : i32 = x
";
    std::fs::write(&program, text).unwrap();
    let backend = crate::child::built_in("interp").unwrap();
    let passed = |outside: bool| {
        let program = Program::compile(&Job { outside, ..job(&program, Mode::Run) }, backend.as_ref());
        (0..6).map(|i| program.case(i).verdict == Verdict::Passed).collect::<Vec<_>>()
    };
    assert_eq!(passed(false), [true, false, false, false, false, true]);
    assert_eq!(passed(true), [true; 6]);
}

#[test]
fn tuning_parameters_are_read_from_a_file_beside_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("p.fut");
    let text = "-- ==\n-- input { 2i64 } output { 5i64 3i64 [0i64, 0i64, 0i64] }
entry main (x: i64) = (x + #[param(n)] x, #[param(n)] 7i64, replicate (#[param(n)] x) 0i64)";
    std::fs::write(&program, text).unwrap();
    std::fs::write(folder.path().join("p.fut.tuning"), "n=9\nother=1\nn=3\n").unwrap();
    std::fs::write(folder.path().join("p.fut.bad"), "n").unwrap();
    let backend = crate::child::built_in("interp").unwrap();
    let verdict = |tuning: Option<&str>| {
        let job = Job { tuning: tuning.map(String::from), ..job(&program, Mode::Run) };
        Program::compile(&job, backend.as_ref()).case(0).verdict
    };
    assert_eq!(verdict(Some("tuning")), Verdict::Passed);
    assert!(matches!(verdict(None), Verdict::Failed { cause: Cause::Result, .. }));
    let Verdict::Failed { what, .. } = verdict(Some("bad")) else { panic!("it is no parameter") };
    assert!(what.ends_with("p.fut.bad:1: `n` is not of the form NAME=VALUE"), "{what}");
}

#[test]
fn programs_are_rejected_for_what_is_wrong_with_them() {
    let of = |pattern: &str, source: &str| {
        let text = format!("-- ==\n-- error: {pattern}\n{source}\n");
        verdicts(&text, Mode::Run).remove(0)
    };
    let wrong = "entry main (x: i32) : i32 = y";
    assert_eq!(of("Unknown name .y.", wrong), "error passed");
    assert_eq!(of("", wrong), "error passed");
    assert_eq!(of("[Cc]ausality", wrong), "error OtherDiagnostic([\"E0201\"])");
    assert_eq!(of("anything", "entry main (x: i32) : i32 = x"), "error Accepted");
    // what is not rejected must compile, whatever else is asked
    let found = verdicts(&format!("-- ==\n-- input {{ 1 }} error: y\n{wrong}\n"), Mode::Run);
    assert_eq!(found, ["main#1 Rejected([\"E0201\"])"]);
}

#[test]
fn properties_are_tested() {
    let text = "-- ==
-- property: holds fails plain
#[prop] entry holds (x: i32) : bool = x == x
#[prop] entry fails (x: i32) : bool = x < 3
entry plain (x: i32) : bool = x < 3
";
    assert_eq!(
        verdicts(text, Mode::Run),
        ["property holds passed", "property fails Property", "property plain Property"]
    );
}

#[test]
fn modes_choose_cases() {
    let text = "-- ==
-- input { 1 } output { 2 }
-- random input { i32 } auto output
-- structure { BinOp 1 }
-- structure { BinOp 7 Alloc 1 }
-- structure { BinOp 1 Alloc 1 }
-- structure gpu-mem { Alloc 1 }
-- warning: unused
entry main (x: i32) : i32 = x * 2
";
    assert_eq!(verdicts(text, Mode::Run), ["main#1 passed", "main#2 passed", "warning#1 Warning"]);
    assert_eq!(verdicts(text, Mode::Typecheck), ["compiles passed", "warning#1 Warning"]);
    assert_eq!(verdicts(text, Mode::Literal), ["compiles passed", "main#1 passed"]);
    assert_eq!(
        verdicts(text, Mode::Structure),
        ["structure fused passed", "structure fused Structure", "structure fused skipped", "structure gpu-mem skipped"]
    );
}

#[test]
fn tags_and_names_leave_out() {
    let text = "-- ==\n-- tags { slow }\n-- compiled input { 1 }\n-- no_interp input { 2 }\n-- notest input { 3 }\ndef x = 1\n";
    let file = tempfile::NamedTempFile::with_suffix(".fut").unwrap();
    std::fs::write(&file, text).unwrap();
    let test = suite::program(file.path().into());
    let skipped = |options: &Options| {
        let of = |c: &suite::Case| plan::skipped(&test, c, options);
        plan::cases(&test, options.mode).iter().map(of).map(|s| s.unwrap_or_default()).collect::<Vec<_>>()
    };
    let tagged = |tag: &str| format!("it is tagged `{tag}`");
    let all = Options::default();
    assert_eq!(skipped(&all), [String::new(), tagged("no_interp"), tagged("notest")]);
    assert_eq!(skipped(&Options { mode: Mode::Interpret, ..all.clone() })[0], tagged("compiled"));
    assert_eq!(skipped(&Options { exclude: vec!["slow".into()], ..all.clone() }), vec![tagged("slow"); 3]);
    assert_eq!(skipped(&Options { backend: "vulkan".into(), ..all.clone() })[1], "");
    let wanted = |options: &Options| test.cases.iter().filter(|c| plan::wanted(&test, c, options)).count();
    assert_eq!(wanted(&Options { entry_points: vec!["main".into()], ..all.clone() }), 3);
    assert_eq!(wanted(&Options { entry_points: vec!["f".into()], ..all.clone() }), 0);
    assert_eq!(wanted(&Options { filter: Some("main#2".into()), ..all }), 1);
}

#[test]
fn the_closing_line_counts() {
    let case = |verdict| CaseReport { case: "main#1".into(), verdict, strict: None, seconds: 0.0 };
    let failed = case(Verdict::failed(Cause::Time, "late"));
    let skipped = case(Verdict::Skipped { reason: "why".into() });
    let cases = vec![case(Verdict::Passed), failed, skipped.clone(), skipped];
    let report = Report { programs: vec![ProgramReport { program: "a.fut".into(), cases, tree: None }] };
    assert_eq!(report.to_string(), "a.fut:main#1: FAILED\n  late\n2 skipped: why\n1 passed, 1 failed, 2 skipped\n");
    assert_eq!(report.json()["programs"][0]["cases"][1]["cause"], "time");
    assert_eq!(report.json()["not_supported"], 0);
    // what is not supported, when the program is compiled or the case is run
    let causes =
        [Cause::Rejected(vec!["E0503".into()]), Cause::NotSupported("x".into()), Cause::Rejected(vec!["E0301".into()])];
    let cases = causes.into_iter().map(|c| case(Verdict::failed(c, ""))).collect();
    let other = Report { programs: vec![ProgramReport { program: "b.fut".into(), cases, tree: None }] };
    assert_eq!(other.closing_line(), "0 passed, 3 failed (2 not supported), 0 skipped");
    assert_eq!(other.json()["not_supported"], 2);
    // what a process answers is read as it was written
    let text = serde_json::to_string(&report.programs[0].cases).unwrap();
    assert_eq!(serde_json::from_str::<Vec<CaseReport>>(&text).unwrap(), report.programs[0].cases);
}
