//! Ill-formed programs by rule and node, each a small edit of a well-formed twin; the cases of digest 004; programs that must not make the checker fail.

mod consumption;
mod corruption;
mod digest;
mod linear;
mod nodes;
mod reads;
mod robust;
mod sums;
mod text;

use super::*;
use std::collections::BTreeSet;

const EVERY_NODE: &str = include_str!("../every_node.ir");

/// The rules that a program breaks.
fn verdict(text: &str) -> Vec<Rule> {
    let program: Program = match format!("futi-ir 1\n{text}").parse() {
        Ok(p) => p,
        Err(e) => panic!("{e}\n{text}"),
    };
    assert_eq!(program.to_string().parse::<Program>().as_ref(), Ok(&program), "text does not come back\n{program}");
    let rules: BTreeSet<Rule> = errors(&program).into_iter().map(|e| e.rule).collect();
    rules.into_iter().collect()
}

/// A function with this body, the parameters below and these results.
fn with_body(results: &str, body: &str) -> String {
    let params = "n_0: i64, xs_1: [n_0]f64, *ys_2: [n_0]f64, x_3: f64, i_4: i64, b_5: bool, *xss_6: [n_0][n_0]f64, is_7: [n_0]i64";
    format!("fun \"f\"({params}) -> ({results}) {{ {body} }}")
}

fn body(results: &str, text: &str) -> Vec<Rule> {
    verdict(&with_body(results, text))
}

/// A well-formed function, and edits of it, each of which breaks one rule.
struct Twin {
    /// The node that it is about.
    node: &'static str,
    results: &'static str,
    body: &'static str,
    /// What to replace by what, and the rule that is broken then.
    bad: &'static [(&'static str, &'static str, Rule)],
}

const fn case(
    node: &'static str,
    results: &'static str,
    body: &'static str,
    bad: &'static [(&'static str, &'static str, Rule)],
) -> Twin {
    Twin { node, results, body, bad }
}

impl Twin {
    fn good(&self) -> String {
        with_body(self.results, self.body)
    }

    /// What is wrong with the checker's answers.
    fn wrong(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut expect = |text: &str, rules: &[Rule], what: String| {
            let got = verdict(text);
            if got != rules {
                wrong.push(format!("{}, {what}: {got:?}, expected {rules:?}\n{}\n", self.node, self.body));
            }
        };
        expect(&self.good(), &[], "as it is".into());
        for (from, to, rule) in self.bad {
            assert_eq!(self.good().matches(from).count(), 1, "`{from}` stands not once in {}", self.body);
            expect(&self.good().replace(from, to), &[*rule], format!("{from} ~> {to}"));
        }
        let program: Program = format!("futi-ir 1 {}", self.good()).parse().unwrap();
        assert!(kinds_of(&program).contains(self.node), "no {} in {}", self.node, self.body);
        wrong
    }
}

fn all_as_expected(twins: &[Twin]) {
    let wrong: Vec<String> = twins.iter().flat_map(Twin::wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

macro_rules! kinds {
    ($of:ident, $name:ident, $all:ident: $($kind:ident)*) => {
        const $all: &[&str] = &[$(stringify!($kind)),*];
        fn $name(e: &$of) -> &'static str { match e { $($of::$kind { .. } => stringify!($kind)),* } }
    };
}
kinds! { Exp, kind, NODES:
    SubExp Opaque Prim ArrayLit Index Slice FlatIndex Update UpdateSlice FlatUpdate Iota Replicate Scratch Rearrange Manifest Reshape Coerce Reverse
    Rotate Concat Copy Check Apply If Match Loop Screma Hist Scatter Stream FlatMap WithAcc UpdAcc Jvp Vjp Custom SegOp
}
kinds! { Check, check_kind, CHECKS: Assert Bounds Slice SizeEq NonZero NonNegativeExponent NonNegativeSize Shape Made Range }
kinds! { Rule, rule_name, RULES:
    UniqueBinders Scope Types Arity Sizes Operators Certificates Functions Entries UseAfterConsume Consumable Aliasing Linear
}

/// The nodes and checks in a program.
fn kinds_of(program: &Program) -> BTreeSet<&'static str> {
    struct Kinds(BTreeSet<&'static str>);
    impl Visit for Kinds {
        fn exp(&mut self, e: &Exp) {
            self.0.insert(kind(e));
            if let Exp::Check(check) = e {
                self.0.insert(check_kind(check));
            }
            visit::walk_exp(self, e);
        }
    }
    let mut kinds = Kinds(BTreeSet::new());
    program.funs.iter().for_each(|f| walk_fun(&mut kinds, f));
    kinds.0
}

#[test]
fn every_node_and_rule_has_its_ill_formed_programs() {
    let cases = || nodes::CASES.iter().chain(consumption::CASES).chain(linear::CASES);
    for node in NODES {
        assert!(cases().any(|c| c.node == *node && !c.bad.is_empty()), "no ill-formed {node}");
    }
    for check in CHECKS {
        let text = |c: &Twin| format!("futi-ir 1 {}", c.good()).parse().is_ok_and(|p| kinds_of(&p).contains(check));
        assert!(cases().any(|c| c.node == "Check" && text(c)), "no ill-formed check {check}");
    }
    let broken: BTreeSet<&str> = cases().flat_map(|c| c.bad).map(|(_, _, rule)| rule_name(rule)).collect();
    for rule in RULES {
        assert!(broken.contains(rule) || nodes::ELSEWHERE.iter().any(|r| rule_name(r) == *rule), "no test of {rule}");
    }
}

#[test]
fn the_text_of_every_node_comes_back_and_checks() {
    let program: Program = EVERY_NODE.parse().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(program.to_string(), EVERY_NODE);
    assert_eq!(errors(&program), []);
    let kinds = kinds_of(&program);
    for kind in NODES.iter().chain(CHECKS) {
        assert!(kinds.contains(kind), "no {kind} in every_node.ir");
    }
    for t in ScalarType::ALL {
        assert!(EVERY_NODE.contains(&format!(": [2]{t}) = array")), "no {t} in every_node.ir");
    }
}
