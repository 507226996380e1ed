//! The work of each pass is linear in the length of the program: counted, in expressions visited, on programs that are long in one way each.

#![cfg(debug_assertions)]

use futi_core::analysis::Analyses;
use futi_core::driver::pipeline::{Pass, PassCtx, Stage};
use futi_core::ir::Program;
use futi_core::ir::visit::visited;
use futi_core::passes::guard;
use futi_core::simplify::{carried, copies, cse, dce, hoist, simplify};
use futi_core::source::SourceError;

/// From 2n lines to 4n the work grows by at most so many times what it grows by from n to 2n: by twice as much where it is linear, by four times where it is
/// quadratic. (What a program of no lines costs, or saves, is in neither.)
const PER_DOUBLING: f64 = 2.3;
/// The numbers of lines.
const LENGTHS: [usize; 4] = [50, 100, 200, 400];

/// What a pass that cannot fail does.
type Change = fn(Program, &mut Analyses) -> Program;

/// Passes alone, most of which the simplifier has in its rounds.
const ALONE: [(&str, Change); 6] = [
    ("cse", cse::cse),
    ("hoist", hoist::hoist),
    ("copies", copies::copies),
    ("carried", carried::carried),
    ("dce", dce::dce),
    ("guard", |p, _| guard::guarded(p)),
];

/// A line of a program by its number, or a program by the number of its lines.
type Line = fn(usize) -> String;

fn lines(n: usize, line: Line) -> String {
    (0..n).map(line).collect()
}

fn sum(n: usize, name: &str) -> String {
    (0..n).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(" + ")
}

fn tuple(n: usize, name: &str) -> String {
    (0..n).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ")
}

/// `s = sum (map f xs)`, of numbers that differ.
fn pair(i: usize) -> String {
    format!("let s{i} = f64.sum (map (\\x -> x * {i}.5) xs)\n")
}

/// Programs of n lines, or a little more.
fn programs() -> Vec<(&'static str, Line)> {
    vec![
        ("pairs", |n| format!("entry main (xs: []f64) =\n{} in {}", lines(n, pair), sum(n, "s"))),
        ("a chain of maps", |n| {
            let map = |i| format!("let x{} = map (\\x -> x * {i}.5) x{i}\n", i + 1);
            format!("entry main (x0: []f64) =\n{} in f64.sum x{n}", lines(n, map))
        }),
        ("a chain of maps, all results of which are used", |n| {
            let map = |i| format!("let x{} = map (\\x -> x * {i}.5) x{i} let s{i} = x{}[0]\n", i + 1, i + 1);
            format!("entry main (x0: []f64) =\n{} in {}", lines(n, map), sum(n, "s"))
        }),
        ("many maps into one", |n| {
            let map = |i| format!("let x{i} = map (\\x -> x * {i}.5) xs\n");
            let rest = |i| format!("let y{} = map2 (\\x y -> x - y) x{i} y{i}\n", i + 1);
            format!("entry main (xs: []f64) (y0: []f64) =\n{}{} in f64.sum y{n}", lines(n, map), lines(n, rest))
        }),
        ("a long loop", |n| {
            let line = |i| format!("let s{i} = f64.sum (map (\\x -> x * a + {i}.5) xs)\n");
            let body = lines(n, line);
            format!("entry main (xs: []f64) (k: i64) = loop a = 0 for i < k do\n{body} in {}", sum(n, "s"))
        }),
        ("branches in a loop", |n| {
            let line =
                |i| format!("let s{} = if s{i} < 0.5 then s{i} * {i}.5 + xs[i % {i}2] else s{i} - i64.f64 i\n", i + 1);
            let line = |i| line(i).replace("i64.f64", "f64.i64");
            format!(
                "entry main (xs: []f64) (k: i64) = loop s0 = 0 for i < k do\n{} in s{n}",
                (0..n).map(line).collect::<String>()
            )
        }),
        ("updates in a loop", |n| {
            let line = |i| format!("let a{} = a{i} with [(i + {i}) % k] = a{i}[i] + 1\n", i + 1);
            format!("entry main (xs: *[]f64) (k: i64): []f64 = loop a0 = xs for i < k do\n{} in a{n}", lines(n, line))
        }),
        ("copies in a loop", |n| {
            let line = |i| format!("let a{} = scatter (copy a{i}) (iota k) (replicate k (f64.i64 i + {i}.5))\n", i + 1);
            format!("entry main (xs: []f64) (k: i64): []f64 = loop a0 = xs for i < k do\n{} in a{n}", lines(n, line))
        }),
        ("a copy in the branches of a loop", |n| {
            let line = |i| format!("let a{} = if a{i}[{i}] > 0.5 then copy a{i} with [i] = {i}.5 else a{i}\n", i + 1);
            format!("entry main (k: i64): []f64 = loop a0 = replicate k 1 for i < k do\n{} in a{n}", lines(n, line))
        }),
        ("arrays that a loop carries", |n| {
            let line = |i| format!("let b{i} = copy a{i} with [i] = {i}.5\n");
            let (first, before, after) =
                ((0..n).map(|_| "xs").collect::<Vec<_>>().join(", "), tuple(n, "a"), tuple(n, "b"));
            format!(
                "entry main (xs: []f64) (k: i64) = loop ({before}) = ({first}) for i < k do\n{} in ({after})",
                lines(n, line)
            )
        }),
        ("a long map of maps", |n| {
            format!("entry main (xss: [][]f64) = map (\\xs ->\n{} in {}) xss", lines(n, pair), sum(n, "s"))
        }),
        ("functions of chunks", |n| {
            let line = |i| {
                format!("let s{i} = stream_red (+) (\\c (xs: [c]f64) -> loop s = 0 for x in xs do s + x * {i}.5) xs\n")
            };
            format!("entry main (xs: []f64) =\n{} in {}", lines(n, line), sum(n, "s"))
        }),
        ("functions that are called", |n| {
            let line = |i| format!("def g{i} (xs: []f64) = f64.sum (map (\\x -> x * {i}.5) xs)\n");
            let calls = (0..n).map(|i| format!("g{i} xs")).collect::<Vec<_>>().join(" + ");
            format!("{}entry main (xs: []f64) = {calls}", lines(n, line))
        }),
        ("a recursive function that is called", |n| {
            let calls = (0..n).map(|i| format!("g {i}")).collect::<Vec<_>>().join(" + ");
            format!("def g (x: f64): f64 = if x < 1 then x else g (x / 2)\nentry main (x: f64) = {calls}")
        }),
        // each difference is zero, once the one before is known to be
        ("a chain of equal expressions", |n| {
            let line = |i| format!("let d{} = (x + d{i}) * {i}7 - x * {i}7\n", i + 1);
            format!("entry main (x: i64) = let d0 = 0i64\n{} in d{n}", lines(n, line))
        }),
        ("entry points", |n| lines(n, |i| format!("entry g{i} (xs: []f64) = f64.sum (map (\\x -> x * {i}.5) xs)\n"))),
        ("derivatives of pairs", |n| {
            let f = format!("def f (xs: []f64) =\n{} in {}", lines(n, pair), sum(n, "s"));
            format!("{f}\nentry main (xs: []f64) = vjp f xs 1")
        }),
    ]
}

