//! Loops and branches in a nest: what is parallel in them is made for all points at once.

use super::irregular::{Held, Segments, flat, row_major};
use super::nest::Nest;
use super::rows;
use crate::hash::{HashMap, HashSet};
use crate::ir::build::{Builder, substitute_type};
use crate::ir::visit::{Node, Visit, free_vars, walk_exp};
use crate::ir::*;
use std::collections::BTreeMap;

// Note [Interchange]
// ~~~~~~~~~~~~~~~~~~
// A loop whose number of rounds is the same at all points is the host's; what it carries is an array over the nest, and each round a nest of its own (digest 004, rule G7). What
// changes a part of what the loop carries writes where that stands: a copy each round would be more work than the program says.
//
// Of a loop whose number of rounds differs the host keeps a list of the points that still go round, and each round is a nest over these. What the loop carries is written back to each
// point's own place after each round, so that a point costs nothing any more when it has left (rounds.rs). What a round changes in part it changes there (homes.rs).
//
// Of a branch whose condition differs from point to point each side is a nest over the points that take it, which are segments of one element or none (irregular.rs, Note [Segments]);
// then each point takes its results from where its side has left them. What both sides change in place goes through one after the other, and so do accumulators: no point is in both.

/// SOACs of no more rows than these are worth no kernel, unless something in them is.
pub(super) const FEW: i64 = 32;

/// Whether a SOAC of this width and function is worth no kernel: nothing in it is worth one, either.
pub(super) fn is_small(width: Dim, map: &Lambda) -> bool {
    matches!(width, Dim::Const(..=FEW)) && !is_worth_kernels(map)
}

/// Whether a loop carries an array whose size a round changes.
fn changes_sizes(e: &Exp) -> bool {
    let Exp::Loop { params, .. } = e else { return false };
    let binders = binders(params);
    params.iter().any(|p| is_sized_by(&p.binder.ty, &binders))
}

/// Whether a loop makes arrays whose sizes follow from what such arrays had in rounds before, or that they are made does, in branches and inner loops: how large they get at most only the loop itself tells, and
/// there is no room for them in one point.
fn feeds_sizes(e: &Exp) -> bool {
    #[derive(Default)]
    struct Flow {
        /// What the value of a variable follows from, the sizes of arrays included.
        from: HashMap<Var, Vec<Var>>,
        /// Arrays for which there must be room.
        made: Vec<Binder>,
        /// The conditions of the branches, and what the numbers of rounds of the inner loops follow from, around.
        under: Vec<SubExp>,
        /// Whether it is inside of the loop.
        inside: bool,
    }
    impl Flow {
        fn follows(&mut self, var: Var, from: impl IntoIterator<Item = SubExp>) {
            self.from.entry(var).or_default().extend(from.into_iter().filter_map(|e| e.as_var()));
        }
        fn carried(&mut self, params: &[LoopParam], body: &Body) {
            for (p, result) in params.iter().zip(&body.result) {
                // mutant swap: from whichever first
                self.follows(p.binder.var, [p.init, *result]);
            }
        }
    }
    impl Visit for Flow {
        fn stm(&mut self, stm: &Stm) {
            for (k, pat) in stm.pat.iter().enumerate() {
                self.follows(pat.var, self.under.clone());
                match &stm.exp {
                    Exp::If { cond, yes, no } => self.follows(pat.var, [*cond, yes.result[k], no.result[k]]),
                    Exp::Loop { params, .. } => self.follows(pat.var, [params[k].binder.var.into()]),
                    exp => self.follows(pat.var, free_vars(exp).into_iter().map(SubExp::from)),
                }
            }
            if stm.exp.makes_room() || matches!(stm.exp, Exp::Screma(_)) {
                self.made.extend(stm.pat.iter().cloned());
            }
            self.exp(&stm.exp);
        }
        fn exp(&mut self, e: &Exp) {
            let around = self.under.len();
            match e {
                Exp::If { cond, .. } => self.under.push(*cond),
                Exp::Loop { params, form, body } => {
                    self.carried(params, body);
                    // how many rounds the loop itself has bounds nothing in them
                    if std::mem::replace(&mut self.inside, true) {
                        self.under.push(match form {
                            LoopForm::For { bound, .. } => *bound,
                            LoopForm::While(cond) => (*cond).into(),
                        });
                        params.iter().for_each(|p| self.follows(p.binder.var, self.under.clone()));
                    }
                }
                _ => {}
            }
            walk_exp(self, e);
            self.under.truncate(around);
        }
    }
    let Exp::Loop { .. } = e else { return false };
    let mut flow = Flow::default();
    flow.exp(e);
    let sizes: HashSet<Var> = flow.made.iter().flat_map(|array| free_vars(&array.ty)).collect();
    sizes.into_iter().any(|size| {
        let (mut seen, mut next) = (HashSet::default(), vec![size]);
        while let Some(var) = next.pop() {
            if seen.insert(var) {
                next.extend(flow.from.get(&var).into_iter().flatten());
            }
        }
        flow.made.iter().any(|array| seen.contains(&array.var) && free_vars(&array.ty).contains(&size))
    })
}

