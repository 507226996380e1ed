//! What can stand where a name begins: completion.

use super::Session;
use crate::syntax::token::Keyword;
use crate::types::env::{Meaning, Module, Scope, Value};
use crate::types::ty::Type;

/// A name that fits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Candidate {
    /// The name, with all that stands before it behind a dot.
    pub name: String,
    /// What it is: its type behind a colon, or its kind.
    pub about: String,
}

impl Session {
    /// The names that go on with what stands at the end of a text, and where that begins: of values, types, modules and keywords; behind a dot the names of
    /// a module, or the fields of a record.
    pub fn candidates(&self, text: &str) -> (usize, Vec<Candidate>) {
        let of_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'');
        let start = text.char_indices().rev().take_while(|(_, c)| of_path(*c)).last().map_or(text.len(), |(i, _)| i);
        let path = &text[start..];
        let mut found = match path.rsplit_once('.') {
            None if path.is_empty() => Vec::new(),
            None => {
                let keywords = Keyword::ALL.iter().map(|k| (k.text().to_string(), "keyword".to_string()));
                self.names_of(&self.env.scope).chain(keywords).collect()
            }
            Some((before, _)) => {
                let found = self.members(before);
                found.into_iter().map(|(name, about)| (format!("{before}.{name}"), about)).collect()
            }
        };
        found.retain(|(name, _)| name.starts_with(path));
        found.sort();
        (start, found.into_iter().map(|(name, about)| Candidate { name, about }).collect())
    }

    /// What can stand behind a dot.
    fn members(&self, path: &str) -> Vec<(String, String)> {
        let mut names = path.split('.');
        let mut scope = &self.env.scope;
        let mut ty = None;
        for name in names.by_ref() {
            match (scope.modules.get(name).map(|m| &**m), scope.values.get(name)) {
                (Some(Module::Plain(inner)), _) => scope = inner,
                (None, Some(Value::Bound(_, scheme))) => {
                    ty = Some(&scheme.ty);
                    break;
                }
                _ => return Vec::new(),
            }
        }
        for name in names {
            let Some(Type::Record(fields)) = ty else { return Vec::new() };
            ty = fields.iter().find(|(field, _)| **field == *name).map(|(_, ty)| ty);
        }
        match ty {
            None => self.names_of(scope).collect(),
            Some(Type::Record(fields)) => {
                fields.iter().map(|(field, ty)| (field.to_string(), format!(": {ty}"))).collect()
            }
            Some(_) => Vec::new(),
        }
    }

    /// The names in a scope, but operators.
    fn names_of<'a>(&'a self, scope: &'a Scope) -> impl Iterator<Item = (String, String)> + 'a {
        let about = |meaning| match meaning {
            Meaning::Type(_) => "type".to_string(),
            Meaning::Module(_) => "module".to_string(),
            Meaning::Value(value) => value.scheme().map_or(String::new(), |scheme| format!(": {scheme}")),
        };
        let all = scope.in_order().into_iter().map(move |(name, meaning)| (name.to_string(), about(meaning)));
        let signatures = scope.sigs.keys().map(|name| (name.to_string(), "module type".to_string()));
        all.chain(signatures).filter(|(name, _)| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
    }
}
