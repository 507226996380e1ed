//! Types of the nodes with functions in them: SOACs, accumulators, custom derivatives, parallel nests.

use super::*;

impl Checker<'_> {
    /// The types of the rows of what is mapped over.
    pub(super) fn rows(&mut self, width: Dim, arrays: &[Var], accs: bool) -> Option<Vec<Type>> {
        let before = self.errors.len();
        self.dim(width);
        self.fine_since(before)?;
        let types: Option<Vec<Type>> = arrays.iter().map(|a| self.var(*a)).collect();
        let mut rows = Vec::new();
        for ty in types? {
            match &ty {
                Type::Array(_, shape) if !shape.is_empty() => {
                    let same = shape[0] == width;
                    self.require(same, Rule::Types, || "an array mapped over is not of the given width".into());
                    rows.push(ty.row());
                }
                Type::Acc(_) if accs => rows.push(ty),
                _ => self.error(Rule::Types, "what is mapped over is no array"),
            }
        }
        self.fine_since(before).map(|()| rows)
    }

    pub(super) fn screma(&mut self, s: &Screma) -> Option<()> {
        let rows = self.rows(s.width, &s.arrays, true)?;
        self.lambda(&s.map, &rows, "a mapped function");
        let mut operands = s.map.ret.iter().cloned();
        let mut scanned = Vec::new();
        for (op, scan) in s.scans.iter().map(|op| (op, true)).chain(s.reduces.iter().map(|op| (op, false))) {
            let types: Vec<Type> = operands.by_ref().take(op.neutral.len()).collect();
            self.operator(op, &types);
            scanned.extend(if scan { types } else { Vec::new() });
        }
        let mapped: Vec<Type> = operands.collect();
        self.require(!mapped.contains(&Type::Cert), Rule::Certificates, || {
            "a mapped function returns a certificate".into()
        })
        .then_some(())?;
        if let Some(post) = &s.post {
            self.values_only(&mapped, "operand of a function after scans");
            self.lambda(post, &[scanned, mapped].concat(), "a function after scans");
            self.values_only(&post.ret, "result of a function after scans");
        }
        Some(())
    }

    /// The type of an element of an array that is indexed by this shape.
    pub(super) fn destination(&mut self, array: Var, shape: &[Dim]) -> Option<Type> {
        shape.iter().for_each(|d| self.dim(*d));
        let ty = self.array(array)?;
        let fits = !shape.is_empty() && ty.shape().starts_with(shape);
        self.require(fits, Rule::Types, || "a destination is not of the given shape".into())
            .then(|| ty.peel(shape.len()))
    }

    /// The types of the elements of the destinations.
    pub(super) fn hist_ops(&mut self, ops: &[HistOp]) -> Option<Vec<Type>> {
        let mut all = Vec::new();
        for op in ops {
            let some = !op.shape.is_empty() && !op.dests.is_empty();
            self.require(some, Rule::Arity, || "a histogram without dimensions or arrays".into()).then_some(())?;
            let elems: Option<Vec<Type>> = op.dests.iter().map(|a| self.destination(*a, &op.shape)).collect();
            let elems = elems?;
            self.operator(&op.op, &elems);
            all.extend(elems);
        }
        Some(all)
    }

    pub(super) fn stream(&mut self, s: &Stream) -> Option<()> {
        let before = self.errors.len();
        let outer = self.scope.clone();
        let rows = self.rows(s.width, &s.arrays, false)?;
        let Some(size) = s.lambda.params.first() else {
            self.error(Rule::Arity, "the function of a stream has no size of a chunk");
            return None;
        };
        let chunk = [Dim::Var(size.var)];
        let accs = s.accumulators();
        let acc_types: Vec<Type> = s.lambda.ret.iter().take(accs).cloned().collect();
        let handed = if matches!(s.form, StreamForm::Seq(_)) { &acc_types[..] } else { &[] };
        let chunks: Vec<Type> = rows.iter().map(|t| t.array_of(&chunk)).collect();
        let params = [&[Type::I64], handed, &chunks].concat();
        let got: Vec<Type> = s.lambda.params.iter().map(|p| p.ty.clone()).collect();
        self.all_same(&got, &params, "a parameter of the function of a stream");
        self.fine_since(before)?;
        match &s.form {
            StreamForm::Seq(init) => {
                let types = self.subexps(init)?;
                self.all_same(&types, &acc_types, "the first value of an accumulator");
            }
            StreamForm::Par(op) => self.operator(op, &acc_types),
        }
        self.bind(size);
        s.lambda.ret.iter().for_each(|t| self.ty(t));
        s.lambda.params[1..].iter().for_each(|p| self.bind(p));
        self.values_only(&s.lambda.ret, "result of the function of a stream");
        let fits = s.lambda.ret.iter().skip(accs).all(|t| outer_size_only(t, chunk[0]))
            && acc_types.iter().all(|t| !t.shape().contains(&chunk[0]));
        self.require(fits, Rule::Types, || "an array that a stream gives is not of the chunk's size".into());
        self.plain_body(&s.lambda.body, &s.lambda.ret, "the result of the function of a stream");
        self.scope = outer;
        fits.then_some(())
    }

    pub(super) fn flatmap(&mut self, f: &FlatMap, pat: &[Binder]) -> Option<Vec<Type>> {
        let before = self.errors.len();
        let outer = self.scope.clone();
        let rows = self.rows(f.width, &f.arrays, false)?;
        let got: Vec<Type> = f.lambda.params.iter().map(|p| p.ty.clone()).collect();
        self.all_same(&got, &rows, "a parameter of a mapped function");
        let (size, of_size) = (f.size.ty.clone(), Dim::Var(f.size.var));
        self.same(&size, &Type::I64, "the size in a flatmap");
        self.fine_since(before)?;
        self.bind(&f.size);
        f.lambda.ret.iter().for_each(|t| self.ty(t));
        self.scope.remove(&f.size.var);
        self.fine_since(before)?;
        f.lambda.params.iter().for_each(|p| self.bind(p));
        self.values_only(&f.lambda.ret, "result of the function of a flatmap");
        let shaped = f.lambda.ret.first() == Some(&Type::I64)
            && f.lambda.ret.len() > f.irregular
            && f.lambda.ret[1..=f.irregular].iter().all(|t| outer_size_only(t, of_size))
            && f.lambda.ret[1 + f.irregular..].iter().all(|t| !t.shape().contains(&of_size));
        self.require(shaped, Rule::Types, || {
            "the function of a flatmap gives a size, arrays of it, and other values".into()
        });
        // its results name the size that they come with
        let mut results = vec![f.size.clone()];
        // and no type names the others
        let other = |ty: &Type| Binder { ty: ty.clone(), var: Var(u32::MAX), ..f.size.clone() };
        results.extend(f.lambda.ret.iter().skip(1).map(other));
        self.body(&f.lambda.body, &results, "the result of the function of a flatmap");
        self.scope = outer;
        let Some(total) = pat.first() else {
            self.error(Rule::Arity, "a flatmap has results");
            return None;
        };
        self.fine_since(before).map(|()| f.result_types(total.var))
    }

    pub(super) fn custom(&mut self, c: &Custom) -> Option<()> {
        let args = self.subexps(&c.args)?;
        self.lambda(&c.lambda, &args, "a function with derivatives");
        self.values_only(&args, "argument of a function with derivatives");
        self.values_only(&c.lambda.ret, "result of a function with derivatives");
        let enough = c.lambda.ret.len() >= c.saved;
        self.require(enough, Rule::Arity, || "a function with derivatives saves more than it gives".into())
            .then_some(())?;
        let results = c.lambda.ret[c.saved..].to_vec();
        if let Some(rule) = &c.vjp {
            self.lambda(rule, &c.lambda.ret, "a reverse rule");
            let ret = rule.ret.clone();
            self.all_same(&ret, &args, "the result of a reverse rule");
        }
        if let Some(rule) = &c.jvp {
            self.lambda(rule, &args.iter().chain(&args).cloned().collect::<Vec<_>>(), "a forward rule");
            let ret = rule.ret.clone();
            self.all_same(&ret, &results, "the result of a forward rule");
        }
        Some(())
    }

    pub(super) fn withacc(&mut self, w: &WithAcc) -> Option<()> {
        let n = w.inputs.len();
        let shaped = w.lambda.params.len() == 2 * n && w.lambda.ret.len() >= n;
        if !self.require(shaped, Rule::Arity, || "the function of a withacc takes a certificate and an accumulator for each input, and returns the accumulators".into()) {
            return None;
        }
        for (i, input) in w.inputs.iter().enumerate() {
            self.require(!input.arrays.is_empty(), Rule::Arity, || "an accumulator of no arrays".into())
                .then_some(())?;
            input.shape.iter().for_each(|d| self.dim(*d));
            let types: Option<Vec<Type>> = input.arrays.iter().map(|a| self.array(*a)).collect();
            let mut elems = Vec::new();
            for ty in types? {
                let fits = ty.shape().starts_with(&input.shape);
                self.require(fits, Rule::Types, || "an array of a withacc is not of the given shape".into())
                    .then_some(())?;
                elems.push(ty.peel(input.shape.len()));
            }
            self.operator(&input.op, &elems);
            let id = w.lambda.params[i].var;
            let acc = Type::Acc(AccType { id, shape: input.shape.clone(), elems });
            // that its identity is a certificate is checked where the parameter is bound
            let got = w.lambda.params[n + i].ty.clone();
            self.same(&got, &acc, "an accumulator parameter");
            let ret = w.lambda.ret[i].clone();
            self.same(&ret, &acc, "an accumulator result");
        }
        let outer = self.scope.clone();
        w.lambda.ret[n..].iter().for_each(|t| self.ty(t));
        w.lambda.params.iter().for_each(|p| self.bind(p));
        self.plain_body(&w.lambda.body, &w.lambda.ret, "the result of the function of a withacc");
        self.scope = outer;
        Some(())
    }

    /// What is given for places: the indices of each destination in turn, then the values.
    pub(super) fn dests(&mut self, dests: &[ScatterDest]) -> Option<Vec<Type>> {
        let elems = dests.iter().map(|d| self.destination(d.array, &d.shape)).collect::<Option<Vec<_>>>()?;
        Some(written(dests.iter().map(|d| d.shape.len()), elems))
    }

    pub(super) fn segop(&mut self, seg: &SegOp) -> Option<()> {
        let outer = self.scope.clone();
        let dims: Vec<Dim> = seg.space.iter().map(|(_, d)| *d).collect();
        self.require(!dims.is_empty(), Rule::Arity, || "a parallel nest without dimensions".into()).then_some(())?;
        for (b, d) in &seg.space {
            self.dim(*d);
            let ty = b.ty.clone();
            self.same(&ty, &Type::I64, "an index of a parallel nest");
        }
        seg.ret.iter().for_each(|t| self.ty(t));
        self.require(!seg.ret.contains(&Type::Cert), Rule::Certificates, || {
            "a parallel nest returns a certificate".into()
        });
        let some = match &seg.kind {
            SegKind::Map => true,
            SegKind::Scan(ops) | SegKind::Reduce(ops) => !ops.is_empty(),
            SegKind::Write(dests) => !dests.is_empty(),
        };
        self.require(some, Rule::Arity, || "a parallel nest of a kind of which it does nothing".into());
        let count = seg.operands();
        self.require(seg.ret.len() >= count, Rule::Arity, || "a parallel nest gives too few operands".into())
            .then_some(())?;
        let mut operands = seg.ret[..count].iter().cloned();
        for op in seg.operators() {
            let types: Vec<Type> = operands.by_ref().take(op.neutral.len()).collect();
            self.operator(op, &types);
        }
        let wanted = self.dests(seg.dests())?;
        self.all_same(&operands.collect::<Vec<_>>(), &wanted, "the operands of parallel writes");
        seg.space.iter().for_each(|(b, _)| self.bind(b));
        self.plain_body(&seg.body, &seg.ret, "the result of a parallel nest");
        self.scope = outer;
        Some(())
    }
}

/// Whether it is an array of this size, which its rows do not mention.
fn outer_size_only(t: &Type, size: Dim) -> bool {
    t.shape().split_first().is_some_and(|(outer, inner)| *outer == size && !inner.contains(&size))
}

/// The results of a function that says where to write what: the indices of each destination in turn, then the values.
pub(super) fn written(ranks: impl Iterator<Item = usize>, elems: Vec<Type>) -> Vec<Type> {
    let indices = std::iter::repeat_n(Type::I64, ranks.sum());
    indices.chain(elems).collect()
}
