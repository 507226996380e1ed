//! What no kernel can do: constructs of the IR that the backend does not compile, found before anything is planned.

use futi_core::backend::Unsupported;
use futi_core::ir::visit::{Visit, walk_fun, walk_stm};
use futi_core::ir::{Exp, Program, Prov, Stm, StreamForm};

/// All of them, each with its place.
pub(super) fn beyond(program: &Program) -> Vec<Unsupported> {
    let mut find = Find(Vec::new());
    program.funs.iter().filter(|f| f.entry.is_some()).for_each(|f| walk_fun(&mut find, f));
    find.0
}

struct Find(Vec<Unsupported>);

impl Find {
    fn add(&mut self, construct: &str, prov: Prov) {
        let missing = "a kernel for it".into();
        self.0.push(Unsupported { construct: construct.into(), missing, prov });
    }
}

impl Visit for Find {
    fn stm(&mut self, stm: &Stm) {
        let construct = match &stm.exp {
            Exp::Match { .. } => Some("match"),
            Exp::Stream(s) => Some(if matches!(s.form, StreamForm::Seq(_)) { "streamseq" } else { "streampar" }),
            Exp::FlatMap(_) => Some("flatmap"),
            Exp::Custom(_) => Some("a custom derivative"),
            _ => None,
        };
        if let Some(construct) = construct {
            self.add(construct, stm.prov);
        }
        walk_stm(self, stm);
    }
}
