//! Says with other constructs what devices have no code for: `match` with branches, streams with their function, applied to one chunk, or to many at once, `flatmap` inside of a nest row by
//! row, and scans, reductions and histograms one element after the other by operators for which there is no room.
//!
//! A stream of the host whose function goes through its chunk by a loop is cut into chunks of one size, over which the function is mapped, and a last chunk of what is left. Any other
//! stream is one chunk: what its function maps and folds is parallel over the whole arrays then, and inside of a nest there are other points to be parallel over.

mod one_by_one;
mod row_by_row;

use self::one_by_one::{bins_one_by_one, finds_sizes, one_by_one};
use self::row_by_row::row_by_row;
use crate::analysis::Analyses;
use crate::analysis::alias::{Consumable, consumable_by};
use crate::ir::build::{Builder, Vars, map_exp, reduce_exp};
use crate::ir::plain::{branches, one_chunk};
use crate::ir::rename::renamed;
use crate::ir::visit::{Visit, VisitMut, substitute, walk_body, walk_exp, walk_exp_mut};
use crate::ir::*;

// Note [Chunks]
// ~~~~~~~~~~~~~
// n elements are cut into chunks of s = (n-1) / most + 1, of which all but the last are full: (n-1) / s of them, and the last has what is left, from 1 to s. So there are `most` at the
// most, each nest has chunks of one size, and no chunk is empty, which some functions do not expect; but an array without elements is one empty chunk, as it is to the interpreter. The
// last chunk is mapped over, too, so that its loops are code of one point of a nest and not the host's. What chunks give is stored, for it may be arrays, and
// combined in their order.

/// A stream is cut into this many chunks, if it has the elements: enough to keep a device busy, few enough for what each of them gives to be stored.
pub const CHUNKS: i64 = 32 * 1024;

/// Replaces streams, `match`, and `flatmap` inside of nests.
pub fn plain(program: Program, known: &mut Analyses) -> Program {
    plain_with(program, CHUNKS, known)
}

/// [`plain()`], with this many chunks at the most.
pub fn plain_with(mut program: Program, chunks: i64, known: &mut Analyses) -> Program {
    let mut plain = Plain { vars: known.vars(&program), chunks, host: true, changed: false };
    program.funs.iter_mut().for_each(|fun| plain.body(&mut fun.body));
    if plain.changed {
        known.changed();
    } else {
        known.unchanged(plain.vars);
    }
    program
}

struct Plain {
    vars: Vars,
    /// How many chunks a stream may have.
    chunks: i64,
    /// Whether it is code of the host that is looked at, and not of a nest.
    host: bool,
    changed: bool,
}

impl VisitMut for Plain {
    fn body(&mut self, body: &mut Body) {
        for stm in body.take_stms() {
            self.rewrite(stm, &mut body.stms);
        }
    }
    fn exp(&mut self, exp: &mut Exp) {
        let of_host = matches!(exp, Exp::If { .. } | Exp::Loop { .. } | Exp::WithAcc(_));
        self.nested(of_host, |p| walk_exp_mut(p, exp));
    }
    fn operator(&mut self, op: &mut Operator) {
        self.nested(false, |p| p.lambda(&mut op.lambda));
    }
}

impl Plain {
    /// What is done inside of a construct, which is code of the host if what is around it and the construct are.
    fn nested(&mut self, of_host: bool, inside: impl FnOnce(&mut Self)) {
        let outer = self.host;
        self.host &= of_host;
        inside(self);
        self.host = outer;
    }

    fn rewrite(&mut self, mut stm: Stm, into: &mut Vec<Stm>) {
        let is_parallel = |s: &Stream| matches!(s.form, StreamForm::Par(_));
        let in_chunks = matches!(&stm.exp, Exp::Stream(s) if self.host && is_parallel(s) && loops(&s.lambda));
        if in_chunks {
            // what is inside of it is code of a nest
            self.nested(false, |p| walk_exp_mut(p, &mut stm.exp));
        }
        let mut b = Builder::new(&mut self.vars, stm.prov);
        (b.certs, b.attrs) = (stm.certs.clone(), stm.attrs.clone());
        match stm.exp {
            Exp::Match { scrutinees, cases, default } => branches(&mut b, &scrutinees, cases, default, stm.pat),
            Exp::Stream(s) => match s.form {
                StreamForm::Par(op) if in_chunks => {
                    chunks(&mut b, self.chunks, s.width, &s.arrays, op, &s.lambda, stm.pat);
                }
                _ => one_chunk(&mut b, *s, stm.pat),
            },
            Exp::FlatMap(f) if !self.host => row_by_row(&mut b, &f, stm.pat),
            Exp::Screma(s) if finds_sizes(s.scans.iter().chain(&s.reduces)) => one_by_one(&mut b, *s, stm.pat),
            Exp::Hist(h) if finds_sizes(h.ops.iter().map(|op| &op.op)) => bins_one_by_one(&mut b, *h, stm.pat),
            _ => {
                self.exp(&mut stm.exp);
                return into.push(stm);
            }
        }
        self.changed = true;
        for stm in b.stms {
            self.rewrite(stm, into);
        }
    }
}

