//! The kernels of a nest: one invocation of each point, or workgroups of each segment of a reduction.

use super::array::Array;
use super::emit::{Context, Emitted, Emitter, Value, store};
use super::{Arg, Cost, Kernel, Site};
use crate::glsl::type_name;
use futi_core::ir::*;
use std::fmt::Write;

/// A kernel whose invocations run the points of a nest without reductions: each the points that are congruent to it modulo their number.
pub fn map_kernel(
    seg: &SegOp,
    group_size: u32,
    context: &Context,
    sites: &mut Vec<Site>,
    prov: Prov,
) -> Emitted<Kernel> {
    let mut e = Emitter::new(context, sites, prov);
    let results = results(&mut e, seg, 0)?;
    let indices = bind_space(&mut e, seg);
    let (point, ()) = e.aside(|e| {
        let rows = rows(e, seg, &results, &indices);
        let values = e.body(&seg.body)?;
        write_results(e, &results, &rows, &indices, &values)
    })?;
    let params: Vec<String> = indices.iter().map(|i| format!("int64_t {i}")).collect();
    let functions = format!("\nvoid point({}) {{\n{point}}}\n", params.join(", "));
    let (main, ()) = e.aside(|e| {
        e.line("if (RefU32(failure).v != 0u) return;");
        e.looped("for (int64_t place = tid; place < points; place += threads)", |e| {
            split(e, &seg.space, &indices, "place")?;
            e.line(format!("point({});", indices.join(", ")));
            Ok(())
        })
    })?;
    e.finish(&functions, "", &main, group_size)
}

