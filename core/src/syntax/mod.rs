//! From text to syntax tree: tokens ([`token`]), tree ([`ast`]), grammar. Parsing never fails: it returns a tree of what it
//! could read, and diagnostics.

pub mod ast;
mod decl;
mod expr;
pub mod format;
mod grammar;
mod hint;
mod lookalike;
pub mod ops;
#[cfg(test)]
mod tests;
pub mod token;

use crate::diag::{Code, Diagnostic};
use crate::source::{FileId, Span};
use ast::{Ast, Decl, DeclKind, Expr, ModExp, SigExpKind, Spec};
use chumsky::error::{Rich, RichReason};
use chumsky::extra::SimpleState;
use chumsky::input::Input as _;
use chumsky::{Parser as _, prelude::end};
use grammar::{Nesting, P, choice};
use token::{Doc, Keyword, Token};

/// How deep expressions, types, patterns and modules may be nested: no traversal of a tree can overflow.
pub const MAX_NESTING: usize = 512;

/// The tree of a file. What cannot be read is left out and reported; reading goes on at the next declaration that begins a
/// line.
pub fn parse(file: FileId, text: &str) -> (Ast, Vec<Diagnostic>) {
    let lexed = token::lex(file, text);
    let mut diagnostics = lexed.diagnostics;
    diagnostics.sort_by_key(|d| d.span().start);
    let unknown = diagnostics.len();
    let end = Span::new(file, text.len() as u32, text.len() as u32);
    let mut decls = vec![];
    let parser = whole_decl();
    let mut hints = hint::Hints::new(file, text);
    let mut unread = vec![];
    let mut tokens = &lexed.tokens[..];
    while let Some((_, first)) = tokens.first() {
        let next = match first_decl(&parser, text, tokens, end) {
            Ok(decl) => {
                let next = tokens.partition_point(|(_, s)| s.start < decl.span.end);
                decls.push(decl);
                next
            }
            Err(error) => {
                let at = error.span();
                let next = tokens
                    .iter()
                    .position(|(t, s)| {
                        s.start > first.start && s.start >= at.start && begins_decl(t) && begins_line(text, *s)
                    })
                    .unwrap_or(tokens.len());
                // A character that begins no token has been reported already.
                let before = diagnostics[..unknown].partition_point(|d| d.span().start <= at.start);
                if diagnostics[..before].last().is_none_or(|d| at.start > d.span().end) {
                    diagnostics.push(hints.explained(error, &tokens[..next]));
                }
                unread.extend(declared(&tokens[..next]));
                next
            }
        };
        // A declaration has at least one token, so this ends.
        tokens = &tokens[next.max(1)..];
    }
    attach_docs(&mut decls, &mut lexed.docs.into_iter().peekable(), 0);
    diagnostics.sort_by_key(|d| d.span().start);
    (Ast { decls, unread }, diagnostics)
}

/// Reads the declaration that the tokens begin with. A lazy parser walks over all that is left, so it is given no more than it may need: the tokens up to
/// where a declaration may begin a line; if that is not the whole of it, up to a place twice as far.
fn first_decl<'a>(
    parser: &P<'a, Decl>,
    text: &str,
    tokens: &'a [(Token<'a>, Span)],
    end: Span,
) -> Result<Decl, Diagnostic> {
    let mut places = (1..tokens.len()).filter(|&i| begins_decl(&tokens[i].0) && begins_line(text, tokens[i].1));
    let mut skip = 0;
    while let Some(place) = places.nth(skip) {
        let start = tokens[place].1.start;
        match run(parser, &tokens[..place], Span { start, end: start, ..end }) {
            // a token before the end that does not fit would not fit with more of them behind it
            Err(error) if error.span().start >= start || error.message.starts_with(OWN_ERROR) => {}
            result => return result,
        }
        skip = 2 * skip + 1;
    }
    run(parser, tokens, end)
}

/// A declaration up to where the next one may begin.
fn whole_decl<'a>() -> P<'a, Decl> {
    let decl = decl::decl().then_ignore(choice(&[decl::decl_ahead(), end_of_input()]));
    P(decl.0.lazy().boxed())
}

