//! What arrays rely on, which is what whoever asks for their sizes relies on (Note [Sizes that are asked for]).

use crate::hash::{HashMap, HashSet};
use crate::ir::build::Vars;
use crate::ir::visit::{Visit, any_exp, free_vars, walk_exp};
use crate::ir::*;

/// Where arrays come from, in a program that asks.
#[derive(Default)]
pub(super) struct Made {
    /// Whether it does.
    asks: bool,
    /// Arrays that are there wherever they are in scope: parameters of an entry point, or of a λ.
    there: HashSet<Var>,
    /// Of others, the arrays that they are made of, and the certificates that this relies on.
    makers: HashMap<Var, (Vec<Var>, Vec<Var>)>,
    /// What certificates that an array has been made stand for.
    instead: HashMap<Var, Vec<Var>>,
}

impl Made {
    pub fn of(program: &Program) -> Made {
        Made { asks: any_exp(program, |e| matches!(e, Exp::Check(Check::Made(_)))), ..Made::default() }
    }

    pub fn are_there<'a>(&mut self, params: impl Iterator<Item = &'a Binder>) {
        if self.asks {
            self.there.extend(params.map(|b| b.var));
        }
    }

    /// Remembers what the results of a statement are made of, unless code in it decides whether they are made at all.
    pub fn record(&mut self, stm: &Stm, vars: &Vars) {
        if !self.asks || stm.pat.iter().all(|b| b.ty.rank() == 0) || decides(&stm.exp) {
            return;
        }
        let (arrays, others): (Vec<Var>, Vec<Var>) =
            free_vars(&stm.exp).into_iter().partition(|v| vars.ty(*v).rank() > 0);
        let inside = others.into_iter().filter(|v| *vars.ty(*v) == Type::Cert);
        let certs: Vec<Var> = stm.certs.iter().copied().chain(inside).collect();
        for b in &stm.pat {
            self.makers.insert(b.var, (arrays.clone(), certs.clone()));
        }
    }

    /// The certificates that an array relies on; `None` if that is not known.
    pub fn relies(&self, array: Var) -> Option<Vec<Var>> {
        let (mut certs, mut seen, mut todo) = (Vec::new(), HashSet::default(), vec![array]);
        while let Some(v) = todo.pop() {
            if !seen.insert(v) || self.there.contains(&v) {
                continue;
            }
            let (arrays, own) = self.makers.get(&v)?;
            todo.extend(arrays);
            certs.extend(own);
        }
        Some(certs)
    }

    /// A certificate that the array has been made stands for all that the array relies on, where that is known.
    pub fn resolve(&mut self, cert: Var, array: Var) {
        if let Some(certs) = self.relies(array) {
            self.instead.insert(cert, certs);
        }
    }

    /// Puts what certificates stand for in their places.
    pub fn expand(&self, certs: &mut Vec<Var>) {
        for c in std::mem::take(certs) {
            match self.instead.get(&c) {
                Some(others) => certs.extend(others),
                None => certs.push(c),
            }
        }
    }
}

/// Whether code in the expression may fail, but for what concerns single elements: of these the size says nothing.
fn decides(exp: &Exp) -> bool {
    struct Decides(bool);
    impl Visit for Decides {
        fn exp(&mut self, e: &Exp) {
            self.0 |= match e {
                Exp::Check(check) => !check.is_of_elements(),
                e => matches!(e, Exp::Apply { .. }),
            };
            walk_exp(self, e);
        }
    }
    let mut decides = Decides(false);
    decides.exp(exp);
    decides.0
}
