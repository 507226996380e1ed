use super::*;
use futi_core::value::text::parse_values;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::channel;
use std::time::Duration;
use tempfile::TempDir;

fn limits() -> Limits {
    Limits { start: Duration::from_millis(1000), command: Duration::from_millis(1000) }
}

/// A server that is a shell script, which reads commands by `read l` and answers what is written here.
fn script(text: &str) -> Result<Server, Broken> {
    Server::start(Path::new("sh"), &["-c".into(), text.into()], limits())
}

fn breakage<T>(result: Result<T, Broken>) -> Breakage {
    result.err().expect("a broken process").how
}

/// A shell script that can be run. A shell writes it: a file that this process has open for writing while another thread starts one cannot be.
fn executable(folder: &TempDir, text: &str) -> PathBuf {
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let path = folder.path().join(format!("script-{number}"));
    let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$0" && chmod +x "$0""#;
    let status = Command::new("sh").args(["-c", write]).arg(&path).arg(text).status().unwrap();
    assert!(status.success());
    path
}

/// Answers commands as a server does that has the entry point `f: f64 -> outputs`, which it computes by copying the input's file; prints the
/// commands that it does not know and ends.
fn copying(outputs: &str) -> String {
    format!(
        r#"echo '%%% OK'
        while read c x y z; do case "$c" in
          entry_points) echo f;;
          inputs) echo '*f64';;
          outputs) {outputs};;
          output) echo f64;;
          restore) file="$x"; v="$y";;
          call) if [ "$y$z" = "" ]; then echo odd >&2; exit 4; fi; echo 'runtime: 5';;
          store) cp "$file" "$x";;
          free) ;;
          clear) ;;
          *) echo "Unknown command: $c" >&2; exit 1;;
        esac; echo '%%% OK'; done"#
    )
}

#[test]
fn values_go_there_and_come_back() {
    for outputs in ["echo f64", "echo \"Unknown command: $c\" >&2; exit 1"] {
        let mut server = script(&copying(outputs)).unwrap();
        assert_eq!(server.entry_points().unwrap(), ["f"]);
        assert_eq!(server.inputs("f").unwrap().unwrap(), ["f64"]);
        assert_eq!(server.outputs("f").unwrap().unwrap(), ["f64"]);
        let args = parse_values("2.5").unwrap();
        assert_eq!(server.call("f", &args).unwrap().unwrap(), args);
        assert_eq!(server.clear().unwrap(), Ok(()));
        assert_eq!(server.call("f", &[]).unwrap().unwrap_err(), "f takes 1 values, not 0");
    }
}

#[test]
fn failures_crashes_hangs_and_nonsense_are_told_apart() {
    let nowhere = Server::start(Path::new("/nonexistent"), &[], limits());
    assert!(matches!(breakage(nowhere), Breakage::Start(_)));
    assert_eq!(breakage(script("echo hello; sleep 5")), Breakage::Garbled("hello".into()));
    assert_eq!(breakage(script("exec sleep 30")), Breakage::Hung(limits().start));
    match breakage(script("echo no device >&2; exit 3")) {
        Breakage::Ended(how) => assert!(how.contains('3') && how.contains("no device"), "{how}"),
        other => panic!("{other:?}"),
    }
    let begin = "echo '%%% OK'; read c; echo '%%% OK';";
    let mut failing =
        script(&format!("{begin} read c; echo out; echo '%%% FAILURE'; echo one; echo two; echo '%%% OK'; read c"))
            .unwrap();
    assert_eq!(failing.command(&["call", "f"]).unwrap(), Err("one\ntwo".to_string()));
    let mut crashing = script(&format!("{begin} read c; kill -SEGV $$")).unwrap();
    match breakage(crashing.command(&["call", "f"])) {
        Breakage::Ended(how) => assert!(how.contains("signal: 11"), "{how}"),
        other => panic!("{other:?}"),
    }
    let mut hanging = script(&format!("{begin} read c; exec sleep 30")).unwrap();
    assert_eq!(breakage(hanging.command(&["call", "f"])), Breakage::Hung(limits().command));
}

/// What this comes to. That it comes to nothing is no hang of the test.
fn in_time<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(f()));
    receiver.recv_timeout(Duration::from_secs(60)).expect("an end")
}

#[test]
fn no_process_keeps_the_harness_waiting() {
    let begin = "echo '%%% OK'; read c; echo '%%% OK';";
    let mut endless = script(&format!("{begin} read c; while :; do echo line; sleep 0.05; done")).unwrap();
    assert_eq!(in_time(move || breakage(endless.command(&["call", "f"]))), Breakage::Hung(limits().command));
    // an interpreter that does not read what it is given
    let folder = tempfile::tempdir().unwrap();
    let deaf = executable(&folder, "[ $1 = check ] || exec sleep 600");
    let mut loaded = Reference::interpreter(&deaf, limits()).load("").unwrap();
    let many = parse_values(&format!("[{}]", ["0.25"; 40_000].join(", "))).unwrap();
    assert_eq!(in_time(move || breakage(loaded.call("f", &many))), Breakage::Hung(limits().command));
    let slow = executable(&folder, "sleep 600 & wait");
    let load = move || Reference::interpreter(&slow, limits()).load("").err();
    assert!(matches!(in_time(load), Some(Refused::Broken(Broken { how: Breakage::Hung(_), .. }))));
}

