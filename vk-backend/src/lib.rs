//! Futi's Vulkan backend.
//!
//! A flat program becomes a host program and kernels ([`futi_kernels::generate`]), and these GLSL ([`mod@print`], [`glsl`]: text, no device needed); running it ([`run`]) makes recordings
//! ([`recording`]), which [`hazards`] can check without a GPU and [`device`], the only part that touches Vulkan, runs. [`Vulkan`] is all of it behind core's `Backend` trait.

mod backend;
pub mod device;
pub mod glsl;
pub mod guarded;
pub mod hazards;
mod limits;
pub mod print;
mod ranges;
pub mod recording;
pub mod run;
pub mod tuning;

pub use backend::{Vulkan, glsl_text, kernels, spirv_text};
