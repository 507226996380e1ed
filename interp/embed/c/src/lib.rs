//! The functions of `futi.h`, which says what they do.
//!
//! # Safety
//! Pointers are what the header says: to what another function here has given and not yet freed, or to as much memory as the other arguments tell. A text ends
//! with a zero.
#![allow(clippy::missing_safety_doc, reason = "the module's documentation has it for all functions")]

use futi_core::backend::{CallCtx, Handle};
use futi_core::entry::type_name;
use futi_core::ir::EntryType;
use futi_core::prim::ScalarType;
use futi_core::value::raw;
use futi_embed::{Error, Kind, Model, Options, Step};
use serde_json::json;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr::null_mut;

/// A model and its manifest.
pub struct FutiModel {
    model: Model,
    manifest: CString,
}

/// A value where the backend keeps it, its type and shape.
pub struct FutiValue {
    handle: Handle,
    elem: ScalarType,
    shape: Vec<i64>,
}

/// The types in the order of the header.
const TYPES: [ScalarType; 12] = ScalarType::ALL;

fn status(kind: Kind) -> c_int {
    match kind {
        Kind::Runtime | Kind::Interrupted => 1,
        Kind::Program => 2,
        Kind::Arguments => 3,
        Kind::Internal => 70,
    }
}

/// Runs what may fail; says on `error` what is wrong, and gives the status.
unsafe fn run<T>(error: *mut *mut c_char, f: impl FnOnce() -> Result<T, Error>) -> Result<T, c_int> {
    let result = catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|_| Err(Error::internal("it has panicked")));
    result.map_err(|e| {
        if !error.is_null() {
            let text = CString::new(e.message.replace('\0', "\u{2400}")).unwrap_or_default();
            unsafe { *error = text.into_raw() };
        }
        status(e.kind)
    })
}

unsafe fn text<'a>(text: *const c_char) -> Result<&'a str, Error> {
    if text.is_null() {
        return Err(Error::arguments("there is NULL where a text is needed"));
    }
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| Error::arguments("a text is not in UTF-8"))
}

unsafe fn slice<'a, T>(at: *const T, count: usize) -> &'a [T] {
    if count == 0 || at.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(at, count) } }
}

unsafe fn opened(
    backend: *const c_char,
    f: impl FnOnce(Options) -> Result<Model, Error>,
) -> Result<*mut FutiModel, Error> {
    let device = unsafe { text(backend) }?.parse()?;
    let model = f(Options { device, ..Options::default() })?;
    let manifest = CString::new(manifest(&model)?).map_err(Error::internal)?;
    Ok(Box::into_raw(Box::new(FutiModel { model, manifest })))
}

