//! What declarations of other languages look like: `main :: t`, `def f(x):`, `fn f(x) -> t`, and definitions without `def`.

use super::super::token::{Keyword, Token};
use super::rules::{Fix, Site};
use crate::source::Span;

const BEGINS: &str = "A definition begins with `def`.";

/// What mends the beginning of a declaration.
pub(super) fn fixes(site: &Site<'_>) -> Vec<Fix> {
    let mut fixes = vec![];
    if site.at == 0 {
        fixes.extend(signature(site));
        fixes.extend(other_word(site));
        fixes.extend(no_word(site));
    }
    fixes.extend(import_name(site));
    let begins = [Keyword::Def, Keyword::Let, Keyword::Entry].iter().any(|k| site.is_keyword(0, *k));
    if begins && site.at > 0 {
        fixes.extend(signature_of_definition(site));
        fixes.extend(python(site));
        fixes.extend(result_arrow(site));
        fixes.extend(braces(site));
        fixes.extend(no_equals(site));
    }
    fixes
}

/// `import name`
fn import_name(site: &Site<'_>) -> Option<Fix> {
    let Some(Token::Ident(name)) = site.token(site.at) else { return None };
    if !site.is_keyword(site.at.checked_sub(1)?, Keyword::Import) {
        return None;
    }
    let span = site.span(site.at);
    let fix =
        Fix::new(vec![(span, format!("\"{name}\""))]).message("What is imported stands between quotes: it is a path.");
    Some(fix.label(span, "expected a path in quotes"))
}

/// The parts of a type between its arrows, outside of brackets.
fn between_arrows(site: &Site<'_>, from: usize, to: usize) -> Vec<String> {
    let open = site.open_bracket(from);
    let arrows: Vec<usize> = (from..to).filter(|i| site.is_sym(*i, "->") && site.open_bracket(*i) == open).collect();
    let mut starts = vec![from];
    starts.extend(arrows.iter().map(|i| i + 1));
    let ends = arrows.into_iter().chain([to]);
    let text = |(start, end): (usize, usize)| {
        let (start, end) = (site.span(start).start as usize, site.span(end.saturating_sub(1)).end as usize);
        of_haskell(site.text.get(start..end).unwrap_or(""))
            .unwrap_or_else(|| site.text.get(start..end).unwrap_or("").to_string())
    };
    starts.into_iter().zip(ends).map(text).collect()
}

/// A type in Haskell's words.
fn of_haskell(ty: &str) -> Option<String> {
    let elem = ty.strip_prefix('[').and_then(|t| t.strip_suffix(']')).map(str::trim);
    if let Some(elem) = elem.filter(|t| !t.is_empty() && !t.contains(']')) {
        return Some(format!("[]{}", of_haskell(elem).unwrap_or_else(|| elem.to_string())));
    }
    let other = match ty {
        "Int" | "Integer" | "Int64" => "i64",
        "Int32" => "i32",
        "Double" => "f64",
        "Float" => "f32",
        "Bool" => "bool",
        "String" => "[]u8",
        _ => return None,
    };
    Some(other.to_string())
}

