//! Tables by hash, of which the compiler makes many. Their keys are numbers and names of ours, so a quick hash will do; it is not random, and the order in which one
//! goes over a table is the same in each run.

use im::shared_ptr::DefaultSharedPtr;
use rustc_hash::FxBuildHasher;

pub use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// A table of which a copy shares what it has with the original.
pub type SharedMap<K, V> = im::GenericHashMap<K, V, FxBuildHasher, DefaultSharedPtr>;

/// A set of which a copy shares what it has with the original.
pub type SharedSet<K> = im::GenericHashSet<K, FxBuildHasher, DefaultSharedPtr>;
