//! The types of values that callers see, by their names: as the source writes them, without sizes.

use futi_core::entry::{self, type_name};
use futi_core::ir::{EntrySig, EntryType};
use futi_core::prim::ScalarType;

/// The name of a type.
pub fn name(ty: &EntryType) -> String {
    let full = type_name(ty);
    let mut name = String::new();
    let mut inside = false;
    for c in full.chars() {
        inside &= c != ']';
        if !inside {
            name.push(c);
        }
        inside |= c == '[';
    }
    name
}

/// The types of an entry point's parameters and result, and those of their parts.
pub fn of(sig: &EntrySig) -> Vec<EntryType> {
    let mut all = Vec::new();
    sig.params.iter().for_each(|p| collect(&p.ty, &mut all));
    collect(&sig.result, &mut all);
    all
}

fn collect(ty: &EntryType, all: &mut Vec<EntryType>) {
    match ty {
        EntryType::Scalar(_) => {}
        EntryType::Array(..) => {
            collect(&elem(ty), all);
            if let Some(fields) = columns(ty) {
                fields.iter().for_each(|(_, t)| collect(t, all));
            }
        }
        EntryType::Tuple(_) | EntryType::Record(_) => fields(ty).iter().flatten().for_each(|(_, t)| collect(t, all)),
        EntryType::Sum(_, _, variants) => variants.iter().flat_map(|v| &v.holds).for_each(|t| collect(t, all)),
        EntryType::Opaque(..) => {}
    }
    all.push(ty.clone());
}

/// The primitive type of that name.
pub fn primitive(name: &str) -> Option<EntryType> {
    ScalarType::ALL.iter().find(|t| t.name() == name).map(|t| EntryType::Scalar(*t))
}

/// What a type is, in one word.
pub fn kind(ty: &EntryType) -> &'static str {
    match ty {
        EntryType::Scalar(_) => "primitive",
        EntryType::Array(..) => "array",
        EntryType::Tuple(_) | EntryType::Record(_) => "record",
        EntryType::Sum(..) => "sum",
        EntryType::Opaque(..) => "opaque",
    }
}

/// How many dimensions an array type has.
pub fn rank(ty: &EntryType) -> usize {
    if let EntryType::Array(dims, _) = ty { dims.len() } else { 0 }
}

/// The type of an array's elements.
pub fn elem(ty: &EntryType) -> EntryType {
    if let EntryType::Array(_, elem) = ty { (**elem).clone() } else { ty.clone() }
}

/// [`entry::fields`], to be kept.
pub fn fields(ty: &EntryType) -> Option<Vec<(String, EntryType)>> {
    Some(entry::fields(ty)?.into_iter().map(|(name, t)| (name, t.clone())).collect())
}

/// The arrays of fields that an array of records is.
pub fn columns(ty: &EntryType) -> Option<Vec<(String, EntryType)>> {
    let EntryType::Array(dims, elem) = ty else { return None };
    let column = |(name, t): (String, EntryType)| {
        let ty = match t {
            EntryType::Array(inner, elem) => EntryType::Array([dims.clone(), inner].concat(), elem),
            t => EntryType::Array(dims.clone(), Box::new(t)),
        };
        (name, ty)
    };
    Some(fields(elem)?.into_iter().map(column).collect())
}
