//! Elements, atomic operations and barriers.

use super::{Printer, local};
use crate::device::{Cap, Caps};
use crate::glsl::{stored_type, type_name};
use futi_core::prim::ScalarType;
use futi_kernels::ir::*;

// Note [Seen by other groups]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The modules have GLSL's own memory model: atomic operations are relaxed there, and order comes from barriers of memory beside them, before what releases and behind what acquires. That orders accesses of
// references marked `coherent` alone, which pass by the caches that groups do not share. So the blocks that a kernel changes and that groups tell each other about are read and written by such ones.
//
// llvmpipe makes of a barrier of memory a place where a subgroup waits until all others of its group have come to one, and goes on wrong if they do not ([`Caps::fences_wait`], Mesa 22.3). Its
// atomic operations are sequentially consistent, so that they need no barriers; that the compiler before it keeps reads and writes apart is what `volatile` is for.

/// How references to what groups tell each other are qualified.
pub(super) fn qualifiers(caps: &Caps) -> &'static str {
    if caps.fences_wait { "coherent volatile" } else { "coherent" }
}

/// A barrier of memory, beside an atomic operation.
pub(super) fn fence(caps: &Caps, scope: Scope) -> &'static str {
    match scope {
        _ if caps.fences_wait => "",
        Scope::Group => "groupMemoryBarrier();",
        Scope::Device => "memoryBarrier();",
    }
}

/// What a value of a type goes by in atomic operations of GLSL: its type, and the functions to and from it.
struct Bits {
    ty: &'static str,
    to: &'static str,
    from: &'static str,
    reference: &'static str,
    zero: &'static str,
}

fn bits(ty: ScalarType) -> Bits {
    let of = |ty, to, from, reference, zero| Bits { ty, to, from, reference, zero };
    match ty {
        ScalarType::F32 => of("uint", "floatBitsToUint", "uintBitsToFloat", "RefU32", "0u"),
        ScalarType::F64 => of("uint64_t", "bits_f64", "from_bits_f64", "RefU64", "0UL"),
        ScalarType::I64 => of("int64_t", "", "", "RefI64", "int64_t(0)"),
        ScalarType::U64 => of("uint64_t", "", "", "RefU64", "0UL"),
        ScalarType::U32 => of("uint", "", "", "RefU32", "0u"),
        _ => of("int", "", "", "RefI32", "0"),
    }
}

/// The name that the references to elements of a type end with.
fn suffix(ty: ScalarType) -> String {
    let name = ty.name();
    format!("{}{}", name[..1].to_uppercase(), &name[1..])
}

/// Of each block, whether groups tell each other about its elements.
pub(super) fn seen(kernel: &Kernel) -> Vec<bool> {
    let orders = |stm: &Stm| match stm {
        Stm::Fence(Scope::Device) => true,
        Stm::Atomic(a) => a.scope == Scope::Device && a.order != Order::Relaxed,
        _ => false,
    };
    let mut any = false;
    walk(&kernel.body, &mut |stm| any |= orders(stm));
    kernel.blocks.iter().map(|b| any && b.access.changes()).collect()
}

/// Of each array of the group, whether it has the bits of its elements: GLSL's atomic operations on these know no floats.
pub(super) fn in_bits(kernel: &Kernel) -> Vec<bool> {
    let mut all = vec![false; kernel.shared.len()];
    walk(&kernel.body, &mut |stm| {
        if let Stm::Atomic(Atomic { at: Array::Shared(s), .. }) = stm {
            all[s.at()] = kernel.shared[s.at()].elem.is_float();
        }
    });
    all
}

