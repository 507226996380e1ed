//! The text of a kernel in the making: names, free variables, sizes.

use super::array::Array;
use super::{Arg, Cost, Kernel, Known, ROUNDS, Scratch, Site};
use crate::device::{Cap, Caps};
use crate::glsl::{self, literal, type_name};
use futi_core::backend::Unsupported;
use futi_core::hash::HashMap;
use futi_core::ir::build::Vars;
use futi_core::ir::{AccInput, Binder, Dim, Prov, ScalarType, SubExp, Type, Var};
use std::fmt::Write;

/// What a kernel's surroundings are.
pub struct Context<'a> {
    /// The program's variables.
    pub vars: &'a Vars,
    /// The device's capabilities.
    pub caps: &'a Caps,
    /// Whether the host has not seen this scalar: it is in device memory.
    pub is_cell: &'a dyn Fn(Var) -> bool,
    /// The accumulators of the host, by identity.
    pub accs: &'a HashMap<Var, AccInput>,
    /// Of sizes that differ from point to point, the cells that hold their greatest.
    pub bounds: &'a HashMap<Var, Var>,
}

/// Why a kernel cannot be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// What to say about it.
    pub unsupported: Unsupported,
    /// The size that the host would have to know a bound of: with it in [`Context::bounds`], this would be no obstacle.
    pub unbounded: Option<Var>,
}

/// What emitting gives: why not, if it fails.
pub type Emitted<T> = Result<T, Refusal>;

/// What a variable of the IR is in the kernel.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A name or a constant.
    Scalar(String),
    /// An array.
    Array(Array),
    /// An accumulator, which its type tells, or a certificate.
    Unit,
}

/// An accumulator that an invocation has for itself.
#[derive(Clone)]
pub(super) struct OwnAcc {
    pub(super) input: AccInput,
    pub(super) arrays: Vec<Array>,
}

