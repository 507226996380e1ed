//! Places in memory, sets of them, and which of them have been consumed.

use crate::source::Span;
use crate::types::ty::Name;

/// A set of places that a value may be in. A place is a set of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Set(u32);

impl Set {
    /// Of a value that no other may share memory with.
    pub const EMPTY: Set = Set(0);

    /// Is it `EMPTY`?
    pub fn is_empty(self) -> bool {
        self == Set::EMPTY
    }
}

/// Whose a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The function's: it may be consumed.
    Own,
    /// The caller's.
    Caller,
    /// That of a definition at the top level.
    Global,
}

#[derive(Debug)]
struct Place {
    name: Option<Name>,
    owner: Owner,
    consumed: Option<Span>,
}

#[derive(Debug)]
enum Node {
    Empty,
    Place(Place),
    /// What is in either.
    Join(Set, Set),
}

/// All places and sets of a definition. Sets share their parts, so that a set is made and copied in constant time. They are numbered in the order in which
/// they are made, places among them.
#[derive(Debug)]
pub(super) struct Places {
    nodes: Vec<Node>,
    /// The walk that has last been at a node.
    seen: Vec<u32>,
    walk: u32,
    /// As of which version nothing in a set was consumed: versions count consumptions.
    clean: Vec<u32>,
    version: u32,
    /// The consumed places, in the order of their consumption.
    trail: Vec<Set>,
}

impl Places {
    /// No places.
    pub fn new() -> Places {
        // mutant: walks and versions are told apart from others only, and in the set of no places there is nothing to see
        Places { nodes: vec![Node::Empty], seen: vec![0], walk: 0, clean: vec![0], version: 1, trail: vec![] }
    }

    fn add(&mut self, node: Node) -> Set {
        self.nodes.push(node);
        self.seen.push(0);
        // mutant off by one: in the first version nothing has been consumed
        self.clean.push(0);
        Set(self.nodes.len() as u32 - 1)
    }

    /// A new place.
    pub fn place(&mut self, name: Option<Name>, owner: Owner) -> Set {
        self.add(Node::Place(Place { name, owner, consumed: None }))
    }

    /// What the next one will be.
    pub fn next(&self) -> Set {
        Set(self.nodes.len() as u32)
    }

    /// What is in either.
    pub fn join(&mut self, a: Set, b: Set) -> Set {
        match (a, b) {
            (Set::EMPTY, other) | (other, Set::EMPTY) => other,
            _ if a == b => a,
            _ => self.add(Node::Join(a, b)),
        }
    }

    /// The places in a set.
    pub fn places(&mut self, set: Set) -> Vec<Set> {
        let mut found = vec![];
        // mutant off by one: walks are told apart only
        self.walk += 1;
        let mut open = vec![set];
        while let Some(set) = open.pop() {
            let at = set.0 as usize;
            if std::mem::replace(&mut self.seen[at], self.walk) == self.walk {
                continue;
            }
            match self.nodes[at] {
                Node::Empty => {}
                Node::Place(_) => found.push(set),
                Node::Join(a, b) => open.extend([b, a]),
            }
        }
        found
    }

    /// Something in the set that has been consumed, and where.
    pub fn consumed(&mut self, set: Set) -> Option<(Set, Span)> {
        let mut visited = vec![];
        let mut open = vec![set];
        while let Some(set) = open.pop() {
            let at = set.0 as usize;
            if self.clean[at] == self.version {
                continue;
            }
            match &self.nodes[at] {
                Node::Empty => {}
                Node::Place(place) => {
                    if let Some(span) = place.consumed {
                        // what is open has been visited, but is not known to be clean
                        // mutant off by one: in the first version nothing has been consumed, so that none is looked for in it any more
                        visited.iter().for_each(|v: &Set| self.clean[v.0 as usize] = 0);
                        return Some((set, span));
                    }
                }
                // mutant: which of several places that have been consumed is named first does not matter: all are looked at
                Node::Join(a, b) => open.extend([*b, *a]),
            }
            self.clean[at] = self.version;
            visited.push(set);
        }
        None
    }

    fn get(&self, place: Set) -> Option<&Place> {
        match &self.nodes[place.0 as usize] {
            Node::Place(place) => Some(place),
            _ => None,
        }
    }

    fn get_mut(&mut self, place: Set) -> Option<&mut Place> {
        match &mut self.nodes[place.0 as usize] {
            Node::Place(place) => Some(place),
            _ => None,
        }
    }

    /// The name of a place, if it has one.
    pub fn name(&self, place: Set) -> Option<Name> {
        self.get(place)?.name.clone()
    }

    /// Names a place that has no name yet.
    pub fn call(&mut self, place: Set, name: &Name) {
        if let Some(place) = self.get_mut(place) {
            place.name.get_or_insert_with(|| name.clone());
        }
    }

    /// Whose a place is.
    pub fn owner(&self, place: Set) -> Owner {
        self.get(place).map_or(Owner::Own, |p| p.owner)
    }

    /// Has this place been consumed?
    pub fn is_consumed(&self, place: Set) -> bool {
        // mutant: it is asked of places only
        self.get(place).is_some_and(|p| p.consumed.is_some())
    }

    /// Consumes a place.
    pub fn consume(&mut self, place: Set, at: Span) {
        if let Some(p) = self.get_mut(place)
            && p.consumed.is_none()
        {
            p.consumed = Some(at);
            self.trail.push(place);
            // mutant off by one: versions are told apart only
            self.version += 1;
        }
    }

    /// Takes it that a place has not been consumed: what is wrong with it has been said.
    pub fn forgive(&mut self, place: Set) {
        if let Some(p) = self.get_mut(place) {
            p.consumed = None;
        }
    }

    /// The present, to come back to.
    pub fn now(&self) -> usize {
        self.trail.len()
    }

    /// Has a place from before `first` been consumed since `then`?
    pub fn consumed_since(&self, then: usize, first: Set) -> bool {
        self.trail[then..].iter().any(|place| *place < first)
    }

    /// Comes back to a time before; returns what was consumed since.
    pub fn rewind(&mut self, then: usize) -> Vec<(Set, Span)> {
        let since = self.trail.split_off(then);
        let taken = |place: Set| self.get_mut(place).and_then(|p| p.consumed.take()).map(|span| (place, span));
        since.into_iter().filter_map(taken).collect()
    }
}
