-- Third derivatives where an adjoint or tangent of a singular operator happens to be zero, in every order of the variables. Of y x^2: the only ones that are not zero are
-- those by x, x and y, which are 2; the adjoint of x^2 is y. Of y sqrt x: by x and y 1/(2 sqrt x), by x, x and y -1/4 x^(-3/2), at x = 4: -1/32. By hand.
def third (f: (f64, f64) -> f64) (p: (f64, f64)) (a: (f64, f64)) (b: (f64, f64)) (c: (f64, f64)): [4]f64 =
  [ jvp (\p -> jvp (\p -> jvp f p a) p b) p c
  , jvp (\p -> let (u, v) = vjp (\p -> jvp f p a) p 1 in u * b.0 + v * b.1) p c
  , jvp (\p -> jvp (\p -> let (u, v) = vjp f p 1 in u * a.0 + v * a.1) p b) p c
  , let (u, v) = vjp (\p -> jvp (\p -> let (u, v) = vjp f p 1 in u * a.0 + v * a.1) p b) p 1 in u * c.0 + v * c.1 ]

def orders (f: (f64, f64) -> f64) (p: (f64, f64)): [3][4]f64 =
  let (x, y) = ((1, 0), (0, 1))
  in [third f p x x y, third f p x y x, third f p y x x]

-- ==
-- entry: power
-- input { 3.0 0.0 } output { [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]] }
-- input { 0.0 0.0 } output { [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]] }
entry power (x: f64) (y: f64) = orders (\(x, y) -> y * x ** 2) (x, y)

-- ==
-- entry: root
-- input { 4.0 0.0 } output { [[-0.03125, -0.03125, -0.03125, -0.03125], [-0.03125, -0.03125, -0.03125, -0.03125], [-0.03125, -0.03125, -0.03125, -0.03125]] }
entry root (x: f64) (y: f64) = orders (\(x, y) -> y * f64.sqrt x) (x, y)
