-- D14 (digest 000, table 5.D): no elements; no bins; neither; one of each; all indices out of range; all elements in one bin, the only
-- one, and one of three. Where a bin gets nothing, its adjoint goes to the destination. By hand: with everything in one bin the product
-- has 2*3*4*5, and x y 2 has 2*3*4*5 * 8; in one of three 3*5*6, and 3*5*6 * 4; each divided by the factor itself.
def f [w] [n] (op: f64 -> f64 -> f64) (ne: f64) (is: [n]i64) (dst: [w]f64, vs: [n]f64): [w]f64 = reduce_by_index (copy dst) op ne is vs

-- ==
-- entry: sum
-- input { empty([0]i64) [2.0, 3.0] empty([0]f64) [1.0, 10.0] }
-- output { [1.0, 10.0] empty([0]f64) }
-- input { [0i64, 1i64, -1i64] empty([0]f64) [4.0, 5.0, 6.0] empty([0]f64) }
-- output { empty([0]f64) [0.0, 0.0, 0.0] }
-- input { empty([0]i64) empty([0]f64) empty([0]f64) empty([0]f64) }
-- output { empty([0]f64) empty([0]f64) }
-- input { [0i64] [2.0] [3.0] [10.0] }
-- output { [10.0] [10.0] }
-- input { [2i64, -1i64, 7i64] [2.0, 3.0] [4.0, 5.0, 6.0] [1.0, 10.0] }
-- output { [1.0, 10.0] [0.0, 0.0, 0.0] }
-- input { [0i64, 0i64, 0i64] [2.0] [3.0, 4.0, 5.0] [10.0] }
-- output { [10.0] [10.0, 10.0, 10.0] }
-- input { [1i64, 1i64] [2.0, 3.0, 4.0] [5.0, 6.0] [1.0, 10.0, 100.0] }
-- output { [1.0, 10.0, 100.0] [10.0, 10.0] }
entry sum [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [n]f64) =
  vjp (f (+) 0.0 is) (dst, vs) seed

-- ==
-- entry: product
-- input { empty([0]i64) [2.0, 3.0] empty([0]f64) [1.0, 10.0] }
-- output { [1.0, 10.0] empty([0]f64) }
-- input { [0i64, 1i64, -1i64] empty([0]f64) [4.0, 5.0, 6.0] empty([0]f64) }
-- output { empty([0]f64) [0.0, 0.0, 0.0] }
-- input { empty([0]i64) empty([0]f64) empty([0]f64) empty([0]f64) }
-- output { empty([0]f64) empty([0]f64) }
-- input { [0i64] [2.0] [3.0] [10.0] }
-- output { [30.0] [20.0] }
-- input { [2i64, -1i64, 7i64] [2.0, 3.0] [4.0, 5.0, 6.0] [1.0, 10.0] }
-- output { [1.0, 10.0] [0.0, 0.0, 0.0] }
-- input { [0i64, 0i64, 0i64] [2.0] [3.0, 4.0, 5.0] [10.0] }
-- output { [600.0] [400.0, 300.0, 240.0] }
-- input { [1i64, 1i64] [2.0, 3.0, 4.0] [5.0, 6.0] [1.0, 10.0, 100.0] }
-- output { [1.0, 300.0, 100.0] [180.0, 150.0] }
entry product [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [n]f64) =
  vjp (f (*) 1.0 is) (dst, vs) seed

-- ==
-- entry: maximum
-- input { empty([0]i64) [2.0, 3.0] empty([0]f64) [1.0, 10.0] }
-- output { [1.0, 10.0] empty([0]f64) }
-- input { [0i64, 1i64, -1i64] empty([0]f64) [4.0, 5.0, 6.0] empty([0]f64) }
-- output { empty([0]f64) [0.0, 0.0, 0.0] }
-- input { empty([0]i64) empty([0]f64) empty([0]f64) empty([0]f64) }
-- output { empty([0]f64) empty([0]f64) }
-- input { [0i64] [2.0] [3.0] [10.0] }
-- output { [0.0] [10.0] }
-- input { [2i64, -1i64, 7i64] [2.0, 3.0] [4.0, 5.0, 6.0] [1.0, 10.0] }
-- output { [1.0, 10.0] [0.0, 0.0, 0.0] }
-- input { [0i64, 0i64, 0i64] [2.0] [3.0, 4.0, 5.0] [10.0] }
-- output { [0.0] [0.0, 0.0, 10.0] }
-- input { [1i64, 1i64] [2.0, 3.0, 4.0] [5.0, 6.0] [1.0, 10.0, 100.0] }
-- output { [1.0, 0.0, 100.0] [0.0, 10.0] }
entry maximum [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [n]f64) =
  vjp (f f64.max f64.lowest is) (dst, vs) seed

-- ==
-- entry: minimum
-- input { empty([0]i64) [2.0, 3.0] empty([0]f64) [1.0, 10.0] }
-- output { [1.0, 10.0] empty([0]f64) }
-- input { [0i64, 1i64, -1i64] empty([0]f64) [4.0, 5.0, 6.0] empty([0]f64) }
-- output { empty([0]f64) [0.0, 0.0, 0.0] }
-- input { empty([0]i64) empty([0]f64) empty([0]f64) empty([0]f64) }
-- output { empty([0]f64) empty([0]f64) }
-- input { [0i64] [2.0] [3.0] [10.0] }
-- output { [10.0] [0.0] }
-- input { [2i64, -1i64, 7i64] [2.0, 3.0] [4.0, 5.0, 6.0] [1.0, 10.0] }
-- output { [1.0, 10.0] [0.0, 0.0, 0.0] }
-- input { [0i64, 0i64, 0i64] [2.0] [3.0, 4.0, 5.0] [10.0] }
-- output { [10.0] [0.0, 0.0, 0.0] }
-- input { [1i64, 1i64] [2.0, 3.0, 4.0] [5.0, 6.0] [1.0, 10.0, 100.0] }
-- output { [1.0, 10.0, 100.0] [0.0, 0.0] }
entry minimum [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [n]f64) =
  vjp (f f64.min f64.highest is) (dst, vs) seed

-- ==
-- entry: general
-- input { empty([0]i64) [2.0, 3.0] empty([0]f64) [1.0, 10.0] }
-- output { [1.0, 10.0] empty([0]f64) }
-- input { [0i64, 1i64, -1i64] empty([0]f64) [4.0, 5.0, 6.0] empty([0]f64) }
-- output { empty([0]f64) [0.0, 0.0, 0.0] }
-- input { empty([0]i64) empty([0]f64) empty([0]f64) empty([0]f64) }
-- output { empty([0]f64) empty([0]f64) }
-- input { [0i64] [2.0] [3.0] [10.0] }
-- output { [60.0] [40.0] }
-- input { [2i64, -1i64, 7i64] [2.0, 3.0] [4.0, 5.0, 6.0] [1.0, 10.0] }
-- output { [1.0, 10.0] [0.0, 0.0, 0.0] }
-- input { [0i64, 0i64, 0i64] [2.0] [3.0, 4.0, 5.0] [10.0] }
-- output { [4800.0] [3200.0, 2400.0, 1920.0] }
-- input { [1i64, 1i64] [2.0, 3.0, 4.0] [5.0, 6.0] [1.0, 10.0, 100.0] }
-- output { [1.0, 1200.0, 100.0] [720.0, 600.0] }
entry general [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [n]f64) =
  vjp (f (\x y -> x * y * 2.0) 0.5 is) (dst, vs) seed
