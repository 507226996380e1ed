-- A6: a Hessian in four ways. f = x^2 y + sin z x: [[2y, 2x, cos z], [2x, 0, 0], [cos z, 0, -x sin z]].
-- At (1, 2, 0): [[4, 2, 1], [2, 0, 0], [1, 0, 0]].
def f (v: [3]f64): f64 = v[0] * v[0] * v[1] + f64.sin v[2] * v[0]

def basis (i: i64): [3]f64 = map (\j -> if i == j then 1.0 else 0.0) (iota 3)

def gradient_forward (v: [3]f64): [3]f64 = map (\i -> jvp f v (basis i)) (iota 3)

def gradient_reverse (v: [3]f64): [3]f64 = vjp f v 1.0

-- ==
-- entry: forward_forward forward_reverse reverse_forward reverse_reverse
-- input { [1.0, 2.0, 0.0] }
-- output { [[4.0, 2.0, 1.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]] }
entry forward_forward (v: [3]f64): [3][3]f64 = map (\i -> jvp gradient_forward v (basis i)) (iota 3)

entry forward_reverse (v: [3]f64): [3][3]f64 = map (\i -> jvp gradient_reverse v (basis i)) (iota 3)

entry reverse_forward (v: [3]f64): [3][3]f64 = map (\i -> vjp gradient_forward v (basis i)) (iota 3)

entry reverse_reverse (v: [3]f64): [3][3]f64 = map (\i -> vjp gradient_reverse v (basis i)) (iota 3)
