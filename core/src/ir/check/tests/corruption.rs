//! Programs corrupted mechanically, one place at a time. What the checker says of each is counted, line by line, in a snapshot: a check that gets weaker or
//! stricter shows as a line of its diff. What it accepts has been read: those corruptions are other well-formed programs.

use super::*;
use crate::hash::HashSet;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

const CONSUMING: &str = include_str!("consuming.ir");

/// A word, number or string, or a single other character, where it stands.
#[derive(Clone, Debug)]
struct Token<'a> {
    text: &'a str,
    range: Range<usize>,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut at = 0;
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '.');
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let negative = rest.strip_prefix('-').is_some_and(|r| r.starts_with(is_word));
        let length = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |n| n + 2),
            '-' if rest.starts_with("->") => 2,
            _ if is_word(first) || negative => 1 + rest[1..].find(|c| !is_word(c)).unwrap_or(rest.len() - 1),
            _ => first.len_utf8(),
        };
        if !first.is_whitespace() {
            out.push(Token { text: &rest[..length], range: at..at + length });
        }
        at += length;
    }
    out
}

impl Token<'_> {
    fn number(&self) -> Option<u32> {
        self.text.rsplit_once('_')?.1.parse().ok()
    }
    fn is_scalar_type(&self) -> bool {
        ScalarType::ALL.iter().any(|t| t.to_string() == self.text)
    }
    fn is_constant(&self) -> bool {
        let digits = self.text.trim_start_matches('-');
        digits.starts_with(|c: char| c.is_ascii_digit()) || ["true", "false"].contains(&self.text)
    }
    /// Something that may stand alone between commas.
    fn is_operand(&self) -> bool {
        self.number().is_some() || self.is_constant() || self.is_scalar_type()
    }
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// An edit: what to put in place of a part of the text.
type Edit = (Range<usize>, String);

struct Corruptions<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    /// Where each variable is bound, as which token, and the text of its type.
    binders: Vec<(u32, usize, String)>,
    edits: Vec<Edit>,
}

impl<'a> Corruptions<'a> {
    fn of(text: &'a str) -> Vec<Edit> {
        let tokens = tokens(text);
        let mut this = Corruptions { text, tokens, binders: Vec::new(), edits: Vec::new() };
        for i in 0..this.tokens.len() {
            if let Some(number) = this.tokens[i].number().filter(|_| this.is(i + 1, ":")) {
                this.binders.push((number, i, this.type_text(i + 2)));
            }
        }
        for i in 0..this.tokens.len() {
            this.token(i);
        }
        this.statements();
        this.edits
    }

    fn is(&self, i: usize, text: &str) -> bool {
        self.tokens.get(i).is_some_and(|t| t.text == text)
    }

    /// The type that begins here: up to a comma, a closing parenthesis or `=` or `<`, not counting what is inside of parentheses.
    fn type_text(&self, from: usize) -> String {
        let mut depth = 0;
        let goes_on = |t: &&Token| {
            depth += i32::from(t.text == "(") - i32::from(t.text == ")");
            depth > 0 || depth == 0 && ![",", "=", "<", "irregular"].contains(&t.text)
        };
        let to = from + self.tokens[from..].iter().take_while(goes_on).count();
        self.tokens[from..to].iter().map(|t| t.text).collect()
    }

    fn edit(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.edits.push((range, text.into()));
    }

