//! Derivatives of statements on arrays, accumulators, nests, integers; and what the code of derivatives looks like.

mod common;
use common::*;
use futi_core::driver::pipeline::Stage;
use futi_core::ir::visit::{Visit, walk_exp};
use futi_core::ir::*;

/// How many nodes of each kind a program has, by the first word of the node's text, and of each scalar operator.
fn count(program: &Program, pred: impl Fn(&Exp) -> bool) -> usize {
    struct Count<F>(F, usize);
    impl<F: Fn(&Exp) -> bool> Visit for Count<F> {
        fn exp(&mut self, e: &Exp) {
            self.1 += self.0(e) as usize;
            walk_exp(self, e);
        }
    }
    let mut count = Count(pred, 0);
    program.funs.iter().for_each(|f| count.body(&f.body));
    count.1
}

fn is_op(e: &Exp, op: &str) -> bool {
    matches!(e, Exp::Prim(p, _) if p.to_string() == op)
}

/// A place in a source, for statements to be found by.
fn a_span(program: &mut Program) -> Prov {
    let file = program.prov.file("a.fut");
    program.prov.intern(ProvNode::Span { file, start: 1, end: 2 })
}

/// What a statement is to a derivative, and whether it comes from [`a_span`].
fn role(program: &Program, stm: &Stm) -> (Option<Role>, bool) {
    let role = match program.prov.node(stm.prov) {
        ProvNode::Role { role, .. } => Some(*role),
        _ => None,
    };
    (role, program.prov.span(stm.prov) == Some((0, 1, 2)))
}

/// The derivative without its primal results, at the stage `Fused`.
fn gradient(text: &str) -> Program {
    let program = parse(text);
    let results = program.funs[0].results.len();
    let mut vjp = derivative(&program, D::Vjp);
    vjp.funs[0].results.drain(..results);
    vjp.funs[0].body.result.drain(..results);
    at(&vjp, Stage::Fused)
}

#[test]
fn views_and_copies() {
    let f = "fun \"f\"(n_0: i64, m_1: i64, xs_2: [n_0][m_1]f64, y_3: f64) -> (k_4: i64, r_5: [k_4]f64, s_6: [m_1][n_0]f64) {
      let (t_7: [m_1][n_0]f64) = rearrange (1, 0) xs_2
      let (k_8: i64) = mul.i64(n_0, m_1)
      let (f_9: [k_8]f64) = reshape [k_8] t_7
      let (g_10: [k_8]f64) = reverse f_9
      let (c_11: cert) = check size [k_8] = [6]
      let (h_12: [6]f64) = coerce [6] g_10 certs (c_11)
      let (a_13: [2]f64) = array [y_3, 2.0f64] of f64
      let (q_14: f64) = mul.f64(y_3, y_3)
      let (b_15: [2]f64) = replicate [2] q_14
      let (j_16: [10]f64) = concat 10 (h_12, a_13, b_15)
      let (d_17: [10]f64) = screma 10 (j_16) map \\(x_18: f64) -> (f64) {
        let (z_19: f64) = mul.f64(x_18, x_18)
        in (z_19)
      }
      let (e_20: [10]f64) = copy d_17
      let (i_21: i64) = sub.i64(m_1, 1i64)
      let (c_22: cert) = check bounds (i_21) [10]
      let (u_23: [10]f64) = update e_20[i_21] = y_3 certs (c_22)
      in (10i64, u_23, t_7)
    }";
    // existential sizes do not leave a differentiated function: take the values alone
    let f = f.replace("k_4: i64, r_5: [k_4]f64", "r_5: [10]f64").replace("in (10i64, u_23", "in (u_23");
    check_all(&f, "2i64 3i64 [[1f64,2f64,3f64],[4f64,5f64,6f64]] 7f64");
}

#[test]
fn rows() {
    // rows read, written and made: of rank 2 and 3
    let f = "fun \"f\"(n_0: i64, xss_1: [n_0][2]f64, i_2: i64) -> (r_3: [n_0][2]f64, s_4: [2][2]f64) {
      let (c_5: cert) = check bounds (i_2) [n_0]
      let (row_6: [2]f64) = index xss_1[i_2] certs (c_5)
      let (x_7: f64) = index row_6[1i64]
      let (twice_8: [2]f64) = screma 2 (row_6) map \\(v_9: f64) -> (f64) {
        let (w_10: f64) = mul.f64(v_9, x_7)
        in (w_10)
      }
      let (copy_11: [n_0][2]f64) = copy xss_1
      let (new_12: [n_0][2]f64) = update copy_11[0i64] = twice_8
      let (lit_13: [2][2]f64) = array [row_6, twice_8] of [2]f64
      let (rep_14: [3][2]f64) = replicate [3] row_6
      let (z_15: f64) = index rep_14[2i64, 0i64]
      let (new_16: [n_0][2]f64) = update new_12[i_2, 1i64] = z_15 certs (c_5)
      in (new_16, lit_13)
    }";
    check_all(f, "3i64 [[1f64,2f64],[3f64,4f64],[5f64,6f64]] 1i64");
    check_all(f, "3i64 [[1f64,2f64],[3f64,4f64],[5f64,6f64]] 0i64");
}

