//! Loops that the device decides the end of: how often the host waits for it, and what comes out.

use crate::Test;
use crate::programs::Running;
use futi_core::failure::FailureKind;
use futi_vk::device::Options;

pub const TESTS: &[Test] = &[
    ("loops::the_host_looks_now_and_then", looks),
    ("loops::who_is_ahead_finds_the_failure", fails),
    ("loops::little_work_is_one_invocations", whole),
];

/// In round k, from 0 on, as long as the sum of `a` is below n m: adds 1 to each element of `a`, which must not be `bad`; writes k to `s`[k mod 2]; adds 1 to `e` where the new `a` is even; `b` and
/// `c` change places. There are m rounds.
const ROUNDS: &str = r#"entry "main"(n_0: i64, m_1: i64, bad_2: i64) -> (r_3: i64, r_4: [n_0]i64, r_5: [n_0]i64, r_6: [n_0]i64, r_7: [n_0]i64, r_8: [n_0]i64)
  sig 0 ("n": i64, "m": i64, "bad": i64) -> (i64, ["n"]i64, ["n"]i64, ["n"]i64, ["n"]i64, ["n"]i64) {
  let (a_9: [n_0]i64) = replicate [n_0] 0i64
  let (s_10: [n_0]i64) = replicate [n_0] 0i64
  let (e_11: [n_0]i64) = replicate [n_0] 0i64
  let (c_12: [n_0]i64) = replicate [n_0] 7i64
  let (most_13: i64) = mul.i64(m_1, n_0)
  let (goes_14: bool) = lt.i64(0i64, most_13)
  let (k_15: i64, a_16: [n_0]i64, s_17: [n_0]i64, e_18: [n_0]i64, b_19: [n_0]i64, c_20: [n_0]i64, go_21: bool) =
    loop (k_22: i64 = 0i64, a_23: [n_0]i64 = a_9, *s_24: [n_0]i64 = s_10, e_25: [n_0]i64 = e_11, b_26: [n_0]i64 = a_9, c_27: [n_0]i64 = c_12, go_28: bool = goes_14)
    while go_28 do {
      let (k_29: [1]i64) = array [k_22] of i64
      let (at_30: i64) = mod.i64(k_22, 2i64)
      let (at_31: [1]i64) = array [at_30] of i64
      let (s_32: [n_0]i64) = scatter 1 (at_31, k_29) map \(i_33: i64, v_34: i64) -> (i64, i64) { in (i_33, v_34) } dest [n_0] s_24
      let (sum_35: i64, a_36: [n_0]i64) = screma n_0 (a_23) map \(x_37: i64) -> (i64, i64) {
        let (t_38: i64) = add.i64(x_37, 1i64)
        let (t_39: i64) = sub.i64(x_37, bad_2)
        let (check_40: cert) = check nonzero t_39
        let (t_41: i64) = div.i64(0i64, t_39) certs (check_40)
        let (t_42: i64) = add.i64(t_38, t_41)
        in (t_42, t_42)
      } reduce comm \(x_43: i64, y_44: i64) -> (i64) {
        let (t_45: i64) = add.i64(x_43, y_44)
        in (t_45)
      } neutral (0i64)
      let (first_46: i64) = index a_36[0i64]
      let (rest_47: i64) = mod.i64(first_46, 2i64)
      let (even_48: bool) = eq.i64(rest_47, 0i64)
      let (e_49: [n_0]i64) = if even_48 then {
        let (up_50: [n_0]i64) = screma n_0 (e_25) map \(x_51: i64) -> (i64) {
          let (t_52: i64) = add.i64(x_51, 1i64)
          in (t_52)
        }
        in (up_50)
      } else { in (e_25) }
      let (k_53: i64) = add.i64(k_22, 1i64)
      let (go_54: bool) = lt.i64(sum_35, most_13)
      in (k_53, a_36, s_32, e_49, c_27, b_26, go_54)
    }
  in (k_15, a_16, s_17, e_18, b_19, c_20)
}"#;

fn running(tuning: &[(&str, i64)]) -> Running {
    Running::tuned(ROUNDS, Options::from_env().unwrap(), tuning)
}

