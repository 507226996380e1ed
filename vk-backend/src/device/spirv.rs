//! What we add to the SPIR-V that shaderc makes: no contraction anywhere, and float modes.
//!
//! GLSL's `precise` would have to stand at every declaration; a decoration of every instruction is what it comes to.

use super::{Cap, Caps};

const CAPABILITY: u16 = 17;
const EXTENSION: u16 = 10;
const ENTRY_POINT: u16 = 15;
const EXECUTION_MODE: u16 = 16;
const DECORATE: u16 = 71;
/// `OpTypeVoid`, the first of the types, which follow the decorations. (`OpTypeForwardPointer` is one too.)
pub(super) const TYPES: std::ops::RangeInclusive<u16> = 19..=33;
pub(super) const TYPE_FLOAT: u16 = 22;
const FORWARD_POINTER: u16 = 39;
/// `OpFNegate`, `OpFAdd`, `OpFSub`, `OpFMul`, `OpFDiv`, `OpFRem`, `OpFMod`, `OpVectorTimesScalar` … `OpDot`.
const FLOAT_ARITHMETIC: [u16; 13] = [127, 129, 131, 133, 136, 140, 141, 142, 143, 144, 145, 146, 148];
const NO_CONTRACTION: u32 = 42;

/// Words before the first instruction.
pub(super) const HEADER: usize = 5;

/// The instructions of a module: opcode and all words.
pub(super) fn instructions(words: &[u32]) -> impl Iterator<Item = (u16, &[u32])> {
    let mut rest = words.get(HEADER..).unwrap_or_default();
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        let length = ((first >> 16) as usize).clamp(1, rest.len());
        let (instruction, after) = rest.split_at(length);
        rest = after;
        Some((first as u16, instruction))
    })
}

pub(super) fn instruction(opcode: u16, operands: &[u32]) -> Vec<u32> {
    let head = ((operands.len() as u32 + 1) << 16) | u32::from(opcode);
    [&[head], operands].concat()
}

/// The module with every float operation marked as not to be contracted, and with signed zeros, infinities, NaN and subnormal numbers kept where
/// the device can.
pub(super) fn strict(words: &[u32], caps: &Caps) -> Vec<u32> {
    let widths: Vec<u32> = instructions(words).filter(|(op, _)| *op == TYPE_FLOAT).map(|(_, i)| i[2]).collect();
    let entry = instructions(words).find(|(op, _)| *op == ENTRY_POINT).map_or(0, |(_, i)| i[2]);
    // Capability, execution mode and width of each mode asked for.
    let mut modes = Vec::new();
    if caps.has(Cap::KeepNan) {
        modes.extend(widths.iter().map(|width| (4466, 4461, *width)));
    }
    if caps.has(Cap::KeepSubnormalF64) && widths.contains(&64) {
        modes.push((4464, 4459, 64));
    }
    if caps.has(Cap::KeepSubnormalF32) && widths.contains(&32) {
        modes.push((4464, 4459, 32));
    }
    let mut out = words[..HEADER.min(words.len())].to_vec();
    let mut capabilities: Vec<u32> = modes.iter().map(|(capability, ..)| *capability).collect();
    capabilities.dedup();
    capabilities.iter().for_each(|capability| out.extend(instruction(CAPABILITY, &[*capability])));
    let (mut extended, mut moded, mut decorated) = (modes.is_empty(), modes.is_empty(), false);
    for (opcode, words_of) in instructions(words) {
        if !extended && opcode != CAPABILITY {
            out.extend(instruction(EXTENSION, &string("SPV_KHR_float_controls")));
            extended = true;
        }
        let before_modes = [CAPABILITY, EXTENSION, 11, 14, ENTRY_POINT].contains(&opcode);
        if !moded && !before_modes {
            for (_, mode, width) in &modes {
                out.extend(instruction(EXECUTION_MODE, &[entry, *mode, *width]));
            }
            moded = true;
        }
        if !decorated && (TYPES.contains(&opcode) || opcode == FORWARD_POINTER) {
            let arithmetic = instructions(words).filter(|(op, _)| FLOAT_ARITHMETIC.contains(op));
            arithmetic.for_each(|(_, i)| out.extend(instruction(DECORATE, &[i[2], NO_CONTRACTION])));
            decorated = true;
        }
        out.extend_from_slice(words_of);
    }
    out
}

/// A literal string: UTF-8, ended by a zero byte, padded to whole words.
fn string(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize((bytes.len() + 1).next_multiple_of(4), 0);
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}
