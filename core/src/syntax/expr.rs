//! The grammar of expressions.

use super::ast::*;
use super::grammar::{
    Ex, LIMIT, P, attr, bracket, choice, field_name, fun_def, ident, keyword, literal, nested, pat, pat_atom,
    qual_name, recursive, select, sym, symbolic, token, type_exp,
};
use super::ops::{Level, level};
use super::token::{Keyword, Token, unescape};
use crate::source::Span;
use chumsky::Parser as _;
use chumsky::error::Rich;
use chumsky::pratt::{Operator as _, infix, left};

fn spanned<'a>(kind: ExprKind, e: &mut Ex<'a, '_>) -> Expr {
    Expr { kind, span: e.span() }
}

/// The rules that expressions need inside them.
#[derive(Clone)]
struct Rules<'a> {
    /// Any expression.
    expr: P<'a, Expr>,
    /// An expression without ascription: the colon of `a[i:j]` is not theirs.
    bare: P<'a, Expr>,
    /// A type.
    ty: P<'a, TypeExp>,
    /// A type that is no function: the arrow behind `\x: t` is the lambda's.
    result_ty: P<'a, TypeExp>,
}

/// An expression of any kind.
pub(super) fn expr<'a>() -> P<'a, Expr> {
    recursive(|e| {
        let (ty, result_ty) = type_exp(e.clone());
        let bare = recursive(|bare| {
            let rules = Rules { expr: e.clone(), bare, ty: ty.clone(), result_ty };
            updates(range(binary(&rules)), &rules)
        });
        let suffix = choice(&[sym(":").map(|()| false).then(ty.clone()), sym(":>").map(|()| true).then(ty)]);
        // Ascriptions bind loosest. A handful in a row is plenty; the limit keeps the tree low.
        let ascribed = bare.fold(suffix, 8, |e, (coerce, t), x| {
            spanned(if coerce { ExprKind::Coerce(Box::new(e), t) } else { ExprKind::Ascribe(Box::new(e), t) }, x)
        });
        nested(ascribed)
    })
}

/// `e with [i].x = v with …`, or `e`. The value extends as far as an operator does.
fn updates<'a>(operand: P<'a, Expr>, rules: &Rules<'a>) -> P<'a, Expr> {
    let update = keyword(Keyword::With).ignore_then(access(rules)).then_ignore(sym("=")).then(operand.clone());
    // A handful in a row is plenty; the limit keeps the tree low.
    operand.fold(update, LIMIT, |e, (path, value), x| {
        x.state().grow();
        spanned(ExprKind::Update(Box::new(e), path, Box::new(value)), x)
    })
}

/// `[i, j].x.y[k]`, `x.y`
fn access<'a>(rules: &Rules<'a>) -> P<'a, Vec<Access>> {
    let first = choice(&[indices(rules, bracket()).map(Access::Index), field_name().map(Access::Field)]);
    // behind a number it looks as if it began an array
    let index = indices(rules, bracket());
    let rest = choice(&[token(Token::Dot).ignore_then(field()).map(Access::Field), index.map(Access::Index)]);
    first.then(rest.repeated(0, LIMIT)).map(|(a, rest)| [vec![a], rest].concat())
}

/// `i, j:k]`, behind the bracket given.
fn indices<'a>(rules: &Rules<'a>, open: P<'a, ()>) -> P<'a, Vec<Index>> {
    let list = index(rules.bare.clone()).separated_by(sym(","), 1, usize::MAX);
    let list = list.try_map(|mut list: Vec<Result<Index, Span>>, _| {
        // behind the last comma
        if list.len() > 1 && list.last().is_some_and(Result::is_err) {
            list.pop();
        }
        let missing = |span| Rich::custom(span, "an index is missing");
        list.into_iter().collect::<Result<Vec<Index>, Span>>().map_err(missing)
    });
    open.ignore_then(list).then_ignore(sym("]"))
}

/// `a..b..<c`, or `a`.
fn range<'a>(operand: P<'a, Expr>) -> P<'a, Expr> {
    let kind = select(|token, _| match token {
        Token::Sym("...") => Some(RangeKind::Inclusive),
        Token::Sym("..<") => Some(RangeKind::UpTo),
        Token::Sym("..>") => Some(RangeKind::DownTo),
        _ => None,
    })
    .labelled("a range");
    let rest = choice(&[sym("..").ignore_then(operand.clone()).map(Some).then(kind.clone()), kind.map(|k| (None, k))]);
    operand.clone().then(rest.then(operand).or_not()).map_with(|(first, rest), e| match rest {
        None => first,
        Some(((second, kind), end)) => spanned(
            ExprKind::Range { first: Box::new(first), second: second.map(Box::new), kind, end: Box::new(end) },
            e,
        ),
    })
}

