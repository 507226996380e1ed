//! Nests: the kernels of each, and the launches. Where a size differs from point to point, its greatest value is found before.

use super::columns::{Columns, columns, columnwise};
use super::emit::{BlockArg, Context, Known, Launchable, Made, Own, ParamArg, Refusal};
use super::greatest::greatest;
use super::host::{Lowering, ONE, Val, ZERO, op, product};
use super::nest;
use super::reduce::{once_more, one_each, reduce_kernel};
use super::within::within_kernel;
use crate::host::ir::*;
use crate::ir::GroupSizes;
use futi_core::hash::HashMap;
use futi_core::ir::build::Builder;
use futi_core::ir::{
    BinOp, Binder, Body, CmpOp, Dim, Operator, Prim, Prov, Scalar, ScalarType, SegOp, SubExp, Type, Var,
};

/// The kernels of a nest.
struct How {
    /// One invocation of each point, or of each segment of a reduction.
    each: Launchable,
    /// Groups of each segment, if operands are scalars.
    grouped: Option<Grouped>,
    /// Chunks of columns, if the segments are some.
    columns: Option<ByColumns>,
}

/// A reduction of columns by chunks.
struct ByColumns {
    nests: Columns,
    /// Reduces the chunks.
    first: Launchable,
    /// Reduces what they come to.
    second: Launchable,
}

/// A reduction by groups.
struct Grouped {
    /// Reduces chunks of segments.
    first: Launchable,
    /// What reduces several chunks of a segment; none where there cannot be several.
    second: Option<Second>,
}

/// The second step of a reduction by groups.
struct Second {
    /// Reduces what the first kernel has made of several chunks.
    kernel: Launchable,
    /// What it calls the first one's results.
    partial: Vec<Binder>,
    /// And the number of chunks.
    chunks: Binder,
}

/// A group of one invocation has a chunk of at least two elements: of fewer there are no two chunks.
const TWO_CHUNKS: i64 = 4;

/// A chunk of a column has as many elements at least, if the column has.
const CHUNK_OF_COLUMN: i64 = 16;

/// A nest that is reduced over its last dimension.
struct Segmented<'a> {
    /// The sizes of the others, and their product.
    outer: &'a [Exp],
    segments: Exp,
    /// The size of the last one.
    length: Exp,
    /// The product of all.
    points: Exp,
    /// Memory for the results, by their position.
    outputs: &'a HashMap<usize, Mem>,
}

/// A kernel of the program, and what it asks of the host.
struct Ready {
    id: KernelId,
    params: Vec<ParamArg>,
    blocks: Vec<BlockArg>,
    own: Vec<Own>,
}

impl Lowering {
    pub(super) fn launch_as(&mut self, seg: &SegOp, pats: &[Binder], what: &str, prov: Prov) {
        self.prov = prov;
        let seg = &self.with_views(seg);
        let how = self.bounded(seg, prov, |l, bounds| match seg.operators().is_empty() {
            true => {
                // mutant swap: how large a group is changes no result
                let one = seg.space.iter().all(|(_, dim)| *dim == Dim::Const(1));
                // for one thing to do a few invocations will do
                let group = if one { GroupSizes { most: 32, ..GroupSizes::ANY } } else { GroupSizes::ANY };
                l.map(seg, group, what, prov, bounds).map(|each| How { each, grouped: None, columns: None })
            }
            false => l.reduce(seg, prov, bounds),
        });
        let how = match how {
            Ok(how) => how,
            Err(refusal) => return self.refused(refusal, pats),
        };
        let (space, outputs) = self.outputs(seg, pats);
        let points = self.named("points", product(space.clone()));
        if seg.operators().is_empty() {
            return self.launch(how.each, &points, &points, None, &outputs);
        }
        let (outer, length) = space.split_at(space.len() - 1);
        let segments = self.named("segments", product(outer.iter().cloned()));
        let nest = Segmented { outer, segments, length: length[0].clone(), points, outputs: &outputs };
        match how.grouped {
            Some(grouped) => self.reduction(how.each, grouped, how.columns, &nest),
            None => self.launch(how.each, &nest.segments, &nest.points, None, &outputs),
        }
    }