/// Writes the code of one kernel.
pub(super) struct Emitter<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) sites: &'a mut Vec<Site>,
    /// The text of the function in the making.
    pub(super) out: String,
    depth: usize,
    next: u32,
    env: HashMap<Var, Value>,
    known: HashMap<Var, Known>,
    /// Where arrays that are about to be made had best be.
    pub(super) places: HashMap<Var, Array>,
    pub(super) own_accs: HashMap<Var, OwnAcc>,
    /// Declarations of what all functions see, and the statements that set them.
    globals: String,
    setup: String,
    pub(super) args: Vec<Arg>,
    pub(super) scratch: Vec<Scratch>,
    pub(super) updates: Vec<Var>,
    /// The cost of the code being written: the innermost loop last.
    pub(super) costs: Vec<Vec<Cost>>,
    pub(super) prov: Prov,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(context: &'a Context<'a>, sites: &'a mut Vec<Site>, prov: Prov) -> Self {
        let mut emitter = Emitter {
            context,
            sites,
            out: String::new(),
            depth: 1,
            next: 0,
            env: HashMap::default(),
            known: HashMap::default(),
            places: HashMap::default(),
            own_accs: HashMap::default(),
            globals: String::new(),
            setup: String::new(),
            args: Vec::new(),
            scratch: Vec::new(),
            updates: Vec::new(),
            costs: vec![Vec::new()],
            prov,
        };
        emitter.global("uint64_t", "failure", Arg::Failure, |word| word);
        emitter.global("int64_t", "points", Arg::Points, |word| format!("int64_t({word})"));
        emitter.global("int64_t", "threads", Arg::Threads, |word| format!("int64_t({word})"));
        emitter.globals.push_str("int64_t tid;\n");
        emitter.setup.push_str("    tid = int64_t(gl_GlobalInvocationID.x);\n");
        emitter
    }

    /// A global variable set from a word of the arguments.
    pub(super) fn global(&mut self, ty: &str, name: &str, arg: Arg, value: impl FnOnce(String) -> String) {
        let word = format!("args.f{}", self.args.len());
        self.args.push(arg);
        let _ = writeln!(self.globals, "{ty} {name};");
        let _ = writeln!(self.setup, "    {name} = {};", value(word));
    }

    /// A new name.
    pub(super) fn fresh(&mut self, stem: &str) -> String {
        self.next += 1;
        format!("{stem}{}", self.next)
    }

    /// Writes a line.
    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.out, "{:width$}{}", "", text.as_ref(), width = 4 * self.depth);
    }

    /// Writes `head {`, what `inside` writes, and `}`.
    pub(super) fn block<T>(&mut self, head: &str, inside: impl FnOnce(&mut Self) -> Emitted<T>) -> Emitted<T> {
        self.line(if head.is_empty() { "{".to_owned() } else { format!("{head} {{") });
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        self.line("}");
        result
    }

    /// Writes a loop with this head, whose rounds are counted where a driver limits them.
    pub(super) fn looped<T>(&mut self, head: &str, inside: impl FnOnce(&mut Self) -> Emitted<T>) -> Emitted<T> {
        self.block(head, |e| {
            e.line("TICK;");
            inside(e)
        })
    }

    /// Writes a loop of so many rounds over `0 ..`; its index is passed on. What it costs counts so many times.
    pub(super) fn repeat<T>(
        &mut self,
        times: &str,
        known: Option<Known>,
        inside: impl FnOnce(&mut Self, &str) -> Emitted<T>,
    ) -> Emitted<T> {
        let index = self.fresh("k");
        let head = format!("for (int64_t {index} = int64_t(0); {index} < {times}; {index}++)");
        self.costs.push(Vec::new());
        let result = self.looped(&head, |e| inside(e, &index));
        self.close_cost(known);
        result
    }

    /// What was counted since the last opening of a loop counts so many times.
    pub(super) fn close_cost(&mut self, times: Option<Known>) {
        let inner = total(self.costs.pop().unwrap_or_default());
        self.costs
            .last_mut()
            .into_iter()
            .for_each(|costs| costs.push(Cost::Times(times.clone(), Box::new(inner.clone()))));
    }

    /// Counts one operation.
    pub(super) fn count(&mut self) {
        if let Some(costs) = self.costs.last_mut() {
            match costs.first_mut() {
                Some(Cost::Sum(own, parts)) if parts.is_empty() => *own += 1,
                _ => costs.insert(0, Cost::Sum(1, Vec::new())),
            }
        }
    }

    /// Writes what `inside` writes to a text of its own.
    pub(super) fn aside<T>(&mut self, inside: impl FnOnce(&mut Self) -> Emitted<T>) -> Emitted<(String, T)> {
        let before = std::mem::take(&mut self.out);
        let result = inside(self);
        let text = std::mem::replace(&mut self.out, before);
        Ok((text, result?))
    }

    /// Declares a variable with this value; its name.
    pub(super) fn declare(&mut self, ty: ScalarType, stem: &str, value: &str) -> String {
        let name = self.fresh(stem);
        self.line(format!("{} {name} = {value};", type_name(ty)));
        name
    }

    pub(super) fn bind(&mut self, var: Var, value: Value) {
        self.env.insert(var, value);
    }

    /// Records that a variable has a value that the host knows.
    pub(super) fn learn(&mut self, var: Var, known: Option<Known>) {
        match known {
            Some(known) => self.known.insert(var, known),
            None => self.known.remove(&var),
        };
    }

    /// What a variable is; a free one becomes an argument now.
    pub(super) fn value(&mut self, var: Var) -> Emitted<Value> {
        if let Some(value) = self.env.get(&var) {
            return Ok(value.clone());
        }
        let value = match self.context.vars.ty(var).clone() {
            Type::Scalar(ty) if (self.context.is_cell)(var) => {
                let name = format!("v{}", var.0);
                self.global(type_name(ty), &name, Arg::Cell(var), |word| load(ty, &word));
                Value::Scalar(name)
            }
            Type::Scalar(ty) => {
                let name = format!("v{}", var.0);
                self.global(type_name(ty), &name, Arg::Scalar(var), |word| from_word(ty, &word));
                self.learn(var, Some(Known::Var(var)));
                Value::Scalar(name)
            }
            Type::Array(elem, shape) => {
                let base = format!("a{}", var.0);
                self.global("uint64_t", &base, Arg::Array(var), |word| word);
                Value::Array(self.packed(elem, &shape, base, "int64_t(1)", true)?)
            }
            Type::Acc(_) | Type::Cert => Value::Unit,
        };
        self.bind(var, value.clone());
        Ok(value)
    }

    /// The expression of a scalar operand.
    pub(super) fn scalar(&mut self, operand: SubExp) -> Emitted<String> {
        match operand {
            SubExp::Lit(x) => Ok(literal(x)),
            SubExp::Var(v) => match self.value(v)? {
                Value::Scalar(name) => Ok(name),
                Value::Array(_) | Value::Unit => Err(self.unsupported("an operand that is no scalar", "a scalar")),
            },
        }
    }

    pub(super) fn scalars(&mut self, operands: &[SubExp]) -> Emitted<Vec<String>> {
        operands.iter().map(|e| self.scalar(*e)).collect()
    }

    /// What an operand is.
    pub(super) fn operand(&mut self, operand: SubExp) -> Emitted<Value> {
        match operand {
            SubExp::Lit(x) => Ok(Value::Scalar(literal(x))),
            SubExp::Var(v) => self.value(v),
        }
    }

    /// What a variable that stands for an array is.
    pub(super) fn array(&mut self, var: Var) -> Emitted<Array> {
        match self.value(var)? {
            Value::Array(array) => Ok(array),
            Value::Scalar(_) | Value::Unit => Err(self.unsupported("an operand that is no array", "an array")),
        }
    }

    /// The expression of a size.
    pub(super) fn dim(&mut self, dim: Dim) -> Emitted<String> {
        self.scalar(dim.into())
    }

    /// A size as the host works it out.
    pub(super) fn known(&mut self, operand: SubExp) -> Option<Known> {
        match operand {
            SubExp::Lit(x) => Some(Known::Lit(x)),
            SubExp::Var(v) if self.known.contains_key(&v) => self.known.get(&v).cloned(),
            SubExp::Var(v) if self.env.contains_key(&v) => self.cell(v),
            SubExp::Var(v) => {
                self.value(v).ok()?;
                self.known.get(&v).cloned().or_else(|| self.cell(v))
            }
        }
    }

    /// A scalar of the host's that it has not seen yet: it can look.
    fn cell(&self, var: Var) -> Option<Known> {
        self.args.contains(&Arg::Cell(var)).then_some(Known::Var(var))
    }

    pub(super) fn unsupported(&self, construct: impl Into<String>, missing: impl Into<String>) -> Refusal {
        let unsupported = Unsupported { construct: construct.into(), missing: missing.into(), prov: self.prov };
        Refusal { unsupported, unbounded: None }
    }

    pub(super) fn ty(&self, var: Var) -> Type {
        self.context.vars.ty(var).clone()
    }

    /// Binds a pattern's variable to a value. An array gets the sizes of the variable's type.
    pub(super) fn bind_to(&mut self, binder: &Binder, value: Value) {
        let value = match value {
            Value::Array(array) => Value::Array(Array { shape: binder.ty.shape().to_vec(), ..array }),
            other => other,
        };
        self.bind(binder.var, value);
    }

    /// Puts the parts together. `functions` is all but the library and `main`.
    pub(super) fn finish(mut self, functions: &str, shared: &str, main: &str, group_size: u32) -> Emitted<Kernel> {
        let fields: String = (0..self.args.len()).fold(String::new(), |mut text, i| {
            let _ = writeln!(text, "    uint64_t f{i};");
            text
        });
        let limited = match self.context.caps.loop_limit {
            // What is counted is a little less than what the driver counts.
            Some(limit) => {
                format!("    if (ROUNDS > {}u) atomicCompSwap(RefU32(failure).v, 0u, {ROUNDS}u);\n", limit / 100 * 99)
            }
            None => String::new(),
        };
        let text = format!(
            "layout(local_size_x = {group_size}) in;\n\
             layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Args {{\n{fields}}};\n\
             layout(push_constant, scalar) uniform Push {{ Args args; }};\n\
             {}{shared}\n{functions}\nvoid main() {{\n{}{main}{limited}}}\n",
            self.globals, self.setup
        );
        let source = glsl::shader(self.context.caps, &text);
        // mutant: which of two missing capabilities is named
        for (cap, word, what) in [(Cap::F64, "double", "64-bit floats"), (Cap::I8, "RefBool", "8-bit storage")] {
            if !self.context.caps.has(cap) && source.contains(word) {
                return Err(self.unsupported("a kernel", format!("{what} ({})", cap.name())));
            }
        }
        let cost = total(self.costs.pop().unwrap_or_default());
        let Emitter { args, scratch, updates, .. } = self;
        Ok(Kernel { source, args, scratch, updates, group_size, cost })
    }
}

