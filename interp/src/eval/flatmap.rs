//! A map whose rows have sizes of their own.

use super::code::{FlatMap, Frame};
use super::failures::Rounds;
use super::linear::Linear;
use super::soac::Sink;
use super::val::Val;
use super::{Machine, Result, bad};
use futi_core::failure::RuntimeError;
use futi_core::prim::Scalar;
use futi_core::value::Array;

impl<'a> Machine<'a> {
    pub(super) fn flatmap(&mut self, frame: &mut Frame, f: &'a FlatMap) -> Result<Vec<Val>> {
        let width = self.size(frame, f.width)?;
        let arrays = self.rows_of(frame, &f.arrays, width)?;
        // mutant off by one: what is joined from no rows has none, whatever is said of the size of one
        frame.set(f.size, Scalar::I64(0).into());
        let others = f.lambda.ret.get(1 + f.irregular..).unwrap_or_default();
        let mut sinks = others.iter().map(|ty| self.sink(frame, ty, width)).collect::<Result<Vec<Sink>>>()?;
        let mut parts: Vec<Vec<Val>> = vec![Vec::with_capacity(width); f.irregular];
        let mut sizes = Vec::with_capacity(width);
        let mut rounds = Rounds::default();
        for i in 0..width {
            let done = self.flatmap_row(frame, f, &arrays, i, (&mut sizes, &mut parts, &mut sinks));
            self.survive(&mut rounds, done)?;
        }
        rounds.end()?;

        let too_many = || RuntimeError::internal("more elements than can be counted");
        let mut offsets = Vec::with_capacity(width);
        let mut total = 0usize;
        for k in &sizes {
            offsets.push(total as i64);
            total = total.checked_add(*k).ok_or_else(too_many)?;
        }
        self.allocate(futi_core::prim::ScalarType::Bool, &[total])?;
        let mut flags = vec![false; total];
        offsets.iter().zip(&sizes).filter(|(_, k)| **k > 0).for_each(|(at, _)| flags[*at as usize] = true);
        let sizes: Vec<i64> = sizes.into_iter().map(|k| k as i64).collect();
        let mut out = vec![
            Scalar::I64(total as i64).into(),
            self.counted(Array::from_vec(&[width], sizes).into()),
            self.counted(Array::from_vec(&[total], flags).into()),
            self.counted(Array::from_vec(&[width], offsets).into()),
        ];
        for (ty, parts) in f.lambda.ret[1..].iter().zip(parts) {
            out.push(self.join(frame, ty, parts)?);
        }
        for sink in sinks {
            out.push(self.finish(sink, &[width])?);
        }
        Ok(out)
    }

    fn flatmap_row(
        &mut self,
        frame: &mut Frame,
        f: &'a FlatMap,
        arrays: &[Val],
        i: usize,
        (sizes, parts, sinks): (&mut Vec<usize>, &mut [Vec<Val>], &mut [Sink]),
    ) -> Result<()> {
        self.map_row(frame, &f.lambda, arrays, i)?;
        let mut results = self.read_all(frame, &f.lambda.body.result).into_iter();
        let size = results.next().unwrap_or_default().int()?;
        let size = usize::try_from(size)
            .map_err(|_| RuntimeError::internal(format!("a row of {size} elements without a check")))?;
        for (part, v) in parts.iter_mut().zip(results.by_ref()) {
            if v.shape().first() != Some(&size) {
                return Err(bad(&format!("an array of {size} rows"), &v));
            }
            part.push(v);
        }
        sizes.push(size);
        sinks.iter_mut().zip(results).try_for_each(|(sink, v)| sink.push(v))
    }

