//! What happens before what, as vector clocks: Note [What orders memory] in [`crate::ir`] has the rules.

// Note [Time]
// ~~~~~~~~~~~
// Each invocation has a time, which is stepped by a release and by a barrier, and an access is stamped with its invocation and time. A barrier sets all of a group to one time, later
// than all before, and the group notes it: what is stamped earlier by any of the group is behind the barrier. So an order that barriers make is one comparison, and no clock grows by it;
// only releases and acquires make vectors, which are shared, and joined where they differ. What is known of a group is a time before which all of it is known: one number, not one for each
// invocation.

use std::rc::Rc;

/// When something has happened, or that it never has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stamp(u64);

impl Stamp {
    /// It has never happened.
    pub const NEVER: Stamp = Stamp(0);

    /// By an invocation, numbered through all groups, at a time.
    pub fn new(invocation: u32, time: u32) -> Stamp {
        Stamp((u64::from(invocation) + 1) << 32 | u64::from(time))
    }

    /// The invocation, if it has happened.
    pub fn invocation(self) -> Option<u32> {
        (self.0 >> 32).checked_sub(1).map(|i| i as u32)
    }

    fn time(self) -> u32 {
        self.0 as u32
    }
}

/// What is known of others. Copies share it.
#[derive(Clone, Default, Debug)]
pub struct Known(Option<Rc<Frontier>>);

#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Frontier {
    /// Of an invocation, what is stamped not later than this; in the order of invocations.
    invocations: Vec<(u32, u32)>,
    /// Of a group, what is stamped earlier than this; in the order of groups.
    groups: Vec<(u32, u32)>,
}

fn find(all: &[(u32, u32)], key: u32) -> Option<u32> {
    all.binary_search_by_key(&key, |(key, _)| *key).ok().map(|at| all[at].1)
}

/// For each key of both the later time.
fn join(a: &[(u32, u32)], b: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut out = Vec::with_capacity(a.len().max(b.len()));
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x.0 == y.0 => {
                let both = (x.0, x.1.max(y.1));
                b.next();
                a.next();
                Some(both)
            }
            (Some(x), Some(y)) if x.0 < y.0 => a.next(),
            (Some(_), None) => a.next(),
            _ => b.next(),
        };
        match next {
            Some(next) => out.push(next),
            None => return out,
        }
    }
}

impl Known {
    fn has(&self, stamp: Stamp, group: u32) -> bool {
        let (Some(frontier), Some(invocation)) = (&self.0, stamp.invocation()) else { return false };
        find(&frontier.groups, group).is_some_and(|time| stamp.time() < time)
            || find(&frontier.invocations, invocation).is_some_and(|time| stamp.time() <= time)
    }

    /// Learns what another one knows.
    pub fn learn(&mut self, other: &Known) {
        match (&self.0, &other.0) {
            (_, None) => {}
            (None, Some(_)) => self.0 = other.0.clone(),
            (Some(a), Some(b)) if Rc::ptr_eq(a, b) => {}
            (Some(a), Some(b)) => {
                let both =
                    Frontier { invocations: join(&a.invocations, &b.invocations), groups: join(&a.groups, &b.groups) };
                // what is shared stays shared
                self.0 = match &both {
                    both if both == &**a => return,
                    both if both == &**b => other.0.clone(),
                    _ => Some(Rc::new(both)),
                };
            }
        }
    }

    /// With what an invocation has done up to a time, and its group before another one.
    fn with(&self, invocation: (u32, u32), group: (u32, u32)) -> Known {
        let own = Frontier { invocations: vec![invocation], groups: if group.1 > 0 { vec![group] } else { vec![] } };
        let mut known = Known(Some(Rc::new(own)));
        known.learn(self);
        known
    }
}

/// What the writer of an element tells those who acquire from it.
#[derive(Clone, Default, Debug)]
pub struct Message {
    /// With the scope of the device: to all.
    device: Known,
    /// With either scope: to those of a group.
    groups: Vec<(u32, Known)>,
}

impl Message {
    fn group(&self, group: u32) -> Option<&Known> {
        self.groups.iter().find(|(own, _)| *own == group).map(|(_, known)| known)
    }

    /// Tells what another message tells, too.
    pub fn join(&mut self, other: &Message) {
        self.device.learn(&other.device);
        for (group, known) in &other.groups {
            match self.groups.iter_mut().find(|(own, _)| own == group) {
                Some((_, own)) => own.learn(known),
                None => self.groups.push((*group, known.clone())),
            }
        }
    }
}

/// What one of the two scopes has: that of a group, and that of the device, which holds it.
#[derive(Clone, Default, Debug)]
struct Scoped {
    group: Known,
    device: Known,
}

/// The clock of an invocation.
#[derive(Clone, Debug)]
pub struct Clock {
    /// The invocation, numbered through all groups.
    pub invocation: u32,
    /// Its group.
    pub group: u32,
    /// How many a group has.
    size: u32,
    time: u32,
    /// The time of its group's last barrier.
    since: u32,
    known: Known,
    /// What its relaxed writes tell: what it knew at its last fence.
    told: Scoped,
    /// What its relaxed reads have been told since its last fence.
    heard: Scoped,
}

impl Clock {
    /// At the beginning.
    pub fn new(invocation: u32, size: u32) -> Clock {
        Clock {
            invocation,
            group: invocation / size,
            size,
            time: 0,
            since: 0,
            known: Known::default(),
            told: Scoped::default(),
            heard: Scoped::default(),
        }
    }

