//! Derivatives of functions at points: `F X..` is an application, of which the arguments are what is differentiated by.

use super::Repl;
use super::command::{of_text, program, usage};
use crate::failure::Failure;
use crate::say;
use futi_conformance::row::Outcome;
use futi_conformance::{Options, run};
use futi_core::backend::CallCtx;
use futi_core::prim::{BinOp, Prim, Scalar, UnOp};
use futi_core::source::{FileId, printable};
use futi_core::syntax::ast::ExprKind;
use futi_core::syntax::parse_expr;
use futi_interp::{Code, Ctx, Stopped};
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

/// A function and its arguments, as text.
struct Application {
    function: String,
    arguments: Vec<String>,
}

impl Application {
    fn of(text: &str) -> Result<Application, Failure> {
        let usual = || usage("The command takes a function and its arguments: `f x`, `(\\x y -> x * y) 2.0 3.0`.");
        let (expr, _) = parse_expr(FileId::default(), text);
        let ExprKind::Apply(function, arguments) = expr.ok_or_else(usual)?.kind else { return Err(usual()) };
        let piece = |span: futi_core::source::Span| text[span.start as usize..span.end as usize].to_string();
        Ok(Application { function: piece(function.span), arguments: arguments.iter().map(|a| piece(a.span)).collect() })
    }

    /// The function of one parameter that has all arguments, and its argument.
    fn single(&self) -> (String, String) {
        match &self.arguments[..] {
            [argument] => (format!("({})", self.function), format!("({argument})")),
            several => {
                let names: Vec<String> = (0..several.len()).map(|k| format!("futi'{k}")).collect();
                let function = format!("(\\({}) -> ({}) {})", names.join(", "), self.function, names.join(" "));
                (function, format!("({})", several.join(", ")))
            }
        }
    }
}

/// The number of dimensions of what an expression gives.
fn rank(repl: &mut Repl, text: &str) -> Result<usize, Failure> {
    let found = repl.session.type_of(text);
    let ty = of_text(repl, found)?;
    if ty.starts_with('(') || ty.starts_with('{') {
        return Err(usage(format!("This is for numbers and arrays of numbers, not for {ty}.")));
    }
    Ok(ty.matches('[').count())
}

/// The indices of each dimension of an array, as expressions: of types that have its sizes.
fn dims(array: &str, rank: usize) -> Vec<String> {
    (0..rank).map(|k| format!("indices {array}{}", "[0]".repeat(k))).collect()
}

/// The array of what an expression gives for these indices, whose names begin like this.
fn tabulate(dims: &[String], index: &str, body: &str) -> String {
    let begin: String = (0..dims.len()).map(|k| format!("map (\\{index}{k} -> ")).collect();
    let end: String = dims.iter().rev().map(|indices| format!(") ({indices})")).collect();
    format!("{begin}{body}{end}")
}

/// What is one at an index and zero elsewhere.
fn unit(dims: &[String]) -> String {
    let same: Vec<String> = (0..dims.len()).map(|k| format!("i'{k} == j'{k}")).collect();
    if dims.is_empty() { "1".into() } else { tabulate(dims, "j'", &format!("if {} then 1 else 0", same.join(" && "))) }
}

/// `:grad F X..`: of functions whose result is a number; of several arguments, a tuple.
pub fn gradient(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let (f, x) = Application::of(text)?.single();
    match rank(repl, &format!("{f} {x}"))? {
        0 => repl.input(&format!("vjp {f} {x} 1")),
        _ => Err(usage("The result is no number; `:jac` is for functions whose results are arrays.")),
    }
}

/// `:jac F X..`: for each element of the result the derivatives by the arguments.
pub fn jacobian(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let (f, x) = Application::of(text)?.single();
    let result = rank(repl, &format!("{f} {x}"))?;
    let dims = dims("futi'y", result);
    let row = tabulate(&dims, "i'", &format!("vjp {f} {x} ({})", unit(&dims)));
    repl.input(&if result == 0 { row } else { format!("let futi'y = {f} {x} in {row}") })
}

/// `:hess F X`: for each element of the argument the derivatives of the gradient.
pub fn hessian(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let application = Application::of(text)?;
    let (f, x) = application.single();
    if rank(repl, &format!("{f} {x}"))? > 0 {
        return Err(usage("The result is no number, and has no Hessian."));
    }
    if let [_, _, ..] = application.arguments[..] {
        // numbers only: each is an element of the argument
        let all: Result<Vec<usize>, Failure> = application.arguments.iter().map(|a| rank(repl, a)).collect();
        if all?.iter().any(|rank| *rank > 0) {
            return Err(usage("The Hessian is by one array, or by numbers."));
        }
        let count = application.arguments.len();
        let row = |k: usize| {
            let seed: Vec<&str> = (0..count).map(|j| if j == k { "1" } else { "0" }).collect();
            format!("jvp (\\futi'x -> vjp {f} futi'x 1) {x} ({})", seed.join(", "))
        };
        return repl.input(&format!("({})", (0..count).map(row).collect::<Vec<_>>().join(", ")));
    }
    let dims = dims("futi'a", rank(repl, &x)?);
    let row = tabulate(&dims, "i'", &format!("jvp (\\futi'x -> vjp {f} futi'x 1) futi'a ({})", unit(&dims)));
    repl.input(&format!("let futi'a = {x} in {row}"))
}

