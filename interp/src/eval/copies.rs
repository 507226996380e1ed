//! No copy of an array that nobody else holds: 10^5 updates of 10^5 elements copy none, wherever they are made.

use crate::testing::*;
use crate::{Code, Counters, Ctx, NodeKind};
use futi_core::ir::*;
use futi_core::value::{Value, count};
use std::fmt::Write;

const N: usize = 100_000;

/// Runs `main`, which nobody shares its arguments with, and looks at the copies.
fn copies_nothing(program: &Program, args: Vec<Value>) -> (Vec<Value>, Counters) {
    let ctx = Ctx::default();
    let results = Code::new(program).unwrap().call("main", args, &ctx).unwrap();
    let counters = ctx.counters();
    assert_eq!((counters.copied, counters.node(NodeKind::Update)), (0, N as u64));
    (results, counters)
}

fn zeros(shape: &[usize]) -> Value {
    floats(shape, &vec![0.; count(shape)])
}

fn ones(shape: &[usize]) -> Value {
    floats(shape, &vec![1.; count(shape)])
}

/// `loop a for i < n do a with [i] = a[i] + 1` of n elements, as IR text.
fn fill(a: &str, result: &str, n: usize) -> String {
    format!(
        "let ({result}: [{n}]f64) = loop (*p_900: [{n}]f64 = {a}) for i_901: i64 < {n}i64 do {{
            let (x_902: f64) = index p_900[i_901]
            let (y_903: f64) = add.f64(x_902, 1f64)
            let (q_904: [{n}]f64) = update p_900[i_901] = y_903
            in (q_904)
        }}"
    )
}

#[test]
fn at_top_level() {
    let mut text = format!("fun \"main\"(*a_0: [{N}]f64) -> (*r_1: [{N}]f64) {{\n");
    for i in 0..N {
        let old = if i == 0 { "a_0".to_string() } else { format!("a_{}", i + 1) };
        writeln!(text, "let (a_{}: [{N}]f64) = update {old}[{i}i64] = 1f64", i + 2).unwrap();
    }
    write!(text, "in (a_{}) }}", N + 1).unwrap();
    // The checker is not made for bodies as long as this.
    let program = format!("futi-ir 1\n{text}").parse().unwrap();
    let (results, _) = copies_nothing(&program, vec![zeros(&[N])]);
    assert_eq!(results, [ones(&[N])]);
}

#[test]
fn in_a_loop() {
    let program =
        ir(&format!("fun \"main\"(*a_0: [{N}]f64) -> (*r_1: [{N}]f64) {{ {} in (l_2) }}", fill("a_0", "l_2", N)));
    assert_eq!(copies_nothing(&program, vec![zeros(&[N])]).0, [ones(&[N])]);
}

#[test]
fn through_a_call() {
    let program = ir(&format!(
        "fun \"main\"(*a_0: [{N}]f64) -> (*r_1: [{N}]f64) {{
            let (l_2: [{N}]f64) = loop (*p_3: [{N}]f64 = a_0) for i_4: i64 < {N}i64 do {{
                let (q_5: [{N}]f64) = call \"set\" (p_3, i_4)
                in (q_5)
            }}
            in (l_2)
        }}
        fun \"set\"(*a_10: [{N}]f64, i_11: i64) -> (*r_12: [{N}]f64) {{
            let (b_13: [{N}]f64) = update a_10[i_11] = 1f64
            in (b_13)
        }}"
    ));
    assert_eq!(copies_nothing(&program, vec![zeros(&[N])]).0, [ones(&[N])]);
}

#[test]
fn of_rows_in_a_map() {
    let m = N / 10;
    let program = ir(&format!(
        "fun \"main\"(*a_0: [10][{m}]f64) -> (*r_1: [10][{m}]f64) {{
            let (b_2: [10][{m}]f64) = screma 10 (a_0) map \\(row_3: [{m}]f64) -> ([{m}]f64) {{ {} in (l_4) }}
            in (b_2)
        }}",
        fill("row_3", "l_4", m)
    ));
    assert_eq!(copies_nothing(&program, vec![zeros(&[10, m])]).0, [ones(&[10, m])]);
}

#[test]
fn of_arrays_made_in_a_map() {
    let m = N / 10;
    let program = ir(&format!(
        "fun \"main\"() -> (*r_1: [10][{m}]f64) {{
            let (b_2: [10][{m}]f64) = screma 10 () map \\() -> ([{m}]f64) {{
                let (z_3: [{m}]f64) = replicate [{m}] 0f64
                {}
                in (l_4)
            }}
            in (b_2)
        }}",
        fill("z_3", "l_4", m)
    ));
    assert_eq!(copies_nothing(&program, vec![]).0, [ones(&[10, m])]);
}

/// The derivative of filling an array.
fn derivative(mode: &str) -> Program {
    let fill = fill("b_11", "l_12", N);
    ir(&format!(
        "fun \"main\"(*a_0: [{N}]f64, *s_1: [{N}]f64) -> (r_2: [{N}]f64, d_3: [{N}]f64) {{
            let (x_4: [{N}]f64, y_5: [{N}]f64) = {mode} \\(c_10: [{N}]f64) -> ([{N}]f64) {{
                let (b_11: [{N}]f64) = copy c_10
                {fill}
                in (l_12)
            }} at (a_0) with (s_1)
            in (x_4, y_5)
        }}"
    ))
}

#[test]
fn under_jvp() {
    let (results, _) = copies_nothing(&derivative("jvp"), vec![zeros(&[N]), ones(&[N])]);
    assert_eq!(results, [ones(&[N]), ones(&[N])]);
}

#[test]
fn under_vjp() {
    let (results, _) = copies_nothing(&derivative("vjp"), vec![zeros(&[N]), ones(&[N])]);
    assert_eq!(results, [ones(&[N]), ones(&[N])]);
}
