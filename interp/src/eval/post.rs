//! The function after the scans of a `screma`: a map over what they and the map have given.

use super::code::{Frame, Operator, Screma};
use super::failures::Rounds;
use super::val::Val;
use super::{Machine, Result};

impl<'a> Machine<'a> {
    /// From the results without `post`, the scans' arrays, the reduces' values, the mapped arrays, those with it.
    pub(super) fn after_scans(
        &mut self,
        frame: &mut Frame,
        s: &'a Screma,
        width: usize,
        mut results: Vec<Val>,
    ) -> Result<Vec<Val>> {
        let Some(post) = &s.post else { return Ok(results) };
        let count = |ops: &[Operator]| ops.iter().map(|op| op.neutral.len()).sum::<usize>();
        let scanned = count(&s.scans);
        let mut out: Vec<Val> = results.drain(scanned..scanned + count(&s.reduces)).collect();
        let mut sinks = Vec::with_capacity(post.ret.len());
        for ty in &post.ret {
            sinks.push(self.sink(frame, ty, width)?);
        }
        let mut rounds = Rounds::default();
        for i in 0..width {
            let done = self.map_row(frame, post, &results, i).and_then(|()| {
                let pushed = sinks.iter_mut().zip(&post.body.result);
                pushed.into_iter().try_for_each(|(sink, e)| sink.push(frame.read(*e)))
            });
            self.survive(&mut rounds, done)?;
        }
        rounds.end()?;
        for sink in sinks {
            out.push(self.finish(sink, &[width])?);
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;
    use futi_core::value::{Array, Value};

    fn fs(xs: &[f64]) -> Value {
        floats(&[xs.len()], xs)
    }

    /// The exclusive prefix sums, and the sum.
    fn exclusive(n: usize) -> String {
        let add = |v: usize| {
            format!(
                "\\(x_{v}1: f64, y_{v}2: f64) -> (f64) {{ let (r_{v}3: f64) = add.f64(x_{v}1, y_{v}2) in (r_{v}3) }} neutral (0.0f64)"
            )
        };
        format!(
            "\\(xs_1: [{n}]f64) -> (f64, [{n}]f64, [{n}]f64) {{ let (t_2: f64, e_3: [{n}]f64, q_4: [{n}]f64) = screma {n} (xs_1) map \\(x_5: f64) -> (f64, f64, f64) {{ in (x_5, x_5, x_5) }} \
             scan {} reduce {} post \\(s_6: f64, x_7: f64) -> (f64, f64) {{ let (d_8: f64) = sub.f64(s_6, x_7) let (p_9: f64) = mul.f64(s_6, x_7) in (d_8, p_9) }} in (t_2, e_3, q_4) }}",
            add(2),
            add(3)
        )
    }

    #[test]
    fn exclusive_scans() {
        // 000-A7
        let value = |xs: &[f64]| {
            let p = derivative_program("jvp", &exclusive(xs.len()), &[fs(xs)], &[fs(xs)]);
            run(&p, &[fs(xs), fs(xs)])[..3].to_vec()
        };
        assert_eq!(value(&[1., 2., 3.]), [float(6.), fs(&[0., 1., 3.]), fs(&[1., 6., 18.])]);
        assert_eq!(value(&[]), [float(0.), fs(&[]), fs(&[])]);
        assert_eq!(value(&[7.]), [float(7.), fs(&[0.]), fs(&[49.])]);
        gradient(
            &exclusive(4),
            &[fs(&[1., -2., 3., 0.5])],
            &[float(2.), fs(&[1., 10., 100., 1000.]), fs(&[3., 5., 7., 9.])],
        );
    }

    #[test]
    fn segmented_scans_from_the_right() {
        // 000-A8: 0, 1, …, 8, the right scan by scanning what is reversed; segments end at 2, 7 and 8
        let p = ir(
            "fun \"main\"(flags_1: [9]bool, xs_2: [9]f64) -> (r_3: [9]f64) { let (f_4: [9]bool) = reverse flags_1 let (x_5: [9]f64) = reverse xs_2 \
             let (e_6: [9]f64) = screma 9 (f_4, x_5) map \\(b_7: bool, v_8: f64) -> (bool, f64, f64) { in (b_7, v_8, v_8) } \
             scan \\(b_9: bool, v_10: f64, c_11: bool, w_12: f64) -> (bool, f64) { let (o_13: bool) = select.bool(b_9, true, c_11) \
             let (s_14: f64) = add.f64(v_10, w_12) let (t_15: f64) = select.f64(c_11, w_12, s_14) in (o_13, t_15) } neutral (false, 0.0f64) \
             post \\(g_16: bool, s_17: f64, v_18: f64) -> (f64) { let (d_19: f64) = sub.f64(s_17, v_18) in (d_19) } let (r_20: [9]f64) = reverse e_6 in (r_20) }",
        );
        let bools = |xs: &[bool]| Value::from(Array::from_vec(&[9], xs.to_vec()));
        let xs: Vec<f64> = (0..9).map(f64::from).collect();
        let ends = [2, 7, 8];
        let flags: Vec<bool> = (0..9).map(|i| ends.contains(&i)).collect();
        assert_eq!(run(&p, &[bools(&flags), fs(&xs)]), [fs(&[3., 2., 0., 22., 18., 13., 7., 0., 0.])]);
        // every flag set, and one segment: 36 minus the prefix
        assert_eq!(run(&p, &[bools(&[true; 9]), fs(&xs)]), [fs(&[0.; 9])]);
        let one = [36., 35., 33., 30., 26., 21., 15., 8., 0.];
        assert_eq!(run(&p, &[bools(&[false; 9]), fs(&xs)]), [fs(&one)]);
    }
}
