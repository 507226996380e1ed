//! Property-based tests: `-- property: p`, where `p` is an entry point `t -> bool` with the attribute `#[prop]`.
//!
//! Candidates are values of the type `t`, at random, or what the entry point of `#[prop(gen(f))]` makes of a size and a seed. The first for which the
//! property does not hold is made smaller, by the entry point of `#[prop(shrink(f))]`, which is given the candidate and a seed, or by halving
//! dimensions and numbers.

use crate::dataset::default_bounds;
use crate::random::{Rng, rebuilt};
use crate::script::Call;
use futi_core::entry::{self, type_name};
use futi_core::failure::RuntimeError;
use futi_core::ir::{EntryType, Fun, Program};
use futi_core::prim::{Scalar, ScalarType};
use futi_core::syntax::ast::{Ast, AttrArg, DeclKind};
use futi_core::value::Value;
use std::collections::BTreeMap;

/// How many candidates are tried.
const CANDIDATES: u64 = 100;
/// How large they get, unless the property says.
const SIZE: i64 = 50;
/// How many times in a row a smaller candidate is looked for in vain.
const PATIENCE: u64 = 50;
/// How many smaller candidates are looked at in all: a shrinker need not end.
const MOST_SHRINKS: u64 = 2000;

/// A property as its attribute describes it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Property {
    /// The entry point that makes candidates.
    pub generator: Option<String>,
    /// The entry point that makes them smaller.
    pub shrinker: Option<String>,
    /// How large they get.
    pub size: Option<i64>,
}

/// The property of that name.
///
/// # Errors
/// There is no such entry point, it has no `#[prop]`, or an argument that is not known.
pub fn find(ast: &Ast, name: &str) -> Result<Property, String> {
    let is = |kind: &DeclKind| matches!(kind, DeclKind::Def { entry: true, def } if &*def.name.name == name);
    let decl = ast.decls.iter().find(|d| is(&d.kind)).ok_or_else(|| format!("there is no entry point `{name}`"))?;
    let attr = decl.attrs.iter().find(|a| &*a.name == "prop").ok_or_else(|| format!("`{name}` has no #[prop]"))?;
    let mut property = Property::default();
    for arg in &attr.args {
        let AttrArg::Attr(arg) = arg else { return Err("#[prop] takes gen(f), shrink(f) and size(n)".into()) };
        match (&*arg.name, &arg.args[..]) {
            ("gen", [AttrArg::Attr(f)]) => property.generator = Some(f.name.to_string()),
            ("shrink", [AttrArg::Attr(f)]) => property.shrinker = Some(f.name.to_string()),
            ("size", [AttrArg::Int(n)]) => property.size = Some(*n),
            (other, _) => return Err(format!("`{other}` in #[prop] is none of gen(f), shrink(f) and size(n)")),
        }
    }
    Ok(property)
}

/// Looks for a candidate for which the property does not hold.
///
/// # Errors
/// The smallest that was found, or what keeps the property from being tested.
pub fn check(program: &Program, name: &str, property: &Property, seed: i64, call: Call) -> Result<(), String> {
    let fun = function(program, name)?;
    let ty = parameters(fun, 1)?[0].clone();
    if result(fun) != Some(&EntryType::Scalar(ScalarType::Bool)) {
        return Err(format!("`{name}` does not return a bool"));
    }
    let generator = property.generator.as_deref().map(|g| function(program, g)).transpose()?;
    generator.map_or(Ok(()), |g| helper(g, &ty, &[ScalarType::I64, ScalarType::U64], false))?;
    let shrinker = property.shrinker.as_deref().map(|s| function(program, s)).transpose()?;
    shrinker.map_or(Ok(()), |s| helper(s, &ty, &[ScalarType::U64], true))?;
    let mut test = Test { fun, ty, generator, shrinker, rng: Rng::new(seed as u64, name), call };
    let most = property.size.unwrap_or(SIZE).max(0);
    for i in 0..CANDIDATES {
        // small ones first, unless the property says how large they are to be
        let size = if property.size.is_some() { most } else { most * i as i64 / CANDIDATES as i64 };
        let candidate = test.candidate(size, i % 2 == 0)?;
        if let Some(what) = test.refuted(&candidate) {
            let (smallest, what, shrinks) = test.shrink(candidate, what)?;
            let shown: Vec<String> = smallest.iter().map(Value::to_string).collect();
            let after = format!("candidate {} of {CANDIDATES}, made smaller {shrinks} times", i + 1);
            return Err(format!("{what} for {} ({after})", shown.join(" ")));
        }
    }
    Ok(())
}

fn function<'a>(program: &'a Program, name: &str) -> Result<&'a Fun, String> {
    program.entry(name).ok_or_else(|| format!("there is no entry point `{name}`"))
}

