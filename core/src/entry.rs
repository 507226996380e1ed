//! Entry points seen from outside: the caller gives one value for each leaf of the source parameters; the IR function also takes the sizes, and may
//! return sizes before its results.

use crate::failure::{FailureKind, RuntimeError};
use crate::hash::HashMap;
use crate::ir::{Dim, EntrySig, EntryType, Fun, FunParam, Var};
use crate::prim::{Scalar, ScalarType};
use crate::value::{Array, Column, Value};

/// Element type and rank of each value that the entry point reads, in order.
pub fn inputs(sig: &EntrySig) -> Vec<(ScalarType, usize)> {
    let given = |ty: &EntryType| ty.leaves().into_iter().zip(units(ty)).filter(|(_, unit)| !unit).map(|(leaf, _)| leaf);
    sig.params.iter().flat_map(|p| given(&p.ty).collect::<Vec<_>>()).collect()
}

/// Which leaves of a type are the unit, of which there is but one value: callers neither give nor get it. What is opaque is given as it was got.
fn units(ty: &EntryType) -> Vec<bool> {
    match ty {
        EntryType::Tuple(ts) if ts.is_empty() => vec![true],
        EntryType::Tuple(ts) => ts.iter().flat_map(units).collect(),
        EntryType::Record(fields) => fields.iter().flat_map(|(_, t)| units(t)).collect(),
        EntryType::Scalar(_) | EntryType::Array(..) | EntryType::Opaque(..) | EntryType::Sum(..) => {
            vec![false; ty.leaves().len()]
        }
    }
}

/// The arguments of the IR function for these values: sizes taken from their shapes, then the values. Fails, in one line, when number, types or
/// shapes do not fit.
pub fn arguments(fun: &Fun, values: Vec<Value>) -> Result<Vec<Value>, RuntimeError> {
    let fail = |message: String| Err(RuntimeError::new(FailureKind::Arguments, message));
    let Some(sig) = &fun.entry else { return fail(format!("{} is not an entry point", fun.name)) };
    let units: Vec<bool> = sig.params.iter().flat_map(|p| units(&p.ty)).collect();
    let count = units.iter().filter(|unit| !**unit).count();
    if count != values.len() {
        let plural = if count == 1 { "" } else { "s" };
        let expected = sig.params.iter().map(|p| format!("{}: {}", p.name, type_name(&p.ty))).collect::<Vec<_>>();
        return fail(format!(
            "entry point {} takes {} value{plural} ({}), got {}",
            fun.name,
            count,
            expected.join(", "),
            values.len()
        ));
    }
    let mut given = values.into_iter();
    let unit = Value::Scalar(Scalar::Bool(false));
    let values: Vec<Value> =
        units.iter().filter_map(|is| if *is { Some(unit.clone()) } else { given.next() }).collect();
    let shapes: Vec<_> = values.iter().map(|v| (v.elem(), v.shape().to_vec())).collect();
    let sizes = sizes(fun, &shapes)?;
    let mut at = 0;
    for param in &sig.params {
        let own = &values[at..at + param.ty.leaves().len()];
        if !are_constructors(&param.ty, own) {
            return fail(format!("argument `{}` has a number that is no constructor's", param.name));
        }
        at += own.len();
    }
    Ok(sizes.into_iter().chain(values).collect())
}

/// Whether what stands for the constructors of sums in these leaves of a value, which have the types of the type's leaves, are numbers of constructors.
pub fn are_constructors(ty: &EntryType, leaves: &[Value]) -> bool {
    let parts = |mut ts: &mut dyn Iterator<Item = &EntryType>| {
        let mut rest = leaves;
        Iterator::all(&mut ts, |t| {
            let (own, after) = rest.split_at(t.leaves().len().min(rest.len()));
            rest = after;
            are_constructors(t, own)
        })
    };
    match ty {
        EntryType::Scalar(_) => true,
        EntryType::Array(_, elem) => are_constructors(elem, leaves),
        EntryType::Tuple(ts) | EntryType::Opaque(_, ts) => parts(&mut ts.iter()),
        EntryType::Record(fields) => parts(&mut fields.iter().map(|(_, t)| t)),
        EntryType::Sum(_, _, variants) => {
            let Some(number) = leaves.first() else { return false };
            let known = |x: Scalar| x.to_int().is_some_and(|n| (0..variants.len() as i128).contains(&n));
            number.elements().all(known)
                && variants.iter().enumerate().all(|(n, variant)| {
                    // what has no values of its constructor means nothing
                    let is = |x: &Scalar| x.to_int() == Some(n as i128);
                    let held = |place: &usize| {
                        let leaf = &leaves[*place];
                        if leaf.shape() != number.shape() {
                            return leaf.clone();
                        }
                        let zero = leaf.elem().zero();
                        let own = number.elements().zip(leaf.elements()).map(|(x, y)| if is(&x) { y } else { zero });
                        match leaf {
                            Value::Scalar(_) => own.map(Value::Scalar).next(),
                            Value::Array(a) => {
                                Column::from_scalars(leaf.elem(), own).map(|c| Array::new(a.shape(), c).into())
                            }
                        }
                        .unwrap_or_else(|| leaf.clone())
                    };
                    let nested = variant.holds.iter().any(has_sum);
                    let own: Vec<Value> = if nested { variant.places.iter().map(held).collect() } else { Vec::new() };
                    !nested || are_constructors(&EntryType::Tuple(variant.holds.clone()), &own)
                })
        }
    }
}

