//! The commands of the protocol.

use super::{Server, shapes, sums, types};
use crate::failure::runtime_text;
use futi_conformance::data;
use futi_core::backend::{CallCtx, KernelProfile};
use futi_core::entry;
use futi_core::ir::{EntrySig, EntryType, Fun};
use futi_core::source::FileId;
use futi_core::syntax::{self, ast};
use futi_core::value::{Value, binary};
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// The lines that answer a command, or what is wrong with it.
pub type Answer = Result<String, String>;

/// A command.
type Command = fn(&mut Server, &[String]) -> Answer;

/// All commands.
pub const COMMANDS: &[(&str, Command)] = &[
    ("types", |s, words| exactly(words, []).map(|[]| lines(s.types().iter().map(types::name)))),
    ("entry_points", |s, words| {
        exactly(words, []).map(|[]| lines(s.loaded.program.entries().map(ToString::to_string)))
    }),
    ("call", call),
    ("restore", restore),
    ("store", store),
    ("free", free),
    ("rename", rename),
    ("inputs", |s, words| exactly(words, ["entry"]).and_then(|[entry]| inputs(s, entry))),
    ("output", |s, words| exactly(words, ["entry"]).and_then(|[entry]| output(s, entry))),
    ("outputs", |s, words| exactly(words, ["entry"]).and_then(|[entry]| outputs(s, entry))),
    ("attributes", |s, words| exactly(words, ["entry"]).and_then(|[entry]| attributes(s, entry))),
    ("clear", |_, words| exactly(words, []).map(|[]| String::new())),
    ("kind", |s, words| Ok(format!("{}\n", types::kind(&s.type_named(&one_type(words)?)?)))),
    ("type", |s, words| {
        exactly(words, ["variable"]).and_then(|[v]| Ok(format!("{}\n", types::name(&s.variable(v)?.ty))))
    }),
    ("pause_profiling", |s, words| exactly(words, []).map(|[]| profiling(s, false))),
    ("unpause_profiling", |s, words| exactly(words, []).map(|[]| profiling(s, true))),
    ("report", |s, words| exactly(words, []).map(|[]| report(s))),
    ("set_tuning_param", set_tuning_param),
    ("tuning_params", |s, words| exactly(words, ["entry"]).and_then(|[entry]| tuning_params(s, entry))),
    ("tuning_param_class", |s, words| exactly(words, ["parameter"]).and_then(|[p]| tuning_param_class(s, p))),
    ("rank", |s, words| Ok(format!("{}\n", types::rank(&array_type(s, &one_type(words)?)?)))),
    ("elemtype", |s, words| Ok(format!("{}\n", types::name(&types::elem(&array_type(s, &one_type(words)?)?))))),
    ("new_array", new_array),
    ("set", set),
    ("shape", shape),
    ("index", index),
    ("zip", zip),
    ("unzip", unzip),
    ("fields", fields),
    ("new", new),
    ("project", project),
    ("variants", |s, words| sums::variants(s, &one_type(words)?)),
    ("variant", |s, words| exactly(words, ["variable"]).and_then(|[v]| sums::variant(s, v))),
    ("construct", |s, words| {
        first(words, ["variable", "type", "variant"])
            .and_then(|([to, ty, variant], held)| sums::construct(s, to, ty, variant, held))
    }),
    ("destruct", |s, words| first(words, ["variable"]).and_then(|([from], to)| sums::destruct(s, from, to))),
];

/// The words of a command that takes as many.
fn exactly<'a, const N: usize>(words: &'a [String], names: [&str; N]) -> Result<[&'a str; N], String> {
    let all: Vec<&str> = words.iter().map(String::as_str).collect();
    all.try_into().map_err(|_| takes(&names, words.len()))
}

/// The name of a type where nothing else is taken: there are clients that put none into quotation marks.
fn one_type(words: &[String]) -> Result<String, String> {
    if words.is_empty() { Err(takes(&["type"], 0)) } else { Ok(words.join(" ")) }
}