/// Operators and what stands between them. Every level is parsed as if it associated to the left: the runs stay flat, and
/// whoever reads a chain of the level of `<|` reads it from the right.
fn binary<'a>(rules: &Rules<'a>) -> P<'a, Expr> {
    use Level::*;
    let atom = nested(operand(rules));
    let backtick = qual_name().delimited_by(sym("`"), sym("`"));
    let at = |l: Level| symbolic(move |op| level(op) == l);
    let op = |l: Level| {
        let op = if l == Backtick { backtick.clone() } else { at(l) };
        infix(left(l as u16), op.0, move |first: Expr, op: QualName, rest: Expr, e: &mut Ex<'a, '_>| {
            let kind = match first.kind {
                ExprKind::Chain(head, mut tail) if tail.first().is_some_and(|(o, _)| level_of(o) == l) => {
                    tail.push((op, rest));
                    ExprKind::Chain(head, tail)
                }
                _ => ExprKind::Chain(Box::new(first), vec![(op, rest)]),
            };
            spanned(kind, e)
        })
        .boxed()
    };
    let levels = [Backtick, PipeRight, PipeLeft, Or, And, Compare, Bits, Shift, Sum, Product, Power];
    P(atom.0.pratt(levels.map(op).to_vec()).boxed())
}

/// The level of an operator in a chain: a name was written in backticks.
pub(super) fn level_of(op: &QualName) -> Level {
    if op.base.name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        Level::Backtick
    } else {
        level(&op.base.name)
    }
}

/// What stands between operators: blocks, branches, loops, lambdas and what has an attribute (which extend as far right as they can), signs, applications.
fn operand<'a>(rules: &Rules<'a>) -> P<'a, Expr> {
    let Rules { expr: e, ty, .. } = rules.clone();
    let sign = recursive(|sign| {
        let apply = application(rules);
        let sign = nested(sign);
        let with_attr = attr().then(rules.bare.clone()).map(|(a, e)| ExprKind::Attr(a, Box::new(e))).map_with(spanned);
        let signed = choice(&[with_attr, sign]);
        choice(&[
            token(Token::Op("-")).ignore_then(signed.clone()).map(|x| ExprKind::Negate(Box::new(x))).map_with(spanned),
            sym("!").ignore_then(signed).map(|x| ExprKind::Not(Box::new(x))).map_with(spanned),
            apply,
        ])
    });
    let branch = keyword(Keyword::If).ignore_then(e.clone()).then_ignore(keyword(Keyword::Then)).then(e.clone());
    let if_ = branch
        .clone()
        .then(keyword(Keyword::Else).ignore_then(branch).many())
        .then_ignore(keyword(Keyword::Else))
        .then(e.clone())
        .map(|((first, mut more), last)| {
            more.insert(0, first);
            ExprKind::If(more, Box::new(last))
        })
        .map_with(spanned);
    let case = keyword(Keyword::Case).ignore_then(pat(ty.clone())).then_ignore(sym("->")).then(e.clone()).some();
    let match_ = keyword(Keyword::Match)
        .ignore_then(e.clone())
        .then(case)
        .map(|(value, cases)| ExprKind::Match(Box::new(value), cases))
        .map_with(spanned);
    let assert = keyword(Keyword::Assert)
        .ignore_then(postfix(rules))
        .then(postfix(rules))
        .map(|(cond, value)| ExprKind::Assert(Box::new(cond), Box::new(value)))
        .map_with(spanned);
    let block = block(e.clone(), ty.clone(), rules);
    // behind an operator; at the beginning of an expression it is of all of it
    let with_attr = attr().then(rules.bare.clone()).map(|(a, e)| ExprKind::Attr(a, Box::new(e))).map_with(spanned);
    let long = choice(&[block, if_, lambda(rules), loop_(e, ty), match_, assert, with_attr]);
    choice(&[long, sign])
}

/// `\p q: t -> e`
fn lambda<'a>(rules: &Rules<'a>) -> P<'a, Expr> {
    let Rules { expr: e, ty, result_ty, .. } = rules.clone();
    sym("\\")
        .ignore_then(pat_atom(ty).some())
        .then(sym(":").ignore_then(result_ty).or_not())
        .then_ignore(sym("->"))
        .then(e)
        .map(|((params, ret), body)| ExprKind::Lambda(params, ret, Box::new(body)))
        .map_with(spanned)
}

