//! The grammar, as chumsky parsers over tokens: names, types, patterns, declarations. Expressions are in [`super::expr`].
//!
//! Note [Predictive grammar]: chumsky backtracks. Wherever several rules may apply, the next token or two decide, so that
//! a mistake deep inside nested brackets is not parsed again by each enclosing rule (which would take exponential time).
//!
//! Note [Shallow types]: the types of chumsky's combinators nest as their calls do, and the compiler's time for a rule grows
//! with them: each call is looked up and checked for all of chumsky's traits. [`P`] hides all of them but the outermost, and
//! has as its own methods, under the same names, the combinators that the rules need. These are compiled once for each
//! type of what is parsed.

use super::MAX_NESTING;
use super::ast::*;
use super::token::{Keyword, OPERATOR_CHARS, Token};
use crate::source::Span;
use chumsky::IterParser as _;
use chumsky::Parser as _;
use chumsky::error::Rich;
use chumsky::extra::{Full, SimpleState};
use chumsky::input::{InputRef, MapExtra, MappedInput};
use chumsky::prelude::{Boxed, custom, just};

/// The input: tokens with their spans.
pub(super) type In<'a> = MappedInput<'a, Token<'a>, Span, &'a [(Token<'a>, Span)]>;
pub(super) type Extra<'a> = Full<Rich<'a, Token<'a>, Span>, SimpleState<Nesting>, ()>;
pub(super) type Ex<'a, 'b> = MapExtra<'a, 'b, In<'a>, Extra<'a>>;
/// A parser of chumsky's.
pub(super) type Inner<'a, O> = Boxed<'a, 'a, In<'a>, O, Extra<'a>>;

/// A parser of `O`: what every rule is made of and returns. Its methods are chumsky's combinators: see Note [Shallow types].
pub(super) struct P<'a, O>(pub(super) Inner<'a, O>);

impl<O> Clone for P<'_, O> {
    fn clone(&self) -> Self {
        P(self.0.clone())
    }
}

