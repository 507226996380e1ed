//! The grammar of declarations, modules and module types.

use super::ast::*;
use super::expr;
use super::grammar::{
    Ex, LIMIT, P, attr, choice, fun_def, ident, keyword, nested, pat_atom, qual_name, recursive, select, sym, type_exp,
    type_param,
};
use super::token::{Keyword, Token, unescape};
use chumsky::error::Rich;

/// An operator where it is declared.
fn op<'a>() -> P<'a, Ident> {
    select(|token, e| match token {
        Token::Op(op) | Token::Sym(op @ "!") => Some(Ident { name: op.into(), span: e.span() }),
        _ => None,
    })
    .labelled("an operator")
}

/// An operator to be defined: one between two operands.
fn def_op<'a>() -> P<'a, Ident> {
    let infix = |op: Ident, span| match &*op.name {
        "!" => Err(Rich::custom(span, "`!` is a prefix operator and cannot be used as infix operator")),
        _ => Ok(op),
    };
    op().try_map(infix)
}

/// A name to be defined: an identifier, or an operator in parentheses.
fn def_name<'a>() -> P<'a, Ident> {
    let named = |name: Ident, span| match &*name.name {
        "_" => Err(Rich::custom(span, "`_` is a pattern, and no name that a definition can have")),
        _ => Ok(name),
    };
    choice(&[ident().try_map(named), def_op().delimited_by(sym("("), sym(")"))])
}

/// A name to be defined that stands between its parameters.
fn infix_name<'a>() -> P<'a, Ident> {
    choice(&[def_op(), ident().delimited_by(sym("`"), sym("`"))])
}

/// Succeeds, without moving, where a definition begins with a parameter: a name before an operator, or what is no name. See Note [Predictive grammar].
fn infix_ahead<'a>() -> P<'a, ()> {
    let name = ident().ignored().then_ignore(choice(&[op().ignored(), sym("`")]));
    let parenthesised = sym("(").ignore_then(op().not());
    choice(&[name, parenthesised, sym("{")]).ahead()
}

/// What follows `def` of an operator, or of a name in backquotes, that stands between its parameters.
fn infix_def<'a>(ty: P<'a, TypeExp>, expr: P<'a, Expr>, name: P<'a, Ident>) -> P<'a, FunDef> {
    let param = pat_atom(ty.clone());
    (param.clone().then(name).then(param))
        .then(sym(":").ignore_then(ty).or_not())
        .then_ignore(sym("="))
        .then(expr)
        .map(|((((a, name), b), ret), body)| FunDef { name, tparams: vec![], params: vec![a, b], ret, body })
}

/// A path in quotes.
fn path<'a>() -> P<'a, Ident> {
    select(|token, e| match token {
        Token::Str(s) => Some(Ident { name: unescape(s).unwrap_or_default().into(), span: e.span() }),
        _ => None,
    })
    .labelled("a path in quotes")
}

/// `type`, `type^`, `type~`, behind the keyword.
fn lifted<'a>() -> P<'a, Lifted> {
    let mark = select(|token, _| match token {
        Token::Op("^") => Some(Lifted::Full),
        Token::Sym("~") => Some(Lifted::Size),
        _ => None,
    });
    mark.or_not().map(Option::unwrap_or_default)
}

/// `f [n] 'a : t`
fn val<'a>(ty: P<'a, TypeExp>) -> P<'a, (Ident, Vec<TypeParam>, TypeExp)> {
    let name = choice(&[def_name(), def_op()]).then(type_param().many());
    name.then_ignore(sym(":")).then(ty).map(|((name, tparams), ty)| (name, tparams, ty))
}

