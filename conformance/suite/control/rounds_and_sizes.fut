-- Loops in loops in which sizes, or numbers of rounds, are found in a round. Outputs of Futhark 0.25.32.

-- The innermost loop's array is shorter in each round.
-- ==
-- entry: shrinking
-- input { 6i64 3i64 } output { 3471i64 [447i64, 448i64, 449i64, 450i64, 451i64, 452i64] }
entry shrinking (n: i64) (k: i64): (i64, []i64) =
  loop (s, xs) = (0, iota n) for i < k do
    let ys = loop ys = xs for j < 2 do
      let zs = loop zs: []i64 = ys for h < 3 do (map (+ (h + j)) zs)[1:]
      in map (\y -> (y + zs[0]) % 1000) ys
    in (s + i64.sum ys, map (+ i) ys)

-- It sums up as many elements as both numbers of rounds say.
-- ==
-- entry: sized
-- input { 6i64 3i64 } output { 11451i64 [959i64, 960i64, 961i64, 962i64, 963i64, 964i64] }
entry sized (n: i64) (k: i64): (i64, []i64) =
  loop (s, xs) = (0, iota n) for i < k do
    let ys = loop ys = xs for j < 2 do
      let t = loop t = 1 for h < 3 do
        let m = n - h - j
        in t + i64.sum (map (\y -> (y * t) % 100) ys[:m])
      in map (\y -> (y + t) % 1000) ys
    in (s + i64.sum ys, map (+ i) ys)
