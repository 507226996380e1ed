//! to come
pub struct Checked<T>(pub T);
