//! Statements on arrays: what is known of the array that they read.

use super::*;

impl Rules {
    pub(super) fn array(&mut self, stm: &mut Stm) -> Option<Outcome> {
        match &stm.exp {
            Exp::Index { array, indices } => {
                let (array, indices) = (*array, indices.clone());
                self.index(stm, array, &indices)
            }
            Exp::Slice { array, slice } => self.slice(*array, slice),
            Exp::UpdateSlice { array, slice, value } if self.is_whole(*array, slice) => becomes(Exp::Copy(*value)),
            Exp::Rotate { by, array } => self.rotate(*by, *array),
            Exp::Manifest { perm, array } => match self.def(*array)? {
                // what has just been made is row-major
                Exp::ArrayLit { .. }
                | Exp::Iota { .. }
                | Exp::Replicate { .. }
                | Exp::Reverse { .. }
                | Exp::Rotate { .. }
                | Exp::Concat { .. }
                    if is_identity(perm) =>
                {
                    becomes(Exp::Copy(*array))
                }
                Exp::Manifest { perm: same, .. } if perm == same => becomes(Exp::Copy(*array)),
                Exp::Manifest { array: source, .. } if !self.may_be_consumed(*source) => {
                    becomes(Exp::Manifest { perm: perm.clone(), array: *source })
                }
                _ => None,
            },
            Exp::Rearrange { perm, array } => {
                if is_identity(perm) {
                    return result(*array);
                }
                match self.def(*array)? {
                    Exp::Rearrange { perm: inner, array } => {
                        let perm = perm.iter().map(|p| inner[*p]).collect();
                        becomes(Exp::Rearrange { perm, array: *array })
                    }
                    Exp::Replicate { shape, value } if shape.len() == perm.len() => {
                        self.unshared(&stm.pat[0], *array)?;
                        let shape = perm.iter().map(|p| shape[*p]).collect();
                        becomes(Exp::Replicate { shape, value: *value })
                    }
                    _ => None,
                }
            }
            Exp::Reshape { shape, array } => {
                if self.vars.ty(*array).shape() == &shape[..] {
                    return result(*array);
                }
                match self.def(*array)? {
                    Exp::Reshape { array, .. } => becomes(Exp::Reshape { shape: shape.clone(), array: *array }),
                    Exp::Replicate { value, .. } if self.vars.type_of(*value).rank() == 0 => {
                        self.unshared(&stm.pat[0], *array)?;
                        becomes(Exp::Replicate { shape: shape.clone(), value: *value })
                    }
                    _ => None,
                }
            }
            Exp::Coerce { shape, array } => {
                if self.vars.ty(*array).shape() == &shape[..] {
                    return result(*array);
                }
                match self.defs.get(array)? {
                    (Exp::Coerce { array, .. }, certs) => {
                        stm.certs.extend(certs.iter().filter(|c| !self.certain.contains(c)));
                        becomes(Exp::Coerce { shape: shape.clone(), array: *array })
                    }
                    _ => None,
                }
            }
            Exp::Reverse { array } => match self.def(*array)? {
                Exp::Reverse { array: inner } if !self.shared(&stm.pat[0], *inner) => result(*inner),
                Exp::Replicate { shape, value } if self.stays(*value) => {
                    becomes(Exp::Replicate { shape: shape.clone(), value: *value })
                }
                _ => None,
            },
            Exp::Copy(array) if !self.shared(&stm.pat[0], *array) => result(*array),
            Exp::Copy(array) => match self.def(*array)? {
                exp @ Exp::Replicate { value, .. } if self.stays(*value) => becomes(exp.clone()),
                exp @ Exp::Iota { .. } => becomes(exp.clone()),
                _ => None,
            },
            Exp::Concat { arrays, .. } if arrays.len() == 1 => becomes(Exp::Copy(arrays[0])),
            Exp::Replicate { shape, value } => match self.def(*value)? {
                Exp::Replicate { shape: inner, value } if self.stays(*value) => {
                    becomes(Exp::Replicate { shape: [&shape[..], inner].concat(), value: *value })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it takes every element, in order.
    fn is_whole(&self, array: Var, slice: &[SliceDim]) -> bool {
        let shape = self.vars.ty(array).shape();
        slice.iter().zip(shape).all(|(d, n)| self.takes_all(d, *n))
    }

    fn takes_all(&self, d: &SliceDim, n: Dim) -> bool {
        matches!(d, SliceDim::Range { start, count, stride } if is_int(*start, 0) && *count == n && is_int(*stride, 1))
    }

    fn slice(&mut self, array: Var, slice: &[SliceDim]) -> Option<Outcome> {
        if self.is_whole(array, slice) {
            return result(array);
        }
        let fixed: Vec<SubExp> =
            slice.iter().map_while(|d| if let SliceDim::Fix(e) = d { Some(*e) } else { None }).collect();
        if fixed.len() == slice.len() {
            return becomes(Exp::Index { array, indices: fixed });
        }
        // dimensions at the end that are taken whole need not be mentioned
        let shape = self.vars.ty(array).shape();
        let needed = (0..slice.len()).rposition(|k| !self.takes_all(&slice[k], shape[k]))? + 1;
        (needed < slice.len()).then(|| becomes(Exp::Slice { array, slice: slice[..needed].to_vec() }))?
    }

    fn rotate(&mut self, by: SubExp, array: Var) -> Option<Outcome> {
        let amount = by.as_lit().and_then(Scalar::as_i64);
        let whole = match (amount, self.vars.ty(array).shape().first()?) {
            (Some(r), Dim::Const(n)) => r.checked_rem_euclid(*n) == Some(0),
            (r, _) => r == Some(0),
        };
        if whole {
            return becomes(Exp::Copy(array));
        }
        match self.def(array)? {
            Exp::Rotate { by: inner, array: source } if !self.may_be_consumed(*source) => {
                // only constants: a sum that wraps is another amount
                let by = amount?.checked_add(inner.as_lit()?.as_i64()?)?;
                becomes(Exp::Rotate { by: SubExp::i64(by), array: *source })
            }
            Exp::Replicate { shape, value } if self.stays(*value) => {
                becomes(Exp::Replicate { shape: shape.clone(), value: *value })
            }
            _ => None,
        }
    }

    /// Whether a fresh array and another may not be made one: one of them may be consumed.
    pub(super) fn shared(&self, fresh: &Binder, other: Var) -> bool {
        self.may_be_consumed(fresh.var) || self.may_be_consumed(other)
    }

    /// Whether the operand is there wherever it is in scope: no array that may have been consumed since an array was made of it.
    pub(super) fn stays(&self, e: SubExp) -> bool {
        e.as_var().is_none_or(|v| !self.may_be_consumed(v))
    }

    /// `None` when what was a view of `other` must stay one.
    fn unshared(&self, view: &Binder, other: Var) -> Option<()> {
        (!self.shared(view, other)).then_some(())
    }

    fn index(&mut self, stm: &mut Stm, array: Var, indices: &[SubExp]) -> Option<Outcome> {
        let scalar = stm.pat[0].ty.rank() == 0;
        let (def, certs) = self.defs.get(&array)?;
        let certs: Vec<Var> = certs.iter().filter(|c| !self.certain.contains(c)).copied().collect();
        let updated = if let Exp::Update { array, .. } = def { Some(*array) } else { None };
        let outcome = self.index_of(stm, def.clone(), array, indices, scalar)?;
        stm.certs.extend(certs);
        // what is written is there only if the array that it is written to is
        stm.certs.extend(updated.into_iter().flat_map(|array| self.certs_of(array)));
        Some(outcome)
    }

    /// The certificates that an array relies on, as far as these are known: those of the statements without bodies that it comes of.
    fn certs_of(&self, array: Var) -> Vec<Var> {
        let (mut found, mut source) = (Vec::new(), Some(array));
        while let Some((exp, certs)) = source.and_then(|v| self.defs.get(&v)) {
            found.extend(certs.iter().filter(|c| !self.certain.contains(c)));
            source = exp.source_array();
        }
        found
    }

    /// The element or row of an array that was bound to this.
    fn index_of(&mut self, stm: &Stm, def: Exp, array: Var, indices: &[SubExp], scalar: bool) -> Option<Outcome> {
        let at = |array: Var, indices: Vec<SubExp>| becomes(Exp::Index { array, indices });
        match def {
            // an index has no derivative, what is calculated from it has
            Exp::Iota { start, step, elem, .. } if self.constant(indices[0]) => {
                let (times, plus) = (elem.times(), elem.plus());
                let convert = Prim::Conv(ScalarType::I64, elem);
                let i = self.vars.fresh("i", elem.into());
                let scaled = self.vars.fresh("t", elem.into());
                let sum = self.vars.fresh("t", elem.into());
                let exps = [
                    (i.clone(), Exp::Prim(convert, vec![indices[0]])),
                    (scaled.clone(), Exp::Prim(times, vec![i.var.into(), step])),
                    (sum.clone(), Exp::Prim(plus, vec![start, scaled.var.into()])),
                ];
                Some(code(exps, sum.var, stm.prov))
            }
            Exp::Replicate { shape, value } if self.stays(value) => {
                if indices.len() >= shape.len() {
                    return match (&indices[shape.len()..], value) {
                        ([], value) if scalar => result(value),
                        ([], SubExp::Var(v)) => (!self.shared(&stm.pat[0], v)).then(|| result(v))?,
                        (rest, SubExp::Var(v)) => at(v, rest.to_vec()),
                        _ => None,
                    };
                }
                self.unshared(&stm.pat[0], array)?;
                becomes(Exp::Replicate { shape: shape[indices.len()..].to_vec(), value })
            }
            Exp::Rearrange { perm, array } if indices.len() == perm.len() => {
                let mut inner = indices.to_vec();
                for (i, p) in perm.iter().enumerate() {
                    inner[*p] = indices[i];
                }
                at(array, inner)
            }
            // the leading dimensions are those of the source in another order
            Exp::Rearrange { perm, array } => {
                let k = indices.len();
                let rest = perm[k..].iter().enumerate().all(|(i, p)| *p == k + i);
                let mut inner = indices.to_vec();
                if !rest {
                    return None;
                }
                for (i, p) in perm[..k].iter().enumerate() {
                    inner[*p] = indices[i];
                }
                at(array, inner)
            }
            // a row has the sizes of the coerced array: the names may be others
            Exp::Coerce { array, .. } if self.vars.ty(array).peel(indices.len()) == stm.pat[0].ty => {
                at(array, indices.to_vec())
            }
            Exp::Coerce { array, .. } => {
                let row = self.vars.fresh("row", self.vars.ty(array).peel(indices.len()));
                let out = self.vars.fresh(stm.pat[0].name.clone(), stm.pat[0].ty.clone());
                let exps = [
                    (row.clone(), Exp::Index { array, indices: indices.to_vec() }),
                    (out.clone(), Exp::Coerce { shape: out.ty.shape().to_vec(), array: row.var }),
                ];
                Some(code(exps, out.var, stm.prov))
            }
            Exp::Slice { array, slice } => self.index_of_slice(stm, array, &slice, indices),
            Exp::Index { array, indices: outer } => at(array, [&outer[..], indices].concat()),
            // a copy whose rows nobody writes to is gone before
            Exp::Copy(source) if !self.may_be_consumed(source) && scalar => at(source, indices.to_vec()),
            Exp::Reverse { array: source } if !self.may_be_consumed(source) => {
                if !scalar && self.shared(&stm.pat[0], source) {
                    return None;
                }
                let n: SubExp = self.vars.ty(source).shape().first().copied()?.into();
                let minus = Prim::Bin(BinOp::Sub, ScalarType::I64);
                let last = self.vars.fresh("last", Type::I64);
                let i = self.vars.fresh("i", Type::I64);
                let out = Binder { var: self.vars.fresh("t", stm.pat[0].ty.clone()).var, ..stm.pat[0].clone() };
                let backwards = [&[i.var.into()], &indices[1..]].concat();
                let exps = [
                    (last.clone(), Exp::Prim(minus, vec![n, SubExp::i64(1)])),
                    (i.clone(), Exp::Prim(minus, vec![last.var.into(), indices[0]])),
                    (out.clone(), Exp::Index { array: source, indices: backwards }),
                ];
                Some(code(exps, out.var, stm.prov))
            }
            Exp::ArrayLit { elems, .. } => {
                let i = usize::try_from(indices[0].as_lit()?.as_i64()?).ok()?;
                match (elems.get(i)?, &indices[1..]) {
                    (e, []) if scalar => result(*e),
                    (SubExp::Var(v), []) if !self.shared(&stm.pat[0], *v) => result(*v),
                    (SubExp::Var(v), rest) if !rest.is_empty() && !self.may_be_consumed(*v) => at(*v, rest.to_vec()),
                    _ => None,
                }
            }
            Exp::Update { indices: written, value, .. } if written == indices && scalar => result(value),
            _ => None,
        }
    }

    /// An element or row of a slice: `xs[s + i*t, …]`.
    fn index_of_slice(&mut self, stm: &Stm, array: Var, slice: &[SliceDim], indices: &[SubExp]) -> Option<Outcome> {
        let (mut given, mut exps, mut inner) = (indices.iter().copied(), Vec::new(), Vec::new());
        for d in slice {
            inner.push(match *d {
                SliceDim::Fix(e) => e,
                SliceDim::Range { start, stride, .. } => {
                    let i = given.next()?;
                    let (scaled, sum) = (self.vars.fresh("t", Type::I64), self.vars.fresh("i", Type::I64));
                    let at = SubExp::Var(sum.var);
                    exps.push((scaled.clone(), Exp::Prim(ScalarType::I64.times(), vec![i, stride])));
                    exps.push((sum, Exp::Prim(ScalarType::I64.plus(), vec![start, scaled.var.into()])));
                    at
                }
            });
        }
        inner.extend(given);
        let out = self.vars.fresh(stm.pat[0].name.clone(), stm.pat[0].ty.clone());
        exps.push((out.clone(), Exp::Index { array, indices: inner }));
        Some(code(exps, out.var, stm.prov))
    }
}

fn is_identity(perm: &[usize]) -> bool {
    perm.iter().enumerate().all(|(i, p)| i == *p)
}

/// These statements, with that variable as the result.
fn code(exps: impl IntoIterator<Item = (Binder, Exp)>, result: Var, prov: Prov) -> Outcome {
    let stm = |(b, exp)| Stm { pat: vec![b], exp, certs: Vec::new(), attrs: Vec::new(), prov };
    Outcome::Code(exps.into_iter().map(stm).collect(), vec![result.into()])
}
