//! Values that the source marks `#[trace]` are shown while the program runs, see `futi_core::lower`.

use super::Machine;
use super::val::Val;
use futi_core::ir::Attr;
use futi_core::value::{Value, text::bare};

/// What is shown at a statement: a part of a value.
#[derive(Debug)]
pub(crate) struct Part {
    /// The text of the whole value, with `%` for each part.
    pub text: String,
    /// How many parts follow.
    pub left: usize,
}

impl Part {
    /// What the attributes of a statement say.
    pub fn of(attrs: &[Attr]) -> Option<Part> {
        attrs.iter().find_map(|attr| {
            let text = attr.name.as_str().strip_prefix("trace ")?.to_string();
            Some(Part { text, left: usize::try_from(attr.arg?).ok()? })
        })
    }
}

impl Machine<'_> {
    /// Notes a part of a value, and shows the value when it is the last one.
    pub fn show(&mut self, part: &Part, value: &Val) {
        let Some(show) = self.ctx.show else { return };
        self.shown.push(value.plain().clone().into_value().map_or("?".to_string(), |v| text(&v)));
        if part.left == 0 {
            let mut parts = std::mem::take(&mut self.shown).into_iter();
            show(&filled(&part.text, &mut parts));
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
