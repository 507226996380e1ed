//! The kernel IR: what runs on a device, as plain data.
//!
//! A kernel is run by groups of invocations. Each invocation has variables (scalars) and private arrays; those of a group share arrays; all of them see blocks of device memory, which
//! the host gives. Indices are written out: what views and layouts meant is gone. How many invocations a group and a subgroup have is the launch's: a kernel asks for it.
//!
//! [`crate::check`] says what is well-formed, [`crate::exec`] what it means, [`mod@crate::print`] and [`crate::parse`] how it is written, [`crate::build`] makes it.

// Note [What orders memory]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// Two accesses of an element by different invocations, of which one writes and one is not atomic, must be ordered, or they are a race, whatever comes out; so must two atomic ones whose
// scopes do not hold both invocations. Ordered are: what an invocation does, one behind the other; what a group does before and behind a barrier, but for writes to a block that the kernel
// neither reads nor updates atomically, of which each element is one invocation's; what comes before a release, and what comes behind an acquire that reads from it, if the scopes of both hold both invocations. An operation that reads and writes in one step passes on what it has read; a fence makes
// releases of the relaxed writes behind it and acquires of the relaxed reads before it. Nothing else orders: not that invocations are of one subgroup, nor an exchange among them.
// It is Vulkan's memory model (specification, appendix "Memory Model"), for memory that is not private, without its availability and visibility as separate steps.

use futi_core::ir::Prov;
use futi_core::prim::{Prim, Scalar, ScalarType};
use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// Its position in its table.
            pub fn at(self) -> usize {
                self.0 as usize
            }
        }
    )* };
}
pub(crate) use ids;

ids! {
    /// A variable of an invocation: a scalar, which may be given a value again.
    Local
    /// A scalar that the host gives.
    Param
    /// A block of device memory that the host gives.
    Block
    /// An array that the invocations of a group share.
    Shared
    /// An array of an invocation's own.
    Private
    /// A place where the kernel may fail.
    Site
}

/// A name for people and for the text: ASCII letters, digits and `_`, perhaps none.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Ident(String);

impl Ident {
    /// The name, with `_` for every character that no name has.
    pub fn new(name: &str) -> Ident {
        Ident(name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect())
    }
}

impl fmt::Display for Ident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    /// Its name, for profiles and messages.
    pub name: Ident,
    /// Where in the program it comes from.
    pub prov: Prov,
    /// How many invocations a group may have.
    pub group: GroupSizes,
    /// The scalars that the host gives.
    pub params: Vec<Named>,
    /// The blocks that the host gives. Two of them may be the same memory.
    pub blocks: Vec<BlockDecl>,
    /// The arrays of a group. Nothing is in them when the group begins.
    pub shared: Vec<SharedDecl>,
    /// The arrays of an invocation. Nothing is in them when it begins.
    pub private: Vec<PrivateDecl>,
    /// The variables of an invocation. Each is given a value before it is read.
    pub locals: Vec<Named>,
    /// Where it may fail, in the order in which failures count: the first of them is reported.
    pub sites: Vec<SiteDecl>,
    /// What it costs, if that is known.
    pub cost: Option<Cost>,
    /// What each invocation does.
    pub body: Vec<Stm>,
}

/// How many invocations a group of a kernel may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupSizes {
    /// The least, above zero.
    pub least: u32,
    /// The most, at most [`GroupSizes::MOST`].
    pub most: u32,
    /// Whether only powers of two.
    pub power_of_two: bool,
}

impl GroupSizes {
    /// The most that a device has.
    pub const MOST: u32 = 1024;
    /// Any that a device has.
    pub const ANY: GroupSizes = GroupSizes { least: 1, most: GroupSizes::MOST, power_of_two: false };

    /// Whether a group may have so many.
    pub fn allow(self, size: u32) -> bool {
        (self.least..=self.most).contains(&size) && size > 0 && (size.is_power_of_two() || !self.power_of_two)
    }
}

/// A scalar with a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Named {
    /// The name, for people.
    pub name: Ident,
    /// The type.
    pub ty: ScalarType,
}

/// A block of device memory: elements of one type, one behind the other.
#[derive(Clone, PartialEq, Debug)]
pub struct BlockDecl {
    /// The name, for people.
    pub name: Ident,
    /// The type of the elements.
    pub elem: ScalarType,
    /// What the kernel does with it.
    pub access: Access,
}

/// What a kernel does with a block: neither more nor less.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Access {
    /// It reads elements.
    pub reads: bool,
    /// It writes elements.
    pub writes: bool,
    /// It reads, writes or updates elements by atomic operations.
    pub atomics: bool,
}

impl Access {
    /// Whether elements may change.
    pub fn changes(self) -> bool {
        self.writes || self.atomics
    }

