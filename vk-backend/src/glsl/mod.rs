//! Scalar code in GLSL: the backend's own library, and the expression for each operator of [`futi_core::prim`].
//!
//! The library is a sequence of definitions, separated by empty lines. A kernel gets those that its text mentions, directly or not, so that its
//! text stays short: [`shader`].

mod prim;
mod rounds;

pub(crate) use prim::folds_zero;
pub(crate) use prim::word;
pub use prim::{literal, of_word, operator, stored_type, type_name};

use crate::device::{Cap, Caps};
use futi_core::hash::HashMap;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// One definition of the library: a function or a constant.
struct Definition {
    name: String,
    text: String,
    /// The positions of those that it mentions.
    needs: Vec<usize>,
    has_doubles: bool,
}

struct Library {
    definitions: Vec<Definition>,
    /// From a name to the position of its definition.
    by_name: HashMap<String, usize>,
}

/// The functions of one operand on `f32` that are those on `f64`, rounded.
const UNARY_BY_F64: [&str; 29] = [
    "cbrt", "exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
    "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "sinpi", "cospi", "tanpi", "asinpi", "acospi", "atanpi",
    "gamma", "lgamma",
];

/// Likewise of two operands.
const BINARY_BY_F64: [&str; 5] = ["pow", "atan2", "atan2pi", "hypot", "mod"];

fn sources() -> Vec<String> {
    let int = include_str!("int.glsl");
    let at_int = |t, u, suffix, width| int.replace("$T", t).replace("$U", u).replace("$t", suffix).replace("$W", width);
    let uint = include_str!("uint.glsl");
    let at_uint = |t, suffix, width| uint.replace("$T", t).replace("$t", suffix).replace("$W", width);
    let float = include_str!("float.glsl");
    let at_float = |t, suffix| float.replace("$T", t).replace("$t", suffix);
    let unary =
        UNARY_BY_F64.iter().map(|f| format!("float {f}_f32(float x) {{ return float({f}_f64(double(x))); }}\n"));
    let binary = BINARY_BY_F64
        .iter()
        .map(|f| format!("float {f}_f32(float x, float y) {{ return float({f}_f64(double(x), double(y))); }}\n"));
    let fixed = [
        include_str!("bits.glsl").to_owned(),
        at_int("int", "uint", "i32", "32"),
        at_int("int64_t", "uint64_t", "i64", "64"),
        at_uint("uint", "u32", "32"),
        at_uint("uint64_t", "u64", "64"),
        at_float("float", "f32"),
        at_float("double", "f64"),
        include_str!("whole.glsl").to_owned(),
        include_str!("convert.glsl").to_owned(),
        include_str!("words.glsl").to_owned(),
        include_str!("double.glsl").to_owned(),
        include_str!("narrow.glsl").to_owned(),
        include_str!("exp.glsl").to_owned(),
        include_str!("log.glsl").to_owned(),
        include_str!("pow.glsl").to_owned(),
        include_str!("trig.glsl").to_owned(),
        include_str!("erf.glsl").to_owned(),
        include_str!("root.glsl").to_owned(),
        include_str!("fma.glsl").to_owned(),
        include_str!("halfturn.glsl").to_owned(),
        include_str!("gamma.glsl").to_owned(),
        include_str!("f32.glsl").to_owned(),
        include_str!("atomic.glsl").to_owned(),
        include_str!("packed.glsl").to_owned(),
    ];
    fixed.into_iter().chain(unary).chain(binary).collect()
}

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let mut definitions = Vec::new();
    for source in sources() {
        for chunk in source.split("\n\n") {
            let code: Vec<&str> = chunk.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let text = code.join("\n");
            // `type name(`, `const type name =` or `const type name[`: the last identifier before the first of these signs.
            let head = text.split(['(', '=', '[']).next().unwrap_or_default();
            let Some(name) = identifiers(head).last().map(str::to_owned) else { continue };
            let has_doubles = identifiers(&text).any(|word| word == "double");
            definitions.push(Definition { name, text, needs: Vec::new(), has_doubles });
        }
    }
    let by_name = definitions.iter().enumerate().map(|(at, d)| (d.name.clone(), at)).collect();
    let mut library = Library { definitions, by_name };
    for at in 0..library.definitions.len() {
        let needs = library.mentioned(&library.definitions[at].text).into_iter().collect();
        library.definitions[at].needs = needs;
    }
    library
});

impl Library {
    /// The positions of the definitions that a text mentions.
    fn mentioned(&self, text: &str) -> BTreeSet<usize> {
        identifiers(text).filter_map(|word| self.by_name.get(word).copied()).collect()
    }

    /// The definitions that a text needs, in order.
    fn needed(&self, text: &str) -> Vec<&Definition> {
        let mut needed = self.mentioned(text);
        let mut pending: Vec<usize> = needed.iter().copied().collect();
        while let Some(at) = pending.pop() {
            let needs = self.definitions[at].needs.iter().copied();
            pending.extend(needs.filter(|other| needed.insert(*other)));
        }
        needed.into_iter().map(|at| &self.definitions[at]).collect()
    }
}