/// Whether values of the type have numbers of constructors.
fn has_sum(ty: &EntryType) -> bool {
    match ty {
        EntryType::Scalar(_) => false,
        EntryType::Array(_, elem) => has_sum(elem),
        EntryType::Tuple(ts) | EntryType::Opaque(_, ts) => ts.iter().any(has_sum),
        EntryType::Record(fields) => fields.iter().any(|(_, t)| has_sum(t)),
        EntryType::Sum(..) => true,
    }
}

/// The sizes before the arguments of the IR function, for arguments of these types and shapes, leaf by leaf. Fails, in one line, where these do not fit.
pub fn sizes(fun: &Fun, shapes: &[(ScalarType, Vec<usize>)]) -> Result<Vec<Value>, RuntimeError> {
    let fail = |message: String| Err(RuntimeError::new(FailureKind::Arguments, message));
    let Some(sig) = &fun.entry else { return fail(format!("{} is not an entry point", fun.name)) };
    let leaves = sig.params.iter().flat_map(|p| vec![format!("`{}`", p.name); p.ty.leaves().len()]);
    let params = &fun.params[sig.sizes..];
    let mut known: HashMap<Var, (i64, String)> = HashMap::default();
    for ((param, (elem, shape)), leaf) in params.iter().zip(shapes).zip(leaves) {
        let ty = &param.binder.ty;
        let text = || shape.iter().map(|n| format!("[{n}]")).collect::<String>();
        if ty.elem() != Some(*elem) || ty.rank() != shape.len() {
            let want = "[]".repeat(ty.rank()) + ty.elem().map_or("", ScalarType::name);
            return fail(format!("argument {leaf} has type {}{elem}, expected {want}", text()));
        }
        for (d, (dim, &actual)) in ty.shape().iter().zip(shape).enumerate() {
            let (expected, source) = match dim {
                Dim::Const(n) => (*n, "its type".to_string()),
                Dim::Var(v) => {
                    let (n, first) = known.entry(*v).or_insert((actual as i64, leaf.clone()));
                    (*n, format!("the shape of {first}"))
                }
            };
            if expected != actual as i64 {
                let shape = text();
                return fail(format!(
                    "argument {leaf} has shape {shape}, which does not match {source}: dimension {d} is {expected}"
                ));
            }
        }
    }
    let mut sizes = Vec::new();
    for size in &fun.params[..sig.sizes] {
        match known.get(&size.binder.var) {
            Some((n, _)) => sizes.push(Value::Scalar(Scalar::I64(*n))),
            None => {
                return fail(format!(
                    "entry point {} has a size, {}, that no argument shows",
                    fun.name, size.binder.name
                ));
            }
        }
    }
    Ok(sizes)
}

/// The arguments of parameters of which the first are sizes: these, taken from the shapes of the values for the others, and the values. A size that no value shows
/// is zero: [`arguments`] refuses such parameters, and no other code asks for them.
pub fn with_sizes(params: &[FunParam], sizes: usize, values: Vec<Value>) -> Vec<Value> {
    let (sizes, params) = params.split_at(sizes);
    let mut known: HashMap<Var, i64> = HashMap::default();
    for (param, value) in params.iter().zip(&values) {
        for (dim, n) in param.binder.ty.shape().iter().zip(value.shape()) {
            if let Dim::Var(v) = dim {
                known.entry(*v).or_insert(*n as i64);
            }
        }
    }
    let sizes = sizes.iter().map(|p| Value::Scalar(Scalar::I64(known.get(&p.binder.var).copied().unwrap_or(0))));
    sizes.chain(values).collect()
}

