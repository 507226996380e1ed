-- Loops of sequential code in which the size of a part is handed on from round to round, or found in a loop inside. Outputs of Futhark 0.25.32.

-- The size of the part that is copied.
-- ==
-- entry: carried
-- input { 5i64 9i64 } output { 403i64 [10i64, 7i64, 11i64, 10i64, 7i64] }
-- input { 5i64 0i64 } output { 0i64 [0i64, 1i64, 2i64, 3i64, 4i64] }
entry carried (n: i64) (k: i64): (i64, []i64) =
  let (_, s, ys) = loop (m, s, ys: *[]i64) = (1, 0, iota n) for i < k do
    let zs = copy ys[:m] with [0] = s + i
    in ((m * 7 + s) % n + 1, (s + zs[m - 1] + zs[0]) % 1000, ys with [i % n] = m + ys[(i + 1) % n])
  in (s, ys)

-- In a loop inside.
-- ==
-- entry: carried_in_rounds
-- input { 5i64 9i64 } output { 76i64 [10i64, 6i64, 9i64, 13i64, 8i64] }
entry carried_in_rounds (n: i64) (k: i64): (i64, []i64) =
  loop (s, ys: *[]i64) = (0, iota n) for i < k do
    let (s, m) = loop (s, m) = (s, 1) for j < 2 do
      let zs = copy ys[:m] with [0] = s + i
      in ((s + zs[m - 1] + zs[0]) % 1000, (ys[j] + s + m) % n + 1)
    in (s, ys with [i % n] = m + ys[(i + 1) % n])

-- On a side of a branch.
-- ==
-- entry: chosen
-- input { [5i64, 3i64, 1i64] 9i64 } output { 678i64 }
-- input { [0i64, 3i64, 1i64] 9i64 } output { 3i64 }
entry chosen [n] (xs: [n]i64) (k: i64): i64 =
  if xs[0] > 2 then
    (loop (s, m) = (1, 1) for i < k do
      let zs = copy xs[:m] with [0] = s + i
      in ((s + zs[m - 1] + zs[0]) % 1000, (s + xs[i % n]) % n + 1)).0
  else xs[1]

-- An array that a loop inside makes shorter in each round.
-- ==
-- entry: shrinks_inside
-- input { 5i64 9i64 } output { 36i64 [9i64, 13i64, 25i64, 33i64, 6i64] }
entry shrinks_inside (n: i64) (k: i64): (i64, []i64) =
  loop (s, ys: *[]i64) = (0, iota n) for i < k do
    let zs = loop zs: []i64 = ys for _j < ys[0] % 3 do zs[1:]
    in ((s + zs[0]) % 1000, ys with [i % n] = s + ys[(i + 1) % n])

-- As many elements as the number of the round inside.
-- ==
-- entry: index
-- input { [5i64, 3i64, 1i64] 9i64 } output { 54i64 }
entry index [n] (xs: [n]i64) (k: i64): i64 =
  (loop (s, m) = (1, 1) for i < k do
    let t = loop t = s for j < m do (let zs = copy xs[:j] in if j > 0 then t + zs[j - 1] else t)
    in (t % 1000, (s + xs[i % n]) % n + 1)).0
