//! The grammar, as chumsky parsers over tokens: names, types, patterns, declarations. Expressions are in [`super::expr`].
//!
//! Note [Predictive grammar]: chumsky backtracks. Wherever several rules may apply, the next token or two decide, so that
//! a mistake deep inside nested brackets is not parsed again by each enclosing rule (which would take exponential time).

use super::MAX_NESTING;
use super::ast::*;
use super::expr;
use super::token::{Keyword, Token};
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

/// An operator made of symbols, perhaps qualified (`f64.+`), that satisfies `f`.
pub(super) fn symbolic<'a>(f: impl Fn(&str) -> bool + 'a) -> P<'a, QualName> {
    select! { Token::Op(op) => op, Token::QualOp(op) => op }
        .filter(move |text: &&str| f(text.rsplit_once('.').map_or(text, |(_, op)| op)))
        .labelled("an operator")
        .map_with(|text: &str, e: &mut Ex<'a, '_>| {
            let span: Span = e.span();
            let mut start = span.start;
            let mut names: Vec<Ident> = (text.split('.'))
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

/// `#[name(args)]`
pub(super) fn attr<'a>() -> P<'a, Attr> {
    let minus = just(Token::Op("-")).or_not().map(|m| if m.is_some() { -1 } else { 1 });
    let int = minus.then(select! { Token::Int(n, _) => n }).map(|(s, n)| AttrArg::Int(s * n as i64));
    let atom = recursive(|atom| {
        let args = choice((int.boxed(), atom.map(AttrArg::Attr).boxed()))
            .separated_by(sym(","))
            .collect::<Vec<_>>()
            .delimited_by(sym("("), sym(")"))
            .or_not();
        nested(ident().then(args).map_with(|(name, args), e| Attr {
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

/// Types, and types that are no functions unless in parentheses; `expr` parses the sizes.
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
        let rest_of_tuple = list.then_ignore(sym(")")).map(single).map_with(spanned).boxed();
        let tuple = sym("(").ignore_then(rest_of_tuple.clone()).map_with(|t, e| spanned(t.kind, e)).boxed();

        let operand = recursive(|operand| {
            let operand = operand.boxed();
            let bare_name = qual_name().map(|name| TypeExpKind::Name(name, vec![])).map_with(spanned);
            let arg = choice((
                size(expr.clone()).map_with(|n, e| TypeArg::Size(n.map(Box::new), e.span())).boxed(),
                bare_name.map(TypeArg::Type).boxed(),
                tuple.clone().map(TypeArg::Type).boxed(),
            ));
            let applied = qual_name().then(arg.repeated().collect()).map(|(name, args)| TypeExpKind::Name(name, args));
            let array =
                size(expr).then(operand.clone()).map(|(n, elem)| TypeExpKind::Array(n.map(Box::new), Box::new(elem)));
            let unique = just(Token::Op("*")).ignore_then(operand).map(|t| TypeExpKind::Unique(Box::new(t)));
            nested(choice((
                array.map_with(spanned).boxed(),
                unique.map_with(spanned).boxed(),
                applied.map_with(spanned).boxed(),
                tuple,
            )))
        })
        .boxed();
        no_function = Some(operand.clone());

        let exists = sym("?")
            .ignore_then(ident().delimited_by(bracket(), sym("]")).repeated().at_least(1).collect())
            .then(choice((
                choice((just(Token::Dot), just(Token::Sym(".")))).ignore_then(ty.clone()).boxed(),
                just(Token::DotParen).ignore_then(sym("(")).ignore_then(rest_of_tuple).boxed(),
            )))
            .map(|(sizes, t)| TypeExpKind::Exists(sizes, Box::new(t)))
            .map_with(spanned);
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
        let fun = operand.then(sym("->").ignore_then(ty).or_not()).map_with(|(t, u), e| match u {
            Some(u) => spanned(TypeExpKind::Fun(None, Box::new(t), Box::new(u)), e),
            None => t,
        });
        nested(choice((named_ahead.ignore_then(named_param).boxed(), exists.boxed(), fun.boxed())))
    })
    .boxed();
    let no_function = no_function.unwrap_or_else(|| ty.clone());
    (ty, no_function)
}

/// `[n]`, `'a`, `'^a`, `'~a`
fn type_param<'a>() -> P<'a, TypeParam> {
    let ty =
        |quote: &'static str, lifted| sym(quote).ignore_then(ident()).map(move |name| TypeParam::Type { name, lifted });
    choice((
        ident().delimited_by(bracket(), sym("]")).map(TypeParam::Size).boxed(),
        ty("'", false).boxed(),
        ty("'^", true).boxed(),
        ty("'~", true).boxed(),
    ))
    .boxed()
}

/// A pattern that needs no parentheses: what a parameter is.
pub(super) fn pat_atom<'a>(ty: P<'a, TypeExp>) -> P<'a, Pat> {
    recursive(|atom| {
        let spanned = |kind, e: &mut Ex<'a, '_>| Pat { kind, span: e.span() };
        let atom = atom.boxed();
        let elem = typed_pat(atom.clone(), ty);
        let list = elem.separated_by(sym(",")).allow_trailing().collect::<Vec<Pat>>().delimited_by(sym("("), sym(")"));
        let name = select! { Token::Ident(name) => name }.labelled("a pattern").map(|name: &str| match name {
            "_" => PatKind::Wildcard,
            _ => PatKind::Name(name.into()),
        });
        nested(choice((
            name.map_with(spanned).boxed(),
            list.map(|mut pats| if pats.len() == 1 { pats.remove(0).kind } else { PatKind::Tuple(pats) })
                .map_with(spanned)
                .boxed(),
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

/// A name to be defined: an identifier, or an operator in parentheses.
fn def_name<'a>() -> P<'a, Ident> {
    let op = select! { Token::Op(op) => op, Token::Sym("!") => "!" }
        .labelled("an operator")
        .map_with(|op: &str, e: &mut Ex<'a, '_>| Ident { name: op.into(), span: e.span() });
    choice((ident(), op.delimited_by(sym("("), sym(")")).boxed())).boxed()
}

/// A declaration. Its documentation is attached later: comments are no tokens.
pub(super) fn decl<'a>() -> P<'a, Decl> {
    let expr = expr::expr();
    let (ty, _) = type_exp(expr.clone());
    recursive(|decl| {
        let decl = decl.boxed();
        let def = |entry| fun_def(ty.clone(), expr.clone(), def_name()).map(move |def| DeclKind::Def { entry, def });
        let type_ = ident()
            .then(type_param().repeated().collect())
            .then_ignore(sym("="))
            .then(ty.clone())
            .map(|((name, params), def)| DeclKind::Type { name, params, def });
        let val = def_name()
            .then(type_param().repeated().collect())
            .then_ignore(sym(":"))
            .then(ty.clone())
            .map(|((name, tparams), ty)| DeclKind::Val { name, tparams, ty });
        let mod_exp = choice((
            qual_name().map(ModExp::Name).boxed(),
            decl.clone()
                .repeated()
                .collect()
                .delimited_by(sym("{"), sym("}"))
                .map_with(|decls, e| ModExp::Struct(decls, e.span()))
                .boxed(),
        ))
        .boxed();
        let module =
            ident().then_ignore(sym("=")).then(mod_exp.clone()).map(|(name, def)| DeclKind::Module { name, def });
        let path = select! { Token::Str(s) => s }
            .labelled("a path in quotes")
            .map_with(|s: &str, e: &mut Ex<'a, '_>| Ident { name: s.into(), span: e.span() });
        let kind = choice((
            keyword(Keyword::Def).ignore_then(def(false)).boxed(),
            keyword(Keyword::Let).ignore_then(def(false)).boxed(),
            keyword(Keyword::Entry).ignore_then(def(true)).boxed(),
            keyword(Keyword::Val).ignore_then(val).boxed(),
            keyword(Keyword::Type).ignore_then(type_).boxed(),
            keyword(Keyword::Module).ignore_then(module).boxed(),
            keyword(Keyword::Open).ignore_then(mod_exp).map(DeclKind::Open).boxed(),
            keyword(Keyword::Local).ignore_then(decl.map(|d| DeclKind::Local(Box::new(d)))).boxed(),
            keyword(Keyword::Import).ignore_then(path).map(DeclKind::Import).boxed(),
        ));
        let attrs = attr().repeated().collect();
        nested(attrs.then(kind).map_with(|(attrs, kind), e| Decl { kind, attrs, doc: None, span: e.span() }))
    })
    .boxed()
}

/// Succeeds, without moving, where a declaration may begin.
pub(super) fn decl_ahead<'a>() -> P<'a, ()> {
    use Keyword::*;
    let start = select! {
        Token::Keyword(Def | Let | Entry | Val | Type | Module | Open | Local | Import) => (),
        Token::Sym("#[") => (),
    };
    start.labelled("a declaration").rewind().boxed()
}