/// Whether there is no room in one point for what a loop makes.
fn is_unbounded(e: &Exp) -> bool {
    changes_sizes(e) || feeds_sizes(e)
}

/// What a loop carries.
pub(super) fn binders(params: &[LoopParam]) -> Vec<Binder> {
    params.iter().map(|p| p.binder.clone()).collect()
}

/// Whether these are values and accumulators.
pub(super) fn is_of_values(all: &[Binder]) -> bool {
    // mutant swap: certificates beside values only the IR's text has
    all.iter().all(|p| p.ty != Type::Cert)
}

/// Whether a size in the type is one of these variables.
pub(super) fn is_sized_by(ty: &Type, own: &[Binder]) -> bool {
    free_vars(ty).iter().any(|v| own.iter().any(|p| p.var == *v))
}

/// The types of variables as those of results, which are to be the variables' values: sizes among them are results, too.
pub(super) fn sized(own: &[Binder], results: &[SubExp]) -> Vec<Type> {
    let values: HashMap<Var, SubExp> = own.iter().map(|p| p.var).zip(results.iter().copied()).collect();
    own.iter().map(|p| substitute_type(&p.ty, &values)).collect()
}

/// Whether there is anything in code that is worth a kernel.
pub(super) fn is_worth_kernels(code: &dyn Node) -> bool {
    struct Worth(bool);
    impl Visit for Worth {
        fn exp(&mut self, e: &Exp) {
            let wide = |width| !matches!(width, Dim::Const(..=FEW));
            self.0 |= rows(e).is_some_and(|(rows, _)| wide(rows.width)) || matches!(e, Exp::Apply { .. });
            self.0 |= is_unbounded(e);
            walk_exp(self, e);
        }
    }
    let mut worth = Worth(false);
    code.visit(&mut worth);
    worth.0
}

/// A function without parameters.
pub(super) fn closed(body: &Body, ret: Vec<Type>) -> Lambda {
    Lambda { params: Vec::new(), ret, body: body.clone() }
}

impl Nest {
    /// Whether a loop, or a branch, is taken apart: Note [Interchange].
    pub(super) fn is_taken_apart(&self, b: &Builder, stm: &Stm) -> bool {
        match &stm.exp {
            Exp::Loop { params, form, body } => {
                // mutant dropped term -> `self.changes_in_place(b, params, form, body)`: in code of a point it has the same results; what a point has no room for, devices refuse
                let stays = is_unbounded(&stm.exp) || self.changes_in_place(b, params, form, body);
                is_of_values(&binders(params)) && stays && is_worth_kernels(&stm.exp)
            }
            Exp::If { .. } => {
                let worth = is_worth_kernels(&stm.exp) || !self.at_home_behind(b, stm).is_empty();
                // mutant dropped term -> `worth`: certificates beside values only the IR's text has
                is_of_values(&stm.pat) && worth
            }
            _ => false,
        }
    }

