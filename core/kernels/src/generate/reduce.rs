//! The kernels of a reduction: one invocation of each segment, or groups.

use super::emit::{BlockArg, Context, Emitter, Launchable, Made, ParamArg, Refusal, Value};
use super::exps::*;
use super::nest::{results, split, write_results};
use super::unshared::unshared;
use crate::build::Maker;
use crate::ir::{self, Builtin, Exp, GroupSizes};
use futi_core::ir::build::{Builder, Vars, reduce_exp};
use futi_core::ir::{Binder, Body, Dim, Exp as Ir, Lambda, Operator, Prov, ScalarType, SegOp, Stm, SubExp, Type};

/// A kernel whose groups reduce the segments of a nest: a segment is cut into chunks of so many points, one for each group in turn. With one chunk a segment, the results are the reductions;
/// else they have a last dimension over the chunks and are to be reduced once more.
///
/// The operands are scalars. Each invocation combines its points of the chunk, then neighbours combine: in order, unless all operators are commutative; then the invocations' points interleave,
/// so that neighbours read neighbouring memory.
pub(super) fn reduce_kernel(name: &str, seg: &SegOp, context: &Context, prov: Prov) -> Made<Launchable> {
    let group = GroupSizes { power_of_two: true, ..GroupSizes::ANY };
    let mut e = Emitter::new(name, group, &futi_core::ir::Exp::SegOp(seg.clone()), context, prov)?;
    // mutant removal: to update atomically, or under a lock, takes time, and no more
    e.unshared = unshared(seg, context.vars, context.numbers);
    let chunks = e.param("chunks", ScalarType::I64, ParamArg::Chunks);
    let types = operand_types(&e, seg)?;
    let reduced = types.len();
    let (outer, inner) = seg.space.split_at(seg.space.len() - 1);
    let (last, width) = &inner[0];
    let mapped = results(&mut e, seg, reduced)?;
    let outputs: Vec<ir::Array> =
        (0..reduced).map(|k| ir::Array::Block(e.block("result", types[k], BlockArg::Result(k)))).collect();
    let shared: Vec<ir::Array> = types.iter().map(|ty| e.doing().declare().shared("part", *ty, 0, 1)).collect();
    let (lane64, size64) = (builtin(Builtin::Invocation), builtin(Builtin::GroupSize));
    let (points, width) = (e.points.clone(), e.dim(*width)?);
    let each = quotient(minus(plus(width.clone(), chunks.clone()), ONE), chunks.clone());
    let each = e.named("each", each);
    let tasks = [builtin(Builtin::Group), times(points.clone(), chunks.clone()), builtin(Builtin::Groups)];
    let commutative = seg.operators().iter().all(|op| op.commutative);
    e.looped(ScalarType::I64, "task", tasks, None, |e, task| {
        let segment = e.named("segment", quotient(task.clone(), chunks.clone()));
        let mut indices = split(e, outer, segment.clone())?;
        let from = times(minus(task.clone(), times(segment.clone(), chunks.clone())), each.clone());
        let from = e.named("from", from);
        let to = e.named("to", least(plus(from.clone(), each.clone()), width.clone()));
        let accs = e.accumulators(seg.operators(), &[])?;
        let bounds = if commutative {
            [plus(from, lane64.clone()), to, size64.clone()]
        } else {
            let run = quotient(plus(minus(to.clone(), from.clone()), minus(size64.clone(), ONE)), size64.clone());
            let run = e.named("run", run);
            let begin = e.named("begin", plus(from, times(lane64.clone(), run.clone())));
            [begin.clone(), least(plus(begin, run), to), ONE]
        };
        e.looped(ScalarType::I64, last.name.as_str(), bounds, None, |e, i| {
            e.point = plus(times(segment.clone(), width.clone()), i.clone());
            e.bind(last.var, Value::Scalar(i.clone()));
            indices.push(i);
            let values = e.body(&seg.body)?;
            write_results(e, &mapped, &[], &indices, &values[reduced..])?;
            e.combine(seg.operators(), &accs, &values[..reduced])
        })?;
        // what fails when parts are combined fails at the segment's first point
        e.point = times(segment.clone(), width.clone());
        combine_neighbours(e, seg.operators(), &accs, &shared)?;
        let first = Exp::Lit(ScalarType::I32.zero());
        e.when(same(ScalarType::I32, Exp::Builtin(Builtin::Invocation), first), |e| {
            for (array, acc) in outputs.iter().zip(&accs) {
                if let Value::Scalar(acc) = acc {
                    e.doing().store(*array, task.clone(), acc.clone());
                }
            }
            // No barrier: all others have read for the last time before the last one.
            Ok(())
        })
    })?;
    e.finish(times(points, width))
}

