//! What a run counts, bounds, interrupts and perturbs.

use crate::eval::kernel::Tally;
use crate::vjp::Keep;
use futi_core::backend::CallCtx;
use futi_core::failure::RuntimeError;
use futi_core::ir::Prov;
use futi_core::prim::{Prim, Scalar};
use futi_core::value::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What may replace a float that an operator has just rounded, or what a comparison of floats says: from the operator, its operands and the result.
pub type Rounding = Box<dyn Fn(Prim, &[Scalar], Scalar) -> Scalar>;

/// What may be asked of a scalar operator, its operands and the result.
pub type Question = fn(Prim, &[Scalar], Scalar) -> bool;

/// Where a program has stopped.
pub enum Stopped {
    /// At the `#[break]` of this number (`futi_core::lower::Stop`), with the values that are to be seen there. Dual numbers are their primal values.
    Break(usize, Vec<Value>),
    /// At this statement, and operator, by [`Ctx::stop_at`].
    Operator(Prov, Prim),
}

/// The context of evaluation.
pub struct Ctx {
    /// Cancellation.
    pub call: CallCtx,
    /// The most steps that may be taken: statements and bodies executed, and nodes of traces walked back.
    pub fuel: Option<u64>,
    /// The most bytes that arrays and traces may take together. Arrays that the caller holds as well are not counted.
    pub memory: Option<u64>,
    /// The deepest nest of calls.
    pub call_depth: usize,
    /// The most bytes of stack that recursion may add to that of the caller's thread. They are part of `memory`, too.
    pub stack: u64,
    /// Whether to report what a program may not depend on: reads of consumed arrays and of scratch, neutral elements that are none, the order of
    /// writes to one position, the partition of a stream; and derivative code that fails.
    pub strict: bool,
    /// Is given a line for each value that the source marks with `#[trace]`, in the order in which the program comes by. What is shown is not moved into
    /// kernels; without this, nothing is said.
    pub show: Option<fn(&str)>,
    /// Is called where the program stops: at a `#[break]` of a session, and where `stop_at` says so. The program goes on when it returns.
    pub stop: Option<Rc<dyn Fn(Stopped)>>,
    /// Which scalar operators stop the program. What kernels compute is not seen: for `plain` runs.
    pub stop_at: Option<Question>,
    /// Is told how far the outermost loop has come.
    pub rounds: Option<Arc<Rounds>>,
    /// Whether iterations of parallel constructs go on after one that has failed, so that [`Ctx::failures`] lists all that can be reached.
    pub all_failures: bool,
    /// How streams are cut.
    pub partition: Partition,
    /// Whether to go element by element only, without kernels: the definition, which they are held against.
    pub plain: bool,
    /// Walk traces back in a pseudo-random order of this seed. Any order gives the same adjoints, up to the rounding of sums.
    pub reverse_order: Option<u64>,
    /// What the traces of `vjp` keep.
    pub keep: Keep,
    /// Trace a reduction whose operator is scalar code without branches as so many folds side by side, joined by one more: what is traced in
    /// parallel is walked back in parallel (van Hus §3.4). By default in order, element by element.
    pub fold_segments: Option<usize>,
    /// How many threads may walk a trace back; more than one needs the feature `threads`.
    pub threads: usize,
    /// Every float result of a scalar operator passes through it, and every comparison of floats.
    pub rounding: Option<Rounding>,
    /// What the runs under this context have counted so far; read it by [`Ctx::counters`].
    pub totals: RefCell<Counters>,
    /// The failures of the last run; read them by [`Ctx::failures`].
    pub failed: RefCell<Vec<RuntimeError>>,
}

/// How far the outermost loop has come, for another thread to read.
#[derive(Default, Debug)]
pub struct Rounds {
    done: AtomicU64,
    all: AtomicU64,
}

