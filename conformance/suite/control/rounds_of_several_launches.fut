-- Loops with so many rounds that a device which runs each by one invocation needs several launches. Outputs of Futhark 0.25.32.
-- ==
-- entry: launches
-- input { 1000i64 150i64 } output { 7727i64 7727i64 7727000i64 }
entry launches (n: i64) (k: i64): (i64, i64, i64) =
  let xs = loop xs = iota n for i < k do map2 (\x y -> (x + y + i) % 10007) xs (reverse xs)
  in (xs[0], xs[n - 1], i64.sum xs)

-- An array that is changed in place, and a number.
-- ==
-- entry: two
-- input { 500i64 200i64 } output { 805i64 298976i64 99800i64 200i64 }
entry two (n: i64) (k: i64): (i64, i64, i64, i64) =
  let (xs, ys, s) =
    loop (xs, ys: *[]i64, s) = (iota n, replicate n 1, 0) for i < k do
      let ys = ys with [i] = (s + xs[i]) % 1000
      in (map2 (\x y -> (x + 3 * y) % 1009) xs ys, ys, s + xs[0] + ys[n - 1 - i])
  in (xs[3], i64.sum xs, i64.sum ys, s)
