//! The grammar, as chumsky parsers over tokens: names, types, patterns, declarations. Expressions are in [`super::expr`].
//!
//! Note [Predictive grammar]: chumsky backtracks. Wherever several rules may apply, the next token or two decide, so that
//! a mistake deep inside nested brackets is not parsed again by each enclosing rule (which would take exponential time).

use super::MAX_NESTING;
use super::ast::*;
use super::token::{Keyword, OPERATOR_CHARS, Token};
use crate::source::Span;
use chumsky::error::Rich;
use chumsky::extra::{Full, SimpleState};
use chumsky::input::{InputRef, MapExtra, MappedInput};
use chumsky::prelude::*;

/// The input: tokens with their spans.
pub(super) type In<'a> = MappedInput<'a, Token<'a>, Span, &'a [(Token<'a>, Span)]>;
pub(super) type Extra<'a> = Full<Rich<'a, Token<'a>, Span>, SimpleState<Nesting>, ()>;
/// A boxed parser: what every rule returns, to keep types (and compile times) small.
pub(super) type P<'a, O> = Boxed<'a, 'a, In<'a>, O, Extra<'a>>;
pub(super) type Ex<'a, 'b> = MapExtra<'a, 'b, In<'a>, Extra<'a>>;

/// How deep the parser is, and how tall what it has parsed.
#[derive(Clone, Debug, Default)]
pub(super) struct Nesting {
    depth: usize,
    /// Height of the tallest thing parsed since the innermost [`nested`] began.
    height: usize,
    /// Where the limit was exceeded.
    pub(super) too_deep: Option<Span>,
}

impl Nesting {
    /// Something was put on top of the expression just parsed.
    pub(super) fn grow(&mut self) {
        self.height += 1;
    }
}

/// An expression passes two of these for each level of brackets.
pub(super) const LIMIT: usize = 2 * MAX_NESTING;

/// `p`, with depth and height of what it parses limited.
pub(super) fn nested<'a, O: 'a>(p: impl Parser<'a, In<'a>, O, Extra<'a>> + 'a) -> P<'a, O> {
    custom(move |inp: &mut InputRef<'a, '_, In<'a>, Extra<'a>>| {
        let start = inp.cursor();
        let outer = std::mem::take(&mut inp.state().height);
        inp.state().depth += 1;
        let result = if inp.state().depth > LIMIT { Err(None) } else { inp.parse(&p).map_err(Some) };
        let state = inp.state();
        state.depth -= 1;
        let height = state.height + 1;
        state.height = outer.max(height);
        match result {
            Ok(value) if height <= LIMIT => Ok(value),
            Err(Some(error)) => Err(error),
            _ => {
                let span = inp.peek().map_or(inp.span_since(&start), |_| {
                    let before = inp.cursor();
                    inp.skip();
                    inp.span_since(&before)
                });
                inp.state().too_deep.get_or_insert(span);
                Err(Rich::custom(span, "nested too deeply"))
            }
        }
    })
    .boxed()
}

pub(super) fn sym<'a>(s: &'static str) -> P<'a, Span> {
    just(Token::Sym(s)).map_with(|_, e| e.span()).boxed()
}

pub(super) fn keyword<'a>(k: Keyword) -> P<'a, Span> {
    just(Token::Keyword(k)).map_with(|_, e| e.span()).boxed()
}

/// `[`, wherever it stands.
pub(super) fn bracket<'a>() -> P<'a, Span> {
    choice((sym("["), just(Token::IndexBracket).map_with(|_, e| e.span()))).boxed()
}

pub(super) fn ident<'a>() -> P<'a, Ident> {
    select! { Token::Ident(name) => name }
        .labelled("a name")
        .map_with(|name: &str, e: &mut Ex<'a, '_>| Ident { name: name.into(), span: e.span() })
        .boxed()
}

/// `m.n.` and `+.` of `m.n.+.`: an operator may have dots behind its first character.
fn modules_and_operator(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c| OPERATOR_CHARS.contains(c)).unwrap_or(0))
}

