//! Entry points made of other ones. Of an entry point `f`, x being parameters, n the others, y results: its derivatives
//!
//! ```text
//! jvp: n x ẋ -> (y, J ẋ)        vjp: n x ȳ -> (y, Jᵀ ȳ)
//! ```
//!
//! and `f` at all elements of arrays. Each is a new entry point: of a derivative the body is one `jvp` or `vjp` of a lambda that calls `f`, of the other one a
//! map of one. What their callers see is flat, a value for each parameter and result of the IR. A result of `f` with an existential size gets a size parameter:
//! the caller knows the size from the results of `f`.

use crate::hash::HashMap;
use crate::ir::build::{Builder, Vars, map_exp, substitute_type};
use crate::ir::*;

/// Parameters and results of an entry point, as positions in the IR function's.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Selection {
    /// Parameters.
    pub params: Vec<usize>,
    /// Results.
    pub results: Vec<usize>,
    /// Further results, which a derivative gives as they are: in reverse mode their cotangents are zero.
    pub aux: Vec<usize>,
    /// Whether a derivative takes seeds for any number of directions at once, and gives as many tangents or adjoints: their first dimension counts them.
    pub directions: bool,
}

/// What an entry point can be differentiated in; none if it has no float parameter or no float result.
pub fn floats(fun: &Fun) -> Option<Selection> {
    let params = fun.params.iter().map(|p| &p.binder.ty).enumerate();
    let results = fun.results.iter().map(|r| &r.binder.ty).enumerate();
    let params: Vec<usize> = params.filter(|(_, t)| t.is_float()).map(|(i, _)| i).collect();
    let results: Vec<usize> = results.filter(|(_, t)| t.is_float()).map(|(i, _)| i).collect();
    (!params.is_empty() && !results.is_empty()).then_some(Selection { params, results, ..Selection::default() })
}

/// Forward or reverse.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// `jvp`.
    Forward,
    /// `vjp`.
    Reverse,
}

impl Mode {
    /// Both.
    pub const ALL: [Mode; 2] = [Mode::Forward, Mode::Reverse];
    /// The name in the language.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Forward => "jvp",
            Mode::Reverse => "vjp",
        }
    }
}

/// The derivative of an entry point as a program.
#[derive(Clone, Debug)]
pub struct Derivative {
    /// Everything of the original, and the new entry point; the others are entry points no more.
    pub program: Program,
    /// The name of the new entry point. Its parameters: those of the original, then [`Derivative::sizes`] sizes, then the seeds. Its results: the
    /// selected results of the original, the further ones last, then the tangents of the selected ones, or the adjoints of the selected parameters.
    pub entry: Name,
    /// How many leading results of the original are sizes that the new one takes as parameters.
    pub sizes: usize,
}

/// The derivative of an entry point: of the selected results with respect to the selected parameters.
pub fn derivative(program: &Program, fun: &Fun, selection: &Selection, mode: Mode) -> Derivative {
    let (mut program, name) = without_entries(program, fun, mode.name());
    let mut vars = Vars::of(&program);
    let (new, sizes) = Wrapper { fun, selection, mode, vars: &mut vars }.build(name.clone());
    program.funs.push(new);
    Derivative { program, entry: name, sizes }
}

/// A copy of the program in which nothing is an entry point, and a name that no function of it has.
fn without_entries(program: &Program, fun: &Fun, what: &str) -> (Program, Name) {
    let mut program = program.clone();
    for f in &mut program.funs {
        f.entry = None;
    }
    let mut name = format!("{}_{what}", fun.name);
    while program.fun(&name).is_some() {
        name.push('_');
    }
    (program, name.as_str().into())
}