#[test]
fn integers_and_booleans() {
    // compat §2.2: every primitive is differentiable, with wrapping arithmetic and conversions that pass tangents on
    let f = "fun \"f\"(x_0: i32, y_1: i64, b_2: bool, z_3: f64) -> (r_4: i32, s_5: f64, t_6: bool, u_7: [3]i64) {
      let (a_8: i32) = mul.i32(x_0, x_0)
      let (c_9: f64) = conv.i32.f64(a_8)
      let (d_10: f64) = mul.f64(c_9, z_3)
      let (e_11: i32) = conv.i64.i32(y_1)
      let (f_12: i32) = add.i32(a_8, e_11)
      let (g_13: bool) = lt.f64(z_3, 1.0f64)
      let (h_14: bool) = and.bool(b_2, g_13)
      let (i_15: bool) = or.bool(h_14, b_2)
      let (j_16: [3]i64) = iota i64 (3i64, y_1, y_1)
      in (f_12, d_10, i_15, j_16)
    }";
    // r̄ = 1, s̄ = 1, t̄ = true, ū = [1,1,1]: x̄ = 2x + z·2x → i32, ȳ = 1 + 3 + (0+1+2), b̄ = true, z̄ = x²
    check_vjp(f, "3i32 5i64 true 2f64", "1i32 1f64 true [1i64,1i64,1i64]", "18i32 7i64 true 9f64");
    check_all(f, "3i32 5i64 true 2f64");
    // indices have the adjoint zero
    let f = "fun \"f\"(i_0: i64, xs_1: [3]f64) -> (r_2: f64) {
      let (j_3: i64) = add.i64(i_0, 1i64)
      let (x_4: f64) = index xs_1[j_3]
      in (x_4)
    }";
    check_vjp(f, "1i64 [1f64,2f64,3f64]", "5f64", "0i64 [0f64,0f64,5f64]");
    check_all(f, "1i64 [1f64,2f64,3f64]");
}

#[test]
fn zero_absorbs_a_singular_partial() {
    // loop s = 0 for i < 2 do sqrt s + a*a at a = 2: y = 2 + 4, dy/da = 2a/(2 sqrt 4) + 2a = 1 + 4 with sqrt'(0)·0 = 0
    let f = "fun \"f\"(a_0: f64) -> (r_1: f64) {
      let (s_2: f64) = loop (s_3: f64 = 0.0f64) for i_4: i64 < 2i64 do {
        let (q_5: f64) = sqrt.f64(s_3)
        let (m_6: f64) = mul.f64(a_0, a_0)
        let (t_7: f64) = add.f64(q_5, m_6)
        in (t_7)
      }
      in (s_2)
    }";
    check_vjp(f, "2f64", "1f64", "5f64");
    check_orders(f, "2f64", &[D::Vjp, D::Jvp], &[]);
}

/// Matrix product: maps in a map, a reduction inside.
const MATMUL: &str =
    "fun \"f\"(n_0: i64, m_1: i64, q_2: i64, as_3: [n_0][q_2]f64, bs_4: [q_2][m_1]f64) -> (r_5: [n_0][m_1]f64) {
  let (cols_6: [m_1][q_2]f64) = rearrange (1, 0) bs_4
  let (cs_7: [n_0][m_1]f64) = screma n_0 (as_3) map \\(a_8: [q_2]f64) -> ([m_1]f64) {
    let (c_9: [m_1]f64) = screma m_1 (cols_6) map \\(b_10: [q_2]f64) -> (f64) {
      let (s_11: f64) = screma q_2 (a_8, b_10) map \\(x_12: f64, y_13: f64) -> (f64) {
        let (p_14: f64) = mul.f64(x_12, y_13)
        in (p_14)
      } reduce comm \\(u_15: f64, v_16: f64) -> (f64) {
        let (w_17: f64) = add.f64(u_15, v_16)
        in (w_17)
      } neutral (0.0f64)
      in (s_11)
    }
    in (c_9)
  }
  in (cs_7)
}";

