use super::*;
use crate::futhark::Breakage;
use futi_core::backend::{Backend, Executable, Handle, Options, Unsupported};
use futi_core::failure::RuntimeError;
use futi_core::ir::Program;
use futi_core::ir::check::Checked;
use futi_core::value::Value;
use futi_core::value::text::parse_values;
use futi_interp::Interpreter;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

const PROGRAM: &str = "futi-ir 1
    entry \"f\"(x_0: i32, y_1: i32) -> (r_2: i32) sig 0 (\"x\": i32, \"y\": i32) -> i32 {
      let (c_3: cert) = check nonzero y_1 @1
      let (z_4: i32) = div.i32(x_0, y_1) certs (c_3)
      in (z_4)
    }
    files \"a.fut\"
    prov 1 = span 0 5 6";

/// What the interpreter's server answers to this input.
fn answers(input: &str) -> String {
    let mut output = Vec::new();
    let result = serve(&Interpreter::default() as &dyn Backend, &Options::default(), input.as_bytes(), &mut output);
    let text = String::from_utf8(output).unwrap();
    let error = result.err().map_or(String::new(), |e| e.to_string());
    text.replace(MARK, "") + &error
}

#[test]
fn a_session() {
    let text: Program = PROGRAM.parse().unwrap();
    let text = text.to_string();
    let input = format!("compile\t{}\n{text}call\tf\t2\n7\n2\ncall\tf\t2\n7\n0\n", text.lines().count());
    assert_eq!(
        answers(&input),
        "hello\t1\tCore\t1\tinterp\ncompiled\nvalue\t3i32\ndone\nerror\tDivisionByZero\t1\tdivision by zero\n"
    );
}

#[test]
fn what_is_no_command_ends_it() {
    assert!(answers("dance\n").ends_with("`dance` is no command"));
    assert!(answers("compile\t5\nfuti-ir 1\n").ends_with("the input ends inside of a command"));
    assert!(answers("compile\t1\nfuti\n").contains("the IR does not parse"));
}

#[test]
fn options_stand_behind_the_name() {
    let name = |text| named(text).map(|(name, options)| (name, options.tuning));
    assert_eq!(name("my own"), Ok(("my own".into(), vec![])));
    assert_eq!(name("executor free=off x=7"), Ok(("executor".into(), vec![("free".into(), 0), ("x".into(), 7)])));
    assert_eq!(name("command:run x=1 y"), Ok(("command:run x=1 y".into(), vec![])));
    assert!(name("executor free=maybe").is_err() && name("executor free=off poison").is_err());
}

#[test]
fn an_option_that_the_backend_does_not_have_ends_it() {
    let program: Program = "futi-ir 1 entry \"f\"() -> (r_1: i32) sig 0 () -> i32 { in (1i32) }".parse().unwrap();
    let text = program.to_string();
    let input = format!("compile\t{}\n{text}", text.lines().count());
    let served = |option: &str| {
        let options = Options { tuning: vec![(option.into(), 0)] };
        let executor = futi_kernels::exec::Executor::default();
        serve(&executor, &options, input.as_bytes(), Vec::new()).map_err(|e| e.to_string())
    };
    assert_eq!(served("free"), Ok(()));
    assert_eq!(served("fre"), Err("the backend executor has no option `fre`".into()));
}

/// The interpreter, and how often it has compiled.
#[derive(Default)]
struct Counted(Interpreter, AtomicUsize);

impl Backend for Counted {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn level(&self) -> IrLevel {
        self.0.level()
    }
    fn compile(&self, program: &Checked<Program>, options: &Options) -> Result<Box<dyn Executable>, Vec<Unsupported>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.compile(program, options)
    }
    fn put(&self, value: &Value) -> Result<Handle, RuntimeError> {
        self.0.put(value)
    }
    fn get(&self, handle: &Handle) -> Result<Value, RuntimeError> {
        self.0.get(handle)
    }
}