/// `main :: i32 -> i32`, and below it `main x = x`.
fn signature(site: &Site<'_>) -> Option<Fix> {
    let Some(Token::Ident(name)) = site.token(0) else { return None };
    if !(site.is_sym(1, ":") && site.is_sym(2, ":")) {
        return None;
    }
    let next = (3..site.tokens.len()).find(|i| site.begins_line(*i) && site.is_ident(*i, &[name]));
    let end = next.unwrap_or(site.tokens.len());
    let types = between_arrows(site, 3, end);
    let equals = (end..site.tokens.len()).find(|i| site.is_sym(*i, "="));
    let names: Vec<String> = match (next, equals) {
        (Some(next), Some(equals)) => (next + 1..equals)
            .map(|i| site.text[site.span(i).start as usize..site.span(i).end as usize].to_string())
            .collect(),
        _ => (1..types.len()).map(|i| format!("x{i}")).collect(),
    };
    if names.len() >= types.len() || names.iter().any(|n| !n.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
    {
        return None;
    }
    let params: String = names.iter().zip(&types).map(|(x, t)| format!(" ({x}: {t})")).collect();
    let result = types[names.len()..].join(" -> ");
    let body = if equals.is_some() { "=" } else { "= ???" };
    let new = format!("def {name}{params} : {result} {body}");
    let span = site.span(0).to(site.span(equals.unwrap_or(end - 1)));
    let fix = Fix::new(vec![(span, new)]).message("The types of a definition stand in the definition.");
    Some(fix.label(site.span(1).to(site.span(2)), "there are no signatures by themselves"))
}

/// `def f :: i32 -> i32 = ..`: one colon.
fn signature_of_definition(site: &Site<'_>) -> Option<Fix> {
    let i = (1..=site.at).rev().find(|i| site.is_sym(*i, ":") && site.is_sym(i + 1, ":"))?;
    let span = site.span(i).to(site.span(i + 1));
    let fix = Fix::new(vec![(span, ":".to_string())]).message("One colon stands before a type.");
    Some(fix.label(span, "expected `:`"))
}

/// `fun f x = ..`, `fn`, `const`: another language's word for `def`.
fn other_word(site: &Site<'_>) -> Vec<Fix> {
    let words = ["fun", "fn", "func", "function", "define", "defn", "const", "var", "static", "final", "auto", "proc"];
    if !site.is_ident(0, &words) || !matches!(site.token(1), Some(Token::Ident(_))) {
        return vec![];
    }
    let fix = |edits| Fix::new(edits).message(BEGINS).label(site.span(0), "write `def` here");
    let def = (site.span(0), "def".to_string());
    let mut fixes = vec![];
    // `fn f(x: i32) -> i32 { x }`
    let open = (0..site.tokens.len()).find(|i| site.is_sym(*i, "{") && site.open_bracket(*i).is_none());
    if let Some(open) = open
        && let Some(close) = Some(site.close_bracket(open + 1)).filter(|i| *i < site.tokens.len())
    {
        let mut edits = vec![
            def.clone(),
            (site.span(open), "=".to_string()),
            (site.behind(close).to(site.span(close)), String::new()),
        ];
        let arrow = (0..open).find(|i| site.is_sym(*i, "->") && site.open_bracket(*i).is_none());
        edits.extend(arrow.map(|i| (site.span(i), ":".to_string())));
        fixes.push(fix(edits));
    }
    fixes.push(fix(vec![def]));
    fixes
}

/// `f x = ..`
fn no_word(site: &Site<'_>) -> Option<Fix> {
    if !matches!(site.token(0), Some(Token::Ident(_))) {
        return None;
    }
    let fix = Fix::new(vec![(site.before(0), "def ".to_string())]).message(BEGINS);
    Some(fix.label(site.span(0), "`def` is missing before this"))
}

/// The colon outside of brackets behind which no type stands.
fn header_colon(site: &Site<'_>) -> Option<usize> {
    let end = (0..site.tokens.len()).find(|i| site.is_sym(*i, "=") && site.open_bracket(*i).is_none());
    let mut colons = (1..end.unwrap_or(site.tokens.len())).rev();
    colons.find(|i| {
        site.is_sym(*i, ":")
            && site.open_bracket(*i).is_none()
            && (site.begins_line(i + 1) || site.is_ident(i + 1, &["return"]))
    })
}

/// `def f(x):` and `return x`
fn python(site: &Site<'_>) -> Vec<Fix> {
    let Some(colon) = header_colon(site) else { return vec![] };
    let mut edits = vec![(site.span(colon), " =".to_string())];
    // `-> t:`
    let arrow = (1..colon).find(|i| site.is_sym(*i, "->") && site.open_bracket(*i).is_none());
    edits.extend(arrow.map(|i| (site.span(i), ":".to_string())));
    let returns = (colon + 1..site.tokens.len()).find(|i| site.is_ident(*i, &["return"]));
    let fix = |edits| {
        let fix = Fix::new(edits).message("What a definition means stands behind `=`.");
        fix.label(site.span(colon), "expected `=`")
    };
    let Some(i) = returns else { return vec![fix(edits)] };
    let gap = Span { end: site.span(i + 1).start, ..site.span(i) };
    // names that get values before it
    let lines: Vec<usize> = (colon + 1..i)
        .filter(|j| site.begins_line(*j) && matches!(site.token(*j), Some(Token::Ident(_))) && site.is_sym(j + 1, "="))
        .collect();
    let in_ = if lines.is_empty() { "" } else { "in " };
    edits.push((gap, in_.to_string()));
    edits.extend(lines.into_iter().map(|j| (site.before(j), "let ".to_string())));
    vec![fix(edits)]
}

/// `def f (x: i32) -> i32 = ..`
fn result_arrow(site: &Site<'_>) -> Option<Fix> {
    if !site.is_sym(site.at, "->") || site.open_bracket(site.at).is_some() {
        return None;
    }
    let fix = Fix::new(vec![(site.span(site.at), ":".to_string())]).message("The type of a result stands behind `:`.");
    Some(fix.label(site.span(site.at), "expected `:`"))
}

/// `def f (x: i32) = { let y = x; y }`, or without the `=`
fn braces(site: &Site<'_>) -> Option<Fix> {
    let open = (1..site.tokens.len()).find(|i| site.is_sym(*i, "{") && site.open_bracket(*i).is_none())?;
    let close = Some(site.close_bracket(open + 1)).filter(|i| *i + 1 == site.tokens.len())?;
    let equals = if site.is_sym(open - 1, "=") { "" } else { "= " };
    let gap = Span { end: site.span(open + 1).start, ..site.span(open) };
    let mut edits = vec![(gap, equals.to_string()), (site.behind(close).to(site.span(close)), String::new())];
    let arrow = (0..open).find(|i| site.is_sym(*i, "->") && site.open_bracket(*i).is_none());
    edits.extend(arrow.map(|i| (site.span(i), ":".to_string())));
    if let Some(i) = (open..close).find(|i| site.is_ident(*i, &["return"])) {
        edits.push((Span { end: site.span(i + 1).start, ..site.span(i) }, String::new()));
    }
    if let Some(i) = (open..close).rev().find(|i| site.is_sym(*i, ";")) {
        edits.push((site.span(i), String::new()));
    }
    // what begins the body is in the first gap
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    edits.dedup_by(|b, a| b.0.start < a.0.end);
    let fix = Fix::new(edits).message("What a definition means stands behind `=`, without braces.");
    Some(fix.label(site.span(open), "no brace here"))
}

/// `def f x`, and below it what it means.
fn no_equals(site: &Site<'_>) -> Vec<Fix> {
    if !site.expected.contains("`=`") {
        return vec![];
    }
    let lines = (2..=site.at.min(site.tokens.len())).filter(|i| site.begins_line(*i)).take(2);
    let places = lines.chain([site.at]);
    let fix = |place| {
        let at = site.behind(place);
        let fix: Fix = Fix::new(vec![(at, " =".to_string())]).message("The definition has no `=`.");
        fix.label(at, "`=` is missing here")
    };
    places.map(fix).collect()
}