#[test]
fn matrix_product() {
    // C̄ = 1: Ā rows are the row sums of Bᵀ's columns, B̄ columns the column sums of A
    let args = "2i64 2i64 3i64 [[1f64,2f64,3f64],[4f64,5f64,6f64]] [[1f64,2f64],[3f64,4f64],[5f64,6f64]]";
    check_vjp(
        MATMUL,
        args,
        "[[1f64,1f64],[1f64,1f64]]",
        "[[3f64,7f64,11f64],[3f64,7f64,11f64]] [[5f64,5f64],[7f64,7f64],[9f64,9f64]]",
    );
    check_all(MATMUL, args);
    // nothing of the primal product is computed again: multiplications in the gradient are of adjoints only
    let g = gradient(MATMUL);
    assert_eq!((count(&g, |e| is_op(e, "zmul.f64")), count(&g, |e| is_op(e, "mul.f64"))), (2, 0), "{g}");
}

#[test]
fn r33_perfect_nests_execute_nothing_again() {
    // Fig. 2 of the paper: map (\c as -> if c then map (\a -> a*a*a) as else map (\a -> a*a) as)
    let f = "fun \"f\"(n_0: i64, m_1: i64, cs_2: [n_0]bool, ass_3: [n_0][m_1]f64) -> (r_4: [n_0][m_1]f64) {
      let (xss_5: [n_0][m_1]f64) = screma n_0 (cs_2, ass_3) map \\(c_6: bool, as_7: [m_1]f64) -> ([m_1]f64) {
        let (xs_8: [m_1]f64) = if c_6 then {
          let (us_9: [m_1]f64) = screma m_1 (as_7) map \\(a_10: f64) -> (f64) {
            let (s_11: f64) = sin.f64(a_10)
            in (s_11)
          }
          in (us_9)
        } else {
          let (vs_12: [m_1]f64) = screma m_1 (as_7) map \\(a_13: f64) -> (f64) {
            let (s_14: f64) = mul.f64(a_13, a_13)
            in (s_14)
          }
          in (vs_12)
        }
        in (xs_8)
      }
      in (xss_5)
    }";
    check_all(f, "2i64 2i64 [true,false] [[1f64,2f64],[3f64,4f64]]");
    let g = gradient(f);
    let screma = |e: &Exp| matches!(e, Exp::Screma(_));
    assert_eq!(count(&g, |e| is_op(e, "sin.f64")), 0, "{g}");
    assert_eq!(count(&g, screma), 3, "{g}");
    assert_eq!(count(&g, |e| matches!(e, Exp::If { .. })), 1, "{g}");
    // cos a · x̄; a·x̄ twice, added
    assert_eq!(count(&g, |e| matches!(e, Exp::Prim(..))), 4, "{g}");
    // run: as many operations as adjoints need
    let (_, counters) = run(&g, &values("2i64 2i64 [true,false] [[1f64,2f64],[3f64,4f64]] [[1f64,1f64],[1f64,1f64]]"));
    assert_eq!(counters.prims(), 2 * 2 + 2 * 2);
}

#[test]
fn r21_a_sparse_adjoint_stays_sparse() {
    // reduce min (map sin xs): the return sweep takes one cosine
    let f = "fun \"f\"(n_0: i64, xs_1: [n_0]f64, k_9: f64) -> (r_2: f64) {
      let (y_3: f64) = screma n_0 (xs_1) map \\(x_4: f64) -> (f64) {
        let (m_10: f64) = mul.f64(x_4, k_9)
        let (s_5: f64) = sin.f64(m_10)
        in (s_5)
      } reduce \\(a_6: f64, b_7: f64) -> (f64) {
        let (t_8: f64) = min.f64(a_6, b_7)
        in (t_8)
      } neutral (f64.inf)
      in (y_3)
    }";
    check_all(f, "4i64 [0.5f64,0.1f64,0.3f64,0.1f64] 2f64");
    check_all(f, "0i64 empty([0]f64) 2f64");
    let g = gradient(f);
    let (_, counters) = run(&g, &values("4i64 [0.5f64,0.1f64,0.3f64,0.1f64] 2f64 1f64"));
    let cos = Prim::from_name("cos.f64").unwrap();
    assert_eq!(counters.prim(cos), 1, "{g}");
}