impl<'a, O: 'a> P<'a, O> {
    /// This, and `next` behind it.
    pub(super) fn then<U: 'a>(self, next: P<'a, U>) -> P<'a, (O, U)> {
        P(self.0.then(next.0).boxed())
    }

    /// This, with `next` behind it.
    pub(super) fn then_ignore(self, next: P<'a, ()>) -> P<'a, O> {
        P(self.0.then_ignore(next.0).boxed())
    }

    /// This between `open` and `close`.
    pub(super) fn delimited_by(self, open: P<'a, ()>, close: P<'a, ()>) -> P<'a, O> {
        P(self.0.delimited_by(open.0, close.0).boxed())
    }

    /// What `f` makes of this.
    pub(super) fn map<U: 'a>(self, f: impl Fn(O) -> U + 'a) -> P<'a, U> {
        P(self.0.map(f).boxed())
    }

    /// The same, where `f` is told the place.
    pub(super) fn map_with<U: 'a>(self, f: impl Fn(O, &mut Ex<'a, '_>) -> U + 'a) -> P<'a, U> {
        P(self.0.map_with(f).boxed())
    }

    /// The same, where `f` may find a mistake.
    pub(super) fn try_map<U: 'a>(self, f: impl Fn(O, Span) -> Result<U, Rich<'a, Token<'a>, Span>> + 'a) -> P<'a, U> {
        P(self.0.try_map(f).boxed())
    }

    /// This, if it satisfies `f`.
    pub(super) fn filter(self, f: impl Fn(&O) -> bool + 'a) -> P<'a, O> {
        P(self.0.filter(f).boxed())
    }

    /// What errors say was expected, instead of its tokens.
    pub(super) fn labelled(self, label: &'static str) -> P<'a, O> {
        P(self.0.labelled(label).boxed())
    }

    /// This, or nothing.
    pub(super) fn or_not(self) -> P<'a, Option<O>> {
        P(self.0.or_not().boxed())
    }

    /// This, whatever it is.
    pub(super) fn ignored(self) -> P<'a, ()> {
        P(self.0.ignored().boxed())
    }

    /// Succeeds, without moving, where this stands.
    pub(super) fn ahead(self) -> P<'a, ()> {
        P(self.0.ignored().rewind().boxed())
    }

    /// Succeeds, without moving, where this does not stand.
    pub(super) fn not(self) -> P<'a, ()> {
        P(self.0.not().boxed())
    }

    /// Any number of these.
    pub(super) fn many(self) -> P<'a, Vec<O>> {
        self.repeated(0, usize::MAX)
    }

    /// One of these, or more.
    pub(super) fn some(self) -> P<'a, Vec<O>> {
        self.repeated(1, usize::MAX)
    }

    /// From `at_least` to `at_most` of these.
    pub(super) fn repeated(self, at_least: usize, at_most: usize) -> P<'a, Vec<O>> {
        P(self.0.repeated().at_least(at_least).at_most(at_most).collect().boxed())
    }

    /// Any number of these with commas between them, and perhaps one behind the last.
    pub(super) fn list(self) -> P<'a, Vec<O>> {
        P(self.0.separated_by(sym(",").0).allow_trailing().collect().boxed())
    }

    /// From `at_least` to `at_most` of these, with `separator` between them.
    pub(super) fn separated_by(self, separator: P<'a, ()>, at_least: usize, at_most: usize) -> P<'a, Vec<O>> {
        P(self.0.separated_by(separator.0).at_least(at_least).at_most(at_most).collect().boxed())
    }

    /// This, and up to so many `suffix`es, with each of which `f` makes more of it.
    pub(super) fn fold<U: 'a>(
        self,
        suffix: P<'a, U>,
        at_most: usize,
        f: impl Fn(O, U, &mut Ex<'a, '_>) -> O + 'a,
    ) -> P<'a, O> {
        P(self.0.foldl_with(suffix.0.repeated().at_most(at_most), f).boxed())
    }
}

impl<'a> P<'a, ()> {
    /// `next`, with this before it.
    pub(super) fn ignore_then<U: 'a>(self, next: P<'a, U>) -> P<'a, U> {
        P(self.0.ignore_then(next.0).boxed())
    }
}

/// The first of these that can be read.
pub(super) fn choice<'a, O: 'a>(parsers: &[P<'a, O>]) -> P<'a, O> {
    P(chumsky::prelude::choice(parsers.iter().map(|p| p.0.clone()).collect::<Vec<_>>()).boxed())
}

/// A rule that may contain itself.
pub(super) fn recursive<'a, O: 'a>(rule: impl FnOnce(P<'a, O>) -> P<'a, O>) -> P<'a, O> {
    P(chumsky::prelude::recursive(|itself| rule(P(itself.boxed())).0).boxed())
}

/// A token of which `f` makes something.
pub(super) fn select<'a, O: 'a>(f: impl Fn(Token<'a>, &mut Ex<'a, '_>) -> Option<O> + 'a) -> P<'a, O> {
    P(chumsky::primitive::select(f).boxed())
}

/// This token.
pub(super) fn token<'a>(token: Token<'a>) -> P<'a, ()> {
    P(just(token).ignored().boxed())
}

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
pub(super) fn nested<'a, O: 'a>(p: P<'a, O>) -> P<'a, O> {
    let limited = custom(move |inp: &mut InputRef<'a, '_, In<'a>, Extra<'a>>| {
        let start = inp.cursor();
        let outer = std::mem::take(&mut inp.state().height);
        inp.state().depth += 1;
        let result = if inp.state().depth > LIMIT { Err(None) } else { inp.parse(&p.0).map_err(Some) };
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
    });
    P(limited.boxed())
}

pub(super) fn sym<'a>(s: &'static str) -> P<'a, ()> {
    token(Token::Sym(s))
}

