//! What a device reaches: bytes copied in a second, and multiply-adds. Profiles are held against it.

use crate::device::{Caps, Device, Error};
use crate::glsl;
use crate::recording::{Command, Dispatch, Range, Recording};
use futi_core::backend::Limits;

/// Invocations of a group.
const GROUP: u64 = 256;
/// Vectors of 16 bytes that an invocation copies.
const VECTORS: u64 = 4;
/// Chains of multiply-adds of an invocation, which do not wait for each other.
const CHAINS: u64 = 16;
/// Multiply-adds of a chain.
const ROUNDS: u64 = 512;
/// How long a kernel is to take, so that its beginning and its end do not count.
const NANOSECONDS: f64 = 4e6;
/// How often each is run; the best time counts.
const RUNS: usize = 6;
/// The most groups of a launch.
const MOST: u64 = 65_535;

/// Copies vectors, those of a group side by side.
fn copies(caps: &Caps) -> String {
    let load = |k: u64| format!("vec4 x{k} = from.v[at + {}u];", k * GROUP);
    let store = |k: u64| format!("to.v[at + {}u] = x{k};", k * GROUP);
    let all = |f: &dyn Fn(u64) -> String| (0..VECTORS).map(f).collect::<String>();
    let body = format!(
        "uint at = gl_WorkGroupID.x * {}u + gl_LocalInvocationID.x; {}{}",
        GROUP * VECTORS,
        all(&load),
        all(&store)
    );
    kernel(caps, "Vectors from = Vectors(args.from); Vectors to = Vectors(args.to);", &body)
}

/// Multiplies and adds in registers. What comes out is written nowhere, as it is never the number that is asked for; the compiler does not know that.
fn multiply_adds(caps: &Caps) -> String {
    let all = |f: &dyn Fn(u64) -> String| (0..CHAINS).map(f).collect::<String>();
    let start = all(&|k| format!("float x{k} = float(gl_LocalInvocationID.x + {k}u);"));
    let round = all(&|k| format!("x{k} = fma(x{k}, m, c);"));
    let sum = (0..CHAINS).map(|k| format!("x{k}")).collect::<Vec<_>>().join(" + ");
    let body = format!(
        "float m = args.m; float c = args.c; {start} for (uint i = 0u; i < {ROUNDS}u; i++) {{ {round} }} if ({sum} == -1.0) {{ to.v[0] = vec4(x0); }}"
    );
    kernel(caps, "Vectors to = Vectors(args.to);", &body)
}

fn kernel(caps: &Caps, bindings: &str, body: &str) -> String {
    let text = format!(
        "layout(local_size_x = {GROUP}) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Vectors {{ vec4 v[]; }};
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {{ uint64_t from; uint64_t to; float m; float c; }};
layout(push_constant, scalar) uniform Push {{ Args args; }};
void main() {{ {bindings} {body} }}
"
    );
    glsl::shader(caps, &text)
}

/// Measures what the device reaches; none where it cannot tell how long kernels take.
///
/// # Errors
/// Those of the device: it has no memory, or is lost.
pub fn measured(device: &Device) -> Result<Option<Limits>, Error> {
    let each = GROUP * VECTORS * 16;
    // much more than the caches hold, and no more than an eighth of the memory
    let groups = ((1 << 30) / each).min(device.caps().memory / 16 / each).clamp(1, MOST);
    let from = device.alloc(groups * each)?;
    let to = device.alloc(groups * each)?;
    let (from, to) = (from.range(), to.range());
    let Some((moved, time)) = best(device, &copies(device.caps()), groups, &[from], to)? else { return Ok(None) };
    let bytes = (2 * moved * each) as f64 / (time * 1e-9);
    let Some((groups, time)) = best(device, &multiply_adds(device.caps()), MOST, &[], to)? else { return Ok(None) };
    let operations = (groups * GROUP * CHAINS * ROUNDS * 2) as f64 / (time * 1e-9);
    Ok(Some(Limits { bytes, operations }))
}

/// The number of groups, no more than these, that take long enough, and the least time that they took, in nanoseconds.
fn best(device: &Device, source: &str, most: u64, reads: &[Range], to: Range) -> Result<Option<(u64, f64)>, Error> {
    let kernel = device.compile(source, "limits")?;
    let from = reads.first().map_or(0, |range| range.start);
    let numbers = [0.999f32.to_le_bytes(), 0.001f32.to_le_bytes()].concat();
    let args = [from, to.start].into_iter().flat_map(u64::to_le_bytes).chain(numbers).collect::<Vec<_>>();
    let time = |groups: u64| -> Result<Option<f64>, Error> {
        let mut recording = Recording::new();
        recording.push(Command::Dispatch(Dispatch {
            kernel,
            groups: [groups as u32, 1, 1],
            args: args.clone(),
            reads: reads.to_vec(),
            writes: vec![to],
            label: "limits".into(),
        }));
        Ok(device.run(&recording, &[], true)?.timings.first().map(|timing| timing.nanoseconds))
    };
    let mut groups = most.min(64);
    loop {
        let Some(took) = time(groups)? else { return Ok(None) };
        if took >= NANOSECONDS || groups == most {
            break;
        }
        groups = (groups * 4).min(most);
    }
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        least = least.min(time(groups)?.unwrap_or(f64::INFINITY));
    }
    Ok(least.is_finite().then_some((groups, least.max(1.0))))
}
