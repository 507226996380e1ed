//! SOACs inside a point: loops.

use super::array::Array;
use super::emit::{Emitter, Made, OwnAcc, Value};
use super::exps::{all, inside};
use crate::ir::Exp;
use futi_core::ir::{
    Binder, Dim, Lambda, Operator, ScalarType, Scatter, ScatterDest, Screma, SegKind, SegOp, SubExp, Type, WithAcc,
};

impl Emitter<'_> {
    /// A map with its scans and reductions, element by element; the values of its results.
    pub fn screma(&mut self, s: &Screma, pats: &[Binder]) -> Made<Vec<Value>> {
        let (scanned, reduced) = s.operand_counts();
        // results: what is scanned, reduced and mapped; with a function behind the scans what is reduced, and what that makes of the rest
        let first = if s.post.is_some() { 0 } else { scanned };
        let types = match &s.post {
            Some(post) => s.map.ret[scanned..scanned + reduced].iter().chain(&post.ret).collect::<Vec<_>>(),
            None => s.map.ret.iter().collect(),
        };
        let inputs: Vec<Value> = s.arrays.iter().map(|a| self.value(*a)).collect::<Made<_>>()?;
        let scans = self.accumulators(&s.scans, &[])?;
        let reduces = self.accumulators(&s.reduces, &pats[first..first + reduced])?;
        let mut outputs = Vec::new();
        for (k, (ty, pat)) in types.into_iter().zip(pats).enumerate() {
            let is_array = (k < first || k >= first + reduced) && !matches!(ty, Type::Acc(_) | Type::Cert);
            outputs.push(match ty.array_of(&[s.width]) {
                Type::Array(elem, shape) if is_array => Some(self.allocate(elem, &shape, Some(pat.var))?),
                _ => None,
            });
        }
        let width = self.dim(s.width)?;
        let known = self.known(s.width.into());
        self.repeat(width, known, |e, i| {
            let i = [i];
            e.bind_row(&s.map, &inputs, &i[0]);
            // Rows are made where they are to stay.
            let places = e.places.clone();
            let mut rows = Vec::new();
            for (k, output) in outputs.iter().enumerate() {
                let result = if s.post.is_some() { None } else { s.map.body.result.get(k) };
                rows.push(match (result, output) {
                    (Some(SubExp::Var(v)), Some(output))
                        // mutant dropped term -> `output.shape.len() > 1`: a row that is made elsewhere is copied
                        // mutant off by one: likewise
                        if output.shape.len() > 1
                            // mutant comparison: a row that is made elsewhere is copied
                            // mutant off by one: likewise
                            && s.map.body.result.iter().filter(|r| *r == &SubExp::Var(*v)).count() == 1 =>
                    {
                        let row = e.row(output, &i);
                        // mutant removal: a row that is made elsewhere is copied
                        e.places.insert(*v, row.clone());
                        Some(row)
                    }
                    _ => None,
                });
            }
            let results = e.body(&s.map.body)?;
            // mutant removal: what is made in here is made nowhere else
            e.places = places;
            e.combine(&s.scans, &scans, &results[..scanned])?;
            e.combine(&s.reduces, &reduces, &results[scanned..scanned + reduced])?;
            let mapped = &results[scanned + reduced..];
            let written = match &s.post {
                Some(post) => [reduces.clone(), e.after(post, &scans, mapped)?].concat(),
                None => [&scans[..], &reduces[..], mapped].concat(),
            };
            for ((output, row), value) in outputs.iter().zip(rows).zip(&written) {
                match (row, output, value) {
                    (Some(row), _, Value::Array(source)) => e.copy(&row, source)?,
                    (_, Some(output), _) => e.write(output, &i, value)?,
                    (_, None, _) => {}
                }
            }
            Ok(())
        })?;
        let scans = if s.post.is_some() { vec![] } else { scans };
        let values = outputs.into_iter().zip(scans.into_iter().chain(reduces).map(Some).chain(std::iter::repeat(None)));
        Ok(values.map(|(output, acc)| output.map(Value::Array).or(acc).unwrap_or(Value::Unit)).collect())
    }

    /// What the function behind scans makes of what they have come to and of what is mapped. It may change arrays, which the scans still need.
    fn after(&mut self, post: &Lambda, scans: &[Value], mapped: &[Value]) -> Made<Vec<Value>> {
        let mut args = Vec::new();
        for value in scans {
            args.push(match value {
                Value::Array(array) => Value::Array(self.materialise(array, None)?),
                other => other.clone(),
            });
        }
        args.extend_from_slice(mapped);
        self.apply(post, &args)
    }

    /// Variables, or memory, that hold the neutral elements of operators; those of `pats` had best be made in their places.
    pub fn accumulators(&mut self, ops: &[Operator], pats: &[Binder]) -> Made<Vec<Value>> {
        let mut values = Vec::new();
        let operands = ops.iter().flat_map(|op| op.neutral.iter().zip(&op.lambda.ret));
        for (k, (neutral, ty)) in operands.enumerate() {
            let value = match self.operand(*neutral)? {
                Value::Scalar(x) => Value::Scalar(self.declare(ty.elem().unwrap_or(ScalarType::Bool), "acc", x)),
                Value::Array(array) => {
                    let array = Array { shape: ty.shape().to_vec(), ..array };
                    Value::Array(self.materialise(&array, pats.get(k).map(|pat| pat.var))?)
                }
                Value::Unit => Value::Unit,
            };
            values.push(value);
        }
        Ok(values)
    }

    /// `accs = accs ⊙ values`, operator by operator.
    pub fn combine(&mut self, ops: &[Operator], accs: &[Value], values: &[Value]) -> Made<()> {
        let mut first = 0;
        for op in ops {
            let n = op.neutral.len();
            let (accs, values) = (&accs[first..first + n], &values[first..first + n]);
            let results = self.apply(&op.lambda, &[accs, values].concat())?;
            // All are computed before any is stored; a result that is an operand as it was must be saved.
            let mut next = Vec::new();
            for ((acc, result), ty) in accs.iter().zip(results).zip(&op.lambda.ret) {
                next.push(match result {
                    Value::Scalar(x)
                        // mutant swap: what is saved without need is the same
                        // mutant comparison: an associative operator that gives one of its left operands as another leaves that one as it is
                        if accs.contains(&Value::Scalar(x.clone())) && *acc != Value::Scalar(x.clone()) =>
                    {
                        Value::Scalar(self.declare(ty.elem().unwrap_or(ScalarType::Bool), "y", x))
                    }
                    Value::Array(a) => {
                        let a = Array { shape: ty.shape().to_vec(), ..a };
                        let stays = matches!(acc, Value::Array(o) if o.source == a.source);
                        let touches = !stays && accs.iter().any(|o| matches!(o, Value::Array(o) if a.may_touch(o)));
                        Value::Array(if touches { self.materialise(&a, None)? } else { a })
                    }
                    other => other,
                });
            }
            for (acc, result) in accs.iter().zip(&next) {
                match (acc, result) {
                    (Value::Scalar(Exp::Local(local)), Value::Scalar(value)) => self.set(*local, value.clone()),
                    (Value::Array(to), Value::Array(from)) => self.copy(to, from)?,
                    _ => {}
                }
            }
            first += n;
        }
        Ok(())
    }

    /// The body of a lambda at these arguments, made here.
    pub fn apply(&mut self, lambda: &Lambda, args: &[Value]) -> Made<Vec<Value>> {
        for (param, arg) in lambda.params.iter().zip(args) {
            self.bind_to(param, arg.clone());
        }
        self.body(&lambda.body)
    }

    /// The arrays of the elements of a number, bound to a λ's parameters.
    fn bind_row(&mut self, lambda: &Lambda, inputs: &[Value], i: &Exp) {
        for (param, input) in lambda.params.iter().zip(inputs) {
            let value = match input {
                Value::Array(array) => self.index(array, std::slice::from_ref(i)),
                other => other.clone(),
            };
            self.bind_to(param, value);
        }
    }

    /// A scatter: one write behind the other.
    pub fn scatter(&mut self, s: &Scatter, pats: &[Binder]) -> Made<Vec<Value>> {
        let dests = s.dests.iter().zip(pats);
        let dests: Vec<Value> =
            dests.map(|(dest, pat)| self.changeable(dest.array, pat.var).map(Value::Array)).collect::<Made<_>>()?;
        let inputs: Vec<Value> = s.arrays.iter().map(|a| self.value(*a)).collect::<Made<_>>()?;
        let (width, known) = (self.dim(s.width)?, self.known(s.width.into()));
        self.repeat(width, known, |e, i| {
            e.bind_row(&s.map, &inputs, &i);
            let results = e.body(&s.map.body)?;
            e.write_to(&s.dests, &dests, &results)
        })?;
        Ok(dests)
    }

    /// Writes what is inside of its destination: `given` are the indices of each in turn, then the values.
    fn write_to(&mut self, dests: &[ScatterDest], arrays: &[Value], given: &[Value]) -> Made<()> {
        let (indices, values) = given.split_at(dests.iter().map(|dest| dest.shape.len()).sum());
        let mut indices = indices.iter();
        for ((dest, array), value) in dests.iter().zip(arrays).zip(values) {
            let place: Vec<Exp> = indices.by_ref().take(dest.shape.len()).filter_map(Value::as_scalar).collect();
            let fine = self.in_range(&place, &dest.shape)?;
            if let Value::Array(array) = array {
                self.when(fine, |e| e.write(array, &place, value))?;
            }
        }
        Ok(())
    }

    /// Whether indices are in range of sizes.
    pub fn in_range(&mut self, indices: &[Exp], shape: &[Dim]) -> Made<Exp> {
        let mut fine = Vec::new();
        for (index, dim) in indices.iter().zip(shape) {
            let size = self.dim(*dim)?;
            fine.push(inside(index.clone(), size));
        }
        Ok(all(fine))
    }

    /// Elements or rows of arrays that nobody else uses meanwhile, combined with values.
    pub fn combine_at(&mut self, op: &Operator, arrays: &[Array], place: &[Exp], values: &[Value]) -> Made<()> {
        let elements: Vec<Value> = arrays.iter().map(|array| self.index(array, place)).collect();
        let mut results = self.apply(&op.lambda, &[&elements, values].concat())?;
        // All are computed before any is stored: what is a view of rows that change is saved.
        for (result, element) in results.iter_mut().zip(&elements) {
            let touches = |e: &Value| matches!((&*result, e), (Value::Array(a), Value::Array(b)) if a.may_touch(b));
            if let Value::Array(array) = &*result
                && result != element
                && elements.iter().any(touches)
            {
                *result = Value::Array(self.materialise(array, None)?);
            }
        }
        for ((array, element), result) in arrays.iter().zip(&elements).zip(&results) {
            match (element, result) {
                (Value::Array(row), Value::Array(result)) => self.copy(row, result)?,
                _ => self.write(array, place, result)?,
            }
        }
        Ok(())
    }

    /// Accumulators of this invocation's own: updates are plain ones.
    pub fn with_acc(&mut self, with: &WithAcc) -> Made<Vec<Value>> {
        let mut results = Vec::new();
        for (input, id) in with.inputs.iter().zip(&with.lambda.params) {
            let mut arrays = Vec::new();
            for array in &input.arrays {
                let array = self.array(*array)?;
                arrays.push(if array.is_constant() { self.materialise(&array, None)? } else { array });
            }
            results.extend(arrays.iter().cloned().map(Value::Array));
            self.own_accs.insert(id.var, OwnAcc { input: input.clone(), arrays });
        }
        let values = self.body(&with.lambda.body)?;
        results.extend(values.into_iter().skip(with.inputs.len()));
        Ok(results)
    }

    /// A nest of its own inside a point: loops over its dimensions, with what becomes of them over the last.
    pub fn nest_as_loops(&mut self, seg: &SegOp, pats: &[Binder]) -> Made<Vec<Value>> {
        let mut outputs = Vec::new();
        for (k, (ty, pat)) in seg.result_types(self.context.vars).into_iter().zip(pats).enumerate() {
            outputs.push(match (seg.dests().get(k), ty) {
                (Some(dest), _) => Value::Array(self.changeable(dest.array, pat.var)?),
                (None, Type::Array(elem, shape)) => Value::Array(self.allocate(elem, &shape, Some(pat.var))?),
                (None, Type::Scalar(ty)) => Value::Scalar(Exp::Local(self.local(pat.name.as_str(), ty))),
                (None, Type::Acc(_) | Type::Cert) => Value::Unit,
            });
        }
        self.nest_level(seg, &mut Vec::new(), &outputs)?;
        Ok(outputs)
    }

    fn nest_level(&mut self, seg: &SegOp, indices: &mut Vec<Exp>, outputs: &[Value]) -> Made<()> {
        let depth = indices.len();
        let last = depth + 1 == seg.space.len();
        let accs = if last { self.accumulators(seg.operators(), &[])? } else { Vec::new() };
        let is_scan = matches!(seg.kind, SegKind::Scan(_));
        let (index, dim) = &seg.space[depth];
        let size = self.dim(*dim)?;
        let known = self.known((*dim).into());
        self.repeat(size, known, |e, i| {
            e.bind(index.var, Value::Scalar(i.clone()));
            indices.push(i);
            if last {
                let values = e.body(&seg.body)?;
                let (operands, mapped) = values.split_at(seg.operands());
                // destinations, too, have one output each
                let (folded, rest) = outputs.split_at(accs.len() + seg.dests().len());
                e.combine(seg.operators(), &accs, operands)?;
                e.write_to(seg.dests(), outputs, operands)?;
                let kept = folded.iter().zip(&accs).filter(|_| is_scan).chain(rest.iter().zip(mapped));
                for (output, value) in kept {
                    if let Value::Array(output) = output {
                        e.write(output, indices, value)?;
                    }
                }
            } else {
                e.nest_level(seg, indices, outputs)?;
            }
            indices.pop();
            Ok(())
        })?;
        for (output, acc) in outputs.iter().zip(&accs).filter(|_| !is_scan) {
            match (output, acc) {
                (Value::Array(output), acc) => self.write(output, indices, acc)?,
                (Value::Scalar(Exp::Local(local)), Value::Scalar(value)) => self.set(*local, value.clone()),
                _ => {}
            }
        }
        Ok(())
    }
}
