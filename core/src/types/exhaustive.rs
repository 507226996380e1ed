//! Whether patterns cover all values of a type, after Maranget, "Warnings for pattern matching" (2007): the matrix of patterns is specialised by each
//! constructor that stands in its first column, and by one that does not.

use super::ty::*;
use super::typed::{Literal, Pat, PatKind};

/// A value, in the syntax of patterns, that none of the patterns fits.
pub(super) fn unmatched(ty: &Type, pats: &[&Pat]) -> Option<String> {
    let rows = pats.iter().map(|p| vec![Some(*p)]).collect();
    useful(rows, std::slice::from_ref(ty)).map(|values| values.into_iter().map(|v| v.to_string()).collect())
}

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
fn useful(rows: Vec<Row>, types: &[Type]) -> Option<Vec<Missing>> {
    stacker::maybe_grow(64 << 10, 1 << 20, || useful_here(rows, types))
}

fn useful_here(rows: Vec<Row>, types: &[Type]) -> Option<Vec<Missing>> {
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
            let mut found = useful(specialised, &columns)?;
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
                let mut found = useful(specialised, &columns)?;
                let others = found.split_off(types.len());
                Some(std::iter::once(Missing::Constr(name.clone(), found)).chain(others).collect())
            })
        }
        _ => {
            let literals: Vec<Literal> = heads()
                .filter_map(|p| match p.kind {
                    PatKind::Lit(value) => Some(value),
                    _ => None,
                })
                .collect();
            let with = |value: Option<Literal>| -> Vec<Row> {
                let fits = |row: &&Row| match row[0].map(|p| &p.kind) {
                    Some(PatKind::Lit(v)) => Some(*v) == value,
                    _ => true,
                };
                rows.iter().filter(fits).map(|row| row[1..].to_vec()).collect()
            };
            // Each value that stands there, and one that does not, if there is one.
            // mutant swap: both are looked for
            let whole = [true, false].iter().all(|b| literals.contains(&Literal::Bool(*b)));
            let mut tried: Vec<Literal> = vec![];
            for value in &literals {
                if tried.contains(value) {
                    continue;
                }
                // mutant: a value that stands in several patterns is tried once for each, with the same answer
                tried.push(*value);
                if let Some(found) = useful(with(Some(*value)), rest) {
                    return Some(std::iter::once(Missing::Other(shown(*value))).chain(found).collect());
                }
            }
            if whole {
                return None;
            }
            // mutant: of booleans that are not all there stand equal ones only
            let other = match literals.first() {
                None => Missing::Any,
                Some(Literal::Bool(b)) => Missing::Other((!b).to_string()),
                Some(_) => Missing::Any,
            };
            useful(with(None), rest).map(|found| std::iter::once(other).chain(found).collect())
        }
    }
}

fn shown(value: Literal) -> String {
    match value {
        Literal::Int(n) => n.to_string(),
        Literal::Float(x) => format!("{x:?}"),
        Literal::Bool(b) => b.to_string(),
    }
}
