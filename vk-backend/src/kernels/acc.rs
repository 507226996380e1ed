//! Updates of accumulators: atomic where the accumulator is shared by all invocations, plain where it is this invocation's own.

use super::array::Array;
use super::emit::{Emitted, Emitter, Value};
use crate::device::Cap;
use crate::glsl::{operator, type_name};
use futi_core::ir::*;

/// The scalar operators of a lambda that combines the components of its operands one by one, a scalar operator each, whatever their rank:
/// `\x1 x2 y1 y2 -> (x1 ⊕ y1, map2 (⊗) x2 y2)`.
pub fn scalar_operator(lambda: &Lambda) -> Option<Vec<Prim>> {
    let n = lambda.ret.len();
    let component = |k: usize| {
        let (x, y) = (lambda.params[k].var, lambda.params[n + k].var);
        let result = lambda.body.result[k].as_var()?;
        let stm = lambda.body.stms.iter().find(|stm| matches!(&stm.pat[..], [p] if p.var == result))?;
        let operands = |a: SubExp, b: SubExp| (a, b) == (x.into(), y.into());
        match &stm.exp {
            Exp::Prim(prim, args) => {
                let [a, b] = args[..] else { return None };
                (operands(a, b) || prim.is_commutative() && operands(b, a)).then_some(*prim)
            }
            Exp::Screma(s) if s.scans.is_empty() && s.reduces.is_empty() && s.arrays.len() == 2 => {
                let [prim] = scalar_operator(&s.map)?[..] else { return None };
                let (a, b) = (s.arrays[0].into(), s.arrays[1].into());
                (operands(a, b) || prim.is_commutative() && operands(b, a)).then_some(prim)
            }
            _ => None,
        }
    };
    // Any other statement, a check say, would be lost.
    if lambda.params.len() == 2 * n && lambda.body.stms.len() == n { (0..n).map(component).collect() } else { None }
}

