-- What `apply` returns has the sizes that are known around the call, and unknown ones for the others; a size that a function in it has of its argument
-- stays that. By hand: of [1, -2] one is greater than 0. 0.25.32 accepts it.
def apply '^a '^b (f: a -> b) (x: a) : b = f x

-- n is known.
-- ==
-- entry: parameter
-- input { [1, -2] } output { [2, -4] 1i64 }
entry parameter [n] (xs: [n]i32) =
  let (a, b) = apply (\x -> (xs, filter (> x) xs)) 0
  in (map2 (+) a xs, length b)

-- k is known: 4.
-- ==
-- entry: name
-- input { [1, -2] } output { [0i64, 2, 4, 6] 1i64 }
entry name (xs: []i32) =
  let k = length xs * 2
  let (a, b) = apply (\x -> (iota k, filter (> x) xs)) 0
  in (map2 (+) a (iota k), length b)

-- The size of what `f` returns is its argument.
-- ==
-- entry: argument
-- input { [1, -2] } output { [0i64, 2, 4] 1i64 }
entry argument (xs: []i32) =
  let (f, b) = apply (\x -> (\(k: i64) -> iota k, filter (> x) xs)) 0
  in (map2 (+) (f 3) (iota 3), length b)

-- A parameter stands for a result of unknown size where it is the result of functions only, in parameters, too: what each turn gives is as long as it is. 3 · 2³ elements.
-- ==
-- entry: grown
-- input { [5i64, 6i64, 7i64] } output { 24i64 7i64 }
def grow '~a (n: i64) (step: (() -> a) -> a) (first: () -> a) : a = loop x = first () for _i < n do step (\() -> x)
entry grown (xs: []i64) =
  let ys = grow 3 (\(all: () -> []i64) -> all () ++ all ()) (\() -> xs)
  in (length ys, last ys)

-- The results of two functions are as long as they are.
-- ==
-- entry: two_results
-- input { [1i64, 0i64, 3i64] } output { [1i64, 3i64] [9i64] }
def both '~a (f: () -> a) (g: () -> a) = (f (), g ())
entry two_results (xs: []i64) = both (\() -> filter (> 0) xs) (\() -> [9])
