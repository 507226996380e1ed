//! Futi's Vulkan backend.
//!
//! [`recording`] says what the device is to do, as plain data; [`hazards`] checks that without a GPU; [`device`] does it, and is the only part
//! that touches Vulkan; [`glsl`] has the scalar operations of kernels, with the meaning that the interpreter gives them.

pub mod device;
pub mod glsl;
pub mod hazards;
mod ranges;
pub mod recording;