    /// Whether invocations may tell each other something by elements, which then have to be ordered by barriers or fences.
    pub fn exchanges(self) -> bool {
        self.atomics || self.writes && self.reads
    }
}

/// An array that a group shares: of so many elements, and of so many more for each invocation of the group.
#[derive(Clone, PartialEq, Debug)]
pub struct SharedDecl {
    /// The name, for people.
    pub name: Ident,
    /// The type of the elements.
    pub elem: ScalarType,
    /// Elements, whatever the size of the group.
    pub fixed: u32,
    /// Elements for each invocation.
    pub each: u32,
}

/// An array of an invocation's own.
#[derive(Clone, PartialEq, Debug)]
pub struct PrivateDecl {
    /// The name, for people.
    pub name: Ident,
    /// The type of the elements.
    pub elem: ScalarType,
    /// How many there are.
    pub len: u32,
}

/// A place where a kernel may fail.
#[derive(Clone, PartialEq, Debug)]
pub struct SiteDecl {
    /// Where in the program it is. The host knows what it says, and how the operands go into it.
    pub prov: Prov,
    /// How many operands it tells, as 64-bit integers.
    pub operands: u32,
}

/// What a launch costs at most, as `i64`s of what the host knows: parameters, lengths of blocks, `@groups` and `@group_size`.
#[derive(Clone, PartialEq, Debug)]
pub struct Cost {
    /// Bytes that it reads from blocks.
    pub reads: Exp,
    /// Bytes that it writes to blocks.
    pub writes: Exp,
    /// Scalar operators that it applies.
    pub operations: Exp,
}

impl Cost {
    /// Its three parts.
    pub fn parts(&self) -> [&Exp; 3] {
        [&self.reads, &self.writes, &self.operations]
    }
}

/// What an invocation can ask of the launch; an `i32` each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// The number of its group.
    Group,
    /// How many groups there are.
    Groups,
    /// Its number in its group.
    Invocation,
    /// How many invocations a group has.
    GroupSize,
    /// The number of its subgroup in its group.
    Subgroup,
    /// Its number in its subgroup.
    Lane,
    /// How many invocations a subgroup has, the last one of a group perhaps less.
    SubgroupSize,
}

impl Builtin {
    /// All of them.
    pub const ALL: [Builtin; 7] = {
        use Builtin::*;
        [Group, Groups, Invocation, GroupSize, Subgroup, Lane, SubgroupSize]
    };

    /// The name in text, behind `@`.
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Group => "group",
            Builtin::Groups => "groups",
            Builtin::Invocation => "invocation",
            Builtin::GroupSize => "group_size",
            Builtin::Subgroup => "subgroup",
            Builtin::Lane => "lane",
            Builtin::SubgroupSize => "subgroup_size",
        }
    }
}

/// A scalar expression. It reads no memory, so that its place among statements does not matter, and it is total.
#[derive(Clone, PartialEq, Debug)]
pub enum Exp {
    /// A constant.
    Lit(Scalar),
    /// A variable.
    Local(Local),
    /// What the host gives.
    Param(Param),
    /// What the launch says.
    Builtin(Builtin),
    /// How many elements a block has, as an `i64`.
    Length(Block),
    /// A scalar operator.
    Prim(Prim, Vec<Exp>),
}

/// An array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Array {
    /// In device memory.
    Block(Block),
    /// Of the group.
    Shared(Shared),
    /// Of the invocation.
    Private(Private),
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Stm {
    /// Gives a variable a value.
    Let(Local, Exp),
    /// Reads an element.
    Load {
        /// Where it goes.
        to: Local,
        /// The array.
        from: Array,
        /// The element, an `i32` or `i64`.
        index: Exp,
    },
    /// Writes an element.
    Store {
        /// The array.
        to: Array,
        /// The element.
        index: Exp,
        /// Its value.
        value: Exp,
    },
    /// Reads, writes or updates an element in one step.
    Atomic(Atomic),
    /// Makes a release of this invocation's relaxed writes behind it, and acquires of its relaxed reads before it: Note [What orders memory].
    Fence(Scope),
    /// Each invocation of the group waits here for all others. All of them come here, or none.
    Barrier,
    /// A choice.
    If {
        /// Which.
        cond: Exp,
        /// What is done if it is true.
        yes: Vec<Stm>,
        /// What is done if it is false.
        no: Vec<Stm>,
    },
    /// Counts a variable from a start, in steps, as long as it is below an end: these are looked at once. Behind the loop the variable has no value.
    For {
        /// The variable, which the body does not give a value.
        index: Local,
        /// Its first value.
        from: Exp,
        /// The end; its type has the end and a step more, too.
        below: Exp,
        /// The step, above zero.
        step: Exp,
        /// What is done for each.
        body: Vec<Stm>,
    },
    /// As long as a condition holds, which statements prepare each time.
    While {
        /// What is done before the condition is looked at.
        before: Vec<Stm>,
        /// The condition.
        cond: Exp,
        /// What is done if it holds.
        body: Vec<Stm>,
    },
    /// The kernel fails: this invocation does nothing more, and its group leaves at the next barrier. Of all failures of a launch the one counts whose (site, point) is least.
    Fail {
        /// Where in the kernel.
        site: Site,
        /// At which point of the space that the kernel computes, an `i64`.
        point: Exp,
        /// The operands, `i64`s.
        operands: Vec<Exp>,
    },
    /// An exchange among the invocations of a subgroup, all of which come here, but for those that have failed, or none.
    Subgroup {
        /// Where the result goes.
        to: Local,
        /// What is exchanged.
        op: SubgroupOp,
        /// This invocation's value.
        value: Exp,
    },
}

