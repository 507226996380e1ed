-- Loops that begin with a part of an array, or leave one. Outputs of Futhark 0.25.32.

-- The array begins behind others, and in later rounds with its memory.
-- ==
-- entry: begins
-- input { [1i64, 2i64, 3i64, 4i64] 2i64 } output { [13i64, 14i64] }
-- input { [1i64, 2i64, 3i64, 4i64] 0i64 } output { [3i64, 4i64] }
entry begins (xs: []i64) (k: i64): []i64 = loop ys = xs[2:] for _i < k do map (+ 5) ys

-- It is shorter in each round.
-- ==
-- entry: shrinks
-- input { [1i64, 2i64, 3i64, 4i64] 2i64 } output { [3i64, 4i64] }
-- input { [1i64, 2i64, 3i64, 4i64] 0i64 } output { [1i64, 2i64, 3i64, 4i64] }
entry shrinks (xs: []i64) (k: i64): []i64 = loop ys = xs for _i < k do ys[1:]

-- It is another row in each round.
-- ==
-- entry: row
-- input { [[1i64, 2i64], [3i64, 4i64]] 2i64 } output { [3i64, 4i64] }
-- input { [[1i64, 2i64], [3i64, 4i64]] 0i64 } output { [1i64, 2i64] }
entry row (xs: [][2]i64) (k: i64): []i64 = loop _ys = xs[0] for i < k do xs[i]
