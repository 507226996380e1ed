//! Every node of the IR in programs of its own: the checker accepts them, they print and parse back, they evaluate to results made by hand, and both
//! modes of differentiation agree with each other and with numerical differentiation. What comes of it is the table `docs/nodes.md`.

#[path = "../common/mod.rs"]
mod common;

mod arrays;
mod control;
mod derivatives;
mod parallel;
mod segments;

use common::notation::{ir, numbers};
use common::row::{Row, row};
use common::*;
use futi_core::failure::FailureKind;
use futi_core::ir::visit::{Visit, walk_exp};
use futi_core::ir::*;
use futi_interp::{Ctx, Partition, eval};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A program with what it should give.
pub struct Case {
    /// The node that it is about, as [`form`] calls it.
    node: &'static str,
    /// What is special about it.
    name: &'static str,
    text: String,
    args: String,
    gives: String,
    /// Why there is no derivative other than zero, if so.
    discrete: Option<&'static str>,
    /// Arguments at which it fails, and how.
    fails: Vec<(String, FailureKind)>,
}

/// A case: `main` with these parameters, results and body, at these arguments, sizes first, gives these results.
pub fn case(
    node: &'static str,
    name: &'static str,
    [params, results, body]: [&str; 3],
    args: &str,
    gives: &str,
) -> Case {
    Case {
        node,
        name,
        text: format!("fun \"main\"({params}) -> ({results}) {{ {body} }}"),
        args: args.into(),
        gives: gives.into(),
        discrete: None,
        fails: vec![],
    }
}

impl Case {
    /// There is no derivative, or it is zero.
    fn discrete(mut self, why: &'static str) -> Case {
        self.discrete = Some(why);
        self
    }
    /// At these arguments it fails.
    fn fails(mut self, args: &str, kind: FailureKind) -> Case {
        self.fails.push((args.into(), kind));
        self
    }
    /// With another function.
    fn with(mut self, fun: &str) -> Case {
        self.text.push_str(fun);
        self
    }

    fn program(&self) -> Program {
        format!("futi-ir 1\n{}", ir(&self.text)).parse().unwrap_or_else(|e| panic!("{e}\n{}", self.text))
    }
    fn row(&self) -> Row {
        row(&self.text, &self.args, &self.gives)
    }
}

/// One name for each node, or for each form of it that is executed differently. No wildcard: a node that is new has to be named here, and then needs a case.
macro_rules! forms {
    ($($pattern:pat $(if $guard:expr)? => $name:literal,)*) => {
        const FORMS: &[&str] = &[$($name,)*];
        fn form(e: &Exp) -> &'static str {
            match e { $($pattern $(if $guard)? => $name,)* }
        }
    };
}
forms! {
    Exp::SubExp(_) => "operand",
    Exp::Opaque(_) => "opaque",
    Exp::Prim(..) => "scalar operator",
    Exp::ArrayLit { .. } => "array",
    Exp::Index { .. } => "index",
    Exp::Slice { .. } => "slice",
    Exp::FlatIndex { .. } => "flatindex",
    Exp::Update { .. } => "update",
    Exp::UpdateSlice { .. } => "updslice",
    Exp::FlatUpdate { .. } => "flatupd",
    Exp::Iota { .. } => "iota",
    Exp::Replicate { .. } => "replicate",
    Exp::Scratch { .. } => "scratch",
    Exp::Rearrange { .. } => "rearrange",
    Exp::Manifest { .. } => "manifest",
    Exp::Reshape { .. } => "reshape",
    Exp::Coerce { .. } => "coerce",
    Exp::Reverse { .. } => "reverse",
    Exp::Rotate { .. } => "rotate",
    Exp::Concat { .. } => "concat",
    Exp::Copy(_) => "copy",
    Exp::Check(Check::Assert(..)) => "check assert",
    Exp::Check(Check::Bounds { .. }) => "check bounds",
    Exp::Check(Check::Slice { .. }) => "check slice",
    Exp::Check(Check::SizeEq { .. }) => "check size",
    Exp::Check(Check::Shape(_)) => "check shape",
    Exp::Check(Check::Made(_)) => "check made",
    Exp::Check(Check::NonZero(_)) => "check nonzero",
    Exp::Check(Check::NonNegativeExponent(_)) => "check exponent",
    Exp::Check(Check::NonNegativeSize(_)) => "check nonnegative",
    Exp::Check(Check::Range { .. }) => "check range",
    Exp::Apply { .. } => "call",
    Exp::If { .. } => "if",
    Exp::Match { .. } => "match",
    Exp::Loop { form: LoopForm::For { .. }, .. } => "loop for",
    Exp::Loop { form: LoopForm::While(_), .. } => "loop while",
    Exp::Screma(s) if s.post.is_some() => "screma post",
    Exp::Screma(s) if !s.scans.is_empty() => "screma scan",
    Exp::Screma(s) if !s.reduces.is_empty() => "screma reduce",
    Exp::Screma(_) => "screma map",
    Exp::Hist(h) if h.ops.len() > 1 => "hist, several destinations",
    Exp::Hist(_) => "hist",
    Exp::Scatter(s) if s.dests.len() > 1 => "scatter, several destinations",
    Exp::Scatter(_) => "scatter",
    Exp::Stream(s) if matches!(s.form, StreamForm::Seq(_)) => "streamseq",
    Exp::Stream(_) => "streampar",
    Exp::FlatMap(_) => "flatmap",
    Exp::WithAcc(_) => "withacc",
    Exp::UpdAcc { .. } => "updacc",
    Exp::Jvp(_) => "jvp",
    Exp::Vjp(_) => "vjp",
    Exp::Custom(c) if c.vjp.is_some() && c.jvp.is_some() => "custom, both rules",
    Exp::Custom(c) if c.vjp.is_some() => "custom, reverse rule",
    Exp::Custom(c) if c.jvp.is_some() => "custom, forward rule",
    Exp::Custom(_) => "custom, no rule",
    Exp::SegOp(SegOp { kind: SegKind::Map, .. }) => "segmap",
    Exp::SegOp(SegOp { kind: SegKind::Scan(_), .. }) => "segscan",
    Exp::SegOp(SegOp { kind: SegKind::Reduce(_), .. }) => "segred",
    Exp::SegOp(SegOp { kind: SegKind::Write(_), .. }) => "segwrite",
}

