//! What becomes of the program where the system has no memory for it.

use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};
use std::io::Write;

// Note [No memory]
// ~~~~~~~~~~~~~~~~
// Where an allocation fails, Rust ends the process by a signal, and the hook that could change it is not stable. So the allocator says itself that there is no
// memory, and ends the process as other failures do. A large array the interpreter asks the system for before it makes it: such a question is answered, so that
// the program fails, with its place, and an interactive session goes on.

/// An allocator that is quick with small trees, but for what happens where it has nothing left: Note [No memory].
pub struct Ending;

/// What is asked for by more bytes than these may be a question.
const QUESTION: usize = 1 << 28;

// SAFETY: everything is the inner allocator's; what is returned is what that returned.
unsafe impl GlobalAlloc for Ending {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller has promised what the inner allocator asks for
        let found = unsafe { MiMalloc.alloc(layout) };
        if found.is_null() && layout.size() <= QUESTION { end() } else { found }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above
        let found = unsafe { MiMalloc.alloc_zeroed(layout) };
        if found.is_null() { end() } else { found }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above
        let found = unsafe { MiMalloc.realloc(old, layout, size) };
        if found.is_null() { end() } else { found }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as above
        unsafe { MiMalloc.dealloc(old, layout) }
    }
}

/// Says that there is no memory, without any, and ends the process.
pub fn end() -> ! {
    let _ = std::io::stderr().write_all(b"futi: the system has no more memory for this process\n");
    std::process::exit(1)
}