impl Printer<'_> {
    /// The types of references to what other groups see.
    pub(super) fn seen_references(&self) -> String {
        let seen = self.kernel.blocks.iter().zip(&self.seen).filter(|(_, seen)| **seen);
        let types: std::collections::BTreeSet<ScalarType> = seen.map(|(b, _)| b.elem).collect();
        let reference = |ty: ScalarType| {
            format!(
                "layout(buffer_reference, scalar, buffer_reference_align = {}) {} buffer Seen{} {{ {} v; }};\n",
                ty.bytes(),
                qualifiers(self.caps),
                suffix(ty),
                stored_type(ty)
            )
        };
        types.into_iter().map(reference).collect()
    }

    /// The type of a shared array in GLSL: of one that is updated atomically, that which the operations know.
    pub(super) fn shared_type(&self, shared: Shared) -> &'static str {
        let elem = self.kernel.shared[shared.at()].elem;
        if self.has_bits[shared.at()] { bits(elem).ty } else { type_name(elem) }
    }

    /// Whether an array has the bits of its elements.
    fn has_bits(&self, array: Array) -> bool {
        matches!(array, Array::Shared(s) if self.has_bits[s.at()])
    }

    fn elem(&self, array: Array) -> ScalarType {
        self.kernel.elem(array).unwrap_or(ScalarType::Bool)
    }

    /// Whether an expression is an `i32`.
    fn is_narrow(&self, e: &Exp) -> bool {
        match e {
            Exp::Lit(x) => x.scalar_type() == ScalarType::I32,
            Exp::Local(l) => self.kernel.locals[l.at()].ty == ScalarType::I32,
            Exp::Param(p) => self.kernel.params[p.at()].ty == ScalarType::I32,
            Exp::Builtin(_) => true,
            Exp::Length(_) => false,
            Exp::Prim(prim, _) => prim.signature().is_some_and(|(_, result)| result == ScalarType::I32),
        }
    }

    /// The address of an element of a block. No index is negative.
    fn address(&self, block: Block, index: &Exp) -> String {
        let size = self.kernel.blocks[block.at()].elem.bytes();
        let text = self.exp(index);
        let wide = if self.is_narrow(index) { format!("uint64_t(uint({text}))") } else { format!("uint64_t({text})") };
        format!("b{} + {wide} * {size}UL", block.0)
    }

    /// An element of an array of the group or of the invocation.
    fn place(&self, array: Array, index: &str) -> String {
        match array {
            Array::Shared(s) => format!("s{}[int({index})]", s.0),
            Array::Private(p) => format!("a{}[int({index})]", p.0),
            // blocks have addresses
            Array::Block(b) => format!("b{}[{index}]", b.0),
        }
    }

    fn reference(&self, block: Block) -> String {
        let kind = if self.seen[block.at()] { "Seen" } else { "Ref" };
        format!("{kind}{}", suffix(self.kernel.blocks[block.at()].elem))
    }

    /// The value of an element.
    pub(super) fn load(&self, from: Array, index: &Exp) -> String {
        let elem = self.elem(from);
        match from {
            Array::Block(b) => {
                let at = format!("{}({}).v", self.reference(b), self.address(b, index));
                match elem {
                    ScalarType::Bool => format!("({at} != uint8_t(0))"),
                    elem => format!("{}({at})", type_name(elem)),
                }
            }
            _ => {
                let at = self.place(from, &self.exp(index));
                if self.has_bits(from) { format!("{}({at})", bits(elem).from) } else { at }
            }
        }
    }

    /// The assignment of a value to an element.
    pub(super) fn store(&self, to: Array, index: &Exp, value: &str) -> String {
        let elem = self.elem(to);
        match to {
            Array::Block(b) => {
                let at = format!("{}({}).v", self.reference(b), self.address(b, index));
                match elem {
                    ScalarType::Bool => format!("{at} = uint8_t({value} ? 1 : 0);"),
                    elem => format!("{at} = {}({value});", stored_type(elem)),
                }
            }
            _ => {
                let at = self.place(to, &self.exp(index));
                if self.has_bits(to) {
                    format!("{at} = {}({value});", bits(elem).to)
                } else {
                    format!("{at} = {value};")
                }
            }
        }
    }

    /// An atomic operation, between what its order asks for.
    pub(super) fn atomic(&mut self, atomic: &Atomic) {
        let Atomic { op, old, at, index, operands, order, scope } = atomic;
        let elem = self.elem(*at);
        let bits = bits(elem);
        if order.releases() {
            self.line(fence(self.caps, *scope));
        }
        let values: Vec<String> = operands.iter().map(|e| self.exp(e)).collect();
        // where the element is, looked for once
        let here = self.name("at");
        let place = match at {
            Array::Block(b) => {
                let address = self.address(*b, index);
                self.line(format!("uint64_t {here} = {address};"));
                format!("{}({here}).v", bits.reference)
            }
            _ => {
                let index = self.exp(index);
                self.line(format!("int {here} = int({index});"));
                self.place(*at, &here)
            }
        };
        let to_bits = |x: &String| format!("{}({x})", bits.to);
        let call = |name: &str, args: &[String]| {
            let args: String = args.iter().map(|x| format!(", {x}")).collect();
            format!("{name}({place}{args})")
        };
        let raw: Vec<String> = values.iter().map(to_bits).collect();
        let was = match op {
            AtomicOp::Load => call("atomicOr", &[bits.zero.into()]),
            AtomicOp::Store | AtomicOp::Exchange => call("atomicExchange", &raw),
            AtomicOp::CompareExchange => call("atomicCompSwap", &raw),
            AtomicOp::Add if elem.is_float() => self.add(*at, elem, &here, &place, &values[0]),
            AtomicOp::Add => call("atomicAdd", &raw),
            AtomicOp::Min => call("atomicMin", &raw),
            AtomicOp::Max => call("atomicMax", &raw),
            AtomicOp::And => call("atomicAnd", &raw),
            AtomicOp::Or => call("atomicOr", &raw),
            AtomicOp::Xor => call("atomicXor", &raw),
        };
        match old {
            Some(to) => self.line(format!("{} = {}({was});", local(*to), bits.from)),
            None => self.line(format!("{was};")),
        }
        if order.acquires() {
            self.line(fence(self.caps, *scope));
        }
    }

    /// An atomic sum of floats, by the device's own or by compare and swap: an expression for the bits of what was there.
    fn add(&mut self, at: Array, elem: ScalarType, here: &str, place: &str, value: &str) -> String {
        let native = if elem == ScalarType::F32 { Cap::AtomicF32 } else { Cap::AtomicF64 };
        let bits = bits(elem);
        if matches!(at, Array::Block(_)) && self.caps.has(native) {
            return format!("{}(atomicAdd(Ref{}({here}).v, {value}))", bits.to, suffix(elem));
        }
        let (seen, expected) = (self.name("seen"), self.name("expected"));
        self.line(format!("{} {seen} = {place};", bits.ty));
        self.line(format!("{} {expected};", bits.ty));
        self.block("for (;;)", |p| {
            p.line("TICK;");
            p.line(format!("{expected} = {seen};"));
            let sum = format!("{}({}({expected}) + {value})", bits.to, bits.from);
            p.line(format!("{seen} = atomicCompSwap({place}, {expected}, {sum});"));
            p.line(format!("if ({seen} == {expected}) break;"));
        });
        seen
    }

    /// Waits for all of the group.
    pub(super) fn barrier(&mut self) {
        // of itself it orders what is shared alone; the other order costs as much as all writes to memory take, and all come here
        if self.kernel.blocks.iter().any(|b| b.access.exchanges()) {
            self.line("memoryBarrierBuffer();");
        }
        self.line("barrier();");
    }
}
