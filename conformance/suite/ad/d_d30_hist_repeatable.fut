-- D30 (digest 000, table 5.D): adjoints are the same in each run: of integers the numbers themselves; of floats within what the order of a
-- sum may change. (The harness runs each program with other schedules; a GPU's runs are compared with the interpreter's.)

-- D2's and D1's literal vectors, in integers.
-- ==
-- entry: products
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [2i32, 3i32, 5i32, 0i32] [2i32, 3i32, 9i32, 4i32, 9i32, 7i32, 6i32, 5i32, 9i32]
--   [1i32, 10i32, 100i32, 1000i32] }
-- output { [21i32, 10i32, 4000i32, 6000i32] [10000i32, 14i32, 0i32, 5000i32, 0i32, 6i32, 0i32, 4000i32, 0i32] }
entry products [w] [n]
               (is: [n]i64)
               (dst: [w]i32)
               (vs: [n]i32)
               (seed: [w]i32) : ([w]i32, [n]i32) =
  vjp (\(dst, vs) -> reduce_by_index (copy dst) (*) 1 is vs) (dst, vs) seed

-- ==
-- entry: sums
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [1i32, 2i32, 3i32, 4i32]
--   [10i32, 11i32, 12i32, 13i32, 14i32, 15i32, 16i32, 17i32, 18i32] [1i32, 10i32, 100i32, 1000i32] }
-- output { [1i32, 10i32, 100i32, 1000i32] [100i32, 1i32, 0i32, 100i32, 0i32, 1i32, 1000i32, 100i32, 0i32] }
entry sums [w] [n]
           (is: [n]i64)
           (dst: [w]i32)
           (vs: [n]i32)
           (seed: [w]i32) : ([w]i32, [n]i32) =
  vjp (\(dst, vs) -> reduce_by_index (copy dst) (+) 0 is vs) (dst, vs) seed

-- A sum of fractions in which all adjoints meet: of 3000 values that are read from three places, 1/3 x each. By hand 1000/3.
-- ==
-- entry: gathered
-- input { [1.0, 2.0, 4.0] 3000i64 } output { 2333.3333333333335 [333.3333333333333, 333.3333333333333, 333.3333333333333] }
entry gathered (xs: [3]f64) (n: i64) : (f64, [3]f64) =
  vjp2 (\xs -> f64.sum (map (\i -> xs[i % 3] / 3) (iota n))) xs 1
