//! What reverse mode keeps of a loop, and how often it executes the loop's body, counted (digest 002_003, row R7; Notes [Strip-mining] and [Binomial
//! checkpoints]).

mod common;
use common::*;
use futi_core::ad::checkpoints::{Chosen, Options};
use futi_core::driver::pipeline::{Stage, stage_with};
use futi_core::ir::{Prim, Scalar, ScalarType, UnOp};
use futi_core::value::{Array, Value};

const ROWS: u64 = 1000;

/// The gradient of a loop with this attribute over a state of [`ROWS`] f64: how often the body was executed, and how many states were held at once.
fn cost(attribute: &str, trips: i64) -> (u64, u64, Vec<Value>) {
    cost_within(attribute, trips, None)
}

/// The same, where no more states are to be kept than so many.
fn cost_within(attribute: &str, trips: i64, states: Option<u64>) -> (u64, u64, Vec<Value>) {
    // exp's derivative is its result, so that each execution of the body counts
    let source = format!(
        "def f (n: i64) (xs: [{ROWS}]f64) = {attribute} loop ys = xs for _i < n do map (\\y -> f64.exp (-y)) ys
         entry main (n: i64) (xs: [{ROWS}]f64) = vjp (f n) xs (replicate {ROWS} 1)"
    );
    measured(&source, trips, states)
}

/// The same of this program.
fn measured(source: &str, trips: i64, states: Option<u64>) -> (u64, u64, Vec<Value>) {
    let compiled = futi_core::compile("test.fut", &|_: &str| Ok(source.to_string()));
    let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let checkpoints = states.map(|n| n * 8 * ROWS);
    let (program, _) = stage_with(program, Stage::Ad, Options { checkpoints, ..Options::default() })
        .unwrap_or_else(|e| panic!("{e:?}"));
    well_formed(&program, "ad");
    let xs: Vec<f64> = (0..ROWS).map(|i| i as f64 / ROWS as f64).collect();
    let given = [Scalar::I64(trips).into(), Array::from_vec(&[ROWS as usize], xs).into()];
    // the size, where it is a parameter
    let sizes = program.funs[0].params.len() - given.len();
    let args: Vec<Value> = (0..sizes).map(|_| Scalar::I64(ROWS as i64).into()).chain(given).collect();
    let (results, counters) = run(&program, &args);
    let executed = counters.prim(Prim::Un(UnOp::Exp, ScalarType::F64));
    (executed / ROWS, counters.peak / (8 * ROWS), results)
}

#[test]
fn strip_mining_trades_states_for_executions() {
    let (_, _, expected) = cost("", 64);
    // 64 trips: k loops of 64, 8, 4 and 2 trips each
    for (k, states) in [(1, 64), (2, 16), (3, 12), (6, 12)] {
        let (executed, held, gradient) = cost(&format!("#[stripmine({k})]"), 64);
        assert_eq!(executed, (k + 1) * 64, "k = {k}");
        // beside the states kept, the one at hand, what the body makes of it, and the adjoint before and after
        assert!((states..=states + 6).contains(&held), "k = {k}: {held} states, not {states}");
        assert_eq!(gradient, expected, "k = {k}");
    }
    // six loops of two trips each for 64, of three for 729
    let [few, many] = [64, 729].map(|trips| cost("#[stripmine(6)]", trips).1);
    assert_eq!(many - few, 6);
}

#[test]
fn every_trip_is_executed_whatever_their_number() {
    for trips in [0, 1, 2, 7, 8, 9, 26, 27, 28, 63, 65] {
        let (_, _, expected) = cost("", trips);
        for k in [2, 3] {
            let (executed, _, gradient) = cost(&format!("#[stripmine({k})]"), trips);
            assert_eq!(gradient, expected, "{trips} trips, k = {k}");
            assert!(executed <= (k + 1) * trips as u64, "{trips} trips, k = {k}: {executed}");
        }
    }
}

