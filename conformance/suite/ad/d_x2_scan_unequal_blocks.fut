-- X2 (digest 000, table 5.F; B2): a Jacobian with blocks that are not equal: the product of 2x2 matrices (two equal blocks) and, between
-- their components, that of dual numbers (a triangular one). Expected: the literal vectors of E6 and of E4.

def times (a: f64, x: f64, b: f64, c: f64, y: f64, d: f64)
          (e: f64, z: f64, f: f64, g: f64, u: f64, h: f64) =
  ( a * e + b * g
  , y * z + u * x
  , a * f + b * h
  , c * e + d * g
  , y * u
  , c * f + d * h
  )

def f [n] (xs: [n][6]f64) : [n][6]f64 =
  map (\(a, x, b, c, y, d) -> [a, x, b, c, y, d])
      (scan times
            (1, 0, 0, 0, 1, 1)
            (map (\x -> (x[0], x[1], x[2], x[3], x[4], x[5])) xs))

-- ==
-- entry: reverse
-- input { [[1.0, 1.0, 2.0, 3.0, 10.0, 4.0], [4.0, 2.0, 3.0, 2.0, 11.0, 1.0], [1.0, 3.0, 0.0, 2.0, 12.0, 1.0]]
--   [[1.0, 1.0, 2.0, 3.0, 2.0, 4.0], [5.0, 3.0, 6.0, 7.0, 4.0, 8.0], [9.0, 5.0, 10.0, 11.0, 6.0, 12.0]] }
-- output { [[1.0, 1.0, 2.0, 3.0, 10.0, 4.0], [8.0, 31.0, 5.0, 20.0, 110.0, 13.0], [18.0, 702.0, 5.0, 46.0, 1320.0, 13.0]]
--   [[159.0, 694.0, 64.0, 201.0, 1129.0, 82.0], [68.0, 630.0, 160.0, 100.0, 973.0, 236.0], [292.0, 550.0, 320.0, 188.0, 815.0, 206.0]] }
entry reverse [n] (xs: [n][6]f64) (seed: [n][6]f64) : ([n][6]f64, [n][6]f64) =
  vjp2 f xs seed