fn total(costs: Vec<Cost>) -> Cost {
    Cost::Sum(0, costs)
}

/// The type of references to an element.
pub(super) fn reference(ty: ScalarType) -> &'static str {
    match ty {
        ScalarType::I8 => "RefI8",
        ScalarType::I16 => "RefI16",
        ScalarType::I32 => "RefI32",
        ScalarType::I64 => "RefI64",
        ScalarType::U8 => "RefU8",
        ScalarType::U16 => "RefU16",
        ScalarType::U32 => "RefU32",
        ScalarType::U64 => "RefU64",
        ScalarType::F16 => "RefF16",
        ScalarType::F32 => "RefF32",
        ScalarType::F64 => "RefF64",
        ScalarType::Bool => "RefBool",
    }
}

/// The value at an address.
pub(super) fn load(ty: ScalarType, address: &str) -> String {
    let at = format!("{}({address}).v", reference(ty));
    if ty == ScalarType::Bool { format!("({at} != uint8_t(0))") } else { at }
}

/// The assignment of a value to an address.
pub(super) fn store(ty: ScalarType, address: &str, value: &str) -> String {
    let at = format!("{}({address}).v", reference(ty));
    if ty == ScalarType::Bool { format!("{at} = uint8_t({value} ? 1 : 0);") } else { format!("{at} = {value};") }
}

/// The value that a word of the argument block holds: see [`futi_core::prim::Scalar::bits`].
fn from_word(ty: ScalarType, word: &str) -> String {
    match ty {
        ScalarType::I32 => format!("int(uint({word}))"),
        ScalarType::F16 => format!("uint16BitsToHalf(uint16_t({word}))"),
        ScalarType::F32 => format!("uintBitsToFloat(uint({word}))"),
        ScalarType::F64 => format!("from_bits_f64({word})"),
        ScalarType::Bool => format!("({word} != 0UL)"),
        _ => format!("{}({word})", type_name(ty)),
    }
}
