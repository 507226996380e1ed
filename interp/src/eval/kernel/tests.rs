//! Kernels against the plain path.
