//! From expression to value.

use super::{Call, Exp, Pat, ScriptError, Val, fail};
use crate::data::{self, Folder};
use futi_core::entry::{self, type_name};
use futi_core::ir::{EntryParam, EntrySig, EntryType, Fun, Program};
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::compare::type_text;
use futi_core::value::text::{parse_scalar, parse_values_as};
use futi_core::value::{Array, Column, Value};

/// What an expression may use.
pub struct Scope<'a> {
    /// The program whose entry points are the functions.
    pub program: &'a Program,
    /// Runs an entry point.
    pub call: Call<'a>,
    /// Where files are looked for.
    pub folder: Folder<'a>,
}

/// What an entry point is given by an expression: the value of the expression, its components if it is a tuple and there are as many parameters, as one
/// value for each leaf of the parameters.
///
/// # Errors
/// What keeps the expression from having a value, or the value from fitting.
pub fn arguments(exp: &Exp, fun: &Fun, scope: &mut Scope) -> Result<Vec<Value>, ScriptError> {
    let value = scope.value(exp)?;
    let Some(sig) = &fun.entry else { return fail(format!("`{}` is not an entry point", fun.name)) };
    leaves(fun.name.as_str(), sig, vec![value])
}

/// One value for each leaf of the parameters, of the arguments as the source has them.
fn leaves(name: &str, sig: &EntrySig, mut args: Vec<Val>) -> Result<Vec<Value>, ScriptError> {
    let n = sig.params.len();
    // a tuple for the parameters, or for the only one
    match &args[..] {
        [Val::Tuple(items)] if items.len() == n && n != 1 => args = items.clone(),
        [Val::Tuple(items)] if items.len() == 1 && n == 1 => args = items.clone(),
        _ => {}
    }
    if args.len() != n {
        let params: Vec<String> = sig.params.iter().map(|p| format!("{}: {}", p.name, type_name(&p.ty))).collect();
        return fail(format!("`{name}` takes {n} arguments ({}), got {}", params.join(", "), args.len()));
    }
    let mut out = Vec::new();
    for (EntryParam { name: param, ty }, arg) in sig.params.iter().zip(args) {
        let shown = describe(&arg);
        if flatten(arg, ty, &mut out).is_none() {
            return fail(format!("`{name}` wants `{param}` of type {}, not {shown}", type_name(ty)));
        }
    }
    Ok(out)
}

/// Adds the value's leaves, if it is of that type.
fn flatten(val: Val, ty: &EntryType, out: &mut Vec<Value>) -> Option<()> {
    match (val, ty) {
        (Val::Opaque(made, values), ty) if same(&made, ty) => out.extend(values),
        (Val::Tuple(vals), EntryType::Tuple(ts)) if vals.len() == ts.len() => {
            vals.into_iter().zip(ts).try_for_each(|(v, t)| flatten(v, t, out))?;
        }
        (Val::Record(mut fields), EntryType::Record(ts)) if fields.len() == ts.len() => {
            for (name, t) in ts {
                let i = fields.iter().position(|(n, _)| n == name.as_str())?;
                flatten(fields.swap_remove(i).1, t, out)?;
            }
        }
        (val, EntryType::Scalar(t)) => {
            out.push(plain(val, Some(*t)).filter(|v| v.shape().is_empty() && v.elem() == *t)?)
        }
        (val, EntryType::Array(dims, elem)) => {
            let EntryType::Scalar(t) = **elem else { return None };
            out.push(plain(val, Some(t)).filter(|v| v.shape().len() == dims.len() && v.elem() == t)?);
        }
        _ => return None,
    }
    Some(())
}

