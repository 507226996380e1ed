-- B9, X10 (digest 000, tables 5.B, 5.F): second derivatives of products: by hand, the Hessian times a vector of ones. The Hessian of a
-- product is the product of the others; also where a zero is among them.

def f (dst: [1]f64, vs: [2]f64): f64 = (reduce_by_index (copy dst) (*) 1.0 [0, 0] vs)[0]

-- 2 * 3 * 5: the sums of two of the others. 2 * 3 * 0: 3 + 0, 2 + 0, 2 + 3.
-- ==
-- entry: hist_jvp_vjp hist_vjp_vjp hist_vjp_jvp hist_jvp_jvp
-- input { [2.0] [3.0, 5.0] }
-- output { [8.0] [7.0, 5.0] }
-- input { [2.0] [3.0, 0.0] }
-- output { [3.0] [2.0, 5.0] }
entry hist_jvp_vjp (dst: [1]f64) (vs: [2]f64): ([1]f64, [2]f64) = jvp (\x -> vjp f x 1.0) (dst, vs) ([1.0], [1.0, 1.0])

entry hist_vjp_vjp (dst: [1]f64) (vs: [2]f64): ([1]f64, [2]f64) = vjp (\x -> vjp f x 1.0) (dst, vs) ([1.0], [1.0, 1.0])

entry hist_vjp_jvp (dst: [1]f64) (vs: [2]f64): ([1]f64, [2]f64) = vjp (\x -> jvp f x ([1.0], [1.0, 1.0])) (dst, vs) 1.0

entry hist_jvp_jvp (dst: [1]f64) (vs: [2]f64): ([1]f64, [2]f64) =
  let second t = jvp (\x -> jvp f x ([1.0], [1.0, 1.0])) (dst, vs) t
  in ([second ([1.0], [0.0, 0.0])], [second ([0.0], [1.0, 0.0]), second ([0.0], [0.0, 1.0])])

-- a + 10 a b + 100 a b c at 2 3 5: by a 10 b + 100 b c + 1, whose derivatives are 10 + 100 c = 510, 100 b = 300 by b and c; by b 510 and
-- 100 a = 200; by c 300 and 200.
-- ==
-- entry: scan_jvp_vjp scan_vjp_vjp scan_vjp_jvp
-- input { [2.0, 3.0, 5.0] [1.0, 10.0, 100.0] }
-- output { [810.0, 710.0, 500.0] }
entry scan_jvp_vjp (xs: [3]f64) (seed: [3]f64): [3]f64 = jvp (\xs -> vjp (scan (*) 1.0) xs seed) xs [1.0, 1.0, 1.0]

entry scan_vjp_vjp (xs: [3]f64) (seed: [3]f64): [3]f64 = vjp (\xs -> vjp (scan (*) 1.0) xs seed) xs [1.0, 1.0, 1.0]

entry scan_vjp_jvp (xs: [3]f64) (seed: [3]f64): [3]f64 = vjp (\xs -> jvp (scan (*) 1.0) xs [1.0, 1.0, 1.0]) xs seed

-- 2 * 4 * 8, of powers of two, as the rule divides; and 2 * 3 * 0, as above: the sum of the others, as each partial is their product.
-- ==
-- entry: reduce_jvp_vjp reduce_vjp_vjp reduce_vjp_jvp
-- input { [2.0, 4.0, 8.0] }
-- output { [12.0, 10.0, 6.0] }
-- input { [2.0, 3.0, 0.0] }
-- output { [3.0, 2.0, 5.0] }
entry reduce_jvp_vjp (xs: [3]f64): [3]f64 = jvp (\xs -> vjp f64.product xs 1.0) xs [1.0, 1.0, 1.0]

entry reduce_vjp_vjp (xs: [3]f64): [3]f64 = vjp (\xs -> vjp f64.product xs 1.0) xs [1.0, 1.0, 1.0]

entry reduce_vjp_jvp (xs: [3]f64): [3]f64 = vjp (\xs -> jvp f64.product xs [1.0, 1.0, 1.0]) xs 1.0

-- Of values of different sizes: the product of two has the second derivative 1 by both, whatever they are. As a quotient's it would be rounding.
-- ==
-- entry: hist_sizes reduce_sizes
-- input { [0.001f32, 1000f32] } output { [1f32, 1f32] }
-- input { [1e-25f32, 1e10f32] } output { [1f32, 1f32] }
entry hist_sizes [n] (xs: [n]f32): [n]f32 =
  jvp (\xs -> vjp (\xs -> (reduce_by_index [1] (*) 1 (replicate n 0) xs)[0]) xs 1) xs (replicate n 1)

entry reduce_sizes [n] (xs: [n]f32): [n]f32 = jvp (\xs -> vjp f32.product xs 1) xs (replicate n 1)