fn result(fun: &Fun) -> Option<&EntryType> {
    fun.entry.as_ref().map(|sig| &sig.result)
}

/// The types of an entry point's parameters, of which there must be so many.
fn parameters(fun: &Fun, n: usize) -> Result<Vec<&EntryType>, String> {
    let params: Vec<&EntryType> = fun.entry.iter().flat_map(|sig| &sig.params).map(|p| &p.ty).collect();
    if params.len() != n {
        return Err(format!("`{}` takes {} parameters, not {n}", fun.name, params.len()));
    }
    Ok(params)
}

/// Whether an entry point makes candidates, of a candidate or not and of scalars of these types.
fn helper(fun: &Fun, ty: &EntryType, scalars: &[ScalarType], of_candidate: bool) -> Result<(), String> {
    let params = parameters(fun, scalars.len() + usize::from(of_candidate))?;
    let (first, rest) = params.split_at(usize::from(of_candidate));
    let fits = rest.iter().zip(scalars).all(|(p, t)| **p == EntryType::Scalar(*t))
        && first.iter().chain(&result(fun)).all(|t| t.leaves() == ty.leaves());
    let types: Vec<String> = params.iter().map(|t| type_name(t)).collect();
    if fits {
        Ok(())
    } else {
        Err(format!("`{}`, of {}, does not fit {}", fun.name, types.join(" and "), type_name(ty)))
    }
}

/// A candidate: a value for each leaf of its type.
type Candidate = Vec<Value>;

struct Test<'a> {
    fun: &'a Fun,
    ty: EntryType,
    generator: Option<&'a Fun>,
    shrinker: Option<&'a Fun>,
    rng: Rng,
    call: Call<'a>,
}

impl Test<'_> {
    fn run(&mut self, fun: &Fun, values: Vec<Value>) -> Result<Vec<Value>, RuntimeError> {
        let args = entry::arguments(fun, values)?;
        Ok(entry::results(fun, (self.call)(fun.name.as_str(), args)?))
    }

    fn candidate(&mut self, size: i64, small: bool) -> Result<Candidate, String> {
        let Some(generator) = self.generator else {
            let (mut rng, mut sizes) = (self.rng.clone(), BTreeMap::new());
            let values = leaves(&self.ty).iter().map(|leaf| random(leaf, size, small, &mut sizes, &mut rng)).collect();
            self.rng = rng;
            return Ok(values);
        };
        let seed = Scalar::U64(self.rng.bits());
        let values = self.run(generator, vec![Scalar::I64(size).into(), seed.into()]);
        values.map_err(|e| {
            format!("the generator `{}` fails for size {size} and seed {seed}: {}", generator.name, e.message)
        })
    }

    /// Why the property does not hold; none if it does.
    fn refuted(&mut self, candidate: &[Value]) -> Option<String> {
        let fun = self.fun;
        match self.run(fun, candidate.to_vec()).as_deref() {
            Ok([Value::Scalar(Scalar::Bool(true))]) => None,
            Ok(_) => Some("does not hold".into()),
            Err(e) => Some(format!("fails with `{}`", e.message)),
        }
    }

    /// The smallest candidate that is found, why the property does not hold for it, and how many steps led to it.
    fn shrink(&mut self, from: Candidate, why: String) -> Result<(Candidate, String, u64), String> {
        let (mut best, mut what, mut steps, mut looked) = (from, why, 0, 0);
        let mut vain = 0;
        while vain < PATIENCE && looked < MOST_SHRINKS {
            let smaller = match self.shrinker {
                Some(shrinker) => vec![self.shrunk_by(shrinker, &best)?],
                None => smaller(&self.ty, &best),
            };
            let before = steps;
            for candidate in smaller {
                looked += 1;
                // a shrinker may give back what it got
                if candidate == best {
                    continue;
                }
                if let Some(why) = self.refuted(&candidate) {
                    (best, what) = (candidate, why);
                    steps += 1;
                    break;
                }
            }
            match (steps > before, self.shrinker) {
                (true, _) => vain = 0,
                // another seed may do better
                (false, Some(_)) => vain += 1,
                (false, None) => break,
            }
        }
        Ok((best, what, steps))
    }

    fn shrunk_by(&mut self, shrinker: &Fun, best: &[Value]) -> Result<Candidate, String> {
        let seed = Scalar::U64(self.rng.bits());
        let args = best.iter().cloned().chain([seed.into()]).collect();
        let values = self.run(shrinker, args);
        values.map_err(|e| format!("the shrinker `{}` fails for seed {seed}: {}", shrinker.name, e.message))
    }
}