/// m rounds of two elements, by hand: of k = 0 to m - 1 the last even one and the last odd one are written; half of the a's, 1 to m, are even; b has 7s after an odd number of rounds.
fn expected(m: i64) -> String {
    let last = |parity: i64| (0..m).rev().find(|k| k % 2 == parity).unwrap_or(0);
    let (b, c) = if m % 2 == 0 { (0, 7) } else { (7, 0) };
    let half = m / 2;
    let [even, odd] = [last(0), last(1)];
    format!("{m}i64 [{m}i64, {m}i64] [{even}i64, {odd}i64] [{half}i64, {half}i64] [{b}i64, {b}i64] [{c}i64, {c}i64]")
}

fn looks() {
    // the rounds, how far the host may be ahead, and how often it may wait: with twice as many rounds each time, 12 times for the first 4095, and once for as many again or 32768 launches; and
    // once at the end
    for (m, batch, most) in
        [(0, 4096, 3), (1, 4096, 4), (2, 4096, 5), (7, 4096, 7), (100, 1, 110), (6000, 4096, 20), (6001, 4096, 20)]
    {
        let running = running(&[("batch", batch)]);
        running.gives(&format!("2i64 {m}i64 -1i64"), &expected(m));
        let looks = running.program.profile().looks;
        assert!(looks <= most, "{looks} looks for {m} rounds");
    }
}

fn fails() {
    // the element is 700 in round 700, when the host is further, and would be in round 900 of 900, which there is not
    let running = running(&[]);
    let error = running.call("2i64 900i64 700i64").unwrap_err();
    assert_eq!((error.kind, &error.message[..]), (FailureKind::DivisionByZero, "division by zero"));
    running.gives("2i64 900i64 900i64", &expected(900));
}

/// The sums of the rows of a matrix so many times, each time with the count in its place.
const WHOLE: &str = r#"entry "main"(n_0: i64, t_1: i64, a_2: [n_0][n_0]i64) -> (r_3: [n_0]i64)
  sig 0 ("n": i64, "t": i64, "a": ["n"]["n"]i64) -> ["n"]i64 {
  let (x_4: [n_0]i64) = replicate [n_0] 1i64
  let (x_5: [n_0]i64) = loop (x_6: [n_0]i64 = x_4) for i_7: i64 < t_1 do {
    let (y_8: [n_0]i64) = screma n_0 (a_2) map \(row_9: [n_0]i64) -> (i64) {
      let (sum_10: i64) = screma n_0 (row_9, x_6) map \(p_11: i64, q_12: i64) -> (i64) {
        let (t_13: i64) = mul.i64(p_11, q_12)
        in (t_13)
      } reduce comm \(x_14: i64, y_15: i64) -> (i64) {
        let (t_16: i64) = add.i64(x_14, y_15)
        in (t_16)
      } neutral (0i64)
      let (t_17: i64) = add.i64(sum_10, i_7)
      let (t_18: i64) = mod.i64(t_17, 1000i64)
      in (t_18)
    }
    in (y_8)
  }
  in (x_5)
}"#;

fn whole() {
    // x = A x + i, modulo 1000, A = [[1, 1], [0, 1]]: the second is 1 + 0 + 1 + ... + (t - 1), and the first the sum of those and of i
    let expected = |t: i64| {
        let step = |[x, y]: [i64; 2], i: i64| [(x + y + i) % 1000, (y + i) % 1000];
        (0..t).fold([1, 1], step)
    };
    for t in [0, 1, 5, 20_000] {
        let [x, y] = expected(t);
        let mut launches = Vec::new();
        for whole_loops in [0, 1000] {
            if whole_loops == 0 && t > 5 {
                continue;
            }
            let running = Running::tuned(WHOLE, Options::from_env().unwrap(), &[("whole_loops", whole_loops)]);
            running.gives(&format!("2i64 {t}i64 [[1i64, 1i64], [0i64, 1i64]]"), &format!("[{x}i64, {y}i64]"));
            launches.push(running.program.profile().kernels.iter().map(|k| k.launches).sum::<u64>());
        }
        // what a launch may do is limited by the driver alone: hundreds of rounds fit
        assert!(*launches.last().unwrap() <= 2 + (t as u64).div_ceil(100), "{launches:?} for {t} rounds");
    }
}
