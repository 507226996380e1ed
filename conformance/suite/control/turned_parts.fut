-- Parts of arrays of a size that only the round before tells, turned round: no kernel has memory for them at each point, but there is another way. Outputs of Futhark 0.25.32.

-- In each round of a loop.
-- ==
-- entry: parts
-- input { 7i64 5i64 } output { [38i64, 38i64, 44i64, 44i64, 44i64, 44i64, 44i64] }
-- input { 3i64 0i64 } output { [0i64, 1i64, 2i64] }
entry parts (n: i64) (k: i64): []i64 =
  loop ys = iota n for i < k do
    let m = ys[i % n] % n + 1
    let zs = opaque (reverse (rotate 1 ys)[:m])
    in map (\y -> (y + zs[y % m]) % 100) ys

-- In loops of all points of a nest.
-- ==
-- entry: points
-- input { 3i64 7i64 5i64 } output { [296i64, 488i64, 368i64] }
-- input { 1i64 1i64 1i64 } output { [0i64] }
entry points (p: i64) (n: i64) (k: i64): []i64 =
  map (\q -> i64.sum (loop ys = iota n for i < k do
    let m = (ys[i % n] + q) % n + 1
    let zs = opaque (reverse (rotate 1 ys)[:m])
    in map (\y -> (y + zs[y % m]) % 100) ys)) (iota p)
