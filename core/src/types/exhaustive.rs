//! Whether patterns cover all values of a type, after Maranget, "Warnings for pattern matching" (2007): the matrix of patterns is specialised by each
//! constructor that stands in its first column, and by one that does not.

use super::ty::*;
use super::typed::{Literal, Pat, PatKind};
use crate::budget::Budget;
use crate::hash::HashMap;
use crate::source::Span;

/// A value, in the syntax of patterns, that none of the patterns, which stand there, fits. How many cases there are to look at may double with each column: they
/// are taken from the budget.
pub(super) fn unmatched(ty: &Type, pats: &[&Pat], mut taken: Taken) -> Option<String> {
    let rows = pats.iter().map(|p| vec![Some(*p)]).collect();
    useful(rows, std::slice::from_ref(ty), &mut taken).map(|values| values.into_iter().map(|v| v.to_string()).collect())
}

/// The budget, and for what it is taken from.
type Taken<'a> = (&'a mut Budget, Span);

/// A row of patterns; `None` fits everything.
type Row<'a> = Vec<Option<&'a Pat>>;

/// A value that is missing.
enum Missing {
    Any,
    /// A literal that is none of these.
    Other(String),
    Record(Vec<Name>, Vec<Missing>),
    Constr(Name, Vec<Missing>),
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Missing::Any => f.write_str("_"),
            Missing::Other(text) => f.write_str(text),
            Missing::Record(names, values) => {
                let is_tuple = names.iter().enumerate().all(|(i, n)| **n == *label(i));
                let shown: Vec<String> = (names.iter().zip(values))
                    .map(|(name, v)| if is_tuple { v.to_string() } else { format!("{name} = {v}") })
                    .collect();
                if is_tuple { write!(f, "({})", shown.join(", ")) } else { write!(f, "{{{}}}", shown.join(", ")) }
            }
            Missing::Constr(name, values) => {
                write!(f, "#{name}")?;
                values.iter().try_for_each(|v| match v {
                    Missing::Constr(_, inner) if !inner.is_empty() => write!(f, " ({v})"),
                    v => write!(f, " {v}"),
                })
            }
        }
    }
}

/// Values, one for each column, that no row fits.
fn useful(rows: Vec<Row>, types: &[Type], taken: &mut Taken) -> Option<Vec<Missing>> {
    let nodes = 1 + rows.len() as u64;
    taken.0.take(nodes, "the cases that its patterns tell apart", taken.1);
    stacker::maybe_grow(64 << 10, 1 << 20, || useful_here(rows, types, taken))
}

fn useful_here(rows: Vec<Row>, types: &[Type], taken: &mut Taken) -> Option<Vec<Missing>> {
    let Some((first, rest)) = types.split_first() else {
        return rows.is_empty().then(Vec::new);
    };
    let heads = || rows.iter().filter_map(|row| row[0]);
    match first {
        Type::Record(fields) if heads().any(|p| matches!(p.kind, PatKind::Record(_))) => {
            let mut specialised = vec![];
            for row in &rows {
                let mut new: Row = match row[0].map(|p| &p.kind) {
                    Some(PatKind::Record(pats)) => {
                        fields.iter().map(|(name, _)| pats.iter().find(|p| p.0 == *name).map(|p| &p.1)).collect()
                    }
                    _ => vec![None; fields.len()],
                };
                new.extend(&row[1..]);
                specialised.push(new);
            }
            let columns: Vec<Type> = fields.iter().map(|(_, t)| t).chain(rest).cloned().collect();
            let mut found = useful(specialised, &columns, taken)?;
            let others = found.split_off(fields.len());
            let names = fields.iter().map(|(name, _)| name.clone()).collect();
            Some(std::iter::once(Missing::Record(names, found)).chain(others).collect())
        }
        Type::Sum(constructors) if heads().any(|p| matches!(p.kind, PatKind::Constr(..))) => {
            constructors.iter().find_map(|(name, types)| {
                let mut specialised = vec![];
                for row in &rows {
                    let mut new: Row = match row[0].map(|p| &p.kind) {
                        Some(PatKind::Constr(c, pats)) if c == name => pats.iter().map(Some).collect(),
                        Some(PatKind::Constr(..)) => continue,
                        _ => vec![None; types.len()],
                    };
                    new.extend(&row[1..]);
                    specialised.push(new);
                }
                let columns: Vec<Type> = types.iter().chain(rest).cloned().collect();
                let mut found = useful(specialised, &columns, taken)?;
                let others = found.split_off(types.len());
                Some(std::iter::once(Missing::Constr(name.clone(), found)).chain(others).collect())
            })
        }
        _ => {
            // the rows that fit everything, and the others by their literal, in the order in which the literals come up
            let mut others: Vec<Row> = vec![];
            let mut by_literal: Vec<(Literal, Vec<Row>)> = vec![];
            let mut places: HashMap<LiteralKey, usize> = HashMap::default();
            for row in &rows {
                let rest = row[1..].to_vec();
                let Some(Pat { kind: PatKind::Lit(value), .. }) = row[0] else {
                    others.push(rest);
                    continue;
                };
                let place = *places.entry(key(*value)).or_insert(by_literal.len());
                if place == by_literal.len() {
                    by_literal.push((*value, vec![]));
                }
                by_literal[place].1.push(rest);
            }
            // What the others leave out is a value for each literal that does not cover it; where they leave out nothing, no literal matters.
            let left = useful(others.clone(), rest, taken)?;
            // Each value that stands there, and one that does not, if there is one.
            // mutant swap: both are looked for
            let whole = [true, false].iter().all(|b| places.contains_key(&key(Literal::Bool(*b))));
            let first = by_literal.first().map(|(value, _)| *value);
            for (value, mut rows) in by_literal {
                rows.extend(others.iter().cloned());
                if let Some(found) = useful(rows, rest, taken) {
                    return Some(std::iter::once(Missing::Other(shown(value))).chain(found).collect());
                }
            }
            if whole {
                return None;
            }
            let other = match first {
                None => Missing::Any,
                Some(Literal::Bool(b)) => Missing::Other((!b).to_string()),
                Some(_) => Missing::Any,
            };
            Some(std::iter::once(other).chain(left).collect())
        }
    }
}

/// A literal to look things up by: floats by their bits, but for zeros, which are equal.
#[derive(PartialEq, Eq, Hash)]
enum LiteralKey {
    Int(i128),
    Float(u64),
    Bool(bool),
}

fn key(value: Literal) -> LiteralKey {
    match value {
        Literal::Int(n) => LiteralKey::Int(n),
        Literal::Float(x) => LiteralKey::Float((x + 0.0).to_bits()),
        Literal::Bool(b) => LiteralKey::Bool(b),
    }
}

fn shown(value: Literal) -> String {
    match value {
        Literal::Int(n) => n.to_string(),
        Literal::Float(x) => format!("{x:?}"),
        Literal::Bool(b) => b.to_string(),
    }
}
