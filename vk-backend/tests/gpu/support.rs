//! What the tests share.

use futi_vk::device::{Device, Memory, Options};
use futi_vk::glsl;
use futi_vk::recording::{Command, Dispatch, Range, Recording};

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