/// A kernel whose workgroups reduce the segments of a nest: a segment is cut into chunks of so many points, one for each workgroup in turn. With one
/// chunk a segment, the results are the reductions; else they have a last dimension over the chunks and are to be reduced once more.
///
/// The operands are scalars. Each invocation combines its points of the chunk, then neighbours combine: in order, unless all operators are
/// commutative; then the invocations' points interleave, so that neighbours read neighbouring memory.
pub fn reduce_kernel(
    seg: &SegOp,
    group_size: u32,
    context: &Context,
    sites: &mut Vec<Site>,
    prov: Prov,
) -> Emitted<Kernel> {
    let mut e = Emitter::new(context, sites, prov);
    e.global("int64_t", "chunks", Arg::Chunks, |word| format!("int64_t({word})"));
    let types: Vec<ScalarType> = operand_types(&e, seg)?;
    let reduced = types.len();
    let (outer, inner) = seg.space.split_at(seg.space.len() - 1);
    let mapped = results(&mut e, seg, reduced)?;
    for k in 0..reduced {
        e.global("uint64_t", &format!("r{k}"), Arg::Result(k), |word| word);
    }
    let indices = bind_space(&mut e, seg);
    let outs = |prefix: &str| -> Vec<String> {
        types.iter().enumerate().map(|(k, ty)| format!("out {} {prefix}{k}", type_name(*ty))).collect()
    };
    let zeros = |e: &mut Emitter, prefix: &str| {
        for (k, ty) in types.iter().enumerate() {
            e.line(format!("{prefix}{k} = {};", crate::glsl::literal(ty.zero())));
        }
    };

    // The operands of one point; its other results are stored.
    let (point, ()) = e.aside(|e| {
        zeros(e, "p");
        let values = e.body(&seg.body)?;
        write_results(e, &mapped, &[], &indices, &values[reduced..])?;
        assign(e, "p", &values[..reduced]);
        Ok(())
    })?;
    let params: Vec<String> = indices.iter().map(|i| format!("int64_t {i}")).chain(outs("p")).collect();
    let mut functions = format!("\nvoid point({}) {{\n{point}}}\n", params.join(", "));
    let point_cost = e.costs.pop().unwrap_or_default();
    e.costs.push(Vec::new());

    // All operators together.
    let (combine, ()) = e.aside(|e| {
        zeros(e, "q");
        let mut first = 0;
        for op in &seg.reduces {
            let n = op.neutral.len();
            let operands =
                |side: &str| (first..first + n).map(|k| Value::Scalar(format!("{side}{k}"))).collect::<Vec<_>>();
            let values = e.apply(&op.lambda, &[operands("m"), operands("n")].concat())?;
            values
                .iter()
                .enumerate()
                .for_each(|(k, value)| assign(e, &format!("q{}", first + k), std::slice::from_ref(value)));
            first += n;
        }
        Ok(())
    })?;
    let ins = |side: &str| -> Vec<String> {
        types.iter().enumerate().map(|(k, ty)| format!("{} {side}{k}", type_name(*ty))).collect()
    };
    let params = [ins("m"), ins("n"), outs("q")].concat().join(", ");
    let _ = write!(functions, "\nvoid combine({params}) {{\n{combine}}}\n");
    let combine_cost = e.costs.pop().unwrap_or_default();
    e.costs.push(vec![Cost::Sum(0, point_cost), Cost::Sum(0, combine_cost)]);

    let mut shared = String::from("shared bool stop;\n");
    for (k, ty) in types.iter().enumerate() {
        let _ = writeln!(shared, "shared {} sh{k}[{group_size}];", type_name(*ty));
    }
    let names =
        |prefix: &str, suffix: &str| -> Vec<String> { (0..reduced).map(|k| format!("{prefix}{k}{suffix}")).collect() };
    let commutative = seg.reduces.iter().all(|op| op.commutative);
    let (main, ()) = e.aside(|e| {
        e.line("uint lane = gl_LocalInvocationID.x;");
        e.line("if (lane == 0u) stop = RefU32(failure).v != 0u;");
        e.line("barrier();");
        e.line("if (stop) return;");
        let size = e.dim(inner[0].1)?;
        e.line(format!("int64_t each = index_div({size} + chunks - int64_t(1), chunks);"));
        e.looped("for (int64_t task = int64_t(gl_WorkGroupID.x); task < points * chunks; task += int64_t(gl_NumWorkGroups.x))", |e| {
            e.line("int64_t segment = index_div(task, chunks);");
            split(e, outer, &indices, "segment")?;
            e.line("int64_t from = (task - segment * chunks) * each;");
            e.line(format!("int64_t to = min(from + each, {size});"));
            let neutral: Vec<SubExp> = seg.reduces.iter().flat_map(|op| op.neutral.clone()).collect();
            for ((k, ty), ne) in types.iter().enumerate().zip(neutral) {
                let ne = e.scalar(ne)?;
                e.line(format!("{} acc{k} = {ne};", type_name(*ty)));
                e.line(format!("{} p{k};", type_name(*ty)));
                e.line(format!("{} q{k};", type_name(*ty)));
            }
            let last = &indices[indices.len() - 1];
            let head = if commutative {
                format!("for (int64_t {last} = from + int64_t(lane); {last} < to; {last} += int64_t({group_size}))")
            } else {
                e.line(format!("int64_t run = (to - from + int64_t({})) / int64_t({group_size});", group_size - 1));
                e.line("int64_t end = min(from + (int64_t(lane) + int64_t(1)) * run, to);");
                format!("for (int64_t {last} = from + int64_t(lane) * run; {last} < end; {last}++)")
            };
            e.looped(&head, |e| {
                e.line(format!("point({});", [indices.clone(), names("p", "")].concat().join(", ")));
                e.line(format!("combine({});", [names("acc", ""), names("p", ""), names("q", "")].concat().join(", ")));
                (0..reduced).for_each(|k| e.line(format!("acc{k} = q{k};")));
                Ok(())
            })?;
            (0..reduced).for_each(|k| e.line(format!("sh{k}[lane] = acc{k};")));
            e.line("barrier();");
            e.looped(&format!("for (uint step = 1u; step < {group_size}u; step *= 2u)"), |e| {
                e.block(&format!("if (lane % (2u * step) == 0u && lane + step < {group_size}u)"), |e| {
                    let (a, b) = (names("sh", "[lane]"), names("sh", "[lane + step]"));
                    e.line(format!("combine({});", [a, b, names("q", "")].concat().join(", ")));
                    (0..reduced).for_each(|k| e.line(format!("sh{k}[lane] = q{k};")));
                    Ok(())
                })?;
                e.line("barrier();");
                Ok(())
            })?;
            e.block("if (lane == 0u)", |e| {
                for (k, ty) in types.iter().enumerate() {
                    let address = format!("(r{k} + uint64_t(task) * {}UL)", ty.bytes());
                    e.line(store(*ty, &address, &format!("sh{k}[0]")));
                }
                Ok(())
            })?;
            // No barrier: all others have read for the last time before the tree's last one.
            Ok(())
        })
    })?;
    e.finish(&functions, &shared, &main, group_size)
}