/// What each invocation of a group, of a power of two of them, has come to is combined, neighbours first: the first invocation's variables, and its parts, hold what all come to. It ends with a
/// barrier.
pub(super) fn combine_neighbours(e: &mut Emitter, ops: &[Operator], accs: &[Value], parts: &[ir::Array]) -> Made<()> {
    let (lane, size) = (Exp::Builtin(Builtin::Invocation), Exp::Builtin(Builtin::GroupSize));
    let store = |e: &mut Emitter| {
        for (array, acc) in parts.iter().zip(accs) {
            if let Value::Scalar(acc) = acc {
                e.doing().store(*array, lane.clone(), acc.clone());
            }
        }
    };
    store(e);
    e.doing().barrier();
    let i32 = ScalarType::I32;
    let one = Exp::Lit(i32.one());
    let int = |op, a: Exp, b: Exp| Exp::Prim(futi_core::ir::Prim::Bin(op, i32), vec![a, b]);
    use futi_core::ir::BinOp::{Add, Rem};
    let step = e.local("step", i32);
    e.set(step, one.clone());
    let again = e.local("again", ScalarType::Bool);
    e.set(again, less(i32, one.clone(), size.clone()));
    e.while_true(Exp::Local(again), |e| {
        let twice = int(Add, Exp::Local(step), Exp::Local(step));
        let other = int(Add, lane.clone(), Exp::Local(step));
        let leads = same(i32, int(Rem, lane.clone(), twice.clone()), Exp::Lit(i32.zero()));
        // mutant swap: both hold
        e.when(all([leads, less(i32, other.clone(), size.clone())]), |e| {
            let values = parts.iter().map(|array| Value::Scalar(e.doing().load("x", *array, other.clone())));
            let values: Vec<Value> = values.collect();
            e.combine(ops, accs, &values)?;
            store(e);
            Ok(())
        })?;
        e.doing().barrier();
        e.set(step, twice);
        e.set(again, less(i32, Exp::Local(step), size.clone()));
        Ok(())
    })
}

/// The types of the reductions' operands, which are scalars.
fn operand_types(e: &Emitter, seg: &SegOp) -> Made<Vec<ScalarType>> {
    let operands = seg.operators().iter().flat_map(|op| &op.lambda.ret);
    let scalar = |ty: &Type| match ty {
        Type::Scalar(ty) => Ok(*ty),
        _ => Err::<_, Refusal>(e.unsupported("a reduction of arrays by workgroups", "operands that are scalars")),
    };
    operands.map(scalar).collect()
}

fn plain(pat: Vec<Binder>, exp: Ir) -> Stm {
    Stm { pat, exp, certs: vec![], attrs: vec![], prov: Prov::UNKNOWN }
}

/// The nest without its last dimension, which becomes a loop in each point.
pub(super) fn one_each(seg: &SegOp, vars: &mut Vars) -> SegOp {
    let mut seg = seg.clone();
    let Some((index, width)) = seg.space.pop() else { return seg };
    if seg.space.is_empty() {
        // mutant off by one: how many points there are the host says
        seg.space.push((vars.fresh("i", Type::I64), Dim::Const(1)));
    }
    let own = seg.body.clone();
    let body = Builder::new(vars, Prov::UNKNOWN).inner(|b| sequential(b, &seg, width, index, own));
    let types = body.result.iter().map(|e| vars.type_of(*e)).collect();
    SegOp::map(seg.level, seg.space, types, body)
}

