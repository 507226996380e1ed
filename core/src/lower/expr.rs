//! Expressions.

use super::Lowerer;
use super::value::{Closure, Scope, Shape, Target, Val};
use crate::ir::*;
use crate::types::ty::{Id, Type as SourceType};
use crate::types::typed::{self, Apply, Arg, Binding, Expr, ExprKind, Operator, StepKind};
use std::rc::Rc;
use std::sync::Arc;

impl Lowerer<'_> {
    /// Evaluates an expression. Sizes that it brings up are bound in the scope.
    pub fn expr(&mut self, e: &Expr, scope: &mut Scope) -> Val {
        stacker::maybe_grow(128 << 10, 4 << 20, || {
            let outer = self.prov;
            self.prov = self.at(e.span);
            let value = self.expr_here(e, scope);
            self.prov = outer;
            value
        })
    }

    fn scalar_expr(&mut self, e: &Expr, scope: &mut Scope) -> SubExp {
        self.expr(e, scope).scalar()
    }

    fn expr_here(&mut self, e: &Expr, scope: &mut Scope) -> Val {
        match &e.kind {
            ExprKind::Lit(literal) => {
                let Shape::Scalar(t) = self.shape(&e.ty, scope) else {
                    panic!("internal error: a literal that is no scalar")
                };
                match literal.at(t) {
                    Some(x) => Val::Leaf(x.into()),
                    None => panic!("internal error: a literal that {t} cannot hold"),
                }
            }
            ExprKind::Var(id, args) => self.var(id, args, scope),
            ExprKind::Intrinsic(i, args) => {
                let insts = self.insts(args, scope);
                Val::Fun(Rc::new(Closure { target: Target::Intrinsic(*i, insts), args: Vec::new() }))
            }
            ExprKind::Prim(op) => Val::Fun(Rc::new(Closure { target: Target::Prim(*op), args: Vec::new() })),
            ExprKind::Op(op, ty) => {
                let target = Target::Op(*op, self.operand_type(*op, ty, scope));
                Val::Fun(Rc::new(Closure { target, args: Vec::new() }))
            }
            ExprKind::Tuple(es) => Val::Tuple(es.iter().map(|e| self.expr(e, scope)).collect()),
            ExprKind::Array(es) => self.array(es, &e.ty, scope),
            ExprKind::Project(e, i) => match self.expr(e, scope) {
                Val::Tuple(mut vs) => vs.swap_remove(*i),
                v => panic!("internal error: component {i} of {v:?}"),
            },
            ExprKind::Index(array, indices) => {
                let array = self.expr(array, scope);
                let indices: Vec<SubExp> = indices.iter().map(|i| self.index_operand(i, scope)).collect();
                self.index(array, &indices)
            }
            ExprKind::Apply(f, args, apply) => self.application(f, args, apply, &e.ty, scope),
            ExprKind::Chain(first, steps) => self.chain(first, steps, scope),
            ExprKind::Lambda(lambda) => {
                let target = Target::Lambda(lambda.clone(), scope.clone());
                Val::Fun(Rc::new(Closure { target, args: Vec::new() }))
            }
            ExprKind::If(branches, otherwise, exts) => self.branches(branches, otherwise, exts, &e.ty, scope),
            ExprKind::Block(bindings, body, names) => {
                for binding in bindings {
                    self.binding(binding, scope);
                }
                let value = self.expr(body, scope);
                for (id, size) in names {
                    let dim = self.dim(size, scope);
                    scope.bind(id, Val::Leaf(dim.into()));
                }
                value
            }
            ExprKind::Loop(l) => self.loop_(l, scope),
            ExprKind::Range(range) => self.range(range, &e.ty, scope),
            ExprKind::Coerce(inner) => {
                let value = self.expr(inner, scope);
                let shape = self.shape(&e.ty, scope);
                self.coerce(value, &shape)
            }
            ExprKind::Attr(attr, inner) => {
                let arg = attr.args.first().and_then(|a| if let typed::AttrArg::Int(n) = a { Some(*n) } else { None });
                self.attrs.push(Attr { name: Name::from(&*attr.name), arg });
                let value = self.expr(inner, scope);
                self.attrs.pop();
                value
            }
            ExprKind::Error => panic!("internal error: an expression in error is lowered"),
        }
    }

    fn var(&mut self, id: &Id, args: &[Arg], scope: &mut Scope) -> Val {
        if let Some(v) = scope.values.get(&id.num) {
            return v.clone();
        }
        match scope.functions.get(&id.num).cloned() {
            Some((def, home)) => self.definition(&def, (*home).clone(), args, scope),
            None => self.global(id, args, scope),
        }
    }

    fn insts(&mut self, args: &[Arg], scope: &mut Scope) -> Vec<super::value::Inst> {
        use super::value::Inst;
        let one = |arg: &Arg| match arg {
            Arg::Size(size) => Inst::Size(self.dim(size, scope)),
            Arg::Type(ty) => Inst::Type(self.shape(ty, scope)),
        };
        args.iter().map(one).collect()
    }

    fn operand_type(&mut self, op: Operator, ty: &SourceType, scope: &mut Scope) -> ScalarType {
        match self.shape(ty, scope) {
            Shape::Scalar(t) => t,
            other => panic!("internal error: {op:?} on {other:?}"),
        }
    }

    fn binding(&mut self, binding: &Binding, scope: &mut Scope) {
        match binding {
            Binding::Pat(pat, e) => {
                let value = self.expr(e, scope);
                let shape = self.shape(&pat.ty, scope);
                let value = self.coerce(value, &shape);
                self.bind_pattern(pat, value, scope);
            }
            Binding::Fun(def) => {
                let home = Rc::new(scope.clone());
                scope.functions.insert(def.id.num, (Arc::clone(def), home));
            }
        }
    }

    fn array(&mut self, es: &[Expr], ty: &SourceType, scope: &mut Scope) -> Val {
        let values: Vec<Val> = es.iter().map(|e| self.expr(e, scope)).collect();
        let Shape::Array(n, row) = self.shape(ty, scope) else { panic!("internal error: an array that is none") };
        let values: Vec<Vec<SubExp>> = values.into_iter().map(|v| self.coerce(v, &row).leaves()).collect();
        let whole = Shape::Array(n, row.clone());
        let mut arrays = Vec::new();
        for (i, row) in row.leaves().into_iter().enumerate() {
            let elems = values.iter().map(|v| v[i]).collect();
            arrays.push(self.emit("lit", Exp::ArrayLit { elems, row })[0].into());
        }
        let value = whole.value(&mut arrays.into_iter());
        self.coerce(value, &whole)
    }

    /// An index, as an `i64`.
    fn index_operand(&mut self, e: &Expr, scope: &mut Scope) -> SubExp {
        let index = self.scalar_expr(e, scope);
        match self.vars.type_of(index).elem() {
            Some(t) if t != ScalarType::I64 => self.prim(Prim::Conv(t, ScalarType::I64), &[index]),
            _ => index,
        }
    }

    /// An element or row of each array of a value, with the check that the indices are in range.
    fn index(&mut self, array: Val, indices: &[SubExp]) -> Val {
        let leaves = array.leaves();
        let Some(first) = leaves.first() else { return array };
        let sizes = self.vars.type_of(*first).shape()[..indices.len()].to_vec();
        let cert = self.emit("bounds", Exp::Check(Check::Bounds { indices: indices.to_vec(), sizes }))[0];
        let mut rows = Vec::new();
        for leaf in leaves {
            let Some(array) = leaf.as_var() else { continue };
            let name = self.vars.name(array).clone();
            let exp = Exp::Index { array, indices: indices.to_vec() };
            rows.push(self.certified(name.as_str(), exp, vec![cert]).into());
        }
        array.with(&mut rows.into_iter())
    }

    fn application(&mut self, f: &Expr, args: &[Expr], apply: &Apply, ty: &SourceType, scope: &mut Scope) -> Val {
        let mut values: Vec<Option<Val>> = vec![None; args.len()];
        for i in typed::evaluation_order(args) {
            values[i] = Some(self.expr(&args[i], scope));
        }
        let args: Vec<Val> = values.into_iter().flatten().collect();
        for (i, id) in &apply.arg_sizes {
            scope.bind(id, args[*i].clone());
        }
        let f = self.expr(f, scope);
        let value = self.apply(f, args);
        self.bind_sizes(&apply.exts, ty, &value, scope);
        value
    }

    fn chain(&mut self, first: &Expr, steps: &[typed::Step], scope: &mut Scope) -> Val {
        let mut value = self.expr(first, scope);
        for step in steps {
            self.prov = self.at(step.span);
            value = match &step.kind {
                StepKind::Apply(f, arg, apply) => {
                    let mut args = vec![value];
                    args.extend(arg.as_ref().map(|a| self.expr(a, scope)));
                    for (i, id) in &apply.arg_sizes {
                        scope.bind(id, args[*i].clone());
                    }
                    let f = self.expr(f, scope);
                    let value = self.apply(f, args);
                    self.bind_sizes(&apply.exts, &step.ty, &value, scope);
                    value
                }
                StepKind::And(e) => self.short_circuit(value.scalar(), e, true, scope),
                StepKind::Or(e) => self.short_circuit(value.scalar(), e, false, scope),
            };
        }
        value
    }

    /// `acc && e` when `goes_on` is true, `acc || e` when it is false.
    fn short_circuit(&mut self, acc: SubExp, e: &Expr, goes_on: bool, scope: &Scope) -> Val {
        let evaluated = self.inner(|l| vec![l.scalar_expr(e, &mut scope.clone())]);
        if evaluated.stms.is_empty() {
            // nothing is left to skip: an operator, which has a derivative on both sides
            let op = if goes_on { BinOp::And } else { BinOp::Or };
            return Val::Leaf(self.prim(Prim::Bin(op, ScalarType::Bool), &[acc, evaluated.result[0]]));
        }
        let decided = Body { stms: Vec::new(), result: vec![Scalar::Bool(!goes_on).into()] };
        let (yes, no) = if goes_on { (evaluated, decided) } else { (decided, evaluated) };
        let pat = self.vars.fresh("cond", Type::BOOL);
        let result = Val::Leaf(pat.var.into());
        self.bind(vec![pat], Exp::If { cond: acc, yes, no }, Vec::new());
        result
    }

    fn branches(
        &mut self,
        branches: &[(Expr, Expr)],
        otherwise: &Expr,
        exts: &[Id],
        ty: &SourceType,
        scope: &mut Scope,
    ) -> Val {
        let [(cond, yes), rest @ ..] = branches else { return self.expr(otherwise, scope) };
        let cond = self.scalar_expr(cond, scope);
        self.name_sizes(ty, exts, scope);
        // The pattern: unknown sizes, then the values that have them.
        let mut pat: Vec<Binder> = Vec::new();
        let mut outside = scope.clone();
        for id in exts {
            let binder = self.vars.fresh("n", Type::I64);
            outside.bind(id, Val::Leaf(binder.var.into()));
            pat.push(binder);
        }
        let shape = self.shape(ty, &mut outside);
        let binders: Vec<Binder> = shape.leaves().into_iter().map(|t| self.vars.fresh("if", t)).collect();
        let result = shape.value(&mut binders.iter().map(|b| b.var.into()));
        pat.extend(binders);
        let branch = |l: &mut Self, f: &dyn Fn(&mut Self, &mut Scope) -> Val| {
            l.inner(|l| {
                let mut inside = scope.clone();
                let value = f(l, &mut inside);
                l.bind_sizes(exts, ty, &value, &mut inside);
                let own: Vec<SubExp> =
                    exts.iter().map(|id| inside.values.get(&id.num).map_or(SubExp::i64(0), Val::scalar)).collect();
                let shape = l.shape(ty, &mut inside);
                own.into_iter().chain(l.coerce(value, &shape).leaves()).collect()
            })
        };
        let yes = branch(self, &|l, s| l.expr(yes, s));
        let no = branch(self, &|l, s| l.branches(rest, otherwise, exts, ty, s));
        self.bind(pat, Exp::If { cond, yes, no }, Vec::new());
        for id in exts {
            if let Some(v) = outside.values.get(&id.num) {
                scope.bind(id, v.clone());
            }
        }
        result
    }

    fn loop_(&mut self, l: &typed::Loop, scope: &mut Scope) -> Val {
        let init = self.expr(&l.init, scope);
        // What the loop goes over is evaluated once, before it.
        let bound = match &l.form {
            typed::LoopForm::For(_, e) => Some(self.scalar_expr(e, scope)),
            typed::LoopForm::ForIn(..) | typed::LoopForm::While(_) => None,
        };
        let over = if let typed::LoopForm::ForIn(pat, e) = &l.form { Some((pat, self.expr(e, scope))) } else { None };
        let variant: Vec<Id> = l.variant.iter().map(|(id, _)| id.clone()).collect();
        self.name_sizes(&l.pat.ty, &variant, scope);
        let own: Vec<(_, Dim)> = self.sizes_of(&l.pat.ty, &init);
        let size_of = |sizes: &[(crate::types::ty::Size, Dim)], id: &Id| {
            let found = sizes.iter().find(|(s, _)| matches!(s, crate::types::ty::Size::Var(v) if v == id));
            found.map_or(SubExp::i64(0), |(_, d)| (*d).into())
        };

        let mut inside = scope.clone();
        let mut params: Vec<LoopParam> = Vec::new();
        let mut add = |binder: Binder, init: SubExp| params.push(LoopParam { binder, unique: false, init });
        let mut first = scope.clone();
        for (id, _) in &l.variant {
            let binder = self.vars.fresh(&*id.name, Type::I64);
            inside.bind(id, Val::Leaf(binder.var.into()));
            let dim = size_of(&own, id);
            first.bind(id, Val::Leaf(dim));
            add(binder, dim);
        }
        let init_shape = self.shape(&l.pat.ty, &mut first);
        let init = self.coerce(init, &init_shape);
        let shape = self.shape(&l.pat.ty, &mut inside);
        let binders: Vec<Binder> = shape.leaves().into_iter().map(|t| self.vars.fresh("p", t)).collect();
        let carried = shape.value(&mut binders.iter().map(|b| b.var.into()));
        binders.into_iter().zip(init.leaves()).for_each(|(b, e)| add(b, e));
        self.bind_pattern(&l.pat, carried, &mut inside);

        let form = match (&l.form, bound, &over) {
            (typed::LoopForm::For(id, _), Some(bound), _) => {
                let ty = self.vars.type_of(bound);
                let index = self.vars.fresh(&*id.name, ty);
                inside.bind(id, Val::Leaf(index.var.into()));
                LoopForm::For { index, bound }
            }
            (_, _, Some((_, xs))) => {
                let n = xs.leaves().first().and_then(|e| self.vars.type_of(*e).shape().first().copied());
                let index = self.vars.fresh("i", Type::I64);
                LoopForm::For { index, bound: n.unwrap_or(Dim::Const(0)).into() }
            }
            _ => {
                // The condition of the first round is computed before the loop, that of the next in the body.
                let binder = self.vars.fresh("cond", Type::BOOL);
                let var = binder.var;
                let mut before = first.clone();
                let typed::LoopForm::While(cond) = &l.form else { panic!("internal error: a loop without form") };
                self.bind_pattern(&l.pat, init.clone(), &mut before);
                let cond = self.scalar_expr(cond, &mut before);
                params.push(LoopParam { binder, unique: false, init: cond });
                LoopForm::While(var)
            }
        };
        let body = self.inner(|lowerer| {
            if let (Some((pat, xs)), LoopForm::For { index, .. }) = (&over, &form) {
                let rows: Vec<SubExp> = xs
                    .leaves()
                    .into_iter()
                    .filter_map(|e| e.as_var())
                    .map(|array| lowerer.emit("x", Exp::Index { array, indices: vec![index.var.into()] })[0].into())
                    .collect();
                let row = xs.with(&mut rows.into_iter());
                lowerer.bind_pattern(pat, row, &mut inside);
            }
            let value = lowerer.expr(&l.body, &mut inside);
            let sizes = lowerer.sizes_of(&l.pat.ty, &value);
            let mut next = scope.clone();
            let mut results = Vec::new();
            for (id, _) in &l.variant {
                let dim = size_of(&sizes, id);
                next.bind(id, Val::Leaf(dim));
                results.push(dim);
            }
            let shape = lowerer.shape(&l.pat.ty, &mut next);
            let value = lowerer.coerce(value, &shape);
            results.extend(value.leaves());
            if let typed::LoopForm::While(cond) = &l.form {
                lowerer.bind_pattern(&l.pat, value, &mut next);
                results.push(lowerer.scalar_expr(cond, &mut next));
            }
            results
        });
        let mut outside = scope.clone();
        let mut pat = Vec::new();
        for (inner, outer) in &l.variant {
            let binder = self.vars.fresh(&*outer.name, Type::I64);
            outside.bind(inner, Val::Leaf(binder.var.into()));
            scope.bind(outer, Val::Leaf(binder.var.into()));
            pat.push(binder);
        }
        let shape = self.shape(&l.pat.ty, &mut outside);
        let binders: Vec<Binder> = shape.leaves().into_iter().map(|t| self.vars.fresh("loop", t)).collect();
        let result = shape.value(&mut binders.iter().map(|b| b.var.into()));
        pat.extend(binders);
        if let LoopForm::While(_) = form {
            pat.push(self.vars.fresh("cond", Type::BOOL));
        }
        self.bind(pat, Exp::Loop { params, form, body }, Vec::new());
        result
    }

    fn range(&mut self, r: &typed::Range, ty: &SourceType, scope: &mut Scope) -> Val {
        let first = self.scalar_expr(&r.first, scope);
        let t = self.vars.type_of(first).elem().unwrap_or(ScalarType::I64);
        let bin = |op| Prim::Bin(op, t);
        let kind = match r.kind {
            typed::RangeKind::Inclusive => RangeKind::Inclusive,
            typed::RangeKind::UpTo => RangeKind::UpTo,
            typed::RangeKind::DownTo => RangeKind::DownTo,
        };
        let given = r.second.as_ref().map(|e| self.scalar_expr(e, scope));
        let end = self.scalar_expr(&r.end, scope);
        let step = match given {
            Some(second) => self.prim(bin(BinOp::Sub), &[second, first]),
            None => Scalar::from_i64(t, if kind == RangeKind::DownTo { -1 } else { 1 }).into(),
        };
        let second = match given {
            Some(second) => second,
            None => self.prim(bin(BinOp::Add), &[first, step]),
        };
        let cert = self.emit("range", Exp::Check(Check::Range { start: first, second, end, kind }))[0];
        let wide = |l: &mut Self, e: SubExp| match e {
            SubExp::Lit(x) => Prim::Conv(t, ScalarType::I64).eval(&[x]).into(),
            e if t == ScalarType::I64 => e,
            e => l.prim(Prim::Conv(t, ScalarType::I64), &[e]),
        };
        let (first64, end64) = (wide(self, first), wide(self, end));
        // in i64, since the step down of an unsigned range is negative
        let step64 = match given {
            Some(second) if t != ScalarType::I64 => {
                let second64 = wide(self, second);
                self.arithmetic(BinOp::Sub, &[second64, first64])
            }
            Some(_) => step,
            None => SubExp::i64(if kind == RangeKind::DownTo { -1 } else { 1 }),
        };
        // ceil((end - first) / step) without the end, floor(…) + 1 with it
        let distance = self.arithmetic(BinOp::Sub, &[end64, first64]);
        let n = if kind == RangeKind::Inclusive {
            let steps = self.arithmetic(BinOp::Div, &[distance, step64]);
            self.arithmetic(BinOp::Add, &[steps, SubExp::i64(1)])
        } else {
            let backwards = self.arithmetic(BinOp::Sub, &[SubExp::i64(0), step64]);
            let steps = self.arithmetic(BinOp::Div, &[distance, backwards]);
            self.arithmetic(BinOp::Sub, &[SubExp::i64(0), steps])
        };
        // The size of a range that fails its check may be anything, also negative; iota takes none of it.
        let n = match n {
            SubExp::Lit(x) => Prim::Bin(BinOp::Max, ScalarType::I64).eval(&[x, Scalar::I64(0)]).into(),
            n => self.certified("n", Exp::SubExp(n), vec![cert]).into(),
        };
        let array = self.certified("range", Exp::Iota { n, start: first, step, elem: t }, vec![cert]);
        let value = Val::Leaf(array.into());
        if let Some(id) = &r.ext {
            scope.bind(id, Val::Leaf(n));
        }
        let shape = self.shape(ty, scope);
        self.coerce(value, &shape)
    }
}