#[test]
fn records_are_taken_apart_and_put_together() {
    // the types (f64, (i32, bool)) -> the same, by name; values are copied, file for file
    let server = r#"echo '%%% OK'
        while read -r l; do case "$l" in
          entry_points) echo f;;
          'inputs f'|'outputs f') echo '(f64, (i32, bool))';;
          'fields "(f64, (i32, bool))"') echo '0 f64'; echo '1 (i32, bool)';;
          'fields "(i32, bool)"') echo '0 i32'; echo '1 bool';;
          restore*) file=${l#restore }; file=${file%% *};;
          'new v4 "(i32, bool)" v2 v3') ;;
          'new v5 "(f64, (i32, bool))" v1 v4') ;;
          'call f v6 v5') ;;
          'project v7 v6 0'|'project v8 v6 1'|'project v9 v8 0'|'project v10 v8 1') ;;
          store*' v7 v9 v10') to=${l#store }; cp "$file" "${to%% *}";;
          free*) ;;
          *) echo '%%% FAILURE'; echo "what: $l";;
        esac; echo '%%% OK'; done"#;
    let mut server = script(server).unwrap();
    let args = parse_values("1.5 7 true").unwrap();
    assert_eq!(server.call("f", &args).unwrap().unwrap(), args);
}

#[test]
fn a_template_makes_a_server() {
    assert!(Reference::template("cc {fut}", limits()).is_err());
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (folder.path().join("good"), folder.path().join("bad"));
    // the "program" is the script of the server itself
    std::fs::write(&good, "printf '#!/bin/sh\\n' > \"$2\"; cat \"$1\" >> \"$2\"; chmod +x \"$2\"").unwrap();
    std::fs::write(&bad, "echo no such thing >&2; exit 2").unwrap();
    let reference =
        |script: &Path| Reference::template(&format!("sh {} {{fut}} {{out}}", script.display()), limits()).unwrap();
    match reference(&bad).load("") {
        Err(Refused::Rejected(text)) => assert_eq!(text, "no such thing"),
        other => panic!("{:?}", other.err()),
    }
    let mut loaded = reference(&good).load(&copying("echo f64")).unwrap();
    let args = parse_values("0.25").unwrap();
    assert_eq!(loaded.call("f", &args).unwrap().unwrap(), args);
    // what ends a server does not end the next call
    let twice = "echo '%%% OK'; read c; echo f; echo '%%% OK'; read c; echo '%%% OK'; read c; exit 9";
    let mut loaded = reference(&good).load(twice).unwrap();
    for _ in 0..2 {
        assert!(matches!(breakage(loaded.call("f", &args)), Breakage::Ended(how) if how.contains('9')));
    }
}

#[test]
fn a_compiler_that_fails_itself_does_not_reject_the_program() {
    let folder = tempfile::tempdir().unwrap();
    for (script, told) in
        [("echo Internal compiler error >&2; exit 1", "exit status: 1\nInternal"), ("kill -SEGV $$", "signal: 11")]
    {
        let compiler = executable(&folder, script);
        let template = format!("{} {{fut}} {{out}}", compiler.display());
        for reference in
            [Reference::interpreter(&compiler, limits()), Reference::template(&template, limits()).unwrap()]
        {
            match reference.load("").err() {
                Some(Refused::Broken(Broken { who, how: Breakage::Ended(how) })) => {
                    assert!(who == format!("the compiler {}", compiler.display()) && how.contains(told), "{who}: {how}")
                }
                other => panic!("{other:?}"),
            }
        }
    }
    let crashing = executable(&folder, "[ $1 = check ] || kill -SEGV $$");
    let mut loaded = Reference::interpreter(&crashing, limits()).load("").unwrap();
    assert!(matches!(breakage(loaded.call("f", &[])), Breakage::Ended(how) if how.contains("signal: 11")));
}

#[test]
fn an_implementation_is_tried_before_it_is_used() {
    let folder = tempfile::tempdir().unwrap();
    // more seconds than the clock has
    let forever = Limits { start: Duration::MAX, command: Duration::MAX };
    let copies = executable(&folder, "[ $1 = check ] || cat");
    assert_eq!(Reference::interpreter(&copies, forever).probe(), Ok(()));
    let probe = |path: &Path| Reference::interpreter(path, limits()).probe().unwrap_err();
    let what = probe(Path::new("/no/such"));
    assert!(what.starts_with("the compiler /no/such cannot be started: No such file"), "{what}");
    assert_eq!(probe(Path::new("/bin/false")), "the compiler /bin/false ended: exit status: 1");
    assert!(probe(&executable(&folder, "echo nonsense >&2; exit 2")).contains("it rejects `entry main"));
    assert!(probe(&executable(&folder, "true")).contains("makes ``"));
    let template = Reference::template("/bin/true {fut} {out}", limits()).unwrap();
    assert!(template.probe().unwrap_err().starts_with("the other implementation's executable cannot be started"));
}