/// A leaf of a type: element type and dimensions. Dimensions of one name are equal; a number is a name as well; one without gets a name of its own.
fn leaves(ty: &EntryType) -> Vec<(ScalarType, Vec<String>)> {
    fn go(ty: &EntryType, outer: &[String], fresh: &mut usize, out: &mut Vec<(ScalarType, Vec<String>)>) {
        match ty {
            EntryType::Scalar(t) => out.push((*t, outer.to_vec())),
            EntryType::Array(dims, elem) => {
                let name = |d: &futi_core::ir::Name| {
                    *fresh += usize::from(d.as_str().is_empty());
                    if d.as_str().is_empty() { format!(" {fresh}") } else { d.to_string() }
                };
                let all: Vec<String> = outer.iter().cloned().chain(dims.iter().map(name)).collect();
                go(elem, &all, fresh, out);
            }
            EntryType::Tuple(ts) | EntryType::Opaque(_, ts) | EntryType::Sum(_, ts, _) => {
                ts.iter().for_each(|t| go(t, outer, fresh, out))
            }
            EntryType::Record(fields) => fields.iter().for_each(|(_, t)| go(t, outer, fresh, out)),
        }
    }
    let mut out = Vec::new();
    go(ty, &[], &mut 0, &mut out);
    out
}

/// A random value. Small ones have numbers no larger than the size.
fn random(
    (ty, dims): &(ScalarType, Vec<String>),
    size: i64,
    small: bool,
    sizes: &mut BTreeMap<String, usize>,
    rng: &mut Rng,
) -> Value {
    let below = |n: u64, rng: &mut Rng| rng.bits() % n.max(1);
    // arrays of arrays have no more elements than arrays
    let most = (size as f64).powf(1.0 / dims.len().max(1) as f64) as u64;
    let shape: Vec<usize> = dims
        .iter()
        .map(|d| d.parse().unwrap_or_else(|_| *sizes.entry(d.clone()).or_insert_with(|| below(most + 1, rng) as usize)))
        .collect();
    let n = futi_core::value::count(&shape);
    let span = size.unsigned_abs().max(1);
    let element = |rng: &mut Rng| match ty {
        // what properties often forget
        t if below(8, rng) == 0 => special(*t, below(4, rng)),
        ScalarType::Bool => Scalar::Bool(rng.bits() & 1 == 1),
        t if t.is_float() => Scalar::from_f64(*t, rng.direction() * if small { span as f64 } else { 1.0 }),
        t if !small => Scalar::from_i64(*t, rng.bits() as i64),
        t if t.is_unsigned() => Scalar::from_i64(*t, below(span + 1, rng) as i64),
        t => Scalar::from_i64(*t, below(2 * span + 1, rng) as i64 - span as i64),
    };
    let elements: Vec<Scalar> = (0..n).map(|_| element(rng)).collect();
    rebuilt(*ty, &shape, elements.into_iter())
}

/// A value on the edge: zero, one, the lowest and the highest integer; of floats also a large one, and a small one that is negative.
fn special(ty: ScalarType, which: u64) -> Scalar {
    let (low, high) = default_bounds(ty);
    match which {
        0 => ty.zero(),
        1 => ty.one(),
        2 => {
            if ty.is_float() {
                Scalar::from_f64(ty, -1e-3)
            } else {
                low
            }
        }
        _ => {
            if ty.is_float() {
                Scalar::from_f64(ty, 1e4)
            } else {
                high
            }
        }
    }
}

/// Candidates that are smaller than this one, the smallest first: of half a dimension, of one row less, with one number nearer to zero.
fn smaller(ty: &EntryType, candidate: &[Value]) -> Vec<Candidate> {
    let leaves = leaves(ty);
    let mut out = Vec::new();
    let mut names: Vec<&String> =
        leaves.iter().flat_map(|(_, dims)| dims).filter(|d| d.parse::<usize>().is_err()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let sizes = leaves.iter().zip(candidate);
        let size = sizes
            .flat_map(|((_, dims), v)| dims.iter().zip(v.shape()))
            .find(|(d, _)| *d == name)
            .map_or(0, |(_, n)| *n);
        // the first half, the second, and without each of the first rows
        let halves = [(0, size / 2), (size / 2, size)].into_iter().map(|(from, to)| (from..to).collect::<Vec<_>>());
        let less = (0..size.min(16)).map(|i| (0..size).filter(|k| *k != i).collect());
        for rows in halves.chain(less).filter(|rows| rows.len() < size) {
            let kept = |((_, dims), v): (&(ScalarType, Vec<String>), &Value)| selected(v, dims, name, &rows);
            out.push(leaves.iter().zip(candidate).map(kept).collect());
        }
    }
    for (i, value) in candidate.iter().enumerate() {
        for k in 0..value.elements().count().min(16) {
            let x = value.elements().nth(k);
            for y in x.map(nearer_to_zero).unwrap_or_default() {
                let elements = value.elements().enumerate().map(|(j, x)| if j == k { y } else { x });
                let mut values = candidate.to_vec();
                values[i] = rebuilt(value.elem(), value.shape(), elements);
                out.push(values);
            }
        }
    }
    out
}

