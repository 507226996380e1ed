//! Futi in other programs: a [`Model`] is a program that has been compiled for a backend; its [`Function`]s are its entry points, their derivatives, and what maps
//! them over arrays.
//!
//! ```
//! use futi_embed::{Model, Options, Step};
//! use futi_core::prim::Scalar;
//!
//! let model = Model::compile("entry main (x: f64) : f64 = x * x", Options::default())?;
//! let square = model.function("main", &[])?;
//! let x = model.backend().put(&Scalar::F64(3.0).into()).unwrap();
//! let y = square.call(&model, vec![x.clone()], &Default::default())?;
//! assert_eq!(model.backend().get(&y[0]).unwrap().to_string(), "9.0f64");
//! // with respect to its first parameter, of its first result
//! let derivative = model.function("main", &[Step::vjp([0], [0])])?;
//! let one = model.backend().put(&Scalar::F64(1.0).into()).unwrap();
//! let results = derivative.call(&model, vec![x, one], &Default::default())?;
//! assert_eq!(model.backend().get(&results[1]).unwrap().to_string(), "6.0f64");
//! # Ok::<(), futi_embed::Error>(())
//! ```

pub mod ad;
mod error;
pub mod files;
mod function;
mod model;
pub mod tuning;

pub use ad::Ad;
pub use error::{Error, Kind, Place};
pub use function::{Function, Step};
pub use model::{Device, Model, Options};
