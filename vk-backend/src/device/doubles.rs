//! 64-bit floats for devices that have none: [`soften`].

// Note [Doubles in integers]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// A kernel is printed as for a device that has 64-bit floats. In its SPIR-V, where every value has its type, the type of these is then that of unsigned integers of 64 bits, which has
// the same size everywhere, and each operation on them is a call of a function on their bits (`glsl/double.glsl`). So the library of `f64`, and that of `f32` which goes by it, are written once, and
// results are the same, bit for bit. It takes some hundred times as long.
//
// A driver copies each function to each of its calls, so that it compiles for long. Telling it not to (`DontInline`) is no way: NVIDIA's took 8 s in place of 14 s for the tests of the
// prelude and of scalars, but computed inf / 2 as NaN then.
//
// No function calls those that the calls will go to, and a compiler would leave them out: `keep_doubles` does, is called by `main`, and is taken away here.

use super::spirv::{HEADER, TYPE_FLOAT, TYPES, instruction, instructions};
use futi_core::hash::{HashMap, HashSet};

/// What the names of the functions that operations become begin with.
const SOFT: &str = "soft_";

const KEEP: &str = "keep_doubles";

const NAME: u16 = 5;
const EXT_INST: u16 = 12;
const CAPABILITY: u16 = 17;
const FLOAT64: u32 = 10;
const TYPE_INT: u16 = 21;
const TYPE_VECTOR: u16 = 23;
const TYPE_ARRAY: u16 = 28;
const TYPE_RUNTIME_ARRAY: u16 = 29;
const TYPE_STRUCT: u16 = 30;
const TYPE_POINTER: u16 = 32;
const TYPE_FUNCTION: u16 = 33;
const CONSTANT: u16 = 43;
const FUNCTION: u16 = 54;
const FUNCTION_END: u16 = 56;
const FUNCTION_CALL: u16 = 57;
const COPY_OBJECT: u16 = 83;
const BITCAST: u16 = 124;
const BITWISE_XOR: u16 = 198;
const BITWISE_AND: u16 = 199;
/// Conversions, arithmetic, comparisons and derivatives: what computes with values.
const COMPUTING: std::ops::RangeInclusive<u16> = 109..=215;
/// `OpSelect`, which does not.
const SELECT: u16 = 169;

/// Whether an instruction has the type of its result behind its opcode, and then the result.
fn has_type(opcode: u16) -> bool {
    !matches!(opcode, 0 | 2..=8 | 10..=11 | 13..=40 | 56 | 62..=64 | 71..=76 | 218..=221 | 224..=225 | 228 | 246..=257 | 317 | 330 | 332)
}

/// What is known of a module.
struct Module<'a> {
    /// The type of 64-bit floats, and what takes its place.
    double: u32,
    long: u32,
    /// Types that are the same as earlier ones now.
    same: HashMap<u32, u32>,
    /// The types of vectors of 64-bit floats.
    vectors: HashSet<u32>,
    /// The types of results.
    types: HashMap<u32, u32>,
    /// Of integer types the width, and whether they are signed.
    ints: HashMap<u32, (u32, bool)>,
    /// The functions that operations become, by name.
    functions: HashMap<String, u32>,
    keep: Option<u32>,
    /// Constants: the sign's bit, and all others.
    sign: u32,
    magnitude: u32,
    words: &'a [u32],
}

/// The module with integers of 64 bits in place of floats of 64 bits.
///
/// # Errors
/// An operation on these that has no function.
pub(super) fn soften(words: &[u32]) -> Result<Vec<u32>, String> {
    let double = instructions(words).find(|(op, i)| *op == TYPE_FLOAT && i[2] == 64);
    let Some((_, double)) = double else { return Ok(words.to_vec()) };
    let bound = words.get(3).copied().unwrap_or(0);
    let mut module = Module {
        double: double[1],
        long: double[1],
        same: HashMap::default(),
        vectors: HashSet::default(),
        types: HashMap::default(),
        ints: HashMap::default(),
        functions: HashMap::default(),
        keep: None,
        sign: bound,
        magnitude: bound + 1,
        words,
    };
    module.learn();
    module.long = module.ty(module.double);
    let mut out = module.rewritten()?;
    out[3] = bound + 2;
    Ok(out)
}