/// An atomic operation on an element.
#[derive(Clone, PartialEq, Debug)]
pub struct Atomic {
    /// What it does.
    pub op: AtomicOp,
    /// Where the element's value before goes, if it is asked for.
    pub old: Option<Local>,
    /// The array: of the group, or in device memory.
    pub at: Array,
    /// The element.
    pub index: Exp,
    /// As many as the operation takes, of the elements' type.
    pub operands: Vec<Exp>,
    /// What it says of other reads and writes.
    pub order: Order,
    /// Among whom it is one step.
    pub scope: Scope,
}

/// What an atomic operation does with an element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicOp {
    /// Reads it.
    Load,
    /// Writes it.
    Store,
    /// Adds.
    Add,
    /// The lesser of both.
    Min,
    /// The greater of both.
    Max,
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Bit by bit.
    Xor,
    /// Puts another value there.
    Exchange,
    /// Puts the second operand there if the element is equal to the first one, bit by bit.
    CompareExchange,
}

impl AtomicOp {
    /// All of them.
    pub const ALL: [AtomicOp; 10] = {
        use AtomicOp::*;
        [Load, Store, Add, Min, Max, And, Or, Xor, Exchange, CompareExchange]
    };

    /// The name in text.
    pub fn name(self) -> &'static str {
        match self {
            AtomicOp::Load => "load",
            AtomicOp::Store => "store",
            AtomicOp::Add => "add",
            AtomicOp::Min => "min",
            AtomicOp::Max => "max",
            AtomicOp::And => "and",
            AtomicOp::Or => "or",
            AtomicOp::Xor => "xor",
            AtomicOp::Exchange => "exchange",
            AtomicOp::CompareExchange => "compare_exchange",
        }
    }

    /// How many operands it takes.
    pub fn arity(self) -> usize {
        match self {
            AtomicOp::Load => 0,
            AtomicOp::CompareExchange => 2,
            _ => 1,
        }
    }

    /// Whether it looks at what was there.
    pub fn reads(self) -> bool {
        self != AtomicOp::Store
    }

    /// Whether something else may be there afterwards.
    pub fn writes(self) -> bool {
        self != AtomicOp::Load
    }

    /// Whether there is such an operation on elements of a type: of 4 and 8 bytes, and arithmetic on integers, but for sums.
    pub fn exists(self, ty: ScalarType) -> bool {
        let arithmetic = matches!(self, AtomicOp::Min | AtomicOp::Max | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor);
        ty.bytes() >= 4 && (ty.is_int() || !arithmetic)
    }
}

/// What an atomic operation says of the reads and writes around it: Note [What orders memory].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// Nothing.
    Relaxed,
    /// It reads, and what comes behind it is behind what its value was released with.
    Acquire,
    /// It writes, and tells what came before it.
    Release,
    /// Both.
    AcquireRelease,
}

impl Order {
    /// All of them.
    pub const ALL: [Order; 4] = [Order::Relaxed, Order::Acquire, Order::Release, Order::AcquireRelease];

    /// The name in text.
    pub fn name(self) -> &'static str {
        match self {
            Order::Relaxed => "relaxed",
            Order::Acquire => "acquire",
            Order::Release => "release",
            Order::AcquireRelease => "acquire_release",
        }
    }

    /// Whether it acquires.
    pub fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcquireRelease)
    }

    /// Whether it releases.
    pub fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcquireRelease)
    }
}

/// Among whom something holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// The invocations of a group.
    Group,
    /// All of the device.
    Device,
}

impl Scope {
    /// All of them.
    pub const ALL: [Scope; 2] = [Scope::Group, Scope::Device];

    /// The name in text.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Group => "group",
            Scope::Device => "device",
        }
    }
}

