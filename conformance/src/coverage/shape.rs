//! What programs have that it takes more than the kind of a node to see: nests, and how they are made.

use futi_core::hash::HashSet;
use futi_core::ir::visit::{Visit, free_vars, walk_exp};
use futi_core::ir::*;
use std::collections::BTreeSet;
use std::fmt;

/// Something that a program has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// A SOAC whose width differs from point to point of a nest around it.
    IrregularNest,
    /// Three SOACs, each inside the next.
    ThreeDeep,
    /// A nest of which flattening makes three versions or more.
    ThreeVersions,
    /// An accumulator.
    Accumulator,
    /// A scatter.
    Scatter,
    /// A histogram of tuples.
    TupleHistogram,
    /// Values of a type.
    Scalar(ScalarType),
}

impl Shape {
    /// All of them.
    pub fn all() -> Vec<Shape> {
        use Shape::*;
        let plain = [IrregularNest, ThreeDeep, ThreeVersions, Accumulator, Scatter, TupleHistogram];
        plain.into_iter().chain(ScalarType::ALL.into_iter().map(Scalar)).collect()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::IrregularNest => f.write_str("irregular nest"),
            Shape::ThreeDeep => f.write_str("nest three deep"),
            Shape::ThreeVersions => f.write_str("three versions of a nest"),
            Shape::Accumulator => f.write_str("accumulator"),
            Shape::Scatter => f.write_str("scatter"),
            Shape::TupleHistogram => f.write_str("histogram of tuples"),
            Shape::Scalar(ty) => write!(f, "{ty}"),
        }
    }
}

/// Which of them a program has, but for versions: those its flat form has.
pub fn shapes(program: &Program, flat: Option<&Program>) -> BTreeSet<Shape> {
    let mut find = Find { found: BTreeSet::new(), depth: 0, differ: HashSet::default() };
    program.funs.iter().for_each(|fun| {
        fun.params.iter().for_each(|p| find.bind(&p.binder));
        find.body(&fun.body);
    });
    if flat.is_some_and(|flat| flat.funs.iter().any(|fun| most_versions(&fun.body) >= 3)) {
        find.found.insert(Shape::ThreeVersions);
    }
    find.found
}

/// Of how many versions of one nest flattened code has a choice, at most: the sides of branches on one another's sides, either of which will do.
fn most_versions(body: &Body) -> usize {
    struct Most(usize);
    impl Visit for Most {
        fn stm(&mut self, stm: &Stm) {
            self.0 = self.0.max(versions(stm));
            walk_exp(self, &stm.exp);
        }
    }
    let mut most = Most(1);
    most.body(body);
    most.0
}

/// The versions among which a statement chooses.
fn versions(stm: &Stm) -> usize {
    let of_side = |side: &Body| side.stms.iter().map(versions).max().unwrap_or(1);
    match &stm.exp {
        Exp::If { yes, no, .. } if stm.attr(Attr::EQUIVALENT).is_some() => of_side(yes) + of_side(no),
        _ => 1,
    }
}

struct Find {
    found: BTreeSet<Shape>,
    /// How many SOACs are around.
    depth: usize,
    /// What differs from point to point of those.
    differ: HashSet<Var>,
}

impl Visit for Find {
    fn bind(&mut self, b: &Binder) {
        self.found.extend(b.ty.elem().map(Shape::Scalar));
    }

    fn body(&mut self, body: &Body) {
        for stm in &body.stms {
            stm.pat.iter().for_each(|p| self.bind(p));
            if self.depth > 0 && free_vars(stm).iter().any(|v| self.differ.contains(v)) {
                self.differ.extend(stm.pat.iter().map(|p| p.var));
            }
            self.exp(&stm.exp);
        }
    }

    fn exp(&mut self, exp: &Exp) {
        let Some(width) = exp.width() else {
            if matches!(exp, Exp::WithAcc(_)) {
                self.found.insert(Shape::Accumulator);
            }
            return walk_exp(self, exp);
        };
        match exp {
            Exp::Scatter(_) => _ = self.found.insert(Shape::Scatter),
            Exp::Hist(h) if h.ops.iter().any(|op| op.dests.len() > 1) => _ = self.found.insert(Shape::TupleHistogram),
            _ => {}
        }
        if matches!(width, Dim::Var(v) if self.differ.contains(&v)) {
            self.found.insert(Shape::IrregularNest);
        }
        self.depth += 1;
        if self.depth >= 3 {
            self.found.insert(Shape::ThreeDeep);
        }
        walk_exp(self, exp);
        self.depth -= 1;
    }

