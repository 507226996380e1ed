//! Making IR: the table of a program's variables, and a builder that types what it binds.

use super::visit::{Visit, substitute, walk_fun};
use super::*;
use crate::hash::HashMap;
use crate::prim::Algebra;
use std::convert::Infallible;

/// Name and type of every variable of a program (binders are unique), and the source of fresh ones.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Vars {
    table: Vec<Option<(Name, Type)>>,
}

impl Vars {
    /// The variables of a program.
    pub fn of(program: &Program) -> Vars {
        let mut vars = Vars::default();
        program.funs.iter().for_each(|f| walk_fun(&mut Declare(&mut vars), f));
        vars
    }

    /// A new variable.
    pub fn fresh(&mut self, name: impl Into<Name>, ty: Type) -> Binder {
        let var = Var(self.table.len() as u32);
        let name = printable(name.into());
        self.table.push(Some((name.clone(), ty.clone())));
        Binder { var, name, ty }
    }

    /// How many numbers are taken: every variable is below.
    pub fn count(&self) -> u32 {
        self.table.len() as u32
    }

    /// Records a binder made elsewhere; needed before its type is asked for.
    pub fn declare(&mut self, b: &Binder) {
        if self.get(b.var).is_some_and(|(name, ty)| (name, ty) == (&b.name, &b.ty)) {
            return;
        }
        let i = b.var.0 as usize;
        if self.table.len() <= i {
            self.table.resize(i + 1, None);
        }
        self.table[i] = Some((b.name.clone(), b.ty.clone()));
    }

    /// The type of a variable.
    ///
    /// # Panics
    /// When it has not been declared: an internal error.
    pub fn ty(&self, v: Var) -> &Type {
        &self.entry(v).1
    }

    /// The name of a variable.
    ///
    /// # Panics
    /// When it has not been declared: an internal error.
    pub fn name(&self, v: Var) -> &Name {
        &self.entry(v).0
    }

    /// Name and type of a variable, if it has been declared.
    pub fn get(&self, v: Var) -> Option<&(Name, Type)> {
        self.table.get(v.0 as usize)?.as_ref()
    }

    fn entry(&self, v: Var) -> &(Name, Type) {
        match self.get(v) {
            Some(entry) => entry,
            None => panic!("internal error: variable {} is not declared", v.0),
        }
    }

    /// The type of an operand.
    pub fn type_of(&self, e: SubExp) -> Type {
        match e {
            SubExp::Lit(x) => Type::Scalar(x.scalar_type()),
            SubExp::Var(v) => self.ty(v).clone(),
        }
    }

