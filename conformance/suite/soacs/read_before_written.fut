-- What a nest reads of rows before it scatters to them is read before: for what comes later, and for the scatter itself. Outputs of Futhark 0.25.32.

-- ==
-- entry: read_before
-- input { [2i64, 3i64] [0i64, 2i64] }
-- output { [[7i64, 6i64], [7i64, 9i64]] [4i64, 6i64] [[5i64, 6i64], [7i64, 9i64]] }
entry read_before (xs: []i64) (is: []i64): ([][]i64, []i64, [][]i64) =
  let (yss, firsts) =
    unzip (map (\x ->
                  let ys = map (* x) xs
                  let first = ys[0]
                  in (scatter ys is (map (\i -> i * 0 + 7) is), first))
               xs)
  let zss =
    map (\x ->
           let zs = map (* x) xs
           let first = zs[0] + 1
           in scatter zs is (map (+ first) is))
        xs
  in (yss, firsts, zss)
-- ==
-- entry: between
-- input { [2i64, 3i64, 5i64] [1i64, 4i64, 2i64] }
-- output { [[4i64, 3i64, 3i64], [6i64, 4i64, 4i64], [10i64, 6i64, 6i64]] [6i64, 9i64, 15i64] [3i64, 4i64, 6i64] }
entry between (xs: []i64) (is: []i64): ([][]i64, []i64, []i64) =
  unzip3 (map (\x ->
                 let ys = map (* x) xs
                 let before = ys[1]
                 let zs = scatter ys is (map (+ x) is)
                 let after = zs[1]
                 in (scatter zs (map (* 2) is) (map (\i -> i + after - 1) is), before, after))
              xs)