    fn token(&mut self, i: usize) {
        let token = self.tokens[i].clone();
        let (text, range) = (token.text, token.range.clone());
        self.edit(range.clone(), "");
        let (first, last) = (i > 0 && (self.is(i - 1, "(") || self.is(i - 1, ",")), self.is(i + 1, ","));
        if token.is_operand() && !self.is(i + 1, ":") {
            self.edit(range.clone(), format!("{text}, {text}"));
            if last {
                self.edit(range.start..self.tokens[i + 1].range.end, "");
            } else if first && self.is(i - 1, ",") {
                self.edit(self.tokens[i - 1].range.start..range.end, "");
            }
            if let Some(next) = self.tokens.get(i + 2).filter(|t| last && t.is_operand() && t.text != text) {
                let exchanged = format!("{}, {text}", next.text);
                let to = next.range.end;
                self.edit(range.start..to, exchanged);
            }
        }
        if text == "[" && self.is(i + 2, "]") {
            let to = self.tokens[i + 2].range.end;
            let dim = &self.text[range.start..to];
            self.edit(range.start..to, "");
            self.edit(range.start..to, format!("{dim}{dim}"));
        }
        if text == "certs"
            && let Some(end) = self.tokens[i..].iter().find(|t| t.text == ")").map(|t| t.range.end)
        {
            self.edit(range.start..end, "");
        }
        if first && self.is(i + 1, ":") {
            self.edit(range.clone(), format!("*{text}"));
        }
        if token.is_scalar_type() {
            ["f64", "i64", "bool", "cert"].into_iter().filter(|t| *t != text).for_each(|t| self.edit(range.clone(), t));
            self.edit(range.clone(), format!("[2]{text}"));
        } else if token.is_constant() {
            for other in ["0i64", "-1i64", "1.0f64", "true", "2", "-1"].into_iter().filter(|t| *t != text) {
                self.edit(range.clone(), other);
            }
        }
        if token.number().is_some() || token.is_constant() {
            self.others(i);
            self.edit(range.clone(), "1i64");
            self.edit(range, "0.5f64");
        }
    }

    /// Other variables: three of the same type that come before, three of other types, one that comes after.
    fn others(&mut self, i: usize) {
        let token = self.tokens[i].clone();
        let own = token.number();
        let ty = self.binders.iter().find(|(n, ..)| Some(*n) == own).map(|(.., ty)| ty.clone());
        let mut chosen: [Vec<&(u32, usize, String)>; 3] = Default::default();
        for binder in self.binders.iter().filter(|(n, ..)| Some(*n) != own) {
            let kind = if binder.1 > i { 2 } else { usize::from(ty.as_ref() != Some(&binder.2)) };
            chosen[kind].push(binder);
        }
        let mut names = Vec::new();
        for (of_kind, count) in chosen.iter_mut().zip([3, 3, 1]) {
            of_kind.sort_by_key(|b| hash(&format!("{} {i}", b.0)));
            names.extend(of_kind.iter().take(count).map(|b| self.tokens[b.1].text));
        }
        names.into_iter().for_each(|name| self.edits.push((token.range.clone(), name.into())));
    }

    /// Statements left out, repeated with other names, and in another order.
    fn statements(&mut self) {
        // where the statements of each body that is open began
        let mut open: Vec<Vec<usize>> = vec![vec![]];
        for i in 0..self.tokens.len() {
            match self.tokens[i].text {
                "{" => open.push(vec![]),
                "let" => open.iter_mut().rev().take(1).for_each(|o| o.push(i)),
                "in" => {
                    let starts: Vec<usize> = open.last_mut().map(std::mem::take).unwrap_or_default();
                    for (k, from) in starts.iter().enumerate() {
                        let to = starts.get(k + 1).copied().unwrap_or(i);
                        self.statement(*from..to, starts.get(k + 2).copied().unwrap_or(i));
                    }
                }
                "}" => drop(open.pop()),
                _ => {}
            }
        }
    }

    /// The statement of these tokens; the one that follows it ends there.
    fn statement(&mut self, stm: Range<usize>, next: usize) {
        let span = |r: Range<usize>| self.tokens[r.start].range.start..self.tokens[r.end].range.start;
        let (own, both) = (span(stm.clone()), span(stm.start..next));
        let text = &self.text[own.clone()];
        let bound: HashSet<&str> = stm.clone().filter(|i| self.is(i + 1, ":")).map(|i| self.tokens[i].text).collect();
        let mut copy = String::new();
        for token in &self.tokens[stm] {
            let renamed = if bound.contains(token.text) { "000 " } else { " " };
            copy += &format!("{}{renamed}", token.text);
        }
        let following = &self.text[own.end..both.end];
        let mut edits = vec![(own.clone(), String::new()), (own, format!("{text} {copy}"))];
        if !following.is_empty() {
            edits.push((both, format!("{following} {text}")));
        }
        self.edits.extend(edits);
    }
}

