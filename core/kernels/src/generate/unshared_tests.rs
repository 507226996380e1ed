//! What is said of random nests is compared with where their points update accumulators, point by point.

use super::numbers::Numbers;
use super::unshared::unshared;
use futi_core::ir::build::Vars;
use futi_core::ir::{BinOp, Exp as Ir, Program};
use quickcheck::{Arbitrary, Gen};

/// A nest of random updates in a loop in each point, and what its numbers are.
struct Nest {
    width: i64,
    rounds: i64,
    code: String,
    /// What each number is computed from.
    computed: Vec<(BinOp, [Operand; 2])>,
    updates: Vec<Update>,
}

/// Where a nest updates its accumulator, and which numbers are equal, or are not, where it does.
struct Update {
    at: [Operand; 2],
    condition: Option<([Operand; 2], bool)>,
}

#[derive(Clone, Copy, Debug)]
enum Operand {
    Lit(i64),
    /// One of `i`, `j`, the round, `n`, `k`, `s`, `2s`, and those that are computed from them.
    Number(usize),
}

const NAMES: [&str; 7] = ["i_9", "j_10", "round_18", "n_1", "k_2", "s_3", "twice_6"];

impl std::fmt::Display for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Operand::Lit(x) => write!(f, "{x}i64"),
            Operand::Number(n) => NAMES.get(*n).map_or(write!(f, "t_{}", 100 + n), |name| write!(f, "{name}")),
        }
    }
}

impl Arbitrary for Operand {
    fn arbitrary(g: &mut Gen) -> Operand {
        match u8::arbitrary(g) % 4 {
            0 => Operand::Lit(i64::from(i8::arbitrary(g) % 5)),
            _ => Operand::Number(usize::arbitrary(g) % NAMES.len()),
        }
    }
}

impl Nest {
    fn random(g: &mut Gen) -> Nest {
        let [width, rounds] = [(); 2].map(|()| 1 + i64::arbitrary(g).rem_euclid(3));
        let mut nest = Nest { width, rounds, code: String::new(), computed: vec![], updates: vec![] };
        for _ in 0..u8::arbitrary(g) % 5 {
            let op = *g.choose(&[BinOp::Add, BinOp::Sub, BinOp::Mul]).unwrap();
            let operands = [nest.operand(g), nest.operand(g)];
            nest.number(op, operands);
        }
        for k in 0..1 + u8::arbitrary(g) % 3 {
            let at = [0, 1].map(|dim| nest.place(g, dim));
            let acc = |n: u8| format!("acc_{n}: acc(id_7, [64][64] (f64))");
            let [old, new, inner, test] = [20 + k, 21 + k, 40 + k, 60 + k];
            let update = |to| format!("let ({}) = updacc acc_{old}[{}, {}] (1.0f64)\n", acc(to), at[0], at[1]);
            let condition = (u8::arbitrary(g) % 4 == 0).then(|| [nest.operand(g), nest.operand(g)]);
            let holds = u8::arbitrary(g) % 4 != 0;
            nest.code += &match condition {
                None => update(new),
                Some([x, y]) => {
                    let mut branches = [format!("{}in (acc_{inner})", update(inner)), format!("in (acc_{old})")];
                    branches.rotate_left(usize::from(!holds));
                    let [yes, no] = branches;
                    let cond = format!("let (c_{test}: bool) = eq.i64({x}, {y})");
                    format!("{cond}\nlet ({}) = if c_{test} then {{ {yes} }} else {{ {no} }}\n", acc(new))
                }
            };
            nest.updates.push(Update { at, condition: condition.map(|operands| (operands, holds)) });
        }
        nest
    }

    /// A number that is computed from others.
    fn number(&mut self, op: BinOp, operands: [Operand; 2]) -> Operand {
        let [a, b] = operands;
        let number = Operand::Number(NAMES.len() + self.computed.len());
        self.code += &format!("let ({number}: i64) = {}.i64({a}, {b})\n", op.name());
        self.computed.push((op, operands));
        number
    }

    /// One of the numbers so far; the last ones are often wanted.
    fn operand(&self, g: &mut Gen) -> Operand {
        match (self.computed.len(), u8::arbitrary(g) % 2) {
            (0, _) | (_, 0) => Operand::arbitrary(g),
            (n, _) => Operand::Number(NAMES.len() + usize::arbitrary(g) % n),
        }
    }

    /// Any number, one that follows from the indices as places do, or one a little behind that of another update.
    fn place(&mut self, g: &mut Gen, dim: usize) -> Operand {
        let [n, k, s, twice] = [3, 4, 5, 6].map(Operand::Number);
        let behind = [Operand::Lit(1), Operand::Lit(2), Operand::Lit(3), n, k, s, twice];
        let other = g.choose(&self.updates).map(|update| update.at[dim]);
        let mut sum = match (u8::arbitrary(g) % 4, other) {
            (0, _) => return self.operand(g),
            (1, Some(other)) => other,
            _ => {
                let factors = [0, 0, 0, 1, 1, 2, 3, 4, 6, -2, i64::MIN].map(Operand::Lit);
                let factors = [&factors[..], &[s, twice, twice, Operand::Number(2)]].concat();
                let mut sum = Operand::Lit(0);
                for index in [0, 1, 2].map(Operand::Number) {
                    let part = self.number(BinOp::Mul, [index, *g.choose(&factors).unwrap()]);
                    sum = self.number(BinOp::Add, [sum, part]);
                }
                sum
            }
        };
        if u8::arbitrary(g) % 2 == 0 {
            sum = self.number(BinOp::Add, [sum, *g.choose(&behind).unwrap()]);
        }
        sum
    }