fn compiled(text: &str) -> Program {
    let read = |path: &str| match path {
        "main.fut" => Ok(text.to_string()),
        path => Err(SourceError::new(path)),
    };
    let compiled = futi_core::compile("main.fut", &read);
    let errors = futi_core::diag::render(&compiled.diagnostics, &compiled.sources, false);
    compiled.program.unwrap_or_else(|| panic!("{errors}{text}"))
}

/// How much work each pass is: those of the pipeline, each on what the one before has made of the program, and others on the program without calls.
fn work(program: Program) -> Vec<(String, u64)> {
    let (mut work, mut ctx) = (Vec::new(), PassCtx::default());
    let mut at = program;
    for stage in Stage::ALL {
        for Pass { name, run, .. } in stage.passes() {
            let (next, count) = visited::during(|| run(at, &mut ctx).unwrap_or_else(|e| panic!("{e:?}")));
            assert_eq!(ctx.analyses.stale(&next), [""; 0], "after {name}");
            if *name == "simplify" {
                assert!(simplify(next.clone(), &mut Analyses::default()) == next, "not a fixed point\n{next}");
            }
            work.push((format!("{name}, {}", stage.name()), count));
            if *name == "inline" {
                for (name, run) in ALONE {
                    let program = next.clone();
                    work.push((name.to_string(), visited::during(|| run(program, &mut Analyses::default())).1));
                }
            }
            at = next;
        }
    }
    work
}

/// What takes more time than is linear in the length of such programs.
fn worse(what: &str, program: Line) -> Vec<String> {
    let works = LENGTHS.map(|n| work(compiled(&program(n))));
    let mut worse = Vec::new();
    for (n, works) in LENGTHS.iter().zip(works.windows(3)) {
        for (k, (pass, _)) in works[0].iter().enumerate() {
            let [first, second, third] = [0, 1, 2].map(|i| works[i][k].1 as f64);
            let (less, more) = (second - first, third - second);
            // the lines are none of its business
            if more > *n as f64 && more > PER_DOUBLING * less {
                worse
                    .push(format!("{what}: {pass}: {first}, {second}, {third} for n = {n}, twice and four times that"));
            }
        }
    }
    worse
}

#[test]
fn passes_take_time_linear_in_the_length_of_a_program() {
    // a thread counts what is visited in it
    let worse = std::thread::scope(|scope| {
        let threads: Vec<_> =
            programs().into_iter().map(|(what, program)| scope.spawn(move || worse(what, program))).collect();
        threads.into_iter().flat_map(|t| t.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect::<Vec<_>>()
    });
    assert!(worse.is_empty(), "{}", worse.join("\n"));
}
