//! Branches: `if`, and `match`, whose cases are tested in order.

use super::Lowerer;
use super::parts::field_of;
use super::value::{Scope, Val};
use crate::ir::*;
use crate::types::ty::{Id, Type as SourceType};
use crate::types::typed::{Expr, Pat, PatKind};

/// Alternatives, of which the first whose condition holds is taken.
trait Alternatives {
    /// How many there are.
    fn count(&self) -> usize;
    /// The condition of one; none is needed of the last.
    fn condition(&self, l: &mut Lowerer, i: usize, scope: &mut Scope) -> SubExp;
    /// The value of one.
    fn value(&self, l: &mut Lowerer, i: usize, scope: &mut Scope) -> Val;
}

struct If<'a>(&'a [(Expr, Expr)], &'a Expr);

impl Alternatives for If<'_> {
    fn count(&self) -> usize {
        self.0.len() + 1
    }

    fn condition(&self, l: &mut Lowerer, i: usize, scope: &mut Scope) -> SubExp {
        l.expr(&self.0[i].0, scope).scalar()
    }

    fn value(&self, l: &mut Lowerer, i: usize, scope: &mut Scope) -> Val {
        l.expr(self.0.get(i).map_or(self.1, |(_, e)| e), scope)
    }
}

struct Match<'a>(&'a Val, &'a [(Pat, Expr)]);

impl Alternatives for Match<'_> {
    fn count(&self) -> usize {
        self.1.len()
    }

    fn condition(&self, l: &mut Lowerer, i: usize, scope: &mut Scope) -> SubExp {
        let mut tests = Vec::new();
        l.tests(&self.1[i].0, self.0, scope, &mut tests);
        let never = SubExp::from(Scalar::Bool(false));
        if tests.contains(&never) {
            return never;
        }
        tests.retain(|t| *t != SubExp::from(Scalar::Bool(true)));
        let and = Prim::Bin(BinOp::And, ScalarType::Bool);
        let all = tests.into_iter().reduce(|a, b| l.prim(and, &[a, b]));
        all.unwrap_or(Scalar::Bool(true).into())
    }

    fn value(&self, l: &mut Lowerer, i: usize, scope: &mut Scope) -> Val {
        let (pat, e) = &self.1[i];
        l.bind_pattern(pat, self.0.clone(), scope);
        l.expr(e, scope)
    }
}

impl Lowerer<'_> {
    pub fn if_(
        &mut self,
        branches: &[(Expr, Expr)],
        otherwise: &Expr,
        exts: &[Id],
        ty: &SourceType,
        scope: &mut Scope,
    ) -> Val {
        self.alternatives(&If(branches, otherwise), 0, exts, ty, scope)
    }

    /// A value matched with patterns that fit all values together.
    pub fn match_(
        &mut self,
        value: &Val,
        cases: &[(Pat, Expr)],
        exts: &[Id],
        ty: &SourceType,
        scope: &mut Scope,
    ) -> Val {
        self.alternatives(&Match(value, cases), 0, exts, ty, scope)
    }

    /// The alternatives from number `i` on.
    fn alternatives(
        &mut self,
        all: &dyn Alternatives,
        i: usize,
        exts: &[Id],
        ty: &SourceType,
        scope: &mut Scope,
    ) -> Val {
        let last = i + 1 >= all.count();
        let cond = if last { Scalar::Bool(true).into() } else { all.condition(self, i, scope) };
        if let SubExp::Lit(Scalar::Bool(true)) = cond {
            // nothing behind it is reached
            let value = all.value(self, i, scope);
            self.bind_sizes(exts, ty, &value, scope);
            return value;
        }
        if let SubExp::Lit(Scalar::Bool(false)) = cond {
            return self.alternatives(all, i + 1, exts, ty, scope);
        }
        self.name_sizes(ty, exts, scope);
        // The pattern: unknown sizes, then the values that have them.
        let mut pat: Vec<Binder> = Vec::new();
        let mut outside = scope.clone();
        for id in exts {
            let binder = self.vars.fresh("n", Type::I64);
            outside.bind(id, Val::Leaf(binder.var.into()));
            pat.push(binder);
        }
        let shape = self.carried_shape(ty, exts, &outside);
        let (opens, shape) = self.named_opens(&shape);
        pat.extend(opens);
        let binders: Vec<Binder> = shape.leaves().into_iter().map(|t| self.vars.fresh("if", t)).collect();
        let result = shape.value(&mut binders.iter().map(|b| b.var.into()));
        pat.extend(binders);
        let branch = |l: &mut Self, f: &dyn Fn(&mut Self, &mut Scope) -> Val| {
            l.inner(|l| {
                let mut inside = scope.clone();
                let value = f(l, &mut inside);
                l.bind_sizes(exts, ty, &value, &mut inside);
                // what the value has no array of, as another constructor would have, is empty
                let own: Vec<SubExp> =
                    exts.iter().map(|id| inside.values.get(&id.num).map_or(SubExp::i64(0), Val::scalar)).collect();
                // the sizes that have a name before the branches keep it, even if this branch has computed them anew
                let mut outside = scope.clone();
                exts.iter().zip(&own).for_each(|(id, size)| outside.bind(id, Val::Leaf(*size)));
                let shape = l.carried_shape(ty, exts, &outside);
                let opens = l.opens_of(&shape, &value).into_iter().map(SubExp::from);
                own.into_iter().chain(opens).chain(l.coerce(value, &shape).leaves()).collect()
            })
        };
        let yes = branch(self, &|l, s| all.value(l, i, s));
        let no = branch(self, &|l, s| l.alternatives(all, i + 1, exts, ty, s));
        self.accumulators_of(&mut pat, &yes.result);
        self.bind(pat, Exp::If { cond, yes, no }, Vec::new());
        for id in exts {
            if let Some(v) = outside.values.get(&id.num) {
                scope.bind(id, v.clone());
            }
        }
        result
    }

    /// What must hold for a pattern to fit a value. A sum keeps something in all places, so that no test depends on another.
    fn tests(&mut self, pat: &Pat, value: &Val, scope: &mut Scope, out: &mut Vec<SubExp>) {
        match &pat.kind {
            PatKind::Name(_) | PatKind::Wildcard => {}
            PatKind::Record(fields) => {
                for (name, p) in fields {
                    self.tests(p, &field_of(value, &pat.ty, name), scope, out);
                }
            }
            PatKind::Lit(literal) => {
                let x = value.scalar();
                let t = self.vars.type_of(x).elem().unwrap_or(ScalarType::I64);
                match literal.at(t) {
                    Some(y) => out.push(self.prim(Prim::Cmp(CmpOp::Eq, t), &[x, y.into()])),
                    None => panic!("internal error: a literal that {t} cannot hold"),
                }
            }
            PatKind::Constr(name, pats) => {
                let fits = self.is_constructor(value, &pat.ty, name);
                out.push(fits);
                if fits == Scalar::Bool(false).into() {
                    return;
                }
                let parts = self.held(value, &pat.ty, name, scope);
                pats.iter().zip(parts).for_each(|(p, v)| self.tests(p, &v, scope, out));
            }
        }
    }
}
