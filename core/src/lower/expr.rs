//! Expressions.

use super::Lowerer;
use super::parts::field_of;
use super::value::{Closure, Scope, Shape, Target, Val};
use crate::analysis::alias::consumable_by;
use crate::budget::HEAVY;
use crate::ir::*;
use crate::source::printable;
use crate::types::ty::{Id, Size, Type as SourceType, label_order};
use crate::types::typed::{self, Apply, Arg, Binding, Expr, ExprKind, StepKind};
use std::rc::Rc;
use std::sync::Arc;

impl Lowerer<'_> {
    /// Evaluates an expression. Sizes that it brings up are bound in the scope.
    pub fn expr(&mut self, e: &Expr, scope: &mut Scope) -> Val {
        stacker::maybe_grow(128 << 10, 4 << 20, || {
            let outer = (self.prov, self.place);
            (self.prov, self.place) = (self.at(e.span), e.span);
            self.spend(HEAVY, "its code, with definitions in place of their names,");
            let value = self.expr_here(e, scope);
            if let ExprKind::Record(_) | ExprKind::Constr(..) | ExprKind::Apply(..) | ExprKind::Chain(..) = e.kind {
                let nodes = value.nodes(self.budget.most());
                self.budget.take_whole(nodes, "its values", e.span);
            }
            (self.prov, self.place) = outer;
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
                Val::Fun(Rc::new(Closure { target: Target::Intrinsic(*i, insts), args: Vec::new(), certs: Vec::new() }))
            }
            ExprKind::Prim(op) => {
                Val::Fun(Rc::new(Closure { target: Target::Prim(*op), args: Vec::new(), certs: Vec::new() }))
            }
            ExprKind::Op(op, ty) => {
                let target = Target::Op(*op, self.shape(ty, scope));
                Val::Fun(Rc::new(Closure { target, args: Vec::new(), certs: Vec::new() }))
            }
            ExprKind::Record(fields) if fields.is_empty() => Val::Leaf(Scalar::Bool(false).into()),
            ExprKind::Record(fields) => {
                // evaluated as they stand, kept in the order of their names
                let mut values: Vec<(&str, Val)> = Vec::new();
                for (name, e) in fields {
                    values.push((name, self.expr(e, scope)));
                }
                values.sort_by(|a, b| label_order(a.0, b.0));
                Val::Tuple(values.into_iter().map(|(_, v)| v).collect())
            }
            ExprKind::Constr(name, args) => {
                let args: Vec<Val> = args.iter().map(|e| self.expr(e, scope)).collect();
                self.construct(name, args, &e.ty, scope)
            }
            ExprKind::Array(es) => self.array(es, &e.ty, scope),
            ExprKind::Project(e, name) => {
                let value = self.expr(e, scope);
                field_of(&value, &e.ty, name)
            }
            ExprKind::Index(array, indices) => {
                let array = self.expr(array, scope);
                self.index(array, indices, &e.ty, scope)
            }
            ExprKind::Update(array, path, value) => {
                let first = (!typed::value_first(path)).then(|| self.expr(array, scope));
                let steps = self.steps(path, scope);
                let value = self.expr(value, scope);
                let whole = first.unwrap_or_else(|| self.expr(array, scope));
                self.updated(whole, &array.ty, &steps, value)
            }
            ExprKind::Assert(condition, value) => {
                let text = self.sources.text(condition.span).split_whitespace().collect::<Vec<_>>().join(" ");
                let condition = self.scalar_expr(condition, scope);
                let message = format!("Assertion is false: {}", printable(&text));
                let cert = self.emit("assert", Exp::Check(Check::Assert(condition, message.as_str().into())))[0];
                let value = self.expr(value, scope);
                self.relying_on(cert, value)
            }
            ExprKind::Hole(exts) => {
                exts.iter().for_each(|id| scope.bind(id, Val::Leaf(SubExp::i64(0))));
                let message = format!("Reached hole of type: {}", e.ty);
                let never = Scalar::Bool(false).into();
                let cert = self.emit("hole", Exp::Check(Check::Assert(never, message.as_str().into())))[0];
                let shape = self.shape(&e.ty, scope);
                let value = self.zero(&shape);
                self.relying_on(cert, value)
            }
            ExprKind::Apply(f, args, apply) => self.application(f, args, apply, &e.ty, scope),
            ExprKind::Chain(first, steps) => self.chain(first, steps, scope),
            ExprKind::Lambda(lambda) => {
                let target = Target::Lambda(lambda.clone(), scope.clone());
                Val::Fun(Rc::new(Closure { target, args: Vec::new(), certs: Vec::new() }))
            }
            ExprKind::If(branches, otherwise, exts) => self.if_(branches, otherwise, exts, &e.ty, scope),
            ExprKind::Match(value, cases, exts) => {
                let matched = self.expr(value, scope);
                self.match_(&matched, cases, exts, &e.ty, scope)
            }
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
            ExprKind::Attr(attr, inner) if &*attr.name == "trace" => {
                let value = self.expr(inner, scope);
                self.traced(attr, e.span, &inner.ty, value, scope)
            }
            ExprKind::Break(locals, inner) => {
                self.stop(e.span, locals, scope);
                self.expr(inner, scope)
            }
            ExprKind::Attr(attr, inner) if let Some(value) = self.tuned(attr, &inner.ty) => {
                Val::Leaf(SubExp::i64(value))
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

    /// What a tuning parameter stands for, if it has been given a value: `#[param(NAME)]` of an `i64`.
    fn tuned(&self, attr: &typed::Attr, ty: &SourceType) -> Option<i64> {
        let [typed::AttrArg::Attr(name)] = &attr.args[..] else { return None };
        let value = || self.env.tuning.iter().rev().find(|(known, _)| **known == *name.name).map(|(_, value)| *value);
        if &*attr.name == "param" && *ty == SourceType::I64 { value() } else { None }
    }

    fn var(&mut self, id: &Id, args: &[Arg], scope: &mut Scope) -> Val {
        if let Some(asked) = scope.asked.get(&id.num) {
            return Val::Leaf(self.asked_size(*asked));
        }
        if let Some(v) = scope.values.get(&id.num) {
            return v.clone();
        }
        if let Some((size, home)) = scope.later.get(&id.num).cloned() {
            return Val::Leaf(self.dim(&size, &mut (*home).clone()).into());
        }
        match scope.functions.get(&id.num).cloned() {
            Some((def, home)) => self.definition(&def, (*home).clone(), args, scope),
            None => self.global(id, args, scope),
        }
    }

    /// What the type parameters of something built in stand for. The prelude's definitions wrap all of these, so that their sizes are known: `definition` binds those
    /// that only arguments tell.
    fn insts(&mut self, args: &[Arg], scope: &mut Scope) -> Vec<super::value::Inst> {
        use super::value::Inst;
        let one = |arg: &Arg| match arg {
            Arg::Size(size) => Inst::Size(Some(self.dim(size, scope))),
            Arg::Type(ty) => Inst::Type(self.shape(ty, scope)),
        };
        args.iter().map(one).collect()
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

    fn application(&mut self, f: &Expr, args: &[Expr], apply: &Apply, ty: &SourceType, scope: &mut Scope) -> Val {
        let mut values: Vec<Option<Val>> = vec![None; args.len()];
        for i in typed::evaluation_order(args) {
            values[i] = Some(self.expr(&args[i], scope));
        }
        let args: Vec<Val> = values.into_iter().flatten().collect();
        self.bind_arguments(apply, &args, scope);
        let f = self.expr(f, scope);
        // without arguments it is there for the sizes that it brings up
        let value = if args.is_empty() { f } else { self.apply(f, args) };
        self.bind_sizes(&apply.exts, ty, &value, scope);
        value
    }

    /// Sizes that are the values of arguments are not computed again.
    fn bind_arguments(&mut self, apply: &Apply, args: &[Val], scope: &mut Scope) {
        for (i, size) in &apply.arg_sizes {
            match size {
                Size::Var(id) if !scope.values.contains_key(&id.num) && self.env.def(id).is_none() => {
                    scope.bind(id, args[*i].clone());
                }
                Size::Op(..) | Size::Exp(_) => {
                    if let Val::Leaf(e) = args[*i]
                        && let Some(dim) = Dim::from_subexp(e)
                    {
                        scope.sizes.insert(size.clone(), dim);
                    }
                }
                _ => {}
            }
        }
    }

    fn chain(&mut self, first: &Expr, steps: &[typed::Step], scope: &mut Scope) -> Val {
        let mut functions: Vec<Val> =
            steps.iter().rev().filter_map(|s| s.on_the_left(first)).map(|f| self.expr(f, scope)).collect();
        let mut value = self.expr(first, scope);
        for step in steps {
            self.prov = self.at(step.span);
            value = match &step.kind {
                StepKind::Apply(f, arg, apply) => {
                    let mut args = vec![value];
                    args.extend(arg.as_ref().map(|a| self.expr(a, scope)));
                    self.bind_arguments(apply, &args, scope);
                    let early = step.on_the_left(first).and_then(|_| functions.pop());
                    let f = early.unwrap_or_else(|| self.expr(f, scope));
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

    fn loop_(&mut self, l: &typed::Loop, scope: &mut Scope) -> Val {
        // the attributes are the loop's own, not those of what it begins with
        let attrs = std::mem::take(&mut self.attrs);
        let most = attrs.iter().rev().find(|a| a.name.as_str() == "bound").and_then(|a| a.arg);
        let most = most.filter(|_| matches!(l.form, typed::LoopForm::While(_)));
        let init = self.expr(&l.init, scope);
        // What the loop goes over is evaluated once, before it.
        let bound = match &l.form {
            typed::LoopForm::For(_, e) => Some(self.scalar_expr(e, scope)),
            typed::LoopForm::ForIn(..) | typed::LoopForm::While(_) => None,
        };
        let over = if let typed::LoopForm::ForIn(pat, e) = &l.form { Some((pat, self.expr(e, scope))) } else { None };
        let variant: Vec<Id> = l.variant.iter().map(|(id, _)| id.clone()).collect();
        self.name_sizes(&l.pat.ty, &variant, scope);
        let own: Vec<(_, Dim)> = self.sizes_of(&l.pat.ty, &init, scope);
        let size_of = |sizes: &[(Size, Dim)], id: &Id| {
            let found = sizes.iter().find(|(s, _)| matches!(s, Size::Var(v) if v == id));
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
        let init_shape = self.carried_shape(&l.pat.ty, &variant, &first);
        let init_opens = self.opens_of(&init_shape, &init);
        let init = self.coerce(init, &init_shape);
        let shape = self.carried_shape(&l.pat.ty, &variant, &inside);
        let (opens, shape) = self.named_opens(&shape);
        opens.into_iter().zip(init_opens).for_each(|(b, dim)| add(b, dim.into()));
        let mut binders: Vec<Binder> = shape.leaves().into_iter().map(|t| self.vars.fresh("p", t)).collect();
        let accumulators = init.leaves();
        self.accumulators_of(&mut binders, &accumulators);
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
        let rounds = most.map(|most| (most, self.vars.fresh("rounds", Type::I64)));
        let body = self.inner(|lowerer| {
            let within: Vec<Var> =
                rounds.iter().map(|(most, rounds)| lowerer.within_bound(*most, rounds.var)).collect();
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
            let sizes = lowerer.sizes_of(&l.pat.ty, &value, scope);
            let mut next = scope.clone();
            let mut results = Vec::new();
            for (id, _) in &l.variant {
                let dim = size_of(&sizes, id);
                next.bind(id, Val::Leaf(dim));
                results.push(dim);
            }
            let shape = lowerer.carried_shape(&l.pat.ty, &variant, &next);
            results.extend(lowerer.opens_of(&shape, &value).into_iter().map(SubExp::from));
            let value = lowerer.coerce(value, &shape);
            results.extend(value.leaves());
            if let typed::LoopForm::While(cond) = &l.form {
                lowerer.bind_pattern(&l.pat, value, &mut next);
                let cond = lowerer.scalar_expr(cond, &mut next);
                results.push(match &rounds {
                    Some(_) => lowerer.certified("cond", Exp::SubExp(cond), within).into(),
                    None => cond,
                });
            }
            if let Some((_, rounds)) = &rounds {
                results.push(lowerer.prim(ScalarType::I64.plus(), &[rounds.var.into(), SubExp::i64(1)]));
            }
            results
        });
        if let Some((_, binder)) = rounds.clone() {
            params.push(LoopParam { binder, unique: false, init: SubExp::i64(0) });
        }
        // what a turn consumes
        let consumed = consumable_by(&body, &self.funs);
        for p in &mut params {
            p.unique = p.binder.ty.rank() > 0 && consumed.may_be_consumed(p.binder.var);
        }
        let mut outside = scope.clone();
        let mut pat = Vec::new();
        for (inner, outer) in &l.variant {
            let binder = self.vars.fresh(&*outer.name, Type::I64);
            outside.bind(inner, Val::Leaf(binder.var.into()));
            scope.bind(outer, Val::Leaf(binder.var.into()));
            pat.push(binder);
        }
        let shape = self.carried_shape(&l.pat.ty, &variant, &outside);
        let (opens, shape) = self.named_opens(&shape);
        pat.extend(opens);
        let mut binders: Vec<Binder> = shape.leaves().into_iter().map(|t| self.vars.fresh("loop", t)).collect();
        self.accumulators_of(&mut binders, &accumulators);
        let result = shape.value(&mut binders.iter().map(|b| b.var.into()));
        pat.extend(binders);
        if let LoopForm::While(_) = form {
            pat.push(self.vars.fresh("cond", Type::BOOL));
        }
        pat.extend(rounds.map(|_| self.vars.fresh("rounds", Type::I64)));
        self.attrs = attrs;
        self.bind(pat, Exp::Loop { params, form, body }, Vec::new());
        result
    }

    /// The check that a `while` loop that has had so many rounds may have another: `#[bound(n)]`.
    fn within_bound(&mut self, most: i64, rounds: Var) -> Var {
        let less = self.prim(Prim::Cmp(CmpOp::Lt, ScalarType::I64), &[rounds.into(), SubExp::i64(most)]);
        self.emit("bound", Exp::Check(Check::within_bound(less, most)))[0]
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
        let cert = self.emit("range", Exp::Check(Check::Range { start: first, second: given, end, kind }))[0];
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