/// Whether the function of a stream has a loop, or a call of a recursive function, in which nothing is parallel over the chunk.
fn loops(lambda: &Lambda) -> bool {
    /// A chunk's size, and whether something has its width.
    struct Parallel(Var, bool);
    impl Visit for Parallel {
        fn exp(&mut self, exp: &Exp) {
            self.1 |= exp.width() == Some(self.0.into());
            walk_exp(self, exp);
        }
    }
    /// A chunk's size, and whether there is such a loop.
    struct Loops(Var, bool);
    impl Visit for Loops {
        fn exp(&mut self, exp: &Exp) {
            match exp {
                Exp::Loop { body, .. } => {
                    let mut parallel = Parallel(self.0, false);
                    walk_body(&mut parallel, body);
                    self.1 |= !parallel.1;
                }
                Exp::Apply { .. } => self.1 = true,
                Exp::If { .. } | Exp::Match { .. } | Exp::WithAcc(_) => walk_exp(self, exp),
                Exp::Stream(s) => walk_body(self, &s.lambda.body),
                _ => {}
            }
        }
    }
    let mut loops = Loops(lambda.params[0].var, false);
    walk_body(&mut loops, &lambda.body);
    loops.1
}

/// Binds what a parallel stream gives that is cut into so many chunks, if it has the elements: see Note [Chunks].
fn chunks(b: &mut Builder, most: i64, width: Dim, arrays: &[Var], op: Operator, lambda: &Lambda, pat: Vec<Binder>) {
    let attrs = std::mem::take(&mut b.attrs);
    let mut int = |name: &str, op: BinOp, x: SubExp, y: SubExp| -> SubExp {
        b.let_one(name, Exp::Prim(Prim::Bin(op, ScalarType::I64), vec![x, y])).into()
    };
    let (zero, one) = (SubExp::i64(0), SubExp::i64(1));
    let others = int("others", BinOp::Sub, width.into(), one);
    let others = int("others", BinOp::Max, others, zero);
    let size = int("size", BinOp::Quot, others, SubExp::i64(most));
    let size = int("size", BinOp::Add, size, one);
    let full = int("full", BinOp::Quot, others, size);
    let before = int("before", BinOp::Mul, full, size);
    let rest = int("rest", BinOp::Sub, width.into(), before);

    let consumed = consumable_by(&lambda.body, &[]);
    let folds = op.neutral.len();
    let given = Given { arrays, lambda, folds, consumed: &consumed, attrs: &attrs };
    let (mut values, elements) = given.by(b, Part { start: zero, count: full, size, elements: before });
    let (last, others) = given.by(b, Part { start: before, count: one, size: rest, elements: rest });
    let (of_values, of_arrays) = pat.split_at(folds);
    if folds > 0 {
        let count = b.let_one("count", Exp::Prim(ScalarType::I64.plus(), vec![full, one])).into();
        for (values, last) in values.iter_mut().zip(last) {
            *values = b.let_one("values", Exp::Concat { arrays: vec![*values, last], size: count });
        }
        let map = b.identity("x", &op.lambda.ret);
        b.bind(of_values.to_vec(), reduce_exp(count, values, map, vec![op]));
    }
    for ((p, head), tail) in of_arrays.iter().zip(elements).zip(others) {
        b.bind(vec![p.clone()], Exp::Concat { arrays: vec![head, tail], size: width });
    }
}

/// Chunks of one size side by side.
struct Part {
    start: SubExp,
    count: SubExp,
    size: SubExp,
    /// How many elements they have together.
    elements: SubExp,
}

/// What is mapped over chunks.
struct Given<'a> {
    arrays: &'a [Var],
    lambda: &'a Lambda,
    /// How many values the function gives before its arrays.
    folds: usize,
    /// What the function may consume.
    consumed: &'a Consumable,
    attrs: &'a [Attr],
}

impl Given<'_> {
    /// What these chunks give: arrays of a value for each of them, and arrays of all elements.
    fn by(&self, b: &mut Builder, part: Part) -> (Vec<Var>, Vec<Var>) {
        let dims = |es: &[SubExp]| -> Vec<Dim> { es.iter().filter_map(|e| Dim::from_subexp(*e)).collect() };
        let (all, by_chunk) = (dims(&[part.elements]), dims(&[part.count, part.size]));
        let (size, params) = self.lambda.params.split_at(1);
        let mut arrays = Vec::new();
        for (array, chunk) in self.arrays.iter().zip(params) {
            let slice = vec![SliceDim::Range { start: part.start, count: all[0], stride: SubExp::i64(1) }];
            let mut cut = b.let_one("part", Exp::Slice { array: *array, slice });
            if self.consumed.may_be_consumed(chunk.var) {
                // a part of an array is nobody's own while the other part is still read
                cut = b.let_one("own", Exp::Copy(cut));
            }
            let shape = [&by_chunk, &b.vars.ty(cut).shape()[1..]].concat();
            arrays.push(b.let_one("chunks", Exp::Reshape { shape, array: cut }));
        }
        let mut map = Lambda { params: params.to_vec(), ..self.lambda.clone() };
        substitute(&mut map, &size.iter().map(|c| (c.var, part.size)).collect());
        let map = renamed(&map, b.vars);
        b.attrs = self.attrs.to_vec();
        let mut values = b.let_many("of_chunks", map_exp(by_chunk[0], arrays, map));
        b.attrs.clear();
        let mapped = values.split_off(self.folds);
        let whole = |array: Var| {
            let shape = [&all, &b.vars.ty(array).shape()[2..]].concat();
            b.let_one("whole", Exp::Reshape { shape, array })
        };
        (values, mapped.into_iter().map(whole).collect())
    }
}
