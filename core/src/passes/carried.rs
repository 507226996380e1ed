//! Copies that a loop makes in each trip: of an array that it carries, to consume the copy. Where nobody else has that array, one copy before the loop
//! will do, and all trips consume what the trip before has left.
//!
//! ```text
//! loop (a = x) for i < n do { let b = copy a  let c = scatter … dest b  in c }
//! let y = copy x  loop (*a = y) for i < n do { let c = scatter … dest a  in c }
//! ```

// Note [What a loop owns]
// ~~~~~~~~~~~~~~~~~~~~~~~
// A parameter is the loop's own if neither it, nor what it becomes in the next trip, may share storage with another parameter, with what another
// becomes, or with an array from outside. The copy is not needed if neither the parameter nor a part of it that has been named before is used once the
// copy is, nor consumed before; a branch may make it, and the other branches do as they like.
//
// A copy that no trip may make must not cost one before the loop: where only branches copy, the loop must get an array that has been made beside it.

use super::alias::{Consumable, consumable_by};
use super::copies::fresh;
use crate::hash::HashMap;
use crate::ir::build::Vars;
use crate::ir::visit::{VisitMut, free_vars, substitute, walk_exp_mut};
use crate::ir::*;

/// Takes such copies out of loops.
pub fn carried(mut program: Program) -> Program {
    let mut vars = Vars::of(&program);
    program.funs.iter_mut().for_each(|fun| Carried(&mut vars).body(&mut fun.body));
    program
}

struct Carried<'a>(&'a mut Vars);

impl VisitMut for Carried<'_> {
    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            walk_exp_mut(self, &mut stm.exp);
            let made = |v: Var| body.stms.iter().any(|stm| fresh(stm).contains(&v));
            let before = self.loop_(&mut stm, &made);
            body.stms.extend(before);
            body.stms.push(stm);
        }
    }
}

impl Carried<'_> {
    /// The copies before a loop that stand for those in its trips; `made` says what is new beside it.
    fn loop_(&mut self, stm: &mut Stm, made: &dyn Fn(Var) -> bool) -> Vec<Stm> {
        let mut before = Vec::new();
        let Exp::Loop { params, body, .. } = &mut stm.exp else { return before };
        for k in 0..params.len() {
            let p = params[k].binder.var;
            let SubExp::Var(init) = params[k].init else { continue };
            if !has_copy(body, p) {
                continue;
            }
            let always = body.stms.iter().any(|stm| stm.exp == Exp::Copy(p));
            if !(always || params[k].unique || made(init)) {
                continue;
            }
            let mut changed = false;
            loop {
                let groups = consumable_by(body, &[]);
                if !params[k].unique && !owns(params, k, body, &groups) {
                    break;
                }
                let Some(copy) = take_copy(body, &groups, p, &mut vec![p]) else { break };
                substitute(body, &HashMap::from_iter([(copy, SubExp::Var(p))]));
                changed = true;
            }
            if changed && !params[k].unique {
                let own = self.0.fresh(self.0.name(init).clone(), self.0.ty(init).clone());
                params[k].init = own.var.into();
                params[k].unique = true;
                let (certs, attrs, prov) = (Vec::new(), Vec::new(), stm.prov);
                before.push(Stm { pat: vec![own], exp: Exp::Copy(init), certs, attrs, prov });
            }
        }
        before
    }
}

/// Whether a body, or a branch in it, copies the variable.
fn has_copy(body: &Body, v: Var) -> bool {
    body.stms.iter().any(|stm| match &stm.exp {
        Exp::Copy(array) => *array == v,
        // mutant: of a statement without branches that is true: more is looked at, and nothing found
        exp => branches(exp).iter().any(|body| has_copy(body, v)),
    })
}

fn branches(exp: &Exp) -> Vec<&Body> {
    match exp {
        // mutant: of copies in both branches each is found
        Exp::If { yes, no, .. } => vec![yes, no],
        Exp::Match { cases, default, .. } => cases.iter().map(|case| &case.body).chain([default]).collect(),
        _ => Vec::new(),
    }
}

