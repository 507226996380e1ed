//! to come
pub const VERSION: u32 = 1;