/// The first words of a command, and those behind them.
fn first<'a, const N: usize>(words: &'a [String], names: [&str; N]) -> Result<([&'a str; N], &'a [String]), String> {
    match words.split_at_checked(N) {
        Some((head, rest)) => Ok((exactly(head, names)?, rest)),
        None => Err(takes(&names, words.len())),
    }
}

fn takes(names: &[&str], given: usize) -> String {
    let names = if names.is_empty() { "nothing".into() } else { names.join(", ") };
    format!("The command takes {names}; there are {given} words.")
}

fn lines(all: impl Iterator<Item = String>) -> String {
    all.map(|line| line + "\n").collect()
}

fn entry_point<'s>(server: &'s Server, name: &str) -> Result<(&'s Fun, &'s EntrySig), String> {
    let fun = server.loaded.program.entry(name).ok_or_else(|| format!("Unknown entry point: {name}"))?;
    let sig = fun.entry.as_ref().ok_or_else(|| format!("Unknown entry point: {name}"))?;
    Ok((fun, sig))
}

/// For each parameter, whether it is consumed.
fn consumed(fun: &Fun, sig: &EntrySig) -> Vec<bool> {
    let mut leaves = fun.params[sig.sizes..].iter();
    sig.params
        .iter()
        .map(|p| leaves.by_ref().take(p.ty.leaves().len()).fold(false, |any, leaf| any | leaf.unique))
        .collect()
}

/// Whether the results of these numbers share nothing with the arguments.
fn fresh(fun: &Fun, from: usize, count: usize) -> bool {
    let results = &fun.results[fun.results.len().saturating_sub(from)..];
    results.iter().take(count).all(|r| r.unique || r.binder.ty.rank() == 0)
}

fn inputs(server: &Server, entry: &str) -> Answer {
    let (fun, sig) = entry_point(server, entry)?;
    let star = |consumed: bool| if consumed { "*" } else { "" };
    let all = sig.params.iter().zip(consumed(fun, sig));
    Ok(lines(all.map(|(p, consumed)| format!("{}{}", star(consumed), types::name(&p.ty)))))
}

fn output(server: &Server, entry: &str) -> Answer {
    let (fun, sig) = entry_point(server, entry)?;
    let count = sig.result.leaves().len();
    let star = if fresh(fun, count, count) { "*" } else { "" };
    Ok(format!("{star}{}\n", types::name(&sig.result)))
}

/// As before version 0.26.1: the parts of a tuple, one by one.
fn outputs(server: &Server, entry: &str) -> Answer {
    let (fun, sig) = entry_point(server, entry)?;
    let mut left = sig.result.leaves().len();
    let part = |ty: &EntryType| {
        let count = ty.leaves().len();
        let star = if fresh(fun, left, count) { "*" } else { "" };
        left -= count;
        format!("{star}{}", types::name(ty))
    };
    Ok(lines(parts(&sig.result).iter().map(part)))
}

/// The parts of a tuple, or what is none as one.
fn parts(ty: &EntryType) -> Vec<EntryType> {
    match ty {
        EntryType::Tuple(parts) => parts.clone(),
        ty => vec![ty.clone()],
    }
}

fn attributes(server: &Server, entry: &str) -> Answer {
    entry_point(server, entry)?;
    let Some(file) = server.loaded.sources.find(server.loaded.path()).and_then(|id| server.loaded.sources.get(id))
    else {
        return Ok(String::new());
    };
    let (ast, _) = syntax::parse(FileId::default(), &file.text);
    let is_entry =
        |decl: &&ast::Decl| matches!(&decl.kind, ast::DeclKind::Def { entry: true, def } if &*def.name.name == entry);
    let text = |attr: &ast::Attr| {
        let source = file.text.get(attr.span.start as usize..attr.span.end as usize).unwrap_or_default();
        source.trim_start_matches("#[").trim_end_matches(']').trim().to_string()
    };
    let decl = ast.decls.iter().find(is_entry);
    Ok(lines(decl.iter().flat_map(|decl| &decl.attrs).map(text)))
}