    /// The types of an expression's results. For `if` those of the branch `yes`, which must not mention what the branch binds; for a
    /// loop with sizes among its parameters, and for a call or a flatmap, the caller knows better and uses [`Builder::bind`].
    pub fn result_types(&self, e: &Exp) -> Vec<Type> {
        let one = |t: Type| vec![t];
        match e {
            Exp::SubExp(e) | Exp::Opaque(e) => one(self.type_of(*e)),
            Exp::Prim(op, _) => one(Type::Scalar(op.signature().map_or(ScalarType::Bool, |s| s.1))),
            Exp::ArrayLit { elems, row } => one(row.array_of(&[Dim::Const(elems.len() as i64)])),
            Exp::Index { array, indices } => one(self.ty(*array).peel(indices.len())),
            Exp::Slice { array, slice } => one(slice_type(self.ty(*array), slice)),
            Exp::FlatIndex { array, dims, .. } => {
                let dims: Vec<Dim> = dims.iter().map(|(n, _)| *n).collect();
                one(self.ty(*array).row().array_of(&dims))
            }
            Exp::Update { array, .. }
            | Exp::UpdateSlice { array, .. }
            | Exp::FlatUpdate { array, .. }
            | Exp::Copy(array)
            | Exp::Manifest { array, .. }
            | Exp::Rotate { array, .. }
            | Exp::Reverse { array } => one(self.ty(*array).clone()),
            Exp::Iota { n, elem, .. } => {
                one(Type::Scalar(*elem).array_of(&Dim::from_subexp(*n).map_or(vec![], |d| vec![d])))
            }
            Exp::Replicate { shape, value } => one(self.type_of(*value).array_of(shape)),
            Exp::Scratch { elem, shape } => one(Type::Scalar(*elem).array_of(shape)),
            Exp::Rearrange { perm, array } => {
                let ty = self.ty(*array);
                let shape: Vec<Dim> = perm.iter().map(|i| ty.shape()[*i]).collect();
                one(ty.peel(ty.rank()).array_of(&shape))
            }
            Exp::Reshape { shape, array } | Exp::Coerce { shape, array } => {
                let ty = self.ty(*array);
                one(ty.peel(ty.rank()).array_of(shape))
            }
            Exp::Concat { arrays, size } => one(self.ty(arrays[0]).row().array_of(&[*size])),
            Exp::Check(_) => one(Type::Cert),
            Exp::Apply { .. } => Vec::new(),
            Exp::If { yes, .. } => yes.result.iter().map(|e| self.type_of(*e)).collect(),
            Exp::Match { default, .. } => default.result.iter().map(|e| self.type_of(*e)).collect(),
            Exp::Loop { params, .. } => params.iter().map(|p| p.binder.ty.clone()).collect(),
            Exp::Screma(s) => s.result_types(),
            Exp::Hist(h) => h.ops.iter().flat_map(|op| op.dests.iter().map(|a| self.ty(*a).clone())).collect(),
            Exp::Scatter(s) => s.dests.iter().map(|d| self.ty(d.array).clone()).collect(),
            Exp::Stream(s) => s.result_types(),
            Exp::FlatMap(_) => Vec::new(),
            Exp::WithAcc(w) => {
                let arrays = w.inputs.iter().flat_map(|i| i.arrays.iter().map(|a| self.ty(*a).clone()));
                arrays.chain(w.lambda.ret[w.inputs.len()..].iter().cloned()).collect()
            }
            Exp::UpdAcc { acc, .. } => one(self.ty(*acc).clone()),
            Exp::Jvp(ad) => [ad.lambda.ret.clone(), derivative_types(&ad.lambda.ret, &ad.seed_shape)].concat(),
            Exp::Vjp(ad) => {
                let args: Vec<Type> = ad.args.iter().map(|e| self.type_of(*e)).collect();
                [ad.lambda.ret.clone(), derivative_types(&args, &ad.seed_shape)].concat()
            }
            Exp::Custom(c) => c.lambda.ret[c.saved..].to_vec(),
            Exp::SegOp(seg) => seg.result_types(self),
        }
    }
}

/// The name with what cannot stand in a variable of IR text replaced.
fn printable(name: Name) -> Name {
    let fine = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
    let starts_well = name.as_str().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts_well && name.as_str().chars().all(fine) {
        return name;
    }
    let rest: String = name.as_str().chars().map(|c| if fine(c) { c } else { '_' }).collect();
    Name::from(if starts_well { rest } else { format!("v{rest}") }.as_str())
}

fn derivative_types(types: &[Type], seed_shape: &[Dim]) -> Vec<Type> {
    types.iter().map(|t| t.array_of(seed_shape)).collect()
}

/// Nodes of many parts, which an expression has in boxes, are expressions.
macro_rules! boxed {
    ($($node:ident)*) => {
        $(impl From<$node> for Exp {
            fn from(node: $node) -> Exp {
                Exp::$node(Box::new(node))
            }
        })*
    };
}
boxed!(Screma Hist Scatter Stream FlatMap Custom);