#[test]
fn r31_free_variables_of_maps() {
    // the array is mapped over and free, the scalar is free
    let f = "fun \"f\"(xs_0: [3]f64, z_1: f64, is_2: [3]i64) -> (r_3: [3]f64) {
      let (ys_4: [3]f64) = screma 3 (xs_0, is_2) map \\(x_5: f64, i_6: i64) -> (f64) {
        let (y_7: f64) = index xs_0[i_6]
        let (p_8: f64) = mul.f64(x_5, y_7)
        let (q_9: f64) = mul.f64(p_8, z_1)
        in (q_9)
      }
      in (ys_4)
    }";
    // is = [1,1,0], x = [1,2,3], z = 2, ȳ = 1: x̄ᵢ = z x[isᵢ] + Σ z xⱼ over isⱼ = i: [4+6, 4+2+4, 2]; z̄ = 2+4+3
    check_vjp(
        f,
        "[1f64,2f64,3f64] 2f64 [1i64,1i64,0i64]",
        "[1f64,1f64,1f64]",
        "[10f64,10f64,2f64] 9f64 [0i64,0i64,0i64]",
    );
    check_all(f, "[1f64,2f64,3f64] 2f64 [1i64,1i64,0i64]");
    let g = gradient(f);
    // the scalar is summed by a reduction: the one accumulator is the array's
    assert_eq!(count(&g, |e| matches!(e, Exp::UpdAcc { .. })), 1, "{g}");
    assert_eq!(count(&g, |e| matches!(e, Exp::Screma(s) if s.reduces.len() == 1)), 1, "{g}");
}

#[test]
fn r32_accumulators_in_nests() {
    let f = "fun \"f\"(n_0: i64, xs_1: [n_0]f64, is_2: [n_0]i64, ws_3: [4]f64) -> (r_4: [n_0]f64) {
      let (ys_5: [n_0]f64) = screma n_0 (xs_1, is_2) map \\(x_6: f64, i_7: i64) -> (f64) {
        let (y_8: f64) = loop (y_9: f64 = x_6) for j_10: i64 < 3i64 do {
          let (k_11: i64) = add.i64(i_7, j_10)
          let (in_12: bool) = lt.i64(k_11, 4i64)
          let (z_13: f64) = if in_12 then {
            let (w_14: f64) = index ws_3[k_11]
            let (p_15: f64) = mul.f64(y_9, w_14)
            let (sums_16: f64) = screma 4 (ws_3) map \\(v_17: f64) -> (f64) {
              let (e_18: f64) = index ws_3[j_10]
              let (m_19: f64) = mul.f64(v_17, e_18)
              in (m_19)
            } reduce comm \\(u_20: f64, v_21: f64) -> (f64) {
              let (w_22: f64) = add.f64(u_20, v_21)
              in (w_22)
            } neutral (0.0f64)
            let (t_23: f64) = add.f64(p_15, sums_16)
            in (t_23)
          } else {
            let (t_24: f64) = mul.f64(y_9, y_9)
            in (t_24)
          }
          in (z_13)
        }
        in (y_8)
      }
      in (ys_5)
    }";
    check_all(f, "3i64 [0.5f64,0.25f64,-0.5f64] [0i64,2i64,3i64] [0.1f64,0.2f64,0.3f64,0.4f64]");
}

#[test]
fn accumulators_of_the_program() {
    // a histogram of squares by an accumulator, out of range ignored; its own derivative and those of other results
    let f = "fun \"f\"(n_0: i64, hs_1: [3]f64, is_2: [n_0]i64, xs_3: [n_0]f64) -> (r_4: [3]f64, s_5: f64) {
      let (c_6: [3]f64) = copy hs_1
      let (out_7: [3]f64, sum_8: f64) = withacc input [3] (c_6) comm \\(x_9: f64, y_10: f64) -> (f64) {
        let (t_11: f64) = add.f64(x_9, y_10)
        in (t_11)
      } neutral (0.0f64) do \\(id_12: cert, acc_13: acc(id_12, [3] (f64))) -> (acc(id_12, [3] (f64)), f64) {
        let (s_14: f64, acc_15: acc(id_12, [3] (f64))) = screma n_0 (is_2, xs_3, acc_13) map \\(i_16: i64, x_17: f64, acc_18: acc(id_12, [3] (f64))) -> (f64, acc(id_12, [3] (f64))) {
          let (q_19: f64) = mul.f64(x_17, x_17)
          let (acc_20: acc(id_12, [3] (f64))) = updacc acc_18[i_16] (q_19)
          let (acc_21: acc(id_12, [3] (f64))) = loop (acc_22: acc(id_12, [3] (f64)) = acc_20) for k_23: i64 < 2i64 do {
            let (b_24: bool) = lt.i64(k_23, i_16)
            let (acc_25: acc(id_12, [3] (f64))) = if b_24 then {
              let (acc_26: acc(id_12, [3] (f64))) = updacc acc_22[k_23] (x_17)
              in (acc_26)
            } else { in (acc_22) }
            in (acc_25)
          }
          in (q_19, acc_21)
        } reduce comm \\(u_27: f64, v_28: f64) -> (f64) {
          let (w_29: f64) = add.f64(u_27, v_28)
          in (w_29)
        } neutral (0.0f64)
        in (acc_15, s_14)
      }
      in (out_7, sum_8)
    }";
    // h̄ = [1,10,100], s̄ = 0: x̄ᵢ = 2xᵢ h̄[isᵢ] + Σ h̄[k] over k < min(2, isᵢ)
    check_vjp(
        f,
        "4i64 [0f64,0f64,0f64] [0i64,2i64,7i64,-1i64] [1f64,2f64,3f64,4f64]",
        "[1f64,10f64,100f64] 0f64",
        "[1f64,10f64,100f64] [0i64,0i64,0i64,0i64] [2f64,411f64,11f64,0f64]",
    );
    check_all(f, "4i64 [1f64,2f64,3f64] [0i64,2i64,7i64,-1i64] [1f64,2f64,3f64,4f64]");
}

