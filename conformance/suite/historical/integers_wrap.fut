-- Integers are differentiable, and their derivatives wrap (futhark-compat.md §2.2): 2 x at 1500000000 is 3000000000 - 2^32 = -1294967296.
-- There is no numerical derivative over the integers, so the other oracles of derivatives do not apply.
-- ==
-- entry: square
-- input { 3 }          output { 6 6 }
-- input { 1500000000 } output { -1294967296 -1294967296 }
entry square (x: i32): (i32, i32) = (jvp (\x -> x * x) x 1, vjp (\x -> x * x) x 1)

-- The sum of i xs[i]^2 with the adjoint 5: 10 i xs[i].
-- ==
-- entry: array
-- input { [1i64, 2i64, 3i64] } output { [0i64, 20i64, 60i64] }
entry array [n] (xs: [n]i64): [n]i64 = vjp (\xs -> i64.sum (map2 (\i x -> i * x * x) (iota n) xs)) xs 5
