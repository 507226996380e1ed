//! Named tuning parameters.

use crate::device::{Caps, DeviceKind};
use futi_core::passes::flatten::ENOUGH;
use futi_kernels::host::options::{MemoryOptions, Thresholds};

/// The numbers that decide how nests are run.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    /// As many workgroups are launched at most; more points are taken in turns.
    pub max_groups: i64,
    /// A reduction is spread over as many workgroups, if it is long enough.
    pub reduce_groups: i64,
    /// From as many segments on, each is reduced by one invocation.
    pub reduce_each_segments: i64,
    /// Segments up to this length are reduced by one invocation each.
    pub reduce_each_length: i64,
    /// A scan is cut into as many chunks at most.
    pub scan_chunks: i64,
    /// Nests of as many points run sequential code at each; of those with fewer, what is parallel inside is made for all points at once.
    /// This number is that of all nests to which none is given by name.
    pub thresholds: Thresholds,
    /// The host is so many rounds of a loop ahead at most, where the device decides whether there are any more.
    pub batch: i64,
    /// A loop with up to so many points and elements in a round is one invocation's.
    pub whole_loops: i64,
    /// Bytes of memory for the invocations' own arrays at most; fewer invocations run where it does not suffice.
    pub scratch_bytes: i64,
    /// Whether dispatches are timed, one by one.
    pub profile: i64,
    /// What is done about memory.
    pub memory: MemoryOptions,
}

impl Tuning {
    /// What suits a device.
    pub fn of(caps: &Caps) -> Tuning {
        let cpu = caps.kind == DeviceKind::Cpu;
        Tuning {
            // mutant: how many workgroups take the points in turns changes no result
            max_groups: if cpu { 65535 } else { 16384 }.min(i64::from(caps.max_groups[0])),
            // mutant: over how many workgroups a reduction is spread changes no result
            reduce_groups: if cpu { 16 } else { 1024 },
            // mutant: from how many segments on each has one invocation changes no result
            reduce_each_segments: if cpu { 512 } else { 32768 },
            // mutant: up to which length a segment has one invocation changes no result
            reduce_each_length: 16,
            // mutant: into how many chunks a scan is cut changes no result
            scan_chunks: if cpu { 512 } else { 1 << 17 },
            // mutant: whichever code a nest has, its results are the same
            thresholds: Thresholds::all(if cpu { 64 } else { ENOUGH }),
            // mutant: how often the host looks changes no result
            batch: 4096,
            // mutant: who runs a loop changes no result
            whole_loops: if cpu { 4096 } else { 64 },
            // mutant: how many invocations share the memory for their own arrays changes no result
            scratch_bytes: (caps.memory / 8).min(1 << 30) as i64,
            profile: 0,
            memory: MemoryOptions::default(),
        }
    }

    /// The same for what has to do with few rounds an invocation.
    pub fn patient(&self) -> Tuning {
        Tuning {
            reduce_groups: 1024,
            // mutant: into how many chunks a scan is cut changes no result, if they are enough
            scan_chunks: 1 << 17,
            thresholds: Thresholds::all(i64::MAX),
            // the loops of the library's functions are not counted among the rounds of such a loop
            whole_loops: 0,
            ..self.clone()
        }
    }

    /// How many workgroups of `size` invocations run a kernel that could use as many as `wanted`, in turns if these are fewer. Each
    /// invocation has arrays of its own of as many bytes as `own` says.
    pub fn groups(&self, wanted: i64, size: i64, own: &[i64]) -> i64 {
        let own_bytes = own.iter().copied().fold(0, i64::saturating_add);
        let fitting = if own_bytes > 0 { self.scratch_bytes / own_bytes / size } else { i64::MAX };
        wanted.min(self.max_groups).min(fitting).max(1)
    }

    /// Names and values.
    pub fn list(&self) -> Vec<(String, i64)> {
        let mut copy = self.clone();
        let names = [
            "max_groups",
            "reduce_groups",
            "reduce_each_segments",
            "reduce_each_length",
            "scan_chunks",
            "enough",
            "batch",
            "whole_loops",
            "scratch_bytes",
            "profile",
        ];
        let names = names.iter().chain(&MemoryOptions::NAMES);
        // mutant: all names of the list are known
        names.map(|name| (name.to_string(), copy.named(name).map_or(0, |value| *value))).collect()
    }

    /// Sets what is named; unknown names are a program's thresholds, or somebody else's.
    pub fn set(&mut self, values: &[(String, i64)]) {
        for (name, value) in values {
            match self.named(name) {
                Some(parameter) => *parameter = *value,
                None => self.thresholds.named.push((name.clone(), *value)),
            }
        }
        self.max_groups = self.max_groups.max(1);
        // mutant off by one: one workgroup more than asked for changes no result
        self.reduce_groups = self.reduce_groups.max(1);
    }

    fn named(&mut self, name: &str) -> Option<&mut i64> {
        Some(match name {
            "max_groups" => &mut self.max_groups,
            "reduce_groups" => &mut self.reduce_groups,
            "reduce_each_segments" => &mut self.reduce_each_segments,
            "reduce_each_length" => &mut self.reduce_each_length,
            "scan_chunks" => &mut self.scan_chunks,
            "enough" => &mut self.thresholds.enough,
            "batch" => &mut self.batch,
            "whole_loops" => &mut self.whole_loops,
            "scratch_bytes" => &mut self.scratch_bytes,
            "profile" => &mut self.profile,
            _ => return self.memory.named(name),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// polygamma in 3 rounds of 37 elements each, by one invocation, is more than llvmpipe's 65535 rounds.
    #[test]
    fn who_is_patient_leaves_no_loop_to_one_invocation() {
        let tuning = Tuning::of(&Caps::complete());
        assert!(tuning.whole_loops > 0);
        let patient = tuning.patient();
        assert_eq!((patient.whole_loops, patient.max_groups), (0, tuning.max_groups));
    }
}
