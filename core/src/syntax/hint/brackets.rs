//! Brackets that are not closed, or close nothing.

use super::super::token::Token;
use super::rules::{Fix, Site};
use crate::diag::Diagnostic;
use crate::source::Span;

/// What closes the bracket that a token is, if it is one.
pub(super) fn closer(token: &Token<'_>) -> Option<&'static str> {
    match token {
        Token::Sym("(") | Token::DotParen => Some(")"),
        Token::Sym("[" | "#[") | Token::IndexBracket => Some("]"),
        Token::Sym("{") => Some("}"),
        _ => None,
    }
}

/// Does the token close a bracket?
pub(super) fn is_closer(token: &Token<'_>) -> bool {
    matches!(token, Token::Sym(")" | "]" | "}"))
}

/// The brackets that are open at the end of these tokens, from the outermost.
pub(super) fn open(tokens: &[(Token<'_>, Span)]) -> Vec<usize> {
    walked(tokens).1
}

/// For each token, and for the end, the innermost bracket that is open before it.
pub(super) fn innermost(tokens: &[(Token<'_>, Span)]) -> Vec<Option<usize>> {
    walked(tokens).0
}

/// Both. What closes another bracket than the innermost closes none.
fn walked(tokens: &[(Token<'_>, Span)]) -> (Vec<Option<usize>>, Vec<usize>) {
    let (mut innermost, mut open): (Vec<Option<usize>>, Vec<usize>) = (vec![], vec![]);
    for (i, (token, _)) in tokens.iter().enumerate() {
        innermost.push(open.last().copied());
        // `.(` is a dot and a parenthesis, of which the parenthesis is counted
        if closer(token).is_some() && *token != Token::DotParen {
            open.push(i);
        } else if is_closer(token)
            && let Some(last) = open.last()
            && closer(&tokens[*last].0).is_some_and(|close| *token == Token::Sym(close))
        {
            open.pop();
        }
    }
    innermost.push(open.last().copied());
    (innermost, open)
}

fn written(token: &Token<'_>) -> &'static str {
    match token {
        Token::Sym(s) => s,
        _ => "[",
    }
}

/// What mends brackets at the place of the error.
pub(super) fn fixes(site: &Site<'_>) -> Vec<Fix> {
    let open = open(&site.tokens[..site.at.min(site.tokens.len())]);
    let here = site.token(site.at).filter(is_closer);
    let Some(last) = open.last() else {
        return here.map(|close| closes_nothing(site, &close)).into_iter().collect();
    };
    let token = site.tokens[*last].0;
    let close = closer(&token).unwrap_or(")");
    let mut fixes = vec![];
    if let Some(other) = here
        && other != Token::Sym(close)
    {
        let fix = Fix::new(vec![(site.span(site.at), close.to_string())]);
        let message = format!("The `{}` is closed by {other}.", written(&token));
        let fix = fix.message(message).label(site.span(site.at), format!("expected `{close}`"));
        fixes.push(fix.label(site.span(*last), "opened here"));
    }
    // where all that is opened is closed, something else is wrong
    if self::open(site.tokens).is_empty() {
        return fixes;
    }
    let at_end = site.at >= site.tokens.len();
    let all: String = open.iter().rev().filter_map(|i| closer(&site.tokens[*i].0)).collect();
    let mut places: Vec<(usize, String)> = vec![];
    // a number is applied to nothing, so what comes behind it is an argument of what stands before the bracket
    let behind_number = |i: &usize| matches!(site.tokens[i - 1].0, Token::Int(..) | Token::Float(..));
    let argument = (*last + 2..site.at).find(|i| site.begins_argument(*i) && behind_number(i));
    places.extend(argument.map(|i| (i, close.to_string())));
    places.push((site.at, if at_end { all } else { close.to_string() }));
    // where a line ends, from the last
    let lines = (*last + 2..site.at).rev().filter(|i| site.begins_line(*i));
    places.extend(lines.take(3).map(|i| (i, close.to_string())));
    // an operator in front of it would have its operand behind it
    let is_open = |place: usize| matches!(site.token(place.wrapping_sub(1)), Some(Token::Op(_) | Token::QualOp(_)));
    for (place, close) in places.into_iter().filter(|(place, _)| !is_open(*place)) {
        let at = site.behind(place);
        let message = format!("The `{}` is not closed.", written(&token));
        let fix = Fix::new(vec![(at, close.clone())]).message(message).label(site.span(*last), "opened here");
        fixes.push(fix.label(at, format!("expected `{close}`")));
    }
    fixes
}

fn closes_nothing(site: &Site<'_>, close: &Token<'_>) -> Fix {
    let gap = if site.begins_line(site.at) { site.before(site.at) } else { site.behind(site.at) };
    let span = gap.to(site.span(site.at));
    let mut fix = Fix::new(vec![(span, String::new())]).message(format!("This {close} closes nothing."));
    fix.hint = Some(format!("leave out the {close}."));
    fix.label(site.span(site.at), "no bracket is open here")
}

/// The error with the place of the innermost bracket that is still open at the end of the text, if that is why the text ends too early.
pub(super) fn unclosed(error: Diagnostic, tokens: &[(Token<'_>, Span)]) -> Diagnostic {
    let at = error.span();
    let is_end = tokens.last().is_some_and(|(_, last)| last.end <= at.start);
    match open(tokens).last() {
        Some(i) if is_end => {
            let (token, span) = &tokens[*i];
            error.label(*span, format!("this `{}` is not closed", written(token)))
        }
        _ => error,
    }
}
