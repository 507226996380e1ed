//! Checks for programs that come as IR from outside. What lowering and passes make relies on checks, or on what is known where it is made; of a text nobody
//! knows. So each access, size and view that lists no certificate of the check that it needs gets that check: a text may fail, as a source program may,
//! but it reads and writes no place outside of an array, on any backend.

use crate::hash::HashMap;
use crate::ir::build::{Builder, Vars};
use crate::ir::visit::{Visit, VisitMut, walk_body_mut, walk_fun, walk_fun_mut, walk_stm};
use crate::ir::*;

/// The program with all checks that it needs.
pub fn guarded(mut program: Program) -> Program {
    #[derive(Default)]
    struct Checks(HashMap<Var, Check>);
    impl Visit for Checks {
        fn stm(&mut self, stm: &Stm) {
            if let (Exp::Check(check), [cert]) = (&stm.exp, &stm.pat[..]) {
                self.0.insert(cert.var, check.clone());
            }
            walk_stm(self, stm);
        }
    }
    let mut checks = Checks::default();
    program.funs.iter().for_each(|fun| walk_fun(&mut checks, fun));
    let mut guard = Guard { vars: Vars::of(&program), checks: checks.0 };
    program.funs.iter_mut().for_each(|fun| walk_fun_mut(&mut guard, fun));
    program
}

struct Guard {
    vars: Vars,
    checks: HashMap<Var, Check>,
}

impl VisitMut for Guard {
    fn body(&mut self, body: &mut Body) {
        walk_body_mut(self, body);
        for mut stm in body.take_stms() {
            let mut b = Builder::new(&mut self.vars, stm.prov);
            if let Exp::FlatMap(f) = &mut stm.exp {
                rows_have_sizes(&mut b, f);
            }
            for needed in needed(&mut b, &stm) {
                if !stm.certs.iter().filter_map(|c| self.checks.get(c)).any(|check| implies(check, &needed)) {
                    stm.certs.push(b.let_one("guard", Exp::Check(needed)));
                }
            }
            body.stms.append(&mut b.stms);
            body.stms.push(stm);
        }
    }
}

/// Whether what passes the first check passes the second.
fn implies(check: &Check, needed: &Check) -> bool {
    match (check, needed) {
        (Check::Bounds { indices, sizes }, Check::Bounds { indices: i, sizes: n }) => {
            let known: Vec<_> = indices.iter().zip(sizes).collect();
            i.iter().zip(n).all(|pair| known.contains(&pair))
        }
        // whatever its step, one that is to lead up to a number begins at no larger one
        (Check::Range { start, end, kind: RangeKind::UpTo, .. }, Check::NonNegativeSize(n)) => {
            *start == SubExp::i64(0) && end == n
        }
        (check, needed) => check == needed,
    }
}