/// What is said of a definition that can be read, but was meant in another language: `def f(x):`, and below it `y = x` and `return y`, where `y` is read as a type.
/// `before` is where what is read so begins.
pub(crate) fn of_other_language(file: FileId, text: &str, decl: Span, before: Span) -> Option<Diagnostic> {
    let lexed = token::lex(file, text);
    let within = |at: u32| lexed.tokens.partition_point(|(_, s)| s.start < at);
    let (first, type_, end) = (within(decl.start), within(before.start), within(decl.end));
    let colon = type_.checked_sub(1).filter(|i| lexed.tokens[*i].0 == Token::Sym(":"))?;
    let tokens = lexed.tokens.get(first..end)?;
    let returns = |(t, _): &(Token<'_>, Span)| *t == Token::Ident("return");
    if !begins_line_with_blanks(text, before) || !tokens.iter().any(returns) {
        return None;
    }
    let error = Diagnostic::error(Code::UnexpectedToken, lexed.tokens[colon].1, "Unexpected `:`.");
    Some(hint::Hints::new(file, text).explained(error, tokens)).filter(Diagnostic::has_hint)
}

fn begins_line_with_blanks(text: &str, span: Span) -> bool {
    let before = &text[..span.start as usize];
    before[before.trim_end().len()..].contains('\n')
}

/// The name that these tokens declare, if they begin as a declaration does.
fn declared(tokens: &[(Token<'_>, Span)]) -> Option<ast::Unread> {
    use Keyword::*;
    let start = tokens.iter().take_while(|(t, _)| *t == Token::Keyword(Local)).count();
    let (first, rest) = tokens[start..].split_first()?;
    let what = match first.0 {
        Token::Keyword(Def | Let | Entry) => ast::Unread::Value,
        Token::Keyword(Type) => ast::Unread::Type,
        Token::Keyword(Module) => ast::Unread::Module,
        Token::Ident(name) => return Some(ast::Unread::Value(ast::Ident { name: name.into(), span: first.1 })),
        _ => return None,
    };
    // `def (+)`, `type^ t`
    rest.iter().take(2).find_map(|(t, span)| match t {
        Token::Ident(name) => Some(what(ast::Ident { name: (*name).into(), span: *span })),
        Token::Op(name) if *name != "^" => Some(what(ast::Ident { name: (*name).into(), span: *span })),
        _ => None,
    })
}

/// What a line typed at the REPL is.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// Declarations.
    Decls(Ast),
    /// An expression.
    Expr(Expr),
    /// Nothing but blanks and comments.
    Empty,
}

/// Reads declarations if the text begins with one and they can be read, else an expression.
pub fn parse_expr_or_decls(file: FileId, text: &str) -> (Input, Vec<Diagnostic>) {
    let lexed = token::lex(file, text);
    let Some((first, _)) = lexed.tokens.first() else { return (Input::Empty, lexed.diagnostics) };
    let as_decls = || {
        let (ast, diagnostics) = parse(file, text);
        (Input::Decls(ast), diagnostics)
    };
    let ambiguous = is_ambiguous(first);
    if begins_decl(first) {
        let (input, diagnostics) = as_decls();
        if !ambiguous || diagnostics.is_empty() {
            return (input, diagnostics);
        }
    }
    let (expr, diagnostics) = parse_expr(file, text);
    match expr {
        Some(expr) => (Input::Expr(expr), diagnostics),
        None if ambiguous && !lexed.tokens.iter().any(|(t, _)| *t == Token::Keyword(Keyword::In)) => as_decls(),
        None => (Input::Decls(Ast::default()), diagnostics),
    }
}

/// Reads one expression.
pub fn parse_expr(file: FileId, text: &str) -> (Option<Expr>, Vec<Diagnostic>) {
    let lexed = token::lex(file, text);
    if !lexed.diagnostics.is_empty() {
        return (None, lexed.diagnostics);
    }
    let end = Span::new(file, text.len() as u32, text.len() as u32);
    match run(&expr::expr().then_ignore(end_of_input()), &lexed.tokens, end) {
        Ok(expr) => (Some(expr), vec![]),
        Err(error) => (None, vec![hint::Hints::of_expr(file, text).explained(error, &lexed.tokens)]),
    }
}

/// What a text can be read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Blanks and comments only.
    Nothing,
    /// Declarations.
    Declarations,
    /// An expression.
    Expression,
    /// With more behind it, it may be a declaration or an expression.
    Beginning,
    /// Neither, whatever follows.
    Mistake,
}

impl Extent {
    /// Whether it is the beginning of something.
    pub fn is_beginning(self) -> bool {
        self == Extent::Beginning
    }

    /// What this text can be read as.
    pub fn of(text: &str) -> Extent {
        let lexed = token::lex(FileId::default(), text);
        let (first, last) = match (lexed.tokens.first(), lexed.tokens.last()) {
            (Some((first, _)), Some((_, last))) => (first, last.end),
            // it is of a declaration that follows
            _ if !lexed.docs.is_empty() => return Extent::Beginning,
            _ => return Extent::Nothing,
        };
        let end = Span::new(FileId::default(), text.len() as u32, text.len() as u32);
        let is_early = |error: Diagnostic| lexed.diagnostics.is_empty() && error.span().start >= last;
        let mut may_begin = false;
        if begins_decl(first) {
            match unread(text, &lexed.tokens, end) {
                None => return Extent::Declarations,
                Some(error) => may_begin = is_early(error),
            }
        }
        if !begins_decl(first) || is_ambiguous(first) {
            match run(&expr::expr().then_ignore(end_of_input()), &lexed.tokens, end) {
                Ok(_) if lexed.diagnostics.is_empty() => return Extent::Expression,
                Ok(_) => {}
                Err(error) => may_begin |= is_early(error),
            }
        }
        if may_begin { Extent::Beginning } else { Extent::Mistake }
    }
}

/// What keeps the first of these declarations from being read that cannot be.
fn unread<'a>(text: &str, mut tokens: &'a [(Token<'a>, Span)], end: Span) -> Option<Diagnostic> {
    let parser = whole_decl();
    while !tokens.is_empty() {
        match first_decl(&parser, text, tokens, end) {
            Ok(decl) => tokens = &tokens[tokens.partition_point(|(_, s)| s.start < decl.span.end).max(1)..],
            Err(error) => return Some(error),
        }
    }
    None
}

/// `let x = 1` declares, `let x = 1 in x` does not; and `#[attr]` may begin either.
fn is_ambiguous(first: &Token<'_>) -> bool {
    matches!(first, Token::Keyword(Keyword::Let) | Token::Sym("#["))
}

/// How a text goes on from what stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// With a declaration that is nothing else.
    Declaration,
    /// With `let`: a declaration, or an expression.
    Let,
    /// With what an expression begins with, which may also go on with one: `(`, `-`.
    Expression,
    /// With what nothing begins with: an operator, `in`, `case`, a closing bracket.
    Rest,
    /// There are blanks and comments only.
    Nothing,
}

impl Start {
    /// How this text begins.
    pub fn of(text: &str) -> Start {
        use Keyword::*;
        const BEGIN: [&str; 8] = ["(", "[", "{", "\\", "!", "#", "#[", "???"];
        match token::lex(FileId::default(), text).tokens.first() {
            None => Start::Nothing,
            Some((Token::Keyword(Def | Entry | Val | Type | Module | Open | Local | Import), _)) => Start::Declaration,
            Some((Token::Keyword(Let), _)) => Start::Let,
            Some((Token::Keyword(In | Then | Else | For | While | Do | Case | With | Include), _)) => Start::Rest,
            Some((Token::Sym(s), _)) if !BEGIN.contains(s) => Start::Rest,
            Some((Token::Op(op), _)) if *op != "-" => Start::Rest,
            Some((Token::IndexBracket | Token::Dot | Token::DotParen, _)) => Start::Rest,
            Some(_) => Start::Expression,
        }
    }
}

fn end_of_input<'a>() -> P<'a, ()> {
    P(end().boxed())
}

/// Runs a parser; its first error, as a diagnostic, if it fails.
fn run<'a, O>(parser: &P<'a, O>, tokens: &'a [(Token<'a>, Span)], end: Span) -> Result<O, Diagnostic> {
    let mut nesting = SimpleState(Nesting::default());
    let (output, errors) = parser.0.parse_with_state(tokens.split_token_span(end), &mut nesting).into_output_errors();
    if let Some(span) = nesting.0.too_deep {
        let message = format!("This is nested deeper than {MAX_NESTING} levels.");
        return Err(Diagnostic::error(Code::NestingTooDeep, span, message)
            .note("Give a part of it a name with `let` or `def`."));
    }
    match (output, errors.into_iter().next()) {
        (Some(output), None) => Ok(output),
        (_, Some(error)) => Err(diagnostic(&error)),
        (None, None) => Err(Diagnostic::error(Code::UnexpectedToken, end, "This cannot be read.")),
    }
}

