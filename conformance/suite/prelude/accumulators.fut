-- `reduce_by_index_stream` and `scatter_stream`: by hand. An accumulator goes through loops and branches; positions out of range are ignored.
-- ==
-- entry: sums
-- input { [1i64, 4i64] } output { [4i64, 0i64, 0i64, 4i64, 0i64] }
-- input { empty([0]i64) } output { [0i64, 0i64, 0i64, 0i64, 0i64] }

-- ==
-- entry: written
-- input { [0i64, 2i64, 9i64] } output { [10i64, 0i64, 12i64] }
def count [k] (acc: *acc ([k]i64)) (x: i64) : *acc ([k]i64) =
  loop (acc: *acc ([k]i64)) = acc for i < x do
    if i > 2 then write acc i x else write acc 0 1

entry sums (xs: []i64) : [5]i64 = reduce_by_index_stream (replicate 5 0) (+) 0 count xs

entry written (is: []i64) : [3]i64 =
  scatter_stream (replicate 3 0) (\(acc: *acc ([3]i64)) i -> write acc i (i + 10)) is
