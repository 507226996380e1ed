-- Operators that need arrays to work with, of sizes that they take from outside, by the way of what the compiler knows nothing of. Outputs: Futhark 0.25.32.

def spread (k: i64) (c: i64) (a: i64) (b: i64): i64 =
  (loop t = replicate k a for i < c do t with [i] = t[i] + b)[0]

-- The size as it is.
-- ==
-- entry: as_it_is
-- input { 3i64 1i64 [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64] }
-- output { 55i64 }
entry as_it_is (n: i64) (c: i64) (xs: []i64): i64 =
  reduce (\a b -> spread (opaque n) c a b) 0 xs

-- One more.
-- ==
-- entry: one_more
-- input { 3i64 1i64 [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64] }
-- output { 55i64 }
entry one_more (n: i64) (c: i64) (xs: []i64): i64 =
  reduce (\a b -> spread (opaque n + 1) c a b) 0 xs

-- The same on both sides of a branch.
-- ==
-- entry: either
-- input { 3i64 1i64 [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64] }
-- output { 55i64 }
entry either (n: i64) (c: i64) (xs: []i64): i64 =
  reduce (\a b -> spread (if a > b then opaque n else opaque (n + 0)) c a b) 0 xs

-- At each point one size or another.
-- ==
-- entry: one_or_another
-- input { 2i64 5i64 [1i64, -2i64, 3i64, -4i64] }
-- output { [4i64, -2i64, 10i64, -8i64] }
entry one_or_another [k] (n: i64) (m: i64) (xs: [k]i64): [k]i64 =
  map (\x -> let s = if x > 0 then opaque n else opaque m
             in (loop t = replicate s x for i < s do t with [i] = t[i] + t[(i + 1) % s] + i)[s - 1]) xs