    /// Arrays one after the other; the type says what a row is, should there be none.
    pub(super) fn join(&mut self, frame: &Frame, ty: &super::code::Ty, parts: Vec<Val>) -> Result<Val> {
        if !parts.is_empty() {
            return self.linear(&Linear::Concat, parts);
        }
        match self.value_type(frame, ty)? {
            Some((elem, shape)) if !shape.is_empty() => Ok(self.zeros(elem, &[&[0], &shape[1..]].concat())),
            _ => Err(RuntimeError::internal("a part that is no array")),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;
    use crate::{Code, Ctx};
    use futi_core::value::{Array, Value};

    /// For each (k, v): k times v², k rows [v, 1], and 3 v.
    fn f(n: usize) -> String {
        format!(
            "\\(ks_1: [{n}]i64, vs_2: [{n}]f64) -> (f64, [{n}]f64) {{ \
             let (m_3: i64, shape_4: [{n}]i64, flags_5: [m_3]bool, offsets_6: [{n}]i64, bs_7: [m_3]f64, rows_8: [m_3][2]f64, c_9: [{n}]f64) = \
             flatmap {n} (ks_1, vs_2) size k_10: i64 irregular 2 map \\(j_11: i64, v_12: f64) -> (i64, [k_10]f64, [k_10][2]f64, f64) {{ \
             let (q_13: f64) = mul.f64(v_12, v_12) let (b_14: [j_11]f64) = replicate [j_11] q_13 let (r_15: [2]f64) = array [v_12, 1.0f64] of f64 \
             let (s_16: [j_11][2]f64) = replicate [j_11] r_15 let (t_17: f64) = mul.f64(3.0f64, v_12) in (j_11, b_14, s_16, t_17) }} \
             let (u_18: f64) = screma m_3 (bs_7, rows_8) map \\(b_19: f64, r_20: [2]f64) -> (f64) {{ let (x_21: f64) = index r_20[0i64] let (y_22: f64) = mul.f64(b_19, x_21) in (y_22) }} \
             reduce comm \\(x_23: f64, y_24: f64) -> (f64) {{ let (z_25: f64) = add.f64(x_23, y_24) in (z_25) }} neutral (0.0f64) in (u_18, c_9) }}"
        )
    }

    #[test]
    fn rows_of_their_own_sizes() {
        let p = ir(
            "fun \"main\"(ks_1: [4]i64) -> (m_2: i64, shape_3: [4]i64, flags_4: [m_2]bool, offsets_5: [4]i64, bs_6: [m_2]i64, c_7: [4]i64) { \
             let (m_8: i64, s_9: [4]i64, f_10: [m_8]bool, o_11: [4]i64, b_12: [m_8]i64, c_13: [4]i64) = flatmap 4 (ks_1) size k_14: i64 irregular 1 \
             map \\(j_15: i64) -> (i64, [k_14]i64, i64) { let (i_16: [j_15]i64) = iota i64 (j_15, 0i64, 1i64) in (j_15, i_16, j_15) } in (m_8, s_9, f_10, o_11, b_12, c_13) }",
        );
        let is = |xs: &[i64]| ints(&[xs.len()], xs);
        let flags = |xs: &[bool]| Value::from(Array::from_vec(&[xs.len()], xs.to_vec()));
        let ks = is(&[2, 0, 3, 0]);
        let expected = [
            int(5),
            ks.clone(),
            flags(&[true, false, true, false, false]),
            is(&[0, 2, 2, 5]),
            is(&[0, 1, 0, 1, 2]),
            ks.clone(),
        ];
        assert_eq!(run(&p, &[ks]), expected);
        let none = run(&p, &[is(&[0; 4])]);
        assert_eq!(none[..3], [int(0), is(&[0; 4]), flags(&[])]);
        assert_eq!(none[3..], [is(&[0; 4]), is(&[]), is(&[0; 4])]);
    }

    #[test]
    fn rows_that_it_consumes_are_its_own() {
        // each row becomes [5, its second element], which stands beside it
        let p = ir("fun \"main\"(*xs_1: [2][2]f64) -> (m_2: i64, b_3: [m_2]f64, c_4: [2]f64) { \
             let (m_5: i64, s_6: [2]i64, f_7: [m_5]bool, o_8: [2]i64, b_9: [m_5]f64, c_10: [2]f64) = flatmap 2 (xs_1) size k_11: i64 irregular 1 \
             map \\(row_12: [2]f64) -> (i64, [k_11]f64, f64) { let (new_13: [2]f64) = update row_12[0i64] = 5.0f64 let (x_14: f64) = index new_13[1i64] \
             in (2i64, new_13, x_14) } in (m_5, b_9, c_10) }");
        let ctx = Ctx::default();
        let results = Code::new(&p).unwrap().call("main", vec![floats(&[2, 2], &[1., 2., 3., 4.])], &ctx).unwrap();
        assert_eq!(results, [int(4), floats(&[4], &[5., 2., 5., 4.]), floats(&[2], &[2., 4.])]);
        assert_eq!(ctx.counters().copied, 0);
    }

    #[test]
    fn derivatives_by_row() {
        // the sum of k v³, and 3 v
        let args = [ints(&[3], &[2, 0, 3]), floats(&[3], &[1., 5., -2.])];
        let adjoints = gradient(&f(3), &args, &[float(1.), floats(&[3], &[10., 100., 1000.])]);
        // 3 k v² + 3 seed
        assert_eq!(adjoints[1], floats(&[3], &[36., 300., 3036.]));
        // no rows at all: the arrays of the rows have their shape
        let none = [Array::from_vec::<i64>(&[0], vec![]).into(), floats(&[0], &[])];
        assert_eq!(gradient(&f(0), &none, &[float(1.), floats(&[0], &[])]), none);
    }
}
