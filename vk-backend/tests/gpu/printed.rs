//! The kernels of `core/kernels/tests/kernels`, printed and run on the device: what the executor makes of them comes out.

#[allow(dead_code)]
#[path = "../../../core/kernels/tests/files/file.rs"]
mod file;

use crate::Test;
use crate::support::{open, upload};
use file::{Case, File};
use futi_core::prim::ScalarType;
use futi_kernels::check::Checked;
use futi_kernels::ir::{Kernel, Stm, walk};
use futi_vk::device::Device;
use futi_vk::print::{RECORD_BYTES, Record, print, words};
use futi_vk::recording::{Command, Dispatch, Recording};
use std::path::Path;

pub const TESTS: &[Test] = &[("printed::kernels", kernels)];

fn kernels() {
    let device = open();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/kernels/tests/kernels");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let (mut run, mut skipped, mut wrong) = (0, Vec::new(), Vec::new());
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (kernel, file) = (text.parse::<Kernel>().unwrap(), File::read(&text).unwrap());
        // what is wrong is the executor's to find
        if file.wrong.is_some() || file.cases.iter().any(|case| case.trap.is_some()) {
            continue;
        }
        if !is_printable(&kernel) {
            skipped.push(name);
            continue;
        }
        let kernel = Checked::new(kernel).unwrap();
        for (i, case) in file.cases.iter().enumerate() {
            run += 1;
            if let Err(why) = case_of(&device, &kernel, case) {
                wrong.push(format!("{name}, case {i}: {why}"));
            }
        }
    }
    eprintln!("{run} launches; skipped {skipped:?}");
    assert!(wrong.is_empty(), "{} of {run}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(run > 100, "{run}");
}

/// Whether no subgroup has to have four invocations.
fn is_printable(kernel: &Kernel) -> bool {
    let mut fine = true;
    walk(&kernel.body, &mut |stm: &Stm| fine &= !matches!(stm, Stm::Subgroup { .. }));
    fine && !kernel.to_string().contains("@subgroup") && !kernel.to_string().contains("@lane")
}

fn case_of(device: &Device, kernel: &Checked, case: &Case) -> Result<(), String> {
    let fail = |e: &dyn std::fmt::Display| e.to_string();
    let source = print(kernel, device.caps(), case.group_size);
    let id = device.compile(&source, "printed").map_err(|e| format!("{e}\n{source}"))?;
    let mut memories = Vec::new();
    for (ty, cells) in &case.allocations {
        let bytes: Vec<u8> =
            cells.iter().flat_map(|x| x.map_or(0, |x| x.bits()).to_le_bytes().into_iter().take(ty.bytes())).collect();
        let memory = device.alloc(bytes.len().max(8) as u64).map_err(|e| fail(&e))?;
        if !bytes.is_empty() {
            device.upload(memory.range(), &padded(bytes)).map_err(|e| fail(&e))?;
        }
        memories.push(memory);
    }
    let record = upload(device, &[0; RECORD_BYTES / 8]);
    let blocks: Vec<(u64, u64)> = case
        .blocks
        .iter()
        .map(|(a, first, len)| {
            let start = memories[*a].range().start + (first * case.allocations[*a].0.bytes()) as u64;
            (start, *len as u64)
        })
        .collect();
    let args = words(record.range().start, 0, &case.params, &blocks).into_iter().flat_map(u64::to_le_bytes).collect();
    let writes = memories.iter().map(|m| m.range()).chain([record.range()]).collect();
    let mut recording = Recording::new();
    let groups = [case.groups, 1, 1];
    recording.push(Command::Dispatch(Dispatch { kernel: id, groups, args, reads: vec![], writes, label: "k".into() }));
    device.run(&recording, &[], false).map_err(|e| fail(&e))?;
    let mut bytes = vec![0; RECORD_BYTES];
    device.download(record.range(), &mut bytes).map_err(|e| fail(&e))?;
    let found = match Record::read(&bytes) {
        Some(Record::Rounds) => return Err("loops were left early".into()),
        Some(Record::Failed(site, point, operands)) => Some((site, point, operands)),
        None => None,
    };
    let found = found.map(|(site, point, operands)| {
        (site, point, operands[..kernel.kernel().sites[site as usize].operands as usize].to_vec())
    });
    if found != case.failed {
        return Err(format!("it fails by {found:?}, not by {:?}\n{source}", case.failed));
    }
    for (at, ty, cells) in &case.expect {
        let mut bytes = vec![0; memories[*at].range().len as usize];
        device.download(memories[*at].range(), &mut bytes).map_err(|e| fail(&e))?;
        for (i, want) in cells.iter().enumerate() {
            let Some(want) = want else { continue };
            let mut word = [0; 8];
            let width = ty.bytes();
            word[..width].copy_from_slice(&bytes[i * width..(i + 1) * width]);
            let bits = u64::from_le_bytes(word);
            let same = bits == want.bits() || is_nan(*ty, bits) && is_nan(*ty, want.bits());
            if !same {
                return Err(format!("element {i} of {at} has the bits {bits:x}, and {want} is expected\n{source}"));
            }
        }
    }
    Ok(())
}

fn is_nan(ty: ScalarType, bits: u64) -> bool {
    match ty {
        ScalarType::F32 => f32::from_bits(bits as u32).is_nan(),
        ScalarType::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}

/// To a multiple of eight bytes.
fn padded(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}
