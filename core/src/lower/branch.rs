//! Branches: `if`, and `match`, whose cases are tested in order; many cases of constants are searched.

use super::Lowerer;
use super::parts::field_of;
use super::value::{Scope, Val};
use crate::hash::HashMap;
use crate::ir::*;
use crate::types::ty::{Id, Type as SourceType};
use crate::types::typed::{Expr, Literal, Pat, PatKind};
use std::ops::Range;

/// Alternatives, of which one is taken.
trait Alternatives {
    /// A condition, of several alternatives, and where it parts them: where it holds, one of those before that number is taken, else one from there on.
    fn split(&self, l: &mut Lowerer, among: Range<usize>, scope: &mut Scope) -> (SubExp, usize);
    /// The value of one.
    fn value(&self, l: &mut Lowerer, i: usize, scope: &mut Scope) -> Val;
}

struct If<'a>(&'a [(Expr, Expr)], &'a Expr);

impl Alternatives for If<'_> {
    fn split(&self, l: &mut Lowerer, among: Range<usize>, scope: &mut Scope) -> (SubExp, usize) {
        (l.expr(&self.0[among.start].0, scope).scalar(), among.start + 1)
    }

    fn value(&self, l: &mut Lowerer, i: usize, scope: &mut Scope) -> Val {
        l.expr(self.0.get(i).map_or(self.1, |(_, e)| e), scope)
    }
}

struct Match<'a>(&'a Val, &'a [(Pat, Expr)]);

impl Alternatives for Match<'_> {
    fn split(&self, l: &mut Lowerer, among: Range<usize>, scope: &mut Scope) -> (SubExp, usize) {
        let mut tests = Vec::new();
        l.tests(&self.1[among.start].0, self.0, scope, &mut tests);
        let never = SubExp::from(Scalar::Bool(false));
        if tests.contains(&never) {
            return (never, among.start + 1);
        }
        tests.retain(|t| *t != SubExp::from(Scalar::Bool(true)));
        let and = Prim::Bin(BinOp::And, ScalarType::Bool);
        let all = tests.into_iter().reduce(|a, b| l.prim(and, &[a, b]));
        (all.unwrap_or(Scalar::Bool(true).into()), among.start + 1)
    }

    fn value(&self, l: &mut Lowerer, i: usize, scope: &mut Scope) -> Val {
        let (pat, e) = &self.1[i];
        l.bind_pattern(pat, self.0.clone(), scope);
        l.expr(e, scope)
    }
}

// Note [Many constants]
// ~~~~~~~~~~~~~~~~~~~~~
// Cases that are tested in order are branches in one another, as deep as there are cases. Where each case is a constant of its own - an integer, or a constructor whatever
// it holds - they are searched instead: branches halve what is left, and a thousand cases are ten deep. Constructors are searched by their number. Of integers not all have a
// case, so they are searched twice: first for the number of the case, which is that of the last case, fitting all, where there is none; then for its value by that number.

/// Cases that are searched for one whose number this is.
struct Search<'a> {
    of: Match<'a>,
    /// The scalar that is looked for.
    key: SubExp,
    /// The keys for which there is a case, in order, each with the number of its case. The last of them that is not greater than the scalar decides.
    cases: Vec<(Scalar, usize)>,
}

/// From so many cases on they are searched: of fewer, branches in one another are as short, and easier to read.
const MANY: usize = 16;

