//! Sets of address ranges.

use crate::recording::Range;
use std::collections::BTreeMap;

/// A set of addresses, kept as disjoint, non-adjacent, non-empty ranges: start to end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RangeSet {
    ends: BTreeMap<u64, u64>,
}

impl RangeSet {
    /// Adds all addresses of a range.
    pub fn insert(&mut self, range: Range) {
        if range.len == 0 {
            return;
        }
        let (mut start, mut end) = (range.start, range.end());
        // Every range that touches the new one starts at or before its end; walk backwards until one ends before it.
        while let Some((&s, &e)) = self.ends.range(..=end).next_back() {
            if e < start {
                break;
            }
            self.ends.remove(&s);
            start = start.min(s);
            end = end.max(e);
        }
        self.ends.insert(start, end);
    }

    /// Whether some address of the range is in the set.
    pub fn overlaps(&self, range: Range) -> bool {
        range.len > 0 && self.ends.range(..range.end()).next_back().is_some_and(|(_, &end)| end > range.start)
    }

    /// Makes the set empty.
    pub fn clear(&mut self) {
        self.ends.clear();
    }

    /// The ranges, by address.
    #[cfg(test)]
    fn iter(&self) -> impl Iterator<Item = Range> {
        self.ends.iter().map(|(&start, &end)| Range::new(start, end - start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ranges: &[(u64, u64)]) -> RangeSet {
        let mut set = RangeSet::default();
        ranges.iter().for_each(|&(start, len)| set.insert(Range::new(start, len)));
        set
    }

    #[test]
    fn ranges_that_touch_become_one() {
        assert_eq!(set(&[(0, 4), (8, 4), (4, 4)]).iter().collect::<Vec<_>>(), [Range::new(0, 12)]);
        assert_eq!(set(&[(0, 4), (5, 4)]).iter().count(), 2);
        assert_eq!(set(&[(2, 1), (4, 1), (6, 1), (0, 10)]).iter().collect::<Vec<_>>(), [Range::new(0, 10)]);
        assert_eq!(set(&[(0, 10), (2, 3)]).iter().collect::<Vec<_>>(), [Range::new(0, 10)]);
    }

    #[test]
    fn overlap_agrees_with_membership() {
        // Against a set of single addresses, for every short range over a few small sets.
        for ranges in [vec![], vec![(3, 2)], vec![(0, 1), (4, 3), (9, 1)], vec![(2, 5), (1, 3), (8, 0)]] {
            let set = set(&ranges);
            let member = |a: u64| ranges.iter().any(|&(s, l)| s <= a && a < s + l);
            for start in 0..12 {
                for len in 0..6 {
                    assert_eq!(
                        set.overlaps(Range::new(start, len)),
                        (start..start + len).any(member),
                        "{ranges:?} {start}+{len}"
                    );
                }
            }
        }
    }
}