pub(super) fn keyword<'a>(k: Keyword) -> P<'a, ()> {
    token(Token::Keyword(k))
}

/// `[`, wherever it stands.
pub(super) fn bracket<'a>() -> P<'a, ()> {
    choice(&[sym("["), token(Token::IndexBracket)])
}

pub(super) fn ident<'a>() -> P<'a, Ident> {
    select(|token, e| match token {
        Token::Ident(name) => Some(Ident { name: name.into(), span: e.span() }),
        _ => None,
    })
    .labelled("a name")
}

/// `m.n.` and `+.` of `m.n.+.`: an operator may have dots behind its first character.
fn modules_and_operator(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c| OPERATOR_CHARS.contains(c)).unwrap_or(0))
}

/// An operator made of symbols, perhaps qualified (`f64.+`), that satisfies `f`.
pub(super) fn symbolic<'a>(f: impl Fn(&str) -> bool + 'a) -> P<'a, QualName> {
    let name = |text: &str, span: Span| {
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
    };
    select(move |token, e| match token {
        Token::Op(text) | Token::QualOp(text) if f(modules_and_operator(text).1) => Some(name(text, e.span())),
        _ => None,
    })
    .labelled("an operator")
}

/// A name, perhaps qualified.
pub(super) fn qual_name<'a>() -> P<'a, QualName> {
    ident().separated_by(token(Token::Dot), 1, LIMIT).map(|mut quals| {
        let base = quals.pop().unwrap_or(Ident { name: "".into(), span: Span::default() });
        QualName { quals, base }
    })
}

/// `#[name(args)]`, or `#[1]`; an argument `$x` is a variable.
pub(super) fn attr<'a>() -> P<'a, Attr> {
    let minus = token(Token::Op("-")).or_not().map(|m| if m.is_some() { -1 } else { 1 });
    let number = select(|token, _| match token {
        Token::Int(n, _) => Some(n),
        _ => None,
    });
    let int = minus.then(number).map(|(s, n)| AttrArg::Int(s * n as i64));
    let atom = recursive(|atom| {
        let var = sym("$").ignore_then(qual_name()).map(AttrArg::Var);
        let args = choice(&[int, var, atom.map(AttrArg::Attr)])
            .separated_by(sym(","), 0, usize::MAX)
            .delimited_by(sym("("), sym(")"))
            .or_not();
        nested(field_name().then(args).map_with(|(name, args), e| Attr {
            name: name.name,
            args: args.unwrap_or_default(),
            span: e.span(),
        }))
    });
    atom.delimited_by(sym("#["), sym("]")).map_with(|a, e| Attr { span: e.span(), ..a })
}

/// The size between brackets, or nothing.
fn size<'a>(expr: P<'a, Expr>) -> P<'a, Option<Expr>> {
    expr.or_not().delimited_by(bracket(), sym("]"))
}