/// The entry point at all elements of arrays: these parameters have one more dimension, the outermost, and all results have it. None where a result has a size
/// that may differ by the element. Of no parameters it is the entry point at the one size that is its first parameter.
pub fn mapped(program: &Program, fun: &Fun, over: &[usize]) -> Option<(Program, Name)> {
    let sizes_of = |ty: &Type| {
        ty.shape().iter().filter_map(|d| if let Dim::Var(v) = d { Some(*v) } else { None }).collect::<Vec<_>>()
    };
    let same_for_all = |v: Var| fun.params.iter().enumerate().any(|(i, p)| p.binder.var == v && !over.contains(&i));
    if !fun.results.iter().flat_map(|r| sizes_of(&r.binder.ty)).all(same_for_all) {
        return None;
    }
    let sizes = fun.entry.as_ref().map_or(0, |sig| sig.sizes);
    let (mut program, name) = without_entries(program, fun, "map");
    let mut vars = Vars::of(&program);
    let width = vars.fresh("n", Type::I64);
    let mut subst = HashMap::default();
    let mut params = vec![width.clone()];
    for (i, p) in fun.params.iter().enumerate() {
        let own = substitute_type(&p.binder.ty, &subst);
        let ty = if over.contains(&i) { own.array_of(&[width.var.into()]) } else { own };
        let fresh = vars.fresh(p.binder.name.clone(), ty);
        subst.insert(p.binder.var, fresh.var.into());
        params.push(fresh);
    }
    let mut b = Builder::new(&mut vars, Prov::UNKNOWN);
    let arrays: Vec<Var> = over.iter().map(|i| params[i + 1].var).collect();
    let elems: Vec<(&str, Type)> = over.iter().map(|i| ("x", b.vars.ty(params[i + 1].var).peel(1))).collect();
    let lambda = b.lambda(&elems, |b, xs| {
        let arg = |i: usize| over.iter().position(|o| *o == i).map_or(params[i + 1].var, |k| xs[k]);
        let args: Vec<Var> = (0..fun.params.len()).map(arg).collect();
        call(b, fun, args).0
    });
    let types: Vec<Type> = lambda.ret.iter().map(|t| t.array_of(&[width.var.into()])).collect();
    let results = b.let_many("y", map_exp(width.var.into(), arrays, lambda));
    let body = Body { stms: b.stms, result: results.iter().map(|v| (*v).into()).collect() };
    let outside = params[sizes + 1..].iter().map(|b| EntryParam { name: b.name.clone(), ty: source_type(&b.ty) });
    let result = EntryType::Tuple(types.iter().map(source_type).collect());
    let entry = EntrySig { sizes: sizes + 1, params: outside.collect(), result };
    let results = types.into_iter().map(|t| FunResult { binder: vars.fresh("y", t), unique: false }).collect();
    let params = params.into_iter().map(|binder| FunParam { binder, unique: false }).collect();
    program.funs.push(Fun { name: name.clone(), entry: Some(entry), params, results, body });
    Some((program, name))
}

/// Calls the function; what it may consume is copied. Gives its results, and what its parameters and results stand for.
fn call(b: &mut Builder, fun: &Fun, args: Vec<Var>) -> (Vec<SubExp>, Vec<Binder>) {
    let mut args: Vec<SubExp> = args.into_iter().map(SubExp::Var).collect();
    for (arg, param) in args.iter_mut().zip(&fun.params) {
        if let (true, SubExp::Var(v), Type::Array(..)) = (param.unique, *arg, &param.binder.ty) {
            *arg = b.let_one("copy", Exp::Copy(v)).into();
        }
    }
    let mut subst: HashMap<Var, SubExp> = fun.params.iter().zip(&args).map(|(p, arg)| (p.binder.var, *arg)).collect();
    let mut pat = Vec::new();
    for r in &fun.results {
        let fresh = b.vars.fresh(r.binder.name.clone(), substitute_type(&r.binder.ty, &subst));
        subst.insert(r.binder.var, fresh.var.into());
        pat.push(fresh);
    }
    b.bind(pat.clone(), Exp::Apply { fun: fun.name.clone(), args });
    (pat.iter().map(|b| b.var.into()).collect(), pat)
}

struct Wrapper<'a> {
    fun: &'a Fun,
    selection: &'a Selection,
    mode: Mode,
    vars: &'a mut Vars,
}