/// `let … let … in e`, with an optional `in` between the `let`s.
fn block<'a>(e: P<'a, Expr>, ty: P<'a, TypeExp>, rules: &Rules<'a>) -> P<'a, Expr> {
    let fun = fun_def(ty.clone(), e.clone(), ident()).map(|def| {
        // `let x: t = e` binds a name.
        if !def.tparams.is_empty() || !def.params.is_empty() {
            return Binding::Fun(def);
        }
        let FunDef { name, ret, body, .. } = def;
        let span = name.span;
        let kind = if &*name.name == "_" { PatKind::Wildcard } else { PatKind::Name(name.name) };
        let pat = Pat { kind, span };
        Binding::Pat(
            vec![],
            match ret {
                Some(t) => Pat { span: span.to(t.span), kind: PatKind::Typed(Box::new(pat), t) },
                None => pat,
            },
            body,
        )
    });
    let sizes = ident().delimited_by(bracket(), sym("]")).many();
    let pat =
        sizes.then(pat(ty)).then_ignore(sym("=")).then(e.clone()).map(|((sizes, p), e)| Binding::Pat(sizes, p, e));
    let index = indices(rules, token(Token::IndexBracket)).map(Access::Index);
    let place = choice(&[index, token(Token::Dot).ignore_then(field()).map(Access::Field)]);
    let update = ident()
        .then(place.repeated(1, LIMIT))
        .then_ignore(sym("="))
        .then(e.clone())
        .map(|((name, path), e)| Binding::Update(name, path, e));
    // Note [Predictive grammar]
    let update_ahead = ident().then_ignore(choice(&[token(Token::IndexBracket), token(Token::Dot)])).ahead();
    let name_ahead = ident().ahead();
    let binding = keyword(Keyword::Let).ignore_then(choice(&[
        update_ahead.ignore_then(update),
        name_ahead.ignore_then(fun),
        ident().not().ignore_then(pat),
    ]));
    binding
        .separated_by(keyword(Keyword::In).or_not().ignored(), 1, usize::MAX)
        .then_ignore(keyword(Keyword::In))
        .then(e)
        .map(|(bindings, body)| ExprKind::Block(bindings, Box::new(body)))
        .map_with(spanned)
}

/// `loop p = e for i < n do body` and its variants.
fn loop_<'a>(e: P<'a, Expr>, ty: P<'a, TypeExp>) -> P<'a, Expr> {
    let counted = ident().then_ignore(token(Token::Op("<"))).then(e.clone()).map(|(i, n)| LoopForm::For(i, n));
    let over = pat(ty.clone()).then_ignore(keyword(Keyword::In)).then(e.clone()).map(|(p, xs)| LoopForm::ForIn(p, xs));
    let counted_ahead = ident().then_ignore(token(Token::Op("<"))).ahead();
    let form = choice(&[
        keyword(Keyword::For).ignore_then(choice(&[counted_ahead.ignore_then(counted), over])),
        keyword(Keyword::While).ignore_then(e.clone()).map(LoopForm::While),
    ]);
    keyword(Keyword::Loop)
        .ignore_then(pat(ty))
        .then(sym("=").ignore_then(e.clone()).or_not())
        .then(form)
        .then_ignore(keyword(Keyword::Do))
        .then(e)
        .map(|(((pat, init), form), body)| ExprKind::Loop(Box::new(Loop { pat, init, form, body })))
        .map_with(spanned)
}

/// `f x y`, or `f x \y -> z`: the last argument may be a lambda, which extends as far right as it can.
fn application<'a>(rules: &Rules<'a>) -> P<'a, Expr> {
    let postfix = postfix(rules);
    // `#c x y` is one, too: the constructor takes what follows it
    postfix
        .clone()
        .then(postfix.many())
        .then(lambda(rules).or_not())
        .map(|((f, mut args), last)| {
            args.extend(last);
            (f, args)
        })
        .map_with(|(f, args), x| match f.kind {
            _ if args.is_empty() => f,
            ExprKind::Constr(name, none) if none.is_empty() => spanned(ExprKind::Constr(name, args), x),
            _ => spanned(ExprKind::Apply(Box::new(f), args), x),
        })
}

/// What can stand behind an atom.
enum Postfix {
    Project(Ident),
    Index(Vec<Index>),
    OpenIn(Expr),
}

/// `x.y[i].0`
fn postfix<'a>(rules: &Rules<'a>) -> P<'a, Expr> {
    let e = rules.expr.clone();
    let field = token(Token::Dot).ignore_then(field()).map(Postfix::Project);
    let index = indices(rules, token(Token::IndexBracket)).map(Postfix::Index);
    let open = token(Token::DotParen).ignore_then(e.clone().delimited_by(sym("("), sym(")"))).map(Postfix::OpenIn);
    let suffix = choice(&[field, index, open]);
    atom(rules).fold(suffix, LIMIT + 1, |e, suffix, x| {
        x.state().grow();
        let e = Box::new(e);
        let kind = match suffix {
            Postfix::Project(name) => ExprKind::Project(e, name),
            Postfix::Index(indices) => ExprKind::Index(e, indices),
            Postfix::OpenIn(body) => ExprKind::OpenIn(e, Box::new(body)),
        };
        spanned(kind, x)
    })
}