#[test]
fn several_operators_in_one_soac() {
    let f = "fun \"f\"(n_0: i64, xs_1: [n_0]f64, y_2: f64) -> (r_3: [n_0]f64, s_4: f64, t_5: f64, u_6: [n_0]f64) {
      let (a_7: [n_0]f64, b_8: f64, c_9: f64, d_10: [n_0]f64) = screma n_0 (xs_1) map \\(x_11: f64) -> (f64, f64, f64, f64) {
        let (p_12: f64) = mul.f64(x_11, y_2)
        let (q_13: f64) = mul.f64(p_12, x_11)
        in (p_12, q_13, x_11, q_13)
      } scan \\(u_14: f64, v_15: f64) -> (f64) {
        let (w_16: f64) = mul.f64(u_14, v_15)
        in (w_16)
      } neutral (1.0f64) reduce comm \\(u_17: f64, v_18: f64) -> (f64) {
        let (w_19: f64) = add.f64(u_17, v_18)
        in (w_19)
      } neutral (0.0f64) reduce \\(u_20: f64, v_21: f64) -> (f64) {
        let (w_22: f64) = max.f64(u_20, v_21)
        in (w_22)
      } neutral (-f64.inf)
      in (a_7, b_8, c_9, d_10)
    }";
    check_all(f, "3i64 [1f64,3f64,2f64] 0.5f64");
}

#[test]
fn vectorised_operators() {
    let f = |kind: &str, out: &str, op: &str| {
        format!(
            "fun \"f\"(n_0: i64, m_1: i64, xss_2: [n_0][m_1]f64) -> (r_3: {out}) {{
      let (ne_4: [m_1]f64) = replicate [m_1] 1.0f64
      let (y_5: {out}) = screma n_0 (xss_2) map \\(x_6: [m_1]f64) -> ([m_1]f64) {{ in (x_6) }} {kind} \\(a_7: [m_1]f64, b_8: [m_1]f64) -> ([m_1]f64) {{
        let (s_9: [m_1]f64) = screma m_1 (a_7, b_8) map \\(p_10: f64, q_11: f64) -> (f64) {{
          let (t_12: f64) = {op}(p_10, q_11)
          in (t_12)
        }}
        in (s_9)
      }} neutral (ne_4)
      in (y_5)
    }}"
        )
    };
    // 000-E15: column adjoints [10,3,3] and [1,12,0]
    check_vjp(
        &f("scan", "[n_0][m_1]f64", "mul.f64"),
        "3i64 2i64 [[1f64,2f64],[3f64,0f64],[2f64,5f64]]",
        "[[1f64,1f64],[1f64,1f64],[1f64,1f64]]",
        "[[10f64,1f64],[3f64,12f64],[3f64,0f64]]",
    );
    check_all(&f("scan", "[n_0][m_1]f64", "mul.f64"), "3i64 2i64 [[1f64,2f64],[3f64,4f64],[2f64,5f64]]");
    // 000-C11: zeros in one column only
    check_vjp(
        &f("reduce", "[m_1]f64", "mul.f64"),
        "3i64 2i64 [[1f64,2f64],[3f64,0f64],[2f64,5f64]]",
        "[1f64,1f64]",
        "[[6f64,0f64],[2f64,10f64],[3f64,0f64]]",
    );
    check_all(&f("reduce", "[m_1]f64", "mul.f64"), "3i64 2i64 [[1f64,2f64],[3f64,4f64],[2f64,5f64]]");
    let g = gradient(&f("scan", "[n_0][m_1]f64", "mul.f64"));
    // R30: no Jacobian of rows, but a scan of scalars in each column
    let rows = |e: &Exp| matches!(e, Exp::Screma(s) if s.scans.iter().any(|op| op.neutral.len() > 2));
    assert_eq!(count(&g, rows), 0, "{g}");
}