/// An exchange among the invocations of a subgroup.
#[derive(Clone, PartialEq, Debug)]
pub enum SubgroupOp {
    /// The value of the invocation of that number, an `i32`.
    Shuffle(Exp),
    /// The value of the invocation so many before this one, or another one if there is none.
    Up {
        /// How many, an `i32`, not negative.
        by: Exp,
        /// The other one.
        otherwise: Exp,
    },
    /// Whether it is true in any.
    Any,
    /// Whether it is true in all.
    All,
}

impl Stm {
    /// The expressions that stand in it, but for those in statements inside it.
    pub fn exps(&self) -> Vec<&Exp> {
        match self {
            Stm::Let(_, e) | Stm::Load { index: e, .. } | Stm::If { cond: e, .. } | Stm::While { cond: e, .. } => {
                vec![e]
            }
            Stm::Store { index, value, .. } => vec![index, value],
            Stm::Atomic(atomic) => [&atomic.index].into_iter().chain(&atomic.operands).collect(),
            Stm::Fence(_) | Stm::Barrier => vec![],
            Stm::For { from, below, step, .. } => vec![from, below, step],
            Stm::Fail { point, operands, .. } => [point].into_iter().chain(operands).collect(),
            Stm::Subgroup { op, value, .. } => match op {
                SubgroupOp::Shuffle(from) => vec![value, from],
                SubgroupOp::Up { by, otherwise } => vec![value, by, otherwise],
                SubgroupOp::Any | SubgroupOp::All => vec![value],
            },
        }
    }

    /// The statements inside it.
    pub fn bodies(&self) -> Vec<&Vec<Stm>> {
        match self {
            Stm::If { yes, no, .. } => vec![yes, no],
            Stm::For { body, .. } => vec![body],
            Stm::While { before, body, .. } => vec![before, body],
            _ => vec![],
        }
    }

    /// The statements inside it, to be changed.
    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Stm>> {
        match self {
            Stm::If { yes, no, .. } => vec![yes, no],
            Stm::For { body, .. } => vec![body],
            Stm::While { before, body, .. } => vec![before, body],
            _ => vec![],
        }
    }

    /// The variable that it gives a value, but for those of statements inside it.
    pub fn gives(&self) -> Option<Local> {
        match self {
            Stm::Let(to, _) | Stm::Load { to, .. } | Stm::For { index: to, .. } | Stm::Subgroup { to, .. } => Some(*to),
            Stm::Atomic(atomic) => atomic.old,
            _ => None,
        }
    }
}

/// Looks at statements and all that are inside them, in the order of the text.
pub fn walk<'a>(stms: &'a [Stm], see: &mut impl FnMut(&'a Stm)) {
    for stm in stms {
        see(stm);
        stm.bodies().into_iter().for_each(|body| walk(body, see));
    }
}

impl Exp {
    /// Looks at it and at all that is inside it.
    pub fn walk<'a>(&'a self, see: &mut impl FnMut(&'a Exp)) {
        see(self);
        if let Exp::Prim(_, args) = self {
            args.iter().for_each(|arg| arg.walk(see));
        }
    }
}

impl Kernel {
    /// A kernel that does nothing.
    pub fn new(name: &str, prov: Prov) -> Kernel {
        Kernel {
            name: Ident::new(name),
            prov,
            group: GroupSizes::ANY,
            params: Vec::new(),
            blocks: Vec::new(),
            shared: Vec::new(),
            private: Vec::new(),
            locals: Vec::new(),
            sites: Vec::new(),
            cost: None,
            body: Vec::new(),
        }
    }

    /// The type of an array's elements, if there is such an array.
    pub fn elem(&self, array: Array) -> Option<ScalarType> {
        match array {
            Array::Block(b) => self.blocks.get(b.at()).map(|b| b.elem),
            Array::Shared(s) => self.shared.get(s.at()).map(|s| s.elem),
            Array::Private(p) => self.private.get(p.at()).map(|p| p.elem),
        }
    }

    /// What its body does with each block.
    pub fn accesses(&self) -> Vec<Access> {
        accesses(self.blocks.len(), &self.body)
    }
}

/// What statements do with each of so many blocks.
pub fn accesses(blocks: usize, stms: &[Stm]) -> Vec<Access> {
    let mut all = vec![Access::default(); blocks];
    walk(stms, &mut |stm| {
        let (array, done) = match stm {
            Stm::Load { from, .. } => (from, Access { reads: true, ..Access::default() }),
            Stm::Store { to, .. } => (to, Access { writes: true, ..Access::default() }),
            Stm::Atomic(Atomic { at, .. }) => (at, Access { atomics: true, ..Access::default() }),
            _ => return,
        };
        if let Array::Block(b) = array
            && let Some(access) = all.get_mut(b.at())
        {
            access.reads |= done.reads;
            access.writes |= done.writes;
            access.atomics |= done.atomics;
        }
    });
    all
}