    fn lambda(&mut self, lambda: &Lambda) {
        if self.depth > 0 {
            self.differ.extend(lambda.params.iter().map(|p| p.var));
        }
        lambda.params.iter().for_each(|p| self.bind(p));
        self.body(&lambda.body);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futi_core::driver::pipeline::{Stage, stage};

    fn of(body: &str) -> Vec<Shape> {
        let text = format!(
            "futi-ir 1
            entry \"main\"(n_0: i64, xs_1: [n_0]i64) -> (r_2: [n_0]i64) sig 1 (\"xs\": [\"n\"]i64) -> [\"n\"]i64 {{ {body} }}"
        );
        let program: Program = text.parse().unwrap_or_else(|e| panic!("{e}: {text}"));
        let flat = stage(program.clone(), Stage::Flat).unwrap_or_else(|e| panic!("{e:?}: {text}"));
        shapes(&program, Some(&flat)).into_iter().filter(|s| !matches!(s, Shape::Scalar(_))).collect()
    }

    /// A map of sums of so many numbers.
    fn sums(width: &str) -> String {
        let sum = format!(
            "let (m_4: i64) = mul.i64({width}, 2i64)
            let (is_5: [m_4]i64) = iota i64 (m_4, 0i64, 1i64)
            let (s_6: i64) = screma m_4 (is_5) map \\(i_7: i64) -> (i64) {{ in (i_7) }}
              reduce comm \\(a_8: i64, b_9: i64) -> (i64) {{ let (c_10: i64) = add.i64(a_8, b_9) in (c_10) }} neutral (0i64)
            in (s_6)"
        );
        format!("let (r_11: [n_0]i64) = screma n_0 (xs_1) map \\(x_3: i64) -> (i64) {{ {sum} }} in (r_11)")
    }

    #[test]
    fn widths_that_follow_from_a_row_differ_from_point_to_point() {
        assert_eq!(of(&sums("n_0")), []);
        assert_eq!(of(&sums("x_3")), [Shape::IrregularNest]);
    }

    #[test]
    fn nests_are_as_deep_as_they_have_soacs_inside_of_each_other() {
        let map = |k: usize, inside: &str| {
            let (x, y) = (20 + 2 * k, 21 + 2 * k);
            format!("let (y_{y}: [n_0]i64) = screma n_0 (xs_1) map \\(x_{x}: i64) -> (i64) {{ {inside} in (x_{x}) }}")
        };
        let two = map(1, &map(2, ""));
        assert_eq!(of(&format!("{two} in (y_23)")), []);
        assert_eq!(of(&format!("{} in (y_21)", map(0, &two))), [Shape::ThreeDeep]);
    }

    #[test]
    fn versions_of_a_nest_are_counted_where_it_has_three() {
        let add = |k: usize| {
            let [a, b, c] = [k, k + 1, k + 2];
            format!(
                "\\(a_{a}: i64, b_{b}: i64) -> (i64) {{ let (c_{c}: i64) = add.i64(a_{a}, b_{b}) in (c_{c}) }} neutral (0i64)"
            )
        };
        let (one, other) = (add(20), add(30));
        // a row whose running sums are taken so many times over
        let rounds = |bound: &str| {
            format!(
                "let (r_11: [n_0]i64) = screma n_0 (xs_1) map \\(x_3: i64) -> (i64) {{
                   let (is_4: [n_0]i64) = iota i64 (n_0, x_3, 1i64)
                   let (o_5: [n_0]i64) = loop (p_6: [n_0]i64 = is_4) for i_7: i64 < {bound} do {{
                     let (q_12: [n_0]i64) = screma n_0 (p_6) map \\(y_13: i64) -> (i64) {{ in (y_13) }} scan {one}
                     in (q_12)
                   }}
                   let (s_14: i64) = screma n_0 (o_5) map \\(z_15: i64) -> (i64) {{ in (z_15) }} reduce comm {other}
                   in (s_14)
                 }} in (r_11)"
            )
        };
        assert_eq!(of(&rounds("5i64")), [Shape::ThreeVersions]);
        // a group has no code for rounds that differ from point to point
        assert_eq!(of(&rounds("x_3")), []);
    }
}
