-- Loops whose parameters are read after their next values are known: by the bound of an inner loop, by a check, by another parameter's next value. By hand.

-- The inner loop makes x trips, of the old x: 1 + 2 + 3.
-- ==
-- entry: bound
-- input { 3i64 } output { 4i64 6i64 }
-- input { 0i64 } output { 1i64 0i64 }
entry bound (n: i64): (i64, i64) =
  loop (x, s) = (1, 0) for _i < n do
    let y = x + 1
    in (y, loop s for _j < x do s + 1)

-- The assertion is about the old x: 4 passes only while x < 4.
-- ==
-- entry: checked
-- input { 4i64 } output { 4i64 }
-- input { 5i64 } error: Assertion
entry checked (n: i64): i64 =
  loop x = 0 for _i < n do
    let y = x + 1
    in assert (x < 4) y

-- An index of the old x, in range of four.
-- ==
-- entry: indexed
-- input { 4i64 [1i64, 10i64, 100i64, 1000i64] } output { 4i64 1111i64 }
-- input { 5i64 [1i64, 10i64, 100i64, 1000i64] } error: out of bounds
entry indexed (n: i64) (as: [4]i64): (i64, i64) =
  loop (x, s) = (0, 0) for _i < n do
    let y = x + 1
    in (y, s + as[x])

-- The parameters change places, and one is the old value of the other.
-- ==
-- entry: exchanged
-- input { 1i64 } output { 2i64 1i64 2i64 }
-- input { 2i64 } output { 1i64 2i64 1i64 }
entry exchanged (n: i64): (i64, i64, i64) =
  loop (x, y, z) = (1, 2, 3) for _i < n do (y, x, y)

-- An element of a matrix at the old x.
-- ==
-- entry: indexed_twice
-- input { 2i64 [[1i64, 10i64], [100i64, 1000i64]] } output { 2i64 1010i64 }
-- input { 3i64 [[1i64, 10i64], [100i64, 1000i64]] } error: out of bounds
entry indexed_twice (n: i64) (as: [2][2]i64): (i64, i64) =
  loop (x, s) = (0, 0) for _i < n do
    let y = x + 1
    in (y, s + as[x, 1])

-- Both parameters become the same value, made of both: 3, then 6.
-- ==
-- entry: both
-- input { 1i64 } output { 3i64 3i64 }
-- input { 2i64 } output { 6i64 6i64 }
entry both (n: i64): (i64, i64) =
  loop (x, y) = (1, 2) for _i < n do
    let z = x + y
    in (z, z)