impl Emitter<'_> {
    /// Combines the elements of an accumulator at an index, if it is in range, with values.
    pub(super) fn update_acc(&mut self, acc: Var, indices: &[SubExp], values: &[SubExp]) -> Emitted<()> {
        let Type::Acc(acc) = self.ty(acc) else {
            return Err(self.unsupported("an update of no accumulator", "an accumulator"));
        };
        let indices = self.scalars(indices)?;
        let values: Vec<Value> = values.iter().map(|v| self.operand(*v)).collect::<Emitted<_>>()?;
        let mut fine = Vec::new();
        for (index, dim) in indices.iter().zip(&acc.shape) {
            let size = self.dim(*dim)?;
            fine.push(format!("{index} >= int64_t(0) && {index} < {size}"));
        }
        let fine = if fine.is_empty() { "true".to_owned() } else { fine.join(" && ") };
        if let Some(own) = self.own_accs.get(&acc.id).cloned() {
            return self.block(&format!("if ({fine})"), |e| {
                let elements: Vec<Value> = own.arrays.iter().map(|array| e.index(array, &indices)).collect();
                let results = e.apply(&own.input.op.lambda, &[elements, values].concat())?;
                for (array, result) in own.arrays.iter().zip(&results) {
                    e.write(array, &indices, result)?;
                }
                Ok(())
            });
        }
        let Some(input) = self.context.accs.get(&acc.id).cloned() else {
            return Err(self.unsupported("an accumulator from outside of the program's text", "its operator"));
        };
        let mut arrays = Vec::new();
        for var in &input.arrays {
            arrays.push(self.array(*var)?);
            if !self.updates.contains(var) {
                self.updates.push(*var);
            }
        }
        let prims = scalar_operator(&input.op.lambda);
        self.block(&format!("if ({fine})"), |e| match prims {
            Some(prims) => {
                for ((array, value), prim) in arrays.iter().zip(&values).zip(prims) {
                    let row = e.row(array, &indices);
                    e.update_elements(&row, value, prim, &mut Vec::new())?;
                }
                Ok(())
            }
            None => match (&arrays[..], &values[..]) {
                ([array], [Value::Scalar(value)]) if array.shape.len() == indices.len() => {
                    let address = e.address(array, &indices)?;
                    e.swap(array.elem, &address, |e, old| {
                        let args = [Value::Scalar(old.to_owned()), Value::Scalar(value.clone())];
                        match e.apply(&input.op.lambda, &args)?.pop() {
                            Some(Value::Scalar(new)) => Ok(new),
                            _ => Err(e.unsupported("an accumulator's operator", "a scalar result")),
                        }
                    })
                }
                _ => Err(e.unsupported(
                    "an accumulator whose operator combines several values at once",
                    "atomic updates of more than 64 bits",
                )),
            },
        })
    }

    /// Updates every element of a row.
    fn update_elements(&mut self, row: &Array, value: &Value, prim: Prim, indices: &mut Vec<String>) -> Emitted<()> {
        if let Some(dim) = row.shape.get(indices.len()) {
            let size = self.dim(*dim)?;
            let known = self.known((*dim).into());
            return self.repeat(&size, known, |e, i| {
                indices.push(i.to_owned());
                e.update_elements(row, value, prim, indices)
            });
        }
        let address = self.address(row, indices)?;
        let value = match value {
            Value::Scalar(x) => x.clone(),
            Value::Array(array) => self.element(array, indices),
            Value::Unit => return Ok(()),
        };
        let (native, swap) = match prim {
            Prim::Bin(BinOp::Add, ScalarType::F32) => (self.context.caps.has(Cap::AtomicF32), "swap_add_f32"),
            Prim::Bin(BinOp::Add, ScalarType::F64) => (self.context.caps.has(Cap::AtomicF64), "swap_add_f64"),
            _ => return self.update_scalar(&address, &value, prim),
        };
        if !native {
            self.needs_atomic_i64(row.elem)?;
        }
        let function = if native { swap.replace("swap", "native") } else { swap.to_owned() };
        self.line(format!("{function}({address}, {value});"));
        Ok(())
    }

    /// Updates one element by an operator other than float addition.
    fn update_scalar(&mut self, address: &str, value: &str, prim: Prim) -> Emitted<()> {
        let Prim::Bin(op, ty) = prim else {
            return Err(self.unsupported("an accumulator's operator", "an operator of two operands"));
        };
        let function = match op {
            BinOp::Add => Some("atomicAdd"),
            BinOp::Min => Some("atomicMin"),
            BinOp::Max => Some("atomicMax"),
            BinOp::And => Some("atomicAnd"),
            BinOp::Or => Some("atomicOr"),
            BinOp::Xor => Some("atomicXor"),
            _ => None,
        };
        match (function, ty) {
            (Some(function), ScalarType::I32 | ScalarType::I64) => {
                self.needs_atomic_i64(ty)?;
                let reference = if ty == ScalarType::I32 { "RefI32" } else { "RefI64" };
                self.line(format!("{function}({reference}({address}).v, {value});"));
                Ok(())
            }
            _ => self.swap(ty, address, |_, old| Ok(operator(prim, &[old, value]))),
        }
    }

    fn needs_atomic_i64(&self, ty: ScalarType) -> Emitted<()> {
        if ty.bytes() == 8 && !self.context.caps.has(Cap::AtomicI64) {
            return Err(self.unsupported(format!("accumulation of {ty}"), "64-bit atomics (atomic_i64)"));
        }
        Ok(())
    }

    /// Replaces an element by `new` of it, by compare-and-swap on the bits of its word.
    fn swap(
        &mut self,
        ty: ScalarType,
        address: &str,
        new: impl FnOnce(&mut Self, &str) -> Emitted<String>,
    ) -> Emitted<()> {
        self.needs_atomic_i64(ty)?;
        if ty.bytes() < 4 && ty != ScalarType::Bool {
            return Err(self.unsupported(format!("accumulation of {ty}"), "code for it"));
        }
        let (word, reference) = if ty.bytes() == 8 { ("uint64_t", "RefU64") } else { ("uint", "RefU32") };
        let (at, seen, expected) = (self.fresh("w"), self.fresh("w"), self.fresh("w"));
        // A boolean is one byte of its word.
        let aligned = if ty == ScalarType::Bool { format!("(({address}) & ~3UL)") } else { address.to_owned() };
        self.line(format!("uint64_t {at} = {aligned};"));
        let shift = self.fresh("w");
        if ty == ScalarType::Bool {
            self.line(format!("uint {shift} = 8u * uint(({address}) & 3UL);"));
        }
        self.line(format!("{word} {seen} = {reference}({at}).v;"));
        self.line(format!("{word} {expected};"));
        let from = |bits: &str| match ty {
            ScalarType::F32 => format!("uintBitsToFloat({bits})"),
            ScalarType::F64 => format!("from_bits_f64({bits})"),
            ScalarType::Bool => format!("((({bits} >> {shift}) & 1u) != 0u)"),
            _ => format!("{}({bits})", type_name(ty)),
        };
        let old = from(&expected);
        self.looped("do", |e| {
            e.line(format!("{expected} = {seen};"));
            let old = e.declare(ty, "x", &old);
            let value = new(e, &old)?;
            let bits = match ty {
                ScalarType::F32 => format!("floatBitsToUint({value})"),
                ScalarType::F64 => format!("bits_f64({value})"),
                ScalarType::Bool => format!("(({expected} & ~(0xffu << {shift})) | (({value} ? 1u : 0u) << {shift}))"),
                _ => format!("{word}({value})"),
            };
            e.line(format!("{seen} = atomicCompSwap({reference}({at}).v, {expected}, {bits});"));
            Ok(())
        })?;
        self.line(format!("while ({seen} != {expected});"));
        Ok(())
    }
}