/// The types of the reductions' operands, which are scalars.
fn operand_types(e: &Emitter, seg: &SegOp) -> Emitted<Vec<ScalarType>> {
    let operands = seg.reduces.iter().flat_map(|op| &op.lambda.ret);
    let scalar = |ty: &Type| match ty {
        Type::Scalar(ty) => Ok(*ty),
        _ => Err(e.unsupported("a reduction of arrays by workgroups", "operands that are scalars")),
    };
    operands.map(scalar).collect()
}

/// Sets `prefix0`, `prefix1` …, or `prefix` itself where it is one name already, to values.
fn assign(e: &mut Emitter, prefix: &str, values: &[Value]) {
    let numbered = !prefix.ends_with(|c: char| c.is_ascii_digit());
    for (k, value) in values.iter().enumerate() {
        if let Value::Scalar(value) = value {
            let name = if numbered { format!("{prefix}{k}") } else { prefix.to_owned() };
            e.line(format!("{name} = {value};"));
        }
    }
}

/// The arrays that hold the mapped results, from the one of that number on; nothing for accumulators.
fn results(e: &mut Emitter, seg: &SegOp, first: usize) -> Emitted<Vec<Option<Array>>> {
    let types = seg.result_types(e.context.vars).into_iter().enumerate().skip(first);
    let result = |(k, ty)| match ty {
        Type::Array(elem, shape) => {
            let base = format!("r{k}");
            e.global("uint64_t", &base, Arg::Result(k), |word| word);
            e.packed(elem, &shape, base, "int64_t(1)", false).map(Some)
        }
        Type::Scalar(_) | Type::Acc(_) | Type::Cert => Ok(None),
    };
    types.map(result).collect()
}

/// Names for the indices of a point.
fn bind_space(e: &mut Emitter, seg: &SegOp) -> Vec<String> {
    let names: Vec<String> = seg.space.iter().map(|_| e.fresh("i")).collect();
    for ((index, _), name) in seg.space.iter().zip(&names) {
        e.bind(index.var, Value::Scalar(name.clone()));
    }
    names
}

/// The rows of the results that are arrays at each point, which are made there.
fn rows(e: &mut Emitter, seg: &SegOp, results: &[Option<Array>], indices: &[String]) -> Vec<Option<Array>> {
    let operands = &seg.body.result;
    let row = |(operand, result): (&SubExp, &Option<Array>)| match (operand, result) {
        (SubExp::Var(v), Some(array)) if array.shape.len() > indices.len() => {
            let row = e.row(array, indices);
            if operands.iter().filter(|r| *r == operand).count() == 1 {
                e.places.insert(*v, row.clone());
            }
            Some(row)
        }
        _ => None,
    };
    operands.iter().zip(results).map(row).collect()
}

fn write_results(
    e: &mut Emitter,
    results: &[Option<Array>],
    rows: &[Option<Array>],
    indices: &[String],
    values: &[Value],
) -> Emitted<()> {
    for (k, (result, value)) in results.iter().zip(values).enumerate() {
        match (rows.get(k), result, value) {
            (Some(Some(row)), _, Value::Array(source)) => e.copy(row, source)?,
            (_, Some(array), _) => e.write(array, indices, value)?,
            (_, None, _) => {}
        }
    }
    Ok(())
}

/// Declares the indices of the point of a flat number.
fn split(e: &mut Emitter, space: &[(Binder, Dim)], indices: &[String], flat: &str) -> Emitted<()> {
    let mut rest = flat.to_owned();
    for (k, (_, dim)) in space.iter().enumerate().rev() {
        if k == 0 {
            e.line(format!("int64_t {} = {rest};", indices[0]));
            continue;
        }
        let size = e.dim(*dim)?;
        let next = e.declare(ScalarType::I64, "d", &format!("index_div({rest}, {size})"));
        e.line(format!("int64_t {} = {rest} - {next} * {size};", indices[k]));
        rest = next;
    }
    Ok(())
}