/// How messages begin of what the grammar finds wrong besides tokens that do not fit: something that ends too early, for one.
const OWN_ERROR: &str = "Syntax error: ";

fn diagnostic(error: &Rich<'_, Token<'_>, Span>) -> Diagnostic {
    let span = *error.span();
    let (expected, found) = match error.reason() {
        RichReason::ExpectedFound { expected, found } => (expected, found),
        RichReason::Custom(what) => {
            return Diagnostic::error(Code::UnexpectedToken, span, format!("{OWN_ERROR}{what}."));
        }
    };
    let found = found.as_ref().map_or("end of the text".to_string(), |t| t.to_string());
    let mut names: Vec<String> = expected
        .iter()
        .map(|p| match p {
            chumsky::error::RichPattern::EndOfInput => "the end of the text".to_string(),
            chumsky::error::RichPattern::Token(t) => t.to_string(),
            other => other.to_string(),
        })
        .collect();
    names.sort();
    names.dedup();
    names.retain(|n| n != "something else" && n != "any");
    // another argument may stand behind nearly everything
    let lambda = "`\\`";
    if names.iter().any(|n| n != lambda) {
        names.retain(|n| n != lambda);
    }
    shorten(&mut names);
    let message = format!("Unexpected {found}.");
    let diagnostic = Diagnostic::error(Code::UnexpectedToken, span, message);
    match names.split_last() {
        None => diagnostic,
        Some((last, [])) => diagnostic.here(format!("expected {last}")),
        Some((last, rest)) => diagnostic.here(format!("expected {} or {last}", rest.join(", "))),
    }
}