impl Exp {
    /// The array whose elements, or the rows of which, this makes an array of: in another order or shape, some left out, repeated or replaced.
    pub fn source_array(&self) -> Option<Var> {
        match self {
            Exp::SubExp(SubExp::Var(v)) | Exp::Opaque(SubExp::Var(v)) => Some(*v),
            Exp::Replicate { value: SubExp::Var(v), .. } => Some(*v),
            Exp::Slice { array, .. }
            | Exp::FlatIndex { array, .. }
            | Exp::Update { array, .. }
            | Exp::UpdateSlice { array, .. }
            | Exp::FlatUpdate { array, .. }
            | Exp::Rearrange { array, .. }
            | Exp::Manifest { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Coerce { array, .. }
            | Exp::Reverse { array }
            | Exp::Rotate { array, .. }
            | Exp::Copy(array) => Some(*array),
            _ => None,
        }
    }

    /// The arrays whose rows, or parts, a function is applied to: each has as many as the width of the whole.
    pub fn rows(&self) -> &[Var] {
        match self {
            Exp::Screma(s) => &s.arrays,
            Exp::Hist(h) => &h.arrays,
            Exp::Scatter(s) => &s.arrays,
            Exp::Stream(s) => &s.arrays,
            Exp::FlatMap(f) => &f.arrays,
            _ => &[],
        }
    }

    /// The outer size of [`Exp::rows`]; none of what applies no function to rows.
    pub fn width(&self) -> Option<Dim> {
        match self {
            Exp::Screma(s) => Some(s.width),
            Exp::Hist(h) => Some(h.width),
            Exp::Scatter(s) => Some(s.width),
            Exp::Stream(s) => Some(s.width),
            Exp::FlatMap(f) => Some(f.width),
            _ => None,
        }
    }
}

impl Body {
    /// The statements, and room for as many in their stead.
    pub fn take_stms(&mut self) -> Vec<Stm> {
        let room = Vec::with_capacity(self.stms.len());
        std::mem::replace(&mut self.stms, room)
    }
}

impl FlatMap {
    /// How many results stand before those that λ gives: the sum of the sizes, the sizes, the flags, the offsets.
    pub const FIXED: usize = 4;
}

impl Screma {
    /// How many operands of scans and of reduces the map λ returns first.
    pub fn operand_counts(&self) -> (usize, usize) {
        let count = |ops: &[Operator]| ops.iter().map(|op| op.neutral.len()).sum();
        (count(&self.scans), count(&self.reduces))
    }

    /// The types of the results.
    pub fn result_types(&self) -> Vec<Type> {
        let (scans, reduces) = self.operand_counts();
        let reduced = scans..scans + reduces;
        let ret = self.map.ret.iter().enumerate();
        match &self.post {
            None => {
                ret.map(|(i, t)| if reduced.contains(&i) { t.clone() } else { t.array_of(&[self.width]) }).collect()
            }
            Some(post) => {
                let rows = post.ret.iter().map(|t| t.array_of(&[self.width]));
                self.map.ret[reduced].iter().cloned().chain(rows).collect()
            }
        }
    }
}

impl Stream {
    /// How many accumulators there are.
    pub fn accumulators(&self) -> usize {
        match &self.form {
            StreamForm::Seq(init) => init.len(),
            StreamForm::Par(op) => op.neutral.len(),
        }
    }

    /// The types of the results.
    pub fn result_types(&self) -> Vec<Type> {
        let accs = self.accumulators();
        let ret = self.lambda.ret.iter().enumerate();
        ret.map(|(i, t)| if i < accs { t.clone() } else { t.row().array_of(&[self.width]) }).collect()
    }
}

impl FlatMap {
    /// The types of the results, the first of which, the total size, is this variable.
    pub fn result_types(&self, total: Var) -> Vec<Type> {
        let (n, m) = (self.width, Dim::Var(total));
        let vector = |t: ScalarType, d: Dim| Type::Scalar(t).array_of(&[d]);
        let fixed = [Type::I64, vector(ScalarType::I64, n), vector(ScalarType::Bool, m), vector(ScalarType::I64, n)];
        let ret = self.lambda.ret.iter().skip(1).enumerate();
        let rows = ret.map(|(i, t)| if i < self.irregular { t.row().array_of(&[m]) } else { t.array_of(&[n]) });
        fixed.into_iter().chain(rows).collect()
    }
}

impl SegKind {
    /// The operators.
    pub fn operators(&self) -> &[Operator] {
        match self {
            SegKind::Scan(ops) | SegKind::Reduce(ops) => ops,
            SegKind::Map | SegKind::Write(_) => &[],
        }
    }

    /// What is written to.
    pub fn dests(&self) -> &[ScatterDest] {
        match self {
            SegKind::Write(dests) => dests,
            SegKind::Map | SegKind::Scan(_) | SegKind::Reduce(_) => &[],
        }
    }

