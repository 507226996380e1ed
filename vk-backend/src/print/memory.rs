//! Elements, atomic operations and barriers.

use super::{Printer, local};
use crate::device::{Cap, Caps};
use crate::glsl::{of_word, stored_type, type_name, word};
use futi_core::prim::ScalarType;
use futi_kernels::ir::*;

// Note [Seen by other groups]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The modules have GLSL's own memory model: atomic operations are relaxed there, and order comes from barriers of memory beside them, before what releases and behind what acquires. That orders accesses of
// references marked `coherent` alone, which pass by the caches that groups do not share. So the blocks that a kernel changes and that groups tell each other about are read and written by such ones.
//
// llvmpipe makes of a barrier of memory a place where a subgroup waits until all others of its group have come to one, and goes on wrong if they do not ([`Caps::fences_wait`], Mesa 22.3). Its
// atomic operations are sequentially consistent, so that they need no barriers; that the compiler before it keeps reads and writes apart is what `volatile` is for.

// Note [Locks for words of 64 bits]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A device without atomic operations on 64 bits makes them under a lock, one of [`LOCKS`] behind the record of failures, by the element's address; the halves are read and written by atomic
// operations of 32 bits, so that they pass by what caches keep. Nobody waits for a lock outside of the round in which it is held: of a subgroup that goes on together, the holder would wait for those
// that wait for it. Where a kernel does nothing else to a block than to add numbers, no lock is needed: halves are added, and the carry.

/// How many locks there are for words of 64 bits.
pub(super) const LOCKS: usize = 256;

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

/// Whether a kernel does nothing else to a block than to add to its elements, without looking.
fn only_adds(kernel: &Kernel, block: Block) -> bool {
    let mut only = !kernel.blocks[block.at()].access.reads && !kernel.blocks[block.at()].access.writes;
    walk(&kernel.body, &mut |stm| {
        if let Stm::Atomic(Atomic { at: Array::Block(b), op, old, .. }) = stm
            && *b == block
        {
            only &= *op == AtomicOp::Add && old.is_none();
        }
    });
    only
}