#[test]
fn the_programs_used_last_are_compiled_once() {
    let served = |numbers: &[i32]| {
        let program = |n: &i32| {
            let text = format!("futi-ir 1 entry \"f\"() -> (r_1: i32) sig 0 () -> i32 {{ in ({n}i32) }}");
            let text = text.parse::<Program>().unwrap().to_string();
            format!("compile\t{}\n{text}call\tf\t0\n", text.lines().count())
        };
        let input: String = numbers.iter().map(program).collect();
        let (backend, mut output) = (Counted::default(), Vec::new());
        serve(&backend, &Options::default(), input.as_bytes(), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        let values = output.lines().filter_map(|line| line.strip_prefix(&format!("{MARK}value\t")));
        let values: Vec<String> = values.map(str::to_owned).collect();
        assert_eq!(values, numbers.iter().map(|n| format!("{n}i32")).collect::<Vec<_>>());
        backend.1.into_inner()
    };
    assert_eq!(served(&[1, 2, 3, 1, 2, 3, 3, 1]), 3);
    // the first one has gone when it is asked for again
    let many: Vec<i32> = (0..100).chain([0]).collect();
    assert_eq!(served(&many), 101);
}

#[test]
fn text_survives_the_line() {
    let text = "a\tb\\n\nc\\";
    assert_eq!(unescape(&escape(text)), text);
    assert!(!escape(text).contains(['\n', '\t']));
}

fn limits() -> Limits {
    Limits { start: Duration::from_millis(500), command: Duration::from_millis(500) }
}

/// A child that is a shell script.
fn script(text: &str) -> Result<Child, Broken> {
    let command = BackendCommand { program: "sh".into(), args: vec!["-c".into(), text.into()], name: "script".into() };
    Child::start(&command, limits())
}

fn breakage<T>(result: Result<T, Broken>) -> Breakage {
    result.err().expect("a broken child").how
}

fn args() -> Vec<Value> {
    parse_values("1 2").unwrap()
}

const HELLO: &str = r#"printf 'futi> hello\t1\tFlat\t1\tx\n'; "#;

#[test]
fn a_child_that_cannot_start_ends_or_hangs_is_told_apart() {
    let nowhere = BackendCommand { program: "/nonexistent".into(), args: vec![], name: "x".into() };
    assert!(matches!(breakage(Child::start(&nowhere, limits())), Breakage::Start(_)));
    match breakage(script("echo no device >&2; exit 3")) {
        Breakage::Ended(how) => assert!(how.contains("3") && how.contains("no device"), "{how}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(breakage(script("sleep 30")), Breakage::Hung(limits().start));
    assert_eq!(breakage(script("echo 'futi> what'; sleep 1")), Breakage::Garbled("what".into()));
}

#[test]
fn a_child_says_whether_subnormal_numbers_may_count_as_zero() {
    let flushes = |hello: &str| script(hello).unwrap().flushes;
    let says = HELLO.replace(r"x\n", r"x\tflushes\n");
    assert_eq!([HELLO, &says].map(flushes), [false, true]);
    let other = HELLO.replace(r"x\n", r"x\tothers\n");
    assert!(matches!(breakage(script(&other)), Breakage::Garbled(_)));
}

#[test]
fn a_crash_or_hang_during_a_call_is_the_failure_of_the_call() {
    let mut child =
        script(&format!("{HELLO} echo stray; read l; read a; read b; echo lost it >&2; kill -SEGV $$")).unwrap();
    assert_eq!(child.level, IrLevel::Flat);
    match breakage(child.call("f", &args())) {
        Breakage::Ended(how) => {
            assert!(how.contains("signal: 11") && how.contains("lost it") && how.contains("stray"), "{how}")
        }
        other => panic!("{other:?}"),
    }
    let mut child = script(&format!("{HELLO} read l; sleep 30")).unwrap();
    assert_eq!(breakage(child.call("f", &args())), Breakage::Hung(limits().command));
}

/// What a call of that script with these arguments comes to. That it comes to nothing is no hang of the test.
fn call_of(text: String, args: Vec<Value>) -> Breakage {
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(breakage(script(&text).unwrap().call("f", &args))));
    receiver.recv_timeout(Duration::from_secs(60)).expect("an end of the call")
}

#[test]
fn no_child_keeps_the_harness_waiting() {
    let hung = Breakage::Hung(limits().command);
    // more than fits into a pipe
    let many = parse_values(&format!("[{}]", ["0.25"; 40_000].join(", "))).unwrap();
    assert_eq!(call_of(format!("{HELLO} sleep 600"), many), hung);
    let endless = r"while :; do printf 'futi> value\t1i32\n'; sleep 0.05; done";
    assert_eq!(call_of(format!("{HELLO} {endless}"), args()), hung);
}

#[test]
fn a_backend_is_tried_before_it_is_used() {
    let command = |program: &str, text: &str| BackendCommand {
        program: program.into(),
        args: vec!["-c".into(), text.into()],
        name: "mine".into(),
    };
    // more seconds than the clock has
    assert_eq!(command("sh", &format!("{HELLO} cat")).probe(Duration::MAX), Ok(()));
    let probe = |command: BackendCommand| command.probe(Duration::from_secs(60)).unwrap_err();
    let what = probe(command("/no/such", ""));
    assert!(
        what.starts_with("the backend `mine` cannot be used: ") && what.contains("/no/such: No such file"),
        "{what}"
    );
    let what = probe(command("sh", "echo no device >&2; exit 1"));
    assert!(what.contains("exit status: 1\nno device"), "{what}");
}

#[test]
fn results_and_failures_come_back() {
    let mut child = script(&format!(
        r#"{HELLO} read l; read a; read b; printf 'futi> value\t[1i32, 2i32]\nfuti> done\n'
        read l; read a; read b; printf 'futi> error\tBounds\t7\tIndex\n'; cat"#
    ))
    .unwrap();
    assert_eq!(child.call("f", &args()).unwrap().unwrap(), parse_values("[1, 2]").unwrap());
    let error = child.call("f", &args()).unwrap().unwrap_err();
    assert_eq!((error.kind, error.prov.0, error.message.as_str()), (FailureKind::Bounds, 7, "Index"));
}