/// How often a trip is executed at most to come to a state, with so many states kept: the least r with C(states + r, states) >= trips.
fn repetitions(states: u64, trips: u64) -> u64 {
    let binomial = |r: u64| (1..=r).fold(1u64, |n, k| n * (states + k) / k);
    (0..).find(|r| binomial(*r) >= trips).unwrap_or_default()
}

#[test]
fn states_that_find_no_room_are_computed_again() {
    for trips in [0, 1, 2, 10, 64] {
        let (_, _, expected) = cost("", trips);
        for states in [1, 2, 3, 10, 63, 64, 200] {
            let (executed, held, gradient) = cost_within("", trips, Some(states));
            assert_eq!(gradient, expected, "{trips} trips, {states} states");
            let n = trips as u64;
            // once for the results and once to be reversed; with room for all states no more
            let again = if states >= n { 0 } else { repetitions(states, n) * n };
            assert!(executed <= 2 * n + again, "{trips} trips, {states} states: {executed} executions");
            assert!(executed >= 2 * n, "{trips} trips, {states} states: {executed} executions");
            if states == 1 && n > 0 {
                // to come to trip t the t trips before it
                assert_eq!(executed, 2 * n + n * (n - 1) / 2, "{trips} trips");
            }
            assert!(held <= states.min(n) + 7, "{trips} trips, {states} states: {held} held");
        }
    }
}

/// A settled array takes no room among the states, and is not updated again.
#[test]
fn beside_settled_arrays_states_that_find_no_room_are_computed_again() {
    let source = format!(
        "def f (n: i64) (xs: [{ROWS}]f64) =
           let (zs, ys) = loop (zs, ys) = (replicate n 1, xs) for i < n do
             let ys = map (\\y -> f64.exp (-y)) ys
             let z = if i < 2 then ys[0] else zs[i - 2] * ys[1]
             in (zs with [i] = z, ys)
           in f64.sum zs + f64.sum ys
         entry main (n: i64) (xs: [{ROWS}]f64) = vjp (f n) xs 1"
    );
    for trips in [0, 1, 2, 10, 64] {
        let (once, _, expected) = measured(&source, trips, None);
        for states in [1, 2, 10, 64] {
            let (executed, held, gradient) = measured(&source, trips, Some(states));
            assert_eq!(gradient, expected, "{trips} trips, {states} states");
            let n = trips as u64;
            let again = if states >= n { 0 } else { repetitions(states, n) * n };
            assert!(executed <= once + again, "{trips} trips, {states} states: {executed} executions");
            assert!(held <= states.min(n) + 8, "{trips} trips, {states} states: {held} held");
        }
    }
}

/// 1, 2, 3, 5, 10 states for 64 trips: by hand, r is the least with C(s + r, s) >= 64: C(1+63, 1) = 64, C(2+10, 2) = 66, C(3+6, 3) = 84, C(5+3, 5) = 56 < 64
/// <= C(5+4, 5) = 126, C(10+2, 10) = 66.
#[test]
fn repetitions_by_hand() {
    assert_eq!([1, 2, 3, 5, 10, 63, 64].map(|s| repetitions(s, 64)), [63, 10, 6, 4, 2, 1, 1]);
}

/// Three trips, by hand. With one state, the first, trips 0 and 1 are executed again to come to trip 2, and trip 0 to come to trip 1; with two, those before trips 0 and
/// 1, trip 1 to come to trip 2. How many there is room for does not depend on whether the size of a state is known before it runs.
#[test]
fn the_room_is_divided_by_the_size_of_a_state() {
    let source = "def f [m] (n: i64) (xs: [m]f64) = loop ys = xs for _i < n do map (\\y -> f64.exp (-y)) ys
         entry main [m] (n: i64) (xs: [m]f64) = vjp (f n) xs (replicate m 1)";
    for (states, again) in [(1, 3), (2, 1), (3, 0)] {
        assert_eq!(cost_within("", 3, Some(states)).0, 3 + 3 + again, "{states} states");
        assert_eq!(measured(source, 3, Some(states)).0, 3 + 3 + again, "{states} states, of a size known at run time");
    }
}

