//! What the tests share.

use futi_core::prim::{Scalar, ScalarType};
use futi_kernels::check::Checked;
use futi_vk::device::{Device, Memory, Options};
use futi_vk::glsl;
use futi_vk::print::{RECORD_BYTES, Record, args, print};
use futi_vk::recording::{Command, Dispatch, KernelId, Range, Recording};
use std::io::Write;
use std::process::Stdio;

/// The device that the environment names.
pub fn open() -> Device {
    open_with(|_| ())
}

/// The same with other options.
pub fn open_with(change: impl FnOnce(&mut Options)) -> Device {
    let mut options = Options::from_env().unwrap();
    change(&mut options);
    Device::open(&options).unwrap()
}

/// A kernel of 64 invocations a group whose arguments are addresses, `args.a[0]`, `args.a[1]` ..., and then a number of invocations, `args.n`; `body`
/// is run for each `uint i` below that.
pub fn source(device: &Device, addresses: usize, functions: &str, body: &str) -> String {
    let text = format!(
        "layout(local_size_x = 64) in;
         layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {{ uint64_t a[{addresses}]; uint64_t n; }};
         layout(push_constant, scalar) uniform Push {{ Args args; }};
         {functions}
         void main() {{
             uint i = gl_GlobalInvocationID.x;
             if (uint64_t(i) >= args.n) return;
             {body}
         }}"
    );
    glsl::shader(device.caps(), &text)
}

/// A launch of such a kernel.
pub fn launch(device: &Device, source: &str, n: u64, reads: &[Range], writes: &[Range]) -> Command {
    let addresses = reads.iter().chain(writes).map(|range| range.start);
    let args = addresses.chain([n]).flat_map(u64::to_le_bytes).collect();
    let kernel = device.compile(source, "test").unwrap();
    let (reads, writes) = (reads.to_vec(), writes.to_vec());
    Command::Dispatch(Dispatch {
        kernel,
        groups: [n.div_ceil(64) as u32, 1, 1],
        args,
        reads,
        writes,
        label: "test".into(),
    })
}

/// Runs commands with the barriers that they need.
pub fn run(device: &Device, commands: Vec<Command>) {
    let mut recording = Recording::new();
    commands.into_iter().for_each(|command| recording.push(command));
    device.run(&recording, &[], false).unwrap();
}

/// New memory with these words in it.
pub fn upload(device: &Device, words: &[u64]) -> Memory {
    let memory = device.alloc(8 * words.len() as u64).unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    device.upload(memory.range(), &bytes).unwrap();
    memory
}

/// The words in memory.
pub fn download(device: &Device, memory: &Memory) -> Vec<u64> {
    let mut bytes = vec![0; memory.range().len as usize];
    device.download(memory.range(), &mut bytes).unwrap();
    bytes.chunks_exact(8).map(|b| u64::from_le_bytes(b.try_into().unwrap())).collect()
}

/// New memory with these elements in it.
pub fn upload_scalars(device: &Device, all: &[Scalar]) -> Memory {
    let mut bytes = Vec::new();
    all.iter().for_each(|x| bytes.extend_from_slice(&x.bits().to_le_bytes()[..x.scalar_type().bytes()]));
    let memory = device.alloc(bytes.len() as u64).unwrap();
    device.upload(memory.range(), &bytes).unwrap();
    memory
}

/// The elements of a type in memory.
pub fn download_scalars(device: &Device, ty: ScalarType, memory: &Memory) -> Vec<Scalar> {
    let mut bytes = vec![0; memory.range().len as usize];
    device.download(memory.range(), &mut bytes).unwrap();
    let word = |part: &[u8]| {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        u64::from_le_bytes(word)
    };
    bytes.chunks_exact(ty.bytes()).map(|part| Scalar::from_bits(ty, word(part))).collect()
}

/// A kernel for the device, of which `spirv-val` finds the module valid.
pub fn compile(device: &Device, kernel: &Checked, group_size: u32) -> Result<KernelId, String> {
    let source = print(kernel, device.caps(), group_size).map_err(|all| format!("{all:?}"))?;
    let module = device.spirv(&source, "printed").map_err(|e| format!("{e}\n{source}"))?;
    validate(&module).map_err(|why| format!("{why}\n{source}"))?;
    futi_vk::print::compile(device, kernel, group_size).map_err(|e| format!("{e}\n{source}"))
}

/// What `spirv-val` (Debian's spirv-tools) has against a module. `FUTI_SPIRV_VAL=off` does without, where the program cannot be had.
fn validate(module: &[u32]) -> Result<(), String> {
    if std::env::var("FUTI_SPIRV_VAL").is_ok_and(|value| value == "off") {
        return Ok(());
    }
    let bytes: Vec<u8> = module.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut command = std::process::Command::new("spirv-val");
    command.args(["--target-env", "vulkan1.2", "--scalar-block-layout", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("spirv-val: {e}"))?;
    child.stdin.take().unwrap().write_all(&bytes).map_err(|e| format!("spirv-val: {e}"))?;
    let output = child.wait_with_output().map_err(|e| format!("spirv-val: {e}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(()) } else { Err(text(&output.stdout) + &text(&output.stderr)) }
}

/// A launch of a printed kernel.
pub struct Launch<'a> {
    pub kernel: KernelId,
    pub groups: u32,
    pub first_site: u32,
    pub params: &'a [Scalar],
    /// Address and number of elements of each block.
    pub blocks: &'a [(u64, u64)],
    pub record: &'a Memory,
}

/// A record of failures, empty.
pub fn record(device: &Device) -> Memory {
    upload(device, &[0; RECORD_BYTES / 8])
}

/// Runs a printed kernel alone; what it leaves in its record.
pub fn run_printed(device: &Device, launch: &Launch) -> Option<Record> {
    let address = launch.record.range();
    let dispatch = Dispatch {
        kernel: launch.kernel,
        groups: [launch.groups, 1, 1],
        args: args(address.start, launch.first_site, 1, 0, launch.params, launch.blocks),
        reads: vec![],
        writes: vec![address],
        label: "printed".into(),
    };
    let mut recording = Recording::new();
    recording.push(Command::Dispatch(dispatch));
    device.run(&recording, &[], false).unwrap();
    let mut bytes = vec![0; RECORD_BYTES];
    device.download(address, &mut bytes).unwrap();
    Record::read(&bytes)
}

/// Pseudo-random words (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
