use super::ast::Exp;
use super::*;
use futi_core::source::{SourceError, SourceProvider};

struct Text(String);

impl SourceProvider for Text {
    fn read(&self, _: &str) -> Result<String, SourceError> {
        Ok(self.0.clone())
    }
}

fn complaints(p: &SourceProgram) -> String {
    let compiled = futi_core::compile("generated.fut", &Text(p.text()));
    match compiled.program {
        Some(_) => String::new(),
        None => futi_core::diag::render(&compiled.diagnostics, &compiled.sources, false),
    }
}

fn nth(seed: u64) -> SourceProgram {
    program(4 + seed as usize % 12, seed)
}

#[test]
fn the_front_end_accepts_what_is_generated() {
    for seed in 0..150 {
        let p = nth(seed);
        let said = complaints(&p);
        assert_eq!(said, "", "seed {seed}:\n{}", p.text());
    }
}

#[test]
fn a_seed_is_a_program() {
    assert_eq!(nth(7), nth(7));
    assert_ne!(nth(7).text(), nth(8).text());
    assert!((0..50).map(|s| program(14, s).size()).sum::<usize>() > (0..50).map(|s| program(4, s).size()).sum());
}

/// Every kind of expression that the printer knows occurs, and the constructs of the language that are not one.
#[test]
fn the_whole_language_occurs() {
    let all: String = (0..400).map(|s| nth(s).text()).collect();
    let words = [
        "module ",
        "entry ",
        "let ",
        "loop ",
        " for ",
        " while ",
        "if ",
        " |> ",
        " <| ",
        " >-> ",
        "\\(",
        "(.0)",
        ".1",
        "..<",
        " ** ",
        " // ",
        " %% ",
        " << ",
        " && ",
        " || ",
        "!",
        "[x",
        "(+)",
        "(* ",
        " -)",
        " : ",
        "map ",
        "map2 ",
        "map3 ",
        "reduce ",
        "reduce_comm ",
        "scan ",
        "zip ",
        "zip3 ",
        "unzip ",
        "transpose ",
        "flatten ",
        "unflatten ",
        "iota ",
        "replicate ",
        "tabulate ",
        "tabulate_2d ",
        "reverse ",
        "rotate ",
        "take ",
        " ++ ",
        "head ",
        "last ",
        "length ",
        "foldl ",
        "foldr ",
        "iterate ",
        "uncurry ",
        "curry ",
        "flip ",
        "all ",
        "any ",
        "vjp ",
        "jvp ",
        "vjp2 ",
        "jvp2 ",
        "f64.sin ",
        "f32.",
        "i32.f64 ",
        "i64.",
        "f64.bool ",
        "'t",
        "[n",
        "true",
        ">= ",
    ];
    for word in words {
        assert!(all.contains(word), "`{word}` does not occur");
    }
}

/// Few programs fail when they run; most results are finite.
#[test]
fn programs_run() {
    let (mut failed, mut finite, mut floats) = (0, 0, 0);
    for seed in 0..100 {
        let p = nth(seed);
        let compiled = futi_core::compile("generated.fut", &Text(p.text()));
        let program = compiled.program.unwrap();
        let code = futi_interp::Code::new(&program).unwrap();
        let args = futi_core::entry::arguments(program.entry("main").unwrap(), p.inputs.clone()).unwrap();
        match code.call("main", args, &crate::stages::context()) {
            Ok(values) => {
                let values = values.iter().filter(|v| v.elem().is_float());
                values.flat_map(|v| v.elements()).for_each(|x| {
                    floats += 1;
                    finite += x.to_f64().is_finite() as usize;
                });
            }
            Err(_) => failed += 1,
        }
    }
    assert!((0..10).contains(&failed), "{failed} of 100 fail");
    assert!(finite * 10 > floats * 9, "{finite} of {floats} floats are finite");
}