impl Rounds {
    /// A loop begins, of so many rounds; of none if that is not known.
    pub(crate) fn begin(&self, all: i64) {
        self.done.store(0, Ordering::Relaxed);
        self.all.store(all.max(0) as u64, Ordering::Relaxed);
    }

    /// A round is done.
    pub(crate) fn next(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// How many rounds are done, and of how many, if that is known; none if there has been no loop.
    pub fn get(&self) -> Option<(u64, Option<u64>)> {
        let (done, all) = (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed));
        (done + all > 0).then_some((done, Some(all).filter(|all| *all > 0)))
    }
}

/// How streams are cut into chunks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Partition {
    /// One chunk.
    #[default]
    Whole,
    /// Chunks of this size, at least 1, the last perhaps smaller: none for an empty array.
    Chunks(usize),
    /// Chunks of pseudo-random sizes by this seed, zero included.
    Random(u64),
}

impl Partition {
    /// The sizes of the chunks of so many rows.
    pub fn chunks(self, width: usize) -> Vec<usize> {
        match self {
            Partition::Whole => vec![width],
            Partition::Chunks(n) => {
                let n = n.max(1);
                (0..width.div_ceil(n)).map(|i| n.min(width - i * n)).collect()
            }
            Partition::Random(seed) => {
                // A linear congruential generator (Knuth's MMIX), as in the reverse pass.
                let mut state = seed;
                let mut next = |below: usize| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (state >> 33) as usize % below
                };
                let mut chunks = vec![0; next(2)];
                let mut left = width;
                while left > 0 {
                    // Small chunks as often as large ones, zero among them.
                    let most = left.min(1 << next(16));
                    let chunk = next(most + 1);
                    chunks.push(chunk);
                    left -= chunk;
                }
                chunks
            }
        }
    }
}

impl Default for Ctx {
    fn default() -> Self {
        Ctx {
            call: CallCtx::default(),
            fuel: None,
            memory: None,
            call_depth: usize::MAX,
            stack: 256 << 20,
            strict: false,
            show: None,
            stop: None,
            stop_at: None,
            rounds: None,
            all_failures: false,
            partition: Partition::default(),
            plain: false,
            reverse_order: None,
            keep: Keep::default(),
            fold_segments: None,
            threads: 1,
            rounding: None,
            totals: RefCell::default(),
            failed: RefCell::default(),
        }
    }
}

impl Ctx {
    /// A context that reports what a program may not depend on.
    pub fn strict() -> Self {
        Ctx { strict: true, ..Ctx::default() }
    }

    /// What the runs under this context have counted so far.
    pub fn counters(&self) -> Counters {
        self.totals.borrow().clone()
    }

    /// The failures of the last run in the order of evaluation, each once; the first is the one that was returned. Under [`Ctx::all_failures`] all of the
    /// construct that failed, of which a parallel backend may report any, else at most one.
    pub fn failures(&self) -> Vec<RuntimeError> {
        self.failed.borrow().clone()
    }

    pub(crate) fn add(&self, run: &Counters) {
        self.totals.borrow_mut().add(run);
    }
}

/// What runs have counted.
#[derive(Clone, PartialEq, Debug)]
pub struct Counters {
    /// Statements executed.
    pub statements: u64,
    /// Executions of the bodies of functions, loops and lambdas.
    pub bodies: u64,
    /// Elements copied because an array that was to be updated was still held by somebody else.
    pub copied: u64,
    /// Bytes of arrays allocated.
    pub allocated: u64,
    /// Bytes of arrays that the last run has left: what its results hold. Arrays that the caller had before are not counted.
    pub live: u64,
    /// The most bytes that arrays and traces took at once in any run.
    pub peak: u64,
    /// Nodes of all traces.
    pub trace_nodes: u64,
    /// Scalars that traces have kept for a partial derivative to read.
    pub trace_kept: u64,
    /// Nodes of traces walked back.
    pub fired: u64,
    /// How often a statement that computes a tangent or an adjoint has failed.
    pub derivative_failures: u64,
    /// What kernels have done of all that: [`KernelCounters`].
    pub kernels: KernelCounters,
    /// How often a parallel nest of each width was executed.
    pub widths: BTreeMap<usize, u64>,
    nodes: [u64; NodeKind::ALL.len()],
    prims: Vec<u64>,
}

