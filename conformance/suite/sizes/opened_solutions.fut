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
