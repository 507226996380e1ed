-- R35 (digest 002): gathers and scatters after one another. From xs the elements at [2, 0] squared, put at [1, 3] of ys, and of that [3, 3,
-- 0, 1] times [1, 10, 100, 1000]: ys' = [y0, x2^2, y2, x0^2]. By x0 (1 + 10) 2 x0, by x2 1000 * 2 x2, by y0 100.
-- ==
-- input { [2.0, 3.0, 4.0] [5.0, 6.0, 7.0, 8.0] } output { [4.0, 40.0, 500.0, 16000.0] [44.0, 0.0, 8000.0] [100.0, 0.0, 0.0, 0.0] }
entry main (xs: [3]f64) (ys: [4]f64): ([4]f64, [3]f64, [4]f64) =
  let f (xs: [3]f64, ys: [4]f64): [4]f64 =
    let vs = map (\i -> xs[i] * xs[i]) [2, 0]
    let zs = scatter (copy ys) [1, 3] vs
    in map2 (\i k -> k * zs[i]) [3, 3, 0, 1] [1, 10, 100, 1000]
  let (v, (xs', ys')) = vjp2 f (xs, ys) [1, 1, 1, 1]
  in (v, xs', ys')

-- A permutation and its inverse: nothing but the factor 2 remains, of scatter (gather xs p) p, and of gather (scatter xs p) p.
-- ==
-- entry: inverse
-- input { [2i64, 0i64, 1i64] [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] } output { [2.0, 20.0, 200.0] [2.0, 20.0, 200.0] }
entry inverse [n] (p: [n]i64) (xs: [n]f64) (adj: [n]f64): ([n]f64, [n]f64) =
  let there (xs: [n]f64) = scatter (replicate n 0) p (map (\i -> 2 * xs[i]) p)
  let back (xs: [n]f64) = let ys = scatter (replicate n 0) p xs in map (\i -> 2 * ys[i]) p
  in (vjp there xs adj, vjp back xs adj)
