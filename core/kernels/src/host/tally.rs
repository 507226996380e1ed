//! What the runs of a host program have cost, kernel by kernel.

use super::CheckedHost;
use super::ir::{KernelId, ThresholdId};
use futi_core::backend::{KernelProfile, NARROW, Profile};
use futi_core::ir::Prov;
use std::collections::{BTreeMap, BTreeSet};

/// What the launches of a kernel have cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Launches.
    pub launches: u64,
    /// Points of the parallel nest.
    pub points: u64,
    /// Scalar operators that were applied.
    pub operations: u64,
    /// Of these, those of launches of fewer invocations than [`NARROW`].
    pub narrow: u64,
    /// Bytes that were read and written.
    pub bytes: u64,
    /// Time on a device, if that tells.
    pub nanoseconds: Option<u64>,
}

/// What runs have cost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tallies {
    /// Each kernel that was launched, in the order of first use.
    pub kernels: Vec<(KernelId, Tally)>,
    /// Scalar operators that the host has applied.
    pub host_operations: u64,
    /// How often the host has waited for the device.
    pub looks: u64,
    /// Which numbers of points were compared with each threshold; of many, some.
    pub compared: BTreeMap<ThresholdId, BTreeSet<i64>>,
}

/// As many numbers of points are kept of a threshold.
const MOST_COMPARED: usize = 1000;

impl Tallies {
    /// That of a kernel.
    pub fn of(&mut self, kernel: KernelId) -> &mut Tally {
        let at = self.kernels.iter().position(|(id, _)| *id == kernel).unwrap_or_else(|| {
            self.kernels.push((kernel, Tally::default()));
            self.kernels.len() - 1
        });
        &mut self.kernels[at].1
    }

    /// Counts a launch of a kernel over so many points, by so many invocations, and what it does there.
    pub fn launched(&mut self, kernel: KernelId, points: u64, invocations: u64, operations: u64, bytes: u64) {
        let tally = self.of(kernel);
        tally.launches += 1;
        tally.points = tally.points.saturating_add(points);
        tally.operations = tally.operations.saturating_add(operations);
        // a group may have more invocations than there is to do
        if invocations.min(points) < NARROW {
            tally.narrow = tally.narrow.saturating_add(operations);
        }
        tally.bytes = tally.bytes.saturating_add(bytes);
    }

    /// So many points are compared with a threshold.
    pub fn compare(&mut self, threshold: ThresholdId, points: i64) {
        let compared = self.compared.entry(threshold).or_default();
        if compared.len() < MOST_COMPARED {
            compared.insert(points);
        }
    }

    /// A row for each kernel of the program, and one for the host.
    pub fn profile(&self, program: &CheckedHost) -> Profile {
        let row = |name: String, prov, tally: Tally| KernelProfile {
            name,
            prov,
            launches: tally.launches,
            invocations: tally.points,
            operations: tally.operations,
            narrow: tally.narrow,
            bytes: tally.bytes,
            nanoseconds: tally.nanoseconds,
        };
        let kernels = self.kernels.iter().filter_map(|(id, tally)| {
            let kernel = program.kernels.get(id.at())?.kernel.kernel();
            Some(row(kernel.name.to_string(), kernel.prov, *tally))
        });
        let operations = self.host_operations;
        let host = Tally { points: 1, operations, narrow: operations, ..Tally::default() };
        let kernels = kernels.chain([row("host".into(), Prov::UNKNOWN, host)]).collect();
        let compared = |(name, id): (&String, ThresholdId)| {
            let points = self.compared.get(&id).into_iter().flatten().copied().collect();
            (name.clone(), points)
        };
        let thresholds = program.thresholds.iter().zip((0..).map(ThresholdId)).map(compared).collect();
        Profile { kernels, looks: self.looks, thresholds }
    }
}
