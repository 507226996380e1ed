//! Opening a device: instance, physical device, logical device, queue, and the debug messenger.

use super::caps::{self, Cap, Caps, DeviceKind};
use super::error::{Error, vulkan, with_causes};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use vulkano::device::physical::PhysicalDevice;
use vulkano::device::{self, DeviceCreateInfo, DeviceExtensions, Queue, QueueCreateInfo};
use vulkano::instance::debug::{
    DebugUtilsMessageSeverity, DebugUtilsMessageType, DebugUtilsMessenger, DebugUtilsMessengerCallback,
    DebugUtilsMessengerCreateInfo, ValidationFeatureEnable,
};
use vulkano::instance::{Instance, InstanceCreateFlags, InstanceCreateInfo, InstanceExtensions};
use vulkano::{Version, VulkanLibrary};

/// What Khronos's validation layer is to watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Validation {
    /// Nothing: the layer is not loaded.
    #[default]
    Off,
    /// Wrong use of Vulkan.
    Usage,
    /// Wrong use, and missing synchronization between transfers. (It cannot see accesses through device addresses.)
    Synchronization,
}

/// How to open a device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Which device: its number in [`list`], or a part of its name in any case; else the first of the most preferred kind.
    pub device: Option<String>,
    /// Capabilities to do without.
    pub disable: BTreeSet<Cap>,
    /// What to validate.
    pub validation: Validation,
    /// Where compiled kernels are kept between runs; nowhere if `None`.
    pub cache: Option<PathBuf>,
}

