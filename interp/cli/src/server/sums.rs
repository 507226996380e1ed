//! Sums: what they hold, by their constructors.

use super::commands::{Answer, are_new, same_type};
use super::{Server, types};
use futi_core::ir::{EntryType, Name, Variant};
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::{Array, Value};
use std::fmt::Write;

/// The constructors of a sum type, each with the types of what it holds.
pub fn variants(server: &Server, name: &str) -> Answer {
    let ty = server.type_named(name)?;
    let EntryType::Sum(_, _, variants) = &ty else { return Err(format!("Not a sum type: {name}")) };
    let mut text = String::new();
    for variant in variants {
        let _ = writeln!(text, "{}", variant.name);
        for ty in &variant.holds {
            let _ = writeln!(text, "- {}", types::name(ty));
        }
    }
    Ok(text)
}

/// The constructor of a variable.
pub fn variant(server: &Server, name: &str) -> Answer {
    Ok(format!("{}\n", of(server, name)?.name))
}

/// Binds a name to a value of a sum type, made by a constructor of what variables hold.
pub fn construct(server: &mut Server, to: &str, ty: &str, constructor: &str, held: &[String]) -> Answer {
    server.is_new(to)?;
    let ty = server.type_named(ty)?;
    let EntryType::Sum(_, places, variants) = &ty else { return Err(format!("Not a sum type: {}", types::name(&ty))) };
    let found = variants.iter().enumerate().find(|(_, v)| v.name.as_str() == constructor);
    let (number, variant) = found.ok_or_else(|| format!("{} has no variant {constructor}.", types::name(&ty)))?;
    if variant.holds.len() != held.len() {
        return Err(format!("{constructor} holds {} values; there are {} variables.", variant.holds.len(), held.len()));
    }
    let mut given = Vec::new();
    for (name, wanted) in held.iter().zip(&variant.holds) {
        let variable = server.variable(name)?;
        same_type(wanted, &variable.ty)?;
        given.extend(variable.leaves.iter().cloned());
    }
    let mut leaves = Vec::new();
    for (place, leaf) in places.iter().enumerate() {
        let at = variant.places.iter().position(|p| *p == place);
        leaves.push(match at.and_then(|i| given.get(i)) {
            Some(handle) => handle.clone(),
            None => {
                let number = if place == 0 { number as i64 } else { 0 };
                server.backend.put(&everywhere(leaf, number)).map_err(|e| e.to_string())?
            }
        });
    }
    server.bind_handles(to, ty, leaves)?;
    Ok(String::new())
}

/// A value of a type of scalars with this number everywhere: what another constructor would hold there. A size that the type does not say is none.
fn everywhere(ty: &EntryType, number: i64) -> Value {
    let dims: &[Name] = if let EntryType::Array(dims, _) = ty { dims } else { &[] };
    let elem = ty.leaves().first().map_or(ScalarType::Bool, |(elem, _)| *elem);
    let number = Scalar::from_i64(elem, number);
    match dims {
        [] => number.into(),
        dims => {
            let shape: Vec<usize> = dims.iter().map(|n| n.as_str().parse().unwrap_or(0)).collect();
            Array::filled(&shape, number).into()
        }
    }
}

/// Binds names to what a variable's constructor holds.
pub fn destruct(server: &mut Server, from: &str, to: &[String]) -> Answer {
    let variant = of(server, from)?.clone();
    are_new(server, to)?;
    if variant.holds.len() != to.len() {
        let held = variant.holds.len();
        return Err(format!("{from} is a {} of {held} values; there are {} names.", variant.name, to.len()));
    }
    let leaves = server.variable(from)?.leaves.clone();
    let mut places = variant.places.iter();
    for (name, ty) in to.iter().zip(&variant.holds) {
        let own = places.by_ref().take(ty.leaves().len()).map(|place| leaves[*place].clone()).collect();
        server.bind_handles(name, ty.clone(), own)?;
    }
    Ok(String::new())
}

/// The constructor that a variable is made by.
fn of<'s>(server: &'s Server, name: &str) -> Result<&'s Variant, String> {
    let variable = server.variable(name)?;
    let EntryType::Sum(_, _, variants) = &variable.ty else { return Err(format!("Not a sum: {name}")) };
    let number = match variable.leaves.first().map(|handle| server.backend.get(handle)) {
        Some(Ok(Value::Scalar(number))) => number.to_int(),
        Some(Err(e)) => return Err(e.to_string()),
        _ => None,
    };
    let variant = number.and_then(|n| usize::try_from(n).ok()).and_then(|n| variants.get(n));
    variant.ok_or_else(|| format!("{name} has a number that no variant of {} has.", types::name(&variable.ty)))
}