/// A type as it is written without its sizes, which may have names that are no longer there.
fn without_sizes(ty: &str) -> String {
    let mut depth = 0;
    let mut out = String::new();
    for c in ty.chars() {
        depth -= i32::from(c == ']');
        if depth == 0 {
            out.push(c);
        }
        depth += i32::from(c == '[');
    }
    out
}

/// `:check F X..`: all oracles of the harness at this point, numerical differentiation among them.
pub fn check(repl: &mut Repl, text: &str) -> Result<(), Failure> {
    let application = Application::of(text)?;
    let mut params = Vec::new();
    let mut values = Vec::new();
    for (k, argument) in application.arguments.iter().enumerate() {
        let found = repl.session.type_of(argument);
        params.push(format!("(futi'{k}: {})", without_sizes(&of_text(repl, found)?)));
        let leaves = super::command::values(repl, argument)?;
        values.extend(leaves.iter().map(ToString::to_string));
    }
    let names: String = (0..params.len()).map(|k| format!(" futi'{k}")).collect();
    let folder = tempfile::tempdir().map_err(|e| Failure::Io(format!("a folder for the check: {e}")))?;
    let path = folder.path().join("session.fut");
    let program = format!(
        "{}\n-- ==\n-- entry: check\n-- input {{ {} }}\nentry check {} = ({}){names}\n",
        repl.saved.program(folder.path()),
        values.join(" "),
        params.join(" "),
        application.function,
    );
    std::fs::write(&path, program).map_err(|e| crate::files::io(&path, e))?;
    let report =
        run(&Options { paths: vec![path], jobs: 1, ..Options::default() }).map_err(|e| Failure::Io(e.to_string()))?;
    let mut text = String::new();
    for (column, outcome) in report.rows.iter().flat_map(|row| &row.cells) {
        let _ = writeln!(text, "{:<14} {}", column.name(), verdict(outcome));
    }
    for kink in kinks(repl, &format!("({}) {}", application.function, application.arguments.join(" ")))? {
        let _ = writeln!(text, "{:<14} {kink}", "kink");
    }
    let text = printable(&text).replace(&format!("{}/", folder.path().display()), "");
    say::last(text, if report.is_green() { Ok(()) } else { Err(Failure::Status(crate::failure::RUNTIME)) })
}

/// The operators that are not differentiable at their operands, with their places, on the way to the value of an expression.
fn kinks(repl: &mut Repl, text: &str) -> Result<Vec<String>, Failure> {
    let (loaded, fun, args) = program(repl, text)?;
    let (table, sources) = (loaded.program.prov.clone(), loaded.sources.clone());
    let found = Rc::new(RefCell::new(Vec::new()));
    let all = found.clone();
    let stop = move |stopped| {
        let Stopped::Operator(prov, op) = stopped else { return };
        let place = sources.spans(prov, &table).into_iter().find(|span| !sources.of_prelude(*span));
        let kink = format!("{op} at {}", place.map_or("an unknown place".to_string(), |span| sources.locate(span)));
        let mut all = all.borrow_mut();
        if !all.contains(&kink) {
            all.push(kink);
        }
    };
    let call = CallCtx { cancel: Some(repl.engine.interrupted.clone()) };
    let ctx = Ctx { call, stop: Some(Rc::new(stop)), stop_at: Some(is_kink), plain: true, ..Ctx::default() };
    let code = Code::new(&loaded.program).map_err(|e| loaded.failure(&e))?;
    // that the program fails is said by the oracles
    let _ = code.call(&fun, args, &ctx);
    Ok(found.take())
}

/// Whether an operator may have no derivative at these operands: zeros, integers, or equal numbers, which may decide a branch.
fn is_kink(op: Prim, args: &[Scalar], _: Scalar) -> bool {
    let floats = args.iter().all(|x| x.scalar_type().is_float());
    let numbers: Vec<f64> = args.iter().map(|x| x.to_f64()).collect();
    floats
        && match (op, &numbers[..]) {
            (Prim::Un(UnOp::Abs | UnOp::Sgn | UnOp::Sqrt | UnOp::Cbrt, _), [x]) => *x == 0.0,
            (Prim::Un(UnOp::Floor | UnOp::Ceil | UnOp::Trunc, _), [x]) => x.fract() == 0.0,
            (Prim::Bin(BinOp::Min | BinOp::Max, _) | Prim::Cmp(..), [x, y]) => x == y,
            _ => false,
        }
}

/// What an oracle says, in a line, or more where something is wrong.
fn verdict(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok { note, .. } if note.is_empty() => "ok".into(),
        Outcome::Ok { note, .. } => format!("ok, {note}"),
        Outcome::Absent { reason } => format!("- {reason}"),
        Outcome::Fail(failure) => format!("FAIL {}", failure.to_string().replace('\n', "\n    ")),
        Outcome::Inconclusive { reason } => format!("inconclusive: {reason}"),
        Outcome::IllConditioned { reason } => format!("ill-conditioned: {reason}"),
        Outcome::NoRule { reason } => format!("no rule: {reason}"),
        Outcome::Skipped { reason } | Outcome::Waived { reason, .. } => format!("skipped: {reason}"),
    }
}
