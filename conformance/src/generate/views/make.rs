//! Statement by statement: what is in scope, and what may be consumed.

mod blocks;
mod exps;

use super::{Stm, ViewProgram};
use crate::random::{Rng, rebuilt};
use futi_core::prim::{Scalar, ScalarType};
use std::collections::BTreeSet;

/// A size: a name or a number, and what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Dim {
    text: String,
    size: i64,
}

impl Dim {
    fn number(size: i64) -> Dim {
        Dim { text: size.to_string(), size }
    }
}

/// What may share memory shares a root: a parameter, or where an array was made.
type Roots = BTreeSet<u32>;

/// An array in scope.
#[derive(Clone, Debug)]
struct Var {
    name: String,
    shape: Vec<Dim>,
    roots: Roots,
}

impl Var {
    fn sizes(&self) -> Vec<i64> {
        self.shape.iter().map(|dim| dim.size).collect()
    }

    /// Whether it has elements.
    fn is_some(&self) -> bool {
        self.shape.iter().all(|dim| dim.size > 0)
    }

    fn is_apart(&self, roots: &Roots) -> bool {
        self.roots.is_disjoint(roots)
    }
}

/// An expression for an array.
struct Made {
    text: String,
    shape: Vec<Dim>,
    roots: Roots,
}

/// A program in the making.
struct Maker {
    rng: Rng,
    /// The type of most elements.
    elem: ScalarType,
    /// The arrays that may be used.
    live: Vec<Var>,
    /// The roots that may be consumed here.
    owned: Roots,
    /// Those of them that may not, since what another branch gives may be there.
    kept: Roots,
    /// Scalars of the type of elements.
    scalars: Vec<String>,
    /// `i64`s of which is known what they are.
    known: Vec<(String, i64)>,
    /// Indices of loops, and how many rounds these have.
    counters: Vec<(String, i64)>,
    stms: Vec<Stm>,
    names: usize,
    roots: u32,
}

/// The program of a seed.
pub fn program(seed: u64) -> ViewProgram {
    use ScalarType::*;
    let mut rng = Rng::new(seed, "views");
    let mut roll = |n: u64| (rng.bits() % n) as i64;
    let elem = [I32, I64, I64, F32, Bool, I8, U16][roll(7) as usize];
    let size = |x: i64| if x == 0 { 0 } else { 1 + x % 6 };
    let (n, m, p, q) = (size(roll(25)), size(roll(25)), roll(3), roll(4));
    let mut elements = |shape: &[usize]| {
        let scalar = |x: i64| match elem {
            Bool => Scalar::Bool(x % 2 == 0),
            _ if elem.is_float() => Scalar::from_f64(elem, x as f64 / 8.0),
            _ => Scalar::from_i64(elem, x),
        };
        let all: Vec<Scalar> = (0..shape.iter().product::<usize>()).map(|_| scalar(roll(40))).collect();
        rebuilt(elem, shape, all.into_iter())
    };
    let (rows, columns) = (n as usize, m as usize);
    let i64s = [p, q].map(|x| Scalar::I64(x).into());
    let arrays = [vec![rows], vec![rows], vec![rows, columns], vec![columns, rows]];
    let mut inputs: Vec<_> = arrays.iter().map(|shape| elements(shape)).collect();
    inputs.push(elements(&[]));
    inputs.extend(i64s);
    let (of_n, of_m) = (Dim { text: "n".into(), size: n }, Dim { text: "m".into(), size: m });
    let shapes = [vec![of_n.clone()], vec![of_n.clone()], vec![of_n.clone(), of_m.clone()], vec![of_m, of_n]];
    let live = ["a", "b", "c", "d"].iter().zip(shapes).zip(0..).map(|((name, shape), root)| Var {
        name: name.to_string(),
        shape,
        roots: [root].into(),
    });
    let mut maker = Maker {
        rng,
        elem,
        live: live.collect(),
        // those of `a` and `c`
        owned: [0, 2].into(),
        kept: Roots::new(),
        scalars: vec!["s".into()],
        known: vec![("p".into(), p), ("q".into(), q)],
        counters: vec![],
        stms: vec![],
        names: 0,
        roots: 4,
    };
    let count = 5 + maker.roll(8);
    maker.statements(count as usize, 2);
    let results = maker.results();
    let head = format!(
        "entry main [n][m] (a: *[n]{elem}) (b: [n]{elem}) (c: *[n][m]{elem}) (d: [m][n]{elem}) (s: {elem}) (p: i64) (q: i64) ="
    );
    ViewProgram { head, stms: maker.stms, results, inputs }
}

