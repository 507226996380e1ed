//! Automatic differentiation by transformation: [`differentiate`] replaces every `vjp` and `jvp` by plain code, the innermost first, so that a
//! derivative of a derivative is the derivative of plain code.
//!
//! * `fwd`: tangents interleaved with the primal code (Schenck et al. §3; digest 002 §1A.4).
//! * `rev`: reverse mode without a tape, by redundant execution (Schenck et al. §4–5, Bruun & Larsen; digest 002 §1A.5–1A.18, 000 §1.4–1.7).
//! * `activity`: which variables depend on what the derivative is taken with respect to.
//! * `split`: puts SOACs into the shapes that the rules of reverse mode know.
//! * `custom`: functions with derivatives of their own, when all is done.
//! * `seed`: building blocks over the seed shape.
//!
//! The interpreter knows none of this; it is what the results are held against. The table of scalar partials is shared ([`Prim::partial`]).

// Note [Seed shape]
// ~~~~~~~~~~~~~~~~~
// Every tangent and adjoint of a value of type t has type `seed ++ t`, where the seed shape is the [`Ad::seed_shape`]: a derivative in many
// directions at once over one primal evaluation. A scalar rule becomes a map over the seed; what maps over the dimension that follows the seed
// first moves that dimension outermost.

mod activity;
mod custom;
mod fwd;
mod rev;
mod seed;
mod split;
#[cfg(test)]
mod tests;

use crate::backend::Unsupported;
use crate::ir::build::{Builder, Vars};
use crate::ir::visit::{Visit, VisitMut, walk_exp_mut, walk_fun_mut, walk_stm};
use crate::ir::*;

/// The constructs that have no derivative rule, at most one for each application of `vjp` or `jvp`, and where they come from.
#[derive(Clone, PartialEq, Debug)]
pub struct Errors {
    /// What each is, why it has no rule, and its place.
    pub constructs: Vec<Unsupported>,
    /// What the places refer to.
    pub prov: ProvTable,
}

type Res<T> = Result<T, Unsupported>;

fn unsupported<T>(construct: &str, missing: &str, prov: Prov) -> Res<T> {
    Err(Unsupported { construct: construct.into(), missing: missing.into(), prov })
}

/// Replaces every `vjp` and `jvp` by the code of the derivative, and every function with derivatives of its own, which then nobody differentiates, by
/// the function.
///
/// Calls inside of what is differentiated must have been inlined ([`crate::passes::inline`]); what is left of them is recursive and has no rule.
///
/// # Errors
/// The constructs that have no rule.
pub fn differentiate(program: Program) -> Result<Program, Errors> {
    let mut vars = Vars::of(&program);
    let Program { mut funs, mut prov } = program;
    let mut expand = Expand { vars: &mut vars, prov: &mut prov, errors: Vec::new() };
    funs.iter_mut().for_each(|f| walk_fun_mut(&mut expand, f));
    let constructs = expand.errors;
    if !constructs.is_empty() {
        return Err(Errors { constructs, prov });
    }
    custom::apply(&mut funs, &mut vars);
    Ok(Program { funs, prov })
}

struct Expand<'a> {
    vars: &'a mut Vars,
    prov: &'a mut ProvTable,
    errors: Vec<Unsupported>,
}

impl VisitMut for Expand<'_> {
    fn body(&mut self, body: &mut Body) {
        for mut stm in std::mem::take(&mut body.stms) {
            walk_exp_mut(self, &mut stm.exp);
            let errors = self.errors.len();
            let no_rule = match &stm.exp {
                Exp::Jvp(ad) | Exp::Vjp(ad) => without_rule(&ad.lambda),
                _ => None,
            };
            let result = match &stm.exp {
                _ if no_rule.is_some() => no_rule.map_or(Ok(Vec::new()), Err),
                Exp::Jvp(ad) => fwd::jvp(self.vars, self.prov, &stm, ad),
                Exp::Vjp(ad) => rev::vjp(self.vars, self.prov, &stm, ad),
                _ => {
                    body.stms.push(stm);
                    continue;
                }
            };
            match result {
                Ok(stms) => body.stms.extend(stms),
                Err(e) if self.errors.len() == errors => self.errors.push(e),
                Err(_) => {}
            }
        }
    }
}

/// The first construct in a lambda that has no rule.
fn without_rule(lambda: &Lambda) -> Option<Unsupported> {
    struct Find(Option<Unsupported>);
    impl Visit for Find {
        fn stm(&mut self, stm: &Stm) {
            let construct = match &stm.exp {
                Exp::Slice { .. } | Exp::UpdateSlice { .. } => "a slice",
                Exp::FlatIndex { .. } | Exp::FlatUpdate { .. } => "a view by strides",
                Exp::Manifest { .. } => "manifest",
                Exp::Rotate { .. } => "rotate",
                Exp::Opaque(_) => "opaque",
                Exp::Match { .. } => "match",
                Exp::Screma(s) if s.post.is_some() => "a function after scans",
                Exp::Hist(_) => "a histogram",
                Exp::Scatter(_) => "a scatter",
                Exp::Stream(_) => "a stream",
                Exp::FlatMap(_) => "flatmap",
                Exp::Custom(_) => "a custom derivative",
                _ => return walk_stm(self, stm),
            };
            let missing = "the transformation has no rule for it".into();
            self.0.get_or_insert(Unsupported { construct: construct.into(), missing, prov: stm.prov });
        }
    }
    let mut find = Find(None);
    find.lambda(lambda);
    find.0
}

/// Binds the parameters of a differentiated function to its arguments. Not a substitution: two parameters may have one argument, and their
/// derivatives are two.
fn bind_params(b: &mut Builder, params: &[Binder], args: &[SubExp]) {
    for (p, arg) in params.iter().zip(args) {
        b.bind(vec![p.clone()], Exp::SubExp(*arg));
    }
}

/// Whether the partial is zero wherever it is taken.
fn is_zero(partial: &crate::prim::Partial) -> bool {
    use crate::prim::Partial;
    match partial {
        Partial::Zero => true,
        Partial::If(_, yes, no) => is_zero(yes) && is_zero(no),
        _ => false,
    }
}

/// Whether both partials of the operator pass tangents on as they are: `+`, and `||` on booleans.
fn is_sum(op: Prim) -> bool {
    op.signature().is_some_and(|(params, _)| params.len() == 2)
        && (0..2).all(|i| matches!(op.partial(i), crate::prim::Partial::Pass))
}

/// Attributes that the code of a derivative keeps (DESIGN.md §3, Provenance).
fn kept_attrs(attrs: &[Attr]) -> Vec<Attr> {
    let kept = |a: &&Attr| {
        let name = a.name.as_str();
        name == "unsafe" || name.contains("flattening") || name.starts_with("sequential")
    };
    attrs.iter().filter(kept).cloned().collect()
}
