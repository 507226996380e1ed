//! The simplifier keeps derivatives, to the bit: what is differentiated has the derivative that the table of partials gives to the operators of the
//! program, whatever the simplifier makes of these. The oracle is the interpreter, which differentiates by definition before and after.

mod common;
use common::parse;

use futi_core::analysis::Analyses;
use futi_core::ir::*;
use futi_core::simplify::simplify;
use futi_core::value::Value;
use futi_interp::{Ctx, eval};

/// Values at which rules and kinks are, of each type.
fn points(t: ScalarType) -> Vec<Scalar> {
    match t {
        ScalarType::Bool => vec![Scalar::Bool(false), Scalar::Bool(true)],
        t if t.is_float() => {
            [0.0, -0.0, 1.0, -1.0, 2.5, f64::INFINITY, f64::NAN].map(|x| Scalar::from_f64(t, x)).into()
        }
        t => [0, 1, -1, 6].map(|x| Scalar::from_i64(t, x)).into(),
    }
}

/// A differentiated function: its one parameter's type, its result's, and its code.
struct Body {
    from: ScalarType,
    to: ScalarType,
    /// Statements that bind `r`, over `x` and the constants of the program; names are closed by [`program`].
    code: String,
}

/// `main x s t`: of each function at x the result, the tangent for t and the adjoint for s.
fn program(from: ScalarType, to: ScalarType, bodies: &[&Body]) -> Program {
    let (mut stms, mut results, mut types) = (String::new(), Vec::new(), Vec::new());
    let mut next = 10;
    for body in bodies {
        for (mode, seed, out) in [("jvp", 2, to), ("vjp", 1, from)] {
            // binders are unique in the program: each use of a name gets the number of its body
            let code = body.code.replace('#', &next.to_string());
            stms += &format!(
                "let (p_{a}: {to}, d_{b}: {out}) = {mode} \\(x_{next}0: {from}) -> ({to}) {{ {code} in (r_{next}9) }} at (x_0) with (s_{seed})\n",
                a = 10_000 + 2 * next,
                b = 10_001 + 2 * next,
            );
            results.extend([format!("p_{}", 10_000 + 2 * next), format!("d_{}", 10_001 + 2 * next)]);
            types.extend([to, out]);
            next += 1;
        }
    }
    let types: Vec<String> = types.iter().enumerate().map(|(i, t)| format!("q_{}: {t}", 20_000 + i)).collect();
    parse(&format!(
        "fun \"main\"(x_0: {from}, s_1: {to}, s_2: {from}) -> ({}) {{ {stms} in ({}) }}",
        types.join(", "),
        results.join(", ")
    ))
}