/// The checks that a statement needs.
fn needed(b: &mut Builder, stm: &Stm) -> Vec<Check> {
    let bounds = |indices: Vec<SubExp>, sizes: &[Dim]| {
        let inside = |(i, n): &(SubExp, Dim)| matches!((i.as_lit().and_then(Scalar::as_i64), n), (Some(i), Dim::Const(n)) if (0..*n).contains(&i));
        let open = indices.into_iter().zip(sizes.iter().copied()).filter(|pair| !inside(pair));
        let (indices, sizes): (Vec<_>, Vec<_>) = open.unzip();
        if indices.is_empty() { Vec::new() } else { vec![Check::Bounds { indices, sizes }] }
    };
    match &stm.exp {
        Exp::Index { array, indices } | Exp::Update { array, indices, .. } => {
            bounds(indices.clone(), &b.vars.ty(*array).shape()[..indices.len()])
        }
        Exp::Slice { array, slice } | Exp::UpdateSlice { array, slice, .. } => {
            let sizes = b.vars.ty(*array).shape()[..slice.len()].to_vec();
            let mut checks = Vec::new();
            for (d, n) in slice.iter().zip(sizes) {
                match *d {
                    SliceDim::Fix(i) => checks.extend(bounds(vec![i], &[n])),
                    SliceDim::Range { start, count, stride }
                        if (start, stride) == (SubExp::i64(0), SubExp::i64(1)) && count == n => {}
                    SliceDim::Range { start, count, stride } => checks.extend(within(b, n, start, &[(count, stride)])),
                }
            }
            checks
        }
        Exp::FlatIndex { array, offset, dims } | Exp::FlatUpdate { array, offset, dims, .. } => {
            within(b, b.vars.ty(*array).shape()[0], *offset, dims)
        }
        Exp::Reshape { shape, array } => {
            let old = b.vars.ty(*array).shape().to_vec();
            if old == *shape {
                return Vec::new();
            }
            let sizes = [&old[..], shape].map(|dims| Dim::from_subexp(product(b, dims)));
            let equal = |sizes: [Dim; 2]| Check::SizeEq { actual: vec![sizes[0]], expected: vec![sizes[1]] };
            let [Some(old), Some(new)] = sizes else { return Vec::new() };
            [Check::Shape(shape.clone())].into_iter().chain((old != new).then(|| equal([old, new]))).collect()
        }
        Exp::Coerce { shape, array } => {
            let actual = b.vars.ty(*array).shape().to_vec();
            if actual == *shape { Vec::new() } else { vec![Check::SizeEq { actual, expected: shape.clone() }] }
        }
        Exp::Iota { n, .. } => size(*n),
        Exp::Replicate { shape, .. } | Exp::Scratch { shape, .. } => {
            shape.iter().flat_map(|d| size((*d).into())).collect()
        }
        Exp::Concat { arrays, size } => {
            let sizes: Vec<SubExp> = arrays.iter().map(|a| b.vars.ty(*a).shape()[0].into()).collect();
            let sum = sizes.into_iter().reduce(|x, y| b.prim_op(ScalarType::I64.plus(), &[x, y]));
            let Some(sum) = sum.and_then(Dim::from_subexp) else { return Vec::new() };
            vec![Check::NonNegativeSize(sum.into()), Check::SizeEq { actual: vec![sum], expected: vec![*size] }]
        }
        _ => Vec::new(),
    }
}

/// Has the size that λ gives for a row be none below zero, by a builder that has made nothing yet. Arrays of that size say so themselves.
fn rows_have_sizes(b: &mut Builder, f: &mut FlatMap) {
    let body = &mut f.lambda.body;
    if let (0, Some(n)) = (f.irregular, body.result.first().copied()) {
        for check in size(n) {
            let cert = b.let_one("guard", Exp::Check(check));
            let n = b.let_one("n", Exp::SubExp(n));
            b.stms.last_mut().into_iter().for_each(|stm| stm.certs = vec![cert]);
            body.result[0] = n.into();
        }
        body.stms.append(&mut b.stms);
    }
}

/// That a size is not negative.
fn size(n: SubExp) -> Vec<Check> {
    match n {
        SubExp::Lit(Scalar::I64(0..)) => Vec::new(),
        n => vec![Check::NonNegativeSize(n)],
    }
}

fn product(b: &mut Builder, dims: &[Dim]) -> SubExp {
    let sizes = dims.iter().map(|d| SubExp::from(*d));
    sizes.reduce(|x, y| b.prim_op(ScalarType::I64.times(), &[x, y])).unwrap_or(SubExp::i64(1))
}

