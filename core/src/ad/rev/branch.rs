//! Return sweep of `if`: the forward sweep of the branch taken is executed again inside the branch; both branches return the adjoints of all
//! variables that one of them has contributed to (digest 002 §1A.8). The condition has no adjoint. Of an array to which they have contributed single elements, these are
//! returned, and no array is made.

mod parts;

use super::*;
use crate::analysis::alias::consumable_in;
use parts::parts;

impl Rev<'_, '_> {
    pub(super) fn branch(
        &mut self,
        b: &mut Builder,
        cond: SubExp,
        yes: &Body,
        no: &Body,
        adjoints: Vec<Option<Adj>>,
    ) -> Res<()> {
        let mut free = self.active_free(b, yes);
        free.extend(self.active_free(b, no).into_iter().filter(|v| !free.contains(v)).collect::<Vec<_>>());
        let outer = self.adjoints.clone();
        let states = self.states();
        let mut sides = Vec::new();
        let mut undone = Vec::new();
        for body in [yes, no] {
            let mut inner = Builder::new(b.vars, b.prov);
            self.again(&mut inner, body, adjoints.clone())?;
            sides.push((inner.stms, std::mem::replace(&mut self.adjoints, outer.clone())));
            undone.push(self.states());
            self.set_states(&states);
        }
        // of arrays that go by tapes, those that a branch has made its updates of again
        let changed: Vec<usize> =
            (0..states.len()).filter(|t| undone.iter().any(|side| side[*t] != states[*t])).collect();
        let mut touched: Vec<Var> =
            free.into_iter().filter(|v| sides.iter().any(|(_, env)| env.get(v) != outer.get(v))).collect();
        let mut few = Vec::new();
        if let [(_, yes), (_, no)] = &sides[..] {
            touched.retain(|v| match parts(*v, &outer, [yes, no]) {
                Some(parts) => {
                    few.extend(parts);
                    false
                }
                None => true,
            });
        }
        let mut bodies = Vec::new();
        let mut owned = vec![true; touched.len()];
        for (side, ((stms, env), undone)) in sides.into_iter().zip(undone).enumerate() {
            let mut inner = Builder::new(b.vars, b.prov);
            inner.stms = stms;
            self.adjoints = env;
            let mut result = Vec::new();
            for (v, owned) in touched.iter().zip(&mut owned) {
                let (value, mine) = self.take_or_zero(&mut inner, *v);
                // of a value that both branches hand on it is seen below whether two variables get it
                *owned &= mine;
                result.push(value);
            }
            for part in &few {
                result.extend(self.part_of(&mut inner, part, side));
            }
            result.extend(changed.iter().map(|t| SubExp::Var(undone[*t])));
            bodies.push(Body { stms: inner.stms, result });
        }
        self.adjoints = outer;
        if touched.is_empty() && few.is_empty() {
            return Ok(());
        }
        let pat: Vec<Binder> = touched
            .iter()
            .map(|v| {
                let ty = match self.adjoints.get(v) {
                    Some(Adj::Acc(acc)) => b.vars.ty(*acc).clone(),
                    _ => self.adjoint_type(b.vars.ty(*v)),
                };
                b.vars.fresh(format!("{}_adj", b.vars.name(*v)).as_str(), ty)
            })
            .collect();
        let (Some(no), Some(yes)) = (bodies.pop(), bodies.pop()) else { return Ok(()) };
        let mut states = states;
        let mut all = pat.clone();
        for part in few {
            all.extend(self.part_of_either(b, &part));
        }
        for t in changed {
            let (name, ty) = (b.vars.name(states[t]).clone(), b.vars.ty(states[t]).clone());
            all.push(b.vars.fresh(name, ty));
            states[t] = all[all.len() - 1].var;
        }
        self.set_states(&states);
        b.bind(all, Exp::If { cond, yes, no });
        // an array that is one's adjoint after one branch, and another's after the other, is neither's own
        let groups = b.stms.last().map(consumable_in).unwrap_or_default();
        let alone = |p: &Binder| pat.iter().filter(|q| groups.group(q.var) == groups.group(p.var)).count() == 1;
        for ((v, p), owned) in touched.iter().zip(&pat).zip(owned) {
            let new = match self.adjoints.get(v) {
                Some(Adj::Acc(_)) => Adj::Acc(p.var),
                _ => Adj::Dense(p.var.into(), owned && alone(p)),
            };
            self.adjoints.insert(*v, new);
        }
        Ok(())
    }
}