/// Whether two types are the same but for their sizes.
fn same(a: &EntryType, b: &EntryType) -> bool {
    match (a, b) {
        (EntryType::Scalar(a), EntryType::Scalar(b)) => a == b,
        (EntryType::Array(m, a), EntryType::Array(n, b)) => m.len() == n.len() && same(a, b),
        (EntryType::Tuple(a), EntryType::Tuple(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (EntryType::Record(a), EntryType::Record(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((m, a), (n, b))| m == n && same(a, b))
        }
        (EntryType::Opaque(m, a) | EntryType::Sum(m, a, _), EntryType::Opaque(n, b) | EntryType::Sum(n, b, _)) => {
            without_sizes(m.as_str()) == without_sizes(n.as_str())
                && a.len() == b.len()
                && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        _ => false,
    }
}

/// A type as written, without its sizes.
fn without_sizes(name: &str) -> String {
    let mut depth = 0;
    let outside = |c: &char| {
        let before = depth;
        depth = match c {
            '[' => depth + 1,
            ']' => depth - 1,
            _ => depth,
        };
        depth == 0 || before == 0
    };
    name.chars().filter(outside).collect()
}

/// The value as a scalar or an array of scalars, its constants of this type if they can be.
fn plain(val: Val, ty: Option<ScalarType>) -> Option<Value> {
    match val {
        Val::Constant(text) => {
            let typed = ty.and_then(|t| match parse_values_as(&text, &[t]).ok()?.as_slice() {
                [Value::Scalar(x)] if x.scalar_type() == t => Some(*x),
                _ => None,
            });
            typed.or_else(|| parse_scalar(&text)).map(Value::Scalar)
        }
        Val::Value(v) => Some(v),
        Val::Array(vals) => {
            let mut rows = Vec::new();
            let mut ty = ty;
            for val in vals {
                let row = plain(val, ty)?;
                ty = Some(row.elem());
                rows.push(row);
            }
            stacked(&rows)
        }
        Val::Tuple(_) | Val::Record(_) | Val::Opaque(..) => None,
    }
}

/// An array of these rows, if they are of one type and shape and there is one.
fn stacked(rows: &[Value]) -> Option<Value> {
    let first = rows.first()?;
    let alike = rows.iter().all(|r| r.elem() == first.elem() && r.shape() == first.shape());
    let shape: Vec<usize> = std::iter::once(rows.len()).chain(first.shape().iter().copied()).collect();
    let column = alike.then(|| Column::from_scalars(first.elem(), rows.iter().flat_map(Value::elements))).flatten()?;
    Some(Array::new(&shape, column).into())
}

/// The value that leaves of a type make up.
fn built(ty: &EntryType, leaves: &mut impl Iterator<Item = Value>) -> Option<Val> {
    Some(match ty {
        EntryType::Scalar(_) => Val::Value(leaves.next()?),
        EntryType::Array(_, elem) if matches!(**elem, EntryType::Scalar(_)) => Val::Value(leaves.next()?),
        EntryType::Array(..) | EntryType::Opaque(..) | EntryType::Sum(..) => {
            let parts: Vec<Value> = leaves.take(ty.leaves().len()).collect();
            Val::Opaque(ty.clone(), parts)
        }
        EntryType::Tuple(ts) => Val::Tuple(ts.iter().map(|t| built(t, leaves)).collect::<Option<_>>()?),
        EntryType::Record(fields) => {
            let field = |(name, t): &(_, EntryType)| Some((ToString::to_string(name), built(t, leaves)?));
            Val::Record(fields.iter().map(field).collect::<Option<_>>()?)
        }
    })
}

/// What a value is, for messages.
fn describe(val: &Val) -> String {
    let list = |vals: &[Val]| vals.iter().map(describe).collect::<Vec<_>>().join(", ");
    match val {
        Val::Constant(text) => format!("`{text}`"),
        Val::Value(v) => format!("a value of type {}", type_text(v)),
        Val::Array(vals) => format!("an array of {}", vals.first().map_or("nothing".into(), describe)),
        Val::Tuple(vals) => format!("({})", list(vals)),
        Val::Record(fields) => {
            let fields: Vec<String> = fields.iter().map(|(n, v)| format!("{n}: {}", describe(v))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Val::Opaque(ty, _) => format!("a value of type {}", type_name(ty)),
    }
}

type Variables = Vec<(String, Val)>;

impl Scope<'_> {
    /// The value of an expression.
    ///
    /// # Errors
    /// What keeps it from having one.
    pub fn value(&mut self, exp: &Exp) -> Result<Val, ScriptError> {
        self.eval(exp, &mut Vec::new())
    }

    fn eval(&mut self, exp: &Exp, vars: &mut Variables) -> Result<Val, ScriptError> {
        Ok(match exp {
            Exp::Constant(text) => match parse_scalar(text) {
                // one that says its type keeps it
                Some(x) if names_its_type(text, x) => Val::Value(x.into()),
                _ => Val::Constant(text.clone()),
            },
            Exp::Text(text) => Val::Value(Array::from_vec(&[text.len()], text.as_bytes().to_vec()).into()),
            Exp::Empty(value) => Val::Value(value.clone()),
            Exp::Name(name) => match vars.iter().rfind(|(n, _)| n == name) {
                Some((_, val)) => val.clone(),
                None => self.apply(name, Vec::new())?,
            },
            Exp::Procedure(name) => return fail(format!("${name} wants an argument")),
            Exp::Apply(head, args) => {
                let args = args.iter().map(|a| self.eval(a, vars)).collect::<Result<Vec<_>, _>>()?;
                match &**head {
                    Exp::Name(name) if vars.iter().any(|(n, _)| n == name) => {
                        return fail(format!("`{name}` is no function"));
                    }
                    Exp::Name(name) => self.apply(name, args)?,
                    Exp::Procedure(name) => self.procedure(name, args)?,
                    _ => return fail("only what has a name can be applied"),
                }
            }
            Exp::Field(of, name) => field(self.eval(of, vars)?, name)?,
            Exp::Index(of, indices) => {
                let (of, indices) = (self.eval(of, vars)?, self.all(indices, vars)?);
                index(of, indices)?
            }
            Exp::Tuple(items) => Val::Tuple(self.all(items, vars)?),
            Exp::Array(items) => Val::Array(self.all(items, vars)?),
            Exp::Record(fields) => {
                let mut vals = Vec::new();
                for (name, exp) in fields {
                    vals.push((name.clone(), self.eval(exp, vars)?));
                }
                Val::Record(vals)
            }
            Exp::Let(bindings, body) => {
                let before = vars.len();
                for (pat, exp) in bindings {
                    let val = self.eval(exp, vars)?;
                    bind(pat, val, vars)?;
                }
                let result = self.eval(body, vars);
                vars.truncate(before);
                result?
            }
        })
    }

    fn all(&mut self, exps: &[Exp], vars: &mut Variables) -> Result<Vec<Val>, ScriptError> {
        exps.iter().map(|e| self.eval(e, vars)).collect()
    }

    fn apply(&mut self, name: &str, args: Vec<Val>) -> Result<Val, ScriptError> {
        let Some((fun, sig)) = self.program.entry(name).and_then(|f| Some((f, f.entry.as_ref()?))) else {
            return fail(format!("there is no entry point `{name}`"));
        };
        let values = leaves(name, sig, args)?;
        let values = entry::arguments(fun, values).map_err(|e| ScriptError(format!("`{name}`: {}", e.message)))?;
        let results = (self.call)(name, values).map_err(|e| ScriptError(format!("`{name}` fails: {}", e.message)))?;
        let mut results = entry::results(fun, results).into_iter();
        built(&sig.result, &mut results).map_or_else(|| fail(format!("`{name}` gives too few results")), Ok)
    }

    fn procedure(&self, name: &str, args: Vec<Val>) -> Result<Val, ScriptError> {
        let file = match &args[..] {
            [Val::Value(Value::Array(a))] => a.slice::<u8>().and_then(|b| std::str::from_utf8(b).ok()),
            _ => None,
        };
        let Some(file) = file else { return fail(format!("${name} wants the name of a file, as text")) };
        let path = self.folder.file(file).map_err(ScriptError)?;
        match name {
            "loaddata" => {
                let mut values: Vec<Val> =
                    data::read(&path, &[]).map_err(ScriptError)?.into_iter().map(Val::Value).collect();
                Ok(if values.len() == 1 { values.remove(0) } else { Val::Tuple(values) })
            }
            "loadbytes" => {
                let bytes = std::fs::read(&path).map_err(|e| ScriptError(format!("{}: {e}", path.display())))?;
                Ok(Val::Value(Array::from_vec(&[bytes.len()], bytes).into()))
            }
            "loadimg" => Ok(Val::Value(data::image(&path).map_err(ScriptError)?)),
            _ => fail(format!("there is no procedure ${name}: there are $loaddata, $loadbytes and $loadimg")),
        }
    }
}

/// Whether a constant says its type: not a bare number.
fn names_its_type(text: &str, x: Scalar) -> bool {
    x.scalar_type() == ScalarType::Bool || text.contains(x.scalar_type().name())
}

fn bind(pat: &Pat, val: Val, vars: &mut Variables) -> Result<(), ScriptError> {
    match (pat, val) {
        (Pat::Name(name), val) => vars.push((name.clone(), val)),
        (Pat::Tuple(names), Val::Tuple(vals)) if names.len() == vals.len() => {
            vars.extend(names.iter().cloned().zip(vals));
        }
        (Pat::Tuple(names), val) => {
            return fail(format!("({}) does not match {}", names.join(", "), describe(&val)));
        }
    }
    Ok(())
}

fn field(of: Val, name: &str) -> Result<Val, ScriptError> {
    let found = match &of {
        Val::Record(fields) => fields.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone()),
        Val::Tuple(vals) => name.parse::<usize>().ok().and_then(|i| vals.get(i).cloned()),
        _ => None,
    };
    found.map_or_else(|| fail(format!("{} has no field `{name}`", describe(&of))), Ok)
}

fn index(of: Val, indices: Vec<Val>) -> Result<Val, ScriptError> {
    let what = describe(&of);
    let none = || ScriptError(format!("{what} has no element there"));
    let mut at = of;
    for i in indices {
        let i = plain(i, Some(ScalarType::I64)).and_then(|v| v.as_scalar()).and_then(Scalar::to_int);
        let row = |value: &Value| match (value, i.and_then(|i| usize::try_from(i).ok())) {
            (Value::Array(a), Some(i)) if i < a.shape()[0] => Some(a.row(i)),
            _ => None,
        };
        at = match at {
            Val::Opaque(EntryType::Array(dims, elem), parts) => {
                let ty = if dims.len() == 1 { *elem } else { EntryType::Array(dims[1..].to_vec(), elem) };
                let rows: Option<Vec<Value>> = parts.iter().map(row).collect();
                rows.and_then(|rows| built(&ty, &mut rows.into_iter()))
            }
            other => plain(other, None).and_then(|v| row(&v)).map(Val::Value),
        }
        .ok_or_else(none)?;
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use futi_core::source::{SourceError, SourceProvider};
    use std::path::Path;

    const PROGRAM: &str = "
entry main (x: i64) (ys: []f64) = f64.i64 x + f64.sum ys
entry pair (n: i64) : (i64, [n]f64) = (n, replicate n 0.5)
entry three : i64 = 3
entry swap (p: (i32, bool)) : (bool, i32) = (p.1, p.0)
entry rows (n: i64) : [n](i64, f64) = map (\\i -> (i, f64.i64 i)) (iota n)
entry total [n] (r: [n](i64, f64)) : f64 = f64.sum (map (.1) r)
entry fails (i: i64) : i64 = [1i64][i]
entry bytes [n] (s: [n]u8) : i64 = n
type maybe 't = #none | #some t
entry some (n: i64) : maybe ([n]i64) = if n > 2 then #some (iota n) else #none
entry length [n] (m: maybe ([n]i64)) : i64 = match m case #none -> -1 case #some xs -> i64.sum xs
entry either (x: i64) : #left i64 | #none = #left x
entry somes (n: i64) : {xs: [n](maybe i64), n: i64} = {xs = map (\\i -> #some (2 * i)) (iota n), n}
entry or (m: maybe i64) : i64 = match m case #none -> -1 case #some x -> x";

    struct Text;
    impl SourceProvider for Text {
        fn read(&self, _: &str) -> Result<String, SourceError> {
            Ok(PROGRAM.into())
        }
    }

    /// The arguments that the script makes for an entry point.
    fn args(entry: &str, script: &str) -> Result<String, String> {
        let program = futi_core::compile("script.fut", &Text).program.unwrap();
        let code = futi_interp::Code::new(&program).unwrap();
        let call = &mut |name: &str, args: Vec<Value>| code.call(name, args, &futi_interp::Ctx::default());
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/script/script.fut");
        let mut scope = Scope { program: &program, call, folder: Folder::of(&here, false) };
        let exp = parse(script).map_err(|e| e.to_string())?;
        let values = arguments(&exp, program.entry(entry).unwrap(), &mut scope).map_err(|e| e.to_string())?;
        Ok(values.iter().map(Value::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn entry_points_are_functions() {
        let pair = Ok("2i64 [0.5f64, 0.5f64]".to_string());
        for script in [
            "pair 2",
            "pair (2i64)",
            "let (n, xs) = pair 2 in (n, xs)",
            "let p = pair 2 in (p.0, p.1)",
            "let xs = [0.5, 0.5] let n = 2 in (n, xs)",
            "(2, [0.5, 0.5])",
            "(2, (pair 2).1)",
        ] {
            assert_eq!(args("main", script), pair, "{script}");
        }
        assert_eq!(args("three", "()"), Ok("".into()));
        assert_eq!(args("pair", "three"), Ok("3i64".into()));
        assert_eq!(args("swap", "(1, true)"), Ok("1i32 true".into()));
        assert_eq!(args("swap", "let (a, b) = swap (1, true) in (b, a)"), Ok("1i32 true".into()));
        // what only entry points can use
        assert_eq!(args("total", "rows 2"), Ok("[0i64, 1i64] [0.0f64, 1.0f64]".into()));
        assert_eq!(args("main", "let r = rows 4 let x = r[3] in (x.0, [x.1])"), Ok("3i64 [3.0f64]".into()));
        assert_eq!(
            args("main", "let r = rows 4 in r[4]").unwrap_err(),
            "a value of type [n](i64, f64) has no element there"
        );
    }

    #[test]
    fn values_of_sum_types_go_from_one_entry_point_to_another() {
        // the number of the constructor, and what each holds: #none, #some [0, 1, 2]
        assert_eq!(args("length", "some 3"), Ok("1u8 [0i64, 1i64, 2i64]".into()));
        assert_eq!(args("main", "(length (some 3), [1])"), Ok("3i64 [1.0f64]".into()));
        // of an array, in a record
        assert_eq!(args("pair", "let r = somes 3 let xs = r.xs let x = xs[2] in or x"), Ok("4i64".into()));
        let error = args("or", "either 3").unwrap_err();
        assert_eq!(error, "`or` wants `m` of type #none | #some i64, not a value of type #left i64 | #none");
    }

    #[test]
    fn constants_take_the_type_that_is_wanted() {
        assert_eq!(args("main", "(1, [2, 3])"), Ok("1i64 [2.0f64, 3.0f64]".into()));
        assert_eq!(args("main", "let xs = [[1.5], [2.5]] in (three, xs[1])"), Ok("3i64 [2.5f64]".into()));
        assert_eq!(args("bytes", "\"ab\""), Ok("[97u8, 98u8]".into()));
        assert_eq!(args("main", "(1, empty([0]f64))"), Ok("1i64 empty([0]f64)".into()));
        let error = args("main", "(1i32, [2.0])").unwrap_err();
        assert_eq!(error, "`main` wants `x` of type i64, not a value of type i32");
    }

    #[test]
    fn files_are_read() {
        // this folder's files are text
        let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/script/eval.rs")).unwrap();
        let read = args("bytes", "$loadbytes \"eval.rs\"").unwrap();
        assert_eq!(read.matches("u8").count(), bytes.len());
        assert!(args("bytes", "$loaddata \"nowhere.in\"").unwrap_err().contains("nowhere.in: No such file"));
        let outside = args("bytes", "$loadbytes \"../script.rs\"").unwrap_err();
        assert_eq!(outside, "../script.rs: this file is outside of the program's folder; `--outside` allows that");
        assert!(args("bytes", "$loadsound \"a.wav\"").unwrap_err().contains("no procedure $loadsound"));
    }

    #[test]
    fn what_has_no_value_is_said() {
        for (script, said) in [
            ("pair 1 2", "`pair` takes 1 arguments (n: i64), got 2"),
            ("nothing 1", "there is no entry point `nothing`"),
            ("fails 3", "`fails` fails: Index [3] out of bounds for array of shape [1]."),
            ("let x = 1 in x 2", "`x` is no function"),
            ("let (a, b) = three in a", "(a, b) does not match a value of type i64"),
            ("(1, 2).7", "(`1`, `2`) has no field `7`"),
            ("let xs = [1] in xs[1]", "an array of `1` has no element there"),
        ] {
            assert_eq!(args("main", script), Err(said.to_string()), "{script}");
        }
    }
}