    /// A nest whose points are groups'; an array of a group has room for so many elements.
    pub(super) fn launch_within(&mut self, seg: &SegOp, room: i64, pats: &[Binder], prov: Prov) {
        let seg = &self.with_views(seg);
        let kernel = self.bounded(seg, prov, |l, bounds| {
            let (name, changed) = (l.name("within groups"), l.changed.clone());
            l.make(bounds, &changed, |context| within_kernel(&name, seg, room, context, prov))
        });
        let kernel = match kernel {
            Ok(kernel) => kernel,
            Err(refusal) => return self.refused(refusal, pats),
        };
        let (space, outputs) = self.outputs(seg, pats);
        let points = self.named("points", product(space));
        self.launch(kernel, &points, &points, Some(&ONE), &outputs);
    }

    /// What is made of a nest, once the bounds of sizes that it asks for are found.
    fn bounded<T>(
        &mut self,
        seg: &SegOp,
        prov: Prov,
        make: impl Fn(&mut Self, &HashMap<Var, Var>) -> Made<T>,
    ) -> Made<T> {
        let mut bounds = HashMap::default();
        loop {
            let refusal = match make(self, &bounds) {
                Ok(made) => return Ok(made),
                Err(refusal) => refusal,
            };
            match self.bound_of(seg, &refusal, prov) {
                Some((size, bound)) => bounds.insert(size, bound),
                None => return Err(refusal),
            };
        }
    }

    /// There is no kernel for a nest: its results are something, so that what comes next can be looked at, too.
    fn refused(&mut self, refusal: Refusal, pats: &[Binder]) {
        self.errors.push(refusal.unsupported);
        for pat in pats {
            let elem = pat.ty.elem().unwrap_or(ScalarType::Bool);
            let mem = self.mem("refused", elem);
            // mutant: with an error there is no program; which others are told besides is no matter
            let value = if pat.ty.rank() > 0 { Val::Array(mem, ZERO) } else { Val::Cell(mem, None) };
            // mutant: likewise
            self.env.insert(pat.var, value);
        }
    }

    /// The sizes of a nest, and memory for its results, by their position.
    fn outputs(&mut self, seg: &SegOp, pats: &[Binder]) -> (Vec<Exp>, HashMap<usize, Mem>) {
        let space: Vec<Dim> = seg.space.iter().map(|(_, dim)| *dim).collect();
        let space = self.dims(&space);
        let mut outputs = HashMap::default();
        for (position, pat) in pats.iter().enumerate() {
            let value = match &pat.ty {
                Type::Scalar(ty) => {
                    let mem = self.alloc(pat.name.as_str(), *ty, vec![]);
                    outputs.insert(position, mem);
                    Val::Cell(mem, None)
                }
                Type::Array(elem, shape) => {
                    let shape = self.dims(shape);
                    let mem = self.alloc(pat.name.as_str(), *elem, shape);
                    outputs.insert(position, mem);
                    Val::Array(mem, ZERO)
                }
                Type::Acc(_) | Type::Cert => Val::Unit,
            };
            self.env.insert(pat.var, value);
        }
        (space, outputs)
    }

    /// A reduction by whatever suits the numbers and lengths of its segments.
    fn reduction(&mut self, each: Launchable, grouped: Grouped, columns: Option<ByColumns>, nest: &Segmented) {
        // mutant: it is about which way is quicker
        let long = op(BinOp::Mul, nest.length.clone(), Exp::i64(64));
        let many = logic(
            // mutant: it is about which way is quicker
            BinOp::And,
            at_most(Exp::Tuning(Tuning::ReduceEachSegments), nest.segments.clone()),
            at_most(long, Exp::Tuning(Tuning::Rounds)),
        );
        // mutant: it is about which way is quicker
        let short = logic(BinOp::Or, at_most(nest.length.clone(), Exp::Tuning(Tuning::ReduceEachLength)), many);
        let yes = self.closed(|l| l.launch(each, &nest.segments, &nest.points, None, nest.outputs));
        let no = self.closed(|l| match columns {
            None => l.by_groups(grouped, nest),
            Some(columns) => {
                // neighbours that read a cache line together, and rounds that the machine takes
                // mutant: it is about which way is quicker
                let wide = at_most(Exp::i64(32), nest.segments.clone());
                // mutant: it is about which way is quicker
                let rounds = op(BinOp::Quot, nest.points.clone(), Exp::i64(256));
                // mutant: it is about which way is quicker
                let cond = logic(BinOp::And, wide, at_most(rounds, Exp::Tuning(Tuning::Rounds)));
                let yes = l.closed(|l| l.by_columns(columns, nest));
                let no = l.closed(|l| l.by_groups(grouped, nest));
                l.push(Op::If { cond, yes, no, scalars: vec![], mems: vec![] });
            }
        });
        self.push(Op::If { cond: short, yes, no, scalars: vec![], mems: vec![] });
    }

