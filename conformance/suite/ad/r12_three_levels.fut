-- R12 (digest 002, 6.2), three levels deep: each element is written once, from the one before it in the outermost dimension, and its place in the
-- product is kept by the array itself; a number beside it is set anew in each trip. xs[i, j, k] = ass[i, j, k] xs[i - 1, j, k]: the columns are [2, 3]
-- and [5, 7]: [2, 6] with the adjoint 1 + 3 = 4 and 2; [5, 35]: 8, 5.
-- ==
-- entry: plain
-- input { [[[2.0, 5.0]], [[3.0, 7.0]]] } output { [[[2.0, 5.0]], [[6.0, 35.0]]] [[[4.0, 8.0]], [[2.0, 5.0]]] }
entry plain [n] [m] [l] (ass: [n][m][l]f64): ([n][m][l]f64, [n][m][l]f64) =
  vjp2 (\ass -> loop xs = copy ass for i in 1..<n do
                  loop xs for j < m do
                    loop xs for k < l do xs with [i, j, k] = ass[i, j, k] * xs[i - 1, j, k])
       ass (replicate n (replicate m (replicate l 1)))

-- What a map in the loop reads is read by the loop: here values before they are overwritten. xs[i] becomes the sum of squares: [1, 2], [5, 2], [5, 29]; with
-- the seed [1, 10] x0' has 1 + 10 * 2 * 5 = 101, x1 has 10 * 2 * 2 = 40, then x0 101 * 2 and x1 101 * 4 more.
-- ==
-- entry: read_in_a_map
-- input { [1.0, 2.0] } output { [5.0, 29.0] [202.0, 444.0] }
entry read_in_a_map [n] (as: [n]f64): ([n]f64, [n]f64) =
  let f as = loop xs = copy as for i < n do xs with [i] = f64.sum (map (\k -> xs[k] * xs[k]) (iota n))
  in vjp2 f as (map (\i -> 10 ** f64.i64 i) (iota n))

-- Beside the array, what the last trip was: 1 where there was one. xs[i] = as[i] xs[i - 1]; [2, 3, 5]: 2, 6, 30; 1 + 3 + 15, 2 + 10, 6.
-- ==
-- entry: beside
-- input { [2.0, 3.0, 5.0] } output { [2.0, 6.0, 30.0] 1.0 [19.0, 12.0, 6.0] }
-- input { [2.0] } output { [2.0] 0.0 [1.0] }
entry beside [n] (as: [n]f64): ([n]f64, f64, [n]f64) =
  let f (as: [n]f64) = loop (xs, z) = (copy as, 0.0) for i in 1..<n do (xs with [i] = as[i] * xs[i - 1], 1.0)
  let ((xs, z), as') = vjp2 f as (replicate n 1, 0)
  in (xs, z, as')
