//! Values that the source marks `#[trace]` are shown while the program runs, and those at a `#[break]` given to whoever runs it: see `futi_core::lower`.

use super::Machine;
use super::val::Val;
use crate::ctx::Stopped;
use futi_core::ir::Attr;
use futi_core::value::{Value, text::bare};

/// What is shown at a statement: a part of a value, or of what there is at a `#[break]`.
#[derive(Debug)]
pub(crate) struct Part {
    pub of: Whole,
    /// How many parts follow.
    pub left: usize,
}

/// What parts are shown of.
#[derive(Debug)]
pub(crate) enum Whole {
    /// The text of a value, with `%` for each part.
    Text(String),
    /// The `#[break]` of this number.
    Stop(usize),
}

impl Part {
    /// What the attributes of a statement say.
    pub fn of(attrs: &[Attr]) -> Option<Part> {
        attrs.iter().find_map(|attr| {
            let of = match attr.name.as_str().split_once(' ')? {
                ("trace", text) => Whole::Text(text.to_string()),
                ("break", number) => Whole::Stop(number.parse().ok()?),
                _ => return None,
            };
            Some(Part { of, left: usize::try_from(attr.arg?).ok()? })
        })
    }
}

impl Machine<'_> {
    /// Notes a part of a value, and shows the value when it is the last one.
    pub fn show(&mut self, part: &Part, value: &Val) {
        let value = || value.plain().clone().into_value();
        match (&part.of, self.ctx.show, &self.ctx.stop) {
            (Whole::Text(template), Some(show), _) => {
                self.shown.push(value().map_or("?".to_string(), |v| text(&v)));
                if part.left == 0 {
                    let mut parts = std::mem::take(&mut self.shown).into_iter();
                    show(&filled(template, &mut parts));
                }
            }
            (Whole::Stop(number), _, Some(stop)) => {
                self.given.extend(value());
                if part.left == 0 {
                    stop(Stopped::Break(*number, std::mem::take(&mut self.given)));
                }
            }
            _ => {}
        }
    }
}

/// The text with parts for its `%`.
fn filled(template: &str, parts: &mut impl Iterator<Item = String>) -> String {
    let mut out = String::new();
    let mut chars = template.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '%' if chars.next_if_eq(&'%').is_some() => out.push('%'),
            '%' => out.push_str(&parts.next().unwrap_or_default()),
            c => out.push(c),
        }
    }
    out
}

/// As Futhark shows values: without the types of numbers.
fn text(value: &Value) -> String {
    fn rows(elements: &mut dyn Iterator<Item = String>, shape: &[usize]) -> String {
        let [n, inner @ ..] = shape else { return elements.next().unwrap_or_default() };
        let rows: Vec<String> = (0..*n).map(|_| rows(elements, inner)).collect();
        format!("[{}]", rows.join(", "))
    }
    rows(&mut value.elements().map(bare), value.shape())
}