/// The results that the source sees: without the sizes before them, and without units.
pub fn results(fun: &Fun, mut values: Vec<Value>) -> Vec<Value> {
    let Some(sig) = &fun.entry else { return values };
    let units = units(&sig.result);
    let values = values.split_off(values.len().saturating_sub(units.len()));
    values.into_iter().zip(units).filter(|(_, unit)| !unit).map(|(v, _)| v).collect()
}

/// The fields of a record or tuple by their names, which are numbers in a tuple; none of anything else.
pub fn fields(ty: &EntryType) -> Option<Vec<(String, &EntryType)>> {
    match ty {
        EntryType::Tuple(parts) => Some(parts.iter().enumerate().map(|(i, t)| (i.to_string(), t)).collect()),
        EntryType::Record(fields) => Some(fields.iter().map(|(name, t)| (name.to_string(), t)).collect()),
        EntryType::Scalar(_) | EntryType::Array(..) | EntryType::Opaque(..) | EntryType::Sum(..) => None,
    }
}

/// The type as the source writes it: `([n]f64, i32)`.
pub fn type_name(ty: &EntryType) -> String {
    let list = |ts: &[EntryType]| ts.iter().map(type_name).collect::<Vec<_>>().join(", ");
    match ty {
        EntryType::Scalar(t) => t.to_string(),
        EntryType::Array(dims, elem) => {
            let dims: String = dims.iter().map(|d| format!("[{d}]")).collect();
            match &**elem {
                EntryType::Sum(..) => format!("{dims}({})", type_name(elem)),
                elem => dims + &type_name(elem),
            }
        }
        EntryType::Tuple(ts) => format!("({})", list(ts)),
        EntryType::Record(fields) => {
            let fields: Vec<String> = fields.iter().map(|(n, t)| format!("{n}: {}", type_name(t))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        EntryType::Opaque(name, _) | EntryType::Sum(name, ..) => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Program;
    use crate::value::text::parse_values;

    fn call(text: &str) -> String {
        let program: Program = "futi-ir 1
            entry \"f\"(n_0: i64, xs_1: [n_0]f64, ys_2: [n_0][2]f64, k_3: i64) -> (m_4: i64, r_5: [m_4]f64)
              sig 1 (\"xs\": [\"n\"]f64, \"p\": ([\"n\"][\"2\"]f64, i64)) -> [\"\"]f64 { in (n_0, xs_1) }"
            .parse()
            .unwrap();
        match arguments(&program.funs[0], parse_values(text).unwrap()) {
            Ok(args) => args.iter().map(Value::to_string).collect::<Vec<_>>().join(" "),
            Err(e) => e.message,
        }
    }

    #[test]
    fn sizes_come_from_shapes() {
        assert_eq!(call("[1.0] [[1.0, 2.0]] 3i64"), "1i64 [1.0f64] [[1.0f64, 2.0f64]] 3i64");
    }

    #[test]
    fn misfits_are_one_line() {
        assert_eq!(call("[1.0]"), "entry point f takes 3 values (xs: [n]f64, p: ([n][2]f64, i64)), got 1");
        assert_eq!(call("[1] [[1.0, 2.0]] 3i64"), "argument `xs` has type [1]i32, expected []f64");
        assert_eq!(
            call("[1.0, 2.0] [[1.0, 2.0]] 3i64"),
            "argument `p` has shape [1][2], which does not match the shape of `xs`: dimension 0 is 2"
        );
        assert_eq!(
            call("[1.0] [[1.0]] 3i64"),
            "argument `p` has shape [1][1], which does not match its type: dimension 1 is 2"
        );
    }

    #[test]
    fn leading_sizes_are_not_results() {
        let program: Program = "futi-ir 1
            entry \"f\"() -> (m_4: i64, r_5: [m_4]f64) sig 0 () -> [\"\"]f64 { let (a_6: [1]f64) = array [1.0f64] of f64 in (1i64, a_6) }"
            .parse()
            .unwrap();
        let values = parse_values("1i64 [1.0]").unwrap();
        assert_eq!(results(&program.funs[0], values.clone()), values[1..]);
    }
}