    /// Whether a loop has as many rounds at all points.
    pub(super) fn is_uniform(&self, form: &LoopForm) -> bool {
        matches!(form, LoopForm::For { bound, .. } if self.is_invariant(bound))
    }

    /// The host's arrays for the results of a statement that [`Nest::is_taken_apart`].
    pub(super) fn take_apart(&mut self, b: &mut Builder, stm: &Stm) -> Vec<Held> {
        match &stm.exp {
            Exp::Loop { params, form, body } => match form {
                LoopForm::For { index, bound } if self.is_uniform(form) => {
                    self.interchange(b, params, (index, *bound), body)
                }
                form => self.go_round(b, params, form, body),
            },
            Exp::If { cond, yes, no } => self.partition(b, stm, *cond, [yes, no]),
            _ => Vec::new(),
        }
    }

    /// Whether an array has the same size at all points, and one that does not come with it in one of these variables.
    pub(super) fn is_regular(&self, ty: &Type, own: &[Binder]) -> bool {
        self.is_invariant(ty) && !is_sized_by(ty, own)
    }

    /// Of what has been made at all points for these variables: the arrays that are not regular, one after the other, and where each point's part is.
    pub(super) fn laid_out(&self, b: &mut Builder, own: &[Binder], made: &[Held]) -> Vec<Option<(Segments, Var)>> {
        let mut nest = self.clone();
        let mut sizes = HashMap::default();
        for (p, held) in own.iter().zip(made).filter(|(p, _)| p.ty == Type::I64) {
            let size = b.vars.fresh(p.name.clone(), Type::I64);
            sizes.insert(p.var, size.var.into());
            nest.store(b, vec![(size, held.array())]);
        }
        let each = own.iter().zip(made).map(|(p, held)| {
            // mutant swap: nobody asks where these are
            let elsewhere = matches!(p.ty, Type::Acc(_)) || matches!(held, Held::Home(_));
            (!elsewhere && !self.is_regular(&p.ty, own)).then_some(())?;
            let segments = nest.segments(b, substitute_type(&p.ty, &sizes).shape());
            Some((segments, flat(b, held.array())))
        });
        each.collect()
    }

    /// A value at all points.
    pub(super) fn everywhere(&mut self, b: &mut Builder, e: SubExp, ty: &Type) -> Var {
        let stored = self.stored_in(e);
        stored.unwrap_or_else(|| {
            let body = Body { stms: Vec::new(), result: vec![e] };
            self.kernel(b, SegKind::Map, body, std::slice::from_ref(ty))[0]
        })
    }

    /// The results of a branch, by their numbers, that are accumulators: what they are called in its sides, and those of the host, which go through both.
    fn accs_in(&self, b: &Builder, stm: &Stm) -> BTreeMap<usize, (Var, SubExp)> {
        let free = free_vars(&stm.exp);
        let same = |x: &Type, y: &Type| matches!((x, y), (Type::Acc(x), Type::Acc(y)) if x.id == y.id);
        let each = stm.pat.iter().enumerate().filter_map(|(k, pat)| {
            let name = *free.iter().find(|v| same(b.vars.ty(**v), &pat.ty))?;
            Some((k, (name, self.accs.get(&name).copied().unwrap_or(name.into()))))
        });
        each.collect()
    }