    /// How many of a body's first results are not mapped: operands of operators, or indices and values of what is written.
    pub fn operands(&self) -> usize {
        let folded: usize = self.operators().iter().map(|op| op.neutral.len()).sum();
        folded + self.dests().iter().map(|d| d.shape.len() + 1).sum::<usize>()
    }
}

impl SegOp {
    /// The types of the results.
    pub fn result_types(&self, vars: &Vars) -> Vec<Type> {
        let dims: Vec<Dim> = self.space.iter().map(|(_, d)| *d).collect();
        let (operands, mapped) = self.ret.split_at(self.operands());
        let mut types: Vec<Type> = match &self.kind {
            SegKind::Map => Vec::new(),
            SegKind::Scan(_) => operands.iter().map(|t| t.array_of(&dims)).collect(),
            SegKind::Reduce(_) => operands.iter().map(|t| t.array_of(&dims[..dims.len() - 1])).collect(),
            SegKind::Write(dests) => dests.iter().map(|d| vars.ty(d.array).clone()).collect(),
        };
        types.extend(mapped.iter().map(|t| t.array_of(&dims)));
        types
    }

    /// The operators that fold its last dimension.
    pub fn operators(&self) -> &[Operator] {
        self.kind.operators()
    }

    /// The same, to be changed.
    pub fn operators_mut(&mut self) -> &mut [Operator] {
        match &mut self.kind {
            SegKind::Scan(ops) | SegKind::Reduce(ops) => ops,
            SegKind::Map | SegKind::Write(_) => &mut [],
        }
    }

    /// The arrays that it writes to.
    pub fn dests(&self) -> &[ScatterDest] {
        self.kind.dests()
    }

    /// How many of the body's first results are not mapped: [`SegKind::operands`].
    pub fn operands(&self) -> usize {
        self.kind.operands()
    }

    /// A parallel map.
    pub fn map(level: Level, space: Vec<(Binder, Dim)>, ret: Vec<Type>, body: Body) -> SegOp {
        SegOp { level, space, kind: SegKind::Map, ret, body }
    }

    /// Reductions of the last dimension; a map, if there are none.
    pub fn reduce(space: Vec<(Binder, Dim)>, ops: Vec<Operator>, ret: Vec<Type>, body: Body) -> SegOp {
        let kind = if ops.is_empty() { SegKind::Map } else { SegKind::Reduce(ops) };
        SegOp { level: Level::Grid, space, kind, ret, body }
    }
}

/// The type of a slice of an array of this type.
pub fn slice_type(array: &Type, slice: &[SliceDim]) -> Type {
    let kept: Vec<Dim> =
        slice.iter().filter_map(|d| if let SliceDim::Range { count, .. } = d { Some(*count) } else { None }).collect();
    array.peel(slice.len()).array_of(&kept)
}

impl Lambda {
    /// The scalar operator ⊕ when this is `\x y -> x ⊕ y` on scalars, operands in either order for a commutative one.
    pub fn as_prim(&self) -> Option<Prim> {
        let ([x, y], [stm], [SubExp::Var(r)]) = (&self.params[..], &self.body.stms[..], &self.body.result[..]) else {
            return None;
        };
        let Exp::Prim(op, args) = &stm.exp else { return None };
        let in_order = args[..] == [x.var.into(), y.var.into()];
        let swapped = args[..] == [y.var.into(), x.var.into()] && op.is_commutative();
        (stm.pat[0].var == *r && (in_order || swapped)).then_some(*op)
    }
}

struct Declare<'a>(&'a mut Vars);

impl Visit for Declare<'_> {
    fn bind(&mut self, b: &Binder) {
        self.0.declare(b);
    }
}

/// Collects the statements of a body.
pub struct Builder<'a> {
    /// The program's variables.
    pub vars: &'a mut Vars,
    /// The statements so far.
    pub stms: Vec<Stm>,
    /// The provenance of what is bound next.
    pub prov: Prov,
    /// The certificates of what is bound next.
    pub certs: Vec<Var>,
    /// The attributes of what is bound next.
    pub attrs: Vec<Attr>,
}

