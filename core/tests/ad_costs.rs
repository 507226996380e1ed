//! Work of reverse mode over work of the primal code, counted: at most a constant for each construct, flat over the size of the input (Schenck et al. §4:
//! the work asymptotics are preserved; digest 000 §1.5, §1.7). What is counted is the code that the compiler makes, run in the interpreter. Work is scalar
//! operations, and reads and writes of single elements where the code has an index.

mod common;
use common::*;
use futi_core::driver::pipeline::{Stage, only};
use futi_core::ir::{Program, Scalar};
use futi_core::value::{Array, Value};
use futi_interp::{Ctx, NodeKind, eval};

/// Of `f`, a function of n numbers beside one and of n indices, and of its derivative.
struct Costs {
    primal: Program,
    reverse: Program,
}

impl Costs {
    fn of(f: &str) -> Costs {
        let source = format!("entry main [n] (xs: [n]f64) (is: [n]i64) = {f}");
        let compiled = futi_core::compile("test.fut", &|_: &str| Ok(source.clone()));
        let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
        let program = only(&program, "main");
        Costs { primal: at(&program, Stage::Fused), reverse: at(&derivative(&program, D::Vjp), Stage::Fused) }
    }

    /// The work of the derivative, primal code included, over that of the primal code: of n numbers and indices.
    fn ratio(&self, n: i64) -> f64 {
        self.ratio_below(n, 25)
    }

    /// The same, where the indices are below this bound.
    fn ratio_below(&self, n: i64, bound: i64) -> f64 {
        let [primal, reverse] = self.work_below(n, bound);
        reverse as f64 / primal as f64
    }

    /// The work of the primal code and of the derivative, where the indices are below this bound.
    fn work_below(&self, n: i64, bound: i64) -> [u64; 2] {
        let xs: Vec<f64> = (0..n).map(|i| 1.0 + ((i * 7919) % 1000) as f64 / 1e7).collect();
        let is: Vec<i64> = (0..n).map(|i| (i * 7919) % bound).collect();
        let size = n as usize;
        let args: Vec<Value> =
            vec![Scalar::I64(n).into(), Array::from_vec(&[size], xs).into(), Array::from_vec(&[size], is).into()];
        let seeded = fill_args(&self.reverse, &args);
        [work(&self.primal, &args), work(&self.reverse, &seeded)]
    }
}

fn work(program: &Program, args: &[Value]) -> u64 {
    let ctx = Ctx::default();
    let name = program.funs[0].name.as_str();
    eval(program, name, args, &ctx).unwrap_or_else(|e| panic!("{e}\n{program}"));
    let counted = ctx.counters();
    let elements = [NodeKind::Index, NodeKind::Update, NodeKind::UpdAcc].map(|k| counted.node(k));
    counted.prims() + elements.iter().sum::<u64>()
}

/// Each construct with what it may cost.
const CASES: [(&str, f64); 23] = [
    // scalar code, maps, indices, branches
    ("(\\x -> f64.sin (x * f64.exp x) / (1 + x * x) + f64.sqrt (x + f64.log x)) xs[0]", 4.0),
    ("map (\\x -> x * x + f64.sin x) xs", 4.0),
    ("map2 (\\x i -> x * xs[i]) xs is", 4.0),
    ("map (\\i -> xs[i]) is", 4.0),
    ("map (\\i -> xs[i] * xs[i]) is", 4.0),
    ("map (\\x -> if x > 1.00005 then x * x * x else f64.sin x) xs", 4.0),
    ("tabulate_2d n 10 (\\i j -> f64.sin (xs[i] * f64.i64 j))", 4.0),
    ("scatter (map (* 2) xs) (map (\\i -> n - 1 - i) (iota n)) (map (\\x -> x * x) xs)", 4.0),
    // reductions that have rules of their own
    ("f64.sum xs", 6.0),
    ("f64.sum (map (\\x -> x * x) xs)", 6.0),
    ("f64.product xs", 6.0),
    ("f64.maximum xs", 6.0),
    ("f64.minimum xs", 6.0),
    // any other, and scans of scalars
    ("reduce (\\x y -> x + y + x * y) 0 xs", 10.0),
    ("scan (+) 0 xs", 10.0),
    ("scan (*) 1 xs", 10.0),
    ("scan (\\x y -> x + y + x * y) 0 xs", 10.0),
    // scans of d-tuples: 4 + 3 d^2
    ("scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs xs)", 16.0),
    ("scan (\\(a, b, c) (d, e, f) -> (a + d, b + e + a * d, c + f + a * e + b * d)) (0, 0, 0) (zip3 xs xs xs)", 31.0),
    (
        "scan (\\(a, b, c, d) (e, f, g, h) -> (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)) (1, 0, 0, 1) \
         (zip4 xs xs xs xs)",
        52.0,
    ),
    // histograms without a sort
    ("reduce_by_index (replicate 25 0) (+) 0 is xs", 12.0),
    ("reduce_by_index (replicate 25 1) (*) 1 is xs", 12.0),
    ("reduce_by_index (replicate 25 1) f64.max f64.lowest is xs", 12.0),
];

#[test]
fn derivatives_cost_a_constant_times_the_primal_code() {
    for (f, most) in CASES {
        let costs = Costs::of(f);
        let ratios = [100, 1000, 10_000, 100_000].map(|n| costs.ratio(n));
        println!("{ratios:.2?} of {most}: {f}");
        assert!(ratios.iter().all(|r| r <= &most), "{ratios:.2?}, at most {most}: {f}");
        // flat: what is done once only matters for small sizes
        assert!((ratios[3] / ratios[1] - 1.0).abs() < 0.05, "{ratios:.2?}: {f}");
    }
}

/// What a sort's pass costs, from histograms of 25, 1023 and 16,384 bins, 3, 5 and 8 passes of two bits (the number of the last bin after all, 16,384, has 15 bits); and
/// beside the passes at most 12.
#[test]
fn general_histograms_cost_a_constant_beside_the_passes_of_the_sort() {
    let ratio = |bins: i64, n: i64| {
        Costs::of(&format!("reduce_by_index (replicate {bins} 0) (\\x y -> x + y + x * y) 0 is xs"))
            .ratio_below(n, bins)
    };
    let [three, five, eight] = [25, 1023, 16_384].map(|bins| ratio(bins, 10_000));
    let pass = (five - three) / 2.0;
    println!("{three:.2} {five:.2} {eight:.2}: {pass:.2} a pass, {:.2} beside", three - 3.0 * pass);
    assert!(((eight - five) / 3.0 / pass - 1.0).abs() < 0.1, "{three} {five} {eight}");
    assert!(three - 3.0 * pass <= 12.0, "{three} {five} {eight}");
    assert!((ratio(25, 100_000) / three - 1.0).abs() < 0.05);
}

/// Row B8 of digest 000: bins that nothing goes to cost nothing. Of 100 values all go to the first 25 bins; the numbers of all bins have 15 bits either way, so that the
/// sort has as many passes.
#[test]
fn bins_that_nothing_goes_to_cost_nothing() {
    for op in ["(\\x y -> x + y + x * y) 0", "(+) 0"] {
        let [few, many] = [16_384, 32_767]
            .map(|bins| Costs::of(&format!("reduce_by_index (replicate {bins} 1) {op} is xs")).work_below(100, 25));
        assert_eq!(few, many, "{op}");
    }
}
