//! Which parameters a lambda consumes.

// Note [Rows that are consumed]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A map may consume the rows of an array, which then is dead. A row as a view would share its elements with the rest of the array, and the first update
// would copy it as something that somebody else still holds. So such a row is moved out of the array when it is handed to the lambda: each element is
// moved once, however many updates follow, and none of them copies. The results are written to the result's array once.

use super::code::{Body, Exp, Opd, Slot};

/// Whether a body consumes the array of a parameter, under its own or another name. `unique` says which parameters a function may consume.
pub(super) fn consumes(body: &Body, param: Slot, unique: &[Vec<bool>]) -> bool {
    let mut names = vec![param];
    body.stms.iter().any(|stm| {
        // mutant: a literal is a scalar, which nothing consumes
        let is = |names: &[Slot], e: &Opd| e.slot().is_some_and(|s| names.contains(&s));
        match &stm.exp {
            Exp::Operand(e)
            | Exp::Show { value: e, .. }
            | Exp::Reshape { array: e, .. }
            | Exp::Coerce { array: e, .. }
            | Exp::Rearrange { array: e, .. }
            | Exp::Slice { array: e, .. }
            | Exp::FlatIndex { array: e, .. } => {
                if is(&names, e) {
                    names.extend(&stm.pat);
                }
                false
            }
            Exp::Update { array, .. } | Exp::UpdateSlice { array, .. } | Exp::FlatUpdate { array, .. } => {
                is(&names, array)
            }
            Exp::Hist(h) => h.ops.iter().flat_map(|d| &d.dests).any(|e| is(&names, e)),
            Exp::Scatter(s) => s.dests.iter().any(|(_, e)| is(&names, e)),
            Exp::SegOp(s) => s.dests.iter().any(|(_, e)| is(&names, e)),
            Exp::Match(m) => {
                let mut bodies = m.cases.iter().map(|(_, body)| body).chain([&m.default]);
                bodies.any(|body| names.iter().any(|s| consumes(body, *s, unique)))
            }
            Exp::Apply { fun, args } => args.iter().zip(&unique[*fun]).any(|(e, unique)| *unique && is(&names, e)),
            Exp::If { yes, no, .. } => names.iter().any(|s| consumes(yes, *s, unique) || consumes(no, *s, unique)),
            // What the bodies of loops and of accumulators consume is their own: the checker sees to that.
            Exp::Loop(l) => l.init.iter().zip(&l.unique).any(|(e, unique)| *unique && is(&names, e)),
            Exp::WithAcc(w) => w.inputs.iter().flat_map(|i| &i.arrays).any(|e| is(&names, e)),
            Exp::Jvp(ad) | Exp::Vjp(ad) => {
                let mut given = ad.lambda.params.iter().zip(&ad.args).filter(|(_, e)| is(&names, e));
                given.any(|(p, _)| consumes(&ad.lambda.body, *p, unique))
            }
            _ => false,
        }
    })
}
