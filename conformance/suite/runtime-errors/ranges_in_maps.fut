-- A range at each point of a map, with a distance of its own: one that leads the other way, or nowhere, fails there.

-- ==
-- entry: down
-- input { [5i64, 3i64] [2i64, 3i64] } output { [12i64, 0i64] }
-- input { [5i64, 2i64] [2i64, 3i64] } error: Range 2..>3 is invalid
entry down (xs: []i64) (ys: []i64): []i64 = map2 (\x y -> i64.sum (x..>y)) xs ys

-- ==
-- entry: down_by
-- input { [10i64, 9i64] [8i64, 6i64] [4i64, 0i64] } output { [24i64, 18i64] }
-- input { [10i64, 1i64] [8i64, 2i64] [4i64, 0i64] } error: Range 1..2..>0 is invalid
entry down_by (xs: []i64) (seconds: []i64) (ys: []i64): []i64 = map3 (\x s y -> i64.sum (x..s..>y)) xs seconds ys

-- ==
-- entry: either
-- input { [1i64, 5i64] [3i64, 4i64] [7i64, 2i64] } output { [16i64, 14i64] }
-- input { [1i64, 1i64] [3i64, 2i64] [7i64, 0i64] } error: Range 1..2...0 is invalid
-- input { [1i64, 1i64] [3i64, 0i64] [7i64, 2i64] } error: Range 1..0...2 is invalid
-- input { [1i64, 4i64] [3i64, 4i64] [7i64, 4i64] } error: Range 4..4...4 is invalid
entry either (xs: []i64) (seconds: []i64) (ys: []i64): []i64 = map3 (\x s y -> i64.sum (x..s...y)) xs seconds ys
-- A range of as many elements as another one has, where there are none.
-- ==
-- entry: behind_another
-- input { [3i64, 0i64, 5i64] }
-- error: Range 1...0 is invalid
entry behind_another (ns: []i64): []i64 = map (\n -> i64.sum (iota n) + i64.sum (1...n)) ns
