//! Arrays under construction, row by row.

use super::kernel::Word;
use super::linear::Linear;
use super::val::Val;
use super::{Machine, Result, bad};
use futi_core::failure::RuntimeError;
use futi_core::prim::ScalarType;
use futi_core::value::{Array, Column, Elem, count};
use futi_core::with_column;
use std::sync::Arc;

/// Rows of one type: elements while they are plain; values once one of them depends on what is differentiated.
pub(crate) struct Rows {
    elem: ScalarType,
    row: Vec<usize>,
    /// How many rows there are: rows without elements leave no other trace.
    len: usize,
    rows: Store,
}

enum Store {
    Plain(Column),
    Values(Vec<Val>),
}

impl Rows {
    /// Adds a row.
    pub fn push(&mut self, v: Val) -> Result<()> {
        self.len += 1;
        // nothing in it depends on anything
        if self.row.contains(&0) && *v.shape() == self.row[..] {
            return Ok(());
        }
        match (&mut self.rows, v) {
            (Store::Plain(column), Val::Scalar(x)) if self.row.is_empty() => {
                let fits = with_column!(column, xs => match Elem::from_scalar(x) {
                    Some(x) => {
                        Arc::make_mut(xs).push(x);
                        true
                    }
                    None => false,
                });
                if fits { Ok(()) } else { Err(bad("an element of the array's type", &x.into())) }
            }
            (Store::Plain(_), Val::Array(a)) if **a.shape() == self.row[..] => self.extend(&a),
            (Store::Plain(column), v @ (Val::Dual(_) | Val::Traced(_))) => {
                // mutant neutral element: no elements are the same whatever they are
                // mutant off by one: what is left in its place is replaced a few lines below
                let column = std::mem::replace(column, Column::filled(self.elem.zero(), 0));
                let before = self.len - 1;
                let whole = Array::new(&[&[before], &self.row[..]].concat(), column);
                let mut values: Vec<Val> = (0..before).map(|i| whole.row(i).into()).collect();
                values.push(v);
                self.rows = Store::Values(values);
                Ok(())
            }
            (Store::Values(values), v) => {
                values.push(v);
                Ok(())
            }
            (_, v) => Err(bad(&format!("a row of shape {:?}", self.row), &v)),
        }
    }

    /// Whether the rows have no elements, however many there are.
    pub fn without_elements(&self) -> bool {
        self.row.contains(&0)
    }

    /// Adds scalars, given by their words.
    pub fn push_words(&mut self, words: &[u64]) -> Result<()> {
        let (true, Store::Plain(column)) = (self.row.is_empty(), &mut self.rows) else {
            return Err(RuntimeError::internal("scalars to rows"));
        };
        self.len += words.len();
        fn extend<T: Word>(xs: &mut Vec<T>, words: &[u64]) {
            xs.extend(words.iter().map(|w| T::of_word(*w)));
        }
        with_column!(column, xs => {
            let xs = Arc::make_mut(xs);
            extend(xs, words)
        });
        Ok(())
    }

    /// Adds all rows of a plain array.
    pub fn push_all(&mut self, a: &Array) -> Result<()> {
        if a.shape().get(1..) != Some(&self.row[..]) {
            return Err(bad(&format!("rows of shape {:?}", self.row), &a.clone().into()));
        }
        self.len += a.shape()[0];
        self.extend(a)
    }

    fn extend(&mut self, a: &Array) -> Result<()> {
        let Store::Plain(column) = &mut self.rows else {
            return Err(RuntimeError::internal("plain rows to tagged ones"));
        };
        with_column!(column, xs => match a.slice() {
            Some(ys) => {
                Arc::make_mut(xs).extend_from_slice(ys);
                Ok(())
            }
            None => Err(bad("elements of the array's type", &a.clone().into())),
        })
    }
}

impl Machine<'_> {
    /// No rows yet of this type, with room for `n`.
    pub fn rows(&mut self, elem: ScalarType, row: &[usize], n: usize) -> Result<Rows> {
        let room = self.count(row)?.saturating_mul(n);
        self.allocate_elements(elem, room)?;
        // mutant neutral element: no elements are the same whatever they are
        let mut column = Column::filled(elem.zero(), 0);
        with_column!(&mut column, xs => Arc::make_mut(xs).reserve_exact(room));
        column.metered(&self.meter);
        Ok(Rows { elem, row: row.to_vec(), len: 0, rows: Store::Plain(column) })
    }

    /// The array of these outer dimensions made of the rows.
    pub fn assemble(&mut self, rows: Rows, outer: &[usize]) -> Result<Val> {
        let shape = [outer, &rows.row].concat();
        match rows.rows {
            Store::Plain(column) => {
                let got = with_column!(&column, xs => xs.len());
                if count(&shape) != got {
                    return Err(RuntimeError::internal(format!("{got} elements for an array of shape {shape:?}")));
                }
                // registered with the room that it has filled
                Ok(Array::new(&shape, column).into())
            }
            Store::Values(values) => {
                let packed = self.linear(&Linear::Pack { elem: rows.elem, row: &rows.row }, values)?;
                if outer.len() == 1 {
                    Ok(packed)
                } else {
                    self.linear(&Linear::Reshape { shape: &shape }, vec![packed])
                }
            }
        }
    }
}
