-- The library of JAX's names. Expected values by hand.
import "/prelude/lib/ad"

-- Rosenbrock's function (1-x)^2 + 100(y-x^2)^2. Its gradient is (-2(1-x) - 400x(y-x^2), 200(y-x^2)), its Hessian [[2 - 400(y-3x^2), -400x], [-400x, 200]].
def rosenbrock (p: [2]f64) : f64 = (1 - p[0]) ** 2 + 100 * (p[1] - p[0] * p[0]) ** 2

-- At (1, 2): 100, (-400, 200), [[402, -400], [-400, 200]]; the Hessian times (1, 2) is (-398, 0).
-- ==
-- entry: rosenbrocks
-- input { [1.0, 2.0] [1.0, 2.0] } output { 100.0 [-400.0, 200.0] [-400.0, 200.0] [[402.0, -400.0], [-400.0, 200.0]] [-398.0, 0.0] }
entry rosenbrocks (p: [2]f64) (v: [2]f64) : (f64, [2]f64, [2]f64, [2][2]f64, [2]f64) =
  let (y, g) = value_and_grad rosenbrock p
  in (y, g, grad rosenbrock p, hessian rosenbrock p, hvp rosenbrock p v)

-- (x, y) to (xy, x+y, x^2) at (3, 5).
-- ==
-- entry: jacobians
-- input { [3.0, 5.0] } output { [[5.0, 3.0], [1.0, 1.0], [6.0, 0.0]] [[5.0, 3.0], [1.0, 1.0], [6.0, 0.0]] [[5.0, 1.0, 6.0], [3.0, 1.0, 0.0]] }
entry jacobians (p: [2]f64) : ([3][2]f64, [3][2]f64, [2][3]f64) =
  let f (p: [2]f64) = [p[0] * p[1], p[0] + p[1], p[0] * p[0]]
  in (jacfwd f p, jacrev f p, partials f p)

-- Of pairs: x * sum ys has the gradient (sum ys, [x, …]); its Hessian takes (1, [0, 0]) to (0, [1, 1]).
-- ==
-- entry: pairs
-- input { 2.0 [3.0, 4.0] } output { 7.0 [2.0, 2.0] 0.0 [1.0, 1.0] [7.0, 1.0] [[2.0, 2.0], [0.0, 0.0]] }
entry pairs [n] (x: f64) (ys: [n]f64) : (f64, [n]f64, f64, [n]f64, [2]f64, [2][n]f64) =
  let f (x, ys) = x * f64.sum ys
  let (a, b) = grad f (x, ys)
  let (c, d) = hvp f (x, ys) (1, replicate n 0)
  let (e, g) = unzip (jacrev (\(x, ys) -> [f (x, ys), x]) (x, ys))
  in (a, b, c, d, e, g)

-- d/dx (x^2, [x, 3x]) at 3.
-- ==
-- entry: derivatives
-- input { 3.0 } output { 6.0 [1.0, 3.0] }
entry derivatives (x: f64) : (f64, [2]f64) = derivative (\x -> (x * x, [x, 3 * x])) x

-- x * stop x has the derivative x, not 2x; inside of a map; forward too.
-- ==
-- entry: stopped
-- input { [3.0, 5.0] } output { [3.0, 5.0] [3.0, 5.0] [0.0, 0.0] }
entry stopped (xs: [2]f64) : ([2]f64, [2]f64, [2]f64) =
  let f xs = f64.sum (map (\x -> x * stop_gradient x) xs)
  in (grad f xs, partials f xs, zeros_like xs)

-- The same functions in f32: x^3 at 2 has the derivatives 12 and 12.
-- ==
-- entry: single
-- input { [2f32] } output { 8f32 [12f32] [12f32] [[12f32]] [12f32] [[12f32]] [[12f32]] [[12f32]] 12f32 }
entry single (xs: [1]f32) : (f32, [1]f32, [1]f32, [1][1]f32, [1]f32, [1][1]f32, [1][1]f32, [1][1]f32, f32) =
  let f (xs: [1]f32) = xs[0] ** 3
  let g xs = [f xs]
  let (y, y') = value_and_grad_f32 f xs
  in ( y, y', grad_f32 f xs, hessian_f32 f xs, hvp_f32 f xs [1], jacfwd_f32 g xs, jacrev_f32 g xs, partials_f32 g xs
     , derivative_f32 (** 3) xs[0])
