-- The first program to read. Run it with
--
--   echo '[1.0, 2.0, 3.0]' | futi run examples/hello.fut
--
-- and its derivative with `-e gradient`.

-- | The mean of the squares.
def mean_square [n] (xs: [n]f64) : f64 =
  f64.sum (map (\x -> x * x) xs) / f64.i64 n

-- An `entry` can be called from outside; `main` is the one that runs unless `-e` names another.
-- ==
-- input { [1.0, 2.0, 3.0] } output { 4.666666666666667 }
entry main [n] (xs: [n]f64) : f64 = mean_square xs

-- Reverse mode: `vjp f x y'` is the derivative of `f` at `x`, multiplied from the left by the cotangent `y'`. With a scalar result and the
-- cotangent 1 it is the gradient; here 2 x / n.
-- ==
-- entry: gradient
-- input { [1.0, 2.0, 3.0] } output { [0.6666666666666666, 1.3333333333333333, 2.0] }
entry gradient [n] (xs: [n]f64) : [n]f64 = vjp mean_square xs 1.0

-- Forward mode: `jvp f x x'` is how `f` changes when `x` moves in the direction `x'`.
-- ==
-- entry: slope
-- input { [1.0, 2.0, 3.0] [0.0, 0.0, 1.0] } output { 2.0 }
entry slope [n] (xs: [n]f64) (direction: [n]f64) : f64 =
  jvp mean_square xs direction

-- They nest: the Hessian is the derivative of the gradient, one column for each direction; here 2/n on the diagonal.
-- ==
-- entry: hessian
-- input { [1.0, 2.0] } output { [[1.0, 0.0], [0.0, 1.0]] }
entry hessian [n] (xs: [n]f64) : [n][n]f64 =
  map (\i ->
         jvp (\x -> vjp mean_square x 1.0)
             xs
             (map (\j -> if i == j then 1.0 else 0.0) (iota n)))
      (iota n)
