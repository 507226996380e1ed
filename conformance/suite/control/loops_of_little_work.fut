-- Loops whose rounds have little work, with loops inside that count in other types: a device has one invocation run them, many rounds in a launch.

-- A round adds 0 + 1 + 2 by an i32, and 1 for each of n counts of a u8, and turns the array round: 3 + n more in all, and after an odd number of rounds the other way round.
-- ==
-- entry: counts
-- input { 1i64 2i32 [1i64, 2i64, 3i64] } output { [8i64, 7i64, 6i64] }
-- input { 2i64 3i32 [1i64, 2i64, 3i64] } output { [13i64, 14i64, 15i64] }
-- input { 3i64 0i32 [1i64, 2i64, 3i64] } output { [12i64, 11i64, 10i64] }
-- input { 0i64 3i32 [1i64, 2i64, 3i64] } output { [1i64, 2i64, 3i64] }
entry counts [k] (rounds: i64) (n: i32) (xs: [k]i64): [k]i64 =
  loop (ys: [k]i64) = xs for _i < rounds do
    let zs = loop (zs: [k]i64) = ys for j < 3i32 do map (+ i64.i32 j) zs
    in reverse (loop (zs: [k]i64) = zs for _j < u8.i32 n do map (+ 1) zs)

-- The state of a recurrence, and all that it was, kept in an array that is updated in place: x' = (x + y) mod 7, y' = x. 1 1, 2 1, 3 2, 5 3, 1 5, 6 1.
-- ==
-- entry: kept
-- input { 5i64 } output { [1i64, 2i64, 3i64, 5i64, 1i64] [6i64, 1i64] }
-- input { 0i64 } output { empty([0]i64) [1i64, 1i64] }
entry kept (n: i64): ([n]i64, [2]i64) =
  loop (all: *[n]i64, xs: [2]i64) = (replicate n 0, [1, 1]) for i < n do
    let x = i64.sum xs % 7
    in (all with [i] = xs[0], [x, xs[0]])
