-- Scans of rows whose number of elements the device finds: of what is left of an array, and of as many as an element says. Outputs of Futhark 0.25.32.

-- ==
-- entry: filtered
-- input { [1i64, 2i64, -1i64] [5i64, 1i64, 3i64, 2i64, 4i64] } output { [[5i64, 8i64, 12i64], [10i64, 16i64, 24i64], [-5i64, -8i64, -12i64]] }
-- input { [1i64, 2i64] [1i64, 2i64] } output { empty([2][0]i64) }
entry filtered (ks: []i64) (xs: []i64): [][]i64 =
  let ys = filter (> 2) xs
  in map (\k -> scan (+) 0 (map (* k) ys)) ks
-- ==
-- entry: counted
-- input { [1i64, 2i64] [2i64, 3i64, 1i64] 1i64 } output { [[1i64, 2i64, 4i64, 7i64, 11i64], [1i64, 3i64, 7i64, 13i64, 21i64]] [10i64, 20i64] }
entry counted (ks: []i64) (xs: []i64) (n: i64): ([][]i64, []i64) =
  let m = (scan (+) 0 xs)[n]
  in unzip (map (\k -> let zs = scan (+) 0 (map (* k) (iota m)) in (map (+ 1) zs, zs[m - 1])) ks)
