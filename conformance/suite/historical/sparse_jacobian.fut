-- Futhark #1878 (futhark-compat.md §7): of sums over places computed from several indices reverse mode gave a Jacobian of zeros, forward mode the
-- right one. y[i] = x[i] x[0] + x[i+1] x[1] + x[i+2] x[2]: x[0]^2 + x[1]^2 + x[2]^2 has the row (2 x[0], 2 x[1], 2 x[2], 0), x[1] x[0] + x[2] x[1] +
-- x[3] x[2] the row (x[1], x[0] + x[2], x[1] + x[3], x[2]). At [1, 2, 3, 4] (2, 4, 6, 0) and (2, 4, 6, 3).
def f (x: [4]f64): [2]f64 =
  map f64.sum (tabulate_2d 2 3 (\i k -> x[i + k] * x[k]))

def unit (n: i64) (i: i64): [n]f64 = tabulate n (\j -> f64.bool (i == j))

-- A row for each result, a column for each argument.
-- ==
-- entry: reverse forward
-- input { [1.0, 2.0, 3.0, 4.0] } output { [[2.0, 4.0, 6.0, 0.0], [2.0, 4.0, 6.0, 3.0]] }
entry reverse (x: [4]f64): [2][4]f64 = tabulate 2 (\i -> vjp f x (unit 2 i))

entry forward (x: [4]f64): [2][4]f64 = transpose (tabulate 4 (\j -> jvp f x (unit 4 j)))
