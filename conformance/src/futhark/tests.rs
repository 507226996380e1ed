use super::*;
use futi_core::value::text::parse_values;
use std::time::Duration;

fn limits() -> Limits {
    Limits { start: Duration::from_millis(1000), command: Duration::from_millis(1000) }
}

/// A server that is a shell script, which reads commands by `read l` and answers what is written here.
fn script(text: &str) -> Result<Server, Broken> {
    Server::start(Path::new("sh"), &["-c".into(), text.into()], limits())
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
    assert!(matches!(nowhere, Err(Broken::Start(_))));
    assert!(matches!(script("echo hello; sleep 5").err(), Some(Broken::Garbled(line)) if line == "hello"));
    assert_eq!(script("exec sleep 30").err(), Some(Broken::Hung(limits().start)));
    match script("echo no device >&2; exit 3").err() {
        Some(Broken::Ended(how)) => assert!(how.contains('3') && how.contains("no device"), "{how}"),
        other => panic!("{other:?}"),
    }
    let begin = "echo '%%% OK'; read c; echo '%%% OK';";
    let mut failing =
        script(&format!("{begin} read c; echo out; echo '%%% FAILURE'; echo one; echo two; echo '%%% OK'; read c"))
            .unwrap();
    assert_eq!(failing.command(&["call", "f"]).unwrap(), Err("one\ntwo".to_string()));
    let mut crashing = script(&format!("{begin} read c; kill -SEGV $$")).unwrap();
    match crashing.command(&["call", "f"]) {
        Err(Broken::Ended(how)) => assert!(how.contains("signal: 11"), "{how}"),
        other => panic!("{other:?}"),
    }
    let mut hanging = script(&format!("{begin} read c; exec sleep 30")).unwrap();
    assert_eq!(hanging.command(&["call", "f"]), Err(Broken::Hung(limits().command)));
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
          'new v5 "(i32, bool)" v2 v3') ;;
          'new v6 "(f64, (i32, bool))" v1 v5') ;;
          'call f v4 v6') ;;
          'project v7 v4 0'|'project v8 v4 1'|'project v9 v8 0'|'project v10 v8 1') ;;
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
    let folder = Folder::new().unwrap();
    let (good, bad) = (folder.file("good"), folder.file("bad"));
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
        assert!(matches!(loaded.call("f", &args), Err(Broken::Ended(how)) if how.contains('9')));
    }
}
