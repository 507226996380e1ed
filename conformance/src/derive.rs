//! Derivatives of entry points, as programs: for an entry point `f` with float parameters x, other parameters n, and float results y, the functions
//!
//! ```text
//! jvp: n x ẋ -> (y, J ẋ)        vjp: n x ȳ -> (y, Jᵀ ȳ)
//! ```
//!
//! Each is a new entry point whose body is one `jvp` or `vjp` of a lambda that calls `f`. A result of `f` with an existential size gets a size
//! parameter: the caller knows the size from the results of `f`.

use crate::applies::Floats;
use futi_core::hash::HashMap;
use futi_core::ir::build::{Builder, Vars, substitute_type};
use futi_core::ir::*;

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
    /// float results of the original, then the tangents of these, or the adjoints of the float parameters.
    pub entry: Name,
    /// How many leading results of the original are sizes that the new one takes as parameters.
    pub sizes: usize,
}

/// The derivative of an entry point in its floats.
pub fn derivative(program: &Program, fun: &Fun, floats: &Floats, mode: Mode) -> Derivative {
    let mut program = program.clone();
    for f in &mut program.funs {
        f.entry = None;
    }
    let name = (0..).map(|i| format!("{}_{}{}", fun.name, mode.name(), "_".repeat(i)));
    let name = name.into_iter().find(|n| program.fun(n).is_none()).unwrap_or_default();
    let mut vars = Vars::of(&program);
    let (new, sizes) = Wrapper { fun, floats, mode, vars: &mut vars }.build(name.as_str().into());
    program.funs.push(new);
    Derivative { program, entry: name.as_str().into(), sizes }
}

struct Wrapper<'a> {
    fun: &'a Fun,
    floats: &'a Floats,
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
        let result_types: Vec<Type> =
            self.floats.results.iter().map(|i| substitute_type(&results[*i].ty, &subst)).collect();
        let param_types: Vec<Type> = self.floats.params.iter().map(|i| params[*i].ty.clone()).collect();
        let (seed_types, derived_types) = match self.mode {
            Mode::Forward => (&param_types, &result_types),
            Mode::Reverse => (&result_types, &param_types),
        };
        let seeds: Vec<Binder> = seed_types.iter().map(|t| self.vars.fresh("seed", t.clone())).collect();
        let out = result_types.iter().map(|t| ("y", t)).chain(derived_types.iter().map(|t| ("d", t)));
        let binders: Vec<(Binder, Binder)> =
            out.map(|(n, t)| (self.vars.fresh(n, t.clone()), self.vars.fresh(n, t.clone()))).collect();

        let lambda = self.lambda(&params, &size_params, &result_types);
        let operands = |bs: &[Binder]| bs.iter().map(|b| b.var.into()).collect::<Vec<SubExp>>();
        let args: Vec<SubExp> = self.floats.params.iter().map(|i| params[*i].var.into()).collect();
        let ad = Ad { lambda, args, seeds: operands(&seeds), seed_shape: Vec::new() };
        let mut b = Builder::new(self.vars, Prov::UNKNOWN);
        let exp = if self.mode == Mode::Forward { Exp::Jvp(ad) } else { Exp::Vjp(ad) };
        b.bind(binders.iter().map(|(pat, _)| pat.clone()).collect(), exp);
        let body = Body { stms: b.stms, result: binders.iter().map(|(pat, _)| pat.var.into()).collect() };

        let original = self.fun.entry.clone();
        let mut sig_params = original.as_ref().map_or(Vec::new(), |sig| sig.params.clone());
        let extra = size_params.iter().chain(&seeds);
        sig_params.extend(extra.map(|b| EntryParam { name: b.name.clone(), ty: source_type(&b.ty) }));
        let result = EntryType::Tuple(binders.iter().map(|(_, b)| source_type(&b.ty)).collect());
        let entry = EntrySig { sizes: original.map_or(0, |sig| sig.sizes), params: sig_params, result };
        let all = params.into_iter().chain(size_params).chain(seeds);
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
        let (fun, floats) = (self.fun, self.floats);
        let mut b = Builder::new(self.vars, Prov::UNKNOWN);
        let names: Vec<(&str, Type)> = floats.params.iter().map(|i| ("x", params[*i].ty.clone())).collect();
        b.lambda(&names, |b, xs| {
            let mut args: Vec<SubExp> = params.iter().map(|p| p.var.into()).collect();
            floats.params.iter().zip(xs).for_each(|(i, x)| args[*i] = (*x).into());
            for (arg, param) in args.iter_mut().zip(&fun.params) {
                // the original may consume it
                if let (true, SubExp::Var(v), Type::Array(..)) = (param.unique, *arg, &param.binder.ty) {
                    *arg = b.let_one("copy", Exp::Copy(v)).into();
                }
            }
            let mut subst: HashMap<Var, SubExp> =
                fun.params.iter().zip(&args).map(|(p, arg)| (p.binder.var, *arg)).collect();
            let mut pat = Vec::new();
            for r in &fun.results {
                let fresh = b.vars.fresh(r.binder.name.clone(), substitute_type(&r.binder.ty, &subst));
                subst.insert(r.binder.var, fresh.var.into());
                pat.push(fresh);
            }
            b.bind(pat.clone(), Exp::Apply { fun: fun.name.clone(), args });
            let expected: Vec<Dim> = sizes.iter().map(|s| s.var.into()).collect();
            let actual: Vec<Dim> = pat[..sizes.len()].iter().map(|s| s.var.into()).collect();
            if !sizes.is_empty() {
                b.certs = vec![b.let_one("same", Exp::Check(Check::SizeEq { actual, expected }))];
            }
            let results = floats.results.iter().zip(result_types).map(|(i, want)| match want {
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
    use crate::applies::floats;
    use futi_core::ir::check::errors;

    const PROGRAM: &str = "futi-ir 1
        fun \"g\"(x_0: f64) -> (r_1: f64) { let (y_2: f64) = sin.f64(x_0) in (y_2) }
        entry \"f\"(n_3: i64, *xs_4: [n_3]f64, k_5: i64, a_6: f32) -> (m_7: i64, *r_8: [m_7]f64, c_9: i64, s_10: f32)
          sig 1 (\"xs\": [\"n\"]f64, \"k\": i64, \"a\": f32) -> ([\"\"]f64, i64, f32) {
          let (y_11: f64) = call \"g\"(1.0f64)
          let (zs_12: [k_5]f64) = replicate [k_5] y_11
          in (k_5, zs_12, n_3, a_6)
        }";

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
            let text = d.program.to_string();
            assert_eq!(text.parse::<Program>().unwrap(), d.program);
        }
    }
}
