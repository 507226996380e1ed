//! Whether a mutant is on. This file is the whole of the crate `futi-mutant`, on which the mutated copies of the other crates depend.
//!
//! `FUTI_MUTANT` names the mutant that is on in this process, by its number. With `FUTI_MUTANT_RECORD`, none is, and the number of each mutant whose
//! place is reached is appended to that file, once, in four bytes: children of the process write to the same file.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// More numbers than there are mutants.
const MOST: usize = 1 << 16;
/// The environment has not been looked at.
const UNKNOWN: u32 = u32::MAX;
/// No mutant is on; what is reached is written down.
const RECORDING: u32 = u32::MAX - 1;
/// No mutant is on.
const NONE: u32 = u32::MAX - 2;

static MODE: AtomicU32 = AtomicU32::new(UNKNOWN);
static RECORD: OnceLock<Option<File>> = OnceLock::new();
static SEEN: [AtomicBool; MOST] = [const { AtomicBool::new(false) }; MOST];

/// Whether the mutant of that number is on; asked at its place.
#[inline]
pub fn on(id: u32) -> bool {
    let mode = MODE.load(Ordering::Relaxed);
    if mode >= RECORDING { first(id) } else { mode == id }
}

#[cold]
fn first(id: u32) -> bool {
    if MODE.load(Ordering::Relaxed) == UNKNOWN {
        let record = RECORD.get_or_init(|| {
            let path = std::env::var_os("FUTI_MUTANT_RECORD")?;
            OpenOptions::new().create(true).append(true).open(path).ok()
        });
        let number = std::env::var("FUTI_MUTANT").ok().and_then(|text| text.parse().ok());
        MODE.store(if record.is_some() { RECORDING } else { number.unwrap_or(NONE) }, Ordering::Relaxed);
    }
    let mode = MODE.load(Ordering::Relaxed);
    let seen = SEEN.get(id as usize);
    if mode == RECORDING
        && seen.is_some_and(|seen| !seen.swap(true, Ordering::Relaxed))
        && let Some(Some(file)) = RECORD.get()
    {
        let _ = (&mut &*file).write_all(&id.to_le_bytes());
    }
    mode == id
}

/// The marks around a piece of text in a text that has two readings: before the number, after it, between the readings, after them.
pub const MARKS: [char; 4] = ['\u{e000}', '\u{e001}', '\u{e002}', '\u{e003}'];

/// A text without marks: of each marked piece, the reading that is on.
pub fn text(marked: &str) -> String {
    let mut out = String::new();
    let mut rest = marked;
    let cut = |rest: &mut &str, mark: char| -> Option<String> {
        let (before, after) = rest.split_once(mark)?;
        let before = before.to_string();
        *rest = after;
        Some(before)
    };
    while let Some(before) = cut(&mut rest, MARKS[0]) {
        out += &before;
        let parts = [MARKS[1], MARKS[2], MARKS[3]].map(|mark| cut(&mut rest, mark).unwrap_or_default());
        let [number, original, mutated] = parts;
        let is_on = number.parse().is_ok_and(on);
        out += if is_on { &mutated } else { &original };
    }
    out + rest
}

/// An iterator, from the back unless a mutant is on.
pub enum Rev<I> {
    /// From the front.
    Front(I),
    /// From the back.
    Back(std::iter::Rev<I>),
}

/// `iterator.rev()`, or without `rev` if the mutant is on.
pub fn rev<I: DoubleEndedIterator>(id: u32, iterator: I) -> Rev<I> {
    if on(id) { Rev::Front(iterator) } else { Rev::Back(iterator.rev()) }
}

impl<I: DoubleEndedIterator> Iterator for Rev<I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        match self {
            Rev::Front(i) => i.next(),
            Rev::Back(i) => i.next(),
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Rev::Front(i) => i.size_hint(),
            Rev::Back(i) => i.size_hint(),
        }
    }
}
impl<I: DoubleEndedIterator> DoubleEndedIterator for Rev<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        match self {
            Rev::Front(i) => i.next_back(),
            Rev::Back(i) => i.next_back(),
        }
    }
}
impl<I: DoubleEndedIterator + ExactSizeIterator> ExactSizeIterator for Rev<I> {}