/// What kernels, the interpreter's quick path for scalar code, have done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KernelCounters {
    /// Chunks of points or of trips that they have executed.
    pub chunks: u64,
    /// The steps that these took: [`Counters::statements`] and [`Counters::bodies`].
    pub steps: u64,
    /// The instructions that their code has, in each chunk.
    pub instructions: u64,
    /// The registers that their code uses, in each chunk.
    pub registers: u64,
}

impl Default for Counters {
    fn default() -> Self {
        Counters {
            statements: 0,
            bodies: 0,
            copied: 0,
            allocated: 0,
            live: 0,
            peak: 0,
            trace_nodes: 0,
            trace_kept: 0,
            fired: 0,
            derivative_failures: 0,
            kernels: KernelCounters::default(),
            widths: BTreeMap::new(),
            nodes: [0; NodeKind::ALL.len()],
            prims: vec![0; PRIMS],
        }
    }
}

impl Counters {
    /// The steps taken, as [`Ctx::fuel`] counts them.
    #[inline]
    pub(crate) fn steps(&self) -> u64 {
        self.statements + self.bodies + self.fired
    }

    /// How often a scalar operator was applied to plain scalars: by the program itself, and by derivatives.
    pub fn prim(&self, op: Prim) -> u64 {
        self.prims[prim_index(op)]
    }

    /// How many scalar operators were applied.
    pub fn prims(&self) -> u64 {
        self.prims.iter().sum()
    }

    /// The scalar operators applied and how often.
    pub fn by_prim(&self) -> impl Iterator<Item = (Prim, u64)> {
        Prim::all().map(|op| (op, self.prim(op))).filter(|(_, n)| *n > 0)
    }

    /// How many statements of a kind were executed.
    pub fn node(&self, kind: NodeKind) -> u64 {
        self.nodes[kind as usize]
    }

    #[inline]
    pub(crate) fn count_prim(&mut self, op: Prim) {
        self.prims[prim_index(op)] += 1;
    }

    #[inline]
    pub(crate) fn count_prims(&mut self, op: Prim, n: u64) {
        self.prims[prim_index(op)] += n;
    }

    pub(crate) fn count_nodes(&mut self, kind: NodeKind, n: u64) {
        self.nodes[kind as usize] += n;
    }

    #[inline]
    pub(crate) fn count_node(&mut self, kind: NodeKind) {
        self.nodes[kind as usize] += 1;
    }

    /// What `n` executions of a block count.
    pub(crate) fn add_tally(&mut self, block: &Tally, n: u64) {
        self.statements += block.statements * n;
        self.bodies += block.bodies * n;
        block.nodes.iter().for_each(|(kind, count)| self.nodes[*kind as usize] += count * n);
        block.prims.iter().for_each(|(op, count)| self.prims[prim_index(*op)] += count * n);
    }

    pub(crate) fn add(&mut self, other: &Counters) {
        self.statements += other.statements;
        self.bodies += other.bodies;
        self.copied += other.copied;
        self.allocated += other.allocated;
        self.live = other.live;
        self.peak = self.peak.max(other.peak);
        self.trace_nodes += other.trace_nodes;
        self.trace_kept += other.trace_kept;
        self.fired += other.fired;
        self.derivative_failures += other.derivative_failures;
        self.kernels.chunks += other.kernels.chunks;
        self.kernels.steps += other.kernels.steps;
        self.kernels.instructions += other.kernels.instructions;
        self.kernels.registers += other.kernels.registers;
        for (width, n) in &other.widths {
            *self.widths.entry(*width).or_default() += n;
        }
        self.nodes.iter_mut().zip(other.nodes).for_each(|(a, b)| *a += b);
        self.prims.iter_mut().zip(&other.prims).for_each(|(a, b)| *a += b);
    }
}