/// That all positions of a view by offset and strides are in an array of this size.
fn within(b: &mut Builder, n: Dim, offset: SubExp, dims: &[(Dim, SubExp)]) -> Vec<Check> {
    let dims: Vec<(SubExp, SubExp)> = dims.iter().map(|(count, stride)| ((*count).into(), *stride)).collect();
    let fine = b.view_fits(n, offset, &dims);
    let mut checks: Vec<Check> = dims.iter().flat_map(|(count, _)| size(*count)).collect();
    checks.push(Check::view(fine));
    checks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::check;

    /// The checks that the code of a function of n, xs: [n]i64, ys: [3]i64, m: [n][4]i64 and k gets; what has them lists them.
    fn new(body: &str) -> Vec<String> {
        let head = "fun \"f\"(n_0: i64, xs_1: [n_0]i64, ys_2: [3]i64, m_3: [n_0][4]i64, k_4: i64) -> ()";
        let program: Program = format!("futi-ir 1\n{head} {{ {body} in () }}").parse().unwrap();
        assert_eq!(check::errors(&program), [], "{body}");
        let guarded = guarded(program);
        assert_eq!(check::errors(&guarded), [], "{guarded}");
        let text = guarded.to_string();
        let checks = text.lines().filter_map(|line| line.trim().strip_prefix("let (guard_")?.split_once(" = check "));
        let checks: Vec<(&str, &str)> = checks.map(|(name, check)| (name.split(':').next().unwrap(), check)).collect();
        for (name, _) in &checks {
            assert_eq!(text.matches(&format!("guard_{name}")).count(), 2, "{text}");
        }
        checks.into_iter().map(|(_, check)| check.to_string()).collect()
    }

    #[test]
    fn an_index_is_in_bounds_or_checked() {
        assert_eq!(new("let (y_9: i64) = index xs_1[k_4]"), ["bounds (k_4) [n_0]"]);
        assert_eq!(
            new("let (c_8: cert) = check bounds (k_4) [n_0] let (y_9: i64) = index xs_1[k_4] certs (c_8)"),
            [""; 0]
        );
        // of another index, or another size
        let other = "let (c_8: cert) = check bounds (k_4) [4] let (y_9: i64) = index xs_1[k_4] certs (c_8)";
        assert_eq!(new(other), ["bounds (k_4) [n_0]"]);
        let other = "let (c_8: cert) = check bounds (n_0) [n_0] let (y_9: i64) = index xs_1[k_4] certs (c_8)";
        assert_eq!(new(other), ["bounds (k_4) [n_0]"]);
        // one that is there but not relied on
        assert_eq!(
            new("let (c_8: cert) = check bounds (k_4) [n_0] let (y_9: i64) = index xs_1[k_4]"),
            ["bounds (k_4) [n_0]"]
        );
        assert_eq!(new("let (y_9: i64) = index ys_2[2i64]"), [""; 0]);
        assert_eq!(new("let (y_9: i64) = index ys_2[3i64]"), ["bounds (3i64) [3]"]);
        assert_eq!(new("let (y_9: i64) = index ys_2[-1i64]"), ["bounds (-1i64) [3]"]);
        assert_eq!(new("let (y_9: i64) = index m_3[k_4, 3i64]"), ["bounds (k_4) [n_0]"]);
        assert_eq!(new("let (y_9: [4]i64) = index m_3[k_4]"), ["bounds (k_4) [n_0]"]);
        let both =
            "let (c_8: cert) = check bounds (k_4, k_4) [n_0][4] let (y_9: i64) = index m_3[k_4, k_4] certs (c_8)";
        assert_eq!(new(both), [""; 0]);
    }

    #[test]
    fn updates_slices_and_views_stay_in_their_arrays() {
        let copy = "let (a_8: [n_0]i64) = copy xs_1";
        assert_eq!(new(&format!("{copy} let (y_9: [n_0]i64) = update a_8[k_4] = 1i64")), ["bounds (k_4) [n_0]"]);
        assert_eq!(new("let (y_9: [n_0]i64) = slice m_3[0i64 : n_0 : 1i64, 2i64]"), [""; 0]);
        assert_eq!(new("let (y_9: [n_0]i64) = slice m_3[0i64 : n_0 : 1i64, k_4]"), ["bounds (k_4) [4]"]);
        let beyond = "assert empty \"Index out of bounds: a view goes beyond its array.\"";
        let view = |body: &str| {
            new(body).iter().map(|c| if c.starts_with("assert") { beyond } else { c }.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(view("let (y_9: [k_4]i64) = slice xs_1[0i64 : k_4 : 1i64]"), ["nonnegative k_4", beyond]);
        assert_eq!(view("let (y_9: [2]i64) = slice ys_2[k_4 : 2 : 1i64]"), [beyond]);
        assert_eq!(view("let (y_9: [3]i64) = slice ys_2[0i64 : 3 : 2i64]"), [beyond]);
        assert_eq!(
            view(&format!(
                "{copy} let (v_7: [2]i64) = replicate [2] 1i64 let (y_9: [n_0]i64) = updslice a_8[k_4 : 2 : 1i64] = v_7"
            )),
            [beyond]
        );
        assert_eq!(
            view("let (y_9: [k_4][2]i64) = flatindex xs_1 at 0i64 [k_4 : 2i64, 2 : 1i64]"),
            ["nonnegative k_4", beyond]
        );
        assert_eq!(
            view(&format!(
                "{copy} let (v_7: [2]i64) = replicate [2] 1i64 let (y_9: [n_0]i64) = flatupd a_8 at k_4 [2 : 1i64] = v_7"
            )),
            [beyond]
        );
    }

    #[test]
    fn shapes_have_as_many_elements_as_they_are_made_of() {
        let product = |checks: Vec<String>| -> Vec<String> {
            let plain = |c: &str| c.chars().filter(|c| !c.is_ascii_digit()).collect();
            checks.iter().map(|c| plain(c)).collect()
        };
        assert_eq!(
            product(new("let (y_9: [k_4][2]i64) = reshape [k_4][2] xs_1")),
            ["shape [k_][]", "size [n_] = [t_]"]
        );
        assert_eq!(new("let (y_9: [n_0][4]i64) = reshape [n_0][4] m_3"), [""; 0]);
        assert_eq!(new("let (y_9: [3]i64) = coerce [3] xs_1"), ["size [n_0] = [3]"]);
        assert_eq!(new("let (y_9: [n_0]i64) = coerce [n_0] xs_1"), [""; 0]);
        assert_eq!(
            product(new("let (y_9: [k_4]i64) = concat k_4 (xs_1, ys_2)")),
            ["nonnegative t_", "size [t_] = [k_]"]
        );
    }

    #[test]
    fn new_arrays_have_sizes() {
        assert_eq!(new("let (y_9: [k_4]i64) = iota i64 (k_4, 0i64, 1i64)"), ["nonnegative k_4"]);
        assert_eq!(new("let (y_9: [2]i64) = iota i64 (2i64, 0i64, 1i64)"), [""; 0]);
        assert_eq!(new("let (y_9: [0]i64) = iota i64 (0i64, 0i64, 1i64)"), [""; 0]);
        let range = |check: &str| {
            format!("let (c_8: cert) = check {check} let (y_9: [k_4]i64) = iota i64 (k_4, 0i64, 1i64) certs (c_8)")
        };
        assert_eq!(new(&range("range upto (0i64, k_4)")), [""; 0]);
        assert_eq!(new(&range("nonnegative k_4")), [""; 0]);
        for other in ["range upto (1i64, k_4)", "range downto (0i64, k_4)", "range upto (0i64, n_0)", "nonnegative n_0"]
        {
            assert_eq!(new(&range(other)), ["nonnegative k_4"], "{other}");
        }
        assert_eq!(new("let (y_9: [k_4][3]i64) = replicate [k_4] ys_2"), ["nonnegative k_4"]);
        assert_eq!(new("let (y_9: [2][k_4]i64) = scratch [2][k_4] i64"), ["nonnegative k_4"]);
    }

    #[test]
    fn rows_of_a_flatmap_have_sizes() {
        let of = |result: &str| {
            let pat = "(m_20: i64, s_21: [n_0]i64, f_22: [m_20]bool, o_23: [n_0]i64)";
            new(&format!(
                "let {pat} = flatmap n_0 (xs_1) size k_24: i64 irregular 0 map \\(x_25: i64) -> (i64) {{ in ({result}) }}"
            ))
        };
        assert_eq!(of("x_25"), ["nonnegative x_25"]);
        assert_eq!(of("4i64"), [""; 0]);
        // with another result for each row: the first is the size, and what is given relies on the check
        let text = "futi-ir 1\nfun \"f\"(n_0: i64, xs_1: [n_0]i64) -> () {
            let (m_20: i64, s_21: [n_0]i64, f_22: [m_20]bool, o_23: [n_0]i64, r_26: [n_0]i64) =
              flatmap n_0 (xs_1) size k_24: i64 irregular 0 map \\(x_25: i64) -> (i64, i64) {
                let (y_27: i64) = add.i64(x_25, 1i64)
                in (x_25, y_27)
              }
            in () }";
        let guarded = guarded(text.parse().unwrap()).to_string();
        let lambda: Vec<&str> = guarded.lines().skip_while(|line| !line.contains("y_27")).map(str::trim).collect();
        assert!(lambda[1].contains("= check nonnegative x_25"), "{guarded}");
        let (name, rest) = lambda[2].strip_prefix("let (").unwrap().split_once(": i64) = x_25 certs (guard_").unwrap();
        assert!(rest.starts_with(|c: char| c.is_ascii_digit()), "{guarded}");
        assert_eq!(lambda[3], format!("in ({name}, y_27)"), "{guarded}");
    }

    #[test]
    fn inner_code_is_guarded_too() {
        let map = "let (y_9: [n_0]i64) = screma n_0 (xs_1) map \\(i_7: i64) -> (i64) { let (e_8: i64) = index ys_2[i_7] in (e_8) }";
        assert_eq!(new(map), ["bounds (i_7) [3]"]);
    }
}
