//! What each pass makes of small programs, one file of them a pass. A person reads what has become of each; the interpreter says that it means the same.
//!
//! A file has entries: comments (`#`), the results, `|`, the body, on as many lines as it takes; then lines that begin with `=>`, the body after the pass.
//! `differentiated |` in front says that the program takes derivatives elsewhere. `FUTI_BLESS=1` writes the files anew.

#[path = "../common/mod.rs"]
mod common;

use common::{CLOSE, EXACT, values, well_formed};
use futi_core::ad;
use futi_core::analysis::Analyses;
use futi_core::ir::{Fun, Program, ProvTable};
use futi_core::passes::{flatten, fuse, histograms, inline, plain};
use futi_core::simplify::{self, copies, cse, dce, hoist};
use futi_core::value::Value;
use futi_core::value::compare::{Tolerance, compare};
use futi_interp::{Ctx, eval};
use std::path::PathBuf;

/// What every body may use.
const PARAMS: &str = "n_0: i64, xs_1: [n_0]f64, *ys_2: [n_0]f64, x_3: f64, y_4: f64, i_5: i64, j_6: i64, b_7: bool, c_8: bool, \
    m_9: [2][3]f64, t_90: [2][3][2]f64, is_91: [n_0]i64, k_92: i32, w_93: f32, *z_94: [2][3]f64";

/// Another function of the program, which takes a derivative.
const OTHER: &str = "fun \"g\"(q_900: f64) -> (r_901: f64) { let (p_902: f64, d_903: f64) = jvp \\(u_904: f64) -> (f64) { \
    let (v_905: f64) = mul.f64(u_904, u_904) in (v_905) } at (q_900) with (1.0f64) in (d_903) }";

/// Functions to be called: one that makes a size, one that calls another, one that calls itself, two that call one another; others.
const CALLED: &str = "fun \"twice\"(p_910: f64) -> (r_911: f64) { let (s_912: f64) = add.f64(p_910, p_910) @1 in (s_912) } \
    fun \"fill\"(k_920: i64, p_921: f64) -> (r_922: i64, a_923: [r_922]f64) { let (m_924: i64) = max.i64(k_920, 0i64) \
        let (a_925: [m_924]f64) = replicate [m_924] p_921 in (m_924, a_925) } \
    fun \"four\"(p_930: f64) -> (r_931: f64) { let (s_932: f64) = call \"twice\" (p_930) @2 let (t_933: f64) = call \"twice\" (s_932) in (t_933) } \
    fun \"halve\"(p_940: f64) -> (r_941: f64) { let (c_942: bool) = lt.f64(1.0f64, p_940) let (s_943: f64) = if c_942 then { \
        let (h_944: f64) = mul.f64(p_940, 0.5f64) let (t_945: f64) = call \"halve\" (h_944) in (t_945) } else { in (p_940) } in (s_943) } \
    fun \"even\"(k_950: i64) -> (r_951: bool) { let (c_952: bool) = le.i64(k_950, 0i64) let (s_953: bool) = if c_952 then { in (true) } else { \
        let (j_954: i64) = sub.i64(k_950, 1i64) let (t_955: bool) = call \"odd\" (j_954) in (t_955) } in (s_953) } \
    fun \"odd\"(k_960: i64) -> (r_961: bool) { let (c_962: bool) = le.i64(k_960, 0i64) let (s_963: bool) = if c_962 then { in (false) } else { \
        let (j_964: i64) = sub.i64(k_960, 1i64) let (t_965: bool) = call \"even\" (j_964) in (t_965) } in (s_963) } \
    fun \"put\"(*a_970: [3]f64, p_971: f64) -> (*r_972: [3]f64) { let (u_973: [3]f64) = update a_970[0i64] = p_971 in (u_973) } \
    fun \"same\"(a_980: [3]f64) -> (r_981: [3]f64) { in (a_980) } \
    fun \"wide\"(k_913: i64, a_914: [2][k_913]f64) -> (r_915: f64) { let (e_916: f64) = index a_914[1i64, 0i64] in (e_916) } \
    fun \"sure\"(c_917: cert, p_918: f64) -> (r_919: f64) { let (s_926: f64) = p_918 certs (c_917) in (s_926) } \
    files \"a.fut\" prov 1 = span 0 1 2 prov 2 = span 0 3 4 prov 3 = span 0 5 6";

