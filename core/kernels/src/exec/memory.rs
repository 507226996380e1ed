//! Memory: bytes, of which is known which have been written. What an element is says who reads it.

use futi_core::prim::{Scalar, ScalarType};
use std::ops::Range;

/// Bytes, and which of them have been written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Bytes {
    bytes: Vec<u8>,
    /// A bit for each byte.
    written: Vec<u64>,
}

impl Bytes {
    /// So many, none of them written.
    pub fn new(len: usize) -> Bytes {
        Bytes { bytes: vec![0; len], written: vec![0; len.div_ceil(64)] }
    }

    /// Elements one behind the other, all written.
    pub fn of(elements: impl IntoIterator<Item = Scalar>) -> Bytes {
        let mut all = Bytes::default();
        for x in elements {
            all.bytes.extend_from_slice(&x.bits().to_le_bytes()[..x.scalar_type().bytes()]);
        }
        all.written = vec![u64::MAX; all.bytes.len().div_ceil(64)];
        all
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Nothing has been written any more.
    pub fn forget(&mut self) {
        self.written.fill(0);
    }

    /// All elements of a type; those that have not been written are none.
    pub fn elements(&self, ty: ScalarType) -> Vec<Option<Scalar>> {
        let width = ty.bytes();
        (0..self.len() / width).map(|i| Some(Scalar::from_bits(ty, self.get(i * width, width)?))).collect()
    }

    /// Bytes of a range, or which is the first of them that has not been written.
    pub fn read(&self, range: Range<usize>) -> Result<&[u8], usize> {
        let bytes = self.bytes.get(range.clone()).ok_or(range.start)?;
        let missing = words(range).find_map(|(word, mask)| match !self.written[word] & mask {
            0 => None,
            missing => Some(64 * word + missing.trailing_zeros() as usize),
        });
        missing.map_or(Ok(bytes), Err)
    }

    /// Writes bytes from one on, if there are so many.
    pub fn write(&mut self, at: usize, bytes: &[u8]) {
        let range = at..at.saturating_add(bytes.len());
        if let Some(own) = self.bytes.get_mut(range.clone()) {
            own.copy_from_slice(bytes);
            words(range).for_each(|(word, mask)| self.written[word] |= mask);
        }
    }

    /// A copy of some of the bytes, where there are so many. What has not been written is no more than that in the copy.
    pub fn part(&self, range: Range<usize>) -> Bytes {
        let Some(bytes) = self.bytes.get(range.clone()) else { return Bytes::default() };
        let mut part = Bytes { bytes: bytes.to_vec(), written: vec![0; range.len().div_ceil(64)] };
        for (i, at) in range.enumerate() {
            part.written[i / 64] |= (self.written[at / 64] >> (at % 64) & 1) << (i % 64);
        }
        part
    }

    /// Puts bytes in the place of those from one on, if there are so many.
    pub fn put(&mut self, at: usize, part: &Bytes) {
        let range = at..at.saturating_add(part.len());
        if let Some(own) = self.bytes.get_mut(range.clone()) {
            own.copy_from_slice(&part.bytes);
            for (i, at) in range.enumerate() {
                let written = part.written[i / 64] >> (i % 64) & 1;
                self.written[at / 64] = self.written[at / 64] & !(1 << (at % 64)) | written << (at % 64);
            }
        }
    }

    /// Which bits of a word say that an element has been written.
    fn mask(at: usize, width: usize) -> u64 {
        ((1 << width) - 1) << (at % 64)
    }

    /// The element of so many bytes, if all of it has been written. It is at a multiple of its width, which is 1, 2, 4 or 8.
    #[inline]
    pub fn get(&self, at: usize, width: usize) -> Option<u64> {
        let mask = Bytes::mask(at, width);
        if self.written.get(at / 64)? & mask != mask {
            return None;
        }
        let mut bits = [0; 8];
        match (width, self.bytes.get(at..at + width)?) {
            (4, bytes) => bits[..4].copy_from_slice(bytes),
            (8, bytes) => bits.copy_from_slice(bytes),
            (_, bytes) => bits[..width].copy_from_slice(bytes),
        }
        Some(u64::from_le_bytes(bits))
    }

    /// Writes an element, likewise.
    #[inline]
    pub fn set(&mut self, at: usize, width: usize, bits: u64) {
        if let Some(bytes) = self.bytes.get_mut(at..at + width) {
            match width {
                4 => bytes.copy_from_slice(&(bits as u32).to_le_bytes()),
                8 => bytes.copy_from_slice(&bits.to_le_bytes()),
                _ => bytes.copy_from_slice(&bits.to_le_bytes()[..width]),
            }
            self.written[at / 64] |= Bytes::mask(at, width);
        }
    }

    /// An element, likewise, is one that has not been written.
    pub fn unset(&mut self, at: usize, width: usize) {
        if let Some(word) = self.written.get_mut(at / 64) {
            *word &= !Bytes::mask(at, width);
        }
    }
}

/// The words that have the bits of a range, and in each of them which these are.
fn words(range: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    (range.start / 64..range.end.div_ceil(64)).filter_map(move |word| {
        let (from, to) = (range.start.max(64 * word) - 64 * word, range.end.min(64 * word + 64) - 64 * word);
        (from < to).then(|| (word, (u64::MAX >> (64 - (to - from))) << from))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_come_back_where_all_of_them_was_written() {
        let mut bytes = Bytes::new(16);
        assert_eq!(bytes.get(0, 4), None);
        bytes.set(4, 2, 0x1_2345);
        assert_eq!((bytes.get(4, 2), bytes.get(4, 1), bytes.get(4, 4)), (Some(0x2345), Some(0x45), None));
        bytes.set(6, 2, 0xffff);
        // little endian
        assert_eq!(bytes.get(4, 4), Some(0xffff_2345));
        assert_eq!(bytes.elements(ScalarType::I16)[2..4], [Some(Scalar::I16(0x2345)), Some(Scalar::I16(-1))]);
        bytes.set(8, 8, u64::MAX);
        assert_eq!((bytes.get(8, 8), bytes.get(16, 1)), (Some(u64::MAX), None));
        bytes.unset(8, 4);
        assert_eq!((bytes.get(8, 8), bytes.get(8, 4), bytes.get(12, 4)), (None, None, Some(u32::MAX.into())));
        bytes.forget();
        assert_eq!(bytes.elements(ScalarType::I64), [None, None]);
    }

    #[test]
    fn ranges_are_read_where_all_of_them_was_written() {
        let mut bytes = Bytes::new(130);
        bytes.write(62, &[7; 67]);
        assert_eq!(bytes.read(62..129), Ok(&[7; 67][..]));
        assert_eq!((bytes.read(60..64), bytes.read(128..130), bytes.read(129..129)), (Err(60), Err(129), Ok(&[][..])));
        // beyond the end there is nothing to write
        bytes.write(129, &[1, 1]);
        assert_eq!((bytes.read(129..130), bytes.read(129..131)), (Err(129), Err(129)));
    }

    #[test]
    fn elements_of_every_type_are_bytes() {
        for ty in ScalarType::ALL {
            let all = [ty.zero(), ty.one(), Scalar::from_i64(ty, -1)];
            let bytes = Bytes::of(all);
            assert_eq!((bytes.len(), bytes.elements(ty)), (3 * ty.bytes(), all.map(Some).to_vec()));
        }
    }
}