impl Wrapper<'_> {
    fn build(mut self, name: Name) -> (Fun, usize) {
        let mut subst = HashMap::default();
        let params: Vec<Binder> =
            self.fun.params.iter().map(|p| self.fresh(&p.binder, p.binder.name.as_str(), &mut subst)).collect();
        // sizes among the results: what the types of other results mention
        let results: Vec<&Binder> = self.fun.results.iter().map(|r| &r.binder).collect();
        let is_size = |b: &Binder| results.iter().any(|r| r.ty.shape().contains(&Dim::Var(b.var)));
        let sizes: Vec<&Binder> = results.iter().copied().take_while(|b| is_size(b)).collect();
        let size_params: Vec<Binder> = sizes.iter().map(|b| self.fresh(b, b.name.as_str(), &mut subst)).collect();
        let all = self.selection.results.iter().chain(&self.selection.aux);
        let result_types: Vec<Type> = all.map(|i| substitute_type(&results[*i].ty, &subst)).collect();
        let param_types: Vec<Type> = self.selection.params.iter().map(|i| params[*i].ty.clone()).collect();
        let width = self.selection.directions.then(|| self.vars.fresh("n", Type::I64));
        let directions: Vec<Dim> = width.iter().map(|n| n.var.into()).collect();
        let (chosen, further) = result_types.split_at(self.selection.results.len());
        let (seed_types, derived_types) = match self.mode {
            Mode::Forward => (&param_types[..], &result_types[..]),
            Mode::Reverse => (chosen, &param_types[..]),
        };
        let seeds: Vec<Binder> = seed_types.iter().map(|t| self.vars.fresh("seed", t.array_of(&directions))).collect();
        let derived = derived_types.iter().map(|t| ("d", t.array_of(&directions)));
        let out = result_types.iter().map(|t| ("y", t.clone())).chain(derived);
        let mut binders: Vec<(Binder, Binder)> =
            out.map(|(n, t)| (self.vars.fresh(n, t.clone()), self.vars.fresh(n, t.clone()))).collect();

        let lambda = self.lambda(&params, &size_params, &result_types);
        let args: Vec<SubExp> = self.selection.params.iter().map(|i| params[*i].var.into()).collect();
        let mut operands: Vec<SubExp> = seeds.iter().map(|b| b.var.into()).collect();
        let mut b = Builder::new(self.vars, Prov::UNKNOWN);
        if self.mode == Mode::Reverse {
            operands.extend(
                further.iter().map(|t| b.fill(&t.array_of(&directions), t.elem().unwrap_or(ScalarType::Bool).zero())),
            );
        }
        let ad = Ad { lambda, args, seeds: operands, seed_shape: directions };
        let exp = if self.mode == Mode::Forward { Exp::Jvp(ad) } else { Exp::Vjp(ad) };
        b.bind(binders.iter().map(|(pat, _)| pat.clone()).collect(), exp);
        if self.mode == Mode::Forward {
            binders.truncate(binders.len() - further.len());
        }
        let body = Body { stms: b.stms, result: binders.iter().map(|(pat, _)| pat.var.into()).collect() };

        let original = self.fun.entry.clone();
        let mut sig_params = original.as_ref().map_or(Vec::new(), |sig| sig.params.clone());
        let extra = size_params.iter().chain(&seeds);
        sig_params.extend(extra.map(|b| EntryParam { name: b.name.clone(), ty: source_type(&b.ty) }));
        let result = EntryType::Tuple(binders.iter().map(|(_, b)| source_type(&b.ty)).collect());
        let sizes_before = original.map_or(0, |sig| sig.sizes) + usize::from(width.is_some());
        let entry = EntrySig { sizes: sizes_before, params: sig_params, result };
        let all = width.into_iter().chain(params).chain(size_params).chain(seeds);
        let fun = Fun {
            name,
            entry: Some(entry),
            params: all.map(|binder| FunParam { binder, unique: false }).collect(),
            results: binders.into_iter().map(|(_, binder)| FunResult { binder, unique: false }).collect(),
            body,
        };
        (fun, sizes.len())
    }

    /// A fresh variable for the binder, its type in terms of the fresh ones before it.
    fn fresh(&mut self, b: &Binder, name: &str, subst: &mut HashMap<Var, SubExp>) -> Binder {
        let fresh = self.vars.fresh(name, substitute_type(&b.ty, subst));
        subst.insert(b.var, fresh.var.into());
        fresh
    }

    /// `\x -> y`, by a call of the original with the other parameters as they are; results with existential sizes coerced to the size parameters.
    fn lambda(&mut self, params: &[Binder], sizes: &[Binder], result_types: &[Type]) -> Lambda {
        let (fun, selection) = (self.fun, self.selection);
        let mut b = Builder::new(self.vars, Prov::UNKNOWN);
        let names: Vec<(&str, Type)> = selection.params.iter().map(|i| ("x", params[*i].ty.clone())).collect();
        b.lambda(&names, |b, xs| {
            let mut args: Vec<Var> = params.iter().map(|p| p.var).collect();
            selection.params.iter().zip(xs).for_each(|(i, x)| args[*i] = *x);
            let (_, pat) = call(b, fun, args);
            let expected: Vec<Dim> = sizes.iter().map(|s| s.var.into()).collect();
            let actual: Vec<Dim> = pat[..sizes.len()].iter().map(|s| s.var.into()).collect();
            if !sizes.is_empty() {
                b.certs = vec![b.let_one("same", Exp::Check(Check::SizeEq { actual, expected }))];
            }
            let results =
                selection.results.iter().chain(&selection.aux).zip(result_types).map(|(i, want)| match want {
                    Type::Array(_, shape) if pat[*i].ty != *want => {
                        SubExp::Var(b.let_one("y", Exp::Coerce { shape: shape.clone(), array: pat[*i].var }))
                    }
                    _ => pat[*i].var.into(),
                });
            results.collect()
        })
    }
}

