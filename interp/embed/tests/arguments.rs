//! Calls give arguments on to the backend: an array that is consumed and has one handle is updated in place.

use futi_core::backend::Handle;
use futi_core::value::text::parse_values;
use futi_embed::{Device, Model, Options};
use futi_kernels::exec::device::Memory;
use futi_kernels::host::run::Datum;
use std::sync::Arc;

#[test]
fn what_is_consumed_is_updated_where_it_is() {
    let source = "entry main [n] (xs: *[n]i64) : *[n]i64 = xs with [0] = 9";
    let model = Model::compile(source, Options { device: Device::Executor, ..Options::default() }).unwrap();
    let function = model.function("main", &[]).unwrap();
    let memory = |handle: &Handle| match handle.0.downcast_ref::<Datum<Memory>>() {
        Some(Datum::Array { buffer, .. }) => Arc::downgrade(&buffer.memory),
        _ => panic!("no array"),
    };
    let text = |handle: &Handle| model.backend().get(handle).unwrap().to_string();
    let xs = model.backend().put(&parse_values("[1i64, 2i64]").unwrap()[0]).unwrap();
    let before = memory(&xs);
    let copied = function.call(&model, vec![xs.clone()], &Default::default()).unwrap().remove(0);
    assert_eq!((text(&copied), text(&xs)), ("[9i64, 2i64]".into(), "[1i64, 2i64]".into()));
    let changed = function.call(&model, vec![xs], &Default::default()).unwrap().remove(0);
    assert_eq!(text(&changed), "[9i64, 2i64]");
    assert!(memory(&changed).ptr_eq(&before) && !memory(&copied).ptr_eq(&before));
}
