-- R33 (digest 002, Fig. 2): a nest of maps with a branch between. The squares' derivative is 2 a, of the other branch (here 3 a, or the row
-- as it is) 3, or 1.
-- ==
-- entry: numbers
-- input { [false, true, false] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [[1.0, 10.0], [100.0, 1000.0], [1.0, 2.0]] }
-- output { [[1.0, 4.0], [9.0, 12.0], [25.0, 36.0]] [[2.0, 40.0], [300.0, 3000.0], [10.0, 24.0]] }
-- input { empty([0]bool) empty([0][2]f64) empty([0][2]f64) } output { empty([0][2]f64) empty([0][2]f64) }
entry numbers [n] [m] (cs: [n]bool) (ass: [n][m]f64) (adj: [n][m]f64): ([n][m]f64, [n][m]f64) =
  vjp2 (\ass -> map2 (\c as -> if c then map (* 3) as else map (\a -> a * a) as) cs ass) ass adj

-- ==
-- entry: rows
-- input { [false, true] [[1.0, 2.0], [3.0, 4.0]] [[1.0, 10.0], [100.0, 1000.0]] }
-- output { [[1.0, 4.0], [3.0, 4.0]] [[2.0, 40.0], [100.0, 1000.0]] }
entry rows [n] [m] (cs: [n]bool) (ass: [n][m]f64) (adj: [n][m]f64): ([n][m]f64, [n][m]f64) =
  vjp2 (\ass -> map2 (\c as -> if c then as else map (\a -> a * a) as) cs ass) ass adj

-- Three levels deep, with what each level has: x y_i z_ij, by x the sum of y z, by y of x z, by z x y. 2 * [3, 5] * [[1, 2], [3, 4]].
-- ==
-- entry: levels
-- input { [2.0] [[3.0, 5.0]] [[[1.0, 2.0], [3.0, 4.0]]] }
-- output { [[[6.0, 12.0], [30.0, 40.0]]] [44.0] [[6.0, 14.0]] [[[6.0, 6.0], [10.0, 10.0]]] }
entry levels [n] [m] [l] (xs: [n]f64) (ys: [n][m]f64) (zs: [n][m][l]f64): ([n][m][l]f64, [n]f64, [n][m]f64, [n][m][l]f64) =
  let f (xs: [n]f64, ys: [n][m]f64, zs: [n][m][l]f64) = map3 (\x ys zs -> map2 (\y zs -> map (\z -> x * y * z) zs) ys zs) xs ys zs
  let (v, (xs', ys', zs')) = vjp2 f (xs, ys, zs) (replicate n (replicate m (replicate l 1)))
  in (v, xs', ys', zs')