/// Module types, and those that are no functions unless in parentheses.
fn sig_exp<'a>(ty: P<'a, TypeExp>, plain_ty: P<'a, TypeExp>) -> (P<'a, SigExp>, P<'a, SigExp>) {
    let mut no_function = None;
    let sig = recursive(|sig| {
        let spanned = |kind, e: &mut Ex<'a, '_>| SigExp { kind, span: e.span() };
        let specs = spec(sig.clone(), ty).many().delimited_by(sym("{"), sym("}")).map(SigExpKind::Specs);
        let atom = nested(choice(&[
            qual_name().map(SigExpKind::Name).map_with(spanned),
            specs.map_with(spanned),
            sym("(").ignore_then(sig.clone()).then_ignore(sym(")")),
        ]));
        let refined = keyword(Keyword::With)
            .ignore_then(qual_name())
            .then(type_param().many())
            .then_ignore(sym("="))
            .then(plain_ty);
        let applied = atom.fold(refined, LIMIT + 1, move |sig, ((name, params), ty), e| {
            e.state().grow();
            spanned(SigExpKind::With { sig: Box::new(sig), name, params, ty }, e)
        });
        no_function = Some(applied.clone());
        let named = sym("(")
            .ignore_then(ident())
            .then_ignore(sym(":"))
            .then(sig.clone())
            .then_ignore(sym(")"))
            .then_ignore(sym("->"))
            .then(sig.clone())
            .map(|((name, a), b)| SigExpKind::Arrow(Some(name), Box::new(a), Box::new(b)))
            .map_with(spanned);
        // Note [Predictive grammar]
        let named_ahead = sym("(").ignore_then(ident()).then_ignore(sym(":")).ahead();
        let arrow = applied.then(sym("->").ignore_then(sig).or_not()).map_with(move |(a, b), e| match b {
            Some(b) => spanned(SigExpKind::Arrow(None, Box::new(a), Box::new(b)), e),
            None => a,
        });
        nested(choice(&[named_ahead.ignore_then(named), arrow]))
    });
    let no_function = no_function.unwrap_or_else(|| sig.clone());
    (sig, no_function)
}

/// What a module type asks.
fn spec<'a>(sig: P<'a, SigExp>, ty: P<'a, TypeExp>) -> P<'a, Spec> {
    let val = val(ty.clone()).map(|(name, tparams, ty)| SpecKind::Val { name, tparams, ty });
    let type_ = lifted()
        .then(ident())
        .then(type_param().many())
        .then(sym("=").ignore_then(ty).or_not())
        .map(|(((lifted, name), params), def)| SpecKind::Type { lifted, name, params, def });
    let module = ident().then_ignore(sym(":")).then(sig.clone()).map(|(name, sig)| SpecKind::Module(name, sig));
    let kind = choice(&[
        keyword(Keyword::Val).ignore_then(val),
        keyword(Keyword::Type).ignore_then(type_),
        keyword(Keyword::Module).ignore_then(module),
        keyword(Keyword::Include).ignore_then(sig).map(SpecKind::Include),
    ]);
    let attrs = attr().many();
    attrs.then(kind).map_with(|(attrs, kind), e| Spec { kind, attrs, doc: None, span: e.span() })
}

/// A module.
fn mod_exp<'a>(decl: P<'a, Decl>, sig: P<'a, SigExp>, result_sig: P<'a, SigExp>) -> P<'a, ModExp> {
    recursive(|m| {
        let decls = decl.many().delimited_by(sym("{"), sym("}"));
        let atom = nested(choice(&[
            qual_name().map(ModExp::Name),
            decls.map_with(|decls, e| ModExp::Struct(decls, e.span())),
            sym("(").ignore_then(m.clone()).then_ignore(sym(")")),
        ]));
        // behind a module, `import` begins the next declaration
        let import = nested(keyword(Keyword::Import).ignore_then(path()).map(ModExp::Import));
        let applied = choice(&[import, atom.clone()]).fold(atom, LIMIT + 1, |f, x, e| {
            e.state().grow();
            ModExp::Apply(Box::new(f), Box::new(x))
        });
        let result = sym(":").ignore_then(sig.clone());
        let ascribed = applied.fold(result, LIMIT + 1, |m, s, e| {
            e.state().grow();
            ModExp::Ascribe(Box::new(m), s)
        });
        let lambda = sym("\\")
            .ignore_then(mod_param(sig))
            // the arrow behind `\(p: s): t` is the lambda's
            .then(sym(":").ignore_then(result_sig).or_not())
            .then_ignore(sym("->"))
            .then(m)
            .map(|((p, sig), body)| ModExp::Lambda(Box::new(p), sig, Box::new(body)));
        nested(choice(&[lambda, ascribed]))
    })
}

