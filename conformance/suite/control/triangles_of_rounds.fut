-- Loops in loops of which the number of a round is a size, or a number of rounds, inside. Outputs of Futhark 0.25.32.

-- A loop sums up as many elements as the number of its round.
-- ==
-- entry: triangle
-- input { 6i64 3i64 } output { 3219i64 [391i64, 392i64, 393i64, 394i64, 395i64, 396i64] }
entry triangle (n: i64) (k: i64): (i64, []i64) =
  loop (s, xs) = (0, iota n) for i < k do
    let ys = loop ys = xs for _j < 2 do
      let t = loop t = 1 for h < 3 do t + i64.sum (map (\y -> (y * t) % 100) ys[:h])
      in map (\y -> (y + t) % 1000) ys
    in (s + i64.sum ys, map (+ i) ys)

-- It has as many rounds as the number of the round around it.
-- ==
-- entry: counts
-- input { 6i64 3i64 } output { 87i64 [11i64, 10i64, 9i64, 8i64, 7i64, 6i64] }
entry counts (n: i64) (k: i64): (i64, []i64) =
  loop (s, xs) = (0, iota n) for i < k do
    let ys = loop ys = xs for j < 3 do
      loop zs = ys for h < j do map (+ h) (reverse zs)
    in (s + i64.sum ys, map (+ i) ys)
