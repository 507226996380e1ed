//! A model that a Rust program compiles and trains: linear regression by gradient descent, on the backend that is named, or on the interpreter.
//!
//!     cargo run --example gradient_descent -- interp

use futi_core::prim::Scalar;
use futi_core::value::{Array, Value};
use futi_embed::{Error, Model, Options, Step};

const SOURCE: &str = "
entry loss [n] [m] (w: [m]f64) (x: [n][m]f64) (y: [n]f64) : f64 =
  let errors = map2 (\\row t -> f64.sum (map2 (*) row w) - t) x y
  in f64.sum (map (\\e -> e * e) errors) / f64.i64 n";

fn main() -> Result<(), Error> {
    let device = std::env::args().nth(1).as_deref().unwrap_or("interp").parse()?;
    let model = Model::compile(SOURCE, Options { device, ..Options::default() })?;
    // of the loss, with respect to the weights
    let gradient = model.function("loss", &[Step::vjp([0], [0])])?;
    let put = |value: Value| model.backend().put(&value).map_err(|e| Error::arguments(e.message));
    // y = 2 x₀ - 3 x₁
    let x = put(Array::from_vec(&[4, 2], vec![1f64, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 1.0]).into())?;
    let y = put(Array::from_vec(&[4], vec![2f64, -3.0, -1.0, 1.0]).into())?;
    let one = put(Scalar::F64(1.0).into())?;
    let mut weights = vec![0f64; 2];
    for step in 0..200 {
        let w = put(Array::from_vec(&[2], weights.clone()).into())?;
        let results = gradient.call(&model, vec![w, x.clone(), y.clone(), one.clone()], &Default::default())?;
        let get = |i: usize| model.backend().get(&results[i]).map_err(|e| Error::arguments(e.message));
        if step % 50 == 0 {
            println!("step {step}: loss {}", get(0)?);
        }
        if let Value::Array(g) = get(1)? {
            let down = |(w, g): (&f64, &f64)| w - 0.2 * g;
            weights = weights.iter().zip(g.slice::<f64>().unwrap_or_default()).map(down).collect();
        }
    }
    println!("weights: {:.3} {:.3}", weights[0], weights[1]);
    Ok(())
}
