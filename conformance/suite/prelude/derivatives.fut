-- Several directions at once, and functions with derivatives of their own: `jmp2`, `mjp2`, `jmp`, `mjp`, `with_vjp`, `with_vjp_tape`, `with_jvp` are not in
-- 0.25.32. Expected values by hand.

-- At x = 3 the derivative of x*x is 6.
-- ==
-- entry: directions
-- input { 3.0 [1.0, 2.0, -1.0] } output { [6.0, 12.0, -6.0] [6.0, 12.0, -6.0] 9.0 9.0 }
-- input { 3.0 empty([0]f64) } output { empty([0]f64) empty([0]f64) 9.0 9.0 }
entry directions [n] (x: f64) (ds: [n]f64) : ([n]f64, [n]f64, f64, f64) =
  let f x = x * x
  in (jmp f x ds, mjp f x ds, (jmp2 f x ds).0, (mjp2 f x ds).0)

-- f(x, y) = (x*y, x+y) has the Jacobian [[y, x], [1, 1]]: its columns by jmp, its rows by mjp. Here x = 3, y = 5.
-- ==
-- entry: jacobian
-- input { [3.0, 5.0] } output { [[5.0, 1.0], [3.0, 1.0]] [[5.0, 3.0], [1.0, 1.0]] }
entry jacobian (xs: [2]f64) : ([2][2]f64, [2][2]f64) =
  let f (xs: [2]f64) = [xs[0] * xs[1], xs[0] + xs[1]]
  let unit = [[1, 0], [0, 1]]
  in (jmp f xs unit, mjp f xs unit)

-- Of pairs: f(x, ys) = (sum of x*ys, x). Directions (1, 0) and (0, [1, 2]); adjoints (1, 0) and (2, 1).
-- With x = 2, ys = [3, 4]: tangents (7, 1) and (2*1 + 2*2, 0); adjoints (7, [2, 2]) and (14+1, [4, 4]).
-- ==
-- entry: pairs
-- input { 2.0 [3.0, 4.0] } output { [7.0, 6.0] [1.0, 0.0] [7.0, 15.0] [[2.0, 2.0], [4.0, 4.0]] }
entry pairs (x: f64) (ys: [2]f64) : ([2]f64, [2]f64, [2]f64, [2][2]f64) =
  let f (x: f64, ys: [2]f64) = (f64.sum (map (* x) ys), x)
  let (a, b) = unzip (jmp f (x, ys) (zip [1, 0] [[0, 0], [1, 2]]))
  let (c, d) = unzip (mjp f (x, ys) (zip [1, 2] [0, 1]))
  in (a, b, c, d)

-- The rule says 10 whatever x is; forward mode, for which there is no rule, says 2x.
-- ==
-- entry: reverse_rule
-- input { 3.0 } output { 9.0 10.0 6.0 }
entry reverse_rule (x: f64) : (f64, f64, f64) =
  let f x = with_vjp (\x -> x * x) (\_ y' -> 10 * y') x
  in (f x, vjp f x 1, jvp f x 1)

-- The rule gets the result: the derivative of exp is exp. At 0 both are 1.
-- ==
-- entry: by_the_result
-- input { 0.0 } output { 1.0 1.0 }
-- input { 1.0 } output { 2.718281828459045 2.718281828459045 }
entry by_the_result (x: f64) : (f64, f64) = vjp2 (with_vjp f64.exp (\y y' -> y * y')) x 1

-- The rule gets what the function keeps: x, and the sum of xs. f(x, xs) = x * sum xs. At (2, [3, 4]): 14, (7, [2, 2]).
-- ==
-- entry: by_the_tape
-- input { 2.0 [3.0, 4.0] } output { 14.0 7.0 [2.0, 2.0] }
-- input { 2.0 empty([0]f64) } output { 0.0 0.0 empty([0]f64) }
entry by_the_tape [n] (x: f64) (xs: [n]f64) : (f64, f64, [n]f64) =
  let f (x, xs) = let s = f64.sum xs in ((x, s), x * s)
  let f' ((x, s), y') = (s * y', replicate n (x * y'))
  let (y, (x', xs')) = vjp2 (with_vjp_tape f f') (x, xs) 1
  in (y, x', xs')

-- Both modes go by the rule: 7.
-- ==
-- entry: forward_rule
-- input { 3.0 } output { 3.0 7.0 7.0 }
entry forward_rule (x: f64) : (f64, f64, f64) =
  let f = with_jvp (\x -> x) (\_ x' -> 7 * x')
  in (f x, jvp f x 1, vjp f x 1)

-- Inside of a map, under a derivative: the sum of clipped x, whose derivative is 1 throughout by the rule.
-- ==
-- entry: clipped
-- input { [0.5, 3.0, -4.0] } output { [1.0, 1.0, 1.0] }
entry clipped [n] (xs: [n]f64) : [n]f64 =
  let clip = with_jvp (\x -> f64.max (-1) (f64.min 1 x)) (\_ x' -> x')
  in vjp (\xs -> f64.sum (map clip xs)) xs 1

-- The second derivative goes by the derivative of the rule: of exp by its result, exp.
-- ==
-- entry: twice
-- input { 0.0 } output { 1.0 }
entry twice (x: f64) : f64 =
  let f = with_vjp f64.exp (\y y' -> y * y')
  in jvp (\x -> vjp f x 1) x 1
