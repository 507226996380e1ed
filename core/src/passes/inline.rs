//! Inlining: every call of a function that is not recursive is replaced by its body, whose statements then say through which call they were reached.

use crate::backend::{Errors, Unsupported};
use crate::hash::{HashMap, HashSet};
use crate::ir::build::{Builder, Vars, substitute_type};
use crate::ir::rename::renamed;
use crate::ir::visit::{Visit, VisitMut, statements, substitute, walk_exp, walk_exp_mut, walk_stm_mut};
use crate::ir::*;

/// [`inline_within`], however much code it makes.
pub fn inline(program: Program) -> Program {
    inline_within(program, u64::MAX).unwrap_or_else(|_| panic!("internal error: more code than can be counted"))
}

/// Inlines all calls but those of recursive functions, and removes the functions that no entry point comes to call any more (of a program without
/// entry points, none).
///
/// # Errors
/// The first call whose body in its place would make more than so many statements, together with those before. Functions that call each other twice double with
/// each of them.
pub fn inline_within(program: Program, most: u64) -> Result<Program, Errors> {
    let recursive = recursive_functions(&program);
    let mut vars = Vars::of(&program);
    let Program { funs, mut prov } = program;
    let order = callees_first(&funs);
    let mut done: HashMap<Name, Fun> = HashMap::default();
    let mut room = Room { sizes: HashMap::default(), left: most, refused: None };
    let named: HashMap<&Name, &Fun> = funs.iter().map(|f| (&f.name, f)).collect();
    for name in order {
        let Some(mut fun) = named.get(&name).map(|f| (*f).clone()) else { continue };
        Inline { vars: &mut vars, prov: &mut prov, done: &done, recursive: &recursive, room: &mut room }
            .body(&mut fun.body);
        if let Some(call) = room.refused {
            let missing =
                format!("its code in its place, and that of the calls before, would have more than {most} statements");
            let constructs = vec![Unsupported { construct: "this call".into(), missing, prov: call }];
            return Err(Errors { constructs, prov });
        }
        room.sizes.insert(name.clone(), statements(&fun.body));
        done.insert(name, fun);
    }
    let funs: Vec<Fun> = funs.iter().filter_map(|f| done.remove(&f.name)).collect();
    Ok(reachable(Program { funs, prov }))
}

/// How much code calls may become.
struct Room {
    /// The statements of the functions that have been processed.
    sizes: HashMap<Name, u64>,
    /// How many more there may be.
    left: u64,
    /// The call for which there was no room.
    refused: Option<Prov>,
}

impl Room {
    /// Whether there is room for the code of a function, which is taken.
    fn take(&mut self, fun: &Name, call: Prov) -> bool {
        // mutant off by one: those that are called here have been processed
        let size = self.sizes.get(fun).copied().unwrap_or(0);
        match self.left.checked_sub(size) {
            Some(left) if self.refused.is_none() => self.left = left,
            _ => _ = self.refused.get_or_insert(call),
        }
        self.refused.is_none()
    }
}

/// The program without the functions that no entry point comes to call.
pub fn reachable(mut program: Program) -> Program {
    let mut live: HashSet<Name> = HashSet::default();
    let mut todo: Vec<Name> = program.entries().cloned().collect();
    if todo.is_empty() {
        return program;
    }
    let funs = program.by_name();
    while let Some(name) = todo.pop() {
        if live.insert(name.clone()) {
            todo.extend(funs.get(name.as_str()).map(|f| calls(&f.body)).unwrap_or_default());
        }
    }
    program.funs.retain(|f| live.contains(&f.name));
    program
}

/// The names of the functions that a body calls.
fn calls(body: &Body) -> Vec<Name> {
    struct Calls(Vec<Name>);
    impl Visit for Calls {
        fn exp(&mut self, e: &Exp) {
            if let Exp::Apply { fun, .. } = e {
                self.0.push(fun.clone());
            }
            walk_exp(self, e);
        }
    }
    let mut calls = Calls(Vec::new());
    calls.body(body);
    calls.0
}