impl Module<'_> {
    fn learn(&mut self) {
        // of these there may be one each
        let mut kinds: HashMap<Vec<u32>, u32> = HashMap::default();
        for (opcode, i) in instructions(self.words) {
            if [TYPE_FLOAT, TYPE_INT, TYPE_VECTOR, TYPE_FUNCTION].contains(&opcode) {
                let kind = self.declaration(opcode, i);
                let kind = [&kind[..1], &kind[2..]].concat();
                let first = *kinds.entry(kind).or_insert(i[1]);
                if first != i[1] {
                    self.same.insert(i[1], first);
                }
            }
            match opcode {
                TYPE_VECTOR if i[2] == self.double => _ = self.vectors.insert(i[1]),
                NAME => {
                    let name = text(&i[2..]);
                    let name = name.split('(').next().unwrap_or_default();
                    if name == KEEP {
                        self.keep = Some(i[1]);
                    } else if name.starts_with(SOFT) {
                        self.functions.insert(name.to_owned(), i[1]);
                    }
                }
                TYPE_INT => _ = self.ints.insert(i[1], (i[2], i[3] != 0)),
                op if has_type(op) && i.len() > 2 => _ = self.types.insert(i[2], i[1]),
                _ => {}
            }
        }
    }

    fn is_double(&self, id: u32) -> bool {
        self.types.get(&id) == Some(&self.double)
    }

    /// The type in place of this one.
    fn ty(&self, ty: u32) -> u32 {
        self.same.get(&ty).copied().unwrap_or(ty)
    }

    /// A type without floats of 64 bits.
    fn declaration(&self, opcode: u16, i: &[u32]) -> Vec<u32> {
        let mut i = i.to_vec();
        let types = match opcode {
            TYPE_FLOAT if i[1] == self.double => return instruction(TYPE_INT, &[i[1], 64, 0]),
            TYPE_VECTOR | TYPE_ARRAY | TYPE_RUNTIME_ARRAY => 2..3,
            TYPE_POINTER => 3..4,
            TYPE_STRUCT | TYPE_FUNCTION => 2..i.len(),
            _ => 0..0,
        };
        i[types].iter_mut().for_each(|ty| *ty = self.ty(*ty));
        i
    }

    fn call(&self, i: &[u32], function: &str, args: &[u32]) -> Result<Vec<u32>, String> {
        let id = self.functions.get(function).ok_or_else(|| format!("no function {function}"))?;
        Ok(instruction(FUNCTION_CALL, &[&[self.ty(i[1]), i[2], *id], args].concat()))
    }

    fn rewritten(&self) -> Result<Vec<u32>, String> {
        let mut out = self.words[..HEADER.min(self.words.len())].to_vec();
        let mut constants = false;
        let mut within_keep = false;
        for (opcode, i) in instructions(self.words) {
            if opcode == FUNCTION && Some(i[2]) == self.keep {
                within_keep = true;
            }
            if within_keep {
                within_keep = opcode != FUNCTION_END;
                continue;
            }
            let mut i = i.to_vec();
            match opcode {
                CAPABILITY if i[1] == FLOAT64 => continue,
                NAME if Some(i[1]) == self.keep => continue,
                FUNCTION_CALL if Some(i[3]) == self.keep => continue,
                op if TYPES.contains(&op) && self.same.contains_key(&i[1]) => continue,
                op if TYPES.contains(&op) => i = self.declaration(op, &i),
                FUNCTION => {
                    if !constants {
                        let sign = [self.long, self.sign, 0, 0x8000_0000];
                        let magnitude = [self.long, self.magnitude, u32::MAX, 0x7fff_ffff];
                        out.extend([sign, magnitude].iter().flat_map(|constant| instruction(CONSTANT, constant)));
                    }
                    constants = true;
                    i[1] = self.ty(i[1]);
                    i[4] = self.ty(i[4]);
                }
                op if has_type(op) => {
                    out.extend(self.operation(op, &i)?);
                    continue;
                }
                _ => {}
            }
            out.extend(i);
        }
        Ok(out)
    }

    /// An instruction that has a result.
    fn operation(&self, opcode: u16, i: &[u32]) -> Result<Vec<u32>, String> {
        let mut plain = i.to_vec();
        plain[1] = self.ty(i[1]);
        let operand = |k: usize| i.get(k).copied().unwrap_or_default();
        let is_double = i[1] == self.double;
        let of_double = self.is_double(operand(3));
        let a = operand(3);
        let b = operand(4);
        if opcode == EXT_INST {
            if !is_double && !self.is_double(operand(5)) {
                return Ok(plain);
            }
            return match operand(4) {
                4 => Ok(instruction(BITWISE_AND, &[self.long, i[2], operand(5), self.magnitude])),
                31 => self.call(i, "soft_sqrt", &i[5..]),
                37 => self.call(i, "soft_min", &i[5..]),
                40 => self.call(i, "soft_max", &i[5..]),
                // two words as a double, and back
                59 | 65 => Ok(instruction(BITCAST, &[plain[1], i[2], operand(5)])),
                other => Err(format!("the function {other} of GLSL on floats of 64 bits")),
            };
        }
        if !COMPUTING.contains(&opcode) || opcode == SELECT {
            return Ok(plain);
        }
        if self.vectors.contains(&i[1]) || self.types.get(&a).is_some_and(|ty| self.vectors.contains(ty)) {
            return Err(format!("the operation {opcode} on vectors of floats of 64 bits"));
        }
        if !is_double && !of_double {
            return Ok(plain);
        }
        match opcode {
            109 | 110 => self.call(i, &format!("soft_to_{}", self.int(i[1])?), &[a]),
            111 | 112 => {
                let from = self.types.get(&a).copied().unwrap_or_default();
                self.call(i, &format!("soft_of_{}", self.int(from)?), &[a])
            }
            115 => self.call(i, if is_double { "soft_of_f32" } else { "soft_to_f32" }, &[a]),
            BITCAST if self.types.get(&a).is_some_and(|ty| self.ty(*ty) == plain[1]) => {
                plain[0] = instruction(COPY_OBJECT, &i[1..])[0];
                Ok(plain)
            }
            BITCAST => Ok(plain),
            127 => Ok(instruction(BITWISE_XOR, &[self.long, i[2], a, self.sign])),
            129 => self.call(i, "soft_add", &[a, b]),
            131 => self.call(i, "soft_sub", &[a, b]),
            133 => self.call(i, "soft_mul", &[a, b]),
            136 => self.call(i, "soft_div", &[a, b]),
            180 => self.call(i, "soft_eq", &[a, b]),
            183 => self.call(i, "soft_ne", &[a, b]),
            184 => self.call(i, "soft_lt", &[a, b]),
            186 => self.call(i, "soft_lt", &[b, a]),
            188 => self.call(i, "soft_le", &[a, b]),
            190 => self.call(i, "soft_le", &[b, a]),
            other => Err(format!("the operation {other} on floats of 64 bits")),
        }
    }

    /// The name of an integer type.
    fn int(&self, ty: u32) -> Result<String, String> {
        let (width, signed) = self.ints.get(&ty).ok_or("a conversion of floats of 64 bits and what is no integer")?;
        Ok(format!("{}{width}", if *signed { "i" } else { "u" }))
    }
}

/// A literal string.
fn text(words: &[u32]) -> String {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0);
    String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
}