impl Printer<'_> {
    /// The types of references to what other groups see.
    pub(super) fn seen_references(&self) -> String {
        let seen = (0..).map(Block).zip(&self.seen).filter(|(block, seen)| **seen && !self.is_packed(*block));
        let types: std::collections::BTreeSet<ScalarType> =
            seen.map(|(block, _)| self.kernel.blocks[block.at()].elem).collect();
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
            // mutant negation: all that kernels have has a signature
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

    /// Whether a block's elements are parts of words, as the device has no memory of their width.
    fn is_packed(&self, block: Block) -> bool {
        let cap = match self.kernel.blocks[block.at()].elem {
            ScalarType::I8 | ScalarType::U8 | ScalarType::Bool => Cap::I8,
            ScalarType::I16 | ScalarType::U16 => Cap::I16,
            ScalarType::F16 => Cap::F16,
            _ => return false,
        };
        !self.caps.has(cap)
    }

    /// The width of an element that is a part of a word.
    fn width(&self, block: Block) -> &'static str {
        if self.kernel.blocks[block.at()].elem.bytes() == 1 { "byte" } else { "half" }
    }

    fn reference(&self, block: Block) -> String {
        let kind = if self.seen[block.at()] { "Seen" } else { "Ref" };
        format!("{kind}{}", suffix(self.kernel.blocks[block.at()].elem))
    }

    /// The value of an element.
    pub(super) fn load(&self, from: Array, index: &Exp) -> String {
        let elem = self.elem(from);
        match from {
            Array::Block(b) if self.is_packed(b) => {
                let when = if self.kernel.blocks[b.at()].access.changes() { "now" } else { "at" };
                of_word(elem, &format!("{}_{when}({})", self.width(b), self.address(b, index)))
            }
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
            Array::Block(b) if self.is_packed(b) => {
                format!("put_{}({}, {});", self.width(b), self.address(b, index), word(elem, value))
            }
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
        if let Array::Block(block) = at
            && elem.bytes() == 8
            && !self.caps.has(Cap::AtomicI64)
        {
            return self.by_halves(*block, *op, *old, &here, &values, order.acquires().then_some(*scope));
        }
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

    /// An atomic operation on 64 bits without such: Note [Locks for words of 64 bits].
    fn by_halves(
        &mut self,
        block: Block,
        op: AtomicOp,
        old: Option<Local>,
        here: &str,
        values: &[String],
        acquires: Option<Scope>,
    ) {
        let elem = self.kernel.blocks[block.at()].elem;
        let to_bits = |x: &String| word(elem, x);
        if !elem.is_float() && only_adds(self.kernel, block) {
            self.line(format!("add_halves({here}, {});", to_bits(&values[0])));
            return;
        }
        let (lock, done, was) = (self.name("lock"), self.name("done"), self.name("was"));
        let fence = fence(self.caps, Scope::Device);
        let typed = of_word(elem, &was);
        let first = |a: &str, compare: &str, b: &str| format!("({a} {compare} {b} ? {a} : {b})");
        let next = match op {
            AtomicOp::Load => None,
            AtomicOp::Store | AtomicOp::Exchange => Some(to_bits(&values[0])),
            AtomicOp::CompareExchange => {
                Some(format!("({was} == {} ? {} : {was})", to_bits(&values[0]), to_bits(&values[1])))
            }
            AtomicOp::Add => Some(to_bits(&format!("({typed} + {})", values[0]))),
            AtomicOp::Min => Some(to_bits(&first(&values[0], "<", &typed))),
            AtomicOp::Max => Some(to_bits(&first(&values[0], ">", &typed))),
            AtomicOp::And => Some(format!("({was} & {})", to_bits(&values[0]))),
            AtomicOp::Or => Some(format!("({was} | {})", to_bits(&values[0]))),
            AtomicOp::Xor => Some(format!("({was} ^ {})", to_bits(&values[0]))),
        };
        self.line(format!("uint {lock} = uint({here} >> 3) % {LOCKS}u;"));
        self.line(format!("uint64_t {was} = 0UL;"));
        self.line(format!("bool {done} = false;"));
        self.block(&format!("while (!{done})"), |p| {
            p.line("TICK;");
            p.block(&format!("if (atomicCompSwap(Record(record).locks[{lock}], 0u, 1u) == 0u)"), |p| {
                p.line(fence);
                p.line(format!("{was} = read_halves({here});"));
                if let Some(next) = next {
                    p.line(format!("write_halves({here}, {next});"));
                }
                p.line(fence);
                p.line(format!("atomicExchange(Record(record).locks[{lock}], 0u);"));
                p.line(format!("{done} = true;"));
            });
        });
        if let Some(to) = old {
            self.line(format!("{} = {};", local(to), of_word(elem, &was)));
        }
        if let Some(scope) = acquires {
            self.line(self::fence(self.caps, scope));
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

#[cfg(test)]
mod tests {
    use super::super::print;
    use crate::device::Caps;
    use futi_kernels::check::Checked;
    use futi_kernels::ir::Kernel;

    /// A kernel with an atomic operation of this order and scope, as text: the fences before the operation, and those after it.
    fn fences(order: &str, caps: &Caps) -> [String; 2] {
        let text =
            format!("futi-kernel 1 kernel k @0 {{ block y_0: atomic i32 atomic add block.y_0[0i32](1i32) {order} }}");
        let kernel = Checked::new(text.parse::<Kernel>().expect("a kernel")).expect("well-formed");
        let code = print(&kernel, caps, 64).expect("code");
        let (before, after) = code.split_once("atomicAdd").expect("the operation");
        let is_fence = |line: &&str| line.ends_with("emoryBarrier();");
        let fences = |code: &str| code.lines().map(str::trim).filter(is_fence).collect::<String>();
        [before, after].map(fences)
    }

    #[test]
    fn an_order_is_a_fence_before_what_releases_and_behind_what_acquires() {
        let mut caps = Caps::complete();
        let (group, device) = ("groupMemoryBarrier();", "memoryBarrier();");
        assert_eq!(fences("relaxed device", &caps), ["", ""]);
        assert_eq!(fences("acquire device", &caps), ["", device]);
        assert_eq!(fences("release device", &caps), [device, ""]);
        assert_eq!(fences("acquire_release group", &caps), [group, group]);
        // where each operation waits for those before it
        caps.fences_wait = true;
        assert_eq!(fences("acquire_release device", &caps), ["", ""]);
    }
}
