//! The constructs that programs are made of, and how often each is chosen.

use super::maker::Maker;
use super::scope::Scope;
use super::{Profile, arrays, control, derivatives, irregular, parallel, rows, scalars, segments, soacs, writes};
use futi_core::ir::build::Builder;
use std::fmt;

/// A construct: something that adds statements to a body, and what they give to the scope.
pub(super) struct Construct {
    /// Its name, for [`Weights::set`].
    pub(super) name: &'static str,
    /// How often it is chosen, by [`Profile`].
    weights: [u32; 3],
    /// Whether it has bodies inside, for which there must be room.
    pub(super) nested: bool,
    /// Adds it to a body; to what depth bodies inside of it may nest.
    pub(super) make: fn(&mut Maker, &mut Builder, &mut Scope, usize),
}

const fn flat(
    name: &'static str,
    weights: [u32; 3],
    make: fn(&mut Maker, &mut Builder, &mut Scope, usize),
) -> Construct {
    Construct { name, weights, nested: false, make }
}

const fn nested(
    name: &'static str,
    weights: [u32; 3],
    make: fn(&mut Maker, &mut Builder, &mut Scope, usize),
) -> Construct {
    Construct { name, weights, nested: true, make }
}

/// All constructs. The weights: everything, differentiable, Vulkan.
pub(super) const CONSTRUCTS: &[Construct] = &[
    flat("scalar", [80, 90, 60], scalars::scalar),
    flat("operand", [6, 6, 4], arrays::operand),
    flat("opaque", [9, 5, 4], arrays::opaque),
    flat("array literal", [8, 8, 6], arrays::literal),
    flat("index", [20, 24, 16], arrays::index),
    flat("slice", [14, 14, 8], arrays::slice),
    flat("flat index", [10, 8, 5], arrays::flat_index),
    flat("update", [10, 12, 8], writes::update),
    flat("slice update", [10, 10, 6], writes::update_slice),
    flat("flat update", [10, 8, 5], writes::flat_update),
    flat("iota", [5, 5, 4], arrays::iota),
    flat("replicate", [6, 6, 4], arrays::replicate),
    flat("scratch", [8, 8, 4], writes::scratch),
    flat("rearrange", [10, 10, 6], arrays::rearrange),
    flat("manifest", [9, 4, 3], arrays::manifest),
    flat("reshape", [9, 9, 6], arrays::reshape),
    flat("coerce", [9, 9, 4], arrays::coerce),
    flat("reverse", [8, 8, 4], arrays::reverse),
    flat("rotate", [9, 7, 4], arrays::rotate),
    flat("concat", [9, 10, 5], arrays::concat),
    flat("copy", [5, 5, 3], arrays::copy),
    flat("check", [10, 8, 5], control::check),
    nested("if", [14, 16, 8], control::branch),
    nested("if of sizes", [5, 4, 3], control::branch_of_sizes),
    nested("match", [12, 9, 4], control::match_),
    nested("for", [14, 18, 8], control::for_),
    nested("while", [8, 9, 3], control::while_),
    nested("loop of sizes", [6, 8, 3], control::loop_of_sizes),
    nested("call", [12, 12, 3], control::call),
    nested("recursion", [2, 0, 0], control::recursion),
    nested("map", [30, 40, 26], soacs::map),
    nested("irregular", [14, 14, 66], irregular::irregular),
    nested("growing in a map", [0, 0, 10], irregular::growing),
    nested("rounds in a map", [0, 0, 320], rows::rounds),
    nested("reduce", [20, 26, 16], soacs::reduce),
    nested("scan", [16, 20, 8], soacs::scan),
    nested("screma", [8, 8, 3], soacs::several),
    nested("post", [10, 6, 5], soacs::post),
    nested("hist", [14, 10, 36], writes::hist),
    nested("scatter", [14, 12, 12], writes::scatter),
    nested("streamseq", [10, 6, 3], parallel::sequential_stream),
    nested("streampar", [10, 6, 3], parallel::parallel_stream),
    nested("flatmap", [15, 10, 6], parallel::flatmap),
    nested("withacc", [14, 12, 16], parallel::withacc),
    nested("jvp", [9, 9, 4], derivatives::jvp),
    nested("vjp", [9, 9, 4], derivatives::vjp),
    nested("custom", [12, 9, 3], derivatives::custom),
    nested("segmap", [7, 0, 0], segments::segmap),
    nested("segred", [7, 0, 0], segments::segred),
    nested("segscan", [7, 0, 0], segments::segscan),
    nested("segwrite", [7, 0, 0], segments::segwrite),
];

/// How often each construct is chosen; zero for never.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights(Vec<u32>);

/// There is no construct of that name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownConstruct(pub String);

impl fmt::Display for UnknownConstruct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Weights::names().collect();
        write!(f, "there is no construct `{}`; there are: {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownConstruct {}

impl Weights {
    /// The weights of a profile.
    pub fn of(profile: Profile) -> Weights {
        Weights(CONSTRUCTS.iter().map(|c| c.weights[profile as usize]).collect())
    }

    /// The names of the constructs.
    pub fn names() -> impl Iterator<Item = &'static str> {
        CONSTRUCTS.iter().map(|c| c.name)
    }

    /// Makes a construct more or less likely. What a profile has no weight for, its oracles or backends may refuse.
    ///
    /// # Errors
    /// When there is no construct of that name.
    pub fn set(&mut self, name: &str, weight: u32) -> Result<(), UnknownConstruct> {
        let i = CONSTRUCTS.iter().position(|c| c.name == name).ok_or_else(|| UnknownConstruct(name.into()))?;
        self.0[i] = weight;
        Ok(())
    }

    /// Leaves out what the profile has no weight for.
    pub(super) fn only(&mut self, profile: Profile) {
        for (weight, c) in self.0.iter_mut().zip(CONSTRUCTS) {
            *weight = if c.weights[profile as usize] == 0 { 0 } else { *weight };
        }
    }

    /// The weight of a construct, by its position.
    pub(super) fn at(&self, i: usize) -> u32 {
        self.0[i]
    }
}