/// Leaves out what goes without saying: all that may follow an expression, unless nothing else may; and the tokens with which
/// expressions begin.
fn shorten(names: &mut Vec<String>) {
    const BEGIN: [&str; 14] = [
        "`!`", "`(`", "`-`", "`[`", "`\\`", "`if`", "`let`", "`loop`", "`#[`", "`{`", "`#`", "`match`", "`assert`",
        "`???`",
    ];
    const FOLLOW: [&str; 11] = ["`{`", "`#`", "`with`", "`(`", "`[`", "`..`", "`.`", "`:`", "`:>`", "```", "a range"];
    let follows = names.iter().any(|n| n == "an operator");
    let expression = names.iter().any(|n| n == "an expression");
    let mut rest = names.clone();
    if follows {
        rest.retain(|n| !FOLLOW.contains(&n.as_str()) && n != "an operator" && n != "an expression");
    } else if expression {
        rest.retain(|n| !BEGIN.contains(&n.as_str()));
    }
    if !rest.is_empty() {
        *names = rest;
    }
}

fn begins_decl(token: &Token<'_>) -> bool {
    use Keyword::*;
    matches!(token, Token::Keyword(Def | Let | Entry | Val | Type | Module | Open | Local | Import) | Token::Sym("#["))
}

fn begins_line(text: &str, span: Span) -> bool {
    text[..span.start as usize].chars().next_back().is_none_or(|c| c == '\n')
}

/// Gives each declaration the last documentation comment between the declaration before it and itself.
fn attach_docs(decls: &mut [Decl], docs: &mut std::iter::Peekable<std::vec::IntoIter<Doc>>, mut after: u32) {
    for decl in decls {
        while let Some(doc) = docs.next_if(|d| d.span.start < decl.span.start) {
            if doc.span.start >= after {
                decl.doc = Some(doc.text);
            }
        }
        after = decl.span.end;
        let mut kind = &mut decl.kind;
        while let DeclKind::Local(decl) = kind {
            kind = &mut decl.kind;
        }
        match kind {
            DeclKind::Module { def, .. } | DeclKind::Open(def) => {
                if let Some((decls, span)) = body(def) {
                    attach_docs(decls, docs, span.start);
                }
            }
            DeclKind::ModuleType { def, .. } => {
                if let SigExpKind::Specs(specs) = &mut def.kind {
                    attach_spec_docs(specs, docs, def.span.start);
                }
            }
            _ => {}
        }
    }
}

/// The same of what a module type asks.
fn attach_spec_docs(specs: &mut [Spec], docs: &mut std::iter::Peekable<std::vec::IntoIter<Doc>>, mut after: u32) {
    for spec in specs {
        while let Some(doc) = docs.next_if(|d| d.span.start < spec.span.start) {
            if doc.span.start >= after {
                spec.doc = Some(doc.text);
            }
        }
        after = spec.span.end;
    }
}

/// The declarations of a module, perhaps behind its module type.
fn body(def: &mut ModExp) -> Option<(&mut [Decl], Span)> {
    match def {
        ModExp::Struct(decls, span) => Some((decls, *span)),
        ModExp::Ascribe(inner, _) | ModExp::Lambda(_, _, inner) => body(inner),
        ModExp::Name(_) | ModExp::Import(_) | ModExp::Apply(..) => None,
    }
}

impl chumsky::span::Span for Span {
    type Context = FileId;
    type Offset = u32;

    fn new(file: FileId, range: std::ops::Range<u32>) -> Span {
        // What is empty ends with the token before it, and begins with the one after it.
        Span::new(file, range.start, range.end.max(range.start))
    }

    fn context(&self) -> FileId {
        self.file
    }

    fn start(&self) -> u32 {
        self.start
    }

    fn end(&self) -> u32 {
        self.end
    }
}
