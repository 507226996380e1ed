//! Words that are missing in expressions: `in`, `then`, `else`, `do`, `loop`.

use super::super::token::{Keyword, Token};
use super::rules::{Fix, Site};

/// What mends words at the place of the error.
pub(super) fn fixes(site: &Site<'_>) -> Vec<Fix> {
    let mut fixes = vec![];
    fixes.extend(else_if(site));
    fixes.extend(loop_(site));
    if site.expected.contains("`in`") {
        fixes.extend(in_(site));
    }
    if site.expected.contains("`else`") {
        fixes.extend(else_(site));
    }
    // what is behind a colon is read as a type
    let is_colon = site.is_sym(site.at, ":") || site.is_sym(site.at.wrapping_sub(1), ":");
    for (begins, partner, word) in [(Keyword::If, Keyword::Then, "then"), (Keyword::Loop, Keyword::Do, "do")] {
        if site.expected.contains(&format!("`{word}`")) || is_colon && alone(site, begins, partner).is_some() {
            fixes.extend(between(site, begins, word));
        }
    }
    fixes
}

/// Of a word that has a partner behind it, the last before the place of the error that has none, in the same bracket.
fn alone(site: &Site<'_>, word: Keyword, partner: Keyword) -> Option<usize> {
    let open = site.open_bracket(site.at);
    let mut partners = 0;
    (0..site.at).rev().filter(|i| site.open_bracket(*i) == open).find(|i| {
        if site.is_keyword(*i, partner) {
            partners += 1;
        } else if site.is_keyword(*i, word) && !(word == Keyword::Let && begins_decl(site, *i)) {
            if partners == 0 {
                return true;
            }
            partners -= 1;
        }
        false
    })
}

/// A `let` that is no part of an expression.
fn begins_decl(site: &Site<'_>, i: usize) -> bool {
    i == 0 && !site.is_expr
}

/// A `let` without its `in`: behind its lines, else where an argument of a number seems to stand, else before the last argument.
fn in_(site: &Site<'_>) -> Vec<Fix> {
    let open = site.open_bracket(site.at);
    let lets = (0..site.at).rev().filter(|i| site.is_keyword(*i, Keyword::Let) && !begins_decl(site, *i));
    let Some(let_) = lets.into_iter().find(|i| site.open_bracket(*i) == open) else { return vec![] };
    let inside = |i: &usize| site.open_bracket(*i) == open && *i > let_ + 2;
    let lines: Vec<usize> = (let_ + 1..site.at).filter(|i| site.begins_line(*i)).filter(inside).collect();
    let outside = lines.iter().find(|i| site.column(**i) <= site.column(let_));
    let mut places: Vec<usize> = outside.into_iter().chain(lines.iter().rev()).copied().collect();
    let arguments: Vec<usize> = (let_ + 1..site.at).filter(|i| site.begins_argument(*i)).filter(inside).collect();
    let number = |i: &&usize| matches!(site.token(**i - 1), Some(Token::Int(..) | Token::Float(..)));
    places.extend(arguments.iter().find(number).into_iter().chain(arguments.iter().rev().take(4)));
    places.push(site.at);
    let fix = |place: usize, new: String| {
        let at = site.behind(place);
        let fix = Fix::new(vec![(at, new)]).message("The `let` has no `in`.");
        fix.label(at, "`in` is missing here").label(site.span(let_), "of this `let`")
    };
    let mut fixes: Vec<Fix> = places.into_iter().map(|place| fix(place, " in".to_string())).collect();
    // where nothing is behind it, its name is what it is for
    if let Some(Token::Ident(name)) = site.token(let_ + 1) {
        fixes.push(fix(site.at, format!(" in {name}")));
    }
    fixes
}