impl<'a> Builder<'a> {
    /// An empty body whose statements have this provenance.
    pub fn new(vars: &'a mut Vars, prov: Prov) -> Self {
        Builder { vars, stms: Vec::new(), prov, certs: Vec::new(), attrs: Vec::new() }
    }

    /// Adds a statement as it is; its binders must be declared.
    pub fn push(&mut self, stm: Stm) {
        self.stms.push(stm);
    }

    /// Adds `let pat = exp`, with the current provenance, certificates and attributes.
    pub fn bind(&mut self, pat: Vec<Binder>, exp: Exp) {
        let (certs, attrs, prov) = (self.certs.clone(), self.attrs.clone(), self.prov);
        self.stms.push(Stm { pat, exp, certs, attrs, prov });
    }

    /// Adds a statement with fresh binders of the types that [`Vars::result_types`] gives, and returns them.
    pub fn let_many(&mut self, name: &str, exp: Exp) -> Vec<Var> {
        let types = self.vars.result_types(&exp);
        let pat: Vec<Binder> = types.into_iter().map(|t| self.vars.fresh(name, t)).collect();
        let vars = pat.iter().map(|b| b.var).collect();
        self.bind(pat, exp);
        vars
    }

    /// [`Builder::let_many`] for an expression with one result.
    pub fn let_one(&mut self, name: &str, exp: Exp) -> Var {
        self.let_many(name, exp)[0]
    }

    /// The n integers from a first one on, in `i64`.
    pub fn iota_from(&mut self, start: i64, n: Dim) -> Var {
        let (start, step) = (SubExp::i64(start), SubExp::i64(1));
        self.let_one("iota", Exp::Iota { n: n.into(), start, step, elem: ScalarType::I64 })
    }

    /// `iota n` in `i64`.
    pub fn iota(&mut self, n: Dim) -> Var {
        self.iota_from(0, n)
    }

    /// An operator on `i64`.
    pub fn int(&mut self, op: BinOp, x: SubExp, y: SubExp) -> SubExp {
        self.prim_op(Prim::Bin(op, ScalarType::I64), &[x, y])
    }

    /// Whether all indices are in range of an array of this shape.
    pub fn in_range(&mut self, indices: &[SubExp], shape: &[Dim]) -> SubExp {
        let mut all: Option<SubExp> = None;
        for (i, n) in indices.iter().zip(shape) {
            let low = self.prim_op(Prim::Cmp(CmpOp::Le, ScalarType::I64), &[SubExp::i64(0), *i]);
            let high = self.prim_op(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[*i, (*n).into()]);
            for test in [low, high] {
                all = Some(match all {
                    None => test,
                    Some(before) => self.prim_op(Prim::Bin(BinOp::And, ScalarType::Bool), &[before, test]),
                });
            }
        }
        // mutant: an array that is indexed has dimensions
        all.unwrap_or(SubExp::Lit(Scalar::Bool(true)))
    }

    /// A scalar operator applied.
    pub fn prim_op(&mut self, op: Prim, args: &[SubExp]) -> SubExp {
        self.let_one("t", Exp::Prim(op, args.to_vec())).into()
    }

    /// `array[indices]`, or the array itself where there are no indices.
    pub fn index(&mut self, array: Var, indices: &[SubExp]) -> Var {
        if indices.is_empty() {
            return array;
        }
        let name = self.vars.name(array).clone();
        self.let_one(name.as_str(), Exp::Index { array, indices: indices.to_vec() })
    }

