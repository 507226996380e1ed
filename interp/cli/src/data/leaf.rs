//! The values that a value of an entry point's type is made of, with the names by which files have them.

use futi_core::entry;
use futi_core::ir::EntryType;
use futi_core::prim::ScalarType;

/// One of these values.
#[derive(Clone, PartialEq, Debug)]
pub struct Leaf {
    /// The fields that lead to it, with dots between them; of tuples these are numbers. Empty where it is all there is.
    pub name: String,
    /// The type of its elements.
    pub elem: ScalarType,
    /// How many dimensions it has.
    pub rank: usize,
}

/// All leaves that a caller gives or gets, in order. The unit has none.
pub fn leaves(ty: &EntryType) -> Vec<Leaf> {
    match ty {
        EntryType::Scalar(elem) => vec![Leaf { name: String::new(), elem: *elem, rank: 0 }],
        EntryType::Array(dims, elem) => {
            leaves(elem).into_iter().map(|leaf| Leaf { rank: leaf.rank + dims.len(), ..leaf }).collect()
        }
        EntryType::Tuple(_) | EntryType::Record(_) => {
            entry::fields(ty).into_iter().flatten().flat_map(|(name, t)| within(&name, t)).collect()
        }
        EntryType::Opaque(..) | EntryType::Sum(..) => {
            let leaf = |(i, (elem, rank)): (usize, (ScalarType, usize))| Leaf { name: i.to_string(), elem, rank };
            ty.leaves().into_iter().enumerate().map(leaf).collect()
        }
    }
}

/// The leaves of a field.
pub fn within(name: &str, ty: &EntryType) -> Vec<Leaf> {
    let inner = |leaf: Leaf| {
        let name = if leaf.name.is_empty() { name.to_string() } else { format!("{name}.{}", leaf.name) };
        Leaf { name, ..leaf }
    };
    leaves(ty).into_iter().map(inner).collect()
}
