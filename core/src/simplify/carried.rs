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

use crate::analysis::Analyses;
use crate::analysis::alias::{Consumable, consumable_by};
use crate::analysis::uses::{Needs, Uses};
use crate::hash::{HashMap, HashSet};
use crate::ir::build::Vars;
use crate::ir::visit::{VisitMut, free_vars, substitute, walk_exp_mut};
use crate::ir::*;
use std::collections::BTreeSet;

/// Takes such copies out of loops.
pub fn carried(mut program: Program, known: &mut Analyses) -> Program {
    let mut carried = Carried { vars: known.vars(&program), taken: false };
    program.funs.iter_mut().for_each(|fun| carried.body(&mut fun.body));
    if carried.taken {
        known.changed();
    } else {
        known.unchanged(carried.vars);
    }
    program
}

struct Carried {
    vars: Vars,
    /// Whether a copy has been taken out.
    taken: bool,
}

impl VisitMut for Carried {
    fn body(&mut self, body: &mut Body) {
        let mut made: HashSet<Var> = HashSet::default();
        for mut stm in body.take_stms() {
            walk_exp_mut(self, &mut stm.exp);
            let before = self.loop_(&mut stm, &made);
            body.stms.extend(before);
            made.extend(stm.fresh());
            body.stms.push(stm);
        }
    }
}

impl Carried {
    /// The copies before a loop that stand for those in its trips; `made` is what is new beside it.
    fn loop_(&mut self, stm: &mut Stm, made: &HashSet<Var>) -> Vec<Stm> {
        let mut before = Vec::new();
        let Exp::Loop { params, body, .. } = &mut stm.exp else { return before };
        let copies = copies(body);
        if !params.iter().any(|p| copies.contains_key(&p.binder.var)) {
            return before;
        }
        let mut trip = Trip::of(params, body);
        let mut subst = HashMap::default();
        for (k, param) in params.iter_mut().enumerate() {
            let p = param.binder.var;
            let (SubExp::Var(init), Some(at)) = (param.init, copies.get(&p)) else { continue };
            let always = at.iter().any(|at| matches!(body.stms[*at].exp, Exp::Copy(_)));
            if !(always || param.unique || made.contains(&init)) {
                continue;
            }
            // the names that the parameter has: a copy that is taken out is the parameter itself
            let mut names = vec![p];
            while param.unique || trip.owns(p, body.result[k]) {
                let Some(copy) = trip.places.take_copy(body, &trip.groups, &names, &[]) else { break };
                trip.join(copy, p);
                names.push(copy);
            }
            let changed = names.len() > 1;
            subst.extend(names.into_iter().skip(1).map(|copy| (copy, SubExp::Var(p))));
            self.taken |= changed;
            if changed && !param.unique {
                let own = self.vars.fresh(self.vars.name(init).clone(), self.vars.ty(init).clone());
                param.init = own.var.into();
                param.unique = true;
                let (certs, attrs, prov) = (Vec::new(), Vec::new(), stm.prov);
                before.push(Stm { pat: vec![own], exp: Exp::Copy(init), certs, attrs, prov });
            }
        }
        trip.places.leave(body);
        substitute(body, &subst);
        before
    }
}

