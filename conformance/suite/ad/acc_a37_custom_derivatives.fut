-- A37 (digest 001): functions with derivatives of their own, within other constructs. Expected values by hand; rules that are no
-- derivatives show that they are used.

-- log Gamma (x), with the derivative 100 x in place of digamma: in a map, the sum of k lgamma x; by k the sum of its values: log 1, log 6.
-- ==
-- entry: in_map
-- input { 2.0 [2.0, 4.0] } output { 1.791759469228055 [400.0, 800.0] }
entry in_map [n] (k: f64) (xs: [n]f64): (f64, [n]f64) =
  let f = with_vjp_tape (\x -> (x, f64.lgamma x)) (\(x, y') -> 100 * x * y')
  in vjp (\(k, xs) -> f64.sum (map (\x -> k * f x) xs)) (k, xs) 1

-- In a loop: x := x^2, whose rule says 10 each time: 1000 instead of 8 x^7; forward there is no rule.
-- ==
-- entry: in_loop
-- input { 2.0 } output { 256.0 1000.0 1024.0 }
entry in_loop (x: f64): (f64, f64, f64) =
  let f = with_vjp (\x -> x * x) (\_ y' -> 10 * y')
  let g x = loop x for _i < 3 do f x
  in (g x, vjp g x 1, jvp g x 1)

-- In a branch that is taken for some, and strip-mined.
-- ==
-- entry: in_branch
-- input { [1.0, -1.0] } output { [100.0, 1.0] }
entry in_branch [n] (xs: [n]f64): [n]f64 =
  let f = with_vjp (\x -> x * x) (\_ y' -> 10 * y')
  in vjp (map (\x -> if x > 0 then #[stripmine(2)] loop x for _i < 2 do f x else x)) xs (replicate n 1)

-- Of several arguments: a product whose rule counts the first argument only, and twice; an array with a rule by its result.
-- ==
-- entry: arrays
-- input { 3.0 [1.0, 2.0] [1.0, 10.0] } output { 42.0 [0.0, 0.0] }
entry arrays [n] (k: f64) (xs: [n]f64) (adj: [n]f64): (f64, [n]f64) =
  let f = with_vjp_tape (\(k, xs: [n]f64) -> (xs, map (* k) xs)) (\(xs, y') -> (2 * f64.sum (map2 (*) xs y'), replicate n 0))
  in vjp f (k, xs) adj

-- Forward rules are used by both modes: gradients stopped (0), and x beside it: x + 0.
-- ==
-- entry: stopped
-- input { 3.0 } output { 9.0 3.0 3.0 }
entry stopped (x: f64): (f64, f64, f64) =
  let stop = with_jvp (\x -> x) (\_ _ -> 0)
  let f x = x * stop x
  in (f x, vjp f x 1, jvp f x 1)

-- A forward rule alone, of arrays: the adjoint that its transpose gives gets what an element adds in place. (2 x0 x0, 2 x0 x1): 4 * 3 + 10 * 2 * 5, 10 * 2 * 3.
-- ==
-- entry: forward_rule_of_arrays
-- input { [3.0, 5.0] } output { [112.0, 60.0] }
entry forward_rule_of_arrays (xs: [2]f64): [2]f64 =
  vjp (\xs -> map (* xs[0]) (with_jvp (\x -> map (* 2) x) (\_ t -> map (* 2) t) xs)) xs [1, 10]

-- A derivative inside that does not depend on what the function makes leaves its rule to the one outside: x f(y) by x is f(y), and that by y, says the rule, 10;
-- what depends on it is its λ: f(x y) by x is 2 x y^2, and that by y 4 x y.
-- ==
-- entry: inside_of_another
-- input { 3.0 [2.0, 5.0] } output { [10.0, 10.0] [24.0, 60.0] }
entry inside_of_another [n] (x: f64) (ys: [n]f64): ([n]f64, [n]f64) =
  let f = with_vjp (\x -> x * x) (\_ y' -> 10 * y')
  in (vjp (\ys -> jvp (\x -> f64.sum (map (\y -> x * f y) ys)) x 1) ys 1,
      vjp (\ys -> jvp (\x -> f64.sum (map (\y -> f (x * y)) ys)) x 1) ys 1)
