-- A size that is computed has one name before, in and after a loop.
-- ==
-- entry: grows
-- input { [1.0, 2.0] 3i64 } output { [8.0, 16.0, 0.0] }
entry grows [n] (xs: [n]f64) (k: i64): []f64 =
  loop ys = xs ++ [0.0] for _i < k do map (* 2) ys

-- ==
-- entry: halts
-- input { [1.0, 2.0] 3i64 } output { [8.0, 16.0, 0.0] }
entry halts [n] (xs: [n]f64) (k: i64): []f64 =
  (loop (ys, i) = (xs ++ [0.0], 0) while i < k do (map (* 2) ys, i + 1)).0

-- ==
-- entry: over
-- input { [1.0, 2.0] } output { [4.0, 8.0, 0.0] }
entry over [n] (xs: [n]f64): []f64 =
  loop ys = xs ++ [0.0] for x in [2.0, 2.0] do map (* x) (copy ys)


-- One size changes and the other does not. AD by transformation has no rule for such loops yet.
-- ==
-- entry: doubles
-- no_derivative input { [1.0] 2i64 } output { [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0] [1.0, 3.0] }
entry doubles [n] (xs: [n]f64) (k: i64): ([]f64, []f64) =
  loop (ys, zs) = (xs ++ [0.0], xs ++ [3.0]) for _i < k do (ys ++ ys, zs)

-- The same of a branch.
-- ==
-- entry: chooses
-- input { [1.0] true } output { [1.0, 0.0] [1.0, 3.0] }
-- input { [1.0] false } output { [1.0, 1.0, 1.0] [3.0, 1.0] }
entry chooses [n] (xs: [n]f64) (c: bool): ([]f64, []f64) =
  if c then (xs ++ [0.0], xs ++ [3.0]) else (xs ++ xs ++ xs, [3.0] ++ xs)