/// `(p: s)`
fn mod_param<'a>(sig: P<'a, SigExp>) -> P<'a, ModParam> {
    let inside = ident().then_ignore(sym(":")).then(sig).map(|(name, sig)| ModParam { name, sig });
    inside.delimited_by(sym("("), sym(")"))
}

/// A declaration. Its documentation is attached later: comments are no tokens.
pub(super) fn decl<'a>() -> P<'a, Decl> {
    let expr = expr::expr();
    let (ty, plain_ty) = type_exp(expr.clone());
    let (sig, result_sig) = sig_exp(ty.clone(), plain_ty);
    recursive(|decl| {
        let prefix = fun_def(ty.clone(), expr.clone(), def_name());
        let infix = infix_ahead().ignore_then(infix_def(ty.clone(), expr.clone(), infix_name()));
        let entry = prefix.clone().map(|def| DeclKind::Def { entry: true, def });
        let def = choice(&[infix, prefix]).map(|def| DeclKind::Def { entry: false, def });
        let type_ = lifted()
            .then(ident())
            .then(type_param().many())
            .then_ignore(sym("="))
            .then(ty.clone())
            .map(|(((lifted, name), params), def)| DeclKind::Type { lifted, name, params, def });
        let val = val(ty.clone()).map(|(name, tparams, ty)| DeclKind::Val { name, tparams, ty });
        let mod_exp = mod_exp(decl.clone(), sig.clone(), result_sig);
        let module = ident()
            .then(mod_param(sig.clone()).many())
            .then(sym(":").ignore_then(sig.clone()).or_not())
            .then_ignore(sym("="))
            .then(mod_exp.clone())
            .map(|(((name, params), sig), def)| DeclKind::Module { name, params, sig, def });
        let module_type = keyword(Keyword::Type)
            .ignore_then(ident())
            .then_ignore(sym("="))
            .then(sig.clone())
            .map(|(name, def)| DeclKind::ModuleType { name, def });
        let kind = choice(&[
            keyword(Keyword::Def).ignore_then(def.clone()),
            keyword(Keyword::Let).ignore_then(def),
            keyword(Keyword::Entry).ignore_then(entry),
            keyword(Keyword::Val).ignore_then(val),
            keyword(Keyword::Type).ignore_then(type_),
            keyword(Keyword::Module).ignore_then(choice(&[module_type, module])),
            keyword(Keyword::Open).ignore_then(mod_exp).map(DeclKind::Open),
            keyword(Keyword::Local).ignore_then(decl.map(|d| DeclKind::Local(Box::new(d)))),
            keyword(Keyword::Import).ignore_then(path()).map(DeclKind::Import),
        ]);
        let attrs = attr().many();
        nested(attrs.then(kind).map_with(|(attrs, kind), e| Decl { kind, attrs, doc: None, span: e.span() }))
    })
}

/// Succeeds, without moving, where a declaration may begin.
pub(super) fn decl_ahead<'a>() -> P<'a, ()> {
    use Keyword::*;
    let start = select(|token, _| match token {
        Token::Keyword(Def | Let | Entry | Val | Type | Module | Open | Local | Import) | Token::Sym("#[") => Some(()),
        _ => None,
    });
    start.labelled("a declaration").ahead()
}
