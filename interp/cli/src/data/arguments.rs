//! Arguments by name: `x=1.0`, `x=@FILE`, and of records and tuples by field, `p.x=1.0`.

use super::leaf::leaves;
use super::{fitting, read};
use futi_core::diag::did_you_mean;
use futi_core::entry::{fields, type_name};
use futi_core::ir::{EntrySig, EntryType};
use futi_core::value::Value;
use futi_core::value::text::parse_values_as;
use std::path::Path;

/// What has been given, and whether something has asked for it.
struct Given<'a> {
    name: &'a str,
    value: &'a str,
    used: bool,
}

/// The values of an entry point's parameters, leaf by leaf, from arguments of the form `NAME=VALUE` or `NAME=@FILE`. A parameter without a name has its number, from 0.
///
/// # Errors
/// In one line: an argument that is missing, unknown, given twice, or not what its parameter wants.
pub fn named(sig: &EntrySig, arguments: &[String]) -> Result<Vec<Value>, String> {
    let mut given: Vec<Given> = Vec::new();
    for argument in arguments {
        let (name, value) = argument.split_once('=').ok_or_else(|| {
            format!("`{argument}` is no argument: these are NAME=VALUE or NAME=@FILE, of {}", list(&names(sig)))
        })?;
        if given.iter().any(|other| other.name == name) {
            return Err(format!("argument `{name}` is given twice"));
        }
        given.push(Given { name, value, used: false });
    }
    let mut values = Vec::new();
    let mut missing = Vec::new();
    for (name, ty) in params(sig) {
        take(&name, ty, &mut given, &mut values, &mut missing)?;
    }
    if let Some(unknown) = given.iter().find(|g| !g.used) {
        let whole = given
            .iter()
            .find(|g| g.used && unknown.name.strip_prefix(g.name).is_some_and(|rest| rest.starts_with('.')));
        if let Some(whole) = whole {
            return Err(format!("argument `{}` is given whole, and by field: `{}`", whole.name, unknown.name));
        }
        let all = paths(sig);
        let hint = did_you_mean(unknown.name, all.iter().map(String::as_str));
        let hint = hint.map_or(format!("there are {}", list(&all)), |name| format!("did you mean `{name}`?"));
        return Err(format!("there is no argument `{}`: {hint}", unknown.name));
    }
    match &missing[..] {
        [] => Ok(values),
        [one] => Err(format!("argument {one} is missing")),
        several => Err(format!("arguments {} are missing", several.join(", "))),
    }
}

/// Takes what has been given for a parameter or a field of one.
fn take(
    name: &str,
    ty: &EntryType,
    given: &mut [Given],
    values: &mut Vec<Value>,
    missing: &mut Vec<String>,
) -> Result<(), String> {
    if let Some(g) = given.iter_mut().find(|g| g.name == name) {
        g.used = true;
        values.extend(value(g.value, ty).map_err(|e| format!("argument `{name}`: {e}"))?);
        return Ok(());
    }
    let within = format!("{name}.");
    if given.iter().any(|g| g.name.starts_with(&within)) && fields(ty).is_some() {
        return fields(ty)
            .into_iter()
            .flatten()
            .try_for_each(|(field, t)| take(&format!("{within}{field}"), t, given, values, missing));
    }
    // of the unit there is one value only
    if !leaves(ty).is_empty() {
        missing.push(format!("`{name}`: {}", type_name(ty)));
    }
    Ok(())
}

fn value(text: &str, ty: &EntryType) -> Result<Vec<Value>, String> {
    if let Some(path) = text.strip_prefix('@') {
        return read(Path::new(path), ty);
    }
    let wanted = leaves(ty);
    let types: Vec<_> = wanted.iter().map(|leaf| leaf.elem).collect();
    let values = parse_values_as(text, &types).map_err(|e| e.to_string())?;
    fitting(&values, ty, &wanted)?;
    Ok(values)
}

fn params(sig: &EntrySig) -> impl Iterator<Item = (String, &EntryType)> {
    let name = |(i, name): (usize, &str)| if name == "_" { i.to_string() } else { name.to_string() };
    sig.params.iter().enumerate().map(move |(i, p)| (name((i, p.name.as_str())), &p.ty))
}

fn names(sig: &EntrySig) -> Vec<String> {
    params(sig).map(|(name, _)| name).collect()
}

/// All names that an argument may have.
fn paths(sig: &EntrySig) -> Vec<String> {
    fn collect(name: String, ty: &EntryType, all: &mut Vec<String>) {
        fields(ty).into_iter().flatten().for_each(|(field, t)| collect(format!("{name}.{field}"), t, all));
        all.push(name);
    }
    let mut all = Vec::new();
    params(sig).for_each(|(name, ty)| collect(name, ty, &mut all));
    all
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "none".into();
    }
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