    fn program(&self) -> Program {
        let last = 20 + self.updates.len();
        let text = format!(
            r#"futi-ir 1
            entry "main"(*d_0: [64][64]f64, n_1: i64, k_2: i64, s_3: i64, *e_4: [64]f64, v_5: [n_1]f64) -> (*r_8: [64][64]f64)
              sig 1 ("d": ["64"]["64"]f64, "k": i64, "s": i64, "e": ["64"]f64, "v": ["n"]f64) -> ["64"]["64"]f64 {{
              let (twice_6: i64) = add.i64(s_3, s_3)
              let (u_11: [64]f64) = updslice e_4[k_2 : n_1 : twice_6] = v_5
              let (r_12: [64][64]f64) = withacc input [64][64] (d_0) comm \(x_13: f64, y_14: f64) -> (f64) {{
                let (t_15: f64) = add.f64(x_13, y_14)
                in (t_15)
              }} neutral (0.0f64) do \(id_7: cert, acc_16: acc(id_7, [64][64] (f64))) -> (acc(id_7, [64][64] (f64))) {{
                let (acc_17: acc(id_7, [64][64] (f64))) = segop grid (i_9: i64 < n_1, j_10: i64 < {}) -> (acc(id_7, [64][64] (f64))) {{
                  let (acc_19: acc(id_7, [64][64] (f64))) = loop (acc_20: acc(id_7, [64][64] (f64)) = acc_16) for round_18: i64 < {}i64 do {{
                    {}
                    in (acc_{last})
                  }}
                  in (acc_19)
                }}
                in (acc_17)
              }}
              in (r_12)
            }}"#,
            self.width, self.rounds, self.code
        );
        text.parse().unwrap_or_else(|e| panic!("{e}: {text}"))
    }

    /// Whether what looks at the nest's text says that no place is shared.
    fn is_said_unshared(&self) -> bool {
        let program = self.program();
        let vars = Vars::of(&program);
        let mut numbers = Numbers::default();
        program.funs[0].body.stms.iter().for_each(|stm| numbers.stm(stm));
        let Some(Ir::WithAcc(with)) = program.funs[0].body.stms.iter().map(|stm| &stm.exp).nth(2) else {
            panic!("a withacc")
        };
        let Ir::SegOp(seg) = &with.lambda.body.stms[0].exp else { panic!("a nest") };
        !unshared(seg, &vars, &numbers).is_empty()
    }

    /// Whether there is a place that two points update, if the nest is `n` points long.
    fn shares(&self, n: i64, k: i64, s: i64) -> bool {
        let mut owners = std::collections::HashMap::new();
        let points = (0..n).flat_map(|i| (0..self.width).map(move |j| (i, j)));
        points.flat_map(|point| (0..self.rounds).map(move |round| (point, round))).any(|((i, j), round)| {
            let mut numbers = vec![i, j, round, n, k, s, s.wrapping_add(s)];
            let value = |numbers: &[i64], e: &Operand| match e {
                Operand::Lit(x) => *x,
                Operand::Number(n) => numbers[*n],
            };
            for (op, operands) in &self.computed {
                let [a, b] = operands.map(|e| value(&numbers, &e));
                numbers.push(match op {
                    BinOp::Add => a.wrapping_add(b),
                    BinOp::Sub => a.wrapping_sub(b),
                    _ => a.wrapping_mul(b),
                });
            }
            let value = |e: &Operand| value(&numbers, e);
            self.updates.iter().any(|Update { at, condition }| {
                condition.as_ref().is_none_or(|([x, y], holds)| (value(x) == value(y)) == *holds)
                    && *owners.entry([value(&at[0]), value(&at[1])]).or_insert((i, j)) != (i, j)
            })
        })
    }
}

/// Of so many random nests, how many are said to be unshared, and of how many no place was found to be shared.
fn counted(nests: usize) -> (usize, usize) {
    let mut g = Gen::new(64);
    let (mut said, mut found) = (0, 0);
    for _ in 0..nests {
        let nest = Nest::random(&mut g);
        // of one number at most a slice may have any stride, of more only one that is in range
        let long = [1, 2, 3, -1, 5, 16, 1 << 40].into_iter().flat_map(|s| (2..5).map(move |n| (n, s)));
        let short = [0, 1, 1 << 62, i64::MIN].into_iter().flat_map(|s| (0..2).map(move |n| (n, s)));
        let shares = long.chain(short).any(|(n, s)| [0, 1, 2, 3, 48, -7].iter().any(|k| nest.shares(n, *k, s)));
        let is_said = nest.is_said_unshared();
        assert!(!(is_said && shares), "{} wide, {} rounds:\n{}", nest.width, nest.rounds, nest.code);
        said += usize::from(is_said);
        found += usize::from(!shares);
    }
    (said, found)
}

#[test]
fn what_is_said_to_be_unshared_is_unshared() {
    let halves = std::thread::scope(|scope| {
        [(); 2]
            .map(|()| scope.spawn(|| counted(4000)))
            .map(|half| half.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
    });
    let (said, found) = halves.into_iter().fold((0, 0), |(a, b), (said, found)| (a + said, b + found));
    // the places of many a random nest are shared; of those that are not, some are by chance
    assert!(said > 100 && said * 4 > found, "{said} of {found}");
}
