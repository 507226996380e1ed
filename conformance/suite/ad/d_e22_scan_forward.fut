-- E22 (digest 000, table 5.E): forward mode of a scan is the scan of pairs of a value and its tangent, with the neutral element's tangent
-- 0. By hand.

-- 1, 2, 6 with the tangents 1; 2 * 1 + 1 * 10; 3 * 12 + 2 * 100.
-- ==
-- entry: forward lifted by_columns
-- input { [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] } output { [1.0, 2.0, 6.0] [1.0, 12.0, 236.0] }
-- input { [5.0] [7.0] } output { [5.0] [7.0] }
-- input { empty([0]f64) empty([0]f64) } output { empty([0]f64) empty([0]f64) }
entry forward [n] (xs: [n]f64) (xs': [n]f64) : ([n]f64, [n]f64) =
  jvp2 (scan (*) 1) xs xs'

entry lifted [n] (xs: [n]f64) (xs': [n]f64) : ([n]f64, [n]f64) =
  unzip (scan (\(x, x') (y, y') -> (x * y, x * y' + x' * y))
              (1, 0)
              (zip xs xs'))

-- From reverse mode: the rows of the Jacobian times the tangents.
entry by_columns [n] (xs: [n]f64) (xs': [n]f64) : ([n]f64, [n]f64) =
  let unit i = map (\j -> f64.bool (i == j)) (iota n)
  in ( scan (*) 1 xs
     , map (\i -> f64.sum (map2 (*) xs' (vjp (scan (*) 1) xs (unit i))))
           (iota n)
     )

-- Compositions of linear functions, at E5's literal vectors: d := d_i + c_i d, c := c_i c, with all tangents 1: d' = 1 + d + c_i d', c' = c
-- + c_i c': d 1, 7, 31, 66; d' 1, 1 + 1 + 3, 1 + 7 + 20, 1 + 31 + 56; c 2, 6, 24, 48; c' 1, 2 + 3, 6 + 20, 24 + 52.
-- ==
-- entry: linear
-- input { [1.0, 4.0, 3.0, 4.0] [2.0, 3.0, 4.0, 2.0] }
-- output { [1.0, 7.0, 31.0, 66.0] [2.0, 6.0, 24.0, 48.0] [1.0, 5.0, 28.0, 88.0] [1.0, 5.0, 26.0, 76.0] }
entry linear [n] (ds: [n]f64) (cs: [n]f64) : ([n]f64, [n]f64, [n]f64, [n]f64) =
  let after (a: f64, b: f64) (c: f64, d: f64) = (c + d * a, b * d)
  let ((x, y), (x', y')) =
    jvp2 (\(ds, cs) -> unzip (scan after (0, 1) (zip ds cs)))
         (ds, cs)
         (replicate n 1, replicate n 1)
  in (x, y, x', y')