/// `call ENTRY OUT IN..`, or, as before version 0.26.1, of a function whose result is a tuple, `call ENTRY OUT1..OUTm IN..`.
fn call(server: &mut Server, words: &[String]) -> Answer {
    let ([entry], rest) = first(words, ["entry"])?;
    let (fun, sig) = entry_point(server, entry)?;
    let (fun, sig) = (fun.clone(), sig.clone());
    let parts = parts(&sig.result);
    let outputs = rest.len().checked_sub(sig.params.len()).filter(|n| *n == 1 || *n == parts.len());
    let Some(outputs) = outputs else {
        return Err(format!(
            "{entry} takes an output and {} inputs; there are {} variables.",
            sig.params.len(),
            rest.len()
        ));
    };
    let (outputs, inputs) = rest.split_at(outputs);
    are_new(server, outputs)?;
    let consumed = consumed(&fun, &sig);
    let mut args = Vec::new();
    for (i, (name, param)) in inputs.iter().zip(&sig.params).enumerate() {
        let variable = server.variable(name)?;
        let (wanted, got) = (types::name(&param.ty), types::name(&variable.ty));
        if wanted != got {
            return Err(format!("Wrong input type.  Expected {wanted}, got {got}."));
        }
        let twice = inputs.iter().enumerate().any(|(j, other)| j != i && other == name && consumed[i]);
        if twice {
            return Err(format!("Variable {name} is consumed, and given twice."));
        }
        args.extend(variable.leaves.iter().cloned());
    }
    let mut shapes = Vec::new();
    for handle in &args {
        shapes.push(server.backend.shape(handle).map_err(|e| e.to_string())?);
    }
    let sizes = entry::sizes(&fun, &shapes).map_err(|e| e.message)?;
    let sizes =
        sizes.iter().map(|n| server.backend.put(n).map_err(|e| e.to_string())).collect::<Result<Vec<_>, _>>()?;
    args.splice(0..0, sizes);

    let bytes = shapes.iter().map(|(elem, shape)| elem.bytes() * futi_core::value::count(shape)).sum();
    let (prov, executable) = server.compiled(entry, bytes)?;
    let began = Instant::now();
    let results = executable.call(entry, args, &CallCtx::default()).map_err(|e| (e, prov.clone()));
    let runtime = began.elapsed().as_micros();
    let results = results.map_err(|(e, prov)| runtime_text(&e, &prov, &server.loaded.sources))?;

    for (name, _) in inputs.iter().zip(consumed).filter(|(_, consumed)| *consumed) {
        if let Some(variable) = server.variables.get_mut(name) {
            variable.consumed = true;
        }
    }
    let mut results = results.into_iter().skip(fun.results.len().saturating_sub(sig.result.leaves().len()));
    match outputs {
        [one] => server.bind_handles(one, sig.result.clone(), results.collect())?,
        several => {
            for (name, ty) in several.iter().zip(parts) {
                let leaves = results.by_ref().take(ty.leaves().len()).collect();
                server.bind_handles(name, ty, leaves)?;
            }
        }
    }
    Ok(format!("runtime: {runtime}\n"))
}

fn restore(server: &mut Server, words: &[String]) -> Answer {
    let ([file], rest) = first(words, ["file"])?;
    if rest.len() % 2 != 0 {
        return Err("Variables and types come in pairs.".into());
    }
    let mut wanted: Vec<(&str, EntryType)> = Vec::new();
    for pair in rest.chunks_exact(2) {
        server.is_new(&pair[0])?;
        if wanted.iter().any(|(name, _)| *name == pair[0]) {
            return Err(format!("Variable already exists: {}", pair[0]));
        }
        wanted.push((&pair[0], server.type_named(&pair[1])?));
    }
    let elems: Vec<_> = wanted.iter().flat_map(|(_, ty)| ty.leaves()).map(|(elem, _)| elem).collect();
    let malformed = |name: &str, why: &str| {
        format!("Failed to restore variable {name}.\nPossibly malformed data in {file} ({why})")
    };
    let first = wanted.first().map_or("", |(name, _)| name);
    let mut values = data::read(Path::new(file), &elems).map_err(|e| malformed(first, &e))?.into_iter();
    let mut bound = Vec::new();
    for (name, ty) in &wanted {
        let mut leaves = Vec::new();
        for (elem, rank) in ty.leaves() {
            let value = values.next().ok_or_else(|| malformed(name, "it ends before"))?;
            if value.elem() != elem || value.shape().len() != rank {
                let why = format!("there is a value of type {}{}", "[]".repeat(value.shape().len()), value.elem());
                return Err(malformed(name, &why));
            }
            leaves.push(value);
        }
        if !entry::are_constructors(ty, &leaves) {
            return Err(malformed(name, "there is a number that no variant has"));
        }
        bound.push((*name, ty.clone(), leaves));
    }
    if values.next().is_some() {
        return Err(format!("Expected EOF after reading {} values from {file}", wanted.len()));
    }
    for (name, ty, leaves) in bound {
        server.bind(name, ty, &leaves)?;
    }
    Ok(String::new())
}