    /// How many invocations a group has.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The time.
    pub fn time(&self) -> u32 {
        self.time
    }

    /// What happens now.
    pub fn now(&self) -> Stamp {
        Stamp::new(self.invocation, self.time)
    }

    /// Whether something is ordered before what happens now. What never happened is.
    #[inline]
    pub fn is_after(&self, stamp: Stamp) -> bool {
        match stamp.invocation() {
            None => true,
            Some(invocation) if invocation == self.invocation => true,
            Some(invocation) => {
                let group = invocation / self.size;
                group == self.group && stamp.time() < self.since || self.known.has(stamp, group)
            }
        }
    }

    /// What it tells from now on is what it has done until now.
    fn snapshot(&mut self) -> Known {
        let known = self.known.with((self.invocation, self.time), (self.group, self.since));
        self.time += 1;
        known
    }

    /// What an atomic write of a scope tells.
    pub fn tell(&mut self, releases: bool, to_device: bool) -> Message {
        let mut told = self.told.clone();
        if releases {
            let all = self.snapshot();
            told = Scoped { group: all.clone(), device: all };
        }
        let device = if to_device { told.device } else { Known::default() };
        let groups = if told.group.0.is_some() { vec![(self.group, told.group)] } else { vec![] };
        Message { device, groups }
    }

    /// What an atomic read of a scope has been told.
    pub fn hear(&mut self, message: &Message, acquires: bool, of_device: bool) {
        let own = message.group(self.group).cloned().unwrap_or_default();
        let device = if of_device { message.device.clone() } else { Known::default() };
        if acquires {
            self.known.learn(&own);
            self.known.learn(&device);
        } else {
            self.heard.group.learn(&own);
            self.heard.device.learn(&device);
        }
    }

    /// A fence of a scope.
    pub fn fence(&mut self, of_device: bool) {
        self.known.learn(&std::mem::take(&mut self.heard.group));
        if of_device {
            self.known.learn(&std::mem::take(&mut self.heard.device));
        }
        let all = self.snapshot();
        if of_device {
            self.told.device = all.clone();
        }
        self.told.group = all;
    }

    /// A barrier of a group.
    pub fn barrier(group: &mut [Clock]) {
        let mut known = Known::default();
        group.iter().for_each(|clock| known.learn(&clock.known));
        let time = group.iter().map(|clock| clock.time).max().unwrap_or(0) + 1;
        for clock in group {
            clock.known = known.clone();
            (clock.time, clock.since) = (time, time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups of two: the invocations 0 and 1, 2 and 3.
    fn clocks() -> [Clock; 4] {
        [0, 1, 2, 3].map(|i| Clock::new(i, 2))
    }

    #[test]
    fn barriers_order_a_group() {
        let mut all = clocks();
        let written = all[0].now();
        assert!(all[0].is_after(written) && !all[1].is_after(written));
        Clock::barrier(&mut all[..2]);
        assert!(all[1].is_after(written) && !all[2].is_after(written));
        assert!(!all[1].is_after(all[0].now()));
    }

    #[test]
    fn releases_and_acquires_order_where_both_say_so() {
        let [mut a, _, c, d] = clocks();
        let written = a.now();
        let nothing = a.tell(false, true);
        let told = a.tell(true, true);
        let later = a.now();
        for (message, acquires, learns) in [(&nothing, true, false), (&told, false, false), (&told, true, true)] {
            let mut c = c.clone();
            c.hear(message, acquires, true);
            assert_eq!(c.is_after(written), learns);
            assert!(!c.is_after(later));
        }
        // it is passed on
        let mut c = c;
        c.hear(&told, true, true);
        let mut d = d;
        d.hear(&c.tell(true, true), true, true);
        assert!(d.is_after(written));
    }

    #[test]
    fn fences_make_releases_and_acquires_of_relaxed_operations() {
        let [mut a, _, c, _] = clocks();
        let before = a.now();
        a.fence(true);
        let behind = a.now();
        let told = a.tell(false, true);
        let mut heard = c.clone();
        heard.hear(&told, false, true);
        assert!(!heard.is_after(before));
        heard.fence(true);
        assert!(heard.is_after(before) && !heard.is_after(behind));
        // a fence of the group acquires nothing of another one
        let mut narrow = c;
        narrow.hear(&told, false, true);
        narrow.fence(false);
        assert!(!narrow.is_after(before));
    }

    #[test]
    fn the_scope_of_a_group_ends_with_the_group() {
        let [mut a, b, c, _] = clocks();
        let written = a.now();
        let narrow = a.tell(true, false);
        let wide = a.tell(true, true);
        for (message, of_device, in_group, elsewhere) in
            [(&narrow, true, true, false), (&wide, false, true, false), (&wide, true, true, true)]
        {
            let (mut b, mut c) = (b.clone(), c.clone());
            b.hear(message, true, of_device);
            c.hear(message, true, of_device);
            assert_eq!((b.is_after(written), c.is_after(written)), (in_group, elsewhere));
        }
    }

    #[test]
    fn what_was_before_a_barrier_is_told_by_any_of_the_group() {
        let mut all = clocks();
        let written = all[0].now();
        Clock::barrier(&mut all[..2]);
        let told = all[1].tell(true, true);
        // by the same invocation as before, and by the group since
        let (own, since) = (all[0].now(), all[1].now());
        all[2].hear(&told, true, true);
        assert!(all[2].is_after(written) && !all[2].is_after(own) && !all[2].is_after(since));
        Clock::barrier(&mut all[2..]);
        assert!(all[3].is_after(written));
    }
}