/// Holds the simplified derivatives against those of the program as it is, at all points; gives how many programs the simplifier has changed.
fn check(bodies: &[Body]) -> usize {
    let mut changed = 0;
    let mut kinds: Vec<(ScalarType, ScalarType)> = bodies.iter().map(|b| (b.from, b.to)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for (from, to) in kinds {
        let of: Vec<&Body> = bodies.iter().filter(|b| (b.from, b.to) == (from, to)).collect();
        let before = program(from, to, &of);
        let after = simplify(before.clone(), &mut Analyses::default());
        common::well_formed(&after, "simplified");
        if after == before {
            continue;
        }
        changed += 1;
        for x in points(from) {
            for (s, t) in points(to).into_iter().flat_map(|s| points(from).into_iter().map(move |t| (s, t))) {
                let args = [x, s, t].map(Value::Scalar);
                let run = |p: &Program| eval(p, "main", &args, &Ctx::default()).unwrap_or_else(|e| panic!("{e}\n{p}"));
                let scalars = |vs: Vec<Value>| -> Vec<Scalar> { vs.iter().flat_map(|v| v.elements()).collect() };
                let (got, expected) = (scalars(run(&after)), scalars(run(&before)));
                // the equality of scalars is that of bits
                if let Some(k) = (0..got.len()).find(|k| got[*k] != expected[*k]) {
                    let what = ["result", "tangent", "result", "adjoint"][k % 4];
                    let code = &of[k / 4].code;
                    panic!("{what} {} instead of {} at x {x}, t {t}, s {s}: {code}", got[k], expected[k]);
                }
            }
        }
    }
    changed
}

/// The operator applied to operands of which each is x or a constant: all that a rule on one operator can see.
fn applied(op: Prim) -> Vec<Body> {
    let Some((params, to)) = op.signature() else { return Vec::new() };
    let mut bodies = Vec::new();
    for from in ScalarType::ALL.into_iter().filter(|t| params.contains(t)) {
        let choices = |t: ScalarType| {
            let x = (t == from).then(|| "x_#0".to_string());
            x.into_iter().chain(points(t).into_iter().map(|c| c.to_string())).collect::<Vec<_>>()
        };
        let mut operands = vec![Vec::new()];
        for t in &params {
            let longer = |o: &Vec<String>| choices(*t).into_iter().map(|c| [&o[..], &[c]].concat()).collect::<Vec<_>>();
            operands = operands.iter().flat_map(longer).collect();
        }
        for operands in operands.into_iter().filter(|o| o.contains(&"x_#0".to_string())) {
            let code = format!("let (r_#9: {to}) = {op}({})", operands.join(", "));
            bodies.push(Body { from, to, code });
        }
    }
    bodies
}

#[test]
fn rules_on_operators_keep_derivatives() {
    let changed: usize = Prim::all().map(|op| check(&applied(op))).sum();
    // there are rules for some operators at least
    assert!(changed > 50, "{changed} changed");
}

/// Rules that look at what an operand is bound to.
#[test]
fn rules_on_two_operators_keep_derivatives() {
    let mut bodies = Vec::new();
    for t in ScalarType::ALL {
        let mut add = |to: ScalarType, code: String| {
            let code = code.replace('$', &t.to_string());
            bodies.push(Body { from: t, to, code });
        };
        if t != ScalarType::Bool {
            for op in ["add", "sub"] {
                add(t, format!("let (a_#1: $) = neg.$(x_#0) let (r_#9: $) = {op}.$(x_#0, a_#1)"));
                for y in points(t) {
                    add(t, format!("let (a_#1: $) = neg.$(x_#0) let (r_#9: $) = {op}.$({y}, a_#1)"));
                    add(t, format!("let (a_#1: $) = sub.$(x_#0, {y}) let (r_#9: $) = {op}.$(a_#1, {y})"));
                    add(t, format!("let (a_#1: $) = sub.$({y}, x_#0) let (r_#9: $) = {op}.$(a_#1, x_#0)"));
                    add(t, format!("let (a_#1: $) = sub.$(x_#0, {y}) let (r_#9: $) = {op}.$(x_#0, a_#1)"));
                    add(t, format!("let (a_#1: $) = add.$(x_#0, {y}) let (r_#9: $) = {op}.$(a_#1, {y})"));
                    add(t, format!("let (a_#1: $) = add.$({y}, x_#0) let (r_#9: $) = {op}.$(a_#1, {y})"));
                }
            }
            for op in ["neg", "abs", "sgn"] {
                add(t, format!("let (a_#1: $) = {op}.$(x_#0) let (r_#9: $) = {op}.$(a_#1)"));
            }
        }
        if t.is_int() || t == ScalarType::Bool {
            add(t, "let (a_#1: $) = not.$(x_#0) let (r_#9: $) = not.$(a_#1)".into());
        }
        for y in points(t) {
            for op in ["lt", "le", "eq"] {
                let test = format!("let (a_#1: bool) = {op}.$(x_#0, {y}) let (c_#2: bool) = not.bool(a_#1)");
                add(ScalarType::Bool, format!("{test} let (r_#9: bool) = or.bool(c_#2, true)"));
                add(ScalarType::Bool, format!("{test} let (r_#9: bool) = and.bool(c_#2, c_#2)"));
                add(t, format!("{test} let (r_#9: $) = if c_#2 then {{ in (x_#0) }} else {{ in ({y}) }}"));
                add(t, format!("{test} let (r_#9: $) = match (x_#0) case ({y}) {{ in (x_#0) }} else {{ in ({y}) }}"));
            }
        }
    }
    // what is not negative
    let int = |code: &str| Body { from: ScalarType::I64, to: ScalarType::I64, code: code.into() };
    for zeros in ["0i64, m_#1", "m_#1, 0i64"] {
        for op in ["min", "max"] {
            let code = format!("let (m_#1: i64) = max.i64(x_#0, 0i64) let (r_#9: i64) = {op}.i64({zeros})");
            bodies.push(int(&code));
        }
    }
    // an index has no derivative, what is read has
    bodies.push(int("let (is_#1: [10]i64) = iota i64 (10i64, 3i64, 2i64) let (j_#2: i64) = max.i64(x_#0, 0i64) \
                     let (c_#3: cert) = check bounds (j_#2) [10] let (r_#9: i64) = index is_#1[j_#2] certs (c_#3)"));
    bodies.push(int("let (is_#1: [10]i64) = iota i64 (10i64, x_#0, 2i64) let (r_#9: i64) = index is_#1[3i64]"));
    // a condition has none, and what is known of it in a branch
    let bool = |code: &str| Body { from: ScalarType::Bool, to: ScalarType::Bool, code: code.into() };
    bodies.push(bool("let (r_#9: bool) = if x_#0 then { in (true) } else { in (false) }"));
    bodies.push(bool("let (r_#9: bool) = if x_#0 then { in (x_#0) } else { in (false) }"));
    bodies.push(bool("let (r_#9: bool) = if x_#0 then { in (true) } else { in (x_#0) }"));
    bodies.push(bool("let (r_#9: bool) = match (x_#0) case (true) { in (x_#0) } else { in (x_#0) }"));
    assert!(check(&bodies) > 10);
}
