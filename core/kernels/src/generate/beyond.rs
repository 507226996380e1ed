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

#[cfg(test)]
mod tests {
    use super::super::lower;
    use crate::host::options::MemoryOptions;

    /// What cannot be compiled of this body of an entry point that is given a number.
    fn beyond(body: &str) -> Vec<(String, String)> {
        let text = format!("futi-ir 1 entry \"main\"(n_0: i64) -> (r_1: i64) sig 0 (\"n\": i64) -> i64 {body}");
        let errors = lower(&text.parse().unwrap(), &MemoryOptions::default()).err().unwrap_or_default();
        errors.into_iter().map(|e| (e.construct, e.missing)).collect()
    }

    #[test]
    fn what_no_kernel_can_do_is_told_wherever_it_stands() {
        let told = vec![("match".to_string(), "a kernel for it".to_string())];
        let choice = "{ let (m_2: i64) = match (n_0) case (1i64) { in (2i64) } else { in (3i64) } in (m_2) }";
        assert_eq!(beyond(choice), told);
        let inside = format!(
            "{{ let (c_3: bool) = lt.i64(n_0, 5i64) let (m_4: i64) = if c_3 then {choice} else {{ in (n_0) }} in (m_4) }}"
        );
        assert_eq!(beyond(&inside), told);
        assert_eq!(beyond("{ in (n_0) }"), vec![]);
    }
}