impl Options {
    /// The options in the environment: `FUTI_VK_DEVICE`, `FUTI_VK_DISABLE` (names of [`Cap`], separated by commas), `FUTI_VK_VALIDATION`
    /// (`off`, `usage`, `sync`), `FUTI_VK_CACHE` (a folder, or `off`; else `futi/vulkan` in the user's cache folder).
    pub fn from_env() -> Result<Options, Error> {
        Options::from(&|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    fn from(var: &dyn Fn(&str) -> Option<String>) -> Result<Options, Error> {
        let validation = match var("FUTI_VK_VALIDATION").as_deref() {
            None | Some("off") => Validation::Off,
            Some("usage") => Validation::Usage,
            Some("sync") => Validation::Synchronization,
            Some(other) => return Err(Error::BadOption { option: "FUTI_VK_VALIDATION", value: other.into() }),
        };
        let disable = Cap::parse_list("FUTI_VK_DISABLE", &var("FUTI_VK_DISABLE").unwrap_or_default())?;
        let home = || Some(PathBuf::from(var("HOME")?).join(".cache"));
        let cache = match var("FUTI_VK_CACHE") {
            Some(off) if off == "off" => None,
            Some(folder) => Some(PathBuf::from(folder)),
            None => var("XDG_CACHE_HOME").map(PathBuf::from).or_else(home).map(|folder| folder.join("futi/vulkan")),
        };
        Ok(Options { device: var("FUTI_VK_DEVICE"), disable, validation, cache })
    }
}

/// An open device with its queue.
pub(super) struct Gpu {
    pub(super) device: Arc<device::Device>,
    pub(super) queue: Arc<Queue>,
    pub(super) caps: Caps,
    /// The memory type that arrays live in.
    pub(super) memory_type: u32,
    pub(super) fingerprint: Vec<u8>,
    messages: Arc<Mutex<Vec<String>>>,
    _messenger: Option<DebugUtilsMessenger>,
}

/// What the devices of this machine can do, in Vulkan's order; of one that cannot be used, its name and what it lacks.
pub fn list() -> Result<Vec<Result<Caps, String>>, Error> {
    let (instance, _) = instance(Validation::Off)?;
    Ok(enumerate(&instance)?.iter().map(|physical| query(physical)).collect())
}

fn query(physical: &PhysicalDevice) -> Result<Caps, String> {
    caps::query(physical).map_err(|lacks| format!("{} (which lacks {lacks})", physical.properties().device_name))
}

fn enumerate(instance: &Arc<Instance>) -> Result<Vec<Arc<PhysicalDevice>>, Error> {
    Ok(instance.enumerate_physical_devices().map_err(vulkan("looking for devices"))?.collect())
}

const LAYER: &str = "VK_LAYER_KHRONOS_validation";

fn instance(validation: Validation) -> Result<(Arc<Instance>, Arc<VulkanLibrary>), Error> {
    let library = VulkanLibrary::new().map_err(|error| Error::NoVulkan(with_causes(error)))?;
    let watched = validation != Validation::Off;
    if watched && !library.layer_properties().is_ok_and(|mut layers| layers.any(|layer| layer.name() == LAYER)) {
        return Err(Error::NoValidation);
    }
    let portability = library.supported_extensions().khr_portability_enumeration;
    let create_info = InstanceCreateInfo {
        flags: if portability { InstanceCreateFlags::ENUMERATE_PORTABILITY } else { InstanceCreateFlags::empty() },
        application_name: Some("futi".into()),
        max_api_version: Some(Version::V1_3),
        enabled_layers: if watched { vec![LAYER.into()] } else { vec![] },
        enabled_extensions: InstanceExtensions {
            khr_portability_enumeration: portability,
            ext_debug_utils: watched,
            ext_validation_features: watched,
            ..InstanceExtensions::empty()
        },
        enabled_validation_features: match validation {
            Validation::Synchronization => vec![ValidationFeatureEnable::SynchronizationValidation],
            Validation::Off | Validation::Usage => vec![],
        },
        ..InstanceCreateInfo::application_from_cargo_toml()
    };
    let instance = Instance::new(library.clone(), create_info).map_err(|error| Error::NoVulkan(with_causes(error)))?;
    Ok((instance, library))
}

impl Gpu {
    /// Opens the device that the options ask for.
    pub(super) fn open(options: &Options) -> Result<Gpu, Error> {
        let (instance, _) = instance(options.validation)?;
        let messages: Arc<Mutex<Vec<String>>> = Arc::default();
        let messenger = match options.validation {
            Validation::Off => None,
            Validation::Usage | Validation::Synchronization => Some(listen(&instance, messages.clone())?),
        };
        let (physical, caps) = choose(&instance, options)?;
        let family = caps::compute_family(&physical).unwrap_or_default();
        let (memory_type, _) = caps::device_memory_type(&physical).unwrap_or_default();
        let create_info = DeviceCreateInfo {
            queue_create_infos: vec![QueueCreateInfo { queue_family_index: family, ..Default::default() }],
            enabled_extensions: DeviceExtensions {
                ext_shader_atomic_float: caps.has(Cap::AtomicF32) || caps.has(Cap::AtomicF64),
                khr_portability_subset: physical.supported_extensions().khr_portability_subset,
                ..DeviceExtensions::empty()
            },
            enabled_features: caps::features(&caps),
            ..Default::default()
        };
        let during = "opening the device";
        let fingerprint = caps::fingerprint(&physical);
        let (device, mut queues) = device::Device::new(physical, create_info).map_err(vulkan(during))?;
        let queue = queues.next().ok_or_else(|| vulkan(during)("it has no queue"))?;
        Ok(Gpu { device, queue, caps, memory_type, fingerprint, messages, _messenger: messenger })
    }

    /// What the validation layer has said so far.
    pub(super) fn messages(&self) -> Vec<String> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The device that the options ask for, and what it can do after the switches.
fn choose(instance: &Arc<Instance>, options: &Options) -> Result<(Arc<PhysicalDevice>, Caps), Error> {
    let all = enumerate(instance)?;
    let fits = |index: usize, name: &str| match &options.device {
        None => true,
        Some(wish) => match wish.parse::<usize>() {
            Ok(number) => number == index,
            Err(_) => name.to_lowercase().contains(&wish.to_lowercase()),
        },
    };
    let usable = all.iter().enumerate().filter_map(|(index, physical)| {
        let caps = query(physical).ok()?;
        fits(index, &caps.name).then(|| (physical.clone(), caps))
    });
    let preference = |(_, caps): &(_, Caps)| -> DeviceKind { caps.kind };
    let (physical, mut caps) = usable.min_by_key(preference).ok_or_else(|| Error::NoDevice {
        wanted: options.device.clone(),
        seen: all.iter().map(|physical| query(physical).map_or_else(|lacking| lacking, |caps| caps.name)).collect(),
    })?;
    caps.has.retain(|cap| !options.disable.contains(cap));
    if !caps.has(Cap::F64) {
        caps.has.retain(|cap| ![Cap::AtomicF64, Cap::KeepSubnormalF64].contains(cap));
    }
    Ok((physical, caps))
}

/// Collects the validation layer's warnings and errors.
fn listen(instance: &Arc<Instance>, messages: Arc<Mutex<Vec<String>>>) -> Result<DebugUtilsMessenger, Error> {
    // SAFETY: the closure calls nothing of Vulkan.
    let callback = unsafe {
        DebugUtilsMessengerCallback::new(move |_, _, data| {
            let name = data.message_id_name.unwrap_or_default();
            let text = format!("{name}: {}", data.message);
            messages.lock().unwrap_or_else(PoisonError::into_inner).push(text);
        })
    };
    let create_info = DebugUtilsMessengerCreateInfo {
        message_severity: DebugUtilsMessageSeverity::ERROR | DebugUtilsMessageSeverity::WARNING,
        message_type: DebugUtilsMessageType::GENERAL
            | DebugUtilsMessageType::VALIDATION
            | DebugUtilsMessageType::PERFORMANCE,
        ..DebugUtilsMessengerCreateInfo::user_callback(callback)
    };
    DebugUtilsMessenger::new(instance.clone(), create_info).map_err(vulkan("listening to the validation layer"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(vars: &[(&str, &str)]) -> Result<Options, Error> {
        let vars: Vec<(String, String)> = vars.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        Options::from(&|name| vars.iter().find(|(k, _)| k == name).map(|(_, v)| v.clone()))
    }

    #[test]
    fn the_environment_is_read() {
        let vars = [("FUTI_VK_DISABLE", "atomic_f64, f16"), ("FUTI_VK_VALIDATION", "sync"), ("HOME", "/h")];
        let expected = Options {
            device: None,
            disable: BTreeSet::from([Cap::AtomicF64, Cap::F16]),
            validation: Validation::Synchronization,
            cache: Some("/h/.cache/futi/vulkan".into()),
        };
        assert_eq!(options(&vars), Ok(expected));
        let vars = [("FUTI_VK_CACHE", "off"), ("HOME", "/h"), ("FUTI_VK_DEVICE", "nv")];
        let expected = Options { device: Some("nv".into()), ..Options::default() };
        assert_eq!(options(&vars), Ok(expected));
    }

    #[test]
    fn unknown_words_are_refused() {
        let bad = |option, value: &str| Err(Error::BadOption { option, value: value.into() });
        assert_eq!(options(&[("FUTI_VK_DISABLE", "f64,f46")]), bad("FUTI_VK_DISABLE", "f46"));
        assert_eq!(options(&[("FUTI_VK_VALIDATION", "yes")]), bad("FUTI_VK_VALIDATION", "yes"));
    }
}
