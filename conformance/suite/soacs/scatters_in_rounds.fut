-- Scatters in rounds of loops at host level: the device runs all rounds at once where they are little work. Outputs: Futhark 0.25.32.

-- ==
-- entry: turned
-- input { [1i64, 2i64, 3i64, 4i64] [3i64, -1i64, 0i64, 2i64] }
-- output { [4i64, 2i64, 6i64, 7i64] }
entry turned [n] (xs: [n]i64) (is: [n]i64): [n]i64 =
  loop xs = copy xs for k < 3 do scatter (copy xs) is (map (+ k) xs)

-- What a round scatters it maps, too.
-- ==
-- entry: mapped_too
-- input { [1i64, 2i64, 3i64, 4i64] [3i64, 1i64, 4i64, 2i64] }
-- output { [4i64, 5i64, 10i64, 11i64] [11i64, 5i64, 30i64, 10i64] }
entry mapped_too [n] (xs: [n]i64) (is: [n]i64): ([n]i64, [n]i64) =
  loop (xs, ys) = (copy xs, copy xs) for k < 3 do
    let zs = map2 (\x i -> x * i + k) xs is
    in (scatter (copy ys) is zs, zs)
