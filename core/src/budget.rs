//! How much compiling a program may make.

use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

// Note [Running out]
// ~~~~~~~~~~~~~~~~~~
// A program of a hundred bytes can ask for more than any memory holds: a pair of pairs of pairs, a function that calls another one twice which calls another
// one twice. So whoever makes what a program can multiply (types, checked expressions, modules, statements, values of lowering) takes it from the budget of the
// compilation, before anybody goes over it. Where nothing is left, nothing more is made at all: `Budget::take` unwinds to `within`, which gives the
// diagnostic. It is no panic, as no hook is called, and what has been made so far goes.

/// What a compilation may still make, in nodes: of types, expressions, statements and values, each weighed by what it takes. See Note [Running out].
#[derive(Clone, Debug)]
pub struct Budget {
    limit: u64,
    left: u64,
}

/// The nodes that an expression which is checked or lowered, or a statement that is made, counts for.
pub const HEAVY: u64 = 8;

/// The nodes that a copy of a module counts for, and one that is checked again: names, types and definitions of its own.
pub const MODULE: u64 = 512;

/// One value or type may have no more than this part of the nodes: whatever is made of it, is made several times.
const PART: u64 = 64;

impl Default for Budget {
    fn default() -> Budget {
        Budget::new(Budget::DEFAULT)
    }
}

impl Budget {
    /// What a compilation may make if nobody says otherwise: some seconds' work, and less than a gigabyte.
    pub const DEFAULT: u64 = 1 << 24;

    /// A budget of so many nodes.
    pub fn new(limit: u64) -> Budget {
        Budget { limit, left: limit }
    }

    /// The same, with nothing taken yet.
    pub fn renewed(&self) -> Budget {
        Budget::new(self.limit)
    }

    /// The most nodes that one type or value may have. Whoever counts them need count no further.
    pub fn most(&self) -> u64 {
        (self.limit / PART).min(self.left)
    }

    /// Takes so many nodes, for what stands there; `what` of the program grows. Where they are not left, nothing after it is executed.
    pub fn take(&mut self, nodes: u64, what: &str, at: Span) {
        match self.left.checked_sub(nodes) {
            Some(left) => self.left = left,
            None => run_out(exceeded(self.limit, "compiling it may make", what, at)),
        }
    }

    /// Takes the nodes of one type or value.
    pub fn take_whole(&mut self, nodes: u64, what: &str, at: Span) {
        if nodes > self.limit / PART {
            run_out(exceeded(self.limit / PART, "one of them may have", what, at));
        }
        self.take(nodes, what, at);
    }
}

/// What is said of a program of which `what` grows beyond so many nodes, those that `who`.
fn exceeded(limit: u64, who: &str, what: &str, at: Span) -> Diagnostic {
    let message = format!("The program grows too large: {what} would take more than the {limit} nodes that {who}.");
    let d = Diagnostic::error(Code::TooLarge, at, message).here("this is where it got too large");
    d.note("Something is used twice that uses something else twice, and so on. `--nodes N` allows for more.")
}

fn run_out(said: Diagnostic) -> ! {
    resume_unwind(Box::new(Exceeded(said)))
}

/// Carries the diagnostic from [`Budget::take`] to [`within`].
struct Exceeded(Diagnostic);

/// What `f` makes, unless the budget that it takes from does not suffice.
///
/// # Errors
/// What has grown beyond the budget, and where.
pub fn within<T>(f: impl FnOnce() -> T) -> Result<T, Box<Diagnostic>> {
    // what `f` has changed nobody sees, as its result is lost
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| match payload.downcast::<Exceeded>() {
        Ok(exceeded) => Box::new(exceeded.0),
        Err(panic) => resume_unwind(panic),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_not_there_any_more() {
        let run = |nodes: &[u64]| {
            within(|| {
                let mut budget = Budget::new(100);
                nodes.iter().for_each(|n| budget.take(*n, "this", Span::default()));
                budget.left
            })
        };
        assert_eq!(run(&[60, 40]), Ok(0));
        let said = run(&[60, 41]).unwrap_err();
        assert_eq!(said.code, Code::TooLarge);
        assert!(said.message.contains("this would take more than the 100 nodes"), "{}", said.message);
    }

    #[test]
    fn one_thing_may_be_a_part_only() {
        let run = |nodes| within(|| Budget::new(640).take_whole(nodes, "this", Span::default()));
        assert_eq!(run(10), Ok(()));
        let said = run(11).unwrap_err().message;
        assert!(said.contains("the 10 nodes that one of them may have"), "{said}");
    }

    #[test]
    #[should_panic(expected = "a defect")]
    fn panics_go_on() {
        let _ = within(|| panic!("a defect"));
    }
}
