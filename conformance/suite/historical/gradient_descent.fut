-- Futhark #2059 (futhark-compat.md §7): a loop around the gradient by two arguments, one of them a matrix with one column, was an internal error of
-- the compiler: a pass before AD took the derivative for a node with fewer results than it has. Two steps of descent on the sum of r^2, r = xss w + b
-- - ys: by w 2 r xs, by b 2 r. xss = [[1], [2]], ys = [1, 3], from 0 by 1/8: r = [-1, -3], -14 and -8, so w = 1.75 and b = 1; r = [1.75, 1.5], 9.5
-- and 6.5, so w = 0.5625 and b = 0.1875.
-- ==
-- input { [[1.0], [2.0]] [1.0, 3.0] 2i64 } output { [[0.5625]] 0.1875 }
-- input { [[1.0], [2.0]] [1.0, 3.0] 1i64 } output { [[1.75]] 1.0 }
-- input { [[1.0], [2.0]] [1.0, 3.0] 0i64 } output { [[0.0]] 0.0 }
-- input { empty([0][2]f64) empty([0]f64) 3i64 } output { [[0.0], [0.0]] 0.0 }
def loss [n] [m] (xss: [n][m]f64) (ys: [n]f64) (b: f64) (w: [m][1]f64): f64 =
  f64.sum (map2 (\xs y -> let r = f64.sum (map2 (*) xs (transpose w)[0]) + b - y in r * r) xss ys)

entry main [n] [m] (xss: [n][m]f64) (ys: [n]f64) (k: i64): ([m][1]f64, f64) =
  loop (w, b) = (replicate m [0.0], 0.0) for _i < k do
    let (b', w') = vjp (\(b, w) -> loss xss ys b w) (b, w) 1.0
    in (map2 (map2 (\x d -> x - d / 8.0)) w w', b - b' / 8.0)