fn store(server: &mut Server, words: &[String]) -> Answer {
    let ([file], names) = first(words, ["file"])?;
    let mut bytes = Vec::new();
    for name in names {
        bytes.extend(binary::write_values(&server.values(server.variable(name)?)?));
    }
    std::fs::write(file, bytes).map_err(|e| format!("{file}: {e}"))?;
    Ok(String::new())
}

fn free(server: &mut Server, names: &[String]) -> Answer {
    if let Some(unknown) = names.iter().find(|name| !server.variables.contains_key(*name)) {
        return Err(format!("Unknown variable: {unknown}"));
    }
    names.iter().for_each(|name| drop(server.variables.remove(name)));
    Ok(String::new())
}

fn rename(server: &mut Server, words: &[String]) -> Answer {
    let [old, new] = exactly(words, ["variable", "name"])?;
    server.variable(old)?;
    server.is_new(new)?;
    if let Some(variable) = server.variables.remove(old) {
        server.variables.insert(new.to_string(), variable);
    }
    Ok(String::new())
}

fn profiling(server: &mut Server, goes_on: bool) -> String {
    server.profiles = goes_on;
    String::new()
}

/// What the kernels have cost, in the JSON of Futhark's profiles: times are in microseconds. Beside that, which numbers of points were compared with thresholds.
fn report(server: &Server) -> String {
    let event = |(kernel, place): (KernelProfile, String)| {
        serde_json::json!({
            "name": kernel.name,
            "duration": kernel.nanoseconds.map_or(0.0, |ns| ns as f64 / 1e3),
            "provenance": place,
            "details": {
                "launches": kernel.launches,
                "invocations": kernel.invocations,
                "operations": kernel.operations,
                "bytes": kernel.bytes,
            },
        })
    };
    let events: Vec<_> = server.profile().into_iter().map(event).collect();
    let memory: serde_json::Map<_, _> =
        server.backend.peak_memory().into_iter().map(|bytes| ("device".to_string(), bytes.into())).collect();
    let threshold = |(name, points): (String, Vec<i64>)| serde_json::json!({ "name": name, "points": points });
    let thresholds: Vec<_> = server.thresholds().into_iter().map(threshold).collect();
    format!("{}\n", serde_json::json!({ "events": events, "memory": memory, "thresholds": thresholds }))
}

fn set_tuning_param(server: &mut Server, words: &[String]) -> Answer {
    let [name, value] = exactly(words, ["parameter", "value"])?;
    let value: i64 = value.parse().map_err(|_| format!("Not an integer: {value}"))?;
    server.tune(name, value)?;
    Ok(String::new())
}

fn tuning_params(server: &mut Server, entry: &str) -> Answer {
    entry_point(server, entry)?;
    let own = server.compiled(entry, 0)?.1.tuning().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    Ok(lines(server.loaded.params().into_iter().chain(own).map(|name| format!("{name} {name}"))))
}

fn tuning_param_class(server: &mut Server, name: &str) -> Answer {
    if server.loaded.params().iter().any(|known| known == name) {
        return Ok(format!("{name}\n"));
    }
    let entries: Vec<String> = server.loaded.program.entries().map(ToString::to_string).collect();
    for entry in entries {
        if server.compiled(&entry, 0)?.1.tuning().iter().any(|(known, _)| known == name) {
            return Ok(format!("{name}\n"));
        }
    }
    Err(format!("Unknown tuning parameter: {name}"))
}