/// The words of a text that could be names.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// These definitions' texts, one after the other.
fn joined(definitions: &[&Definition]) -> String {
    definitions.iter().map(|d| d.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// A whole shader: what every kernel begins with on a device of these capabilities, what the text needs of the library, and the text.
pub fn shader(caps: &Caps, text: &str) -> String {
    let needed = LIBRARY.needed(text);
    let has_doubles = || needed.iter().any(|d| d.has_doubles) || identifiers(text).any(|word| word == "double");
    let code = if !caps.has(Cap::F64) && has_doubles() {
        // Note [Doubles in integers]
        format!("{}\n{}", joined(&LIBRARY.needed(&format!("keep_doubles {text}"))), keeping(text))
    } else {
        format!("{}\n{text}", joined(&needed))
    };
    let code = if caps.loop_limit.is_some() { rounds::counted(&code) } else { code };
    format!("{}\n{code}", preamble(caps))
}

/// The text of a kernel that keeps the functions on the bits of doubles.
fn keeping(text: &str) -> String {
    text.replacen("void main() {", "void main() {\n    keep_doubles();", 1)
}

/// Extensions, what counts the rounds of loops where a driver limits them (`TICK;` begins the body of every loop), and the types of references to one element of an array: `RefF64(address).v`.
fn preamble(caps: &Caps) -> String {
    let mut lines = vec!["#version 460".to_owned()];
    let mut extension = |name: &str| lines.push(format!("#extension {name} : require"));
    extension("GL_EXT_buffer_reference");
    extension("GL_EXT_scalar_block_layout");
    extension("GL_EXT_shader_explicit_arithmetic_types_int64");
    if caps.has(Cap::I8) {
        extension("GL_EXT_shader_explicit_arithmetic_types_int8");
        extension("GL_EXT_shader_8bit_storage");
    }
    if caps.has(Cap::I16) || caps.has(Cap::F16) {
        extension("GL_EXT_shader_16bit_storage");
    }
    if caps.has(Cap::I16) {
        extension("GL_EXT_shader_explicit_arithmetic_types_int16");
    }
    if caps.has(Cap::F16) {
        extension("GL_EXT_shader_explicit_arithmetic_types_float16");
    }
    if caps.has(Cap::Subgroups) {
        ["basic", "vote", "shuffle"].into_iter().for_each(|kind| extension(&format!("GL_KHR_shader_subgroup_{kind}")));
        extension("GL_EXT_shader_subgroup_extended_types_int64");
    }
    if caps.has(Cap::AtomicI64) || caps.has(Cap::SharedAtomicI64) {
        extension("GL_EXT_shader_atomic_int64");
    }
    if caps.has(Cap::AtomicF32) || caps.has(Cap::AtomicF64) {
        extension("GL_EXT_shader_atomic_float");
    }
    let mut reference = |name: &str, ty: &str, align: u32| {
        lines.push(format!(
            "layout(buffer_reference, scalar, buffer_reference_align = {align}) buffer Ref{name} {{ {ty} v; }};"
        ));
    };
    reference("I32", "int", 4);
    reference("U32", "uint", 4);
    reference("I64", "int64_t", 8);
    reference("U64", "uint64_t", 8);
    reference("F32", "float", 4);
    reference("F64", "double", 8);
    if caps.has(Cap::I8) {
        reference("Bool", "uint8_t", 1);
        reference("I8", "int8_t", 1);
        reference("U8", "uint8_t", 1);
    }
    if caps.has(Cap::I16) {
        reference("I16", "int16_t", 2);
        reference("U16", "uint16_t", 2);
    }
    if caps.has(Cap::F16) {
        reference("F16", "float16_t", 2);
    }
    lines.push(match caps.loop_limit {
        // a subgroup's rounds are counted, whichever of its invocations are in the loop: one of them counts
        Some(_) if caps.has(Cap::Subgroups) => {
            "#extension GL_KHR_shader_subgroup_arithmetic : require\nuint rounds = 0u;\n\
             #define TICK(n) rounds += subgroupElect() ? uint(n) : 0u\n#define ROUNDS subgroupAdd(rounds)"
                .into()
        }
        Some(_) => "uint rounds = 0u;\n#define TICK(n) rounds += uint(n)\n#define ROUNDS rounds".into(),
        None => "#define TICK".into(),
    });
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_gets_what_it_mentions_and_no_more() {
        let library_for = |text: &str| joined(&LIBRARY.needed(text));
        assert_eq!(library_for("x + 1"), "");
        let text = library_for("shl_i32(a, b)");
        let names: Vec<&str> = text.lines().filter_map(|line| identifiers(line.split('(').next()?).last()).collect();
        assert_eq!(names, ["within_i32", "shl_i32"]);
        assert!(library_for("exp_f32(x)").contains("double exp_polynomial"));
    }

    #[test]
    fn definitions_come_before_their_uses() {
        for (position, definition) in LIBRARY.definitions.iter().enumerate() {
            assert!(definition.needs.iter().all(|at| *at <= position), "{} needs one below", definition.name);
        }
    }

    #[test]
    fn every_name_is_defined_once() {
        for (position, definition) in LIBRARY.definitions.iter().enumerate() {
            assert_eq!(LIBRARY.by_name[&definition.name], position, "{}", definition.name);
        }
    }

    #[test]
    fn the_preamble_has_what_a_device_has() {
        let references: Vec<(&str, u32)> =
            vec![("I32", 4), ("U32", 4), ("I64", 8), ("U64", 8), ("F32", 4), ("F64", 8), ("Bool", 1)];
        let text = preamble(&Caps::complete());
        for (name, align) in references {
            assert!(text.contains(&format!("buffer_reference_align = {align}) buffer Ref{name} ")), "{name}");
        }
        // Either kind of float needs the extension.
        for other in [Cap::AtomicF32, Cap::AtomicF64] {
            let mut caps = Caps::complete();
            caps.has.remove(&other);
            assert!(preamble(&caps).contains("GL_EXT_shader_atomic_float"));
        }
    }
}