/// An operator made of symbols, perhaps qualified (`f64.+`), that satisfies `f`.
pub(super) fn symbolic<'a>(f: impl Fn(&str) -> bool + 'a) -> P<'a, QualName> {
    select! { Token::Op(op) => op, Token::QualOp(op) => op }
        .filter(move |text: &&str| f(modules_and_operator(text).1))
        .labelled("an operator")
        .map_with(|text: &str, e: &mut Ex<'a, '_>| {
            let span: Span = e.span();
            let mut start = span.start;
            let (modules, op) = modules_and_operator(text);
            let mut names: Vec<Ident> = (modules.split_terminator('.').chain([op]))
                .map(|name| {
                    let end = start + name.len() as u32;
                    let name = Ident { name: name.into(), span: Span { start, end, ..span } };
                    start = end + 1;
                    name
                })
                .collect();
            let base = names.pop().unwrap_or(Ident { name: text.into(), span });
            QualName { quals: names, base }
        })
        .boxed()
}

/// A name, perhaps qualified.
pub(super) fn qual_name<'a>() -> P<'a, QualName> {
    ident()
        .separated_by(just(Token::Dot))
        .at_least(1)
        .at_most(LIMIT)
        .collect::<Vec<_>>()
        .map(|mut quals| {
            let base = quals.pop().unwrap_or(Ident { name: "".into(), span: Span::default() });
            QualName { quals, base }
        })
        .boxed()
}

/// `#[name(args)]`, or `#[1]`; an argument `$x` is a variable.
pub(super) fn attr<'a>() -> P<'a, Attr> {
    let minus = just(Token::Op("-")).or_not().map(|m| if m.is_some() { -1 } else { 1 });
    let int = minus.then(select! { Token::Int(n, _) => n }).map(|(s, n)| AttrArg::Int(s * n as i64));
    let atom = recursive(|atom| {
        let var = sym("$").ignore_then(qual_name()).map(AttrArg::Var);
        let args = choice((int.boxed(), var.boxed(), atom.map(AttrArg::Attr).boxed()))
            .separated_by(sym(","))
            .collect::<Vec<_>>()
            .delimited_by(sym("("), sym(")"))
            .or_not();
        nested(field_name().then(args).map_with(|(name, args), e| Attr {
            name: name.name,
            args: args.unwrap_or_default(),
            span: e.span(),
        }))
    });
    atom.delimited_by(sym("#["), sym("]")).map_with(|a, e| Attr { span: e.span(), ..a }).boxed()
}

/// The size between brackets, or nothing.
fn size<'a>(expr: P<'a, Expr>) -> P<'a, Option<Expr>> {
    expr.or_not().delimited_by(bracket(), sym("]")).boxed()
}