fn branches_mut(exp: &mut Exp) -> Vec<&mut Body> {
    match exp {
        // mutant: of copies in both branches each is found
        Exp::If { yes, no, .. } => vec![yes, no],
        Exp::Match { cases, default, .. } => cases.iter_mut().map(|case| &mut case.body).chain([default]).collect(),
        _ => Vec::new(),
    }
}

/// See Note [What a loop owns].
fn owns(params: &[LoopParam], k: usize, body: &Body, groups: &Consumable) -> bool {
    let p = params[k].binder.var;
    // mutant: the next value of an array is a variable
    let SubExp::Var(next) = body.result[k] else { return false };
    // mutant: it is asked only what is in it
    let own = [groups.group(p), groups.group(next)];
    let other_results = (0..params.len()).filter(|j| *j != k).filter_map(|j| body.result[j].as_var());
    let mut others = free_vars(body).into_iter().chain(params.iter().map(|q| q.binder.var)).filter(|v| *v != p);
    let shared = others.any(|v| own.contains(&groups.group(v)));
    !shared && other_results.into_iter().all(|v| !own.contains(&groups.group(v)))
}

/// Takes a copy of the variable out that is not needed, and gives its name. `old` are the variable, and the parts of it that have names.
fn take_copy(body: &mut Body, groups: &Consumable, v: Var, old: &mut Vec<Var>) -> Option<Var> {
    let of_v = |p: &&Binder| groups.group(p.var) == groups.group(v);
    for at in 0..body.stms.len() {
        let is_used = |from: usize, old: &[Var]| {
            let mut stms = body.stms[from..].iter();
            stms.any(|stm| free_vars(stm).iter().any(|v| old.contains(v)))
                || body.result.iter().filter_map(|e| e.as_var()).any(|v| old.contains(&v))
        };
        let stm = &body.stms[at];
        if stm.exp == Exp::Copy(v) && stm.certs.is_empty() {
            // from here on the copy is used
            let copy = stm.pat[0].var;
            let from = (at + 1..body.stms.len()).find(|k| free_vars(&body.stms[*k]).contains(&copy));
            let from = from.unwrap_or(body.stms.len());
            let before = body.stms[at..from].iter().flat_map(|stm| &stm.pat).filter(of_v).map(|p| p.var);
            let old = old.iter().copied().chain(before).collect::<Vec<_>>();
            let is_consumed = body.stms[at + 1..from].iter().any(|stm| groups.consumes_any(stm, &[v]));
            if !is_consumed && !is_used(from, &old) {
                return Some(body.stms.remove(at).pat[0].var);
            }
        } else if !is_used(at + 1, old) {
            let stm = &mut body.stms[at];
            let mut found = branches_mut(&mut stm.exp).into_iter();
            if let Some(copy) = found.find_map(|body| take_copy(body, groups, v, &mut old.clone())) {
                return Some(copy);
            }
        }
        old.extend(body.stms[at].pat.iter().filter(of_v).map(|p| p.var));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::check;
    use crate::passes::simplify::simplify;

    /// A loop over `a_5` (and `b_6`), whose trip does this; how many copies there are in the loop, and how many before it, after the pass.
    fn copies(trip: &str, next: &str) -> (usize, usize) {
        copies_of("xs_1", trip, next)
    }

    /// The same, of a loop that begins with this array; `new_94` and `new_95` are made before it.
    fn copies_of(first: &str, trip: &str, next: &str) -> (usize, usize) {
        copies_in(&text(first, trip, next))
    }

    fn text(first: &str, trip: &str, next: &str) -> String {
        format!(
            "futi-ir 1
            fun \"main\"(n_0: i64, xs_1: [n_0]f64, ys_2: [n_0]f64, is_3: [2]i64, vs_4: [2]f64) -> (r_90: [n_0]f64, r_91: [n_0]f64) {{
              let (new_94: [n_0]f64) = reverse xs_1
              let (new_95: [n_0]f64) = reverse ys_2
              let (s_96: f64) = index xs_1[0i64]
              let (c_92: [n_0]f64, d_93: [n_0]f64) = loop (a_5: [n_0]f64 = {first}, b_6: [n_0]f64 = ys_2) for i_7: i64 < n_0 do {{
                {trip} in ({next}) }}
              in (c_92, d_93) }}"
        )
    }

    fn copies_in(text: &str) -> (usize, usize) {
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(check::errors(&program), Vec::new(), "{program}");
        let program = carried(program);
        assert_eq!(check::errors(&program), Vec::new(), "{program}");
        let text = program.to_string();
        let (before, inside) = text.split_at(text.find("loop").unwrap_or_default());
        let words = |text: &str| text.matches("= copy").count();
        (words(inside), words(before))
    }

    fn scatter(name: &str, dest: &str) -> String {
        let k = name.rsplit('_').next().unwrap_or_default();
        format!(
            "let ({name}: [n_0]f64) = scatter 2 (is_3, vs_4) map \\(j_1{k}: i64, v_2{k}: f64) -> (i64, f64) {{ in (j_1{k}, v_2{k}) }} dest [n_0] {dest} "
        )
    }

    #[test]
    fn what_a_loop_owns_is_copied_once() {
        let trip =
            "let (s_30: f64) = index a_5[0i64] let (e_31: [n_0]f64) = copy a_5 ".to_owned() + &scatter("f_32", "e_31");
        assert_eq!(copies(&trip, "f_32, b_6"), (0, 1));
        // what is read before the copy is used is read in time
        let late =
            "let (e_31: [n_0]f64) = copy a_5 let (s_30: f64) = index a_5[0i64] ".to_owned() + &scatter("f_32", "e_31");
        assert_eq!(copies(&late, "f_32, b_6"), (0, 1));
        // both, each its own
        let both = trip.clone() + "let (g_33: [n_0]f64) = copy b_6 " + &scatter("h_34", "g_33");
        assert_eq!(copies(&both, "f_32, h_34"), (0, 2));
        // in a branch; the other one leaves what there is, or does the same
        let branch = |no: &str| {
            format!(
                "let (s_30: f64) = index a_5[0i64] let (c_35: bool) = lt.f64(s_30, 0.0f64)
                 let (f_36: [n_0]f64) = if c_35 then {{ let (e_31: [n_0]f64) = copy a_5 {} in (f_32) }} else {{ {no} }}
                 let (t_37: f64) = index f_36[0i64] ",
                scatter("f_32", "e_31")
            )
        };
        // (what branches alone copy, they may not: the loop must get what is made beside it)
        assert_eq!(copies(&branch("in (a_5)"), "f_36, b_6"), (1, 0));
        assert_eq!(copies_of("new_94", &branch("in (a_5)"), "f_36, b_6"), (0, 1));
        let again = format!("let (e_41: [n_0]f64) = copy a_5 {} in (f_42)", scatter("f_42", "e_41"));
        assert_eq!(copies_of("new_94", &branch(&again), "f_36, b_6"), (0, 1));
    }

    #[test]
    fn what_is_used_after_it_or_shared_is_copied() {
        let trip = "let (e_31: [n_0]f64) = copy a_5 ".to_owned() + &scatter("f_32", "e_31");
        // the parameter is read after it, or a part of it that has a name
        assert_eq!(copies(&(trip.clone() + "let (s_30: f64) = index a_5[0i64]"), "f_32, b_6"), (1, 0));
        let part =
            "let (p_35: [1]f64) = slice a_5[0i64:1:1i64] ".to_owned() + &trip + "let (s_30: f64) = index p_35[0i64]";
        assert_eq!(copies(&part, "f_32, b_6"), (1, 0));
        // the other parameter becomes what it was, or the same; it becomes what the other was; or what comes from outside
        assert_eq!(copies(&trip, "f_32, a_5"), (1, 0));
        assert_eq!(copies(&trip, "f_32, f_32"), (1, 0));
        assert_eq!(copies(&trip, "b_6, f_32"), (1, 0));
        assert_eq!(copies(&trip, "xs_1, f_32"), (1, 0));
        let second = "let (e_31: [n_0]f64) = copy b_6 ".to_owned() + &scatter("f_32", "e_31");
        assert_eq!(copies(&second, "b_6, f_32"), (1, 0));
        // in a branch, after which it is read
        let branch = format!(
            "let (s_30: f64) = index b_6[0i64] let (c_35: bool) = lt.f64(s_30, 0.0f64)
             let (f_36: [n_0]f64) = if c_35 then {{ {trip} in (f_32) }} else {{ in (b_6) }} let (t_37: f64) = index a_5[0i64]"
        );
        assert_eq!(copies(&branch, "a_5, b_6"), (1, 0));
        // in a branch, which hands it on beside the copy
        let beside = format!(
            "let (s_30: f64) = index b_6[0i64] let (c_35: bool) = lt.f64(s_30, 0.0f64)
             let (f_36: [n_0]f64, g_38: [n_0]f64) = if c_35 then {{ {trip} in (f_32, a_5) }} else {{ in (a_5, a_5) }} let (t_39: f64) = index g_38[0i64]"
        );
        assert_eq!(copies_of("new_94", &beside, "f_36, b_6"), (1, 0));
        // one that relies on a check
        let check = "let (c_38: cert) = check nonzero n_0 let (e_31: [n_0]f64) = copy a_5 certs (c_38) ".to_owned()
            + &scatter("f_32", "e_31");
        assert_eq!(copies(&check, "f_32, b_6"), (1, 0));
    }

    /// Two arrays that change places: each is the loop's own all the same.
    #[test]
    fn what_a_loop_has_been_given_is_its_own() {
        let trip = "let (e_31: [n_0]f64) = copy a_5 ".to_owned() + &scatter("f_32", "e_31");
        let text = text("new_94", &trip, "b_6, f_32")
            .replace("(a_5:", "(*a_5:")
            .replace("b_6: [n_0]f64 = ys_2", "*b_6: [n_0]f64 = new_95");
        assert_eq!(copies_in(&text), (0, 0));
        // but what is updated before the copy is used is copied
        let trip = "let (e_31: [n_0]f64) = copy a_5 let (u_32: [n_0]f64) = update a_5[0i64] = 1.0f64";
        let text = self::text("new_94", trip, "u_32, e_31").replace("(a_5:", "(*a_5:");
        assert_eq!(copies_in(&text), (1, 0));
    }

    /// From an inner loop to before the outer one.
    #[test]
    fn from_loop_to_loop() {
        let text = format!(
            "futi-ir 1
            entry \"main\"(n_0: i64, xs_1: [n_0]f64, is_3: [2]i64, vs_4: [2]f64) -> (r_90: [n_0]f64)
              sig 0 (\"n\": i64, \"xs\": [\"n\"]f64, \"is\": [\"2\"]i64, \"vs\": [\"2\"]f64) -> [\"n\"]f64 {{
              let (c_92: [n_0]f64) = loop (a_5: [n_0]f64 = xs_1) for i_7: i64 < n_0 do {{
                let (d_93: [n_0]f64) = loop (b_6: [n_0]f64 = a_5) for j_8: i64 < n_0 do {{
                  let (e_31: [n_0]f64) = copy b_6 {} in (f_32) }}
                in (d_93) }}
              in (c_92) }}",
            scatter("f_32", "e_31")
        );
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        let program = simplify(program);
        assert_eq!(check::errors(&program), Vec::new(), "{program}");
        let text = program.to_string();
        assert_eq!(text.matches("copy").count(), 1, "{text}");
        assert!(text.find("copy") < text.find("loop"), "{text}");
    }
}
