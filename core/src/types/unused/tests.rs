use crate::diag::{Code, Severity};
use crate::source::{SourceError, SourceMap};
use crate::types::check;
use crate::{prelude, syntax};

/// Each program with the names, and their columns, of which the warnings are.
fn reported(programs: &[(&str, &[&str])]) {
    let prelude::Prelude { env, sources, .. } = prelude::load();
    let mut wrong = vec![];
    for (text, names) in programs {
        let mut sources = sources.clone();
        let file = sources.add("t.fut", text);
        let (ast, errors) = syntax::parse(file, text);
        assert_eq!(errors, [], "{text}");
        let (_, _, diagnostics) = check(&ast, &env, &sources);
        let name = |d: &crate::diag::Diagnostic| {
            assert_eq!((d.code, d.severity), (Code::UnusedName, Severity::Warning), "{text}: {d:?}");
            let quoted = d.message.split('"').nth(1).unwrap();
            assert_eq!(sources.text(d.span()), quoted, "{text}");
            format!("{quoted}:{}", d.span().start + 1)
        };
        let found: Vec<String> = diagnostics.iter().map(name).collect();
        if found != *names {
            wrong.push(format!("{text}\n    wants {names:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// 0.25.32 warns of the same names; of a local function and of an update it gives the place of the whole.
#[test]
fn names_of_values() {
    reported(&[
        ("def f (a: i32) (b: i32) = b", &["a:8"]),
        ("def f (x: i32) = let y = x + 1 let z = 2i32 in x", &["y:22", "z:36"]),
        ("def f (p: (i32, i32)) = let (a, b) = p in a", &["b:33"]),
        ("def f ((x, y): (i32, i32), z: i32) = 1i32", &["x:9", "y:12", "z:28"]),
        ("def f = \\(x, y) -> x", &["y:14"]),
        ("def f (xs: []i32) = map (\\x -> 1i32) xs", &["x:27"]),
        ("def f (x: i32) = let g (y: i32) = y + 1 in x", &["g:22"]),
        ("def f (n: i64) = loop acc = 0i32 for i < n do acc + 1", &["i:38"]),
        ("def f (xs: []i32) = loop acc = 0i32 for x in xs do acc + 1", &["x:41"]),
        ("def f (xs: []i32) = loop (a, b) = (0i32, 2i32) for _ in xs do (a + 1, 3)", &["b:30"]),
        ("def f (xs: []i32) = loop xs for _i < 3i32 do copy xs[0:2]", &[]),
        ("def f (xs: []i32) = loop xs for _i < 3i32 do [1i32]", &["xs:26"]),
        ("def f (m: #a i32 | #b i32) = match m case #a y -> 1i32 case #b z -> z", &["y:46"]),
        ("def f (r: {a: i32, b: i32}) = let {a, b} = r in a", &["b:39"]),
        ("def f (r: {a: i32, b: i32}) = match r case {a, b = 3} -> a case {a = _, b} -> b", &[]),
        ("def f (x: i32) = let x = 1i32 in x", &["x:8"]),
        ("def f (xs: *[]i64) = let xs[0] = 1 in 3i32", &["xs:26"]),
        ("def f (xs: *[]i64) = let xs[0] = 1 let xs[1] = 1 in xs", &[]),
        ("def (+++) (x: i32) (y: i32) = x", &["y:21"]),
    ]);
}

/// 0.25.32 is silent about these too.
#[test]
fn names_that_are_used_or_there_on_purpose() {
    reported(&[
        ("def f (_x: i32) = let _y = 2i32 in 3i32", &[]),
        ("def f [n] (_: [n]i32) = 1i32", &[]),
        // in types only
        ("def f (n: i64) = let xs: [n]i64 = ??? in xs", &[]),
        ("def f (n: i64) (xs: [n]i64) = xs", &[]),
        ("def f (g: (k: i64) -> [k]i64) = g 3", &[]),
        ("module type s = { val f : (x: i32) -> i32 }", &[]),
        ("def f = let id x = x in id 4i32", &[]),
        ("def g (x: i32) = x def h (y: i32) = 2 * y", &[]),
        ("type t = i32 module m = { type u = i32 def x = 1i32 }", &[]),
        ("def f (a: i32) = {a}", &[]),
        ("def f (r: {a: i32}) = r.a", &[]),
        ("def f (x: i32) = (x +) def g (y: i32) = (- y)", &[]),
    ]);
}

/// What stands in a module with a parameter is checked for each argument, and reported once.
#[test]
fn modules() {
    let functor = "module type s = { val f : i32 -> i32 } module m (P: s) = { def u (x: i32) = P.f 3 } ";
    let twice = "module a = m { def f (x: i32) = x } module b = m { def f (x: i32) = 2 * x }";
    reported(&[
        (functor, &["x:67"]),
        (&format!("{functor}{twice}"), &["x:67"]),
        ("module m = { def f (q: i32) = 2i32 }", &["q:21"]),
    ]);
}

/// Further than 0.25.32: a `local` definition that nothing in its file or module uses. (It is silent about these.)
#[test]
fn local_definitions() {
    reported(&[
        ("local def f (x: i32) = x", &["f:11"]),
        ("local def f (x: i32) = x def g = f 1", &[]),
        ("local def (+++) (x: i32) (y: i32) = x + y def g = 1 +++ 2", &[]),
        ("module m = { local def hid = 1i32 }", &["hid:24"]),
        ("module m = { local def hid = 1i32 def x = hid }", &[]),
        ("local entry f (x: i32) = x", &[]),
        ("local def main (x: i32) = x", &[]),
    ]);
}

/// There is enough to do about the errors.
#[test]
fn programs_in_error() {
    let (env, sources) = (prelude::load().env, SourceMap::new());
    let (ast, _) = syntax::parse(crate::source::FileId(0), "def f (x: i32) = 1i32 def g : i32 = true");
    let codes: Vec<Code> = check(&ast, &env, &sources).2.iter().map(|d| d.code).collect();
    assert_eq!(codes, [Code::TypeMismatch]);
}

/// Files of one's own are as the program, but for their `local` definitions, of which 0.25.32 is silent; packages are others'. (0.25.32 warns of these too.)
#[test]
fn files() {
    let files = |path: &str| match path {
        "a/main.fut" => {
            Ok("import \"../other\"\nimport \"lib/github.com/p/p\"\nentry main = other 1 + package 2".to_string())
        }
        "other.fut" => {
            Ok("def other (x: i32) = 2i32 local def f = 1i32 module m = { local def g = 1i32 def h (x: i32) = 1i32 }"
                .to_string())
        }
        "a/lib/github.com/p/p.fut" => Ok("def package (x: i32) = 2i32".to_string()),
        other => Err(SourceError::new(other)),
    };
    let compiled = crate::compile("a/main.fut", &files);
    let places: Vec<String> = compiled.diagnostics.iter().map(|d| compiled.sources.locate(d.span())).collect();
    assert_eq!(places, ["other.fut:1:12", "other.fut:1:85"]);
    assert!(compiled.program.is_some());
}