/// The reductions of a nest over one dimension, and what is mapped there, as sequential code; the values of the results.
pub(super) fn sequential(b: &mut Builder, seg: &SegOp, width: Dim, index: Binder, body: Body) -> Vec<SubExp> {
    let iota = b.iota(width);
    let map = Lambda { params: vec![index], ret: seg.ret.clone(), body };
    let reduces = seg.operators().to_vec();
    b.let_many("x", reduce_exp(width, vec![iota], map, reduces)).into_iter().map(SubExp::from).collect()
}

/// The reduction of what the first kernel has left: its operands with one more dimension, over the chunks; and what it calls them and their number.
pub(super) fn once_more(seg: &SegOp, reduced: usize, vars: &mut Vars) -> (SegOp, Vec<Binder>, Binder) {
    let chunks = vars.fresh("chunks", Type::I64);
    let outer: Vec<Dim> = seg.space[..seg.space.len() - 1].iter().map(|(_, dim)| *dim).collect();
    let dims = [&outer[..], &[Dim::Var(chunks.var)]].concat();
    let partial: Vec<Binder> = seg.ret[..reduced].iter().map(|ty| vars.fresh("partial", ty.array_of(&dims))).collect();
    let space: Vec<(Binder, Dim)> = dims.iter().map(|dim| (vars.fresh("i", Type::I64), *dim)).collect();
    let indices: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
    let elements: Vec<Binder> = seg.ret[..reduced].iter().map(|ty| vars.fresh("x", ty.clone())).collect();
    let stms = elements
        .iter()
        .zip(&partial)
        .map(|(x, array)| plain(vec![x.clone()], Ir::Index { array: array.var, indices: indices.clone() }));
    let body = Body { stms: stms.collect(), result: elements.iter().map(|x| x.var.into()).collect() };
    (SegOp::reduce(space, seg.operators().to_vec(), seg.ret[..reduced].to_vec(), body), partial, chunks)
}

#[cfg(test)]
mod tests {
    use super::super::lower;
    use crate::host::options::MemoryOptions;

    /// Of several failures the one of the lowest point is told of: each has its point's number, and what combines what several points have come to, that of the segment's first.
    #[test]
    fn failures_are_those_of_points() {
        let text = r#"futi-ir 1
            entry "main"(n_1: i64, m_2: i64) -> (r_3: [n_1]i64) sig 0 ("n": i64, "m": i64) -> (["n"]i64) {
              let (r_4: [n_1]i64) = segop grid (i_5: i64 < n_1, j_6: i64 < m_2) reduce comm \(a_7: i64, b_8: i64) -> (i64) {
                let (c_9: cert) = check bounds (b_8) [9]
                let (t_10: i64) = add.i64(a_7, b_8) certs (c_9)
                in (t_10)
              } neutral (0i64) -> (i64) {
                let (c_11: cert) = check bounds (j_6) [5]
                let (x_12: i64) = add.i64(i_5, j_6) certs (c_11)
                in (x_12)
              }
              in (r_4)
            }"#;
        let program: futi_core::ir::Program = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
        let host = lower(&program, &MemoryOptions::default()).expect("kernels");
        let kernels: Vec<String> = host.kernels.iter().map(|k| k.kernel.kernel().to_string()).collect();
        let text = kernels.iter().find(|text| text.contains("kernel reduce_2_of")).expect("one of groups");
        let of_points = text.matches(" at add.i64(mul.i64(segment_").count();
        let of_segments = text.matches(" at mul.i64(segment_").count();
        assert_eq!((of_points, of_segments), (2, 1), "{text}");
    }
}
