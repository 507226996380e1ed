//! Computed values as a session shows them.

use crate::lower::places;
use crate::types::env::Env;
use crate::types::ty::Type;
use crate::value::{Value, text};
use std::fmt;

/// A computed value, to be shown.
pub struct Shown {
    /// The name that it is bound to.
    pub name: Option<String>,
    tree: Tree,
}

impl Shown {
    /// The value of this type over these leaves.
    pub(super) fn new(name: Option<String>, ty: &Type, leaves: Vec<Value>, env: &Env) -> Shown {
        Shown { name, tree: Tree::of(ty, &mut leaves.into_iter(), env) }
    }

    /// As `to_string`, but of arrays with more than 1000 elements, those of their rows included, the first and last three rows, and of each row the same.
    pub fn abridged(&self) -> String {
        self.tree.text(&[], Length::Short)
    }
}

/// How much of large arrays is shown.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Length {
    Full,
    Short,
    /// Of an array that is large, or its rows.
    Ends,
}

/// Arrays of more elements are large.
const LARGE: usize = 1000;

/// So many rows are shown at each end of what is abridged.
const ENDS: usize = 3;

impl fmt::Display for Shown {
    /// As Futhark's REPL does: numbers without suffix, tuples in parentheses, arrays of tuples element by element; what modules hide is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tree.text(&[], Length::Full))
    }
}

/// A value, or the array of values, of which the leaves have the outer dimensions.
enum Tree {
    Leaf(Value),
    /// The unit.
    Unit(Value),
    Tuple(Vec<Tree>),
    Record(Vec<(String, Tree)>),
    /// The number of the constructor, and what each of them holds.
    Sum(Value, Vec<(String, Vec<Tree>)>),
    Array(Box<Tree>),
    /// A function.
    Nothing,
}

impl Tree {
    fn of(ty: &Type, leaves: &mut dyn Iterator<Item = Value>, env: &Env) -> Tree {
        match ty {
            Type::Array(_, elem) => Tree::Array(Box::new(Tree::of(elem, leaves, env))),
            Type::Record(fields) if fields.is_empty() => leaves.next().map_or(Tree::Nothing, Tree::Unit),
            Type::Record(fields) => match ty.as_tuple() {
                Some(types) => Tree::Tuple(types.into_iter().map(|t| Tree::of(t, leaves, env)).collect()),
                None => {
                    Tree::Record(fields.iter().map(|(name, t)| (name.to_string(), Tree::of(t, leaves, env))).collect())
                }
            },
            Type::Sum(constructors) => {
                let (types, places) = places(constructors, env);
                let Some(tag) = leaves.next() else { return Tree::Nothing };
                let kept: Vec<Value> = leaves.take(types).collect();
                let held = |i: usize, types: &[Type]| {
                    let mut own = places[i].iter().map(|place| kept[*place].clone());
                    types.iter().map(|t| Tree::of(t, &mut own, env)).collect()
                };
                let all = constructors.iter().enumerate().map(|(i, (name, types))| (name.to_string(), held(i, types)));
                Tree::Sum(tag, all.collect())
            }
            Type::Abstract(id, args) => match env.hidden.get(&id.num) {
                Some(def) => Tree::of(&def.at(args), leaves, env),
                None => Tree::Nothing,
            },
            Type::Fun(_) => Tree::Nothing,
            _ => leaves.next().map_or(Tree::Nothing, Tree::Leaf),
        }
    }

    /// A leaf, for the sizes of arrays.
    fn first(&self) -> Option<&Value> {
        match self {
            Tree::Leaf(v) | Tree::Unit(v) | Tree::Sum(v, _) => Some(v),
            Tree::Tuple(ts) => ts.iter().find_map(Tree::first),
            Tree::Record(fields) => fields.iter().find_map(|(_, t)| t.first()),
            Tree::Array(elem) => elem.first(),
            Tree::Nothing => None,
        }
    }

    /// How many elements a leaf has from this dimension on, at most; a row without elements counts as one.
    fn most(&self, from: usize) -> usize {
        match self {
            Tree::Leaf(v) | Tree::Unit(v) | Tree::Sum(v, _) => {
                v.shape()[from..].iter().fold(1, |count, n| count.saturating_mul(*n.max(&1)))
            }
            Tree::Tuple(ts) => ts.iter().map(|t| t.most(from)).max().unwrap_or(0),
            Tree::Record(fields) => fields.iter().map(|(_, t)| t.most(from)).max().unwrap_or(0),
            Tree::Array(elem) => elem.most(from),
            Tree::Nothing => 0,
        }
    }

    fn text(&self, index: &[usize], length: Length) -> String {
        let list = |ts: &[Tree]| ts.iter().map(|t| t.text(index, length)).collect::<Vec<_>>().join(", ");
        match self {
            Tree::Leaf(v) => element(v, index).map_or(String::new(), text::bare),
            Tree::Unit(_) => "()".into(),
            Tree::Tuple(ts) => format!("({})", list(ts)),
            Tree::Record(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, t)| format!("{name} = {}", t.text(index, length))).collect();
                format!("{{{}}}", fields.join(", "))
            }
            Tree::Sum(tag, constructors) => {
                let number = element(tag, index).and_then(crate::prim::Scalar::to_int).unwrap_or(0);
                let Some((name, held)) = constructors.get(number as usize) else { return String::new() };
                let mut text = format!("#{name}");
                for t in held {
                    let held = t.text(index, length);
                    // what holds something itself is set apart
                    text += &if held.starts_with('#') && held.contains(' ') {
                        format!(" ({held})")
                    } else {
                        format!(" {held}")
                    };
                }
                text
            }
            Tree::Array(elem) => {
                let n = self.first().and_then(|v| v.shape().get(index.len()).copied()).unwrap_or(0);
                let is_large = length == Length::Short && self.most(index.len()) > LARGE;
                let length = if is_large { Length::Ends } else { length };
                let row = |i: usize| elem.text(&[index, &[i]].concat(), length);
                let rows: Vec<String> = if length == Length::Ends && n > 2 * ENDS {
                    let (first, last) = ((0..ENDS).map(row), (n - ENDS..n).map(row));
                    first.chain(["...".to_string()]).chain(last).collect()
                } else {
                    (0..n).map(row).collect()
                };
                format!("[{}]", rows.join(", "))
            }
            Tree::Nothing => String::new(),
        }
    }
}

/// The scalar at a position.
fn element(v: &Value, index: &[usize]) -> Option<crate::prim::Scalar> {
    let flat = index.iter().zip(v.shape()).fold(0, |flat, (i, n)| flat * n + i);
    match v {
        Value::Scalar(x) => Some(*x),
        Value::Array(a) => (flat < a.len()).then(|| a.get(flat)),
    }
}