    /// Whether all positions of a view, by offset and the size and stride of each dimension, are among `n`, which those of a view without elements are. It goes
    /// from the offset to one end of each dimension in turn, so that nothing overflows unnoticed: a way longer than `n` is none.
    pub fn view_fits(&mut self, n: Dim, offset: SubExp, dims: &[(SubExp, SubExp)]) -> SubExp {
        let (zero, one, n) = (SubExp::i64(0), SubExp::i64(1), SubExp::from(n));
        let at = |op| Prim::Cmp(op, ScalarType::I64);
        let int = |op| Prim::Bin(op, ScalarType::I64);
        let [and, or] = [BinOp::And, BinOp::Or].map(|op| Prim::Bin(op, ScalarType::Bool));
        let last = self.prim_op(int(BinOp::Sub), &[n, one]);
        let mut fine = self.prim_op(at(CmpOp::Le), &[zero, offset]);
        let below = self.prim_op(at(CmpOp::Lt), &[offset, n]);
        fine = self.prim_op(and, &[fine, below]);
        let mut empty = SubExp::Lit(Scalar::Bool(false));
        let (mut low, mut high) = (offset, offset);
        for (size, stride) in dims {
            let none = self.prim_op(at(CmpOp::Eq), &[*size, zero]);
            empty = self.prim_op(or, &[empty, none]);
            // |stride| ≤ last / steps, where there are steps
            let steps = self.prim_op(int(BinOp::Sub), &[*size, one]);
            let divisor = self.prim_op(int(BinOp::Max), &[steps, one]);
            let most = self.prim_op(int(BinOp::Quot), &[last, divisor]);
            let least = self.prim_op(int(BinOp::Sub), &[zero, most]);
            let still = self.prim_op(at(CmpOp::Le), &[steps, zero]);
            let forth = self.prim_op(at(CmpOp::Le), &[*stride, most]);
            let back = self.prim_op(at(CmpOp::Le), &[least, *stride]);
            let short = self.prim_op(and, &[forth, back]);
            let short = self.prim_op(or, &[still, short]);
            fine = self.prim_op(and, &[fine, short]);
            let way = self.prim_op(int(BinOp::Mul), &[steps, *stride]);
            let down = self.prim_op(int(BinOp::Min), &[way, zero]);
            let up = self.prim_op(int(BinOp::Max), &[way, zero]);
            low = self.prim_op(int(BinOp::Add), &[low, down]);
            high = self.prim_op(int(BinOp::Add), &[high, up]);
        }
        let above = self.prim_op(at(CmpOp::Le), &[zero, low]);
        let below = self.prim_op(at(CmpOp::Lt), &[high, n]);
        fine = self.prim_op(and, &[fine, above]);
        fine = self.prim_op(and, &[fine, below]);
        self.prim_op(or, &[empty, fine])
    }

    /// Runs `f` on a builder for an inner body of the same provenance; its operands are the body's results.
    pub fn inner(&mut self, f: impl FnOnce(&mut Builder) -> Vec<SubExp>) -> Body {
        let mut inner = Builder::new(self.vars, self.prov);
        let result = f(&mut inner);
        Body { stms: inner.stms, result }
    }

    /// Runs `f` with these certificates for what it binds; then they are again what they were.
    pub fn under<T>(&mut self, certs: Vec<Var>, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.certs, certs);
        let result = f(self);
        self.certs = outer;
        result
    }

    /// A lambda with fresh parameters of these names and types; `f` gets them and gives the results, whose types must not mention what is bound
    /// inside.
    pub fn lambda(&mut self, params: &[(&str, Type)], f: impl FnOnce(&mut Builder, &[Var]) -> Vec<SubExp>) -> Lambda {
        let params: Vec<Binder> = params.iter().map(|(name, t)| self.vars.fresh(*name, t.clone())).collect();
        let vars: Vec<Var> = params.iter().map(|b| b.var).collect();
        let body = self.inner(|b| f(b, &vars));
        let ret = body.result.iter().map(|e| self.vars.type_of(*e)).collect();
        Lambda { params, ret, body }
    }

    /// `\x.. -> (x..)`, with parameters of this name and these types.
    pub fn identity(&mut self, name: &str, types: &[Type]) -> Lambda {
        let params: Vec<(&str, Type)> = types.iter().map(|t| (name, t.clone())).collect();
        self.lambda(&params, |_, p| p.iter().map(|v| SubExp::Var(*v)).collect())
    }

    /// `\x y -> x ⊕ y` with its neutral element.
    pub fn operator(&mut self, op: Prim, neutral: Scalar) -> Operator {
        let t = Type::Scalar(neutral.scalar_type());
        let lambda =
            self.lambda(&[("x", t.clone()), ("y", t)], |b, p| vec![b.prim_op(op, &[p[0].into(), p[1].into()])]);
        Operator { lambda, neutral: vec![neutral.into()], commutative: op.is_commutative() }
    }

    /// The element-wise operator on two values of one type: the operator itself on scalars, a nest of maps on arrays.
    pub fn elementwise(&mut self, name: &str, op: Prim, x: SubExp, y: SubExp) -> SubExp {
        match (self.vars.type_of(x), x, y) {
            (ty @ Type::Array(..), SubExp::Var(x), SubExp::Var(y)) => {
                let row = ty.row();
                let map = self.lambda(&[("x", row.clone()), ("y", row)], |b, p| {
                    vec![b.elementwise(name, op, p[0].into(), p[1].into())]
                });
                self.let_one(name, map_exp(ty.shape()[0], vec![x, y], map)).into()
            }
            _ => self.let_one(name, Exp::Prim(op, vec![x, y])).into(),
        }
    }

    /// A value of a type with the same scalar everywhere.
    pub fn fill(&mut self, ty: &Type, x: Scalar) -> SubExp {
        match ty.shape() {
            [] => x.into(),
            shape => self.let_one("fill", Exp::Replicate { shape: shape.to_vec(), value: x.into() }).into(),
        }
    }

    /// The operand, which from here on relies on the current certificates.
    pub fn relying(&mut self, e: SubExp) -> SubExp {
        if self.certs.is_empty() { e } else { self.let_one("checked", Exp::SubExp(e)).into() }
    }

    /// Splices a body in: its statements, then its results.
    pub fn splice(&mut self, body: Body) -> Vec<SubExp> {
        self.stms.extend(body.stms);
        body.result
    }
}

