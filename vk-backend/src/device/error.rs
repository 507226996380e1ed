//! What can go wrong between us and the device.

use std::fmt;

/// A failure of the device layer. None is the user's program's fault, except running out of memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The Vulkan loader could not be opened.
    NoVulkan(String),
    /// No usable device, or none that fits the wish; with what there is.
    NoDevice {
        /// What was asked for, if anything.
        wanted: Option<String>,
        /// The names of the devices that were seen, each with what it lacks, if anything.
        seen: Vec<String>,
    },
    /// A word in an option or environment variable that means nothing.
    BadOption {
        /// The option.
        option: &'static str,
        /// The word.
        value: String,
    },
    /// Validation was asked for and its layer is not installed.
    NoValidation,
    /// The memory of the device is exhausted.
    OutOfMemory {
        /// The bytes asked for.
        requested: u64,
        /// The bytes in use.
        in_use: u64,
    },
    /// An address range that no allocation covers. Ours.
    BadRange {
        /// Its first address.
        start: u64,
        /// Its length.
        len: u64,
    },
    /// A kernel that we generated does not compile. Ours.
    Shader {
        /// The kernel.
        label: String,
        /// The compiler's messages.
        messages: String,
    },
    /// A Vulkan call failed; `DeviceLost` among them.
    Vulkan {
        /// What was being done.
        during: &'static str,
        /// The error.
        error: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoVulkan(why) => write!(f, "no Vulkan on this machine: {why}"),
            Error::NoDevice { wanted, seen } => {
                match wanted {
                    Some(wanted) => write!(f, "no Vulkan device fits '{wanted}'")?,
                    None => write!(f, "no usable Vulkan device")?,
                }
                match seen.as_slice() {
                    [] => write!(f, "; there is none at all"),
                    seen => write!(f, "; there is {}", seen.join(", ")),
                }
            }
            Error::BadOption { option, value } => write!(f, "{option}: '{value}' is not known"),
            Error::NoValidation => write!(f, "the layer VK_LAYER_KHRONOS_validation is not installed"),
            Error::OutOfMemory { requested, in_use } => {
                write!(f, "out of device memory: {requested} bytes asked for, {in_use} in use")
            }
            Error::BadRange { start, len } => {
                write!(f, "no allocation covers {len} bytes at {start:#x}")
            }
            Error::Shader { label, messages } => {
                write!(f, "the kernel {label} does not compile: {messages}")
            }
            Error::Vulkan { during, error } => write!(f, "Vulkan failed while {during}: {error}"),
        }
    }
}

impl std::error::Error for Error {}

/// Turns the error of a Vulkan call into ours: `.map_err(vulkan("doing this"))`.
pub(super) fn vulkan<E: Into<Box<dyn std::error::Error>>>(during: &'static str) -> impl FnOnce(E) -> Error {
    move |error| Error::Vulkan { during, error: with_causes(error) }
}

/// An error with what caused it: vulkano's outer errors say little.
pub(super) fn with_causes<E: Into<Box<dyn std::error::Error>>>(error: E) -> String {
    let error: Box<dyn std::error::Error> = error.into();
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
