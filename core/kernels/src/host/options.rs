//! What is done about memory, by names that all machines share; the pattern of memory in which nothing has been written; and thresholds by their names.

use super::ir::{HostProgram, ThresholdId};
use futi_core::prim::ScalarType;

/// Switches: 0 is off, anything else on.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryOptions {
    /// Whether memory is freed behind its last use; else it lives to the end of its block.
    pub free: i64,
    /// Whether the host updates arrays in place; else it copies them before.
    pub in_place: i64,
    /// Whether memory in which nothing has been written is filled with [`poison`].
    pub poison: i64,
}

impl Default for MemoryOptions {
    fn default() -> Self {
        MemoryOptions { free: 1, in_place: 1, poison: 0 }
    }
}

impl MemoryOptions {
    /// The names that all have.
    pub const NAMES: [&str; 3] = ["free", "in_place", "poison"];

    /// The switch of a name.
    pub fn named(&mut self, name: &str) -> Option<&mut i64> {
        match name {
            "free" => Some(&mut self.free),
            "in_place" => Some(&mut self.in_place),
            "poison" => Some(&mut self.poison),
            _ => None,
        }
    }
}

/// What is asked for by names that a machine does not know itself, and what a threshold is of which nothing is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// Names, of programs' thresholds or of somebody else's, and values; of several for one name the last one counts.
    pub named: Vec<(String, i64)>,
    /// The value of the others.
    pub enough: i64,
}

impl Thresholds {
    /// No names, and a value for all.
    pub fn all(enough: i64) -> Thresholds {
        Thresholds { named: Vec::new(), enough }
    }

    /// What a threshold of a program is.
    pub fn get(&self, program: &HostProgram, id: ThresholdId) -> i64 {
        let is_named = |name: &String| self.named.iter().rev().find(|(known, _)| known == name);
        program.thresholds.get(id.at()).and_then(is_named).map_or(self.enough, |(_, value)| *value)
    }

    /// The names of a program's thresholds, and their values.
    pub fn list(&self, program: &HostProgram) -> Vec<(String, i64)> {
        let ids = (0..).map(ThresholdId);
        program.thresholds.iter().zip(ids).map(|(name, id)| (name.clone(), self.get(program, id))).collect()
    }
}

/// Four bytes, again and again, of memory of this type that is to show where it is read: NaN for floats, an odd number that is the greatest or near it for integers, true for truth values.
pub fn poison(elem: ScalarType) -> u32 {
    match (elem, elem.bytes()) {
        (ScalarType::Bool, _) => 0x0101_0101,
        (_, 1) => 0x7f7f_7f7f,
        (_, 2) => 0x7fff_7fff,
        // of eight bytes both halves: as a float that is NaN, too
        _ => 0x7fff_ffff,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::prim::Scalar;

    #[test]
    fn poison_shows() {
        for ty in ScalarType::ALL {
            let word = u64::from(poison(ty));
            let x = Scalar::from_bits(ty, (word << 32 | word) & (u64::MAX >> (64 - 8 * ty.bytes())));
            match ty {
                ScalarType::Bool => assert_eq!(x, Scalar::Bool(true)),
                _ if ty.is_float() => assert!(x.to_f64().is_nan(), "{x}"),
                _ => {
                    let half = f64::from(ty.bytes() as u32 * 8 - 1).exp2();
                    let odd = x.to_int().is_some_and(|x| x % 2 == 1);
                    assert!(odd && (0.99 * half..=half).contains(&x.to_f64()), "{x}");
                }
            }
        }
    }

    #[test]
    fn every_name_is_a_switch() {
        let mut all = MemoryOptions::default();
        MemoryOptions::NAMES.iter().for_each(|name| *all.named(name).unwrap() += 5);
        assert_eq!(all, MemoryOptions { free: 6, in_place: 6, poison: 5 });
        assert_eq!(all.named("freed"), None);
    }
}
