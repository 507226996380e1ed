-- Loops of sequential code in which a part of an array is copied whose size follows from the round before. Outputs of Futhark 0.25.32.
-- ==
-- entry: prefix
-- input { 5i64 9i64 } output { 567i64 [8i64, 13i64, 11i64, 5i64, 3i64] }
-- input { 5i64 0i64 } output { 0i64 [0i64, 1i64, 2i64, 3i64, 4i64] }
entry prefix (n: i64) (k: i64): (i64, []i64) =
  loop (s, ys: *[]i64) = (0, iota n) for i < k do
    let m = (ys[i % n] + s) % n + 1
    let zs = copy ys[:m] with [0] = s + i
    in ((s + zs[m - 1] + zs[0]) % 1000, ys with [i % n] = m + ys[(i + 1) % n])

-- Of a matrix all rows.
-- ==
-- entry: prefix_of_rows
-- input { 5i64 9i64 } output { 31i64 [8i64, 13i64, 12i64, 7i64, 3i64] }
entry prefix_of_rows (n: i64) (k: i64): (i64, []i64) =
  let xss = tabulate_2d n n (\i j -> i * 3 + j)
  in loop (s, ys: *[]i64) = (0, iota n) for i < k do
    let m = (ys[i % n] + s) % n + 1
    let zss = copy xss[:, :m] with [1, 0] = s + i
    in ((s + zss[0, m - 1] + zss[1, 0]) % 1000, ys with [i % n] = m + ys[(i + 1) % n])

-- In a loop inside.
-- ==
-- entry: prefix_in_rounds
-- input { 5i64 9i64 } output { 431i64 [7i64, 5i64, 7i64, 11i64, 9i64] }
entry prefix_in_rounds (n: i64) (k: i64): (i64, []i64) =
  loop (s, ys: *[]i64) = (0, iota n) for i < k do
    let (s, m) = loop (s, m) = (s, 1) for j < 2 do
      let m = (ys[j] + s + m) % n + 1
      let zs = copy ys[:m] with [0] = s + i
      in ((s + zs[m - 1] + zs[0]) % 1000, m)
    in (s, ys with [i % n] = m + ys[(i + 1) % n])
