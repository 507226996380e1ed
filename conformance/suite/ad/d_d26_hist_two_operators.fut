-- D26 (digest 000, table 5.D): a sum and a product over the same indices, of elements that a map makes, in one histogram of pairs and in
-- two. Expected are D1's and D3's literal vectors, of elements 2 v and v: the elements' adjoint is twice the sum's and once the product's.
def together [w] [n] (is: [n]i64) (d1: [w]f64, d2: [w]f64, vs: [n]f64): ([w]f64, [w]f64) =
  unzip (reduce_by_index (zip d1 d2) (\(a, b) (c, d) -> (a + c, b * d)) (0.0, 1.0) is (map (\v -> (2.0 * v, v)) vs))

def apart [w] [n] (is: [n]i64) (d1: [w]f64, d2: [w]f64, vs: [n]f64): ([w]f64, [w]f64) =
  (reduce_by_index (copy d1) (+) 0.0 is (map (2.0 *) vs), reduce_by_index (copy d2) (*) 1.0 is vs)

-- ==
-- entry: one two
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [1.0, 2.0, 3.0, 4.0] [2.0, 3.0, 5.0, 7.0]
--   [2.0, 3.0, 9.0, 0.0, 9.0, 7.0, 6.0, 5.0, 9.0] [1.0, 10.0, 100.0, 1000.0] }
-- output { [1.0, 10.0, 100.0, 1000.0] [21.0, 10.0, 0.0, 6000.0] [200.0, 16.0, 0.0, 5200.0, 0.0, 8.0, 9000.0, 200.0, 0.0] }
entry one [w] [n] (is: [n]i64) (d1: [w]f64) (d2: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [w]f64, [n]f64) =
  vjp (together is) (d1, d2, vs) (seed, seed)

entry two [w] [n] (is: [n]i64) (d1: [w]f64) (d2: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [w]f64, [n]f64) =
  vjp (apart is) (d1, d2, vs) (seed, seed)

-- All elements move by 1: a sum by twice the number of elements; the product 2*3*7 by 2*7 + 2*3, 5*2*0*5 by 5*2*5, 7*6 by 7.
-- ==
-- entry: one_forward two_forward
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [1.0, 2.0, 3.0, 4.0] [2.0, 3.0, 5.0, 7.0]
--   [2.0, 3.0, 9.0, 0.0, 9.0, 7.0, 6.0, 5.0, 9.0] }
-- output { [4.0, 0.0, 6.0, 2.0] [20.0, 0.0, 50.0, 7.0] }
entry one_forward [w] [n] (is: [n]i64) (d1: [w]f64) (d2: [w]f64) (vs: [n]f64): ([w]f64, [w]f64) =
  jvp (together is) (d1, d2, vs) (replicate w 0.0, replicate w 0.0, replicate n 1.0)

entry two_forward [w] [n] (is: [n]i64) (d1: [w]f64) (d2: [w]f64) (vs: [n]f64): ([w]f64, [w]f64) =
  jvp (apart is) (d1, d2, vs) (replicate w 0.0, replicate w 0.0, replicate n 1.0)