/// One more than the largest [`prim_index`].
pub(crate) const PRIMS: usize = 6 << 11;

/// A number for each operator at each width, to index tables by.
#[inline]
pub(crate) fn prim_index(op: Prim) -> usize {
    match op {
        Prim::Un(op, t) => (op as usize) << 4 | t as usize,
        Prim::Bin(op, t) => 1 << 11 | (op as usize) << 4 | t as usize,
        Prim::Cmp(op, t) => 2 << 11 | (op as usize) << 4 | t as usize,
        Prim::Conv(a, b) => 3 << 11 | (a as usize) << 4 | b as usize,
        Prim::Select(t) => 4 << 11 | t as usize,
        Prim::Tern(op, t) => 5 << 11 | (op as usize) << 4 | t as usize,
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)*) => {
        /// The kind of an expression, to count by.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum NodeKind { $($(#[$doc])* $kind,)* }
        impl NodeKind {
            /// Every kind.
            pub const ALL: &'static [NodeKind] = &[$(NodeKind::$kind,)*];
            /// Its name.
            pub fn name(self) -> &'static str { match self { $(NodeKind::$kind => $name,)* } }
        }
    };
}
kinds! {
    /// An operand.
    SubExp = "operand",
    /// An operand that no pass sees through.
    Opaque = "opaque",
    /// A scalar operator.
    Prim = "scalar",
    /// An array literal.
    ArrayLit = "array literal",
    /// An index.
    Index = "index",
    /// A slice.
    Slice = "slice",
    /// A view by offset and strides.
    FlatIndex = "flat index",
    /// An update.
    Update = "update",
    /// An update of a slice.
    UpdateSlice = "slice update",
    /// An update by offset and strides.
    FlatUpdate = "flat update",
    /// `iota`.
    Iota = "iota",
    /// `replicate`.
    Replicate = "replicate",
    /// `scratch`.
    Scratch = "scratch",
    /// `rearrange`.
    Rearrange = "rearrange",
    /// `manifest`.
    Manifest = "manifest",
    /// `reshape`.
    Reshape = "reshape",
    /// `coerce`.
    Coerce = "coerce",
    /// `reverse`.
    Reverse = "reverse",
    /// `rotate`.
    Rotate = "rotate",
    /// `concat`.
    Concat = "concat",
    /// `copy`.
    Copy = "copy",
    /// A check.
    Check = "check",
    /// A call.
    Apply = "call",
    /// A branch.
    If = "if",
    /// A branch by cases.
    Match = "match",
    /// A loop.
    Loop = "loop",
    /// A map, scan or reduction.
    Screma = "screma",
    /// A histogram.
    Hist = "hist",
    /// Writes to computed positions.
    Scatter = "scatter",
    /// A sequential stream.
    StreamSeq = "streamseq",
    /// A parallel stream.
    StreamPar = "streampar",
    /// A map whose rows have sizes of their own.
    FlatMap = "flatmap",
    /// `withacc`.
    WithAcc = "withacc",
    /// `updacc`.
    UpdAcc = "updacc",
    /// `jvp`.
    Jvp = "jvp",
    /// `vjp`.
    Vjp = "vjp",
    /// A function with derivatives of its own.
    Custom = "custom",
    /// A nest after flattening.
    SegOp = "segop",
}

impl fmt::Display for NodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operator_has_its_own_number() {
        let mut numbers: Vec<usize> = Prim::all().map(prim_index).collect();
        assert!(numbers.iter().all(|i| *i < PRIMS));
        let n = numbers.len();
        numbers.sort();
        numbers.dedup();
        assert_eq!(numbers.len(), n);
    }
}
