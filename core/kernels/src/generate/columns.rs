//! Reductions of columns. Where neighbours in memory belong to neighbouring segments, a group does not reduce a segment, as its invocations would read elements far from one another: each
//! invocation reduces a chunk of a segment, and neighbouring invocations those of neighbouring segments.

use super::reduce::sequential;
use futi_core::ir::build::{Builder, Vars};
use futi_core::ir::{BinOp, Binder, Body, Dim, Exp as Ir, Level, Prim, Prov, ScalarType, SegOp, SubExp, Type, Var};

/// Whether the elements that a nest reads of arrays lie, from one to the next, in neighbouring segments.
pub(super) fn columnwise(seg: &SegOp) -> bool {
    let [.., (column, _), (row, _)] = &seg.space[..] else { return false };
    let (column, row): (SubExp, SubExp) = (column.var.into(), row.var.into());
    let places = seg.body.stms.iter().filter_map(|stm| match &stm.exp {
        Ir::Index { array, indices } if stm.pat[0].ty.rank() == 0 => Some(place(&seg.body, *array, indices.clone())),
        _ => None,
    });
    let mut reading = places.filter(|place| place.contains(&row)).peekable();
    // mutant swap: it is about which way is quicker
    reading.peek().is_some() && reading.all(|place| place.last() == Some(&column))
}

/// The indices of an element of an array in the array that it is a view of.
fn place(body: &Body, array: Var, indices: Vec<SubExp>) -> Vec<SubExp> {
    let bound = body.stms.iter().find(|stm| stm.pat[0].var == array);
    match bound.map(|stm| &stm.exp) {
        // mutant swap: it is about which way is quicker
        Some(Ir::Index { array, indices: before }) => place(body, *array, [&before[..], &indices].concat()),
        Some(Ir::Coerce { array, .. } | Ir::SubExp(SubExp::Var(array))) => place(body, *array, indices),
        Some(Ir::Rearrange { perm, array }) => {
            let mut source = indices.clone();
            // mutant removal: it is about which way is quicker
            perm.iter().zip(&indices).for_each(|(p, i)| source[*p] = *i);
            place(body, *array, source)
        }
        _ => indices,
    }
}

/// The two nests of such a reduction, each without reductions of its own: of the chunks, and of what they come to; what the second one calls that, and how the chunks are cut.
pub(super) struct Columns {
    pub first: SegOp,
    pub second: SegOp,
    pub partial: Vec<Binder>,
    pub chunks: Binder,
    pub each: Binder,
}

/// The nests of a reduction that maps nothing besides.
pub(super) fn columns(seg: &SegOp, vars: &mut Vars, prov: Prov) -> Columns {
    let (chunks, each) = (vars.fresh("chunks", Type::I64), vars.fresh("each", Type::I64));
    let (outer, inner) = seg.space.split_at(seg.space.len() - 1);
    let (row, height) = inner[0].clone();
    let (rest, column) = outer.split_at(outer.len() - 1);
    let chunk = vars.fresh("chunk", Type::I64);
    let number = Dim::Var(chunks.var);
    let body = Builder::new(vars, prov).inner(|b| {
        let start = b.int(BinOp::Mul, chunk.var.into(), each.var.into());
        let left = b.int(BinOp::Sub, height.into(), start);
        let count = b.int(BinOp::Min, left, each.var.into());
        let count = b.int(BinOp::Max, count, SubExp::i64(0));
        let width = Dim::from_subexp(count).unwrap_or(height);
        let index = b.vars.fresh("i", Type::I64);
        let body = b.inner(|b| {
            let here = Prim::Bin(BinOp::Add, ScalarType::I64);
            // mutant swap `vec![start, index.var.into()]`: in either order
            b.bind(vec![row.clone()], Ir::Prim(here, vec![start, index.var.into()]));
            b.splice(seg.body.clone())
        });
        sequential(b, seg, width, index, body)
    });
    let dims: Vec<Dim> = rest.iter().map(|(_, dim)| *dim).chain([number, column[0].1]).collect();
    let first_space = [rest, &[(chunk, number)], column].concat();
    let partial: Vec<Binder> = seg.ret.iter().map(|ty| vars.fresh("partial", ty.array_of(&dims))).collect();
    let first = SegOp::map(Level::Grid, first_space, seg.ret.clone(), body);

    let space: Vec<(Binder, Dim)> = outer.iter().map(|(_, dim)| (vars.fresh("i", Type::I64), *dim)).collect();
    let body = Builder::new(vars, prov).inner(|b| {
        let index = b.vars.fresh("chunk", Type::I64);
        let body = b.inner(|b| {
            let (column, rest) = (space[space.len() - 1].0.var, &space[..space.len() - 1]);
            let place: Vec<SubExp> =
                rest.iter().map(|(i, _)| i.var.into()).chain([index.var.into(), column.into()]).collect();
            partial.iter().map(|array| b.index(array.var, &place).into()).collect()
        });
        sequential(b, seg, number, index, body)
    });
    let second = SegOp::map(Level::Grid, space, seg.ret.clone(), body);
    Columns { first, second, partial, chunks, each }
}
