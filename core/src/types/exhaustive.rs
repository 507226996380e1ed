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
    useful(rows, &mut vec![ty], &mut taken).map(|values| values.into_iter().map(|v| v.to_string()).collect())
}

/// The budget, and for what it is taken from.
type Taken<'a> = (&'a mut Budget, Span);

/// A row of patterns, the first column last; `None` fits everything.
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

/// Values, one for each column, that no row fits. The first column is the last in all of them, so that a column comes and goes without moving the others.
fn useful<'a>(rows: Vec<Row<'a>>, types: &mut Vec<&'a Type>, taken: &mut Taken) -> Option<Vec<Missing>> {
    let nodes = 1 + rows.len() as u64;
    taken.0.take(nodes, "the cases that its patterns tell apart", taken.1);
    stacker::maybe_grow(64 << 10, 1 << 20, || {
        let Some(first) = types.pop() else {
            return rows.is_empty().then(Vec::new);
        };
        let found = useful_here(rows, first, types, taken);
        types.push(first);
        found
    })
}

fn useful_here<'a>(
    rows: Vec<Row<'a>>,
    first: &'a Type,
    types: &mut Vec<&'a Type>,
    taken: &mut Taken,
) -> Option<Vec<Missing>> {
    let heads = || rows.iter().filter_map(|row| *row.last()?);
    match first {
        Type::Record(fields) if heads().any(|p| matches!(p.kind, PatKind::Record(_))) => {
            let specialised = rows.into_iter().map(|mut row| {
                match row.pop().flatten().map(|p| &p.kind) {
                    Some(PatKind::Record(pats)) => {
                        let pats: HashMap<&Name, &Pat> = pats.iter().map(|(name, p)| (name, p)).collect();
                        row.extend(fields.iter().rev().map(|(name, _)| pats.get(name).copied()));
                    }
                    _ => row.resize(row.len() + fields.len(), None),
                }
                row
            });
            let mut found = useful_with(specialised.collect(), fields.iter().map(|(_, t)| t), types, taken)?;
            let values = found.split_off(found.len() - fields.len()).into_iter().rev().collect();
            found.push(Missing::Record(fields.iter().map(|(name, _)| name.clone()).collect(), values));
            Some(found)
        }
        Type::Sum(constructors) if heads().any(|p| matches!(p.kind, PatKind::Constr(..))) => {
            // the rows that fit everything, and the others by their constructor
            let mut others: Vec<Row> = vec![];
            let mut by_constructor: HashMap<&Name, Vec<Row>> = HashMap::default();
            for mut row in rows {
                match row.pop().flatten().map(|p| &p.kind) {
                    Some(PatKind::Constr(name, pats)) => {
                        row.extend(pats.iter().rev().map(Some));
                        by_constructor.entry(name).or_default().push(row);
                    }
                    _ => others.push(row),
                }
            }
            // What the others leave out, no value of a constructor that stands in no row covers; where they leave out nothing, no constructor matters.
            let mut left = Some(useful(others.clone(), types, taken)?);
            constructors.iter().find_map(|(name, args)| {
                let (mut found, values) = match by_constructor.remove(name) {
                    None => (left.take()?, args.iter().map(|_| Missing::Any).collect()),
                    Some(mut rows) => {
                        rows.extend(others.iter().map(|row| {
                            let any = std::iter::repeat_n(None, args.len());
                            row.iter().copied().chain(any).collect::<Row>()
                        }));
                        let mut found = useful_with(rows, args.iter(), types, taken)?;
                        let values = found.split_off(found.len() - args.len()).into_iter().rev().collect();
                        (found, values)
                    }
                };
                found.push(Missing::Constr(name.clone(), values));
                Some(found)
            })
        }
        _ => {
            // the rows that fit everything, and the others by their literal, in the order in which the literals come up
            let mut others: Vec<Row> = vec![];
            let mut by_literal: Vec<(Literal, Vec<Row>)> = vec![];
            let mut places: HashMap<LiteralKey, usize> = HashMap::default();
            for mut row in rows {
                let Some(Some(Pat { kind: PatKind::Lit(value), .. })) = row.pop() else {
                    others.push(row);
                    continue;
                };
                let place = *places.entry(key(*value)).or_insert(by_literal.len());
                if place == by_literal.len() {
                    by_literal.push((*value, vec![]));
                }
                by_literal[place].1.push(row);
            }
            if by_literal.is_empty() {
                let mut left = useful(others, types, taken)?;
                left.push(Missing::Any);
                return Some(left);
            }
            // What the others leave out is a value for each literal that does not cover it; where they leave out nothing, no literal matters.
            let mut left = useful(others.clone(), types, taken)?;
            // Each value that stands there, and one that does not, if there is one.
            // mutant swap: both are looked for
            let whole = [true, false].iter().all(|b| places.contains_key(&key(Literal::Bool(*b))));
            let first = by_literal[0].0;
            for (value, mut rows) in by_literal {
                rows.extend(others.iter().cloned());
                if let Some(mut found) = useful(rows, types, taken) {
                    found.push(Missing::Other(shown(value)));
                    return Some(found);
                }
            }
            if whole {
                return None;
            }
            left.push(match first {
                Literal::Bool(b) => Missing::Other((!b).to_string()),
                _ => Missing::Any,
            });
            Some(left)
        }
    }
}

/// The same where these columns come before the others.
fn useful_with<'a>(
    rows: Vec<Row<'a>>,
    columns: impl DoubleEndedIterator<Item = &'a Type>,
    types: &mut Vec<&'a Type>,
    taken: &mut Taken,
) -> Option<Vec<Missing>> {
    let before = types.len();
    types.extend(columns.rev());
    let found = useful(rows, types, taken);
    types.truncate(before);
    found
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