/// The functions that can come to call themselves.
fn recursive_functions(program: &Program) -> HashSet<Name> {
    let callees: HashMap<&Name, Vec<Name>> = program.funs.iter().map(|f| (&f.name, calls(&f.body))).collect();
    let reaches_itself = |name: &Name| {
        let mut seen = HashSet::default();
        let mut todo: Vec<&Name> = vec![name];
        while let Some(f) = todo.pop() {
            for callee in callees.get(f).into_iter().flatten() {
                if callee == name {
                    return true;
                }
                if seen.insert(callee) {
                    todo.push(callee);
                }
            }
        }
        false
    };
    program.funs.iter().map(|f| f.name.clone()).filter(reaches_itself).collect()
}

/// The functions, each after those that it calls (of a cycle, in any order).
fn callees_first(funs: &[Fun]) -> Vec<Name> {
    let callees: HashMap<&Name, Vec<Name>> = funs.iter().map(|f| (&f.name, calls(&f.body))).collect();
    let mut order = Vec::new();
    let mut seen: HashSet<Name> = HashSet::default();
    // an explicit stack: a chain of calls may be long
    let mut todo: Vec<(Name, bool)> = funs.iter().rev().map(|f| (f.name.clone(), false)).collect();
    while let Some((name, callees_done)) = todo.pop() {
        if callees_done {
            order.push(name);
        } else if seen.insert(name.clone()) {
            todo.push((name.clone(), true));
            todo.extend(callees.get(&name).into_iter().flatten().map(|c| (c.clone(), false)));
        }
    }
    order
}

struct Inline<'a> {
    vars: &'a mut Vars,
    prov: &'a mut ProvTable,
    /// The functions that have been processed.
    done: &'a HashMap<Name, Fun>,
    recursive: &'a HashSet<Name>,
    room: &'a mut Room,
}

impl VisitMut for Inline<'_> {
    fn body(&mut self, body: &mut Body) {
        for mut stm in body.take_stms() {
            walk_exp_mut(self, &mut stm.exp);
            match &stm.exp {
                Exp::Apply { fun, args }
                    if !self.recursive.contains(fun)
                        && self.done.contains_key(fun)
                        && self.room.take(fun, stm.prov) =>
                {
                    let stms = self.call(&self.done[fun], args, &stm);
                    body.stms.extend(stms);
                }
                _ => body.stms.push(stm),
            }
        }
    }
}

impl Inline<'_> {
    fn call(&mut self, fun: &Fun, args: &[SubExp], call: &Stm) -> Vec<Stm> {
        let params = fun.params.iter().map(|p| p.binder.clone()).collect();
        let lambda = renamed(&Lambda { params, ret: Vec::new(), body: fun.body.clone() }, self.vars);
        let subst: HashMap<Var, SubExp> = lambda.params.iter().map(|p| p.var).zip(args.iter().copied()).collect();
        let mut body = lambda.body;
        substitute(&mut body, &subst);
        let mut relate = Relate { prov: self.prov, call: call.prov, unsafe_: is_unsafe(call) };
        body.stms.iter_mut().for_each(|s| relate.stm(s));
        let mut b = Builder::new(self.vars, call.prov);
        b.certs = call.certs.clone();
        let results = b.splice(body);
        for (p, e) in call.pat.iter().zip(results) {
            let ty = substitute_type(&b.vars.type_of(e), &subst);
            // a size among the results has another name here
            let exp = match e {
                SubExp::Var(array) if ty != p.ty => Exp::Coerce { shape: p.ty.shape().to_vec(), array },
                _ => Exp::SubExp(e),
            };
            b.bind(vec![p.clone()], exp);
        }
        b.stms
    }
}