/// Types, and types that are no functions unless in parentheses (with unknown sizes, if any, before them); `expr` parses the sizes.
pub(super) fn type_exp<'a>(expr: P<'a, Expr>) -> (P<'a, TypeExp>, P<'a, TypeExp>) {
    fn spanned<'a>(kind: TypeExpKind, e: &mut Ex<'a, '_>) -> TypeExp {
        TypeExp { kind, span: e.span() }
    }
    let mut no_function = None;
    let ty = recursive(|ty| {
        // One type in parentheses is that type; none or several are a tuple.
        let single =
            |mut types: Vec<TypeExp>| if types.len() == 1 { types.remove(0).kind } else { TypeExpKind::Tuple(types) };
        let tuple = ty.clone().list().delimited_by(sym("("), sym(")")).map(single).map_with(spanned);

        let field = field_name().then_ignore(sym(":")).then(ty.clone());
        let record = field.list().delimited_by(sym("{"), sym("}")).map(TypeExpKind::Record).map_with(spanned);
        let atom_name = qual_name().map(|name| TypeExpKind::Name(name, vec![])).map_with(spanned);

        let operand = recursive(|operand| {
            let arg = choice(&[
                size(expr.clone()).map_with(|n, e| TypeArg::Size(n.map(Box::new), e.span())),
                atom_name.clone().map(TypeArg::Type),
                tuple.clone().map(TypeArg::Type),
                record.clone().map(TypeArg::Type),
            ]);
            let applied = qual_name().then(arg.many()).map(|(name, args)| TypeExpKind::Name(name, args));
            let array = size(expr.clone())
                .then(operand.clone())
                .map(|(n, elem)| TypeExpKind::Array(n.map(Box::new), Box::new(elem)));
            let unique = token(Token::Op("*")).ignore_then(operand).map(|t| TypeExpKind::Unique(Box::new(t)));
            // what a constructor takes needs no parentheses, and is applied to nothing
            let atom = recursive(|atom| {
                let array = size(expr.clone())
                    .then(nested(atom))
                    .map(|(n, elem)| TypeExpKind::Array(n.map(Box::new), Box::new(elem)));
                choice(&[array.map_with(spanned), atom_name.clone(), tuple.clone(), record.clone()])
            });
            let constr = sym("#").ignore_then(ident()).then(atom.many());
            let sum = constr.separated_by(token(Token::Op("|")), 1, usize::MAX).map(TypeExpKind::Sum);
            nested(choice(&[
                array.map_with(spanned),
                unique.map_with(spanned),
                applied.map_with(spanned),
                sum.map_with(spanned),
                record,
                tuple,
            ]))
        });
        let exists = |body: P<'a, TypeExp>| {
            sym("?")
                .ignore_then(ident().delimited_by(bracket(), sym("]")).some())
                .then_ignore(choice(&[token(Token::Dot), token(Token::Sym(".")), token(Token::DotParen)]))
                .then(body)
                .map(|(sizes, t)| TypeExpKind::Exists(sizes, Box::new(t)))
                .map_with(spanned)
        };
        no_function = Some(choice(&[exists(operand.clone()), operand.clone()]));
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
        let named_ahead = sym("(").ignore_then(ident()).then_ignore(sym(":")).ahead();
        let ty_again = ty.clone();
        let fun = operand.then(sym("->").ignore_then(ty).or_not()).map_with(|(t, u), e| match u {
            Some(u) => spanned(TypeExpKind::Fun(None, Box::new(t), Box::new(u)), e),
            None => t,
        });
        nested(choice(&[named_ahead.ignore_then(named_param), exists(ty_again), fun]))
    });
    let no_function = no_function.unwrap_or_else(|| ty.clone());
    (ty, no_function)
}

/// `[n]`, `'a`, `'^a`, `'~a`
pub(super) fn type_param<'a>() -> P<'a, TypeParam> {
    let ty =
        |quote: &'static str, lifted| sym(quote).ignore_then(ident()).map(move |name| TypeParam::Type { name, lifted });
    choice(&[
        ident().delimited_by(bracket(), sym("]")).map(TypeParam::Size),
        ty("'", Lifted::No),
        ty("'^", Lifted::Full),
        ty("'~", Lifted::Size),
    ])
}

/// The name of a field: that of a component of a tuple is its number.
pub(super) fn field_name<'a>() -> P<'a, Ident> {
    let number = select(|token, e| match token {
        Token::Int(n, None) => Some(Ident { name: n.to_string().into(), span: e.span() }),
        _ => None,
    });
    choice(&[ident(), number])
}

/// A literal that a pattern or an expression may be.
pub(super) fn literal<'a>() -> P<'a, ExprKind> {
    select(|token, _| match token {
        Token::Int(n, suffix) => Some(ExprKind::Int(n, suffix.map(Into::into))),
        Token::Float(x, suffix) => Some(ExprKind::Float(x, suffix.map(Into::into))),
        Token::Keyword(Keyword::True) => Some(ExprKind::Bool(true)),
        Token::Keyword(Keyword::False) => Some(ExprKind::Bool(false)),
        _ => None,
    })
    .labelled("a literal")
}

