//! One program held against its literal values, and its derivatives against each other.

use super::notation::{ir, numbers};
use super::*;
use futi_core::ir::visit::{Visit, walk_exp};

/// What is known of a program: the names follow the checklists.
pub struct Row {
    program: Program,
    args: Vec<Value>,
    seeds: Vec<Value>,
    tolerance: Tolerance,
    smooth: bool,
    integers: bool,
}

/// The row of a program in [`ir`]'s shorthand at arguments, sizes first, as [`numbers`] reads them. It gives these results.
pub fn row(text: &str, args: &str, primal: &str) -> Row {
    row_to(CLOSE, text, args, primal)
}

/// The same with literals of so many digits.
pub fn row_to(tolerance: Tolerance, text: &str, args: &str, primal: &str) -> Row {
    let row = Row {
        program: parse(&ir(text)),
        args: values(&numbers(args)),
        seeds: vec![],
        tolerance,
        smooth: true,
        integers: false,
    };
    let expected = values(&numbers(primal));
    let plain = Ctx { plain: true, ..Ctx::default() };
    for (ctx, what) in [(Ctx::default(), "by default"), (Ctx::strict(), "strictly"), (plain, "element by element")] {
        let got = run_in(ctx, &row.program, &row.args).0;
        near(&got, &expected, tolerance, what, &row.program);
    }
    row
}

/// The digits that digest 001 gives.
pub const SIX_DIGITS: Tolerance = Tolerance { absolute: 1e-8, relative: 6e-6 };

fn near(got: &[Value], expected: &[Value], tolerance: Tolerance, what: &str, program: &Program) {
    assert_eq!(got.len(), expected.len(), "{what}");
    for (k, (g, e)) in got.iter().zip(expected).enumerate() {
        if let Some(m) = compare(g, e, tolerance) {
            panic!("{what}, result {k}: {m}\ngot {got:?}\nexpected {expected:?}\n{program}");
        }
    }
}

impl Row {
    /// The function has a kink here, so that differences say nothing.
    pub fn at_a_kink(mut self) -> Row {
        self.smooth = false;
        self
    }

    /// The function is one of `i32`s, which are differentiated like reals, modulo 2^32. Differences say nothing.
    pub fn of_integers(mut self) -> Row {
        self.integers = true;
        self.at_a_kink()
    }

    /// Literals have so many digits.
    pub fn to(mut self, tolerance: Tolerance) -> Row {
        self.tolerance = tolerance;
        self
    }

    /// With these seeds `vjp` gives these adjoints of all arguments but sizes, by definition and, where `core::ad` has the rules, transformed. The full
    /// Jacobian by `vjp` is that by `jvp` and that by differences.
    pub fn adjoints(self, seeds: &str, expected: &str) -> Row {
        self.adjoints_alone(seeds, expected).jacobians()
    }

    /// The same without Jacobians: where forward mode overflows and reverse mode does not.
    pub fn adjoints_alone(mut self, seeds: &str, expected: &str) -> Row {
        self.seeds = values(&numbers(seeds));
        let vjp = derivative(&self.program, D::Vjp);
        let args = [&self.args[..], &self.seeds].concat();
        let adjoints = compared(&vjp, &args).split_off(self.seeds.len());
        near(&adjoints, &values(&numbers(expected)), self.tolerance, "vjp", &self.program);
        self
    }