/// A field: a name, or the number of a tuple's component.
fn field<'a>() -> P<'a, Ident> {
    let number = select(|token, e| match token {
        Token::Field(n) => Some(Ident { name: n.to_string().into(), span: e.span() }),
        _ => None,
    });
    choice(&[ident(), number])
}

/// `i` or `i:j:s`; or the place where nothing is.
fn index<'a>(part: P<'a, Expr>) -> P<'a, Result<Index, Span>> {
    let more = sym(":").ignore_then(part.clone().or_not()).then(sym(":").ignore_then(part.clone().or_not()).or_not());
    part.or_not().then(more.or_not()).map_with(|(first, more), e| match (first, more) {
        (Some(i), None) => Ok(Index::At(i)),
        (first, Some((end, step))) => Ok(Index::Slice(Box::new([first, end, step.flatten()]), e.span())),
        (None, None) => Err(e.span()),
    })
}

/// Literals, names, brackets.
fn atom<'a>(rules: &Rules<'a>) -> P<'a, Expr> {
    let e = rules.expr.clone();
    let name = select(|token, _| match token {
        Token::Ident(name) => Some(ExprKind::Var(name.into())),
        // the lexer has checked its escape sequences
        Token::Str(text) => Some(ExprKind::Str(unescape(text).unwrap_or_default().into())),
        Token::Sym("???") => Some(ExprKind::Hole),
        _ => None,
    });
    let simple = choice(&[literal(), name]).labelled("an expression");
    let fields = field_name().then(sym("=").ignore_then(e.clone()).or_not()).list();
    let record = fields.delimited_by(sym("{"), sym("}")).map(ExprKind::Record);
    let constr = sym("#").ignore_then(ident()).map(|name| ExprKind::Constr(name, vec![]));
    let array = e.clone().list().delimited_by(bracket(), sym("]")).map(ExprKind::Array);
    choice(&[
        simple.map_with(spanned),
        record.map_with(spanned),
        constr.map_with(spanned),
        sym("(").ignore_then(parenthesised(rules)).map_with(spanned),
        sym("[").ahead().ignore_then(array).map_with(spanned),
    ])
}

/// What follows `(`. The next token or two decide: Note [Predictive grammar].
fn parenthesised<'a>(rules: &Rules<'a>) -> P<'a, ExprKind> {
    let e = rules.expr.clone();
    let close = || sym(")");
    let backtick = qual_name().delimited_by(sym("`"), sym("`"));
    let op = choice(&[symbolic(|_| true), backtick]);
    let bang = select(|token, e| match token {
        Token::Sym("!") => Some(QualName { quals: vec![], base: Ident { name: "!".into(), span: e.span() } }),
        _ => None,
    });

    // `(-)` and `(!)` are functions, `(-x)` and `(!x)` are not sections.
    let whole_op = choice(&[op.clone(), bang]).then_ignore(close()).map(ExprKind::Op);
    let whole_op_ahead = choice(&[op.clone().ignored(), sym("!")]).then_ignore(close()).ahead();
    let section_right =
        op.clone().then(e.clone()).then_ignore(close()).map(|(op, e)| ExprKind::SectionRight(op, Box::new(e)));
    let op_ahead = op.clone().filter(|op| !op.quals.is_empty() || &*op.base.name != "-").ahead();
    let project = token(Token::Dot).ignore_then(field()).map(Access::Field);
    let index = indices(rules, token(Token::IndexBracket)).map(Access::Index);
    let first_index = sym(".").ignore_then(indices(rules, bracket())).map(Access::Index);
    let rest = choice(&[project.clone(), index]).repeated(0, LIMIT);
    let path = choice(&[project, first_index])
        .then(rest)
        .then_ignore(close())
        .map(|(first, rest)| ExprKind::SectionPath([vec![first], rest].concat()));

    enum Tail {
        Paren,
        Tuple(Vec<Expr>),
        Section(QualName),
    }
    let more = sym(",").ignore_then(e.clone().list());
    let tail = choice(&[
        close().map(|()| Tail::Paren),
        more.then_ignore(close()).map(Tail::Tuple),
        op.then_ignore(close()).map(Tail::Section),
    ]);
    let begun = e.then(tail).map(|(first, tail)| match tail {
        Tail::Paren => ExprKind::Paren(Box::new(first)),
        Tail::Tuple(mut more) => {
            more.insert(0, first);
            ExprKind::Tuple(more)
        }
        Tail::Section(op) => ExprKind::SectionLeft(Box::new(first), op),
    });
    choice(&[
        close().map(|()| ExprKind::Tuple(vec![])),
        whole_op_ahead.ignore_then(whole_op),
        op_ahead.ignore_then(section_right),
        path,
        begun,
    ])
}