/// The functions of a text, each a program, with what it calls and what all have at the end.
fn programs(text: &str) -> Vec<(String, Range<usize>)> {
    let body = text.trim_start_matches("futi-ir 1\n");
    let (funs, tail) = body.split_at(body.find("\nfiles ").unwrap_or(body.len()));
    let funs: Vec<&str> = funs.split("\n\n").map(str::trim).filter(|f| !f.is_empty()).collect();
    let called = |f: &str| {
        let name = f.split("call \"").nth(1).and_then(|f| f.split('"').next());
        name.and_then(|n| funs.iter().find(|f| f.starts_with(&format!("fun \"{n}\"")))).copied().unwrap_or_default()
    };
    let program = |f: &&str| {
        let before = format!("futi-ir 1\n{}\n", called(f));
        let start = before.len();
        (format!("{before}{f}\n{tail}"), start..start + f.len())
    };
    funs.iter().map(program).collect()
}

/// Of what becomes of a line when it is corrupted.
#[derive(Default)]
struct Counts {
    accepted: usize,
    refused: usize,
    errors: BTreeMap<Rule, usize>,
}

/// What the checker says, line by line, of so many corruptions of a function, one in `rarity`.
fn table(text: &str, fun: &Range<usize>, rarity: u64) -> String {
    let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(errors(&program), [], "{text}");
    let mut counts: BTreeMap<usize, Counts> = BTreeMap::new();
    for (i, (range, other)) in Corruptions::of(&text[fun.clone()]).into_iter().enumerate() {
        let range = range.start + fun.start..range.end + fun.start;
        if !hash(&format!("{i} {other}")).is_multiple_of(rarity) {
            continue;
        }
        let corrupted = format!("{}{other}{}", &text[..range.start], &text[range.end..]);
        let Ok(program) = corrupted.parse::<Program>() else { continue };
        let found = errors(&program);
        let counts = counts.entry(text[..range.start].matches('\n').count()).or_default();
        if found.is_empty() {
            counts.accepted += 1;
        } else {
            counts.refused += 1;
        }
        found.iter().for_each(|e| *counts.errors.entry(e.rule).or_default() += 1);
    }
    let mut out = String::new();
    for (line, Counts { accepted, refused, errors }) in counts {
        let rules: Vec<String> = errors.iter().map(|(rule, n)| format!("{rule:?} {n}")).collect();
        let source = text.lines().nth(line).unwrap_or_default().trim();
        let _ = writeln!(out, "{source}\n    {accepted} accepted, {refused} refused: {}", rules.join(", "));
    }
    out
}

/// The table of one function of a text.
fn table_of(text: &str, name: &str, rarity: u64) -> String {
    let named = |(text, fun): &&(String, Range<usize>)| text[fun.clone()].split('"').nth(1) == Some(name);
    let programs = programs(text);
    let (text, fun) = programs.iter().find(named).unwrap_or_else(|| panic!("no function {name}"));
    table(text, fun, rarity)
}

macro_rules! tables {
    ($($test:ident: $text:ident $fun:literal, 1 in $rarity:literal;)*) => {
        $(#[test] fn $test() { insta::assert_snapshot!(table_of($text, $fun, $rarity)); })*
    };
}

tables! {
    checks_and_calls: EVERY_NODE "pick.f64", 1 in 1;
    basic_nodes: EVERY_NODE "main", 1 in 7;
    views: EVERY_NODE "views", 1 in 2;
    soacs: EVERY_NODE "soacs", 1 in 9;
    parallel_nests: EVERY_NODE "kernels", 1 in 3;
    unique_parameters: CONSUMING "swap", 1 in 1;
    consuming_calls: CONSUMING "calls", 1 in 1;
    consuming_loops: CONSUMING "loops", 1 in 2;
    consuming_branches: CONSUMING "branches", 1 in 1;
    consumed_rows: CONSUMING "rows", 1 in 1;
    destinations: CONSUMING "destinations", 1 in 2;
    streams: CONSUMING "streams", 1 in 1;
    flatmaps: CONSUMING "chunks", 1 in 1;
    accumulator_parameters: CONSUMING "accumulate", 1 in 1;
    accumulators: CONSUMING "accumulators", 1 in 4;
    derivatives: CONSUMING "derivatives", 1 in 1;
    consuming_nests: CONSUMING "kernels", 1 in 1;
}
