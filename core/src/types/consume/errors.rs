//! What is said about wrong programs. The words are those of Futhark, which its users' tests look for.

use super::Consume;
use super::aliases::Aliases;
use super::places::{Owner, Set};
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use crate::types::hint::is_atom;
use crate::types::ty::Type;
use crate::types::typed::Expr;

const COPY: &str = "use \"copy\" to break the aliasing";

impl Consume<'_> {
    /// The error with the copy that is to be taken of what stands at a place.
    fn copied(&self, d: Diagnostic, span: Span) -> Diagnostic {
        let text = self.sources.text(span);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let copy = match words.split_once(" with ") {
            // what is updated is copied, not what comes of it
            Some((array, rest)) if is_atom(array) => format!("copy {array} with {rest}"),
            _ if is_atom(&words) => format!("copy {words}"),
            _ => format!("copy ({words})"),
        };
        if words.is_empty() || words.chars().count() > 100 {
            return d.hint(format!("{COPY}."));
        }
        let before = self.sources.get(span.file).map_or("", |file| file.text[..span.start as usize].trim_end());
        let word = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
        let is_argument = before.ends_with([')', ']', '}']) || !matches!(word, "" | "in" | "then" | "else" | "do");
        let copy = if is_argument { format!("({copy})") } else { copy };
        d.hint(format!("{COPY}: write `{copy}`.")).edit(span, copy)
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// `"xs"`, or what stands for it.
    fn quoted(&self, place: Set) -> String {
        self.called(place).map_or("a value without a name".to_string(), |name| format!("\"{name}\""))
    }

    pub(super) fn used_after(&mut self, place: Set, span: Span, at: Span) {
        let what = self.called(place).map_or("a value".to_string(), |name| format!("variable \"{name}\""));
        let place_text = self.sources.locate(at);
        let message = format!("Using {what}, but this was consumed at {place_text}. (Possibly through aliases.)");
        self.error(self.copied(
            Diagnostic::error(Code::UseAfterConsume, span, message).here("used here").label(at, "consumed here"),
            at,
        ));
        // once is enough
        self.places.forgive(place);
    }

    pub(super) fn not_consumable(&mut self, place: Set, span: Span) {
        let name = self.quoted(place);
        let message = format!("Would consume {name}, which is not consumable.");
        let why = match self.places.owner(place) {
            Owner::Caller => "It is a parameter, or an alias of one, that is not marked with \"*\".",
            Owner::Global => "It is defined at the top level.",
            Owner::Own => "It is from outside of the function or loop, which may run any number of times.",
        };
        let d = Diagnostic::error(Code::NotConsumable, span, message).here("consumed here").note(why);
        self.error(self.copied(d, span));
    }

    /// The marked parts of a result are aliases of nothing that is used later.
    pub(super) fn returned(&mut self, sets: &[Set], marked: &[bool], span: Span) {
        for (set, marked) in sets.iter().zip(marked) {
            let theirs = self.places.places(*set).into_iter().find(|place| !self.consumable(*place));
            if let (true, Some(place)) = (*marked, theirs) {
                let name = self.quoted(place);
                let message = format!("Unique-typed return value is aliased to {name}, which is not consumable.");
                self.error(self.copied(Diagnostic::error(Code::ReturnAliased, span, message), span));
                return;
            }
        }
        if self.shared(sets, marked).is_some() {
            let message = "A unique-typed component of the return value is aliased to some other component.";
            self.error(self.copied(Diagnostic::error(Code::UniqueReturnAliased, span, message), span));
        }
    }

    pub(super) fn unique_constant(&mut self, span: Span) {
        let message = "A top-level constant cannot have a unique type.";
        self.error(Diagnostic::error(Code::UniqueConstant, span, message));
    }

    /// No array in the result of a function is an alias of what is defined at the top level. (Within a functor 0.25.32 sees abstract types, of which it says
    /// nothing; so nothing is said where one is applied.)
    pub(super) fn no_globals(&mut self, ty: &Type, result: &Aliases, span: Span) {
        if self.in_functor {
            return;
        }
        let sets = result.arrays(ty);
        let places = sets.iter().flat_map(|set| self.places.places(*set)).collect::<Vec<_>>();
        if let Some(place) = places.into_iter().find(|place| self.places.owner(*place) == Owner::Global) {
            let message = format!("Function result aliases the free variable {}.", self.quoted(place));
            self.error(self.copied(Diagnostic::error(Code::AliasesFreeVariable, span, message), span));
        }
    }

    pub(super) fn holds_consumption(&mut self, e: &Expr) {
        let message =
            format!("Let-bound expression of higher-order type {} contains consumption, which is not allowed.", e.ty);
        let note = "Each call of the function would consume the same value again.";
        self.error(Diagnostic::error(Code::ContainsConsumption, e.span, message).note(note));
    }

    pub(super) fn consuming_argument(&mut self, e: &Expr) {
        let message = format!("Argument of functional type {} contains consumption, which is not allowed.", e.ty);
        let note = "Each call of the function would consume the same value again.";
        self.error(Diagnostic::error(Code::ConsumingArgument, e.span, message).note(note));
    }

    pub(super) fn consuming_pipe(&mut self, f: &Expr) {
        let message = format!("A function that consumes its argument cannot be piped into: it has type {}.", f.ty);
        let d = Diagnostic::error(Code::ConsumingArgument, f.span, message);
        self.error(
            d.note("The pipes are functions that take any function that does not consume. Apply the function instead."),
        );
    }

    pub(super) fn self_aliased(&mut self, span: Span) {
        let message = "Argument passed for consuming parameter is self-aliased.";
        self.error(self.copied(Diagnostic::error(Code::SelfAliasedArgument, span, message), span));
    }

    pub(super) fn aliased_argument(&mut self, place: Set, span: Span, other: Span) {
        let name = self.quoted(place);
        let message = format!("Argument is consumed, but aliases {name}, which is also aliased by another argument.");
        let d = Diagnostic::error(Code::AliasedArgument, span, message).label(other, "the other argument");
        self.error(self.copied(d, span));
    }

    pub(super) fn aliased_update(&mut self, place: Set, source: Span, value: Span) {
        let name = self.quoted(place);
        let message = format!("Source array for in-place update might alias the update value: both may be in {name}.");
        let d = Diagnostic::error(Code::AliasedUpdate, value, message).label(source, "the source");
        self.error(self.copied(d, value));
    }

    pub(super) fn loop_returns(&mut self, param: Set, place: Set, span: Span) {
        let (param, name) = (self.quoted(param), self.quoted(place));
        let message = format!("Return value for consuming loop parameter {param} aliases {name}.");
        self.error(self.copied(Diagnostic::error(Code::LoopReturnAliased, span, message), span));
    }

    pub(super) fn loop_returns_consumed(&mut self, param: Set, span: Span) {
        let message =
            format!("Return value for loop parameter {} aliases other consumed loop parameter.", self.quoted(param));
        self.error(self.copied(Diagnostic::error(Code::LoopReturnConsumed, span, message), span));
    }

    pub(super) fn loop_returns_twice(&mut self, param: Set, span: Span) {
        let message = format!(
            "Return value for consuming loop parameter {} aliases previously returned value.",
            self.quoted(param)
        );
        self.error(self.copied(Diagnostic::error(Code::LoopReturnTwice, span, message), span));
    }
}