/// The value with these rows alone of each dimension of that name.
fn selected(value: &Value, dims: &[String], name: &str, rows: &[usize]) -> Value {
    let kept: Vec<Vec<usize>> = dims
        .iter()
        .zip(value.shape())
        .map(|(d, n)| if d == name { rows.to_vec() } else { (0..*n).collect() })
        .collect();
    let shape: Vec<usize> = kept.iter().map(Vec::len).collect();
    let Value::Array(array) = value else { return value.clone() };
    let positions = kept.iter().zip(value.shape()).fold(vec![0], |positions, (rows, n)| {
        positions.iter().flat_map(|p| rows.iter().map(move |r| p * n + r)).collect()
    });
    let elements: Vec<Scalar> = positions.into_iter().map(|p| array.get(p)).collect();
    rebuilt(value.elem(), &shape, elements.into_iter())
}

fn nearer_to_zero(x: Scalar) -> Vec<Scalar> {
    let ty = x.scalar_type();
    let (value, zero) = (x.to_f64(), ty.zero());
    if x == zero || value == 0.0 {
        return Vec::new();
    }
    match x.to_int() {
        Some(n) => [0, n / 2, n - n.signum()].into_iter().filter_map(|m| Scalar::from_int(ty, m)).collect(),
        None if ty.is_float() => {
            let whole = value.trunc();
            let nearer = [0.0, if whole == value { value / 2.0 } else { whole }];
            nearer
                .map(|y| Scalar::from_f64(ty, y))
                .into_iter()
                .filter(|y| *y != x && y.to_f64().abs() > 1e-3 || *y == zero)
                .collect()
        }
        None => vec![zero],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiled::Text;
    use futi_core::source::FileId;

    fn checked(source: &str, name: &str) -> Result<(), String> {
        let compiled = futi_core::compile("property.fut", &Text(source.into()));
        let program = compiled.program.unwrap();
        let code = futi_interp::Code::new(&program).unwrap();
        let (ast, _) = futi_core::syntax::parse(FileId(0), source);
        let property = find(&ast, name)?;
        let mut call = |f: &str, args: Vec<Value>| code.call(f, args, &futi_interp::Ctx::default());
        check(&program, name, &property, 1, &mut call)
    }

    #[test]
    fn what_holds_holds() {
        let source = "#[prop] entry involution (xs: []i32) : bool = and (map2 (==) (reverse (reverse xs)) xs)
            #[prop] entry sizes [n] (p: ([n]f64, [n][2]bool, u8)) : bool = length p.0 == length p.1";
        assert_eq!(checked(source, "involution"), Ok(()));
        assert_eq!(checked(source, "sizes"), Ok(()));
    }

    #[test]
    fn counterexamples_are_made_small() {
        let source = "#[prop] entry short (xs: []i32) : bool = length xs < 3
            #[prop] entry below (x: i32) : bool = x < 10
            #[prop] entry safe (x: i64) : bool = 10 / x > -100";
        // three elements, each as near to zero as can be
        let why = checked(source, "short").unwrap_err();
        assert!(why.starts_with("does not hold for [0i32, 0i32, 0i32] (candidate "), "{why}");
        let why = checked(source, "below").unwrap_err();
        assert!(why.starts_with("does not hold for 10i32 ("), "{why}");
        let why = checked(source, "safe").unwrap_err();
        assert!(why.starts_with("fails with `division by zero` for 0i64 ("), "{why}");
    }

    #[test]
    fn generators_and_shrinkers_are_entry_points() {
        let source = "entry even (size: i64) (seed: u64) : i64 = 2 * (size + (if seed > seed then 1 else 20))
            entry less (x: i64) (_: u64) : i64 = x - 2
            #[prop(gen(even), size(7))] entry is_even (x: i64) : bool = x % 2 == 0 && x >= 14
            #[prop(gen(even), shrink(less))] entry small (x: i64) : bool = x < 20
            #[prop(gen(small))] entry misfit (x: i64) : bool = x < 20
            #[prop(generator(even))] entry unknown (x: i64) : bool = x < 20
            entry plain (x: i64) : bool = x < 20";
        assert_eq!(checked(source, "is_even"), Ok(()));
        let why = checked(source, "small").unwrap_err();
        assert!(why.starts_with("does not hold for 20i64 ("), "{why}");
        assert_eq!(checked(source, "misfit"), Err("`small` takes 1 parameters, not 2".into()));
        assert!(checked(source, "unknown").unwrap_err().starts_with("`generator` in #[prop] is none of"));
        assert_eq!(checked(source, "plain"), Err("`plain` has no #[prop]".into()));
        assert_eq!(checked(source, "nothing"), Err("there is no entry point `nothing`".into()));
    }
}
