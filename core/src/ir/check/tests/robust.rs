//! Whatever parses, the checker has an answer for.

use super::*;
use crate::hash::HashSet;
use crate::ir::rename::renamed;
use crate::ir::roundtrip::AnyProgram;
use crate::ir::visit::{VisitMut, free_vars, walk_exp_mut, walk_fun_mut, walk_lambda_mut, walk_stm_mut};
use quickcheck::{Arbitrary, Gen, quickcheck};

/// `every_node.ir` with a few random changes to operands, sizes, types, arities, uniqueness.
#[derive(Clone, Debug)]
struct Mutated(Program);

struct Mutate<'a> {
    g: &'a mut Gen,
    vars: u32,
    /// One in so many places is changed.
    rarity: u32,
}

impl Mutate<'_> {
    fn hit(&mut self) -> bool {
        u32::arbitrary(self.g) % self.rarity == 0
    }
    fn any(&mut self) -> Var {
        Var(u32::arbitrary(self.g) % (self.vars + 2))
    }
    /// Drops or repeats one.
    fn resize<T: Clone>(&mut self, xs: &mut Vec<T>) {
        if self.hit() {
            match xs.pop() {
                Some(x) if bool::arbitrary(self.g) => xs.extend([x.clone(), x]),
                _ => {}
            }
        }
    }
}

impl VisitMut for Mutate<'_> {
    fn var(&mut self, v: &mut Var) {
        if self.hit() {
            *v = self.any();
        }
    }
    fn subexp(&mut self, e: &mut SubExp) {
        if self.hit() {
            let consts = [SubExp::i64(-1), Scalar::Bool(true).into(), Scalar::F64(0.5).into(), self.any().into()];
            *e = consts[usize::arbitrary(self.g) % consts.len()];
        }
    }
    fn dim(&mut self, d: &mut Dim) {
        if self.hit() {
            *d = if bool::arbitrary(self.g) { Dim::Const(-1) } else { Dim::Var(self.any()) };
        }
    }
    fn ty(&mut self, t: &mut Type) {
        if self.hit() {
            let types = [Type::Cert, Type::I64, Type::Scalar(ScalarType::F64), t.array_of(&[Dim::Const(2)])];
            *t = types[usize::arbitrary(self.g) % types.len()].clone();
        }
        visit::walk_type_mut(self, t);
    }
    fn body(&mut self, b: &mut Body) {
        self.resize(&mut b.stms);
        self.resize(&mut b.result);
        visit::walk_body_mut(self, b);
    }
    fn stm(&mut self, s: &mut Stm) {
        self.resize(&mut s.pat);
        walk_stm_mut(self, s);
    }
    fn lambda(&mut self, l: &mut Lambda) {
        self.resize(&mut l.params);
        self.resize(&mut l.ret);
        walk_lambda_mut(self, l);
    }
    fn exp(&mut self, e: &mut Exp) {
        match e {
            Exp::Prim(_, es) | Exp::Index { indices: es, .. } | Exp::Update { indices: es, .. } => self.resize(es),
            Exp::Apply { args, .. } => self.resize(args),
            Exp::Slice { slice, .. } | Exp::UpdateSlice { slice, .. } => self.resize(slice),
            Exp::FlatIndex { dims, .. } | Exp::FlatUpdate { dims, .. } => self.resize(dims),
            Exp::Rearrange { perm, .. } | Exp::Manifest { perm, .. } => self.resize(perm),
            Exp::Concat { arrays, .. } => self.resize(arrays),
            Exp::Replicate { shape, .. } | Exp::Reshape { shape, .. } | Exp::Coerce { shape, .. } => self.resize(shape),
            Exp::Match { scrutinees, cases, .. } => {
                self.resize(scrutinees);
                cases.iter_mut().for_each(|c| self.resize(&mut c.pattern));
            }
            Exp::Loop { params, .. } => {
                self.resize(params);
                params.iter_mut().for_each(|p| p.unique ^= self.hit());
            }
            Exp::Screma(s) => {
                self.resize(&mut s.arrays);
                self.resize(&mut s.scans);
                self.resize(&mut s.reduces);
            }
            Exp::Hist(h) => {
                self.resize(&mut h.arrays);
                self.resize(&mut h.ops);
                h.ops.iter_mut().for_each(|op| self.resize(&mut op.dests));
            }
            Exp::Scatter(s) => self.resize(&mut s.dests),
            Exp::Stream(s) => self.resize(&mut s.arrays),
            Exp::FlatMap(f) => f.irregular += self.hit() as usize,
            Exp::WithAcc(w) => {
                self.resize(&mut w.inputs);
                w.inputs.iter_mut().for_each(|i| self.resize(&mut i.arrays));
            }
            Exp::UpdAcc { indices, values, .. } => {
                self.resize(indices);
                self.resize(values);
            }
            Exp::Jvp(ad) | Exp::Vjp(ad) => {
                self.resize(&mut ad.args);
                self.resize(&mut ad.seeds);
            }
            Exp::Custom(c) => {
                c.saved += self.hit() as usize;
                self.resize(&mut c.args);
            }
            Exp::SegOp(s) => {
                self.resize(&mut s.space);
                match &mut s.kind {
                    SegKind::Map => {}
                    SegKind::Scan(ops) | SegKind::Reduce(ops) => self.resize(ops),
                    SegKind::Write(dests) => self.resize(dests),
                }
                self.resize(&mut s.ret);
            }
            _ => {}
        }
        walk_exp_mut(self, e);
    }
}