/// The statements of a body that copy a variable, or have a branch that does.
fn copies(body: &Body) -> HashMap<Var, BTreeSet<usize>> {
    fn sources(stm: &Stm, out: &mut Vec<Var>) {
        match &stm.exp {
            Exp::Copy(array) => out.push(*array),
            exp => branches(exp).iter().flat_map(|body| &body.stms).for_each(|stm| sources(stm, out)),
        }
    }
    let mut copies: HashMap<Var, BTreeSet<usize>> = HashMap::default();
    for (at, stm) in body.stms.iter().enumerate() {
        let mut found = Vec::new();
        sources(stm, &mut found);
        found.into_iter().for_each(|v| _ = copies.entry(v).or_default().insert(at));
    }
    copies
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

/// What is known of a trip of a loop.
struct Trip {
    groups: Consumable,
    places: Places,
    /// How many parameters and variables from outside there are in a group.
    others: HashMap<Var, usize>,
    /// How many of the next values there are in a group.
    next: HashMap<Var, usize>,
}

impl Trip {
    fn of(params: &[LoopParam], body: &Body) -> Trip {
        let groups = consumable_by(body, &[]);
        let (mut others, mut next) = (HashMap::default(), HashMap::default());
        let outside: HashSet<Var> = free_vars(body).into_iter().chain(params.iter().map(|p| p.binder.var)).collect();
        outside.into_iter().for_each(|v| *others.entry(groups.group(v)).or_default() += 1);
        for v in body.result.iter().filter_map(|e| e.as_var()) {
            *next.entry(groups.group(v)).or_default() += 1;
        }
        Trip { places: Places::of(body, &groups), groups, others, next }
    }

    /// See Note [What a loop owns].
    fn owns(&self, param: Var, next: SubExp) -> bool {
        // mutant: the next value of an array is a variable
        let SubExp::Var(next) = next else { return false };
        let (own, next) = (self.groups.group(param), self.groups.group(next));
        let count = |of: &HashMap<Var, usize>, group: Var| of.get(&group).copied().unwrap_or(0);
        // itself, and what it becomes
        let members = [(&self.others, own, 1), (&self.others, next, usize::from(own == next)), (&self.next, next, 1)];
        members.into_iter().all(|(of, group, itself)| count(of, group) == itself)
            && (own == next || count(&self.next, own) == 0)
    }

    /// From now on these two are one.
    fn join(&mut self, copy: Var, param: Var) {
        let groups = [self.groups.group(copy), self.groups.group(param)];
        self.groups.union(copy, param);
        if groups[0] != groups[1] {
            let one = self.groups.group(param);
            for counts in [&mut self.others, &mut self.next] {
                let sum = groups.iter().filter_map(|group| counts.remove(group)).sum();
                counts.insert(one, sum);
            }
            self.places.uses.joined(groups, one);
            let parts = groups.iter().filter_map(|group| self.places.parts.remove(group)).flatten().collect();
            self.places.parts.insert(one, parts);
        }
    }
}

/// Where in a body something is used, copied and bound.
struct Places {
    uses: Uses,
    /// The statements that copy a variable, or have a branch that does.
    copies: HashMap<Var, BTreeSet<usize>>,
    /// The variables of a group, and the statements that bind them.
    parts: HashMap<Var, Vec<(usize, Var)>>,
    /// The statements that have been taken out.
    gone: HashSet<usize>,
}

impl Places {
    fn of(body: &Body, groups: &Consumable) -> Places {
        let needs: Vec<Needs> = body.stms.iter().map(|stm| Needs::of(stm, groups)).collect();
        let mut parts: HashMap<Var, Vec<(usize, Var)>> = HashMap::default();
        for (at, stm) in body.stms.iter().enumerate() {
            stm.pat.iter().for_each(|b| parts.entry(groups.group(b.var)).or_default().push((at, b.var)));
        }
        Places { uses: Uses::of(&needs, &body.result), copies: copies(body), parts, gone: HashSet::default() }
    }

    /// Takes a copy out that is not needed, of a variable that has these names, and gives its name. Around the body `parts` of the variable have been named.
    fn take_copy(&mut self, body: &mut Body, groups: &Consumable, names: &[Var], parts: &[Var]) -> Option<Var> {
        let group = groups.group(names[0]);
        let copies: BTreeSet<usize> = names.iter().filter_map(|v| self.copies.get(v)).flatten().copied().collect();
        for at in copies.into_iter().filter(|at| !self.gone.contains(at)).collect::<Vec<_>>() {
            let behind = body.stms.len();
            let stm = &mut body.stms[at];
            let Exp::Copy(source) = stm.exp else {
                let old: Vec<Var> = parts.iter().copied().chain(self.parts_before(group, at)).collect();
                if !self.is_used(names.iter().chain(&old), at + 1) {
                    for body in branches_mut(&mut stm.exp) {
                        let mut places = Places::of(body, groups);
                        if let Some(copy) = places.take_copy(body, groups, names, &old) {
                            places.leave(body);
                            return Some(copy);
                        }
                    }
                }
                continue;
            };
            // from its first use on the copy is used
            let copy = stm.pat[0].var;
            let from = self.uses.first(copy, at).unwrap_or(behind);
            let is_consumed = self.uses.consumer(group, at + 1..from).is_some();
            let old: Vec<Var> = self.parts_before(group, from).collect();
            if stm.certs.is_empty() && !is_consumed && !self.is_used(names.iter().chain(parts).chain(&old), from) {
                self.uses.unused(source, at);
                self.gone.insert(at);
                return Some(copy);
            }
        }
        None
    }

    /// What of the group has been bound before that place.
    fn parts_before(&self, group: Var, at: usize) -> impl Iterator<Item = Var> {
        let parts = self.parts.get(&group).into_iter().flatten();
        parts.filter(move |(place, _)| *place < at).map(|(_, v)| *v)
    }

    /// Whether one of these is used from that place on.
    fn is_used<'a>(&self, vars: impl IntoIterator<Item = &'a Var>, from: usize) -> bool {
        vars.into_iter().any(|v| self.uses.last(*v).is_some_and(|last| last >= from))
    }

    /// Leaves what has not been taken out.
    fn leave(&self, body: &mut Body) {
        let mut at = 0..body.stms.len();
        body.stms.retain(|_| at.next().is_some_and(|at| !self.gone.contains(&at)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::check;
    use crate::simplify::simplify;

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
        let program = carried(program, &mut Analyses::default());
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
        let program = simplify(program, &mut Analyses::default());
        assert_eq!(check::errors(&program), Vec::new(), "{program}");
        let text = program.to_string();
        assert_eq!(text.matches("copy").count(), 1, "{text}");
        assert!(text.find("copy") < text.find("loop"), "{text}");
    }
}
