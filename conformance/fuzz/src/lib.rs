//! What must hold of every input, one function for each fuzz target. A panic is a finding; so are a hang and an overflow of the stack. Of the inputs in
//! the corpora, `conformance/tests/corpora.rs` tests it.

use futi_core::diag::{self, Diagnostic};
use futi_core::driver::pipeline::Stage;
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::ir::{Dim, Fun, Program, Type, Var, check};
use futi_core::prelude::{self, Prelude};
use futi_core::prim::{Scalar, ScalarType};
use futi_core::source::{FileId, SourceMap, Span};
use futi_core::syntax::{self, token};
use futi_core::value::binary::{read_values, write_values};
use futi_core::value::{Array, Column, Value, text::parse_values};
use futi_core::{lower, types};
use futi_interp::{Code, Ctx};
use futi_spec::random::Rng;
use std::collections::HashMap;

/// The stack that every caller of the front end and the interpreter gives them.
const STACK: usize = 512 << 20;

/// Hands an input to a target as text; what is not UTF-8 is none.
pub fn text(data: &[u8], target: fn(&str)) {
    if let Ok(text) = std::str::from_utf8(data) {
        stacker::grow(STACK, || target(text));
    }
}

/// The lexer never fails: tokens and comments lie in the text, in order.
pub fn lexer(text: &str) {
    let lexed = token::lex(FileId(0), text);
    let mut at = 0;
    for (_, span) in &lexed.tokens {
        assert!(at <= span.start && span.start < span.end, "a token at {span:?} after one that ends at {at}");
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} is no part of the text");
        at = span.end;
    }
    lexed.docs.iter().for_each(|doc| inside(text, doc.span));
    shown(text, &lexed.diagnostics);
}

/// The parser never fails: a tree and diagnostics with places in the text. So do the parsers of the REPL.
pub fn parser(text: &str) {
    shown(text, &syntax::parse(FileId(0), text).1);
    shown(text, &syntax::parse_expr_or_decls(FileId(0), text).1);
    shown(text, &syntax::parse_expr(FileId(0), text).1);
}

/// Source text is rejected with diagnostics, or becomes a well-formed program whose text reads back.
pub fn checker(text: &str) {
    let Prelude { env, mut sources, diagnostics } = prelude::load();
    assert!(diagnostics.is_empty());
    let file = sources.add("main.fut", text);
    let (ast, mut diagnostics) = syntax::parse(file, text);
    let (typed, env, errors) = types::check(&ast, &env, &sources);
    diagnostics.extend(errors);
    diag::render(&diagnostics, &sources, false);
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let entries: Vec<_> = typed.entries().cloned().collect();
        match lower::lower(&entries, &env, &sources) {
            Ok(program) => {
                well_formed(&program, "lowering");
                reads_back(&program);
            }
            Err(errors) => {
                for (span, _) in errors.iter().flat_map(|d| &d.labels) {
                    inside(&sources.get(span.file).expect("the place of a diagnostic is in a file").text, *span);
                }
                diag::render(&errors, &sources, false);
            }
        }
    }
}

/// IR text is rejected with a place in it, or is the text of a program that its own text gives again.
pub fn ir_parser(text: &str) {
    match text.parse::<Program>() {
        Ok(program) => reads_back(&program),
        Err(e) => assert!(e.line >= 1 && e.line <= text.lines().count() + 1, "{e}"),
    }
}

/// A program that the checker accepts runs, quickly, element by element and strictly: to results of the types that it says, to a failure of its own,
/// or to a limit.
pub fn ir_check(text: &str) {
    let Some(program) = accepted(text) else { return };
    let Ok(code) = Code::new(&program) else { panic!("a well-formed program has no code") };
    for fun in &program.funs {
        let Some(args) = arguments(fun, text) else { continue };
        let limits = || Ctx { fuel: Some(20_000), memory: Some(16 << 20), call_depth: 100, ..Ctx::default() };
        let run = |ctx: Ctx| code.call(fun.name.as_str(), args.clone(), &ctx);
        let quick = run(limits());
        for result in [&quick, &run(Ctx { plain: true, ..limits() }), &run(Ctx { strict: true, ..limits() })] {
            match result {
                Ok(values) => typed(fun, values),
                // a statement may list no certificate, or the wrong one: then its operands are wrong, and it is said
                Err(e) if e.message.contains("without a check") => {}
                Err(RuntimeError { kind, message, .. }) => assert_ne!(*kind, FailureKind::Internal, "{message}"),
            }
        }
    }
}