fn source_type(t: &Type) -> EntryType {
    let elem = EntryType::Scalar(t.elem().unwrap_or(ScalarType::I64));
    match t.rank() {
        0 => elem,
        n => EntryType::Array(vec!["".into(); n], Box::new(elem)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::check::errors;

    const PROGRAM: &str = "futi-ir 1
        fun \"g\"(x_0: f64) -> (r_1: f64) { let (y_2: f64) = sin.f64(x_0) in (y_2) }
        entry \"f\"(n_3: i64, *xs_4: [n_3]f64, k_5: i64, a_6: f32) -> (m_7: i64, *r_8: [m_7]f64, c_9: i64, s_10: f32)
          sig 1 (\"xs\": [\"n\"]f64, \"k\": i64, \"a\": f32) -> ([\"\"]f64, i64, f32) {
          let (y_11: f64) = call \"g\"(1.0f64)
          let (zs_12: [k_5]f64) = replicate [k_5] y_11
          in (k_5, zs_12, n_3, a_6)
        }";

    fn consumes_nothing(fun: &Fun) -> bool {
        fun.params.iter().all(|p| !p.unique) && fun.results.iter().all(|r| !r.unique)
    }

    #[test]
    fn derivatives_are_well_formed() {
        let program: Program = PROGRAM.parse().unwrap();
        let fun = program.fun("f").unwrap();
        let floats = floats(fun).unwrap();
        assert_eq!((&floats.params[..], &floats.results[..]), (&[1, 3][..], &[1, 3][..]));
        for mode in Mode::ALL {
            let d = derivative(&program, fun, &floats, mode);
            assert_eq!(errors(&d.program), [], "{}", d.program);
            assert_eq!(d.sizes, 1);
            let f = d.program.entry(d.entry.as_str()).unwrap();
            // n xs k a, m, two seeds; two results and two derivatives
            assert_eq!((f.params.len(), f.results.len()), (7, 4));
            assert!(consumes_nothing(f));
            let text = d.program.to_string();
            // the original is called with what the lambda takes; its size must be the one that was given
            for part in
                ["(x_28: [n_13]f64, x_29: f32)", "call \"f\"(n_13, copy_30, k_15, x_29)", "check size [m_31] = [m_17]"]
            {
                assert!(text.contains(part), "{part}\n{text}");
            }
            assert_eq!(text.parse::<Program>().unwrap(), d.program);
        }
    }

    #[test]
    fn the_new_one_is_the_only_entry_point_and_has_a_name_of_its_own() {
        let program: Program = PROGRAM.parse().unwrap();
        let fun = program.fun("f").unwrap();
        let first = derivative(&program, fun, &floats(fun).unwrap(), Mode::Reverse);
        assert_eq!(first.entry.as_str(), "f_vjp");
        let entries = |p: &Program| p.funs.iter().filter(|f| f.entry.is_some()).count();
        assert_eq!((entries(&program), entries(&first.program)), (1, 1));
        let again = derivative(&first.program, fun, &floats(fun).unwrap(), Mode::Reverse);
        assert_eq!(again.entry.as_str(), "f_vjp_");
        assert_eq!((entries(&again.program), errors(&again.program)), (1, Vec::new()));
    }

    #[test]
    fn further_results_are_given_as_they_are() {
        let program: Program = PROGRAM.parse().unwrap();
        let fun = program.fun("f").unwrap();
        for (mode, directions) in
            [(Mode::Forward, false), (Mode::Reverse, false), (Mode::Forward, true), (Mode::Reverse, true)]
        {
            let selection = Selection { params: vec![3], results: vec![3], aux: vec![1, 2], directions };
            let d = derivative(&program, fun, &selection, mode);
            assert_eq!(errors(&d.program), [], "{}", d.program);
            let f = d.program.entry(d.entry.as_str()).unwrap();
            // n xs k a, m, one seed, and how many directions; three results and one derivative
            assert_eq!((f.params.len(), f.results.len()), (6 + usize::from(directions), 4));
            assert_eq!(f.results[3].binder.ty.rank(), usize::from(directions));
            // their cotangents are zero
            let seeds = match directions {
                false => "replicate [m_17] 0.0f64\n",
                true => "replicate [n_18][m_17] 0.0f64\n  let (fill_37: [n_18]i64) = replicate [n_18] 0i64\n",
            };
            assert_eq!(d.program.to_string().contains(seeds), mode == Mode::Reverse, "{}", d.program);
        }
        // of a function that nobody calls from outside, without sizes to check
        let d =
            derivative(&program, program.fun("g").unwrap(), &floats(program.fun("g").unwrap()).unwrap(), Mode::Forward);
        assert_eq!(d.program.fun(d.entry.as_str()).and_then(|f| Some(f.entry.as_ref()?.sizes)), Some(0));
        assert!(!d.program.to_string().contains("check"));
    }

    #[test]
    fn maps_are_well_formed() {
        let program: Program = "futi-ir 1
            entry \"f\"(n_3: i64, *xs_4: [n_3]f64, k_5: i64) -> (*r_8: [n_3]f64, c_9: i64)
              sig 1 (\"xs\": [\"n\"]f64, \"k\": i64) -> ([\"n\"]f64, i64) { in (xs_4, k_5) }
            entry \"g\"(k_6: i64) -> (r_10: [k_6]i64) sig 0 (\"k\": i64) -> [\"k\"]i64 {
              let (zs_12: [k_6]i64) = replicate [k_6] 0i64
              in (zs_12)
            }"
        .parse()
        .unwrap();
        let f = program.fun("f").unwrap();
        for over in [vec![1], vec![1, 2], vec![2]] {
            let (mapped, name) = mapped(&program, f, &over).unwrap();
            assert_eq!(errors(&mapped), [], "{mapped}");
            let g = mapped.entry(name.as_str()).unwrap();
            assert_eq!((g.params.len(), g.results.len()), (4, 2));
            assert!(consumes_nothing(g));
            assert!(g.results.iter().zip(&f.results).all(|(g, f)| g.binder.ty.rank() == f.binder.ty.rank() + 1));
        }
        // its result has another size at each element, also beside one that has not
        let text = "futi-ir 1\nfun \"h\"(k_6: i64, xs_7: [k_6]f64, s_8: f64) -> (r_10: f64) { in (s_8) }
            fun \"i\"(k_16: i64, l_17: i64) -> (r_18: [k_16]i64, r_19: [l_17]i64) {
              let (zs_14: [k_16]i64) = replicate [k_16] 0i64 let (zs_15: [l_17]i64) = replicate [l_17] 0i64 in (zs_14, zs_15)
            }";
        let others: Program = text.parse().unwrap();
        assert!(mapped(&others, others.fun("i").unwrap(), &[1]).is_none());
        let (h, name) = mapped(&others, others.fun("h").unwrap(), &[2]).unwrap();
        assert_eq!(
            (errors(&h), h.fun(name.as_str()).and_then(|f| Some(f.entry.as_ref()?.sizes))),
            (Vec::new(), Some(1))
        );
        assert!(mapped(&program, program.fun("g").unwrap(), &[0]).is_none());
    }
}