fn manifest(model: &Model) -> Result<String, Error> {
    let ty = |ty: &EntryType| {
        let leaf = |(elem, rank): &(ScalarType, usize)| json!({ "type": elem.name(), "rank": rank });
        (type_name(ty), ty.leaves().iter().map(leaf).collect::<Vec<_>>())
    };
    let mut entries = Vec::new();
    for name in model.entries() {
        let function = model.function(name, &[])?;
        let sig = function.signature();
        let input = |p: &futi_core::ir::EntryParam| {
            let (written, leaves) = ty(&p.ty);
            json!({ "name": p.name.as_str(), "type": written, "leaves": leaves })
        };
        let inputs: Vec<_> = sig.params.iter().map(input).collect();
        let (written, leaves) = ty(&sig.result);
        entries.push(json!({ "name": name, "inputs": inputs, "output": { "type": written, "leaves": leaves } }));
    }
    Ok(json!({ "backend": model.backend().name(), "entry_points": entries }).to_string())
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_load(
    path: *const c_char,
    backend: *const c_char,
    error: *mut *mut c_char,
) -> *mut FutiModel {
    let load = || unsafe { opened(backend, |options| Model::load(Path::new(text(path)?), options)) };
    unsafe { run(error, load) }.unwrap_or(null_mut())
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_compile(
    source: *const c_char,
    backend: *const c_char,
    error: *mut *mut c_char,
) -> *mut FutiModel {
    let compile = || unsafe { opened(backend, |options| Model::compile(text(source)?, options)) };
    unsafe { run(error, compile) }.unwrap_or(null_mut())
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_model_free(model: *mut FutiModel) {
    if !model.is_null() {
        drop(unsafe { Box::from_raw(model) });
    }
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_manifest(model: *const FutiModel) -> *const c_char {
    unsafe { &*model }.manifest.as_ptr()
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_value_new(
    model: *const FutiModel,
    ty: c_int,
    rank: usize,
    shape: *const i64,
    data: *const c_void,
    error: *mut *mut c_char,
) -> *mut FutiValue {
    let new = || {
        let known = usize::try_from(ty).ok().and_then(|ty| TYPES.get(ty));
        let elem = *known.ok_or_else(|| Error::arguments(format!("there is no type of number {ty}")))?;
        let shape = unsafe { slice(shape, rank) };
        let sizes = shape.iter().map(|n| usize::try_from(*n).ok()).collect::<Option<Vec<_>>>();
        let wrong = || Error::arguments(format!("no array has the shape {shape:?}"));
        let sizes = sizes.filter(|sizes| sizes.len() == rank).ok_or_else(wrong)?;
        let bytes =
            sizes.iter().try_fold(elem.bytes(), |n, size| n.checked_mul(*size)).filter(|n| *n <= isize::MAX as usize);
        let bytes = unsafe { slice(data.cast::<u8>(), bytes.ok_or_else(wrong)?) };
        let value = raw::value(elem, &sizes, bytes)
            .ok_or_else(|| Error::arguments("there is NULL where elements are needed"))?;
        let handle = unsafe { &*model }.model.backend().put(&value).map_err(|e| Error::arguments(e.message))?;
        Ok(Box::into_raw(Box::new(FutiValue { handle, elem, shape: shape.to_vec() })))
    };
    unsafe { run(error, new) }.unwrap_or(null_mut())
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_value_type(value: *const FutiValue) -> c_int {
    TYPES.iter().position(|t| *t == unsafe { &*value }.elem).unwrap_or(0) as c_int
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_value_rank(value: *const FutiValue) -> usize {
    unsafe { &*value }.shape.len()
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_value_shape(value: *const FutiValue) -> *const i64 {
    unsafe { &*value }.shape.as_ptr()
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_value_read(
    model: *const FutiModel,
    value: *const FutiValue,
    data: *mut c_void,
    room: usize,
    error: *mut *mut c_char,
) -> c_int {
    let read = || {
        let (model, value) = unsafe { (&*model, &*value) };
        let value = model.model.backend().get(&value.handle).map_err(|e| Error::arguments(e.message))?;
        raw::with_bytes(&value, |bytes| {
            if bytes.len() > room {
                return Err(Error::arguments(format!(
                    "the value has {} bytes, and there is room for {room}",
                    bytes.len()
                )));
            }
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), data.cast(), bytes.len()) };
            Ok(())
        })
    };
    unsafe { run(error, read) }.map_or_else(|status| status, |()| 0)
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_value_free(value: *mut FutiValue) {
    if !value.is_null() {
        drop(unsafe { Box::from_raw(value) });
    }
}

/// What a call is given, and where its results go.
struct Arguments {
    model: *const FutiModel,
    entry: *const c_char,
    args: *const *const FutiValue,
    args_count: usize,
    results: *mut *mut FutiValue,
    results_count: usize,
}

impl Arguments {
    /// Calls what the steps make of the entry point.
    unsafe fn call(
        self,
        error: *mut *mut c_char,
        steps: impl FnOnce(&Model, &str) -> Result<Vec<Step>, Error>,
    ) -> c_int {
        let call = || {
            let model = &unsafe { &*self.model }.model;
            let entry = unsafe { text(self.entry) }?;
            let function = model.function(entry, &steps(model, entry)?)?;
            let mut args = Vec::new();
            for arg in unsafe { slice(self.args, self.args_count) } {
                let arg =
                    unsafe { arg.as_ref() }.ok_or_else(|| Error::arguments("there is NULL where a value is needed"))?;
                args.push(arg.handle.clone());
            }
            let results = function.call(model, args, &CallCtx::default())?;
            if results.len() != self.results_count {
                return Err(Error::arguments(format!(
                    "{entry} gives {} values, not {}",
                    results.len(),
                    self.results_count
                )));
            }
            let mut values = Vec::new();
            for handle in results {
                let (elem, shape) = model.backend().shape(&handle).map_err(|e| Error::arguments(e.message))?;
                values.push(FutiValue { handle, elem, shape: shape.into_iter().map(|n| n as i64).collect() });
            }
            for (i, value) in values.into_iter().enumerate() {
                unsafe { *self.results.add(i) = Box::into_raw(Box::new(value)) };
            }
            Ok(())
        };
        unsafe { run(error, call) }.map_or_else(|status| status, |()| 0)
    }
}

/// The float leaves of an entry point's parameters and of its result.
fn floats(model: &Model, entry: &str) -> Result<(Vec<usize>, Vec<usize>), Error> {
    let function = model.function(entry, &[])?;
    let sig = function.signature();
    let floats = |leaves: Vec<(ScalarType, usize)>| {
        leaves.iter().enumerate().filter(|(_, (elem, _))| elem.is_float()).map(|(i, _)| i).collect::<Vec<_>>()
    };
    Ok((floats(sig.params.iter().flat_map(|p| p.ty.leaves()).collect()), floats(sig.result.leaves())))
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_call(
    model: *const FutiModel,
    entry: *const c_char,
    args: *const *const FutiValue,
    args_count: usize,
    results: *mut *mut FutiValue,
    results_count: usize,
    error: *mut *mut c_char,
) -> c_int {
    let all = Arguments { model, entry, args, args_count, results, results_count };
    unsafe { all.call(error, |_, _| Ok(Vec::new())) }
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_jvp(
    model: *const FutiModel,
    entry: *const c_char,
    args: *const *const FutiValue,
    args_count: usize,
    results: *mut *mut FutiValue,
    results_count: usize,
    error: *mut *mut c_char,
) -> c_int {
    let all = Arguments { model, entry, args, args_count, results, results_count };
    unsafe { all.call(error, |model, entry| floats(model, entry).map(|(of, results)| vec![Step::jvp(of, results)])) }
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_vjp(
    model: *const FutiModel,
    entry: *const c_char,
    args: *const *const FutiValue,
    args_count: usize,
    results: *mut *mut FutiValue,
    results_count: usize,
    error: *mut *mut c_char,
) -> c_int {
    let all = Arguments { model, entry, args, args_count, results, results_count };
    unsafe { all.call(error, |model, entry| floats(model, entry).map(|(of, results)| vec![Step::vjp(of, results)])) }
}

#[unsafe(no_mangle)]
/// See the header.
pub unsafe extern "C" fn futi_free_text(text: *mut c_char) {
    if !text.is_null() {
        drop(unsafe { CString::from_raw(text) });
    }
}
