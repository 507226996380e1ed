use super::*;

fn runs(source: &str) -> Vec<Run> {
    let blocks = parse(source).unwrap().blocks.into_iter();
    blocks.map(|b| if let Action::Run(r) = b.action { r } else { panic!("{b:?}") }).collect()
}

fn error(source: &str) -> String {
    parse(source).unwrap_err().to_string()
}

fn values(vs: &[Value]) -> String {
    vs.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn comments_before_and_code_between_are_no_blocks() {
    let source =
        "-- words\n-- ==\n-- input { 1 }\n-- output { 2 }\ndef x = 1\n-- ==\n-- entry: f g\n-- input { }\n -- ==\n";
    let runs = runs(source);
    assert_eq!(runs.len(), 2);
    assert_eq!((runs[0].entries[0].as_str(), runs[0].cases.len(), runs[0].cases[0].line), ("main", 1, 3));
    assert_eq!(runs[1].entries, ["f", "g"]);
    assert!(matches!(&runs[1].cases[0].input, Input::Values(v) if v.is_empty()));
    assert!(matches!(&runs[1].cases[0].expect, Expect::Success));
}

#[test]
fn no_block_is_no_test_but_fine() {
    assert!(parse("-- == \u{e9}\ndef x = 1\n").unwrap().blocks.is_empty());
}

#[test]
fn values_go_over_several_lines() {
    let run =
        &runs("-- ==\n-- input {\n--   [1.0,\n--    2] true }\n-- output { 3i64 -f32.inf empty([0][2]i32) }\n")[0];
    let Input::Values(input) = &run.cases[0].input else { panic!() };
    assert_eq!(values(input), "[1.0f64, 2.0f64] true");
    let Expect::Values(output) = &run.cases[0].expect else { panic!() };
    assert_eq!(values(output), "3i64 -f32.inf empty([0][2]i32)");
}

#[test]
fn all_that_a_case_can_be() {
    let source = r#"-- ==
-- tags { disable slow }
-- "small" nobench no_ispc input { 1 } error: division by [a-z]+
-- input @ data/a.in output @ data/a.out
-- nobench random compiled input { [10][3]f32 5i64 f64 } auto output
-- compiled script input { f {x = 2, y = "}\""} } output { 1 }
-- script input @ x.fut
-- structure gpu { SegMap/Loop 1 /SegRed 2 }
-- structure { Screma 3 }
-- warning: unused
"#;
    let spec = parse(source).unwrap();
    assert_eq!(spec.blocks[0].tags, ["disable", "slow"]);
    let Action::Run(run) = &spec.blocks[0].action else { panic!() };
    let [a, b, c, d, e] = &run.cases[..] else { panic!("{run:?}") };
    assert_eq!((a.name.as_deref(), &a.tags[..]), (Some("small"), &["nobench".to_string(), "no_ispc".into()][..]));
    assert!(matches!(&a.expect, Expect::Error(p) if p.to_string() == "division by [a-z]+"));
    assert!(
        matches!((&b.input, &b.expect), (Input::File(i), Expect::File(o)) if i == "data/a.in" && o == "data/a.out")
    );
    let Input::Random(rs) = &c.input else { panic!() };
    assert_eq!(c.tags, ["nobench", "compiled"]);
    let five = Value::Scalar(futi_core::prim::Scalar::I64(5));
    let types = [
        RandomValue::OfType(ScalarType::F32, vec![10, 3]),
        RandomValue::Value(five),
        RandomValue::OfType(ScalarType::F64, vec![]),
    ];
    assert_eq!(rs[..], types);
    assert!(matches!(c.expect, Expect::Auto));
    assert!(matches!(&d.input, Input::Script(s) if s == r#"f {x = 2, y = "}\""}"#));
    assert!(matches!(&e.input, Input::ScriptFile(s) if s == "x.fut"));
    assert_eq!(run.structures[0].stage.as_deref(), Some("gpu"));
    assert_eq!(
        run.structures[0].counts,
        [(vec!["SegMap".to_string(), "Loop".into()], 1), (vec![String::new(), "SegRed".into()], 2)]
    );
    assert_eq!((run.structures[1].stage.as_deref(), run.structures[1].line), (None, 9));
    assert_eq!(run.warnings[0].to_string(), "unused");
}

#[test]
fn compile_errors_stand_alone() {
    let spec = parse("-- ==\n-- error: Unknown name .x.\n").unwrap();
    assert!(matches!(&spec.blocks[0].action, Action::CompileError(p) if p.matches("a\nUnknown name \"x\"\nb")));
    assert_eq!(
        error("-- ==\n-- error:\n\n-- ==\n-- input { }\n"),
        "line 4: no other test block may follow one that asks for a compile error"
    );
    let spec = parse("-- ==\n-- property: p q\n-- property: r\n").unwrap();
    assert!(matches!(&spec.blocks[0].action, Action::Properties(names) if names == &["p", "q", "r"]));
}

#[test]
fn what_is_malformed_is_said_with_its_line() {
    assert_eq!(error("\n-- ==\n-- input { 1\n"), "line 3: a `}` is missing");
    assert_eq!(error("-- ==\n-- input { 1 }\n-- outptu { 1 }\n"), "line 3: expected `input`");
    assert_eq!(error("-- ==\n-- input {\n--  1 x }\n"), "line 3: column 7: `x` is not a value");
    assert_eq!(error("-- ==\n-- input { 1 } output 2\n"), "line 2: expected `{`, found `2`");
    assert_eq!(error("-- ==\n-- structure { Screma }\n"), "line 2: `Screma` is without a number");
    assert_eq!(error("-- ==\n-- input { 1 } ;\n"), "line 2: `;` does not fit in a test block here");
    assert_eq!(error("-- ==\n-- entry:\n"), "line 2: the name of an entry point is missing");
    assert_eq!(
        error("-- ==\n-- random input { [n]f32 }\n"),
        "line 2: `[n]f32` is neither a type with sizes nor a scalar"
    );
    assert!(error("-- ==\n-- input { } error: (\n").starts_with("line 2: `(` is not a regular expression"));
}

#[test]
fn patterns_are_posix_extended() {
    let matches = |p: &str, text: &str| Pattern::new(p).unwrap().matches(text);
    assert!(matches("", "anything"));
    assert!(matches(
        r"Index \[4\] out of bounds for array of shape \[4\]",
        "Error: Index [4] out of bounds for array of shape [4]."
    ));
    assert!(matches("a.*b", "a\n\nb"));
    // an ordinary character after a backslash is that character, where other syntaxes have a class or an anchor
    assert!(matches(r"\d\b", "db") && !matches(r"\d", "7"));
    assert!(matches("f{x}", "f{x}") && matches("a{2}b", "aab") && !matches("a{2}b", "ab"));
    assert!(matches(r"[\d]", r"\") && matches("[[]", "[") && matches("[]a]", "]") && !matches("[^]a]", "a]"));
    assert!(matches("[[:digit:]]+ (x|y)$", "17 y"));
    assert!(matches(r"c:\\", r"c:\"));
}
