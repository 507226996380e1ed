-- A8 (digest 002): a Jacobian of blocks is recovered from as many passes as a block is wide, by seeds that are sums of unit vectors. Blocks
-- (a b, a + b^2): [[b, a], [1, 2 b]]. Expected values by hand from that.
-- ==
-- entry: forward reverse
-- input { [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] }
-- output { [[[2.0, 1.0], [1.0, 4.0]], [[4.0, 3.0], [1.0, 8.0]], [[6.0, 5.0], [1.0, 12.0]]] }
-- input { empty([0]f64) } output { empty([0][2][2]f64) }
def f [n] (xs: [n]f64): [n]f64 = tabulate n (\i -> if i % 2 == 0 then xs[i] * xs[i + 1] else xs[i - 1] + xs[i] * xs[i])

def seed (n: i64) (k: i64): [n]f64 = tabulate n (\i -> f64.bool (i % 2 == k))

-- Two directions: columns.
entry forward [n] (xs: [n]f64): [][2][2]f64 =
  let columns = map (\k -> jvp f xs (seed n k)) (iota 2)
  in tabulate_3d (n / 2) 2 2 (\b r c -> columns[c, 2 * b + r])

-- Two adjoints: rows.
entry reverse [n] (xs: [n]f64): [][2][2]f64 =
  let rows = map (\k -> vjp f xs (seed n k)) (iota 2)
  in tabulate_3d (n / 2) 2 2 (\b r c -> rows[r, 2 * b + c])