#[test]
fn no_perturbation_confusion() {
    // jvp (\x -> x * jvp (\y -> x+y) 1 1) 1 1 = 1
    let f = "fun \"f\"(x_0: f64) -> (r_1: f64) {
      let (a_2: f64, b_3: f64) = jvp  \\(x_4: f64) -> (f64) {
        let (p_5: f64, q_6: f64) = jvp  \\(y_7: f64) -> (f64) {
          let (s_8: f64) = add.f64(x_4, y_7)
          in (s_8)
        } at (1.0f64) with (1.0f64)
        let (m_9: f64) = mul.f64(x_4, q_6)
        in (m_9)
      } at (x_0) with (1.0f64)
      in (b_3)
    }";
    let program = parse(f);
    let one = agree(&program, &values("1f64"), "confusion");
    same(&one, &values("1f64"), "literal", &program);
}

#[test]
fn one_argument_twice() {
    // vjp (\x y -> x*x*y) at (a, a): the parameters' adjoints are their own
    let f = "fun \"f\"(a_0: f64) -> (r_1: f64, s_2: f64) {
      let (p_3: f64, q_4: f64, t_5: f64) = vjp  \\(x_6: f64, y_7: f64) -> (f64) {
        let (m_8: f64) = mul.f64(x_6, x_6)
        let (n_9: f64) = mul.f64(m_8, y_7)
        in (n_9)
      } at (a_0, a_0) with (1.0f64)
      in (q_4, t_5)
    }";
    let program = parse(f);
    let out = agree(&program, &values("3f64"), "twice");
    same(&out, &values("18f64 9f64"), "literal", &program);
}

#[test]
fn what_puts_an_element_back_says_which_update_it_undoes() {
    // xs[i] is read once xs[i + 1] is overwritten: on the way back xs[i + 1] is put back after that
    let f = "fun \"f\"(n_0: i64, xs_1: [n_0]f64) -> (r_2: [n_0]f64) {
      let (c_3: [n_0]f64) = copy xs_1
      let (m_4: i64) = sub.i64(n_0, 1i64)
      let (l_5: [n_0]f64) = loop (*a_6: [n_0]f64 = c_3) for i_7: i64 < m_4 do {
        let (j_8: i64) = add.i64(i_7, 1i64)
        let (x_9: f64) = index a_6[i_7]
        let (y_10: f64) = index a_6[j_8]
        let (p_11: f64) = mul.f64(x_9, y_10)
        let (a_12: [n_0]f64) = update a_6[j_8] = p_11
        let (q_15: f64) = index a_12[i_7]
        let (z_13: f64) = mul.f64(q_15, p_11)
        let (a_14: [n_0]f64) = update a_12[i_7] = z_13
        in (a_14)
      }
      in (l_5)
    }";
    let mut program = parse(f);
    let span = a_span(&mut program);
    let Exp::Loop { body, .. } = &mut program.funs[0].body.stms[2].exp else { panic!() };
    body.stms[4].prov = span;
    struct Undone<'a>(&'a Program, usize);
    impl Visit for Undone<'_> {
        fn stm(&mut self, s: &Stm) {
            let is_put_back = s.pat[0].name.as_str() == "undone" && matches!(s.exp, Exp::Update { .. });
            self.1 += (is_put_back && role(self.0, s) == (Some(Role::Recomputed), true)) as usize;
            walk_exp(self, &s.exp);
        }
    }
    let out = at(&derivative(&program, D::Vjp), Stage::Ad);
    let mut undone = Undone(&out, 0);
    undone.body(&out.funs[0].body);
    assert_eq!(undone.1, 1, "{out}");
}