/// Every stage of a program that the checker accepts is well-formed, and its text reads back.
pub fn passes(text: &str) {
    let Some(mut program) = accepted(text) else { return };
    for pass in Stage::ALL.iter().flat_map(|stage| stage.passes()) {
        program = match pass.alone(program) {
            Ok(program) => program,
            // a construct without derivative is said with its place
            Err(_) => return,
        };
        well_formed(&program, pass.name);
    }
    reads_back(&program);
}

/// Values are read with a place for what is wrong, and their text gives them again, bit by bit.
pub fn values(text: &str) {
    let Ok(values) = parse_values(text) else { return };
    for value in values {
        let again = parse_values(&value.to_string());
        assert_eq!(again.as_deref(), Ok(&[value][..]));
    }
}

/// Binary data is values that their own bytes give again, or is rejected with a position in it.
pub fn binary(bytes: &[u8]) {
    match read_values(bytes) {
        Ok(values) => assert_eq!(read_values(&write_values(&values)), Ok(values)),
        Err(e) => assert!(e.offset <= bytes.len(), "{e}"),
    }
}

/// Test blocks are read, or rejected with a line of the text.
pub fn test_block(text: &str) {
    if let Err(e) = futi_spec::parse(text) {
        assert!(e.line >= 1 && e.line <= text.lines().count() + 1, "{e}");
    }
}

fn inside(text: &str, span: Span) {
    assert!(span.start <= span.end && span.end as usize <= text.len(), "{span:?} is no part of the text");
    assert!(text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize), "{span:?}");
}

/// Diagnostics have places in the text, and can be shown.
fn shown(text: &str, diagnostics: &[Diagnostic]) {
    diagnostics.iter().flat_map(|d| &d.labels).for_each(|(span, _)| inside(text, *span));
    let mut sources = SourceMap::new();
    sources.add("main.fut", text);
    // to show them takes much longer than to find them
    diag::render(&diagnostics[..diagnostics.len().min(3)], &sources, false);
}

fn well_formed(program: &Program, what: &str) {
    let errors = check::errors(program);
    assert!(errors.is_empty(), "{what} gives an ill-formed program: {}\n{program}", errors[0]);
}

fn reads_back(program: &Program) {
    let text = program.to_string();
    match text.parse::<Program>() {
        Ok(again) => assert!(again == *program, "another program is read back\n{text}\n{again}"),
        Err(e) => panic!("{e}\n{text}"),
    }
}

/// The program of that text, if it is a well-formed one.
fn accepted(text: &str) -> Option<Program> {
    Some(check::check(text.parse().ok()?).ok()?.into_inner())
}

/// Arguments of a function: small sizes, and numbers that follow from the text. None for one that takes accumulators or certificates.
fn arguments(fun: &Fun, text: &str) -> Option<Vec<Value>> {
    let mut rng = Rng::new(0, text);
    let mut sizes: HashMap<Var, i64> = HashMap::new();
    let mut args = Vec::new();
    for param in &fun.params {
        let ty = &param.binder.ty;
        let shape: Option<Vec<usize>> = ty.shape().iter().map(|d| size(d, &sizes)).collect();
        let shape = shape?;
        let mut number = |t: ScalarType| match t {
            ScalarType::Bool => Scalar::Bool(rng.bits() & 1 == 1),
            t if t.is_int() => Scalar::from_i64(t, (rng.bits() % 5) as i64),
            t => Scalar::from_f64(t, 4.0 * rng.unit() - 2.0),
        };
        args.push(match ty {
            Type::Scalar(t) => Value::Scalar(number(*t)),
            Type::Array(t, _) => {
                let count: usize = shape.iter().product();
                if count > 1 << 12 {
                    return None;
                }
                Value::Array(Array::new(&shape, Column::from_scalars(*t, (0..count).map(|_| number(*t)))?))
            }
            _ => return None,
        });
        if let Some(Value::Scalar(Scalar::I64(n))) = args.last() {
            sizes.insert(param.binder.var, *n);
        }
    }
    Some(args)
}

fn size(d: &Dim, sizes: &HashMap<Var, i64>) -> Option<usize> {
    match d {
        Dim::Const(n) => usize::try_from(*n).ok(),
        Dim::Var(v) => usize::try_from(*sizes.get(v)?).ok(),
    }
}

/// Results have the types that the function says.
fn typed(fun: &Fun, values: &[Value]) {
    assert_eq!(fun.results.len(), values.len());
    for (result, value) in fun.results.iter().zip(values) {
        let ty = &result.binder.ty;
        assert_eq!((ty.elem(), ty.rank()), (Some(value.elem()), value.shape().len()), "{value}");
    }
}
