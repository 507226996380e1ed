use super::{Linear, position};
use crate::eval::{Machine, Val};
use crate::testing::*;
use crate::{Code, Ctx};
use futi_core::failure::FailureKind;

#[test]
fn an_index_without_a_check_reads_no_other_row() {
    assert_eq!((position(&[2, 3], &[1, 2]), position(&[2, 3], &[1])), (Ok(5), Ok(3)));
    // (0, 3) would be (1, 0)
    for index in [&[2, 0][..], &[0, 3], &[2], &[0, 0, 0]] {
        assert_eq!(position(&[2, 3], index).unwrap_err().kind, FailureKind::Internal, "{index:?}");
    }
}

#[test]
fn what_is_no_part_of_an_array_is_refused() {
    let p = ir("fun \"main\"(x_0: f64) -> (y_1: f64) { in (x_0) }");
    let (code, ctx) = (Code::new(&p).unwrap(), Ctx::default());
    let mut machine = Machine::new(&code, &ctx);
    let array = |xs: &[f64]| Val::from(floats(&[xs.len()], xs));
    let value = |v: Val| v.into_value().unwrap();
    let (xs, two, one) = (array(&[1., 2., 3.]), array(&[8., 9.]), Val::from(float(7.)));
    assert_eq!(value(machine.slice(&xs, 1, &[2]).unwrap()), floats(&[2], &[2., 3.]));
    assert_eq!(value(machine.update(xs.clone(), 1, two.clone()).unwrap()), floats(&[3], &[1., 8., 9.]));
    assert_eq!(value(machine.update(xs.clone(), 2, one.clone()).unwrap()), floats(&[3], &[1., 2., 7.]));
    let refused = [
        machine.slice(&xs, 2, &[2]),
        machine.slice(&xs, 3, &[]),
        machine.update(xs.clone(), 2, two.clone()),
        machine.update(xs.clone(), 3, one),
        machine.linear(&Linear::Plus, vec![xs, two]),
    ];
    for result in refused {
        assert_eq!(result.unwrap_err().kind, FailureKind::Internal);
    }
}