#[test]
fn statements_say_what_they_are_to_the_derivative() {
    let f = "fun \"f\"(xs_0: [3]f64) -> (r_1: [3]f64) {
      let (ys_2: [3]f64) = screma 3 (xs_0) map \\(x_3: f64) -> (f64) {
        let (a_4: f64) = sin.f64(x_3)
        let (b_5: f64) = mul.f64(a_4, a_4)
        in (b_5)
      }
      in (ys_2)
    }";
    let mut program = parse(f);
    let span = a_span(&mut program);
    let Exp::Screma(s) = &mut program.funs[0].body.stms[0].exp else { panic!() };
    s.map.body.stms.iter_mut().for_each(|stm| stm.prov = span);
    let roles = |d: D| {
        struct Roles<'a>(&'a Program, Vec<(String, Option<Role>, bool)>);
        impl Visit for Roles<'_> {
            fn stm(&mut self, s: &Stm) {
                if let Exp::Prim(op, _) = &s.exp {
                    let (role, is_there) = role(self.0, s);
                    self.1.push((op.to_string(), role, is_there));
                }
                walk_exp(self, &s.exp);
            }
        }
        let out = at(&derivative(&program, d), Stage::Ad);
        let mut roles = Roles(&out, Vec::new());
        roles.body(&out.funs[0].body);
        roles.1
    };
    let expected = |op: &str, role| (op.to_string(), role, true);
    let vjp = roles(D::Vjp);
    assert!(vjp.contains(&expected("sin.f64", None)));
    assert!(vjp.contains(&expected("sin.f64", Some(Role::Recomputed))));
    assert!(vjp.contains(&expected("cos.f64", Some(Role::Adjoint))));
    let jvp = roles(D::Jvp);
    assert!(jvp.contains(&expected("sin.f64", None)));
    assert!(jvp.contains(&expected("cos.f64", Some(Role::Tangent))));
}

/// The derivative's scans have as many operands as the digest says for each pattern of the operator's Jacobian (digest 000 §1.8, B1, B2): the d adjoints, and
/// what their matrices have of their own.
#[test]
fn scans_carry_what_the_matrices_have_of_their_own() {
    // the results of an operator, each a sum of products of its parameters: of the first operand `a`…, of the second `A`…
    let operands = |sums: &[&str]| {
        let (d, mut body, mut next) = (sums.len(), String::new(), 1000);
        let var = |c: char| match c {
            'a'..='z' => format!("p_{}", 100 + c as u8 - b'a'),
            _ => format!("q_{}", 200 + u32::from(c as u8 - b'A')),
        };
        let mut results = Vec::new();
        for sum in sums {
            let mut total: Option<String> = None;
            for term in sum.split('+') {
                let mut bind = |exp: String| {
                    next += 1;
                    body += &format!(" let (t_{next}: f64) = {exp}");
                    format!("t_{next}")
                };
                let factors: Vec<String> = term.chars().map(var).collect();
                let product = match &factors[..] {
                    [x, y] => bind(format!("mul.f64({x}, {y})")),
                    one => one[0].clone(),
                };
                total = Some(total.map_or(product.clone(), |t| bind(format!("add.f64({t}, {product})"))));
            }
            results.push(total.unwrap());
        }
        let list = |f: &dyn Fn(usize) -> String| (0..d).map(f).collect::<Vec<_>>().join(", ");
        let binders = |name: &str, first: usize, ty: &str| list(&|k| format!("{name}_{}: {ty}", first + k));
        let (xs, out) = (binders("xs", 300, "[9]f64"), binders("r", 400, "[9]f64"));
        let text = format!(
            "fun \"f\"({xs}) -> ({out}) {{ let ({}) = screma 9 ({}) map \\({}) -> ({}) {{ in ({}) }}
             scan \\({}, {}) -> ({}) {{ {body} in ({}) }} neutral ({}) in ({}) }}",
            binders("s", 500, "[9]f64"),
            list(&|k| format!("xs_{}", 300 + k)),
            binders("x", 600, "f64"),
            list(&|_| "f64".into()),
            list(&|k| format!("x_{}", 600 + k)),
            binders("p", 100, "f64"),
            binders("q", 200, "f64"),
            list(&|_| "f64".into()),
            results.join(", "),
            list(&|_| "0.0f64".into()),
            list(&|k| format!("s_{}", 500 + k)),
        );
        struct Most(usize);
        impl Visit for Most {
            fn exp(&mut self, e: &Exp) {
                if let Exp::Screma(s) = e {
                    self.0 = s.scans.iter().map(|op| op.neutral.len()).fold(self.0, usize::max);
                }
                walk_exp(self, e);
            }
        }
        let mut most = Most(0);
        gradient(&text).funs.iter().for_each(|f| most.body(&f.body));
        most.0
    };
    // composition of linear functions (v, m): (V + M v, M m)
    assert_eq!(operands(&["A+Ba", "Bb"]), 3);
    // matrix products, by rows and by columns
    assert_eq!(operands(&["aA+bC", "aB+bD", "cA+dC", "cB+dD"]), 8);
    assert_eq!(operands(&["aA+cB", "bA+dB", "aC+cD", "bC+dD"]), 8);
    let rows = |d: u8| -> Vec<String> {
        let letter = |first: u8, r: u8, c: u8| char::from(first + r * d + c);
        let dot = |r, c| {
            (0..d).map(|k| format!("{}{}", letter(b'a', r, k), letter(b'A', k, c))).collect::<Vec<_>>().join("+")
        };
        (0..d * d).map(|at| dot(at / d, at % d)).collect()
    };
    for (d, expected) in [(3, 18), (4, 32)] {
        let rows = rows(d);
        assert_eq!(operands(&rows.iter().map(String::as_str).collect::<Vec<_>>()), expected);
    }
    // vectors and matrices: (V + M v, M m), of 2 and 2×2: three equal blocks
    let lin = ["A+Ca+Db", "B+Ea+Fb", "Cc+De", "Cd+Df", "Ec+Fe", "Ed+Ff"];
    assert_eq!(operands(&lin), 10);
    // dual numbers: triangular, and the diagonal's elements are equal
    assert_eq!(operands(&["aA", "aB+bA"]), 4);
    // a component that adds needs no matrix
    assert_eq!(operands(&["a+A", "bB"]), 3);
    // no pattern
    assert_eq!(operands(&["aA+bB", "aC+bA", "cC"]), 3 + 5);
    assert_eq!(operands(&["aA+bB", "aB+bA+aA"]), 6);
}