/// A pattern with its constructor's arguments, and perhaps its type: what stands in parentheses, after `let`, `loop` and `case`.
pub(super) fn pat<'a>(ty: P<'a, TypeExp>) -> P<'a, Pat> {
    typed_pat(constr_pat(pat_atom(ty.clone())), ty)
}

/// `#c p q`, or an atom.
fn constr_pat<'a>(atom: P<'a, Pat>) -> P<'a, Pat> {
    let constr = sym("#").ignore_then(ident()).then(atom.clone().many());
    let constr = constr.map(|(name, args)| PatKind::Constr(name, args));
    choice(&[constr.map_with(|kind, e: &mut Ex<'a, '_>| Pat { kind, span: e.span() }), atom])
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
        let elem = typed_pat(constr_pat(atom.clone()), ty.clone());
        let bound = sym("=").ignore_then(elem.clone()).map(Bound::To);
        let typed = sym(":").ignore_then(ty).map(Bound::Typed);
        let field = field_name().then(choice(&[bound, typed]).or_not()).map(|(name, bound)| {
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
        let record = field.list().delimited_by(sym("{"), sym("}")).map(PatKind::Record);
        let literal = token(Token::Op("-")).or_not().then(literal().map_with(|kind, e| Expr { kind, span: e.span() }));
        let literal = literal.map_with(|(minus, lit), e: &mut Ex<'a, '_>| match minus {
            Some(_) => PatKind::Lit(Box::new(Expr { kind: ExprKind::Negate(Box::new(lit)), span: e.span() })),
            None => PatKind::Lit(Box::new(lit)),
        });
        let constr = sym("#").ignore_then(ident()).map(|name| PatKind::Constr(name, vec![]));
        let list = elem.list().delimited_by(sym("("), sym(")"));
        // `(<=)` is a name, `(-1)` a number
        let operator = symbolic(|_| true).delimited_by(sym("("), sym(")")).map(|op| PatKind::Name(op.base.name));
        let operator_ahead = sym("(").ignore_then(symbolic(|_| true)).then_ignore(sym(")")).ahead();
        let name = select(|token, _| match token {
            Token::Ident("_") => Some(PatKind::Wildcard),
            Token::Ident(name) => Some(PatKind::Name(name.into())),
            _ => None,
        });
        nested(choice(&[
            name.labelled("a pattern").map_with(spanned),
            operator_ahead.ignore_then(operator.map_with(spanned)),
            list.map(|mut pats| if pats.len() == 1 { pats.remove(0).kind } else { PatKind::Tuple(pats) })
                .map_with(spanned),
            record.map_with(spanned),
            literal.map_with(spanned),
            constr.map_with(spanned),
            attr().then(atom).map(|(a, p)| PatKind::Attr(a, Box::new(p))).map_with(spanned),
        ]))
    })
}

/// A pattern, perhaps with its type.
pub(super) fn typed_pat<'a>(atom: P<'a, Pat>, ty: P<'a, TypeExp>) -> P<'a, Pat> {
    atom.then(sym(":").ignore_then(ty).or_not()).map_with(|(p, t), e| match t {
        Some(t) => Pat { kind: PatKind::Typed(Box::new(p), t), span: e.span() },
        None => p,
    })
}

/// What follows `def`, or `let` and a name: name, parameters, type, body.
pub(super) fn fun_def<'a>(ty: P<'a, TypeExp>, expr: P<'a, Expr>, name: P<'a, Ident>) -> P<'a, FunDef> {
    name.then(type_param().many())
        .then(pat_atom(ty.clone()).many())
        .then(sym(":").ignore_then(ty).or_not())
        .then_ignore(sym("="))
        .then(expr)
        .map(|((((name, tparams), params), ret), body)| FunDef { name, tparams, params, ret, body })
}