/// Each second rewrite applies and is accepted.
fn rewrites(from: usize) {
    for rule in rewrite::RULES.iter().skip(from).step_by(2) {
        let mut applied = 0;
        for seed in 0.. {
            assert!(seed < 300, "`{}` hardly ever applies", rule.name);
            // what the generator hardly makes, other rewrites do
            let p = if seed % 2 == 0 { nth(seed) } else { rewrite::rewritten(&nth(seed), 8, seed).0 };
            if let Some(q) = rewrite::apply(rule, &p, seed) {
                let (from, to) = (p.text(), q.text());
                assert_ne!(from, to, "`{}` changes nothing", rule.name);
                let said = complaints(&q);
                assert_eq!(said, "", "seed {seed}, `{}`:\n{from}\n-- to\n{to}", rule.name);
                applied += 1;
            }
            if applied == 3 {
                break;
            }
        }
    }
}

#[test]
fn each_rewrite_applies_and_is_accepted() {
    rewrites(0);
}

#[test]
fn so_does_each_other_one() {
    rewrites(1);
}

#[test]
fn shrinking_makes_smaller_programs_that_are_accepted() {
    let measure =
        |p: &SourceProgram| (p.size() + p.defs().len(), p.inputs.iter().map(|v| v.elements().count()).sum::<usize>());
    for seed in 0..4 {
        let p = nth(seed);
        let mut some = 0;
        for q in shrink(&p).step_by(1 + p.size() / 6) {
            assert!(measure(&q) <= (measure(&p).0 + 1, measure(&p).1), "{}", q.text());
            let said = complaints(&q);
            assert_eq!(said, "", "seed {seed}:\n{}\n-- to\n{}", p.text(), q.text());
            some += 1;
        }
        assert!(some > 3, "seed {seed} does not shrink");
    }
}

/// A failure that one construct causes comes down to little more than that construct.
#[test]
fn what_fails_gets_small() {
    let fails = |p: &SourceProgram| p.text().contains("tanh");
    let mut p = (0..).map(nth).find(|p| fails(p) && p.size() > 60).unwrap();
    while let Some(q) = shrink(&p)
        .find(|q| fails(q) && (q.size(), q.decls.len(), q.text().len()) < (p.size(), p.decls.len(), p.text().len()))
    {
        p = q;
    }
    assert!(p.size() <= 20, "{}", p.text());
}

#[test]
fn several_programs_stand_in_one_file() {
    let renamed: Vec<SourceProgram> = (0..8).map(|s| nth(s).named(&format!("e{s}"))).collect();
    let text: String = renamed.iter().map(SourceProgram::text).collect();
    let compiled = futi_core::compile("generated.fut", &Text(text));
    let said = futi_core::diag::render(&compiled.diagnostics, &compiled.sources, false);
    let program = compiled.program.expect(&said);
    assert!((0..8).all(|s| program.entry(&format!("e{s}")).is_some()));
}

#[test]
fn parentheses_are_where_they_are_needed() {
    let t = Ty::Scalar(ScalarType::I32);
    let x = || Exp::var(&"x".into(), &t);
    let op = |o, a, b| Exp::infix(o, a, b, t.clone());
    let text = |e: Exp, style| {
        let def = Def { name: "f".into(), sizes: vec![], types: vec![], params: vec![], typed: false, body: e };
        print::program(&[Decl::Def(def)], style).trim_start_matches("def f =\n  ").trim_end().to_string()
    };
    let few = |e| text(e, Parentheses::Few);
    assert_eq!(few(op("-", x(), op("-", x(), x()))), "x - (x - x)");
    assert_eq!(few(op("-", op("-", x(), x()), x())), "x - x - x");
    assert_eq!(few(op("*", op("+", x(), x()), op("**", x(), x()))), "(x + x) * x ** x");
    let negative = Exp::lit(Scalar::I32(-2));
    assert_eq!(few(op("+", negative.clone(), Exp::new(Kind::Neg(x()), t.clone()))), "(-2i32) + (-x)");
    assert_eq!(few(Exp::call("f", vec![Exp::call("g", vec![negative], t.clone())], t.clone())), "f (g (-2i32))");
    assert_eq!(text(op("+", op("*", x(), x()), x()), Parentheses::Many), "(x * x) + x");
}
