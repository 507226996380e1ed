//! How many bytes arrays take: what is live now, and the most that ever was.
//!
//! A column is registered with a meter by whoever wants it counted, [`Array::metered`](super::Array::metered), and gives its bytes back when it is
//! dropped. What nobody registers is not counted and costs nothing.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counts bytes. Its counters order no other memory, so they are relaxed.
#[derive(Debug, Default)]
pub struct Meter {
    live: AtomicU64,
    peak: AtomicU64,
}

impl Meter {
    /// The bytes that are held now.
    pub fn live(&self) -> u64 {
        self.live.load(Relaxed)
    }

    /// The most bytes that were ever held at once.
    pub fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }

    fn take(&self, bytes: u64) {
        let live = self.live.fetch_add(bytes, Relaxed) + bytes;
        if live > self.peak.load(Relaxed) {
            self.peak.fetch_max(live, Relaxed);
        }
    }

    fn give_back(&self, bytes: u64) {
        self.live.fetch_sub(bytes, Relaxed);
    }
}

/// Bytes held on a meter, given back when dropped. A clone holds as many more.
#[derive(Debug)]
pub struct Charge {
    meter: Arc<Meter>,
    bytes: u64,
}

impl Charge {
    /// Holds so many bytes.
    pub fn new(meter: &Arc<Meter>, bytes: u64) -> Charge {
        meter.take(bytes);
        Charge { meter: meter.clone(), bytes }
    }

    /// Holds so many bytes from now on.
    pub fn set(&mut self, bytes: u64) {
        match bytes.cmp(&self.bytes) {
            Ordering::Less => self.meter.give_back(self.bytes - bytes),
            Ordering::Equal => {}
            Ordering::Greater => self.meter.take(bytes - self.bytes),
        }
        self.bytes = bytes;
    }
}

impl Clone for Charge {
    fn clone(&self) -> Self {
        Charge::new(&self.meter, self.bytes)
    }
}
impl Drop for Charge {
    fn drop(&mut self) {
        self.meter.give_back(self.bytes);
    }
}

/// The elements of a column: a vector that may be registered with a meter. One that grows after that is to be registered again.
pub struct Buffer<T> {
    data: Vec<T>,
    charge: Option<Charge>,
}

impl<T> Buffer<T> {
    fn bytes(&self) -> u64 {
        (self.data.capacity() * size_of::<T>()) as u64
    }

    /// Holds on this meter, and on no other, the bytes that the vector takes now.
    pub fn register(&mut self, meter: &Arc<Meter>) {
        let bytes = self.bytes();
        match &mut self.charge {
            Some(charge) if Arc::ptr_eq(&charge.meter, meter) => charge.set(bytes),
            charge => *charge = Some(Charge::new(meter, bytes)),
        }
    }

    /// Other elements, registered with the same meter.
    pub(super) fn sibling(&self, data: Vec<T>) -> Buffer<T> {
        let mut buffer = Buffer::from(data);
        if let Some(charge) = &self.charge {
            buffer.register(&charge.meter);
        }
        buffer
    }
}

impl<T> From<Vec<T>> for Buffer<T> {
    fn from(data: Vec<T>) -> Self {
        Buffer { data, charge: None }
    }
}
impl<T: Clone> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        self.sibling(self.data.clone())
    }
}
impl<T> Deref for Buffer<T> {
    type Target = Vec<T>;
    fn deref(&self) -> &Vec<T> {
        &self.data
    }
}
impl<T> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.data
    }
}
impl<T: fmt::Debug> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.data.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Array;
    use super::*;

    #[test]
    fn a_column_is_counted_once_while_it_lives() {
        let meter = Arc::new(Meter::default());
        let mut a = Array::from_vec(&[2, 3], vec![0f64; 6]);
        a.metered(&meter);
        a.metered(&meter);
        // 6 of 8 bytes; a view takes none, a write to it copies a row of 3
        assert_eq!(meter.live(), 48);
        let crate::value::Value::Array(mut row) = a.row(1) else { panic!("a row is an array") };
        assert_eq!(meter.live(), 48);
        row.slice_mut::<f64>(&mut |_| {}).unwrap()[0] = 1.0;
        assert_eq!((meter.live(), meter.peak()), (72, 72));
        drop(a);
        assert_eq!((meter.live(), meter.peak()), (24, 72));
        drop(row);
        assert_eq!((meter.live(), meter.peak()), (0, 72));
    }

    #[test]
    fn what_somebody_else_holds_is_not_registered_and_what_is_moves_to_the_last_meter() {
        let (first, second) = (Arc::new(Meter::default()), Arc::new(Meter::default()));
        let mut a = Array::from_vec(&[4], vec![0i16; 4]);
        let b = a.clone();
        a.metered(&first);
        assert_eq!(first.live(), 0);
        drop(b);
        a.metered(&first);
        a.metered(&second);
        assert_eq!((first.live(), first.peak(), second.live()), (0, 8, 8));
    }

    #[test]
    fn what_grows_is_counted_when_it_is_registered_again() {
        let meter = Arc::new(Meter::default());
        let mut buffer = Buffer::from(Vec::<u32>::with_capacity(10));
        buffer.register(&meter);
        buffer.reserve_exact(20);
        assert_eq!(meter.live(), 40);
        buffer.register(&meter);
        assert_eq!(meter.live(), 80);
        let copy = buffer.clone();
        // a copy of no elements has no room
        assert_eq!((copy.len(), meter.live()), (0, 80));
        drop((buffer, copy));
        assert_eq!(meter.live(), 0);
    }
}
