-- A4: the Jacobian of a map R^4 -> R^3 by columns and by rows. f = (a b, c + d^2, a c d).
-- At (1, 2, 3, 4): [[2, 1, 0, 0], [0, 0, 1, 8], [12, 0, 4, 3]].
def f (x: [4]f64): [3]f64 = [x[0] * x[1], x[2] + x[3] * x[3], x[0] * x[2] * x[3]]

def basis (n: i64) (i: i64): [n]f64 = map (\j -> if i == j then 1.0 else 0.0) (iota n)

-- ==
-- entry: forward reverse
-- input { [1.0, 2.0, 3.0, 4.0] }
-- output { [[2.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 8.0], [12.0, 0.0, 4.0, 3.0]] }
entry forward (x: [4]f64): [3][4]f64 = transpose (map (\i -> jvp f x (basis 4 i)) (iota 4))

entry reverse (x: [4]f64): [3][4]f64 = map (\i -> vjp f x (basis 3 i)) (iota 3)
