//! Automatic differentiation by transformation: [`differentiate`] replaces every `vjp` and `jvp` by plain code, the innermost first, so that a
//! derivative of a derivative is the derivative of plain code.
//!
//! * `fwd`: tangents interleaved with the primal code (Schenck et al. §3; digest 002 §1A.4).
//! * `rev`: reverse mode without a tape, by redundant execution (Schenck et al. §4–5, Bruun & Larsen; digest 002 §1A.5–1A.18, 000 §1.4–1.7).
//! * `activity`: which variables depend on what the derivative is taken with respect to.
//! * `plain`: says with other constructs what needs no rule of its own.
//! * `split`: puts SOACs into the shapes that the rules of reverse mode know.
//! * `call`: recursive functions, each derivative a function of its own.
//! * `checkpoints`: what reverse mode may keep of loops, and what it keeps.
//! * `custom`: functions with derivatives of their own, when all is done.
//! * `entry`: derivatives of entry points as entry points.
//! * `seed`: building blocks over the seed shape; `sort`: a radix sort.
//!
//! The interpreter knows none of this; it is what the results are held against. The table of scalar partials is shared ([`Prim::partial`]).

// Note [Seed shape]
// ~~~~~~~~~~~~~~~~~
// Every tangent and adjoint of a value of type t has type `seed ++ t`, where the seed shape is the [`Ad::seed_shape`]: a derivative in many
// directions at once over one primal evaluation. A scalar rule becomes a map over the seed; what maps over the dimension that follows the seed
// first moves that dimension outermost.

mod activity;
mod bins;
mod call;
pub mod checkpoints;
mod collected;
mod custom;
mod distinct;
pub mod entry;
mod fwd;
mod plain;
mod rev;
mod seed;
mod sort;
mod split;
#[cfg(test)]
mod tests;

use crate::backend::Unsupported;
use crate::ir::build::{Builder, Vars, bind_params, fresh_pattern, in_type};
use crate::ir::rename::renamed;
use crate::ir::visit::{VisitMut, statements_in, walk_exp_mut, walk_fun_mut};
use crate::ir::*;
use crate::simplify::dce::sweep_body;
use call::Shared;
use checkpoints::{Options, Report};
use distinct::Distinct;

pub use crate::backend::Errors;

type Res<T> = Result<T, Unsupported>;

fn unsupported<T>(construct: &str, missing: &str, prov: Prov) -> Res<T> {
    Err(Unsupported { construct: construct.into(), missing: missing.into(), prov })
}

/// Replaces every `vjp` and `jvp` by the code of the derivative, and every function with derivatives of its own, which then nobody differentiates, by
/// the function.
///
/// Calls inside of what is differentiated should have been inlined ([`crate::passes::inline`]): each function that is still called gets functions for its
/// derivatives.
///
/// # Errors
/// The constructs that have no rule.
pub fn differentiate(program: Program) -> Result<Program, Errors> {
    differentiate_with(program, Options::default()).map(|(program, _)| program)
}

/// [`differentiate`], and what is kept of each loop that reverse mode goes through.
///
/// # Errors
/// The constructs that have no rule.
pub fn differentiate_with(program: Program, options: Options) -> Result<(Program, Vec<Report>), Errors> {
    let mut vars = Vars::of(&program);
    let Program { mut funs, mut prov } = program;
    let mut shared = Shared::new(&funs, &mut prov, options);
    let mut expand = Expand { vars: &mut vars, shared: &mut shared, errors: Vec::new(), depth: 0, taken: 0 };
    funs.iter_mut().for_each(|f| walk_fun_mut(&mut expand, f));
    let constructs = expand.errors;
    let Shared { made, reports, .. } = shared;
    funs.extend(made);
    if !constructs.is_empty() {
        return Err(Errors { constructs, prov });
    }
    custom::apply(&mut funs, &mut vars);
    Ok((Program { funs, prov }, reports))
}

struct Expand<'a, 'p> {
    vars: &'a mut Vars,
    shared: &'a mut Shared<'p>,
    errors: Vec<Unsupported>,
    /// In how many functions that are differentiated themselves.
    depth: usize,
    /// How many derivatives have been taken.
    taken: usize,
}

impl VisitMut for Expand<'_, '_> {
    fn body(&mut self, body: &mut Body) {
        for mut stm in body.take_stms() {
            let differentiates = usize::from(matches!(stm.exp, Exp::Jvp(_) | Exp::Vjp(_)));
            let (errors, taken) = (self.errors.len(), self.taken);
            self.depth += differentiates;
            walk_exp_mut(self, &mut stm.exp);
            self.depth -= differentiates;
            self.shared.nested = self.depth > 0;
            if let Exp::Jvp(ad) | Exp::Vjp(ad) = &mut stm.exp
                && self.taken > taken
            {
                // the next derivative would differentiate all of the code, also what nobody needs of the one inside
                sweep_body(&mut ad.lambda.body);
            }
            self.taken += differentiates;
            let result = match &stm.exp {
                // what has no derivative inside has none from outside: it is said once
                _ if self.errors.len() > errors => continue,
                Exp::Jvp(ad) => fwd::jvp(self.vars, self.shared, &stm, ad),
                Exp::Vjp(ad) => rev::vjp(self.vars, self.shared, &stm, ad),
                _ => {
                    self.shared.distinct.note(&stm);
                    body.stms.push(stm);
                    continue;
                }
            };
            let most = self.shared.options.statements();
            match result {
                Ok(stms) if stms.iter().map(statements_in).sum::<u64>() > most => {
                    let missing = format!("its code would have more than {most} statements");
                    self.errors.push(Unsupported { construct: "this derivative".into(), missing, prov: stm.prov });
                }
                Ok(stms) => {
                    stms.iter().for_each(|stm| self.shared.distinct.note(stm));
                    body.stms.extend(stms);
                }
                Err(e) => self.errors.push(e),
            }
        }
    }
}

/// A body in which what `f` adds stands for each statement, the inner bodies of which come first.
fn rewritten(vars: &mut Vars, body: &Body, f: &mut dyn FnMut(&mut Builder, Stm)) -> Body {
    struct Rewrite<'a>(&'a mut Vars, &'a mut dyn FnMut(&mut Builder, Stm));
    impl VisitMut for Rewrite<'_> {
        fn body(&mut self, body: &mut Body) {
            for mut stm in body.take_stms() {
                walk_exp_mut(self, &mut stm.exp);
                let mut b = Builder::new(self.0, stm.prov);
                (self.1)(&mut b, stm);
                body.stms.extend(b.stms);
            }
        }
    }
    let mut body = body.clone();
    Rewrite(vars, f).body(&mut body);
    body
}

/// The results of a λ applied, with fresh binders.
fn called(b: &mut Builder, lambda: &Lambda, args: &[SubExp]) -> Vec<SubExp> {
    let lambda = renamed(lambda, b.vars);
    let (certs, attrs) = (std::mem::take(&mut b.certs), std::mem::take(&mut b.attrs));
    bind_params(b, &lambda.params, args);
    (b.certs, b.attrs) = (certs, attrs);
    b.splice(lambda.body)
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
    // mutant negation: the operators of well-formed programs have a signature
    op.signature().is_some_and(|(params, _)| params.len() == 2)
        // mutant off by one: an operator of two operands that passes the second one's tangent on (+, ||, exclusive or) has that partial by each
        //   operand, whichever its number
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
