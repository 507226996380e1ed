//! What programs cost whose arrays are views of others, counted by the executor: launches of kernels, and the bytes that these read and write.

use futi_core::backend::{Backend, CallCtx, IrLevel, Options};
use futi_core::driver::{compile::compile, pipeline::for_level};
use futi_core::ir::check::check;
use futi_core::prim::{Scalar, ScalarType};
use futi_core::value::{Array, Column, Value};
use futi_kernels::exec::backend::Executor;

/// What a call gives, how many kernels it launches, how many points they have, and how many bytes they read and write.
struct Cost {
    results: Vec<Value>,
    launches: u64,
    points: u64,
    bytes: u64,
    kernels: Vec<String>,
}

fn run(source: &str, args: &[Value]) -> Cost {
    let provider = |_: &str| Ok(source.to_string());
    let program = compile("main.fut", &provider).program.expect("a program");
    let flat = check(for_level(program, IrLevel::Flat).expect("a flat program")).expect("a well-formed one");
    let executor = Executor::default();
    let executable = executor.compile(&flat, &Options::default()).expect("kernels");
    let args: Vec<_> = args.iter().map(|arg| executor.put(arg).expect("an argument")).collect();
    let results = executable.call("main", args, &CallCtx::default()).expect("results");
    let results = results.iter().map(|handle| executor.get(handle).expect("a result")).collect();
    let profile = executable.profile();
    let sum = |of: fn(&futi_core::backend::KernelProfile) -> u64| profile.kernels.iter().map(of).sum();
    let kernels = profile.kernels.iter().filter(|k| k.launches > 0).map(|k| k.name.clone()).collect();
    Cost { results, kernels, launches: sum(|k| k.launches), points: sum(|k| k.invocations), bytes: sum(|k| k.bytes) }
}

fn i64s(shape: &[usize], of: impl Fn(usize) -> i64) -> Value {
    let elements = (0..shape.iter().product()).map(|i| Scalar::I64(of(i)));
    Array::new(shape, Column::from_scalars(ScalarType::I64, elements).expect("integers")).into()
}

/// A range is counted where it is used: nothing is read but partial sums, whatever the length.
#[test]
fn a_range_that_is_summed_is_not_made() {
    let source = "entry main (n: i64) : i64 = i64.sum (map (\\i -> i * i) (iota n))";
    for n in [0i64, 1, 1000, 2000] {
        let cost = run(source, &[Scalar::I64(n).into()]);
        // 0 + 1 + 4 + … + (n - 1)²
        let sum = (n - 1).max(0) * n * (2 * n - 1).max(0) / 6;
        assert_eq!(cost.results, [Scalar::I64(sum).into()]);
        assert!(cost.launches <= 2 && cost.bytes <= 64 << 10, "{} launches, {} bytes", cost.launches, cost.bytes);
    }
}

/// A product with a transposed matrix is one kernel, which reads both factors as they are.
#[test]
fn a_transposed_factor_is_not_copied() {
    let source = "entry main [n][m][k] (a: [n][k]i64) (b: [k][m]i64) : [n][m]i64 =
      map (\\r -> map (\\c -> i64.sum (map2 (*) r c)) (transpose b)) a";
    let size = |n: i64| Value::from(Scalar::I64(n));
    let (a, b) = (i64s(&[2, 3], |i| i as i64), i64s(&[3, 2], |i| 10 * i as i64));
    let cost = run(source, &[size(2), size(2), size(3), a, b]);
    // [0 1 2; 3 4 5] by [0 10; 20 30; 40 50]
    assert_eq!(cost.results, [i64s(&[2, 2], |i| [100, 130, 280, 400][i])]);
    assert_eq!(cost.launches, 1);
    // each of four points reads a row and a column of three, and writes an element
    assert_eq!(cost.bytes, 8 * 4 * (3 + 3 + 1));
}

/// Views of views, and what they are views of, are read by the one kernel that uses them.
#[test]
fn views_of_views_are_read_by_one_kernel() {
    let source = "entry main [n] (xs: [n]i64) : [n]i64 =
      map2 (-) (reverse (rotate 1 xs)) (map (\\r -> r[0]) (transpose (replicate 2 xs)))";
    let cost = run(source, &[Scalar::I64(4).into(), i64s(&[4], |i| [1, 20, 300, 4000][i])]);
    // [1 4000 300 20] without [1 20 300 4000]
    assert_eq!(cost.results, [i64s(&[4], |i| [0, 3980, 0, -3980][i])]);
    assert!(cost.launches <= 2, "{} launches", cost.launches);
}

/// A reduction of rows is one of columns: each of them is spread over points.
#[test]
fn a_reduction_of_rows_has_a_point_for_each_element() {
    let source = "entry main [n][m] (xs: [n][m]i64) : [m]i64 = reduce (map2 (+)) (replicate m 0) xs";
    for (n, m) in [(300usize, 4usize), (4, 300), (1, 1), (7, 1)] {
        let size = |n: usize| Value::from(Scalar::I64(n as i64));
        let cost = run(source, &[size(n), size(m), i64s(&[n, m], |i| i as i64)]);
        // i m + j over all i
        let column = |j: usize| (n * (n - 1) / 2 * m + n * j) as i64;
        assert_eq!(cost.results, [i64s(&[m], column)]);
        assert!(cost.points >= (n * m) as u64, "{} points for {n} rows of {m}", cost.points);
    }
}

/// Where there are many columns, and long ones, neighbours in memory are reduced by neighbours.
#[test]
fn long_columns_are_cut_into_chunks() {
    let source = "entry main [n][m] (xs: [n][m]i64) : [m]i64 = map i64.sum (transpose xs)";
    for (n, m) in [(1000usize, 32usize), (513, 40)] {
        let size = |n: usize| Value::from(Scalar::I64(n as i64));
        let cost = run(source, &[size(n), size(m), i64s(&[n, m], |i| i as i64)]);
        let column = |j: usize| (n * (n - 1) / 2 * m + n * j) as i64;
        assert_eq!(cost.results, [i64s(&[m], column)]);
        assert!(cost.kernels.iter().any(|name| name.starts_with("reduce_columns")), "{:?}", cost.kernels);
    }
}

/// A constant that nobody changes is not copied.
#[test]
fn a_constant_is_read_where_it_is() {
    let source = "entry main (i: i64) : i64 = let xs = [3i64, 1, 4, 1, 5] in i64.sum (map (* i) xs)";
    let cost = run(source, &[Scalar::I64(2).into()]);
    assert_eq!(cost.results, [Scalar::I64(28).into()]);
    assert!(cost.launches <= 2);
}