#[test]
fn what_is_chosen_is_reported_for_each_loop() {
    let source = "
        def a (x: f64) = loop x for _i < 10 do f64.sin x
        def b (n: i64) (x: f64) = loop x for _i < n do f64.sin x
        def c (n: i64) (x: f64) = #[stripmine(3)] loop x for _i < n do f64.sin x
        def d (x: f64) = loop x while x < 1 do x * 2
        entry main (n: i64) (x: f64) = (vjp a x 1, vjp (b n) x 1, vjp (c n) x 1, vjp d x 1)";
    let compiled = futi_core::compile("test.fut", &|_: &str| Ok(source.to_string()));
    let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let chosen = |checkpoints| {
        let (_, reports) = stage_with(program.clone(), Stage::Ad, Options { checkpoints, ..Options::default() })
            .unwrap_or_else(|e| panic!("{e:?}"));
        reports.into_iter().map(|r| r.chosen).collect::<Vec<_>>()
    };
    assert_eq!(chosen(None), [Chosen::All, Chosen::All, Chosen::StripMined(3), Chosen::All]);
    // ten states of eight bytes fit into 80 bytes; the number of the others is not known. That of the last is its number and its condition
    let few = |state| Chosen::Binomial { budget: 80, state: Some(state), settled: 0 };
    assert_eq!(chosen(Some(80)), [Chosen::All, few(8), Chosen::StripMined(3), few(9)]);
    assert_eq!(chosen(Some(79))[0], Chosen::Binomial { budget: 79, state: Some(8), settled: 0 });
}

/// What is chosen for the loops of a function of a number n and n numbers.
fn chosen_for(body: &str, checkpoints: Option<u64>) -> Vec<Chosen> {
    let source = format!(
        "def f [n] (xs: [n]f64) : f64 = {body}
         entry main [n] (xs: [n]f64) = vjp f xs 1"
    );
    let compiled = futi_core::compile("test.fut", &|_: &str| Ok(source.clone()));
    let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let (_, reports) = stage_with(program, Stage::Ad, Options { checkpoints, ..Options::default() })
        .unwrap_or_else(|e| panic!("{e:?}"));
    reports.into_iter().map(|r| r.chosen).collect()
}