fn array_type(server: &Server, name: &str) -> Result<EntryType, String> {
    let ty = server.type_named(name)?;
    if types::rank(&ty) > 0 { Ok(ty) } else { Err(format!("Not an array type: {name}")) }
}

fn indices(words: &[String]) -> Result<Vec<usize>, String> {
    words.iter().map(|word| word.parse().map_err(|_| format!("Not an index or a size: {word}"))).collect()
}

/// That these names are free and told apart.
pub(super) fn are_new(server: &Server, names: &[String]) -> Result<(), String> {
    names.iter().enumerate().try_for_each(|(i, name)| match names[..i].contains(name) {
        true => Err(format!("Variable already exists: {name}")),
        false => server.is_new(name),
    })
}

pub(super) fn same_type(wanted: &EntryType, got: &EntryType) -> Result<(), String> {
    let (wanted, got) = (types::name(wanted), types::name(got));
    if wanted == got { Ok(()) } else { Err(format!("Wrong type.  Expected {wanted}, got {got}.")) }
}

fn new_array(server: &mut Server, words: &[String]) -> Answer {
    let ([to, ty], rest) = first(words, ["variable", "type"])?;
    server.is_new(to)?;
    let ty = array_type(server, ty)?;
    let (dims, names) = rest.split_at_checked(types::rank(&ty)).ok_or("There is a size missing.")?;
    let dims = indices(dims)?;
    let elem = types::elem(&ty);
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for name in names {
        let variable = server.variable(name)?;
        same_type(&elem, &variable.ty)?;
        rows.push(server.values(variable)?);
    }
    let leaf = |(k, (scalar, rank)): (usize, (_, usize))| {
        let column: Vec<Value> = rows.iter().map(|row| row[k].clone()).collect();
        if column.is_empty() && futi_core::value::count(&dims) == 0 {
            let column = futi_core::value::Column::from_scalars(scalar, std::iter::empty());
            let shape = [&dims[..], &vec![0; rank]].concat();
            return column
                .map(|c| futi_core::value::Array::new(&shape, c).into())
                .ok_or_else(|| "No such array.".to_string());
        }
        shapes::array(&dims, &column)
    };
    let values = elem.leaves().into_iter().enumerate().map(leaf).collect::<Result<Vec<_>, String>>()?;
    server.bind(to, ty, &values)?;
    Ok(String::new())
}

/// The rank of an array variable, and that there are as many indices.
fn indexed(server: &Server, name: &str, indices: &[usize]) -> Result<EntryType, String> {
    let ty = server.variable(name)?.ty.clone();
    match types::rank(&ty) {
        0 => Err(format!("Not an array: {name}")),
        rank if rank == indices.len() => Ok(ty),
        rank => Err(format!("{name} has {rank} dimensions; there are {} indices.", indices.len())),
    }
}

fn set(server: &mut Server, words: &[String]) -> Answer {
    let ([array, part], rest) = first(words, ["variable", "variable"])?;
    let at = indices(rest)?;
    let ty = indexed(server, array, &at)?;
    let part = server.variable(part)?;
    same_type(&types::elem(&ty), &part.ty)?;
    let parts = server.values(part)?;
    let old = server.values(server.variable(array)?)?;
    let new = old.iter().zip(&parts).map(|(old, part)| shapes::with(old, &at, part)).collect::<Result<Vec<_>, _>>()?;
    server.variables.remove(array);
    server.bind(array, ty, &new)?;
    Ok(String::new())
}

fn shape(server: &mut Server, words: &[String]) -> Answer {
    let [name] = exactly(words, ["variable"])?;
    let variable = server.variable(name)?;
    let rank = types::rank(&variable.ty);
    let Some(leaf) = variable.leaves.first().filter(|_| rank > 0) else { return Err(format!("Not an array: {name}")) };
    let (_, dims) = server.backend.shape(leaf).map_err(|e| e.to_string())?;
    Ok(lines(dims.iter().take(rank).map(ToString::to_string)))
}

