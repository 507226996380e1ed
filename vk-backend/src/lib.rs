//! Futi's Vulkan backend.
//!
//! A flat program ([`futi_core::passes::flatten`]) is lowered to a host program and kernels ([`plan`], [`kernels`], [`glsl`]: text and plain data, no
//! device needed); running it makes recordings ([`recording`]), which [`hazards`] can check without a GPU and [`device`], the only part that
//! touches Vulkan, runs. [`mod@print`] makes kernels of `futi_kernels`' IR, which are to take the place of [`kernels`]. [`Vulkan`] is all of it behind core's `Backend` trait.

mod backend;
pub mod device;
pub mod glsl;
pub mod hazards;
pub mod kernels;
mod limits;
pub mod plan;
pub mod print;
mod ranges;
pub mod recording;

pub use backend::{Vulkan, glsl_text};
