-- A recursive function whose results have sizes that only it knows, each its own: the derivative's adjoints have them. By hand, with n = 0: (x) and (x, x^2), whose sums'
-- product x^2 + x^3 has the derivative 2x + 3x^2; with n = 1: (x/2, x^2/2) and (x/2, x^2/4, x), (1/2 + x) (3x/2 + x^2/4) + (x/2 + x^2/2) (3/2 + x/2). The second sum
-- alone: 1 + 2x, 3/2 + x/2.
def grown (n: i64) (x: f64): ?[k][l].([k]f64, [l]f64) =
  if n == 0
  then ([x], [x, x * x])
  else let (a, b) = grown (n - 1) (x * 0.5)
       in (a ++ [x * a[0]], b ++ [x])

-- ==
-- entry: both
-- input { 0i64 2.0 } output { 16.0 }
-- input { 1i64 2.0 } output { 17.5 }
entry both (n: i64) (x: f64): f64 = vjp (\x -> let (a, b) = grown n x in f64.sum a * f64.sum b) x 1

-- ==
-- entry: one
-- input { 0i64 2.0 } output { 5.0 }
-- input { 1i64 2.0 } output { 2.5 }
entry one (n: i64) (x: f64): f64 = vjp (\x -> let (_, b) = grown n x in f64.sum b) x 1

-- ==
-- entry: first
-- input { 0i64 2.0 } output { 1.0 }
-- input { 1i64 2.0 } output { 2.5 }
entry first (n: i64) (x: f64): f64 = vjp (\x -> let (a, _) = grown n x in f64.sum a) x 1