fn is_unsafe(stm: &Stm) -> bool {
    stm.attr("unsafe").is_some()
}

/// Says of each statement through which call it was reached.
struct Relate<'a> {
    prov: &'a mut ProvTable,
    call: Prov,
    unsafe_: bool,
}

impl VisitMut for Relate<'_> {
    fn stm(&mut self, s: &mut Stm) {
        if s.prov == Prov::UNKNOWN {
            s.prov = self.call;
        } else if self.call != Prov::UNKNOWN {
            s.prov = self.prov.intern(ProvNode::Inlined { body: s.prov, call: self.call });
        }
        if self.unsafe_ && !is_unsafe(s) {
            s.attrs.push(Attr { name: "unsafe".into(), arg: None });
        }
        walk_stm_mut(self, s);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::check::errors;

    #[test]
    fn calls_become_bodies_that_say_whence_they_came() {
        let text = "futi-ir 1
            fun \"g\"(n_0: i64, *xs_1: [n_0]f64) -> (k_2: i64, *r_3: [k_2]f64) {
              let (ys_4: [n_0]f64) = update xs_1[0i64] = 1.0f64 @1
              in (n_0, ys_4)
            }
            fun \"again\"(x_5: f64) -> (r_6: f64) { let (y_7: f64) = call \"again\"(x_5) in (y_7) }
            fun \"unused\"() -> () { in () }
            entry \"f\"(n_10: i64, xs_11: [n_10]f64) -> (k_12: i64, r_13: [k_12]f64, s_14: f64) sig 1 (\"xs\": [\"n\"]f64) -> ([\"\"]f64, f64) {
              let (c_15: [n_10]f64) = copy xs_11
              let (k_16: i64, d_17: [k_16]f64) = call \"g\"(n_10, c_15) @2
              let (k_18: i64, e_19: [k_18]f64) = call \"g\"(k_16, d_17) @2
              let (s_20: f64) = call \"again\"(1.0f64)
              in (k_18, e_19, s_20)
            }
            files \"a.fut\"
            prov 1 = span 0 1 2
            prov 2 = span 0 8 9";
        let program: Program = text.parse().unwrap();
        assert_eq!(errors(&program), []);
        let program = inline(program);
        assert_eq!(errors(&program), [], "{program}");
        let names: Vec<&str> = program.funs.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["again", "f"]);
        let updates: Vec<Prov> = (program.funs[1].body.stms.iter())
            .filter(|s| matches!(s.exp, Exp::Update { .. }))
            .map(|s| s.prov)
            .collect();
        assert_eq!(updates.len(), 2);
        assert_eq!(program.prov.backtrace(updates[0]), [(0, 1, 2), (0, 8, 9)]);
    }

    #[test]
    fn calls_that_double_are_refused_where_there_is_no_room() {
        let level = |k: u32| {
            let (x, y, z) = (3 * k, 3 * k + 1, 3 * k + 2);
            let below = k - 1;
            format!(
                "fun \"f{k}\"(x_{x}: f64) -> (r_{z}00: f64) {{ let (y_{y}: f64) = call \"f{below}\"(x_{x}) @1 let (z_{z}: f64) = call \"f{below}\"(y_{y}) @1 in (z_{z}) }} "
            )
        };
        let first = "fun \"f0\"(x_1: f64) -> (r_200: f64) { let (y_2: f64) = add.f64(x_1, x_1) in (y_2) } ";
        let text: String = (1..=30).map(level).collect();
        let program: Program = format!("futi-ir 1 {first}{text} files \"a.fut\" prov 1 = span 0 1 2").parse().unwrap();
        let refused = inline_within(program, 1000).unwrap_err();
        assert_eq!(refused.constructs.len(), 1);
        assert_eq!(refused.constructs[0].prov, Prov(1));
        assert!(refused.constructs[0].missing.contains("more than 1000 statements"), "{:?}", refused.constructs);
    }
}
