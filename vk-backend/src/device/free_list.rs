//! Which parts of one block of memory are free.

use std::collections::BTreeMap;

/// The free ranges of a block, as offset and length; disjoint, none adjacent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FreeList {
    free: BTreeMap<u64, u64>,
    size: u64,
}

impl FreeList {
    /// A block of `size` bytes, all free.
    pub(super) fn new(size: u64) -> FreeList {
        FreeList { free: BTreeMap::from([(0, size)]), size }
    }

    /// Whether nothing is allocated.
    pub(super) fn is_unused(&self) -> bool {
        self.free.get(&0) == Some(&self.size)
    }

    /// The smallest free range that holds `len` bytes, as offset and length.
    pub(super) fn best_fit(&self, len: u64) -> Option<(u64, u64)> {
        self.free
            .iter()
            .map(|(&offset, &free)| (offset, free))
            .filter(|&(_, free)| free >= len)
            .min_by_key(|&(_, free)| free)
    }

    /// Takes `len` bytes from the start of the free range at `offset`, which [`FreeList::best_fit`] found.
    pub(super) fn take(&mut self, offset: u64, len: u64) {
        if let Some(free) = self.free.remove(&offset)
            && free > len
        {
            self.free.insert(offset + len, free - len);
        }
    }

    /// Gives a range back, joining it with its free neighbours.
    pub(super) fn give(&mut self, offset: u64, len: u64) {
        let (mut offset, mut len) = (offset, len);
        if let Some((&before, &free)) = self.free.range(..offset).next_back()
            && before + free == offset
        {
            self.free.remove(&before);
            (offset, len) = (before, free + len);
        }
        if let Some(after) = self.free.remove(&(offset + len)) {
            len += after;
        }
        self.free.insert(offset, len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allocate(list: &mut FreeList, len: u64) -> Option<u64> {
        let (offset, _) = list.best_fit(len)?;
        list.take(offset, len);
        Some(offset)
    }

    #[test]
    fn what_is_given_back_joins_its_neighbours() {
        let mut list = FreeList::new(100);
        let offsets: Vec<_> = (0..4).filter_map(|_| allocate(&mut list, 25)).collect();
        assert_eq!(offsets, [0, 25, 50, 75]);
        assert_eq!(allocate(&mut list, 1), None);
        list.give(25, 25);
        list.give(75, 25);
        assert_eq!(allocate(&mut list, 26), None);
        list.give(50, 25);
        assert_eq!(allocate(&mut list, 75), Some(25));
        list.give(0, 25);
        list.give(25, 75);
        assert!(list.is_unused());
    }

    #[test]
    fn the_tightest_hole_is_taken() {
        let mut list = FreeList::new(100);
        for _ in 0..10 {
            allocate(&mut list, 10);
        }
        list.give(0, 30);
        list.give(50, 10);
        list.give(80, 20);
        assert_eq!(allocate(&mut list, 10), Some(50));
        assert_eq!(allocate(&mut list, 15), Some(80));
        assert_eq!(allocate(&mut list, 30), Some(0));
    }
}
