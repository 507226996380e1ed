-- Loops at each point of a map that make arrays of sizes which follow from such arrays of rounds before: nobody knows before how large they get. Outputs of Futhark 0.25.32.

-- A repetition.
-- ==
-- entry: repeated
-- input { [5i64, 2i64] 9i64 } output { [247i64, 71i64] }
-- input { [5i64, 2i64, 7i64] 0i64 } output { [0i64, 0i64, 0i64] }
-- input { empty([0]i64) 9i64 } output { empty([0]i64) }
entry repeated (ns: []i64) (k: i64): []i64 =
  map (\n -> (loop (m, s) = (1, 0) for i < k do
                let zs = replicate m s with [0] = i
                in ((m * 7 + s) % n + 1, (s + zs[m - 1] + zs[0]) % 1000)).1) ns

-- A part of an array that changes in place.
-- ==
-- entry: copied
-- input { [5i64, 2i64] 9i64 } output { [413i64, 657i64] }
-- input { [5i64, 0i64] 9i64 } error: out of bounds for array of shape \[0\]
entry copied (ns: []i64) (k: i64): []i64 =
  map (\n -> let (_, s, ys) =
               loop (m, s, ys: *[]i64) = (1, 0, iota n) for i < k do
                 let zs = copy ys[:m] with [0] = s + i
                 in ((m * 7 + s) % n + 1, (s + zs[m - 1] + zs[0]) % 1000, ys with [i % n] = m + ys[(i + 1) % n])
             in s + ys[0]) ns

-- Arrays one behind the other.
-- ==
-- entry: joined
-- input { [5i64, 2i64] 9i64 } output { [518i64, 632i64] }
entry joined (ns: []i64) (k: i64): []i64 =
  map (\n -> (loop (m, s, ys) = (1, 0, [n, n + 1]) for i < k do
                let zs = (ys[:m % 2 + 1] ++ ys) with [0] = s + i
                in ((m * 7 + s) % n + 1, (s + zs[m % 3] + zs[0]) % 1000, [zs[0], zs[1]])).1) ns

-- Two arrays, each as long as the other one says; on a side of a branch, in rounds as many as a point has.
-- ==
-- entry: in_turns
-- input { [5i64, 2i64, 9i64] } output { [102i64, 20i64, 180i64] }
entry in_turns (ns: []i64): []i64 =
  map (\n -> if n < 3 then n * 10 else
             let (_, _, s) =
               loop (a, b, s) = (1, 2, 0) while s < 20 * n do
                 let xs = replicate a (s + b) with [0] = n
                 let ys = replicate b (s + a) with [0] = 1
                 in (ys[b - 1] % 4 + 1, xs[a - 1] % 3 + 1, s + xs[0] + ys[0])
             in s) ns