/// Where no two positions can be the same, nobody asks which value was written last, wherever the positions come from.
#[test]
fn scatters_to_distinct_positions_number_nothing() {
    let scatter =
        "scatter n_0 (is_7, ys_20) map \\(k_21: i64, y_22: f64) -> (i64, f64) { in (k_21, y_22) } dest [n_0] d_24";
    let numbered = |before: &str, inside: &str| {
        let program = parse(&format!(
            "fun \"main\"(n_0: i64, xs_1: [n_0]f64, ds_2: [n_0]f64, js_3: [n_0]i64, x_4: f64) -> (g_5: [n_0]f64) {{
               {before}
               let (p_8: [n_0]f64, a_9: [n_0]f64) = vjp \\(ys_20: [n_0]f64) -> ([n_0]f64) {{
                 {inside}
                 let (d_24: [n_0]f64) = copy ds_2
                 let (r_23: [n_0]f64) = {scatter}
                 in (r_23)
               }} at (xs_1) with (ds_2)
               in (a_9)
             }}"
        ));
        count(&at(&program, Stage::Ad), |e| matches!(e, Exp::Scratch { .. })) > 0
    };
    let (iota, given) = ("let (is_7: [n_0]i64) = iota i64 (n_0, 0i64, 1i64)", "let (is_7: [n_0]i64) = reverse js_3");
    assert!(numbered(given, "") && numbered("", given));
    assert!(!numbered(iota, "") && !numbered("", iota));
    // of pairs of positions, one of each is enough
    let pairs = |is: &str, js: &str| {
        let program = format!(
            "fun \"f\"(n_0: i64, xs_1: [n_0]f64, ds_2: [n_0][n_0]f64, ks_3: [n_0]i64) -> (r_4: [n_0][n_0]f64) {{
               let (is_5: [n_0]i64) = {is} let (js_6: [n_0]i64) = {js} let (d_7: [n_0][n_0]f64) = copy ds_2
               let (r_8: [n_0][n_0]f64) = scatter n_0 (is_5, js_6, xs_1) map \\(i_9: i64, j_10: i64, x_11: f64) -> (i64, i64, f64) {{ in (i_9, j_10, x_11) }} dest [n_0][n_0] d_7
               in (r_8)
             }}"
        );
        count(&gradient(&program), |e| matches!(e, Exp::Scratch { .. })) > 0
    };
    let (iota, given) = ("iota i64 (n_0, 0i64, 1i64)", "reverse ks_3");
    assert!(pairs(given, given) && !pairs(iota, given) && !pairs(given, iota));
    // what another derivative gives
    let jvp = |is: &str| {
        format!(
            "let (is_7: [n_0]i64, z_10: f64, u_14: [n_0]i64, t_11: f64) =
               jvp \\(x_12: f64) -> ([n_0]i64, f64) {{ let (is_13: [n_0]i64) = {is} in (is_13, x_12) }} at (x_4) with (1.0f64)"
        )
    };
    assert!(numbered(&jvp("reverse js_3"), "") && !numbered(&jvp("iota i64 (n_0, 0i64, 1i64)"), ""));
}