impl Arbitrary for Mutated {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut program = every_node();
        let vars = Vars::of(&program).count();
        let rarity = [20, 200, 1000][usize::arbitrary(g) % 3];
        for fun in &mut program.funs {
            walk_fun_mut(&mut Mutate { g, vars, rarity }, fun);
        }
        Mutated(program)
    }
}

fn every_node() -> Program {
    EVERY_NODE.parse().unwrap_or_else(|e| panic!("{e}"))
}

/// A function of `every_node.ir` with its statements copied, in branches and cases, as often as chance will.
#[derive(Clone, Debug)]
struct Duplicated(Program);

impl Arbitrary for Duplicated {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut program = every_node();
        let mut vars = Vars::of(&program);
        for fun in &mut program.funs {
            for _ in 0..u8::arbitrary(g) % 4 {
                let cond = Scalar::Bool(bool::arbitrary(g)).into();
                let body = std::mem::take(&mut fun.body);
                let (copy, third) = (renamed(&body, &mut vars), renamed(&body, &mut vars));
                let exp = if bool::arbitrary(g) {
                    Exp::If { cond, yes: body, no: copy }
                } else {
                    let cases = vec![Case { pattern: vec![Some(Scalar::Bool(false))], body: copy }];
                    Exp::Match { scrutinees: vec![cond], cases, default: third }
                };
                // the pattern is the results renamed; its types come after its sizes
                let mut results = Lambda { params: fun.results.iter().map(|r| r.binder.clone()).collect(), ..empty() };
                results = renamed(&results, &mut vars);
                let result = results.params.iter().map(|b| b.var.into()).collect();
                let stm = Stm { pat: results.params, exp, certs: vec![], attrs: vec![], prov: Prov::UNKNOWN };
                fun.body = Body { stms: vec![stm], result };
            }
        }
        Duplicated(program)
    }
}

fn empty() -> Lambda {
    Lambda { params: vec![], ret: vec![], body: Body::default() }
}

/// The variables in the text of a body that are used there and not bound there: a binder is a word before a colon.
fn free_in_text(body: &Body) -> HashSet<u32> {
    let fun = Fun { name: "f".into(), entry: None, params: vec![], results: vec![], body: body.clone() };
    let text = print::fun_text(&fun);
    let (mut used, mut bound) = (HashSet::default(), HashSet::default());
    for part in text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '.' | ':'))) {
        let word = part.trim_end_matches(':');
        let Some(number) = word.rsplit_once('_').and_then(|(_, n)| n.parse().ok()) else { continue };
        if word.len() < part.len() {
            bound.insert(number)
        } else {
            used.insert(number)
        };
    }
    &used - &bound
}

quickcheck! {
    fn random_programs_have_an_answer(p: AnyProgram) -> bool {
        errors(&p.0);
        true
    }

    fn mutations_of_well_formed_programs_have_an_answer(p: Mutated) -> bool {
        errors(&p.0);
        true
    }

    fn copies_are_well_formed_and_clash_with_nothing(p: Duplicated) -> bool {
        errors(&p.0).is_empty()
    }

    fn free_variables_are_those_of_the_text(p: Duplicated) -> bool {
        struct Bodies(bool);
        impl Visit for Bodies {
            fn body(&mut self, b: &Body) {
                let free: HashSet<u32> = free_vars(b).into_iter().map(|v| v.0).collect();
                self.0 &= free == free_in_text(b);
                for stm in &b.stms {
                    let alone = Body { stms: vec![stm.clone()], result: vec![] };
                    let free: HashSet<u32> = free_vars(stm).into_iter().map(|v| v.0).collect();
                    self.0 &= free == free_in_text(&alone);
                }
                visit::walk_body(self, b);
            }
        }
        let mut bodies = Bodies(true);
        p.0.funs.iter().for_each(|f| bodies.body(&f.body));
        bodies.0
    }
}

#[test]
fn binders_of_nodes_are_not_free() {
    let free = |text: &str| {
        let program: Program = format!("futi-ir 1 {}", with_body("", &format!("{text} in ()"))).parse().unwrap();
        free_vars(&program.funs[0].body).into_iter().map(|v| v.0).collect::<Vec<_>>()
    };
    let flatmap = "let (m_10: i64) = flatmap n_0 (is_7) size k_16: i64 irregular 1 map \\(i_17: i64) -> (i64, [k_16]i64) { in (i_17, xs_1) }";
    assert_eq!(free(flatmap), [0, 7, 1]);
    let stream = "let (a_10: f64) = streamseq n_0 (xs_1) from (x_3) chunk \\(c_12: i64, a_13: f64, q_14: [c_12]f64) -> (f64, [c_12]f64) { in (a_13, ys_2) }";
    assert_eq!(free(stream), [0, 1, 3, 2]);
    let segop = "let (r_10: [n_0]i64) = segop grid (j_11: i64 < n_0) -> (i64) { let (k_12: i64) = add.i64(j_11, i_4) in (k_12) }";
    assert_eq!(free(segop), [0, 4]);
    let case = "let (y_10: f64) = match (i_4) case (0i64) { let (z_11: f64) = x_3 in (z_11) } else { in (x_3) }";
    assert_eq!(free(case), [4, 3]);
}