/// Types, and types that are no functions unless in parentheses (with unknown sizes, if any, before them); `expr` parses the sizes.
pub(super) fn type_exp<'a>(expr: P<'a, Expr>) -> (P<'a, TypeExp>, P<'a, TypeExp>) {
    fn spanned<'a>(kind: TypeExpKind, e: &mut Ex<'a, '_>) -> TypeExp {
        TypeExp { kind, span: e.span() }
    }
    let mut no_function = None;
    let ty = recursive(|ty| {
        let ty = ty.boxed();
        // One type in parentheses is that type; none or several are a tuple.
        let list = ty.clone().separated_by(sym(",")).allow_trailing().collect::<Vec<TypeExp>>();
        let single =
            |mut types: Vec<TypeExp>| if types.len() == 1 { types.remove(0).kind } else { TypeExpKind::Tuple(types) };
        let tuple = list.delimited_by(sym("("), sym(")")).map(single).map_with(spanned).boxed();

        let field = field_name().then_ignore(sym(":")).then(ty.clone());
        let record = field
            .separated_by(sym(","))
            .allow_trailing()
            .collect()
            .delimited_by(sym("{"), sym("}"))
            .map(TypeExpKind::Record)
            .map_with(spanned)
            .boxed();
        let atom_name = qual_name().map(|name| TypeExpKind::Name(name, vec![])).map_with(spanned).boxed();

        let operand = recursive(|operand| {
            let operand = operand.boxed();
            let arg = choice((
                size(expr.clone()).map_with(|n, e| TypeArg::Size(n.map(Box::new), e.span())).boxed(),
                atom_name.clone().map(TypeArg::Type).boxed(),
                tuple.clone().map(TypeArg::Type).boxed(),
                record.clone().map(TypeArg::Type).boxed(),
            ));
            let applied = qual_name().then(arg.repeated().collect()).map(|(name, args)| TypeExpKind::Name(name, args));
            let array = size(expr.clone())
                .then(operand.clone())
                .map(|(n, elem)| TypeExpKind::Array(n.map(Box::new), Box::new(elem)));
            let unique = just(Token::Op("*")).ignore_then(operand).map(|t| TypeExpKind::Unique(Box::new(t)));
            // what a constructor takes needs no parentheses, and is applied to nothing
            let atom = recursive(|atom| {
                let array = size(expr.clone())
                    .then(nested(atom))
                    .map(|(n, elem)| TypeExpKind::Array(n.map(Box::new), Box::new(elem)));
                choice((array.map_with(spanned).boxed(), atom_name.clone(), tuple.clone(), record.clone()))
            });
            let constr = sym("#").ignore_then(ident()).then(atom.repeated().collect());
            let sum = constr.separated_by(just(Token::Op("|"))).at_least(1).collect().map(TypeExpKind::Sum);
            nested(choice((
                array.map_with(spanned).boxed(),
                unique.map_with(spanned).boxed(),
                applied.map_with(spanned).boxed(),
                sum.map_with(spanned).boxed(),
                record,
                tuple,
            )))
        })
        .boxed();
        let exists = |body: P<'a, TypeExp>| {
            sym("?")
                .ignore_then(ident().delimited_by(bracket(), sym("]")).repeated().at_least(1).collect())
                .then_ignore(choice((just(Token::Dot), just(Token::Sym(".")), just(Token::DotParen))))
                .then(body)
                .map(|(sizes, t)| TypeExpKind::Exists(sizes, Box::new(t)))
                .map_with(spanned)
                .boxed()
        };
        no_function = Some(choice((exists(operand.clone()), operand.clone())).boxed());
        let named_param = sym("(")
            .ignore_then(ident())
            .then_ignore(sym(":"))
            .then(ty.clone())
            .then_ignore(sym(")"))
            .then_ignore(sym("->"))
            .then(ty.clone())
            .map(|((name, t), u)| TypeExpKind::Fun(Some(name), Box::new(t), Box::new(u)))
            .map_with(spanned);
        // `(n: t)` begins with a parenthesis, a name and a colon, which no other type does.
        let named_ahead = sym("(").then(ident()).then(sym(":")).rewind();
        let ty_again = ty.clone();
        let fun = operand.then(sym("->").ignore_then(ty).or_not()).map_with(|(t, u), e| match u {
            Some(u) => spanned(TypeExpKind::Fun(None, Box::new(t), Box::new(u)), e),
            None => t,
        });
        nested(choice((named_ahead.ignore_then(named_param).boxed(), exists(ty_again), fun.boxed())))
    })
    .boxed();
    let no_function = no_function.unwrap_or_else(|| ty.clone());
    (ty, no_function)
}

/// `[n]`, `'a`, `'^a`, `'~a`
pub(super) fn type_param<'a>() -> P<'a, TypeParam> {
    let ty =
        |quote: &'static str, lifted| sym(quote).ignore_then(ident()).map(move |name| TypeParam::Type { name, lifted });
    choice((
        ident().delimited_by(bracket(), sym("]")).map(TypeParam::Size).boxed(),
        ty("'", Lifted::No).boxed(),
        ty("'^", Lifted::Full).boxed(),
        ty("'~", Lifted::Size).boxed(),
    ))
    .boxed()
}

/// The name of a field: that of a component of a tuple is its number.
pub(super) fn field_name<'a>() -> P<'a, Ident> {
    let number = select! { Token::Int(n, None) => n }
        .map_with(|n: i128, e: &mut Ex<'a, '_>| Ident { name: n.to_string().into(), span: e.span() });
    choice((ident(), number.boxed())).boxed()
}

/// A literal that a pattern or an expression may be.
pub(super) fn literal<'a>() -> P<'a, ExprKind> {
    select! {
        Token::Int(n, suffix) => ExprKind::Int(n, suffix.map(Into::into)),
        Token::Float(x, suffix) => ExprKind::Float(x, suffix.map(Into::into)),
        Token::Keyword(Keyword::True) => ExprKind::Bool(true),
        Token::Keyword(Keyword::False) => ExprKind::Bool(false),
    }
    .labelled("a literal")
    .boxed()
}

/// A pattern with its constructor's arguments, and perhaps its type: what stands in parentheses, after `let`, `loop` and `case`.
pub(super) fn pat<'a>(ty: P<'a, TypeExp>) -> P<'a, Pat> {
    typed_pat(constr_pat(pat_atom(ty.clone())), ty)
}