/// A map.
pub fn map_exp(width: Dim, arrays: Vec<Var>, map: Lambda) -> Exp {
    reduce_exp(width, arrays, map, Vec::new())
}

/// Reductions of what a map makes.
pub fn reduce_exp(width: Dim, arrays: Vec<Var>, map: Lambda, reduces: Vec<Operator>) -> Exp {
    Exp::from(Screma { width, arrays, map, scans: Vec::new(), reduces, post: None })
}

/// Scans of what a map makes.
pub fn scan_exp(width: Dim, arrays: Vec<Var>, map: Lambda, scans: Vec<Operator>) -> Exp {
    Exp::from(Screma { width, arrays, map, scans, reduces: Vec::new(), post: None })
}

/// Scalar operators over IR operands: each becomes a statement.
impl Algebra for Builder<'_> {
    type Value = SubExp;
    type Error = Infallible;
    fn lit(&mut self, x: Scalar) -> SubExp {
        x.into()
    }
    fn prim(&mut self, op: Prim, args: &[SubExp]) -> Result<SubExp, Infallible> {
        Ok(self.prim_op(op, args))
    }
}

/// Replaces the sizes in a type.
pub fn substitute_type(ty: &Type, subst: &HashMap<Var, SubExp>) -> Type {
    let mut ty = ty.clone();
    substitute(&mut ty, subst);
    ty
}

/// Binds the parameters of a function to its arguments. Not a substitution: two parameters may have one argument, and if the function is
/// differentiated their derivatives are two.
pub fn bind_params(b: &mut Builder, params: &[Binder], args: &[SubExp]) {
    for (p, arg) in params.iter().zip(args) {
        b.bind(vec![p.clone()], Exp::SubExp(*arg));
    }
}

/// A pattern like this one; later binders' types mention earlier binders.
pub fn fresh_pattern(vars: &mut Vars, pat: &[Binder]) -> Vec<Binder> {
    let mut subst = HashMap::default();
    let mut new = |p: &Binder| {
        let fresh = vars.fresh(p.name.clone(), substitute_type(&p.ty, &subst));
        subst.insert(p.var, fresh.var.into());
        fresh
    };
    pat.iter().map(&mut new).collect()
}

/// A value as one of a type that names its sizes otherwise.
pub fn in_type(b: &mut Builder, e: SubExp, ty: &Type) -> SubExp {
    match (e, ty) {
        (SubExp::Var(array), Type::Array(_, shape)) if b.vars.ty(array) != ty => {
            let name = b.vars.name(array).clone();
            b.let_one(name.as_str(), Exp::Coerce { shape: shape.clone(), array }).into()
        }
        _ => e,
    }
}