    fn partition(&mut self, b: &mut Builder, stm: &Stm, cond: SubExp, sides: [&Body; 2]) -> Vec<Held> {
        let (bool, pats) = (Type::Scalar(ScalarType::Bool), &stm.pat);
        let mut homes = self.homes_in(b, stm);
        let mut accs = self.accs_in(b, stm);
        let holds = self.everywhere(b, cond, &bool);
        let space = self.dims();
        let mut made = Vec::new();
        for (side, taken) in sides.into_iter().zip([1, 0]) {
            let one_each = b.inner(|b| {
                let holds = b.index(holds, &self.here());
                let [yes, no] = [taken, 1 - taken].map(|n| Body { stms: Vec::new(), result: vec![SubExp::i64(n)] });
                vec![b.let_one("taken", Exp::If { cond: holds.into(), yes, no }).into()]
            });
            let sizes = self.kernel(b, SegKind::Map, one_each, &[Type::I64])[0];
            let segments = Segments::new(b, space.clone(), sizes);
            let (mut nest, _) = self.inside(b, &segments, &[]);
            let side = nest.with_homes(b, side, &homes);
            nest.accs.extend(accs.values().copied());
            let mut map = closed(&side, sized(pats, &side.result));
            nest.prepare(b, &mut map.body);
            let points = nest.points(b, &map);
            for (k, held) in points.iter().enumerate() {
                accs.entry(k).and_modify(|(_, acc)| *acc = held.array().into());
                if let (Some((_, home)), Held::Home(changed)) = (homes.get_mut(&k), held) {
                    home.array = changed.array;
                }
            }
            let rows = nest.laid_out(b, pats, &points);
            made.push((segments.starts, points, rows));
        }
        let own_side =
            |b: &mut Builder, here: &[SubExp], result: &mut dyn FnMut(&mut Builder, usize, Var) -> Vec<SubExp>| {
                let mut bodies = made.iter().enumerate().map(|(side, (starts, ..))| {
                    b.inner(|b| {
                        let own = b.index(*starts, here);
                        result(b, side, own)
                    })
                });
                let (yes, no) = (bodies.next().unwrap_or_default(), bodies.next().unwrap_or_default());
                let cond = b.index(holds, here).into();
                b.let_many("side", Exp::If { cond, yes, no }).into_iter().map(SubExp::from).collect::<Vec<_>>()
            };
        let elsewhere = |k: &usize| homes.contains_key(k) || accs.contains_key(k) || self.is_by_element(&pats[*k].ty);
        // mutant off by one: both sides have the same results, of the same types
        let whole: Vec<usize> = (0..pats.len()).filter(|k| made[0].2[*k].is_none() && !elsewhere(k)).collect();
        // mutant off by one: of one too many nothing is asked
        let mut results: Vec<Option<Var>> = (0..pats.len()).map(|k| accs.get(&k)?.1.as_var()).collect();
        let ret: Vec<Type> = whole.iter().map(|k| pats[*k].ty.clone()).collect();
        let body = b.inner(|b| {
            own_side(b, &self.here(), &mut |b, side, own| {
                whole.iter().map(|k| b.index(made[side].1[*k].array(), &[own.into()]).into()).collect()
            })
        });
        if !whole.is_empty() {
            let arrays = self.kernel(b, SegKind::Map, body, &ret);
            whole.iter().zip(arrays).for_each(|(k, array)| results[*k] = Some(array));
        }
        let mut nest = self.clone();
        let pairs = pats.iter().zip(&results).filter_map(|(pat, array)| Some((pat.clone(), (*array)?)));
        nest.store(b, pairs.collect());
        let each = pats.iter().zip(results).enumerate().map(|(k, (pat, array))| match array {
            _ if let Some((_, home)) = homes.get(&k) => Held::Home(home.clone()),
            Some(array) => Held::Whole(array),
            None => nest.by_element(b, &pat.ty, |b, at| {
                own_side(b, &self.here(), &mut |b, side, own| {
                    let (_, points, parts) = &made[side];
                    let element = match &parts[k] {
                        None => b.index(points[k].array(), &[&[own.into()], at].concat()),
                        Some((segments, array)) => {
                            let start = b.index(segments.starts, &[own.into()]).into();
                            let place = row_major(b, pat.ty.shape(), at);
                            let place = b.int(BinOp::Add, start, place);
                            b.index(*array, &[place])
                        }
                    };
                    vec![element.into()]
                })[0]
            }),
        });
        each.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a loop that carries a size and a number, and a number besides, does so: by the statements of a round, and what it hands on.
    fn feeds(round: &str, next: &str) -> bool {
        let text = format!(
            "futi-ir 1 fun \"f\"(n_0: i64, k_1: i64, as_2: [n_0]i64) -> (r_3: i64) {{
               let (m_4: i64, s_5: i64, t_6: i64) = loop (m_7: i64 = 1i64, s_8: i64 = 0i64, t_9: i64 = 2i64) for i_10: i64 < k_1 do {{
                 {round} in ({next})
               }}
               in (s_5)
             }}"
        );
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
        feeds_sizes(&program.funs[0].body.stms[0].exp)
    }

    #[test]
    fn sizes_that_follow_from_arrays_of_rounds_before_have_no_bound() {
        let make = "let (zs_20: [m_7]i64) = replicate [m_7] s_8 let (x_21: i64) = index zs_20[0i64]";
        // the size itself, one round later, by a branch, by its condition, by a loop inside, on one side of a branch
        assert!(feeds(make, "x_21, s_8, t_9"));
        assert!(feeds(make, "s_8, x_21, t_9"));
        let branch = |cond: &str, yes: &str, no: &str| {
            format!(
                "{make} let (c_22: bool) = lt.i64({cond}, 3i64) let (y_23: i64) = if c_22 then {{ in ({yes}) }} else {{ in ({no}) }}"
            )
        };
        assert!(feeds(&branch("x_21", "1i64", "2i64"), "y_23, s_8, t_9"));
        assert!(feeds(&branch("i_10", "x_21", "2i64"), "y_23, s_8, t_9"));
        assert!(feeds(&branch("i_10", "1i64", "x_21"), "y_23, s_8, t_9"));
        assert!(!feeds(&branch("i_10", "1i64", "2i64"), "y_23, s_8, t_9"));
        let inside = |init: &str, next: &str| {
            format!(
                "{make} let (y_23: i64) = loop (a_24: i64 = {init}) for j_25: i64 < 2i64 do {{ let (b_26: i64) = add.i64(a_24, 1i64) in ({next}) }}"
            )
        };
        assert!(feeds(&inside("x_21", "b_26"), "y_23, s_8, t_9"));
        assert!(feeds(&inside("1i64", "x_21"), "y_23, s_8, t_9"));
        assert!(!feeds(&inside("1i64", "b_26"), "y_23, s_8, t_9"));
        let on_a_side = "let (c_22: bool) = lt.i64(i_10, 3i64) let (y_23: i64) = if c_22 then { let (zs_20: [m_7]i64) = replicate [m_7] s_8 let (x_21: i64) = index zs_20[0i64] in (x_21) } else { in (1i64) }";
        assert!(feeds(on_a_side, "y_23, s_8, t_9"));
        // each array as long as the other one says
        let two = "let (xs_20: [m_7]i64) = replicate [m_7] 1i64 let (ys_21: [t_9]i64) = replicate [t_9] 2i64 let (x_22: i64) = index xs_20[0i64] let (y_23: i64) = index ys_21[0i64]";
        assert!(feeds(two, "y_23, s_8, x_22"));
        assert!(!feeds(two, "i_10, s_8, x_22"));
    }

    #[test]
    fn other_sizes_have_a_bound() {
        let make = "let (zs_20: [m_7]i64) = replicate [m_7] s_8 let (x_21: i64) = index zs_20[0i64] let (y_22: i64) = add.i64(m_7, 1i64)";
        assert!(!feeds(make, "y_22, x_21, t_9"));
        // of a size from outside, or without room
        let outside = "let (zs_20: [n_0]i64) = replicate [n_0] s_8 let (x_21: i64) = index zs_20[0i64] let (us_22: [m_7]i64) = replicate [m_7] i_10";
        assert!(!feeds(outside, "x_21, s_8, t_9"));
        let counted = "let (zs_20: [m_7]i64) = iota i64 (m_7, s_8, 1i64) let (x_21: i64) = index zs_20[0i64]";
        assert!(!feeds(counted, "x_21, s_8, t_9"));
    }
}