/// `#c p q`, or an atom.
fn constr_pat<'a>(atom: P<'a, Pat>) -> P<'a, Pat> {
    let constr = sym("#").ignore_then(ident()).then(atom.clone().repeated().collect());
    let constr = constr.map(|(name, args)| PatKind::Constr(name, args));
    choice((constr.map_with(|kind, e: &mut Ex<'a, '_>| Pat { kind, span: e.span() }).boxed(), atom)).boxed()
}

/// What stands behind the name of a field in a pattern.
enum Bound {
    To(Pat),
    Typed(TypeExp),
}

/// A pattern that needs no parentheses: what a parameter is.
pub(super) fn pat_atom<'a>(ty: P<'a, TypeExp>) -> P<'a, Pat> {
    recursive(|atom| {
        let spanned = |kind, e: &mut Ex<'a, '_>| Pat { kind, span: e.span() };
        let atom = atom.boxed();
        let elem = typed_pat(constr_pat(atom.clone()), ty.clone());
        let bound = sym("=").ignore_then(elem.clone()).map(Bound::To).boxed();
        let typed = sym(":").ignore_then(ty).map(Bound::Typed).boxed();
        let field = field_name().then(choice((bound, typed)).or_not()).map(|(name, bound)| {
            let pat = bound.map(|bound| match bound {
                Bound::To(pat) => pat,
                // `{a: t}` is `{a = a: t}`
                Bound::Typed(t) => {
                    let span = name.span.to(t.span);
                    let own = Pat { kind: PatKind::Name(name.name.clone()), span: name.span };
                    Pat { kind: PatKind::Typed(Box::new(own), t), span }
                }
            });
            (name, pat)
        });
        let fields = field.separated_by(sym(",")).allow_trailing();
        let record = fields.collect().delimited_by(sym("{"), sym("}")).map(PatKind::Record);
        let literal = just(Token::Op("-")).or_not().then(literal().map_with(|kind, e| Expr { kind, span: e.span() }));
        let literal = literal.map_with(|(minus, lit), e: &mut Ex<'a, '_>| match minus {
            Some(_) => PatKind::Lit(Box::new(Expr { kind: ExprKind::Negate(Box::new(lit)), span: e.span() })),
            None => PatKind::Lit(Box::new(lit)),
        });
        let constr = sym("#").ignore_then(ident()).map(|name| PatKind::Constr(name, vec![]));
        let list = elem.separated_by(sym(",")).allow_trailing().collect::<Vec<Pat>>().delimited_by(sym("("), sym(")"));
        // `(<=)` is a name, `(-1)` a number
        let operator = symbolic(|_| true).delimited_by(sym("("), sym(")")).map(|op| PatKind::Name(op.base.name));
        let operator_ahead = sym("(").then(symbolic(|_| true)).then(sym(")")).rewind();
        let name = select! { Token::Ident(name) => name }.labelled("a pattern").map(|name: &str| match name {
            "_" => PatKind::Wildcard,
            _ => PatKind::Name(name.into()),
        });
        nested(choice((
            name.map_with(spanned).boxed(),
            operator_ahead.ignore_then(operator.map_with(spanned)).boxed(),
            list.map(|mut pats| if pats.len() == 1 { pats.remove(0).kind } else { PatKind::Tuple(pats) })
                .map_with(spanned)
                .boxed(),
            record.map_with(spanned).boxed(),
            literal.map_with(spanned).boxed(),
            constr.map_with(spanned).boxed(),
            attr().then(atom).map(|(a, p)| PatKind::Attr(a, Box::new(p))).map_with(spanned).boxed(),
        )))
    })
    .boxed()
}

/// A pattern, perhaps with its type.
pub(super) fn typed_pat<'a>(atom: P<'a, Pat>, ty: P<'a, TypeExp>) -> P<'a, Pat> {
    atom.then(sym(":").ignore_then(ty).or_not())
        .map_with(|(p, t), e| match t {
            Some(t) => Pat { kind: PatKind::Typed(Box::new(p), t), span: e.span() },
            None => p,
        })
        .boxed()
}

/// What follows `def`, or `let` and a name: name, parameters, type, body.
pub(super) fn fun_def<'a>(ty: P<'a, TypeExp>, expr: P<'a, Expr>, name: P<'a, Ident>) -> P<'a, FunDef> {
    name.then(type_param().repeated().collect())
        .then(pat_atom(ty.clone()).repeated().collect())
        .then(sym(":").ignore_then(ty).or_not())
        .then_ignore(sym("="))
        .then(expr)
        .map(|((((name, tparams), params), ret), body)| FunDef { name, tparams, params, ret, body })
        .boxed()
}