    /// A reduction of columns: as many chunks of them as the machine has invocations for.
    fn by_columns(&mut self, by: ByColumns, nest: &Segmented) {
        let Segmented { outer, segments, length, outputs, .. } = nest;
        let (first, second) = (self.kernel(by.first), self.kernel(by.second));
        // mutant: any number of chunks will do
        let invocations = op(BinOp::Mul, Exp::Tuning(Tuning::ReduceGroups), Exp::GroupSize(first.id));
        let most = op(BinOp::Quot, invocations, segments.clone());
        // mutant: any number of chunks will do
        let chunks = op(BinOp::Min, most, op(BinOp::Quot, length.clone(), Exp::i64(CHUNK_OF_COLUMN)));
        let chunks = self.named("chunks", op(BinOp::Max, chunks, ONE));
        let each = covering(length.clone(), chunks.clone());
        let each = self.named("each", each);
        let (rest, column) = outer.split_at(outer.len() - 1);
        let mut partials = HashMap::default();
        for (k, binder) in by.nests.partial.iter().enumerate() {
            let shape = [rest, std::slice::from_ref(&chunks), column].concat();
            let mem = self.alloc("partial", binder.ty.elem().unwrap_or(ScalarType::Bool), shape);
            self.env.insert(binder.var, Val::Array(mem, ZERO));
            partials.insert(k, mem);
        }
        self.env.insert(by.nests.chunks.var, Val::Scalar(chunks.clone()));
        self.env.insert(by.nests.each.var, Val::Scalar(each));
        let points = op(BinOp::Mul, segments.clone(), chunks);
        let points = self.named("points", points);
        self.launch_kernel(&first, &points, &nest.points, None, &partials);
        self.launch_kernel(&second, segments, &points, None, outputs);
    }

    /// A reduction by groups, in two steps if there are fewer segments than the machine can use.
    fn by_groups(&mut self, grouped: Grouped, nest: &Segmented) {
        let Segmented { outer, segments, length, points, outputs } = nest;
        let first = self.kernel(grouped.first);
        let Some(Second { kernel: second, partial, chunks: number }) = grouped.second else {
            return self.launch_kernel(&first, segments, points, Some(&ONE), outputs);
        };
        let second = self.kernel(second);
        // mutant: any number of chunks will do
        let size = op(BinOp::Mul, Exp::GroupSize(first.id), Exp::i64(2));
        let groups = Exp::Tuning(Tuning::ReduceGroups);
        // at least as many groups as the machine can use, but for segments of which two are too many
        let within = op(BinOp::Quot, groups.clone(), segments.clone());
        // mutant: any number of chunks will do
        let within = op(BinOp::Sub, op(BinOp::Mul, within, Exp::i64(2)), ONE);
        let most = op(BinOp::Min, covering(groups, segments.clone()), within);
        // mutant: any number of chunks will do
        let chunks = op(BinOp::Min, most, op(BinOp::Quot, length.clone(), size));
        // mutant: any number of chunks will do
        let chunks = self.named("chunks", op(BinOp::Max, chunks, ONE));
        let once = self.closed(|l| l.launch_kernel(&first, segments, points, Some(&ONE), outputs));
        let twice = self.closed(|l| {
            let mut partials = (*outputs).clone();
            for (k, binder) in partial.iter().enumerate() {
                // mutant swap: it has as many elements either way
                let shape = [*outer, std::slice::from_ref(&chunks)].concat();
                let mem = l.alloc("partial", binder.ty.elem().unwrap_or(ScalarType::Bool), shape);
                l.env.insert(binder.var, Val::Array(mem, ZERO));
                partials.insert(k, mem);
            }
            l.env.insert(number.var, Val::Scalar(chunks.clone()));
            l.launch_kernel(&first, segments, points, Some(&chunks), &partials);
            let left = op(BinOp::Mul, segments.clone(), chunks.clone());
            l.launch_kernel(&second, segments, &left, Some(&ONE), outputs);
        });
        let cond = at_most(chunks.clone(), ONE);
        self.push(Op::If { cond, yes: once, no: twice, scalars: vec![], mems: vec![] });
    }

