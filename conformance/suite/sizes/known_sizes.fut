-- Sizes that are known here, and unknown in 0.25.32, which rejects these (by hand).

-- A size that `let` binds stands for what it is.
def extended [n] (xs: [n]i64) : [n + 1]i64 = let [m] (ys: [m]i64) = xs ++ [1] in map (+ m) ys
-- ==
-- entry: bound
-- input { [1i64, 2i64] } output { [4i64, 5i64, 4i64] }
entry bound (xs: []i64) = extended xs

-- Where a turn of a loop returns an array of any size, it has the one at first.
def all [n] (x: i64) : [n]i64 = replicate n x
def replaced (n: i64) : [n]i64 = loop _xs = iota n for i < 3 do all i
-- ==
-- entry: any_size
-- input { 2i64 } output { [2i64, 2i64] }
entry any_size (n: i64) = replaced n

-- The operand of a section is evaluated once: it is one size.
def (+++) (x: i64) (n: i64) : [n]i64 = replicate n x
-- ==
-- entry: one_size
-- input { 2i64 } output { [1i64, 1i64, 1i64, 1i64] [2i64, 2i64, 2i64, 2i64] }
entry one_size (k: i64) = let f = (+++ (loop n = 1 for _i < k do n * 2)) in unzip (zip (f 1) (f 2))