/// What an `if` gives where its condition does not hold, in the form of what it gives where it does.
fn otherwise(site: &Site<'_>, from: usize) -> &'static str {
    let open = site.open_bracket(from);
    let mut own = (from..site.at).filter(|i| site.open_bracket(*i) == open);
    let is_number = |i: usize| matches!(site.token(i), Some(Token::Int(..) | Token::Float(..)));
    let is_truth = |i: usize| {
        matches!(
            site.token(i),
            Some(
                Token::Keyword(Keyword::True | Keyword::False)
                    | Token::Op("==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||")
            )
        )
    };
    let is_operator = |i: usize| matches!(site.token(i), Some(Token::Op("+" | "-" | "*" | "/" | "%" | "**")));
    if own.clone().any(is_truth) {
        "false"
    } else if own.any(|i| is_number(i) || is_operator(i)) {
        "0"
    } else {
        "???"
    }
}

/// An `if` without its `else`.
fn else_(site: &Site<'_>) -> Option<Fix> {
    let if_ = alone(site, Keyword::If, Keyword::Else)?;
    let then = (if_..site.at).find(|i| site.is_keyword(*i, Keyword::Then))?;
    let at = site.behind(site.at);
    let edit = (at, format!(" else {}", otherwise(site, then + 1)));
    let fix = Fix::new(vec![edit]).message("The `if` has no `else`: it must have a value whatever its condition.");
    Some(fix.label(at, "`else` is missing here").label(site.span(if_), "of this `if`"))
}

/// `elif`, and its like.
fn else_if(site: &Site<'_>) -> Option<Fix> {
    let names = ["elif", "elsif", "elseif", "elsf"];
    let i = (0..=site.at).rev().take(64).find(|i| site.is_ident(*i, &names))?;
    let fix =
        Fix::new(vec![(site.span(i), "else if".to_string())]).message("A second condition stands behind `else if`.");
    Some(fix.label(site.span(i), "write `else if` here"))
}

/// `then` or `do` between two expressions: in the place of a colon, at a new line, or before what seems to be an argument.
fn between(site: &Site<'_>, begins: Keyword, word: &str) -> Vec<Fix> {
    let Some(first) = (0..site.at).rev().find(|i| site.is_keyword(*i, begins)) else { return vec![] };
    let what = if word == "do" { "loop" } else { "if" };
    let said = |fix: Fix, at| {
        let fix = fix.message(format!("The `{what}` has no `{word}`.")).label(at, format!("`{word}` is missing here"));
        fix.label(site.span(first), format!("of this `{what}`"))
    };
    let mut fixes = vec![];
    if site.is_sym(site.at, ":") || site.is_sym(site.at, ",") {
        let new = if site.adjacent(site.at) { format!(" {word}") } else { word.to_string() };
        fixes.push(said(Fix::new(vec![(site.span(site.at), new)]), site.span(site.at)));
    }
    // `if c: a`, where what is behind the colon is read as a type
    if let Some(colon) = (first..site.at).rev().find(|i| site.is_sym(*i, ":")) {
        fixes.push(said(Fix::new(vec![(site.span(colon), format!(" {word}"))]), site.span(colon)));
    }
    let inside = |i: &usize| site.open_bracket(*i) == site.open_bracket(site.at);
    let places = (first + 2..site.at).rev().filter(inside);
    let lines = places.clone().filter(|i| site.begins_line(*i)).take(2);
    let number = |i: &usize| matches!(site.token(*i - 1), Some(Token::Int(..) | Token::Float(..)));
    let arguments = places.filter(|i| site.begins_argument(*i));
    let numbers = arguments.clone().filter(number).take(2);
    for place in std::iter::once(site.at).chain(lines).chain(numbers).chain(arguments.take(3)) {
        let at = site.behind(place);
        fixes.push(said(Fix::new(vec![(at, format!(" {word}"))]), at));
    }
    fixes
}

/// `for` or `while` without `loop` and what it carries around.
fn loop_(site: &Site<'_>) -> Vec<Fix> {
    let i = site.at;
    if !(site.is_keyword(i, Keyword::For) || site.is_keyword(i, Keyword::While)) {
        return vec![];
    }
    let mut edits = vec![(site.before(i), "loop acc = 0 ".to_string())];
    let mut fixes = vec![];
    let said = |edits| {
        let message = "A loop carries a value from turn to turn, which is its result: it begins with `loop`.";
        let fix: Fix = Fix::new(edits).message(message);
        fix.label(site.span(i), "`loop` and a first value are missing before this")
    };
    // `for i in range(n):`
    if site.is_keyword(i + 2, Keyword::In) && site.is_ident(i + 3, &["range"]) && site.is_sym(i + 4, "(") {
        let close = site.close_bracket(i + 5);
        let in_ = site.span(i + 2).to(site.span(i + 4));
        let mut edits = edits.clone();
        edits.extend([(in_, "< ".to_string()), (site.span(close), String::new())]);
        if site.is_sym(close + 1, ":") {
            edits.push((site.span(close + 1), " do".to_string()));
        }
        fixes.push(said(edits));
    }
    fixes.push(said(edits.clone()));
    // `for i < n: e`
    if let Some(colon) = (i..site.tokens.len()).find(|j| site.is_sym(*j, ":")) {
        edits.push((site.span(colon), " do".to_string()));
        fixes.push(said(edits));
    }
    fixes
}
