//! What may fail.

use crate::ir::visit::{Visit, walk_exp};
use crate::ir::*;

/// Whether a function has a check, or calls a function, which may have one.
pub fn may_fail(lambda: &Lambda) -> bool {
    struct Checks(bool);
    impl Visit for Checks {
        fn exp(&mut self, e: &Exp) {
            self.0 |= matches!(e, Exp::Check(_) | Exp::Apply { .. });
            walk_exp(self, e);
        }
    }
    let mut checks = Checks(false);
    checks.lambda(lambda);
    checks.0
}
