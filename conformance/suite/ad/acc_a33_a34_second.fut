-- A33, A34 (digest 001, 5.2; 3.3.1): derivatives of the gradient of sum (x^2 (x + 1)), which is 3 x^2 + 2 x, and the value with the
-- gradient. By hand at (1, 2, -3): the value 2 + 12 - 18; the gradient 5, 16, 21; its Jacobian 6 x + 2 on the diagonal: 8, 14, -16.

def f [n] (a: [n]f64) : f64 =
  f64.sum (map2 (*) (map (\x -> x * x) a) (map (+ 1) a))

-- A34: by vjp2, and what f and vjp say.
-- ==
-- entry: together apart
-- input { [1.0, 2.0, -3.0] } output { -4.0 [5.0, 16.0, 21.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry together [n] (a: [n]f64) : (f64, [n]f64) = vjp2 f a 1

entry apart [n] (a: [n]f64) : (f64, [n]f64) = (f a, vjp f a 1)

-- A33: the Hessian by each pair of modes.
def unit (n: i64) (i: i64) : [n]f64 = map (\j -> f64.bool (i == j)) (iota n)

-- ==
-- entry: forward_of_reverse reverse_of_reverse reverse_of_forward forward_of_forward
-- input { [1.0, 2.0, -3.0] } output { [[8.0, 0.0, 0.0], [0.0, 14.0, 0.0], [0.0, 0.0, -16.0]] }
entry forward_of_reverse [n] (a: [n]f64) : [n][n]f64 =
  map (jvp (\a -> vjp f a 1) a) (map (unit n) (iota n))

entry reverse_of_reverse [n] (a: [n]f64) : [n][n]f64 =
  map (vjp (\a -> vjp f a 1) a) (map (unit n) (iota n))

entry reverse_of_forward [n] (a: [n]f64) : [n][n]f64 =
  map (\i -> vjp (\a -> jvp f a (unit n i)) a 1) (iota n)

entry forward_of_forward [n] (a: [n]f64) : [n][n]f64 =
  map (\i -> map (\j -> jvp (\a -> jvp f a (unit n i)) a (unit n j)) (iota n))
      (iota n)

-- The Hessian times (1, 10, 100), without the Hessian.
-- ==
-- entry: times_vector
-- input { [1.0, 2.0, -3.0] [1.0, 10.0, 100.0] } output { [8.0, 140.0, -1600.0] }
entry times_vector [n] (a: [n]f64) (v: [n]f64) : [n]f64 =
  jvp (\a -> vjp f a 1) a v