    /// The Jacobian by `vjp` is that by `jvp` and that by differences.
    pub fn jacobians(self) -> Row {
        let rows = self.by_vjp();
        let columns = self.by_jvp();
        let same = |a: &[Vec<f64>], b: &[Vec<f64>], relative: f64, what: &str| {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                for (j, (x, y)) in a.iter().zip(b).enumerate() {
                    let close = (x - y).abs() <= relative * (1.0 + x.abs()) || x == y;
                    assert!(close, "{what}: d result {i} / d argument {j}: vjp {x}, otherwise {y}\n{}", self.program);
                }
            }
        };
        same(&rows, &columns, 1e-10, "jvp");
        if self.smooth {
            same(&rows, &self.by_differences(), 1e-6, "differences");
        }
        self
    }

    fn sizes(&self) -> usize {
        self.args.len() - self.others()
    }

    /// How many parameters are not sizes.
    fn others(&self) -> usize {
        derivative(&self.program, D::Jvp).funs[0].params.len() - self.args.len()
    }

    /// The (value, element) pairs that derivatives are of or by.
    fn elements(&self, vs: &[Value]) -> Vec<(usize, usize)> {
        let active = |v: &Value| v.elem().is_float() || (self.integers && v.elem() == ScalarType::I32);
        let of = |(k, v): (usize, &Value)| (0..v.elements().count()).map(move |i| (k, i)).collect::<Vec<_>>();
        vs.iter().enumerate().filter(|(_, v)| active(v)).flat_map(of).collect()
    }

    fn results(&self) -> Vec<Value> {
        run_in(Ctx::default(), &self.program, &self.args).0
    }

    /// Rows for result elements, by one-hot cotangents.
    pub fn by_vjp(&self) -> Vec<Vec<f64>> {
        let results = self.results();
        let inputs = self.elements(&self.args[self.sizes()..]);
        let vjp = derivative(&self.program, D::Vjp);
        let of = |o: (usize, usize)| {
            let adjoints = run(&vjp, &[&self.args[..], &one_hot(&results, o)].concat()).0.split_off(results.len());
            inputs.iter().map(|i| element(&adjoints, *i)).collect()
        };
        self.elements(&results).into_iter().map(of).collect()
    }

    /// The same by one-hot tangents.
    pub fn by_jvp(&self) -> Vec<Vec<f64>> {
        let results = self.results();
        let others = &self.args[self.sizes()..];
        let jvp = derivative(&self.program, D::Jvp);
        let column =
            |i: &(usize, usize)| run(&jvp, &[&self.args[..], &one_hot(others, *i)].concat()).0.split_off(results.len());
        let columns: Vec<Vec<Value>> = self.elements(others).iter().map(column).collect();
        let of = |o: (usize, usize)| columns.iter().map(|c| element(c, o)).collect();
        self.elements(&results).into_iter().map(of).collect()
    }

    /// The same by central differences, extrapolated (Richardson).
    pub fn by_differences(&self) -> Vec<Vec<f64>> {
        let outputs = self.elements(&self.results());
        let sizes = self.sizes();
        let at = |(k, i): (usize, usize), h: f64| -> Vec<f64> {
            let mut args = self.args.clone();
            args[sizes + k] = nudged(&args[sizes + k], i, h);
            let results = run_in(Ctx::default(), &self.program, &args).0;
            outputs.iter().map(|o| element(&results, *o)).collect()
        };
        let central = |e: (usize, usize), h: f64| -> Vec<f64> {
            at(e, h).into_iter().zip(at(e, -h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()
        };
        let h = 1e-3;
        let column = |e: (usize, usize)| -> Vec<f64> {
            central(e, h / 2.0).into_iter().zip(central(e, h)).map(|(a, b)| (4.0 * a - b) / 3.0).collect()
        };
        let columns: Vec<Vec<f64>> = self.elements(&self.args[sizes..]).into_iter().map(column).collect();
        (0..outputs.len()).map(|o| columns.iter().map(|c| c[o]).collect()).collect()
    }
}

/// The results of a derivative by definition, and the same transformed. Of an accumulator that does not add there is a rule only where its updates can be seen.
pub fn compared(program: &Program, args: &[Value]) -> Vec<Value> {
    struct Others(bool);
    impl Visit for Others {
        fn exp(&mut self, e: &Exp) {
            if let Exp::WithAcc(w) = e {
                self.0 |= !w.inputs.iter().all(|i| matches!(i.op.lambda.as_prim(), Some(Prim::Bin(BinOp::Add, _))));
            }
            walk_exp(self, e);
        }
    }
    let mut others = Others(false);
    program.funs.iter().for_each(|f| others.body(&f.body));
    if others.0 { run(program, args).0 } else { agree(program, args, "transformed") }
}

fn element(vs: &[Value], (k, i): (usize, usize)) -> f64 {
    vs[k].elements().nth(i).unwrap().to_f64()
}

/// Zeros of these values' types, but one.
fn one_hot(vs: &[Value], (k, i): (usize, usize)) -> Vec<Value> {
    let mut zeros: Vec<Value> = vs.iter().map(zero).collect();
    zeros[k] = nudged(&zeros[k], i, 1.0);
    zeros
}

pub fn zero(v: &Value) -> Value {
    match v {
        Value::Scalar(x) => x.scalar_type().zero().into(),
        Value::Array(a) => Array::filled(a.shape(), a.elem().zero()).into(),
    }
}

/// The value with h added to its i-th element.
fn nudged(v: &Value, i: usize, h: f64) -> Value {
    let nudge = |(j, x): (usize, Scalar)| {
        if j == i { Scalar::from_f64(x.scalar_type(), x.to_f64() + h) } else { x }
    };
    match v {
        Value::Scalar(x) => nudge((i, *x)).into(),
        Value::Array(a) => {
            let column = Column::from_scalars(a.elem(), v.elements().enumerate().map(nudge)).unwrap();
            Array::new(a.shape(), column).into()
        }
    }
}

/// The row of a program as it is; nothing is compared yet.
pub fn row_of(program: Program, args: &[Value]) -> Row {
    Row { program, args: args.to_vec(), seeds: vec![], tolerance: CLOSE, smooth: true, integers: false }
}

impl Row {
    /// For a random tangent ẋ and cotangent ȳ of the reals, ȳ·(J ẋ) by `jvp` is (ȳ J)·ẋ by `vjp`.
    pub fn duality(self) -> Row {
        let results = self.results();
        let others = &self.args[self.sizes()..];
        let random = |vs: &[Value], first: usize| -> Vec<Value> {
            let mut all: Vec<Value> = vs.iter().map(zero).collect();
            for (n, (k, i)) in self.elements(vs).into_iter().enumerate() {
                all[k] = nudged(&all[k], i, (((first + n) * 7) % 11) as f64 / 4.0 - 1.0);
            }
            all
        };
        let (tangents, cotangents) = (random(others, 1), random(&results, 4));
        let by = |d: D, seeds: &[Value]| {
            run(&derivative(&self.program, d), &[&self.args[..], seeds].concat()).0.split_off(results.len())
        };
        let dot = |a: &[Value], b: &[Value]| -> f64 {
            self.elements(a).into_iter().map(|e| element(a, e) * element(b, e)).sum()
        };
        let (forward, reverse) = (dot(&by(D::Jvp, &tangents), &cotangents), dot(&by(D::Vjp, &cotangents), &tangents));
        assert!(
            (forward - reverse).abs() <= 1e-10 * (1.0 + forward.abs()),
            "{forward} by jvp, {reverse} by vjp\n{}",
            self.program
        );
        self
    }
}