impl Maker {
    /// Uniform in 0..n.
    fn roll(&mut self, n: u64) -> i64 {
        (self.rng.bits() % n.max(1)) as i64
    }

    fn once_in(&mut self, n: u64) -> bool {
        self.roll(n) == 0
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        let k = self.roll(all.len() as u64) as usize;
        all.get(k).cloned()
    }

    /// An array in scope that is as wanted; half the time, one of the last.
    fn var(&mut self, wanted: impl Fn(&Var) -> bool) -> Option<Var> {
        let all: Vec<Var> = self.live.iter().filter(|var| wanted(var)).cloned().collect();
        let from = if self.once_in(2) { all.len().saturating_sub(2) } else { 0 };
        self.pick(&all[from..])
    }

    /// An array that may be consumed, and is as wanted.
    fn own(&mut self, wanted: impl Fn(&Var) -> bool) -> Option<Var> {
        let (owned, kept) = (self.owned.clone(), self.kept.clone());
        self.var(|var| var.roots.is_subset(&owned) && var.is_apart(&kept) && wanted(var))
    }

    /// Nobody may use any more what shares memory with this.
    fn consume(&mut self, roots: &Roots) {
        self.live.retain(|var| var.is_apart(roots));
    }

    fn name(&mut self, base: &str) -> String {
        self.names += 1;
        format!("{base}{}", self.names)
    }

    /// The root of what is made here.
    fn fresh(&mut self) -> Roots {
        self.roots += 1;
        self.owned.insert(self.roots);
        [self.roots].into()
    }

    /// Binds a new name.
    fn bind(&mut self, made: Made) {
        let name = self.name("x");
        self.stms.push(Stm { names: vec![name.clone()], exp: made.text });
        self.live.push(Var { name, shape: made.shape, roots: made.roots });
    }

    /// So many statements; with blocks in them, so deep.
    fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            match self.roll(20) {
                0..=2 if depth > 0 => self.branch(depth - 1),
                3..=5 if depth > 0 => self.repeat(depth - 1),
                6..=11 => {
                    if let Some(made) = self.updated() {
                        self.bind(made);
                    }
                }
                _ => {
                    if let Some(made) = self.view_or_new() {
                        self.bind(made);
                    }
                }
            }
        }
    }

    /// What the program returns: some of what may still be used, also as views, and the sum of something.
    fn results(&mut self) -> Vec<String> {
        let mut results = Vec::new();
        for _ in 0..2 + self.roll(3) {
            if let Some(var) = self.var(|_| true) {
                let text = self.seen(&var);
                results.push(text.text);
            }
        }
        let var = self.live.last().map_or("s".to_string(), |var| var.name.clone());
        results.push(var);
        results.dedup();
        results
    }

    /// The type of arrays of this shape.
    fn ty(&self, shape: &[Dim]) -> String {
        let dims: String = shape.iter().map(|dim| format!("[{}]", dim.text)).collect();
        format!("{dims}{}", self.elem)
    }

    /// An array as one of another shape, that has the same sizes.
    fn of_shape(&self, text: &str, from: &[Dim], to: &[Dim]) -> String {
        if from == to { text.to_string() } else { format!("({text} :> {})", self.ty(to)) }
    }
}
