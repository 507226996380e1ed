//! Provenance: where a statement comes from, as an interned tree.

use super::Name;
use crate::hash::HashMap;
use std::sync::Arc;

/// The provenance of a statement: a node of its program's [`ProvTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Prov(pub u32);

impl Prov {
    /// Not known: code that no source location stands for. Always interned, as node 0.
    pub const UNKNOWN: Prov = Prov(0);
}

/// What a statement is to the derivative that it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Computes a tangent of the statement it comes from.
    Tangent,
    /// Computes adjoints of its operands.
    Adjoint,
    /// The statement itself, executed again on the way back.
    Recomputed,
}

/// A node of the tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ProvNode {
    /// Not known.
    Unknown,
    /// Bytes `start..end` of a file.
    Span {
        /// Index into [`ProvTable::files`].
        file: u32,
        /// First byte.
        start: u32,
        /// One past the last byte.
        end: u32,
    },
    /// Code of a function's body that was reached through a call.
    Inlined {
        /// Where the code stands.
        body: Prov,
        /// The call.
        call: Prov,
    },
    /// Code that AD made from a statement.
    Role {
        /// What it is to the derivative.
        role: Role,
        /// The statement.
        of: Prov,
    },
    /// Two statements that a pass made one.
    Merged(Prov, Prov),
}

/// The interned nodes of a program, and the paths of its files. Copies are one until one of them gets a node more: programs at different stages mostly have the same.
#[derive(Clone, PartialEq, Debug)]
pub struct ProvTable(Arc<Tables>);

#[derive(Clone, Debug)]
struct Tables {
    files: Vec<Name>,
    nodes: Vec<ProvNode>,
    index: HashMap<ProvNode, Prov>,
}

/// The index follows from the nodes.
impl PartialEq for Tables {
    fn eq(&self, other: &Tables) -> bool {
        self.files == other.files && self.nodes == other.nodes
    }
}

/// What is one in memory is equal to itself, without a look.
impl Eq for Tables {}

impl Default for ProvTable {
    fn default() -> Self {
        let mut table = ProvTable(Arc::new(Tables { files: Vec::new(), nodes: Vec::new(), index: HashMap::default() }));
        table.intern(ProvNode::Unknown);
        table
    }
}

impl ProvTable {
    /// The provenance of that node, interned.
    pub fn intern(&mut self, node: ProvNode) -> Prov {
        if let Some(known) = self.0.index.get(&node) {
            return *known;
        }
        let Tables { nodes, index, .. } = Arc::make_mut(&mut self.0);
        let prov = Prov(nodes.len() as u32);
        nodes.push(node.clone());
        index.insert(node, prov);
        prov
    }

    /// The number of the file of that path, interned.
    pub fn file(&mut self, path: &str) -> u32 {
        let known = self.files().iter().position(|f| f.as_str() == path);
        known.unwrap_or_else(|| {
            let files = &mut Arc::make_mut(&mut self.0).files;
            files.push(path.into());
            files.len() - 1
        }) as u32
    }

    /// The paths of the files.
    pub fn files(&self) -> &[Name] {
        &self.0.files
    }

    /// The nodes, in the order of their numbers.
    pub fn nodes(&self) -> &[ProvNode] {
        &self.0.nodes
    }

    /// The node; unknown for a number that is not of this table.
    pub fn node(&self, prov: Prov) -> &ProvNode {
        self.nodes().get(prov.0 as usize).unwrap_or(&ProvNode::Unknown)
    }

    /// `of` in a role.
    pub fn role(&mut self, role: Role, of: Prov) -> Prov {
        self.intern(ProvNode::Role { role, of })
    }

    /// Where a statement comes from that two have become: the first, if both are from one place in the source.
    pub fn of_both(&mut self, a: Prov, b: Prov) -> Prov {
        if self.span(a) == self.span(b) { a } else { self.merge(a, b) }
    }

    /// Two provenances as one.
    pub fn merge(&mut self, a: Prov, b: Prov) -> Prov {
        if a == b || b == Prov::UNKNOWN {
            a
        } else if a == Prov::UNKNOWN {
            b
        } else {
            self.intern(ProvNode::Merged(a, b))
        }
    }

    /// The innermost source span that this comes from: file, first byte, one past the last byte.
    pub fn span(&self, prov: Prov) -> Option<(u32, u32, u32)> {
        match *self.node(prov) {
            ProvNode::Unknown => None,
            ProvNode::Span { file, start, end } => Some((file, start, end)),
            ProvNode::Inlined { body, call } => self.span(body).or_else(|| self.span(call)),
            ProvNode::Role { of, .. } => self.span(of),
            ProvNode::Merged(a, b) => self.span(a).or_else(|| self.span(b)),
        }
    }

    /// The spans of the calls through which it was reached, innermost first; the first is the code itself.
    pub fn backtrace(&self, prov: Prov) -> Vec<(u32, u32, u32)> {
        match *self.node(prov) {
            ProvNode::Unknown => Vec::new(),
            ProvNode::Span { file, start, end } => vec![(file, start, end)],
            ProvNode::Inlined { body, call } => [self.backtrace(body), self.backtrace(call)].concat(),
            ProvNode::Role { of, .. } => self.backtrace(of),
            ProvNode::Merged(a, b) => {
                let first = self.backtrace(a);
                if first.is_empty() { self.backtrace(b) } else { first }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_survive_inlining_and_ad() {
        let mut t = ProvTable::default();
        let file = t.file("a.fut");
        let body = t.intern(ProvNode::Span { file, start: 1, end: 2 });
        let call = t.intern(ProvNode::Span { file, start: 8, end: 9 });
        let inlined = t.intern(ProvNode::Inlined { body, call });
        let adjoint = t.role(Role::Adjoint, inlined);
        assert_eq!(t.span(adjoint), Some((0, 1, 2)));
        assert_eq!(t.backtrace(adjoint), [(0, 1, 2), (0, 8, 9)]);
        assert_eq!(t.merge(Prov::UNKNOWN, body), body);
        assert_eq!(t.intern(ProvNode::Unknown), Prov::UNKNOWN);
    }
}