/// Passes that do not say whether they have changed the program: of their output nothing is known.
const SILENT: [&str; 3] = ["ad", "inline", "flatten"];

const INPUTS: [&str; 3] = [
    "3i64 [0.5f64, -1.5f64, 2.0f64] [1.0f64, 4.0f64, -3.0f64] 1.25f64 -0.75f64 1i64 2i64 true false",
    "3i64 [0.5f64, -1.5f64, 2.0f64] [1.0f64, 4.0f64, -3.0f64] -0.0f64 f64.inf 0i64 -1i64 false false",
    "2i64 [f64.nan, 3.5f64] [0.0f64, 7.0f64] f64.nan 2.5f64 -3i64 1i64 true true",
];
const REST: [&str; 3] =
    ["[4i64, -5i64, 2i64] 3i32 0.5f32", "[1i64, 0i64, -1i64] -2i32 -0.0f32", "[2i64, 2i64] 0i32 f32.nan"];

fn arguments(i: usize) -> Vec<Value> {
    let m = "[[1.0f64, 2.0f64, 3.0f64], [4.0f64, -5.0f64, 6.0f64]]";
    let t = "[[[1.0f64, 2.0f64], [3.0f64, 4.0f64], [5.0f64, 6.0f64]], [[7.0f64, 8.0f64], [9.0f64, 10.0f64], [11.0f64, 12.0f64]]]";
    values(&format!("{} {m} {t} {} {m}", INPUTS[i], REST[i]))
}

struct Entry<'a> {
    comments: Vec<&'a str>,
    before: Vec<&'a str>,
    after: String,
}

fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        if !open {
            entries.push(Entry { comments: Vec::new(), before: Vec::new(), after: String::new() });
            open = true;
        }
        let Some(entry) = entries.last_mut() else { continue };
        match line.strip_prefix("=>") {
            Some(after) => entry.after += &format!("{}\n", after.trim()),
            None if line.trim().is_empty() => open = false,
            None if line.starts_with('#') => entry.comments.push(line),
            None => entry.before.push(line),
        }
    }
    entries.retain(|e| !e.comments.is_empty() || !e.before.is_empty());
    entries
}

/// The body of the program's first function, a line for each statement on the top; behind it the functions that the program did not have before.
fn body(program: &Program, before: &Program) -> String {
    let is_new = |fun: &&Fun| before.funs.iter().all(|f| f.name != fun.name);
    let mut out = lines(&program.funs[0]).1;
    for (head, body) in program.funs.iter().filter(is_new).map(lines) {
        out += &format!("{head}\n{body}");
    }
    out
}

/// A function's name and type, and its body.
fn lines(fun: &Fun) -> (String, String) {
    let text = Program { funs: vec![fun.clone()], prov: ProvTable::default() }.to_string();
    let (head, text) = text.split_once('{').unwrap_or_default();
    let (text, _) = text.rsplit_once('}').unwrap_or_default();
    let mut out = String::new();
    for line in text.lines() {
        let top = line.strip_prefix("  ").is_some_and(|l| !l.starts_with([' ', '}']));
        out += if top && !out.is_empty() {
            "\n"
        } else if out.is_empty() {
            ""
        } else {
            " "
        };
        out += line.trim();
    }
    (head.lines().last().unwrap_or_default().trim().into(), out + "\n")
}

fn same(a: &Result<Vec<Value>, String>, b: &Result<Vec<Value>, String>, tolerance: Tolerance) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compare(a, b, tolerance).is_none()),
        (Err(a), Err(b)) => a == b,
        _ => false,
    }
}