    /// Finds, before a nest runs, the greatest value of a size that differs from point to point; the size, and the cell with its bound. `None` if the size is found where no value can be handed on.
    fn bound_of(&mut self, seg: &SegOp, refusal: &Refusal, prov: Prov) -> Option<(Var, Var)> {
        let size = refusal.unbounded.filter(|size| !self.sought.contains(size))?;
        self.sought.push(size);
        let found = self.greatest(seg, size, prov);
        self.sought.pop();
        found.map(|bound| (size, bound))
    }

    /// The greatest value of a size at any point of a nest, in a cell.
    pub(super) fn greatest(&mut self, seg: &SegOp, size: Var, prov: Prov) -> Option<Var> {
        let is_index = seg.space.iter().any(|(index, _)| index.var == size);
        let mut operand = match is_index {
            true => Body { stms: vec![], result: vec![size.into()] },
            false => greatest(&seg.body, size, &mut self.vars)?,
        };
        let mut space = seg.space.clone();
        loop {
            let maximum = Prim::Bin(BinOp::Max, ScalarType::I64);
            // mutant off by one `0`: room for one more than there is, where all sizes are zero
            let max = Builder::new(&mut self.vars, prov).operator(maximum, Scalar::I64(0));
            // mutant negation: in order or not, the greatest is the same
            let reduces = vec![Operator { commutative: true, ..max }];
            let ret = vec![Type::I64];
            let nest = SegOp::reduce(space, reduces, ret, operand);
            let outer: Vec<Dim> = nest.space[..nest.space.len() - 1].iter().map(|(_, dim)| *dim).collect();
            let bound = self.vars.fresh("bound", Type::I64.array_of(&outer));
            self.launch_as(&nest, std::slice::from_ref(&bound), "bound", prov);
            if outer.is_empty() {
                return Some(bound.var);
            }
            // A reduction is over the last dimension: the others follow.
            space = outer.iter().map(|dim| (self.vars.fresh("i", Type::I64), *dim)).collect();
            let indices: Vec<SubExp> = space.iter().map(|(i, _)| i.var.into()).collect();
            let mut b = Builder::new(&mut self.vars, prov);
            operand = b.inner(|b| vec![b.index(bound.var, &indices).into()]);
        }
    }

    fn map(
        &mut self,
        seg: &SegOp,
        group: GroupSizes,
        what: &str,
        prov: Prov,
        bounds: &HashMap<Var, Var>,
    ) -> Made<Launchable> {
        let name = self.name(what);
        let changed = self.changed.clone();
        self.make(bounds, &changed, |context| nest::map_kernel(&name, seg, group, context, prov))
    }

    fn reduce(&mut self, seg: &SegOp, prov: Prov, bounds: &HashMap<Var, Var>) -> Made<How> {
        let each = one_each(seg, &mut self.vars);
        let each = self.map(&each, GroupSizes::ANY, "reduce each", prov, bounds)?;
        let reduced: usize = seg.operators().iter().map(|op| op.neutral.len()).sum();
        if !seg.ret[..reduced].iter().all(|ty| matches!(ty, Type::Scalar(_))) {
            return Ok(How { each, grouped: None, columns: None });
        }
        let short = matches!(seg.space.last(), Some((_, Dim::Const(length))) if *length < 2 * CHUNK_OF_COLUMN);
        // mutant dropped term `reduced == seg.ret.len() && !short`: it is about which way is quicker
        let columns = match reduced == seg.ret.len() && !short && columnwise(seg) {
            true => Some(self.columns(seg, prov, bounds)?),
            false => None,
        };
        let name = self.name("reduce");
        let first = self.make(bounds, &[], |context| reduce_kernel(&name, seg, context, prov))?;
        if matches!(seg.space.last(), Some((_, Dim::Const(length))) if *length < TWO_CHUNKS) {
            return Ok(How { each, grouped: Some(Grouped { first, second: None }), columns: None });
        }
        let (second, partial, chunks) = once_more(seg, reduced, &mut self.vars);
        let name = self.name("reduce chunks");
        let kernel = self.make(bounds, &[], |context| reduce_kernel(&name, &second, context, prov))?;
        let second = Some(Second { kernel, partial, chunks });
        Ok(How { each, grouped: Some(Grouped { first, second }), columns })
    }

