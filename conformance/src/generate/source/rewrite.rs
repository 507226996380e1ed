//! Rewrites.