/// Holds a pass that keeps every bit of the results of a strict run.
fn judge(name: &str, pass: fn(Program, &mut Analyses) -> Program) {
    compared(name, pass, Ctx::strict, EXACT);
}

fn compared(name: &str, pass: fn(Program, &mut Analyses) -> Program, ctx: fn() -> Ctx, tolerance: Tolerance) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/passes/{name}.txt"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let (mut blessed, mut wrong) = (String::new(), String::new());
    for Entry { comments, before, after } in entries(&text) {
        comments.iter().for_each(|c| blessed += &format!("{c}\n"));
        let source = before.join("\n");
        if source.is_empty() {
            blessed += "\n";
            continue;
        }
        let (differentiated, rest) = match source.strip_prefix("differentiated |") {
            Some(rest) => (true, rest),
            None => (false, &source[..]),
        };
        let (results, code) = rest.split_once('|').unwrap_or_else(|| panic!("no results: {source}"));
        let other = [
            if differentiated { OTHER } else { "" },
            if code.contains("call") || code.contains('@') { CALLED } else { "" },
        ]
        .concat();
        let text = format!("futi-ir 1\nfun \"f\"({PARAMS}) -> ({results}) {{ {code} }} {other}");
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{name}: {e}\n{source}"));
        well_formed(&program, &source);
        let mut known = Analyses::default();
        let passed = pass(program.clone(), &mut known);
        if !SILENT.contains(&name) {
            assert_eq!(known.changes() > 0, passed.funs != program.funs, "{name} says whether it changes\n{source}");
        }
        well_formed(&passed, &source);
        #[cfg(debug_assertions)]
        assert_eq!(known.stale(&passed), [""; 0], "{name} forgets what it changes\n{source}");
        let found = body(&passed, &program);
        // of several versions of a nest each is run
        let enough: &[_] = if name == "flatten" { &[None, Some(i64::MIN), Some(i64::MAX)] } else { &[None] };
        let versions: Vec<_> = enough.iter().map(|n| flatten::with_enough(&passed, |_| *n)).collect();
        for i in 0..INPUTS.len() {
            // results, or the kind of the failure
            let run = |p: &Program| eval(p, "f", &arguments(i), &ctx()).map_err(|e| format!("{:?}", e.kind));
            let a = run(&program);
            for version in &versions {
                let b = run(version);
                assert!(same(&a, &b, tolerance), "{name}, input {i}: {a:?} has become {b:?}\n{source}\n{version}");
            }
        }
        if found.trim() != after.trim() {
            wrong += &format!("{source}\nexpected\n{after}\nfound\n{found}\n");
        }
        blessed += &format!("{source}\n{}\n", found.lines().map(|l| format!("=> {l}\n")).collect::<String>());
    }
    if std::env::var_os("FUTI_BLESS").is_some() {
        std::fs::write(&path, blessed).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    } else {
        assert!(wrong.is_empty(), "{name}:\n{wrong}");
    }
}

#[test]
fn simplify_() {
    judge("simplify", simplify::simplify);
}

#[test]
fn ad_() {
    // the start of a reduction may be differentiated, whatever it is
    let ad = |p, _: &mut Analyses| ad::differentiate(p).unwrap_or_else(|e| panic!("{:?}", e.constructs));
    compared("ad", ad, Ctx::default, CLOSE);
}

#[test]
fn inline_() {
    judge("inline", |p, _| inline::inline(p));
}

#[test]
fn cse_() {
    judge("cse", cse::cse);
}

#[test]
fn dce_() {
    judge("dce", dce::dce);
}

#[test]
fn hoist_() {
    judge("hoist", hoist::hoist);
}

#[test]
fn copies_() {
    judge("copies", copies::copies);
}

#[test]
fn plain_() {
    // of three elements two are one chunk, and one another
    judge("plain", |p, known| plain::plain_with(p, 2, known));
}

#[test]
fn fuse_() {
    judge("fuse", fuse::fuse);
}

#[test]
fn updates_() {
    judge("updates", histograms::updates);
}

#[test]
fn flatten_() {
    judge("flatten", flatten::flatten);
}
