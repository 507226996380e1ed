//! What the invocations of a group have read and written since they last waited for each other, and where they have to wait.

use crate::ir::Array;

/// Which elements an invocation touches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum By {
    /// Those of its number, modulo the size of the group: nobody else touches them so.
    Number,
    /// Any, by the first invocation alone.
    First,
    /// Any.
    Any,
}

/// An array of the group is read or written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Access {
    pub array: Array,
    pub writes: bool,
    pub by: By,
}

impl Access {
    /// Whether a barrier must be between both.
    fn meets(&self, other: &Access) -> bool {
        let alike = self.by == other.by && self.by != By::Any;
        self.array == other.array && (self.writes || other.writes) && !alike
    }
}

/// What happened since the last barrier, as far as the code is made.
#[derive(Default)]
pub(super) struct Order {
    pending: Vec<Access>,
    /// The loops around.
    loops: Vec<Round>,
}

/// A round of a loop.
struct Round {
    /// What was pending before the loop.
    before: Vec<Access>,
    /// What happens in a round before its first barrier.
    first: Vec<Access>,
    /// Whether there was none yet.
    open: bool,
    /// Whether the loop is known to have a round.
    runs: bool,
}

impl Order {
    /// Records what happens next; whether there must be a barrier before it.
    pub fn touch(&mut self, next: &[Access]) -> bool {
        let waits = next.iter().any(|a| self.pending.iter().any(|b| a.meets(b)));
        if waits {
            self.waited();
        }
        self.pending.extend_from_slice(next);
        // what is behind a barrier of a round is so in all rounds around it
        let open = self.loops.iter_mut().rev().take_while(|round| round.open);
        open.for_each(|round| round.first.extend_from_slice(next));
        waits
    }

    /// There is a barrier. A loop inside of another may have no rounds: then what comes behind it is not behind its barriers.
    pub fn waited(&mut self) {
        self.pending.clear();
        self.close();
    }

    /// What comes next in the innermost round is behind a barrier of it.
    fn close(&mut self) {
        self.loops.last_mut().into_iter().for_each(|round| round.open = false);
    }

    /// The code of a loop's rounds begins; whether it is known to have one.
    pub fn enter(&mut self, runs: bool) {
        self.loops.push(Round { before: self.pending.clone(), first: Vec::new(), open: true, runs });
    }

