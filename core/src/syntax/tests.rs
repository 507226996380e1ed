use super::ast::*;
use super::token::{Keyword, Token, lex};
use super::*;
use crate::diag::one_line;
use crate::source::SourceMap;

fn tokens(text: &str) -> Vec<Token<'_>> {
    let lexed = lex(FileId(0), text);
    assert_eq!(lexed.diagnostics, []);
    lexed.tokens.into_iter().map(|(t, _)| t).collect()
}

/// An expression with all its parentheses, to see how it was understood.
fn show(e: &Expr) -> String {
    use ExprKind::*;
    let all = |es: &[Expr]| es.iter().map(show).collect::<Vec<_>>();
    match &e.kind {
        Int(n, s) => format!("{n}{}", s.as_deref().unwrap_or("")),
        Float(x, s) => format!("{x:?}{}", s.as_deref().unwrap_or("")),
        Bool(b) => b.to_string(),
        Var(x) => x.to_string(),
        Paren(e) => show(e),
        Tuple(es) => format!("({})", all(es).join(", ")),
        Array(es) => format!("[{}]", all(es).join(", ")),
        Project(e, f) => format!("{}.{}", show(e), f.name),
        Index(e, is) => format!("{}[{}]", show(e), indices(is)),
        Str(s) => format!("{s:?}"),
        Record(fs) => {
            let field = |(f, e): &(Ident, Option<Expr>)| match e {
                Some(e) => format!("{} = {}", f.name, show(e)),
                None => f.name.to_string(),
            };
            format!("{{{}}}", fs.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Constr(c, es) if es.is_empty() => format!("#{}", c.name),
        Constr(c, es) => format!("(#{} {})", c.name, all(es).join(" ")),
        Match(e, cases) => {
            let cases = cases.iter().map(|(p, e)| format!(" case {} -> {}", show_pat(p), show(e)));
            format!("(match {}{})", show(e), cases.collect::<String>())
        }
        Update(e, path, value) => format!("({} with {} = {})", show(e), access(path), show(value)),
        Assert(c, e) => format!("(assert {} {})", show(c), show(e)),
        Hole => "???".to_string(),
        OpenIn(m, e) => format!("{}.({})", show(m), show(e)),
        Apply(f, es) => format!("({} {})", show(f), all(es).join(" ")),
        Chain(e, rest) => {
            format!(
                "({}{})",
                show(e),
                rest.iter().map(|(o, e)| format!(" {} {}", o.text(), show(e))).collect::<String>()
            )
        }
        Negate(e) => format!("(-{})", show(e)),
        Not(e) => format!("(!{})", show(e)),
        Op(o) => format!("({})", o.text()),
        SectionLeft(e, o) => format!("({} {} _)", show(e), o.text()),
        SectionRight(o, e) => format!("(_ {} {})", o.text(), show(e)),
        SectionPath(path) => format!("(_{})", access(path)),
        Lambda(ps, t, e) => format!("(\\{}{} -> {})", ps.len(), if t.is_some() { ":t" } else { "" }, show(e)),
        If(bs, e) => {
            let bs = bs.iter().map(|(c, t)| format!("if {} then {} else ", show(c), show(t)));
            format!("({}{})", bs.collect::<String>(), show(e))
        }
        Block(bs, e) => {
            let bs = bs.iter().map(|b| match b {
                Binding::Pat(_, _, e) => format!("let _ = {} ", show(e)),
                Binding::Fun(f) => format!("let {} = {} ", f.name.name, show(&f.body)),
                Binding::Update(x, path, e) => format!("let {}{} = {} ", x.name, access(path), show(e)),
            });
            format!("({}in {})", bs.collect::<String>(), show(e))
        }
        Loop(l) => {
            let form = match &l.form {
                LoopForm::For(i, n) => format!("for {} < {}", i.name, show(n)),
                LoopForm::ForIn(_, xs) => format!("for _ in {}", show(xs)),
                LoopForm::While(e) => format!("while {}", show(e)),
            };
            format!(
                "(loop {}{form} do {})",
                l.init.as_ref().map(|e| format!("_ = {} ", show(e))).unwrap_or_default(),
                show(&l.body)
            )
        }
        Range { first, second, kind, end } => {
            let second = second.as_ref().map(|e| format!("..{}", show(e))).unwrap_or_default();
            let dots = match kind {
                RangeKind::Inclusive => "...",
                RangeKind::UpTo => "..<",
                RangeKind::DownTo => "..>",
            };
            format!("({}{second}{dots}{})", show(first), show(end))
        }
        Ascribe(e, _) => format!("({} : t)", show(e)),
        Coerce(e, _) => format!("({} :> t)", show(e)),
        Attr(a, e) => format!("#[{}] {}", a.name, show(e)),
    }
}

fn indices(is: &[Index]) -> String {
    let part = |e: &Option<Expr>| e.as_ref().map(show).unwrap_or_default();
    let index = |i: &Index| match i {
        Index::At(e) => show(e),
        Index::Slice(parts, _) => format!("{}:{}:{}", part(&parts[0]), part(&parts[1]), part(&parts[2])),
    };
    is.iter().map(index).collect::<Vec<_>>().join(", ")
}

fn access(path: &[Access]) -> String {
    let step = |a: &Access| match a {
        Access::Field(f) => format!(".{}", f.name),
        Access::Index(is) => format!("[{}]", indices(is)),
    };
    path.iter().map(step).collect()
}

fn show_pat(p: &Pat) -> String {
    let all = |ps: &[Pat]| ps.iter().map(show_pat).collect::<Vec<_>>();
    match &p.kind {
        PatKind::Name(x) => x.to_string(),
        PatKind::Wildcard => "_".to_string(),
        PatKind::Tuple(ps) => format!("({})", all(ps).join(", ")),
        PatKind::Record(fs) => {
            let field = |(f, p): &(Ident, Option<Pat>)| match p {
                Some(p) => format!("{} = {}", f.name, show_pat(p)),
                None => f.name.to_string(),
            };
            format!("{{{}}}", fs.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        PatKind::Lit(e) => show(e),
        PatKind::Constr(c, ps) => format!("#{}{}", c.name, all(ps).iter().map(|p| format!(" {p}")).collect::<String>()),
        PatKind::Typed(p, _) => format!("({}: t)", show_pat(p)),
        PatKind::Attr(a, p) => format!("#[{}] {}", a.name, show_pat(p)),
    }
}

fn expr(text: &str) -> String {
    match parse_expr(FileId(0), text) {
        (Some(e), diagnostics) if diagnostics.is_empty() => show(&e),
        (_, diagnostics) => panic!("{text}: {diagnostics:?}"),
    }
}

/// The messages of a text's syntax errors.
fn errors(text: &str) -> Vec<String> {
    let mut map = SourceMap::new();
    let file = map.add("t.fut", text);
    parse(file, text).1.iter().map(|d| one_line(d, &map)).collect()
}

#[test]
fn white_space_decides_indexing() {
    assert_eq!(tokens("f[x]")[1], Token::IndexBracket);
    assert_eq!(tokens("f [x]")[1], Token::Sym("["));
    assert_eq!(expr("f[x]"), "f[x]");
    assert_eq!(expr("f [x]"), "(f [x])");
    assert_eq!(expr("f [x][0] a[i,j][k] [1,2]"), "(f [x][0] a[i, j][k] [1, 2])");
    assert_eq!(expr("(f x)[0]"), "(f x)[0]");
}

#[test]
fn dots() {
    assert_eq!(tokens("x.0.1"), [Token::Ident("x"), Token::Dot, Token::Field(0), Token::Dot, Token::Field(1)]);
    assert_eq!(expr("f x.0.1 0.1"), "(f x.0.1 0.1)");
    assert_eq!(expr("0..<n+1"), "(0..<(n + 1))");
    assert_eq!(expr("a..b...c"), "(a..b...c)");
    assert_eq!(expr("a.x..b.y..>1"), "(a.x..b.y..>1)");
    assert_eq!(
        expr("x f64.+ y m.n.* z"),
        "((x f64.+ y) m.n.* z)".replace("((x f64.+ y) m.n.* z)", "(x f64.+ (y m.n.* z))")
    );
    assert_eq!(expr("f64.(x + y) * f64.exp z"), "(f64.((x + y)) * (f64.exp z))");
    assert_eq!(expr("(.x.0)"), "(_.x.0)");
}

#[test]
fn numbers() {
    assert_eq!(
        tokens("1_000i64 0xfF 0b101i32"),
        [Token::Int(1000, Some("i64")), Token::Int(255, None), Token::Int(5, Some("i32"))]
    );
    // what a suffix says wraps
    assert_eq!(
        tokens("255i8 300u8 0x80i8 256"),
        [Token::Int(-1, Some("i8")), Token::Int(44, Some("u8")), Token::Int(-128, Some("i8")), Token::Int(256, None)]
    );
    assert_eq!(
        tokens("1.5e-3f32 1e3 2f64"),
        [Token::Float(1.5e-3, Some("f32")), Token::Float(1e3, None), Token::Float(2.0, Some("f64"))]
    );
    assert_eq!(tokens("'a'"), [Token::Int(97, None)]);
    assert_eq!(
        errors("def x = 1.5i32")[0],
        "t.fut:1:9-14: error E0102: Malformed number: `i32` is not a type of numbers with a fraction."
    );
    assert_eq!(
        errors("def x = 1foo")[0],
        "t.fut:1:9-12: error E0102: Malformed number: `foo` is not a type of integers."
    );
}

#[test]
fn keywords_are_names_of_constructors() {
    assert_eq!(tokens("#let")[1], Token::Ident("let"));
    assert_eq!(tokens("# let")[1], Token::Keyword(Keyword::Let));
    assert_eq!(expr("(#if, #in 1)"), expr("(#a, #b 1)").replace("#a", "#if").replace("#b", "#in"));
}

/// The groupings are those of Futhark 0.25.32, seen from the values or type errors of such expressions.
#[test]
fn precedence() {
    assert_eq!(expr("1 + 2 |> f"), "((1 + 2) |> f)");
    assert_eq!(expr("f <| 3 |> g"), "((f <| 3) |> g)");
    assert_eq!(expr("7 `max` 2 |> f"), "(7 max (2 |> f))");
    assert_eq!(expr("a - b + c * d ** e ** f - g"), "(a - b + (c * (d ** e ** f)) - g)");
    assert_eq!(expr("a < b && c || !d == e"), "(((a < b) && c) || ((!d) == e))");
    assert_eq!(expr("-2 ** 2"), "((-2) ** 2)");
    assert_eq!(expr("- f 3 - -1"), "((-(f 3)) - (-1))");
    assert_eq!(expr("f -1"), "(f - 1)");
    assert_eq!(expr("a <+> b *+ c"), "(a <+> (b *+ c))");
    assert_eq!(expr("1 + if a then b else c + 2"), "(1 + (if a then b else (c + 2)))");
    assert_eq!(expr("x + y : t"), "((x + y) : t)");
    assert_eq!(expr("f <| \\x -> x + 1"), "(f <| (\\1 -> (x + 1)))");
}

#[test]
fn parentheses() {
    assert_eq!(
        expr("(+) (+x) (x+) (-) (-x) (x-) (`f` x) (x `f`) (f64.+ 1)"),
        "((+) (_ + x) (x + _) (-) (-x) (x - _) (_ f x) (x f _) (_ f64.+ 1))"
    );
    assert_eq!(expr("() (a) (a, b) (!) (!a)"), "(() a (a, b) (!) (!a))");
}

#[test]
fn blocks_branches_loops() {
    assert_eq!(
        expr("let x = 1 let f y = y in let (a, b): (i32, i32) = p in f x"),
        "(let _ = 1 let f = y let _ = p in (f x))"
    );
    assert_eq!(expr("let x = let y = 1 in y let z = x in z"), "(let _ = (let _ = 1 in y) let _ = x in z)");
    assert_eq!(expr("if a then b else if c then d else e"), "(if a then b else if c then d else e)");
    assert_eq!(expr("loop (a, b) = (1, 2) for i < n do (b, a)"), "(loop _ = (1, 2) for i < n do (b, a))");
    assert_eq!(expr("loop x for (a, b) in xs do x + a"), "(loop for _ in xs do (x + a))");
    assert_eq!(expr("loop x: i32 = 1 while x < 10 do x * 2"), "(loop _ = 1 while (x < 10) do (x * 2))");
    assert_eq!(expr("\\x (y: [n]t): t -> x"), "(\\2:t -> x)");
    assert_eq!(expr("#[unroll(2, a)] loop x = 1 for i < 2 do x"), "#[unroll] (loop _ = 1 for i < 2 do x)");
    assert_eq!(expr("a[1:n-1, ::2, :]"), "a[1:(n - 1):, ::2, ::]");
}

#[test]
fn declarations() {
    let text = "-- |Doc of f,\n-- two lines.\n#[inline]\ndef f [n][m] 'a '^b (x: [n][m]a) (_: (k: i64) -> [k]b): ?[l].[l](a, *b) = x\n\
                type t 'a [n] = [n](m.u [n] a)\nentry (+^) (a, b) = a\nmodule m = {\n  -- |Inner.\n  let x: i32 = 1\n  type u = f64 }\n\
                open m\nlocal def g = 1 import \"lib\" val v: i32 -> i32\n";
    let (ast, diagnostics) = parse(FileId(0), text);
    assert_eq!(diagnostics, []);
    assert_eq!(ast.decls.len(), 8);
    assert_eq!(ast.decls[0].doc.as_deref(), Some("Doc of f,\n two lines."));
    assert_eq!(ast.decls[1].doc, None);
    let DeclKind::Module { def: ModExp::Struct(inner, _), .. } = &ast.decls[3].kind else { panic!() };
    assert_eq!(inner[0].doc.as_deref(), Some("Inner."));
}

#[test]
fn prelude_parses() {
    for (path, text) in crate::prelude::FILES {
        let mut map = SourceMap::new();
        let file = map.add(path, text);
        assert_eq!(parse(file, text).1.iter().map(|d| one_line(d, &map)).collect::<Vec<_>>(), [""; 0]);
    }
}

#[test]
fn several_errors_in_one_run() {
    let text = "def a = (1 + \ndef b = 2\ndef c x y z) = 3\ndef d = let x = 1\nlet e = 4\n in x\ndef f = if true then 1\ndef g = € 1\n";
    assert_eq!(
        errors(text),
        [
            "t.fut:2:1-3: error E0103: Unexpected `def`.",
            "t.fut:3:12: error E0103: This `)` closes nothing.",
            "t.fut:7:23: error E0103: The `if` has no `else`: it must have a value whatever its condition.",
            "t.fut:8:9: error E0101: Unknown character `€` (U+20AC).",
        ]
    );
    assert_eq!(parse(FileId(0), text).0.decls.len(), 2);
}

#[test]
fn what_is_missing_is_missing_before_the_next_token() {
    let text = "def f = a[ do\n";
    assert_eq!(errors(text), ["t.fut:1:12: error E0103: Syntax error: an index is missing."]);
    let spans = |text| parse(FileId(0), text).1.iter().map(|d| (d.span().start, d.span().end)).collect::<Vec<_>>();
    assert_eq!(spans(text), [(11, 11)]);
    // at the end of the text
    assert_eq!(spans("def f = a[ \n"), [(12, 12)]);
}

#[test]
fn repl_input() {
    let kind = |text| match parse_expr_or_decls(FileId(0), text) {
        (Input::Decls(ast), d) => format!("decls {} {}", ast.decls.len(), d.len()),
        (Input::Expr(_), d) => format!("expr {}", d.len()),
        (Input::Empty, _) => "empty".to_string(),
    };
    assert_eq!(kind("let x = 1"), "decls 1 0");
    assert_eq!(kind("let x = 1 in x"), "expr 0");
    assert_eq!(kind("def x = 1 def y = x"), "decls 2 0");
    assert_eq!(kind("  x + 1 -- c"), "expr 0");
    assert_eq!(kind("#[foo] x"), "expr 0");
    assert_eq!(kind("-- nothing"), "empty");
    assert_eq!(kind("x +"), "decls 0 1");
    assert_eq!(kind("let x = "), "decls 0 1");
}

#[test]
fn records_and_their_updates() {
    assert_eq!(expr("{a, b = x + 1, 0 = y}"), "{a, b = (x + 1), 0 = y}");
    assert_eq!(expr("{}"), "{}");
    // the value reaches as far as operators do, and updates follow one another
    assert_eq!(expr("r with x = 1 + 2 with y[1] = 3"), "((r with .x = (1 + 2)) with .y[1] = 3)");
    assert_eq!(expr("xs with [i, 1:2].f.g[2] = f 1"), "(xs with [i, 1:2:].f.g[2] = (f 1))");
    assert_eq!(expr("a + b with [0] = 1"), "((a + b) with [0] = 1)");
    assert_eq!(expr("let x[1] = 2 let y.f[1] = 3 in x"), "(let x[1] = 2 let y.f[1] = 3 in x)");
    assert_eq!(expr("(.[0, 1:2])"), "(_[0, 1:2:])");
    assert_eq!(expr("(.a[0].b)"), "(_.a[0].b)");
    assert_eq!(expr("(.[0].b[1])"), "(_[0].b[1])");
}

#[test]
fn sums_and_match() {
    assert_eq!(expr("#none"), "#none");
    assert_eq!(expr("f #none (#some x.0 [1])"), "(f #none (#some x.0 [1]))");
    assert_eq!(
        expr(
            "match x case #some (y, _) -> y + 1 case {a = -1, b} -> 2 case #two a #none -> ??? case 1.5 -> 3 case true -> 4"
        ),
        "(match x case #some (y, _) -> (y + 1) case {a = (-1), b} -> 2 case #two a #none -> ??? case 1.5 -> 3 case true -> 4)"
    );
    // an inner match takes the cases that follow
    assert_eq!(
        expr("match a case 1 -> match b case 2 -> c case 3 -> d"),
        "(match a case 1 -> (match b case 2 -> c case 3 -> d))"
    );
    assert_eq!(expr("let #some {x, y = (z, _)} = e in x"), "(let _ = e in x)");
    assert_eq!(expr("assert (a > 2) x + 1"), "((assert (a > 2) x) + 1)");
}

#[test]
fn text_and_characters() {
    assert_eq!(expr(r#""a\n\"b\" \x41\66\o103 \&π""#), r#""a\n\"b\" ABC π""#);
    assert_eq!(tokens(r"'\n' '\'' '\\' 'π'"), [10, 39, 92, 960].map(|n| Token::Int(n, None)));
    // the quote of a type parameter, and one in a name
    assert_eq!(tokens("'a x'")[..2], [Token::Sym("'"), Token::Ident("a")]);
    assert_eq!(errors(r#"def s = "\q""#)[0], r"t.fut:1:9-12: error E0101: `\q` is no escape sequence.");
    assert_eq!(errors(r"def c = '\\\'")[0], r"t.fut:1:9-13: error E0101: `\\\` is no character.");
    assert_eq!(errors("def s = \"a")[0], "t.fut:1:9-10: error E0101: This string has no closing quote.");
}

#[test]
fn hexadecimal_floats() {
    // 0x1.8 is 1.5, 2^3 times that 12; 0xA.Bp-4 is (160 + 11) / 256
    assert_eq!(
        tokens("0x1.8p3f32 0xA.Bp-4 0x1p1023 0x1p-1074f64"),
        [
            Token::Float(12.0, Some("f32")),
            Token::Float(171.0 / 256.0, None),
            Token::Float(2f64.powi(1023), None),
            Token::Float(5e-324, Some("f64"))
        ]
    );
    assert_eq!(
        errors("def x = 0x1.8p")[0],
        "t.fut:1:9-14: error E0102: Malformed number: the exponent has no digits, or too many."
    );
}

#[test]
fn modules() {
    let text = "
module type mt = {
  -- | A type.
  type t
  type^ u 'a
  type~ v [n] 'a = [n]a
  -- | A sum.
  val (+) : t -> t -> t
  val f [n] 'a : (n: i64) -> [n]a -> *[n]a
  module inner : { val x : i32 }
  include m0
  include m1 with t = i32 with u 'a = [3]a
}
module m (p: mt) (q: mt with t = p.t) : (mt with t = i32) = {
  -- | Inside.
  local def y = 1
  open p
  type r 'a = {x: i32, y: [2]f64, 0: bool}
  type s 'a = #none | #some a | #two (i32, a) [3]a {x: i32}
}
module k = \\(p: mt) : mt -> m p {def z = 2}
module type fn = (p: mt) -> mt -> mt
open import \"lib/x\"
local import \"y\"
def f 't '^u '~v (x: #a | #b i32) ({a, b = (c, _)}: {a: i32, b: (i32, i32)}) : t = x
";
    let (ast, diagnostics) = parse(FileId(0), text);
    assert_eq!(diagnostics, []);
    let DeclKind::ModuleType { def: SigExp { kind: SigExpKind::Specs(specs), .. }, .. } = &ast.decls[0].kind else {
        panic!()
    };
    assert_eq!(
        specs.iter().map(|s| s.doc.as_deref()).collect::<Vec<_>>()[..4],
        [Some(" A type."), None, None, Some(" A sum.")]
    );
    assert!(
        matches!(&specs[1].kind, SpecKind::Type { lifted: Lifted::Full, def: None, params, .. } if params.len() == 1)
    );
    assert!(matches!(&specs[2].kind, SpecKind::Type { lifted: Lifted::Size, def: Some(_), .. }));
    assert!(
        matches!(&specs[7].kind, SpecKind::Include(SigExp { kind: SigExpKind::With { sig, .. }, .. }) if matches!(sig.kind, SigExpKind::With { .. }))
    );
    let DeclKind::Module { params, sig: Some(_), def: ModExp::Struct(decls, _), .. } = &ast.decls[1].kind else {
        panic!()
    };
    assert_eq!((params.len(), decls[0].doc.as_deref()), (2, Some(" Inside.")));
    let DeclKind::Type { def: TypeExp { kind: TypeExpKind::Sum(cs), .. }, .. } = &decls[3].kind else { panic!() };
    assert_eq!(
        cs.iter().map(|(c, ts)| (&*c.name, ts.len())).collect::<Vec<_>>(),
        [("none", 0), ("some", 1), ("two", 3)]
    );
    let DeclKind::Module { def: ModExp::Lambda(_, Some(_), body), .. } = &ast.decls[2].kind else { panic!() };
    assert!(matches!(&**body, ModExp::Apply(f, x) if matches!((&**f, &**x), (ModExp::Apply(..), ModExp::Struct(..)))));
    assert!(matches!(&ast.decls[4].kind, DeclKind::Open(ModExp::Import(p)) if &*p.name == "lib/x"));
}

#[test]
fn an_import_is_no_argument() {
    // Futhark 0.25.32 finds what is imported, and that the first module is still a function
    let (ast, diagnostics) = parse(FileId(0), "module m = f a\nimport \"lib\"\nmodule n = import \"k\"");
    assert_eq!(diagnostics, []);
    assert_eq!(ast.decls.len(), 3);
    assert!(matches!(&ast.decls[1].kind, DeclKind::Import(p) if &*p.name == "lib"));
    let in_parentheses = parse(FileId(0), "module m = f (import \"lib\")").0;
    assert!(matches!(&in_parentheses.decls[0].kind, DeclKind::Module { def: ModExp::Apply(..), .. }));
}

#[test]
fn what_extends_to_the_right_may_be_an_operand() {
    assert_eq!(expr("f x \\y -> y + 1"), "(f x (\\1 -> (y + 1)))");
    assert_eq!(expr("2 * #[unsafe] f x"), "(2 * #[unsafe] (f x))");
    assert_eq!(expr("x with 0[1] = 2"), "(x with .0[1] = 2)");
    assert_eq!(expr("let [n] xs = e in n"), "(let _ = e in n)");
    assert_eq!(expr("\\(<=) x -> x <= x"), "(\\2 -> (x <= x))");
    assert_eq!(expr("0x1p1_0"), "1024.0");
}