    fn columns(&mut self, seg: &SegOp, prov: Prov, bounds: &HashMap<Var, Var>) -> Made<ByColumns> {
        let nests = columns(seg, &mut self.vars, prov);
        let first = self.map(&nests.first, GroupSizes::ANY, "reduce columns", prov, bounds)?;
        let second = self.map(&nests.second, GroupSizes::ANY, "reduce chunks of columns", prov, bounds)?;
        Ok(ByColumns { nests, first, second })
    }

    pub(super) fn name(&mut self, what: &str) -> String {
        self.made += 1;
        format!("{what} {} of {}", self.made, self.fun)
    }

    pub(super) fn make(
        &mut self,
        bounds: &HashMap<Var, Var>,
        changed: &[Var],
        make: impl FnOnce(&Context) -> Made<Launchable>,
    ) -> Made<Launchable> {
        let env = &self.env;
        let is_cell = |var: Var| matches!(env.get(&var), Some(Val::Cell(_, None)));
        let (accs, numbers) = (&self.accs, &self.numbers);
        make(&Context { vars: &self.vars, is_cell: &is_cell, accs, numbers, changed, bounds })
    }

    /// Launches a kernel of the points of a nest, if it could be made.
    pub(super) fn launch_made(&mut self, made: Made<Launchable>, seg: &SegOp) {
        match made {
            Ok(kernel) => {
                let space: Vec<Dim> = seg.space.iter().map(|(_, dim)| *dim).collect();
                let points = product(self.dims(&space));
                let points = self.named("points", points);
                self.launch(kernel, &points, &points, None, &HashMap::default());
            }
            Err(refusal) => self.errors.push(refusal.unsupported),
        }
    }

    fn kernel(&mut self, made: Launchable) -> Ready {
        let Launchable { kernel, sites, params, blocks, own } = made;
        self.out.kernels.push(HostKernel { kernel, sites });
        Ready { id: KernelId(self.out.kernels.len() as u32 - 1), params, blocks, own }
    }

    fn launch(
        &mut self,
        kernel: Launchable,
        items: &Exp,
        points: &Exp,
        chunks: Option<&Exp>,
        outputs: &HashMap<usize, Mem>,
    ) {
        let kernel = self.kernel(kernel);
        self.launch_kernel(&kernel, items, points, chunks, outputs);
    }

    /// Launches a kernel: `items` are the points of a map or the segments of a reduction, `points` what is counted; a reduction has chunks.
    fn launch_kernel(
        &mut self,
        kernel: &Ready,
        items: &Exp,
        points: &Exp,
        chunks: Option<&Exp>,
        outputs: &HashMap<usize, Mem>,
    ) {
        let wanted = match chunks {
            Some(chunks) => op(BinOp::Mul, items.clone(), chunks.clone()),
            None => covering(items.clone(), Exp::GroupSize(kernel.id)),
        };
        let own: Vec<(&Own, Vec<Exp>)> =
            kernel.own.iter().map(|own| (own, own.shape.iter().map(|known| self.known(known)).collect())).collect();
        let bytes = own.iter().map(|(own, shape)| {
            // mutant dropped term: how many groups there are changes no result
            let all = op(BinOp::Mul, product(shape.iter().cloned()), Exp::i64(own.elem.bytes() as i64));
            if own.of_group { covering(all, Exp::GroupSize(kernel.id)) } else { all }
        });
        let bytes = bytes.fold(ZERO, |a, b| op(BinOp::Add, a, b));
        let groups = Exp::Groups { kernel: kernel.id, wanted: Box::new(wanted), own: Box::new(bytes) };
        let groups = self.named("groups", groups);
        let own: Vec<Slice> = own
            .into_iter()
            .map(|(own, shape)| {
                let each = if own.of_group { ONE } else { Exp::GroupSize(kernel.id) };
                // mutant swap: all that is asked of it is its length
                let shape = [vec![groups.clone(), each], shape].concat();
                let len = product(shape.clone());
                Slice { mem: self.alloc("own", own.elem, shape), offset: ZERO, len }
            })
            .collect();
        let params = kernel
            .params
            .iter()
            .map(|param| match param {
                ParamArg::Points => items.clone(),
                ParamArg::Chunks => chunks.cloned().unwrap_or(ONE),
                ParamArg::Var(var) => self.host((*var).into()),
            })
            .collect();
        let blocks = kernel
            .blocks
            .iter()
            .map(|block| match block {
                BlockArg::Own(k) => own[*k].clone(),
                BlockArg::Cell(var) => {
                    let cell = self.operand((*var).into());
                    let (mem, offset) = if let Val::Cell(mem, _) = cell { (mem, ZERO) } else { self.array(*var) };
                    Slice { mem, offset, len: ONE }
                }
                BlockArg::Array(var) => {
                    let (mem, offset) = self.array(*var);
                    let shape = self.vars.ty(*var).shape().to_vec();
                    let len = product(self.dims(&shape));
                    Slice { mem, offset, len }
                }
                BlockArg::Result(position) => {
                    // mutant off by one: each result has memory
                    let mem = outputs.get(position).copied().unwrap_or(Mem(0));
                    Slice { mem, offset: ZERO, len: self.lens.get(&mem).cloned().unwrap_or(ZERO) }
                }
            })
            .collect();
        let launch = Launch { kernel: kernel.id, groups, points: points.clone(), params, blocks };
        self.push(Op::Launch(launch));
    }