    /// It ends; whether there must be a barrier before the next round. In that other parts of `apart` are touched.
    pub fn leave(&mut self, apart: &[Array]) -> bool {
        let Some(round) = self.loops.pop() else { return false };
        let again = round.first.iter().filter(|a| !apart.contains(&a.array));
        let waits = again.into_iter().any(|a| self.pending.iter().any(|b| a.meets(b)));
        if waits {
            self.pending.clear();
        }
        if !round.runs {
            self.pending.extend(round.before);
        } else if waits || !round.open {
            self.close();
        }
        waits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Shared;

    const A: Array = Array::Shared(Shared(0));
    const B: Array = Array::Shared(Shared(1));

    fn read(array: Array, by: By) -> Access {
        Access { array, writes: false, by }
    }

    fn write(array: Array, by: By) -> Access {
        Access { array, writes: true, by }
    }

    #[test]
    fn what_others_have_written_is_read_behind_a_barrier() {
        let mut order = Order::default();
        assert!(!order.touch(&[write(A, By::Number)]));
        assert!(!order.touch(&[read(A, By::Number), read(B, By::Any)]));
        assert!(order.touch(&[read(A, By::Any)]));
        assert!(!order.touch(&[read(A, By::Any)]));
        // and so is it written again
        assert!(order.touch(&[write(A, By::Number)]));
        assert!(!order.touch(&[write(A, By::Number)]));
    }

    #[test]
    fn one_invocation_waits_for_itself_no_more_than_it_must() {
        let mut order = Order::default();
        order.enter(false);
        assert!(!order.touch(&[write(A, By::First)]));
        assert!(!order.leave(&[]));
        assert!(!order.touch(&[write(A, By::First), read(A, By::First)]));
        assert!(order.touch(&[read(A, By::Number)]));
        assert!(order.touch(&[write(A, By::First)]));
        assert!(order.touch(&[write(A, By::Any)]));
    }

    #[test]
    fn rounds_wait_if_the_next_one_meets_what_they_have_left() {
        let mut order = Order::default();
        // each invocation its elements: nobody waits
        order.enter(false);
        order.touch(&[read(A, By::Number), write(B, By::Number)]);
        order.touch(&[read(B, By::Number), write(A, By::Number)]);
        assert!(!order.leave(&[]));
        // what is read of others is written at the end, and read again in the next round
        order.enter(false);
        assert!(order.touch(&[read(A, By::Any), write(B, By::Number)]));
        assert!(order.touch(&[read(B, By::Number), write(A, By::Number)]));
        // the first barrier of a round orders it with the one before
        assert!(!order.leave(&[]));
        // without one before it there is one at the end
        order.waited();
        order.enter(false);
        order.touch(&[read(A, By::Any)]);
        assert!(order.touch(&[write(A, By::Number)]));
        assert!(order.leave(&[]));
        assert!(!order.touch(&[write(B, By::Any)]));
    }

    #[test]
    fn loops_may_have_no_rounds() {
        let mut order = Order::default();
        order.touch(&[write(A, By::Number)]);
        order.enter(false);
        assert!(order.touch(&[read(A, By::Any)]));
        order.leave(&[]);
        // if there was none, nobody has waited
        assert!(order.touch(&[read(A, By::Any)]));
        // nor has a round that goes through such a loop
        order.enter(false);
        order.enter(false);
        order.waited();
        // whoever comes here has waited
        order.touch(&[read(A, By::Any)]);
        order.leave(&[]);
        order.touch(&[read(B, By::Any)]);
        assert!(order.touch(&[write(B, By::Number)]));
        order.touch(&[write(A, By::Number)]);
        assert!(order.leave(&[]));
        // of `A` there is nothing to be ordered with
        order.waited();
        order.enter(false);
        order.enter(false);
        order.waited();
        order.touch(&[read(A, By::Any)]);
        order.leave(&[]);
        assert!(order.touch(&[write(A, By::Number)]));
        assert!(!order.leave(&[]));
    }

    #[test]
    fn what_is_behind_a_loop_that_has_a_round_is_behind_its_barriers() {
        let mut order = Order::default();
        order.touch(&[write(A, By::Number)]);
        order.enter(true);
        assert!(order.touch(&[read(A, By::Any)]));
        assert!(!order.leave(&[]));
        assert!(!order.touch(&[read(A, By::Any)]));
        // so it is with the barrier at the end of each round, and in rounds around it
        order.waited();
        order.enter(true);
        order.enter(true);
        order.touch(&[read(A, By::Any)]);
        assert!(order.touch(&[write(A, By::Number)]));
        assert!(order.leave(&[]));
        order.touch(&[read(A, By::Any), write(B, By::Number)]);
        assert!(!order.leave(&[B]));
        // without a barrier it orders nothing
        order.waited();
        order.touch(&[write(A, By::Number)]);
        order.enter(true);
        order.touch(&[write(B, By::Number)]);
        assert!(!order.leave(&[]));
        assert!(order.touch(&[read(A, By::Any)]));
    }

    #[test]
    fn what_comes_behind_rounds_is_behind_their_barriers_if_they_have_some() {
        // one at the end of each round of the inner loop, before what is written behind it
        let mut order = Order::default();
        order.enter(true);
        order.enter(true);
        order.touch(&[write(A, By::Any)]);
        assert!(order.leave(&[]));
        order.touch(&[write(B, By::Any)]);
        assert!(!order.leave(&[]));
        // none
        order.waited();
        order.enter(true);
        order.enter(true);
        order.touch(&[write(A, By::Number)]);
        assert!(!order.leave(&[]));
        order.touch(&[write(B, By::Any)]);
        assert!(order.leave(&[]));
        // there is no loop any more
        assert!(!order.leave(&[]));
    }

    #[test]
    fn what_is_apart_in_each_round_is_not_met() {
        let mut order = Order::default();
        order.enter(false);
        order.touch(&[write(A, By::Any)]);
        assert!(!order.leave(&[A]));
    }
}