/// Whether the program has a node of that form.
fn has(program: &Program, node: &str) -> bool {
    struct Find<'a>(&'a str, bool);
    impl Visit for Find<'_> {
        fn exp(&mut self, e: &Exp) {
            self.1 |= form(e) == self.0;
            walk_exp(self, e);
        }
    }
    let mut find = Find(node, false);
    program.funs.iter().for_each(|f| find.body(&f.body));
    find.1
}

fn checks(case: &Case) {
    well_formed(&case.program(), case.name);
    assert!(has(&case.program(), case.node), "no {} in {}", case.node, case.program());
}

fn prints_and_parses(case: &Case) {
    let program = case.program();
    assert_eq!(program.to_string().parse::<Program>().unwrap(), program);
}

fn evaluates(case: &Case) {
    case.row();
    for partition in [Partition::Chunks(1), Partition::Chunks(3), Partition::Random(7)] {
        let ctx = Ctx { partition, ..Ctx::default() };
        let got = eval(&case.program(), "main", &values(&numbers(&case.args)), &ctx).unwrap();
        same(&got, &values(&numbers(&case.gives)), "cut otherwise", &case.program());
    }
    for (args, kind) in &case.fails {
        let failed = eval(&case.program(), "main", &values(&numbers(args)), &Ctx::strict());
        assert_eq!(failed.map_err(|e| e.kind), Err(*kind), "at {args}");
    }
}

/// The Jacobian by the mode is that by differences; without derivative it is zero, or there are no reals.
fn differentiates(case: &Case, by: fn(&Row) -> Vec<Vec<f64>>) {
    let row = case.row();
    let jacobian = by(&row);
    let entries = || jacobian.iter().flatten();
    if case.discrete.is_some() {
        assert!(entries().all(|x| *x == 0.0), "{jacobian:?}");
        return;
    }
    assert!(entries().any(|x| *x != 0.0), "a derivative that is zero");
    let differences = row.by_differences();
    for (x, y) in entries().zip(differences.iter().flatten()) {
        assert!((x - y).abs() <= 1e-6 * (1.0 + x.abs()), "{x}, by differences {y}\n{jacobian:?}\n{differences:?}");
    }
    row.duality();
}

type Column = (&'static str, fn(&Case));

const COLUMNS: [Column; 5] = [
    ("check", checks),
    ("print/parse", prints_and_parses),
    ("eval", evaluates),
    ("jvp", |c| differentiates(c, Row::by_jvp)),
    ("vjp", |c| differentiates(c, Row::by_vjp)),
];

fn cases() -> Vec<Case> {
    [arrays::cases(), control::cases(), parallel::cases(), segments::cases(), derivatives::cases()]
        .into_iter()
        .flatten()
        .collect()
}

#[test]
fn every_node_has_a_case() {
    let cases = cases();
    let missing: Vec<_> = FORMS.iter().filter(|f| !cases.iter().any(|c| c.node == **f)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    cases.iter().for_each(|c| assert!(FORMS.contains(&c.node), "{}", c.node));
}

#[test]
fn every_case_holds() {
    let mut table = String::from(
        "# The nodes of the IR and what tests hold of them\n\n\
         Generated by `FUTI_BLESS=1 cargo test -p futi-core --test nodes`; the programs are in `core/tests/nodes/`. *check*: the checker accepts the program; \
         *print/parse*: its text is read back as the same program; *eval*: it gives results made by hand, by default, strictly and element by element; *jvp*, *vjp*: \
         the whole Jacobian by that mode agrees with central differences, and the modes with each other. Where a node has no derivative but zero, the table says why.\n\n",
    );
    let titles = COLUMNS.map(|(title, _)| title).join(" | ");
    writeln!(table, "| node | case | {titles} |\n|---|---|{}", "---|".repeat(COLUMNS.len())).unwrap();
    let mut failures = Vec::new();
    for case in &cases() {
        write!(table, "| {} | {} |", case.node, case.name).unwrap();
        for (title, holds) in COLUMNS {
            let fine = catch_unwind(AssertUnwindSafe(|| holds(case))).is_ok();
            if !fine {
                failures.push(format!("{}, {}: {title}", case.node, case.name));
            }
            match (fine, case.discrete) {
                (true, Some(why)) if title == "jvp" || title == "vjp" => write!(table, " zero: {why} |").unwrap(),
                (true, _) => table.push_str(" ✓ |"),
                (false, _) => table.push_str(" ✗ |"),
            }
        }
        table.push('\n');
    }
    assert!(failures.is_empty(), "{failures:#?}");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/nodes.md");
    if std::env::var_os("FUTI_BLESS").is_some() {
        std::fs::write(path, &table).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(committed, table, "docs/nodes.md is not up to date: run again with FUTI_BLESS=1");
}