/// Note [Settled arrays]: each element is written once, and read only after that.
#[test]
fn an_array_is_settled_if_it_is_read_behind_its_update_only() {
    let settled = [Chosen::InPlace { settled: 1, overwritten: 0 }];
    let overwritten = [Chosen::InPlace { settled: 0, overwritten: 1 }];
    let cases: [(&str, &[Chosen]); 7] = [
        // the element of this trip, from the updated array: what is written depends on it through the number that is carried
        (
            "let (ys, s) = loop (ys, s) = (replicate n 1, 0) for i < n do let ys = ys with [i] = xs[i] * s * s in (ys, s + ys[i] + 1) in f64.sum ys * s",
            &settled,
        ),
        // a row of this trip, from the updated array, element by element in a loop of its own
        (
            "let (ys, s) = loop (ys, s) = (replicate n (replicate 20 1), 0) for i < n do \
               let ys = ys with [i] = map (* s) (replicate 20 xs[i]) in let t = loop t = 1 for j < 20 do t * ys[i, j] in (ys, s + t + 1) \
             in f64.sum (flatten ys) * s",
            &[settled[0], Chosen::All],
        ),
        // before it is written
        (
            "let (ys, s) = loop (ys, s) = (replicate n 1, 0) for i < n do let r = s + ys[i] * s in (ys with [i] = xs[i] * s, r) in f64.sum ys * s",
            &overwritten,
        ),
        // in either branch an element that a later trip writes
        (
            "f64.sum (loop ys = copy xs for i < n do let v = if i < 3 then xs[i] else ys[n - 1 - i] * ys[n - 1 - i] in ys with [i] = v)",
            &overwritten,
        ),
        (
            "f64.sum (loop ys = copy xs for i < n do let v = if i > 3 then ys[n - 1 - i] * ys[n - 1 - i] else xs[i] in ys with [i] = v)",
            &overwritten,
        ),
        // one that is written before, in one branch
        (
            "f64.sum (loop ys = copy xs for i < n - 1 do let v = if i > 3 then ys[i] * ys[i] else xs[i] in ys with [i + 1] = v)",
            &settled,
        ),
        // what is updated is not what goes to the next trip
        (
            "f64.sum (loop ys = copy xs for i < n do let zs = ys with [i] = xs[i] * xs[i] in map (\\x -> x * zs[i]) xs)",
            &[Chosen::All],
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(chosen_for(body, None), expected, "{body}");
    }
}

/// Arrays that are settled are no part of a state; where the attribute says how many loops are made of one, it goes before the room.
#[test]
fn what_is_chosen_within_a_room() {
    let within = "let (ss, ys) = loop (ss, ys) = (replicate n 1, copy xs) for i < n do \
                    let (ys, r) = loop (ys, r) = (ys, 1) for j < 3 do let s = r * ys[j] in (ys with [(i + j) % n] = f64.sin ys[j] * r, s) \
                    in (ss with [i] = r * xs[i], ys) \
                  in f64.sum ss * f64.sum ys";
    let (outer, inner) =
        (Chosen::InPlace { settled: 1, overwritten: 1 }, Chosen::InPlace { settled: 0, overwritten: 1 });
    assert_eq!(chosen_for(within, None), [outer, inner]);
    let few = |settled| Chosen::Binomial { budget: 0, state: None, settled };
    assert_eq!(chosen_for(within, Some(0)), [few(1), few(0)]);
    let mined = "#[stripmine(1)] loop x = xs[0] for _i < n do f64.sin x";
    assert_eq!(chosen_for(mined, Some(0)), [Chosen::All]);
}

/// So many states of 16 bytes are more bytes than there are numbers for.
#[test]
fn states_beyond_all_numbers_do_not_fit() {
    let body = "(loop (x, y) = (xs[0], xs[1]) for _i < 9223372036854775807i64 do (y, f64.sin x)).0";
    assert_eq!(chosen_for(body, Some(80)), [Chosen::Binomial { budget: 80, state: Some(16), settled: 0 }]);
}

/// Derivatives of derivatives, indices of other types, sizes of the state known at run time only, bodies that update in place, loops within: with room for two
/// states or for none.
#[test]
fn loops_of_every_kind_with_few_states() {
    let source = r"
        def f [m] (n: i32) (xs: *[m]f64) : [m]f64 =
          loop xs for i < n do
            let j = i64.i32 i % m
            let xs[j] = xs[j] * f64.sin xs[(j + 1) % m]
            in loop ys = xs for _k < i % 3 do map (* 1.1) ys
        def k [n] (xs: [n]f64) : f64 =
          let into (acc: *acc ([]f64)) (x: f64) =
            (loop (acc: *acc ([]f64), x) = (acc, x) for i < 3 do (write acc i x, f64.sin (x * x + 1))).0
          in f64.sum (map f64.cos (reduce_by_index_stream (replicate 3 0) (+) 0 into xs))
        def g (n: i64) (x: f64) : f64 = loop x for i < n do f64.sin (x * f64.i64 i + 1)
        def h (x: f64) : f64 = (loop (x, k) = (x, 0i64) while k < 9 && x < 5 do (x * x + 0.1, k + 1)).0
        entry main (xs: []f64) (x: f64) =
          (vjp (\xs -> f 11 (copy xs)) xs (map (+ 1) xs), vjp k xs 1, vjp (vjp (g 7) x) 1 1, jvp (\x -> vjp (g 6) x 1) x 1, vjp h x 1)";
    let compiled = futi_core::compile("test.fut", &|_: &str| Ok(source.to_string()));
    let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let args = [Scalar::I64(3).into(), Array::from_vec(&[3], vec![0.5, 1.5, -0.7]).into(), Scalar::F64(0.3).into()];
    let (expected, _) = run(&at(&program, Stage::Simplified), &args);
    for budget in [0, 48, 1000] {
        let options = Options { checkpoints: Some(budget), ..Options::default() };
        for to in [Stage::Ad, Stage::Fused, Stage::Flat] {
            let (program, _) = stage_with(program.clone(), to, options).unwrap_or_else(|e| panic!("{e:?}"));
            well_formed(&program, to.name());
            let (results, _) = run(&program, &args);
            same(&results, &expected, &format!("{budget} bytes, {}", to.name()), &program);
        }
    }
}

/// The derivative of a function of a number n and n numbers by transformation and by definition, at n and 2n; gives the bytes allocated and elements copied by the
/// former at both.
fn in_place(body: &str, n: i64) -> [u64; 2] {
    in_place_by(body, "vjp f xs 1", n)
}

/// The same of this derivative.
fn in_place_by(body: &str, derivative: &str, n: i64) -> [u64; 2] {
    let source = format!(
        "def f [n] (xs: [n]f64) : f64 = {body}
         entry main [n] (xs: [n]f64) = {derivative}"
    );
    let compiled = futi_core::compile("test.fut", &|_: &str| Ok(source.clone()));
    let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let (derived, _) = stage_with(program.clone(), Stage::Ad, Options::default()).unwrap_or_else(|e| panic!("{e:?}"));
    well_formed(&derived, "ad");
    [n, 2 * n].map(|n| {
        let xs: Vec<f64> = (0..n).map(|i| 0.1 + i as f64 / n as f64).collect();
        let args = [Scalar::I64(n).into(), Array::from_vec(&[n as usize], xs).into()];
        let (expected, _) = run(&at(&program, Stage::Simplified), &args);
        let (got, counters) = run(&derived, &args);
        same(&got, &expected, body, &derived);
        counters.allocated / 8 + counters.copied
    })
}

/// Note [Settled arrays]: work and memory are linear, in the elements written.
#[test]
fn arrays_that_lose_no_value_are_not_kept_trip_by_trip() {
    let linear = [
        // each from the one before
        "f64.sum (loop ys = replicate n 1 for i < n - 1 do ys with [i + 1] = f64.sin ys[i] * xs[i])",
        // from two before, with a number that is carried
        "let (ys, s) = loop (ys, s) = (replicate n 1, 0) for i < n - 2 do let r = s + ys[i] in (ys with [i + 2] = f64.sin ys[i] * ys[i+1] * xs[i] + s, r) in f64.sum ys * s",
        // what is written is read again
        "let (ys, s) = loop (ys, s) = (replicate n 1, 0) for i < n do let ys = ys with [i] = xs[i] * s * s in (ys, s + ys[i] + 1) in f64.sum ys * s",
        // indices of 32 bits
        "f64.sum (loop ys = replicate n 1 for i < i32.i64 n - 1 do ys with [i + 1] = f64.sin ys[i] * xs[i])",
    ];
    for body in linear {
        let [once, twice] = in_place(body, 40);
        assert!(twice < 3 * once, "{body}: {once}, {twice}");
    }
    // a table, of n rows of ten; a row at once from the row before
    let table = "f64.sum (flatten (loop t = replicate n (replicate 10 1) for i < n - 1 do \
                 loop t for j < 9 do t with [i + 1, j + 1] = f64.sin t[i, j + 1] * xs[i] + t[i + 1, j]))";
    let rows = "f64.sum (flatten (loop t = replicate n (replicate 10 1) for i < n - 1 do \
                t with [i + 1] = map (\\j -> f64.sin t[i, j] * xs[i]) (iota 10)))";
    // beside it a number, which is a constant from the second trip on
    let beside = "f64.sum (flatten (loop t = replicate n (replicate 10 1) for i < n - 1 do \
                  (loop (t, k) = (t, 2.5) for j < 9 do (t with [i + 1, j + 1] = f64.sin t[i, j + 1] * xs[i] * k + t[i + 1, j], 1.5)).0))";
    for body in [table, rows, beside] {
        let [once, twice] = in_place(body, 20);
        assert!(twice < 3 * once, "{body}: {once}, {twice}");
    }
}

// Note [Tapes of overwritten elements]: work and memory are linear in the elements written, whatever was in them.

/// Loops that overwrite elements of an array.
const ELEMENTS: [&str; 17] = [
    // written twice, read before it is written, both
    "f64.sum (loop ys = replicate n 1 for i < n do ys with [i / 2] = f64.sin ys[i / 2] * xs[i])",
    "f64.sum (loop ys = copy xs for i < n - 1 do ys with [i] = f64.sin ys[i + 1] * xs[i] * ys[i])",
    "f64.sum (loop ys = copy xs for i < n - 1 do ys with [i + 1] = f64.sin ys[i + 1] * ys[i])",
    // all written in each trip of an outer loop
    "f64.sum (loop ys = copy xs for _i < 3 do loop ys for j < n - 1 do ys with [j + 1] = f64.sin ys[j] * xs[j])",
    // twice in a trip, and the second reads the first
    "f64.sum (loop ys = copy xs for i < n - 1 do let ys = ys with [i] = f64.sin ys[i] in ys with [i + 1] = ys[i] * ys[i + 1])",
    // in branches: as many updates in each, not as many, branches in branches
    "f64.sum (loop ys = copy xs for i < n - 1 do if i % 3 == 0 then ys with [i] = ys[i + 1] * ys[i] else ys with [i + 1] = f64.sin ys[i])",
    "f64.sum (loop ys = copy xs for i < n - 1 do if i % 3 == 0 then ys else ys with [i + 1] = f64.sin ys[i] * xs[i])",
    "f64.sum (loop ys = copy xs for i < n - 1 do if ys[i] < 0.7 then if i % 2 == 0 then ys with [i] = ys[i] * ys[i] else \
         let ys = ys with [i] = f64.sin ys[i + 1] in ys with [i + 1] = f64.cos ys[i] else ys)",
    // inner loops: of a constant number of trips, of one that depends on the outer loop's, in a branch, and what each has written read behind it
    "f64.sum (loop ys = copy xs for i < n do loop ys for j < i % 4 do ys with [(i + j) % n] = f64.sin ys[i] + 0.5 * ys[j])",
    "f64.sum (loop ys = copy xs for i < n do if i % 2 == 0 then loop ys for j < 3 do ys with [(i + j) % n] = f64.sin ys[i] * ys[j] else ys with [i] = ys[0] * ys[i])",
    "f64.sum (loop ys = copy xs for i < n - 1 do let ys = loop ys for j < 2 do ys with [i + j] = f64.sin ys[i + j] + ys[0] in ys with [0] = ys[i] * ys[i + 1])",
    // two arrays, one of integers; a number is carried beside; the index is of another type
    "let (ys, ks) = loop (ys, ks) = (copy xs, replicate n 0i64) for i < n - 1 do \
           let j = (i + ks[i]) % n let ks = ks with [i + 1] = ks[i] + ks[j] + 1 in (ys with [j] = f64.sin ys[ks[i] % n], ks) in f64.sum ys + f64.i64 (i64.sum ks)",
    "let (ys, s) = loop (ys, s) = (copy xs, 0) for i < i16.i64 n - 1i16 do let j = i64.i16 i let r = s + ys[j] / f64.i64 n in (ys with [j] = ys[j] * s + ys[j + 1], r) in f64.sum ys * s",
    // `while` loops: with a bound, inside, with a bound inside (then nothing is run to count trips, with a copy of the array that the condition reads)
    "(#[bound(1000)] loop (ys, i) = (copy xs, 0) while i < n - 1 do (ys with [i] = f64.sin ys[i + 1] * ys[i], i + 1)).0 |> f64.sum",
    "f64.sum (loop ys = copy xs for i < n - 2 do (loop (ys, j) = (ys, 0) while j < 2 && xs[i] > 0 do (ys with [i + j] = ys[i + j] * ys[i + j + 1], j + 1)).0)",
    "f64.sum (loop ys = copy xs for i < n - 2 do (#[bound(3)] loop (ys, j) = (ys, 0) while j < 2 && ys[i] > 0 do (ys with [i + j] = ys[i + j] * ys[i + j + 1], j + 1)).0)",
    // the array is used in the end, and so is what it was in the beginning
    "let zs = map f64.sin xs let ys = loop ys = copy zs for i < n - 1 do ys with [i] = ys[i] * ys[i + 1] in f64.sum (map2 (*) ys zs)",
];

/// Slices: of one size, of sizes that vary, backwards, in branches, in inner loops; what a scatter writes, in and out of range; two arrays at once.
const PARTS: [&str; 8] = [
    "f64.sum (loop ys = copy xs for i < n - 3 do ys with [i:i + 3] = map f64.sin ys[i + 1:i + 4])",
    "f64.sum (loop ys = copy xs for i < n - 4 do let k = i % 4 in ys with [i:i + k] = map (\\y -> f64.sin y * xs[i]) ys[i + 1:i + k + 1])",
    "f64.sum (loop ys = copy xs for i < n - 4 do let z = ys[i] in ys with [i + 3:i:-2] = map (\\y -> f64.sin y * z) ys[i:i + 2])",
    "f64.sum (loop ys = copy xs for i < n - 3 do if i % 2 == 0 then ys with [i:i + 3] = map f64.sin ys[i:i + 3] else if i % 3 == 0 then ys with [0] = ys[0] * ys[i] else ys)",
    "f64.sum (loop ys = copy xs for i < n - 3 do let ys = loop ys for j < i % 3 do let z = ys[j] in ys with [i:i + j] = map (* z) ys[i:i + j] in ys with [i] = f64.cos ys[i + 1])",
    "f64.sum (loop ys = copy xs for i < n do let z = f64.sin ys[i] in scatter ys (map (\\k -> (i + 7 * k) % n) (iota 3)) (map (\\k -> z * f64.i64 k) (iota 3)))",
    "f64.sum (loop ys = copy xs for i < n do let ys = ys with [i / 2] = ys[i] * ys[i / 2] in scatter ys [i, i - 5, i + n] [f64.sin ys[i], ys[0], 1])",
    "let (ys, zs) = loop (ys, zs) = (copy xs, copy xs) for i < n - 2 do \
           let (v, w) = (ys[i] * zs[i], f64.cos zs[i + 1]) let ys = ys with [i:i + 2] = map f64.sin zs[i:i + 2] in (ys, scatter zs [i, i + 1] [v, w]) in f64.sum ys * f64.sum zs",
];

fn are_linear(bodies: &[&str], derivative: &str, n: i64) {
    for body in bodies {
        let [once, twice] = in_place_by(body, derivative, n);
        assert!(twice < 3 * once, "{derivative}, {body}: {once}, {twice}");
    }
}

/// The return sweep is a loop that updates in place, too.
const SECOND: &str = "vjp (\\xs -> vjp f xs 1) xs xs";

#[test]
fn of_arrays_that_lose_values_what_is_overwritten_is_kept() {
    are_linear(&ELEMENTS, "vjp f xs 1", 80);
    are_linear(&PARTS, "vjp f xs 1", 80);
    // (elements that a function of many reads, of which the second derivative updates the adjoint as an accumulator: of that the states are kept)
    let [once, twice] = in_place(
        "f64.sum (loop ys = copy xs for i < n do scatter ys (map (\\k -> (i + 7 * k) % n) (iota 3)) (map (\\k -> f64.sin ys[(i + k) % n]) (iota 3)))",
        80,
    );
    assert!(twice < 3 * once, "{once}, {twice}");
}

#[test]
fn so_it_is_of_derivatives_of_derivatives() {
    are_linear(&ELEMENTS, SECOND, 24);
}

#[test]
fn so_it_is_of_derivatives_of_derivatives_of_what_writes_many_elements() {
    are_linear(&PARTS, SECOND, 24);
}

#[test]
fn of_tables_that_lose_values_what_is_overwritten_is_kept() {
    // of a table: an element, a row that reads rows, and what reads all of a row; an element here, and a row or a column there; blocks
    let rows = [
        "let t = t with [i, 0] = f64.sin t[i, 9] in t with [i / 2] = map f64.cos t[i]",
        "let t = t with [i, 1:4] = map f64.sin t[i, 3:6] in t with [i / 2:i / 2 + 3, i % 10] = map (* t[i, 0]) t[i / 2:i / 2 + 3, 7]",
        "t with [i / 2:i / 2 + 2, 8:0:-3] = map (map f64.cos) t[i / 3:i / 3 + 2, 1:4]",
        "t with [i, 3] = f64.sin t[i, 3] * t[(i * 7) % n, 2]",
        "let r = t[i] in t with [(i + 1) % n] = map2 (\\x y -> f64.sin x * y + xs[i]) t[(i + 1) % n] r",
        "let s = f64.sum (map f64.sin t[i]) let t[(i + 1) % n, 0] = s let t[i, 1] = f64.maximum t[(i + 1) % n] in t",
    ];
    for body in rows {
        let body = format!(
            "f64.sum (flatten (loop t = map (\\x -> map (\\j -> x + f64.i64 j) (iota 10)) xs for i < n do {body}))"
        );
        let [once, twice] = in_place(&body, 20);
        assert!(twice < 3 * once, "{body}: {once}, {twice}");
    }
}

/// Others are kept trip by trip, or read whole in each trip.
#[test]
fn other_arrays_are_kept_trip_by_trip() {
    let others = [
        "let (ys, zs) = loop (ys, zs) = (copy xs, copy xs) for i < n - 1 do (zs, ys with [i + 1] = f64.sin ys[i]) in f64.sum ys * f64.sum zs",
        "f64.sum (loop ys = copy xs for i < n - 1 do let s = f64.sum ys in ys with [i + 1] = f64.sin ys[i] * s)",
        // a neutral element is read whole
        "f64.sum (loop ys = copy xs for i < n do \
           let rs = reduce (\\x y -> map (\\j -> x[j] + y[j] + 0 * x[0]) (iota n)) ys (replicate 0 xs) in ys with [i] = f64.sum (map f64.sin rs))",
        // indices at the ends of their types
        "f64.sum (loop ys = copy xs for i < n do ys with [i] = if i == 77 then ys[i + i64.lowest] else f64.sin (f64.sum ys))",
        // a histogram
        "f64.sum (loop ys = copy xs for i < n do reduce_by_index ys (*) 1 [i, i / 2] [ys[i], f64.sin ys[n - 1 - i]])",
    ];
    for body in others {
        let [once, twice] = in_place(body, 10);
        assert!(twice > 3 * once, "{body}: {once}, {twice}");
    }
}

/// A `while` loop may have as many trips as its bound says, and no more: kept in full, with few states, and with arrays that change their shape.
#[test]
fn bounds_of_while_loops_are_exact() {
    let number = "(loop (x, i) = (x, 0i64) while i < n do (f64.sin x, i + 1)).0";
    let shapes = "f64.sum (loop (xs, i) = ([x], 0i64) while i < n do (map f64.sin xs ++ [x], i + 1)).0";
    for (body, states) in [(number, None), (number, Some(24)), (shapes, None)] {
        let source = format!(
            "def f (n: i64) (x: f64) : f64 = {}\nentry main (n: i64) (x: f64) = vjp (f n) x 1",
            body.replace("loop (", "#[bound(3)] loop (")
        );
        let compiled = futi_core::compile("test.fut", &|_: &str| Ok(source.clone()));
        let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
        let options = Options { checkpoints: states, ..Options::default() };
        let (derived, _) = stage_with(program.clone(), Stage::Ad, options).unwrap_or_else(|e| panic!("{e:?}"));
        let simplified = at(&program, Stage::Simplified);
        for n in 0..=4 {
            let args = [Scalar::I64(n).into(), Scalar::F64(0.5).into()];
            let got = futi_interp::eval(&derived, "main", &args, &futi_interp::Ctx::strict());
            if n > 3 {
                assert!(got.is_err(), "{body}: {n} trips");
                continue;
            }
            let (expected, _) = run(&simplified, &args);
            same(&got.unwrap_or_else(|e| panic!("{body}, {n} trips: {e}")), &expected, body, &derived);
        }
    }
}
