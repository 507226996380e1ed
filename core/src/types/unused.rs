//! Names that nothing refers to.
//!
//! As in Futhark, these are names of values: parameters, names of patterns and `let`, counters of loops, local functions. A size parameter may be there for
//! the reader. A definition that others can see is never reported; one that is `local` is, in the
//! file that is checked, not in those that it imports (Futhark reports none of these).

#[cfg(test)]
mod tests;

use super::ty::Id;
use crate::diag::{Code, Diagnostic};
use crate::hash::HashSet;
use crate::source::{SourceMap, Span};
use std::collections::BTreeMap;

/// The names that a check has bound, and those that something has referred to.
#[derive(Default)]
pub(super) struct Names {
    bound: Vec<(Id, Span)>,
    used: HashSet<u32>,
}

impl Names {
    /// A name is bound here.
    pub fn bind(&mut self, id: &Id, span: Span) {
        self.bound.push((id.clone(), span));
    }

    /// Something refers to a name.
    pub fn refer(&mut self, id: &Id) {
        self.used.insert(id.num);
    }

    /// Whether something refers to a name.
    pub fn is_used(&self, id: &Id) -> bool {
        self.used.contains(&id.num)
    }

    /// A warning for each name of which there is no use, in the order of their places. None are of the prelude or of packages.
    ///
    /// What stands once in the source may be checked more than once, as the body of a module with a parameter: it is used if it is used in any check.
    pub fn unused(&self, sources: &SourceMap) -> Vec<Diagnostic> {
        let mut places: BTreeMap<Span, (&Id, bool)> = BTreeMap::new();
        for (id, span) in &self.bound {
            places.entry(*span).or_insert((id, false)).1 |= self.used.contains(&id.num);
        }
        let reported = |(span, (id, used)): &(Span, (&Id, bool))| {
            !used && !id.name.starts_with('_') && !sources.of_prelude(*span) && !of_package(sources, *span)
        };
        let warning = |(span, (id, _)): (Span, (&Id, bool))| {
            let message = format!("Unused name \"{}\".", id.name);
            let note = format!("If it is there on purpose, call it \"_{}\".", id.name);
            Diagnostic::warning(Code::UnusedName, span, message).note(note)
        };
        places.into_iter().filter(reported).map(warning).collect()
    }
}

/// Is this a place in a package? Packages are in a folder `lib`.
fn of_package(sources: &SourceMap, span: Span) -> bool {
    let path = sources.get(span.file).map_or("", |f| &f.path);
    path.rsplit_once('/').is_some_and(|(folders, _)| folders.split('/').any(|folder| folder == "lib"))
}