fn index(server: &mut Server, words: &[String]) -> Answer {
    let ([to, array], rest) = first(words, ["variable", "variable"])?;
    server.is_new(to)?;
    let at = indices(rest)?;
    let ty = indexed(server, array, &at)?;
    let values = server.values(server.variable(array)?)?;
    let parts = values.iter().map(|value| shapes::at(value, &at)).collect::<Result<Vec<_>, _>>()?;
    server.bind(to, types::elem(&ty), &parts)?;
    Ok(String::new())
}

/// Makes a value of a type with these fields of variables, whose leaves are its leaves.
fn joined(
    server: &mut Server,
    to: &str,
    ty: EntryType,
    fields: Option<Vec<(String, EntryType)>>,
    names: &[String],
) -> Answer {
    server.is_new(to)?;
    let Some(fields) = fields else { return Err(format!("{} has no fields.", types::name(&ty))) };
    if fields.len() != names.len() {
        return Err(format!("{} has {} fields; there are {} variables.", types::name(&ty), fields.len(), names.len()));
    }
    let mut leaves = Vec::new();
    let mut outer: Option<Vec<usize>> = None;
    for (name, (_, field)) in names.iter().zip(&fields) {
        let variable = server.variable(name)?;
        same_type(field, &variable.ty)?;
        for handle in &variable.leaves {
            let (_, dims) = server.backend.shape(handle).map_err(|e| e.to_string())?;
            let dims: Vec<usize> = dims.into_iter().take(types::rank(&ty)).collect();
            if *outer.get_or_insert(dims.clone()) != dims {
                return Err("The arrays have different shapes.".into());
            }
        }
        leaves.extend(variable.leaves.iter().cloned());
    }
    server.bind_handles(to, ty, leaves)?;
    Ok(String::new())
}

fn zip(server: &mut Server, words: &[String]) -> Answer {
    let ([to, ty], names) = first(words, ["variable", "type"])?;
    let ty = array_type(server, ty)?;
    let columns = types::columns(&ty);
    joined(server, to, ty, columns, names)
}

fn new(server: &mut Server, words: &[String]) -> Answer {
    let ([to, ty], names) = first(words, ["variable", "type"])?;
    let ty = server.type_named(ty)?;
    let fields = types::fields(&ty);
    joined(server, to, ty, fields, names)
}

fn unzip(server: &mut Server, words: &[String]) -> Answer {
    let ([array], names) = first(words, ["variable"])?;
    let variable = server.variable(array)?;
    let columns = types::columns(&variable.ty).ok_or_else(|| format!("Not an array of records: {array}"))?;
    if columns.len() != names.len() {
        return Err(format!("{array} has {} fields; there are {} names.", columns.len(), names.len()));
    }
    let mut leaves = variable.leaves.clone().into_iter();
    are_new(server, names)?;
    for (name, (_, ty)) in names.iter().zip(columns) {
        let own = leaves.by_ref().take(ty.leaves().len()).collect();
        server.bind_handles(name, ty, own)?;
    }
    Ok(String::new())
}

fn fields(server: &mut Server, words: &[String]) -> Answer {
    let name = one_type(words)?;
    let ty = server.type_named(&name)?;
    let fields = types::fields(&ty).or_else(|| types::fields(&types::elem(&ty)));
    let fields = fields.ok_or_else(|| format!("Not a record type: {name}"))?;
    let mut text = String::new();
    for (field, ty) in fields {
        let _ = writeln!(text, "{field} {}", types::name(&ty));
    }
    Ok(text)
}

fn project(server: &mut Server, words: &[String]) -> Answer {
    let [to, from, field] = exactly(words, ["variable", "variable", "field"])?;
    server.is_new(to)?;
    let variable = server.variable(from)?;
    let all = types::fields(&variable.ty).ok_or_else(|| format!("Not a record: {from}"))?;
    let at = all.iter().position(|(name, _)| name == field).ok_or_else(|| format!("No such field: {field}"))?;
    let before: usize = all[..at].iter().map(|(_, ty)| ty.leaves().len()).sum();
    let ty = all[at].1.clone();
    let leaves = variable.leaves[before..before + ty.leaves().len()].to_vec();
    server.bind_handles(to, ty, leaves)?;
    Ok(String::new())
}
