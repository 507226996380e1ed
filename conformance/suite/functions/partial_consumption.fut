-- A function that has been given what it consumes has it for each of its calls: each gets a copy. 0.25.32 accepts these; the results are by hand, of calls that do not
-- know of each other.
def set (xs: *[]i64) (i: i64) = xs with [i] = 9
def fresh (x: i64) : *[]i64 = [x, x, x]

-- ==
-- entry: twice
-- input { 1i64 } output { [9i64, 1i64, 1i64] [1i64, 1i64, 9i64] }
entry twice (x: i64) =
  let f = set (fresh x)
  in (f 0, f 2)

-- ==
-- entry: in_map
-- input { 2i64 } output { [[9i64, 2i64, 2i64], [2i64, 9i64, 2i64], [2i64, 2i64, 9i64]] }
entry in_map (x: i64) : [3][3]i64 = map (\i -> set (fresh x) i :> [3]i64) (iota 3)

-- ==
-- entry: in_loop
-- input { 1i64 } output { [10i64, 2i64, 10i64] }
entry in_loop (x: i64) =
  let f = set (fresh x)
  in loop acc = [0i64, 0, 0] for i in [0i64, 2] do map2 (+) acc (f i :> [3]i64)

-- The derivative of each result by what was captured: the element that was set has none.
-- ==
-- entry: differentiated
-- input { 1.0 } output { 4.0 }
def set_f (xs: *[]f64) (i: i64) = xs with [i] = 0
entry differentiated (x: f64) = vjp (\x -> let f = set_f (replicate 3 x) in f64.sum (f 0) + f64.sum (f 1)) x 1

-- A constant that is such a function.
-- ==
-- entry: constant
-- input { 2i64 } output { [0i64, 0i64, 9i64] [9i64, 0i64, 0i64] }
def set_zeros = set (replicate 3 0)
entry constant (i: i64) = (set_zeros i, set_zeros 0)

-- The result of a function: it holds the array of one of two, of its maker, and one that is given after a function without a name was made.
-- ==
-- entry: results
-- input { true 2i64 [7i64, 8i64] } output { [9i64, 8i64] [7i64, 9i64] [7i64, 8i64] }
-- input { false 2i64 [7i64, 8i64] } output { [9i64, 0i64] [0i64, 9i64] [7i64, 8i64] }
def one_of (c: bool) (n: i64) (xs: *[n]i64) = let ys = replicate n 0i64 in set (if c then xs else ys)
entry results (c: bool) (n: i64) (xs: [n]i64) = let f = one_of c n (copy xs) in (f 0, f 1, xs)

-- ==
-- entry: after_lambda
-- input { 2i64 } output { [2i64, 0i64] }
def set_sum (i: i64) (xs: *[]i64) (d: i64) : []i64 = xs with [0] = i + d
def made (n: i64) = let ys = replicate n 0i64 let k = \(i: i64) -> i + 1 in set_sum (k 0) ys
entry after_lambda (n: i64) = made n 1

-- A function that is consumed, and holds an array of its maker.
-- ==
-- entry: consumed_function
-- input { 2i64 } output { 3i64 }
def ignores '^a (_: *a) (i: i64) : i64 = i
def holds (n: i64) = let xs = replicate n 0i64 in ignores (\(i: i64) -> xs[i])
entry consumed_function (n: i64) = let g = holds n in g 1 + g 2