impl Alternatives for Search<'_> {
    fn split(&self, l: &mut Lowerer, among: Range<usize>, _: &mut Scope) -> (SubExp, usize) {
        let middle = among.start + among.len() / 2;
        (l.less(self.key, self.cases[middle].0), middle)
    }

    fn value(&self, l: &mut Lowerer, i: usize, scope: &mut Scope) -> Val {
        self.of.value(l, self.cases[i].1, scope)
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
        self.alternatives(&If(branches, otherwise), 0..branches.len() + 1, exts, ty, scope)
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
        match self.searched(value, cases) {
            Some(search) => self.alternatives(&search, 0..search.cases.len(), exts, ty, scope),
            None => self.alternatives(&Match(value, cases), 0..cases.len(), exts, ty, scope),
        }
    }

    /// How the cases are searched, if they can be and there are many: Note [Many constants].
    fn searched<'a>(&mut self, value: &'a Val, cases: &'a [(Pat, Expr)]) -> Option<Search<'a>> {
        let fits_all = cases.iter().position(|(pat, _)| irrefutable(pat));
        let constants = &cases[..fits_all.unwrap_or(cases.len())];
        if constants.len() < MANY || matches!(value, Val::Made(..)) {
            return None;
        }
        let (key, constructors) = match &constants[0].0 {
            Pat { ty: SourceType::Sum(constructors), .. } => (value.leaves()[0], &constructors[..]),
            Pat { kind: PatKind::Lit(_), .. } => (value.scalar(), &[][..]),
            _ => return None,
        };
        let t = self.vars.type_of(key).elem()?;
        let numbers: HashMap<&str, i64> = constructors.iter().zip(0..).map(|((name, _), i)| (&**name, i)).collect();
        let mut sorted: Vec<(i128, usize)> = Vec::new();
        for (i, (pat, _)) in constants.iter().enumerate() {
            let constant = match &pat.kind {
                PatKind::Lit(Literal::Int(n)) if t.is_int() => *n,
                PatKind::Constr(name, pats) if pats.iter().all(irrefutable) => i128::from(*numbers.get(&**name)?),
                _ => return None,
            };
            sorted.push((constant, i));
        }
        // of equal ones the first is taken
        sorted.sort();
        sorted.dedup_by_key(|(constant, _)| *constant);
        let of = Match(value, cases);
        let key_of = |n: i128| Scalar::from_int(t, n);
        let mut cases: Vec<(Scalar, usize)> =
            sorted.into_iter().map(|(n, i)| Some((key_of(n)?, i))).collect::<Option<_>>()?;
        let Some(otherwise) = fits_all else { return Some(Search { of, key, cases }) };
        let key = self.number_of(key, &cases, otherwise);
        cases = (0..=otherwise).map(|i| (Scalar::I64(i as i64), i)).collect();
        Some(Search { of, key, cases })
    }

    /// The number that stands beside the constant that the key equals, or else the last one, which is greater than all of them.
    fn number_of(&mut self, key: SubExp, of: &[(Scalar, usize)], otherwise: usize) -> SubExp {
        let number = |i: usize| SubExp::i64(i as i64);
        let t = self.vars.type_of(key).elem().unwrap_or(ScalarType::I64);
        if let [(constant, i)] = of {
            let equal = self.prim(Prim::Cmp(CmpOp::Eq, t), &[key, (*constant).into()]);
            return self.prim(Prim::Select(ScalarType::I64), &[equal, number(*i), number(otherwise)]);
        }
        let (less, more) = of.split_at(of.len() / 2);
        let cond = self.less(key, more[0].0);
        let yes = self.inner(|l| vec![l.number_of(key, less, otherwise)]);
        let no = self.inner(|l| vec![l.number_of(key, more, otherwise)]);
        let found = self.vars.fresh("case", Type::I64);
        let var = found.var;
        self.bind(vec![found], Exp::If { cond, yes, no }, Vec::new());
        var.into()
    }

    fn less(&mut self, key: SubExp, than: Scalar) -> SubExp {
        self.prim(Prim::Cmp(CmpOp::Lt, than.scalar_type()), &[key, than.into()])
    }

    /// The value of one of these alternatives.
    fn alternatives(
        &mut self,
        all: &dyn Alternatives,
        among: Range<usize>,
        exts: &[Id],
        ty: &SourceType,
        scope: &mut Scope,
    ) -> Val {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.alternatives_here(all, among, exts, ty, scope))
    }

    fn alternatives_here(
        &mut self,
        all: &dyn Alternatives,
        among: Range<usize>,
        exts: &[Id],
        ty: &SourceType,
        scope: &mut Scope,
    ) -> Val {
        if among.len() == 1 {
            let value = all.value(self, among.start, scope);
            self.bind_sizes(exts, ty, &value, scope);
            return value;
        }
        let (cond, middle) = all.split(self, among.clone(), scope);
        let (before, after) = (among.start..middle, middle..among.end);
        match cond {
            // what is not reached has no code
            SubExp::Lit(Scalar::Bool(true)) => return self.alternatives(all, before, exts, ty, scope),
            SubExp::Lit(Scalar::Bool(false)) => return self.alternatives(all, after, exts, ty, scope),
            _ => {}
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
        let yes = branch(self, &|l, s| l.alternatives(all, before.clone(), exts, ty, s));
        let no = branch(self, &|l, s| l.alternatives(all, after.clone(), exts, ty, s));
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

/// Whether the pattern fits all values of its type, without a test.
fn irrefutable(pat: &Pat) -> bool {
    match &pat.kind {
        PatKind::Name(_) | PatKind::Wildcard => true,
        PatKind::Record(fields) => fields.iter().all(|(_, p)| irrefutable(p)),
        PatKind::Lit(_) | PatKind::Constr(..) => false,
    }
}