    pub(super) fn known(&mut self, known: &Known) -> Exp {
        match known {
            Known::Lit(x) => Exp::Lit(*x),
            Known::Var(var) => self.host((*var).into()),
            Known::Op(prim, args) => Exp::Prim(*prim, args.iter().map(|arg| self.known(arg)).collect()),
        }
    }
}

pub(super) fn at_most(a: Exp, b: Exp) -> Exp {
    Exp::Prim(Prim::Cmp(CmpOp::Le, ScalarType::I64), vec![a, b])
}

fn logic(op: BinOp, a: Exp, b: Exp) -> Exp {
    // mutant swap: in either order
    Exp::Prim(Prim::Bin(op, ScalarType::Bool), vec![a, b])
}

/// The fewest groups of a size that have an invocation for each of some items.
pub(super) fn covering(items: Exp, size: Exp) -> Exp {
    let most = op(BinOp::Sub, size.clone(), ONE);
    op(BinOp::Quot, op(BinOp::Add, items, most), size)
}

#[cfg(test)]
mod tests {
    use super::super::lower;
    use crate::host::ir::Op;
    use crate::host::options::MemoryOptions;

    /// How many kernels reduce so many elements by groups.
    fn grouped(n: i64) -> usize {
        let text = r#"futi-ir 1
            entry "main"(xs_0: [N]f64) -> (r_1: f64) sig 0 ("xs": ["N"]f64) -> f64 {
              let (r_2: f64) = segop grid (i_3: i64 < N) reduce comm \(x_4: f64, y_5: f64) -> (f64) {
                let (t_6: f64) = add.f64(x_4, y_5)
                in (t_6)
              } neutral (0.0f64) -> (f64) {
                let (x_7: f64) = index xs_0[i_3]
                in (x_7)
              }
              in (r_2)
            }"#;
        let program: futi_core::ir::Program = text.replace('N', &n.to_string()).parse().unwrap();
        let host = lower(&program, &MemoryOptions::default()).unwrap();
        host.kernels.iter().filter(|k| !k.kernel.kernel().shared.is_empty()).count()
    }

    #[test]
    fn what_cannot_have_two_chunks_has_no_kernel_for_them() {
        assert_eq!([0, 3, 4, 100].map(grouped), [1, 1, 2, 2]);
    }

    #[test]
    fn what_has_waited_belongs_to_its_own_statement() {
        let text = r#"futi-ir 1
            entry "main"(xs_0: [4]i64, i_1: i64) -> (r_2: i64, ys_3: [4]i64)
              sig 0 ("xs": ["4"]i64, "i": i64) -> (i64, ["4"]i64) {
              let (x_4: i64) = index xs_0[i_1] @1
              let (ys_5: [4]i64) = segop grid (i_6: i64 < 4) -> (i64) {
                let (y_7: i64) = index xs_0[i_6]
                in (y_7)
              } @2
              in (x_4, ys_5)
            }
            files "a"
            prov 1 = span 0 0 1
            prov 2 = span 0 1 2"#;
        let host = lower(&text.parse().unwrap(), &MemoryOptions::default()).unwrap();
        let made = host.funs[0].body.iter().filter(|stm| matches!(stm.op, Op::Alloc { .. }));
        assert_eq!(made.map(|stm| stm.prov.0).collect::<Vec<_>>(), [1, 2]);
    }
}
