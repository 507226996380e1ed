-- X1 (digest 000, table 5.F; B1): equal blocks of a Jacobian are found in any order of the components. Expected are E6's and E8's literal
-- vectors, with the components in that order. That there are no more operands is counted by scans_carry_what_the_matrices_have_of_their_own
-- (core/tests/ad_arrays.rs).

-- The product of 2x2 matrices [[a, b], [c, d]] as (d, a, c, b).
-- ==
-- entry: matrices
-- input { [[4.0, 1.0, 3.0, 2.0], [1.0, 4.0, 2.0, 3.0], [1.0, 1.0, 2.0, 0.0]] [[4.0, 1.0, 3.0, 2.0], [8.0, 5.0, 7.0, 6.0], [12.0, 9.0, 11.0, 10.0]] }
-- output { [[82.0, 159.0, 201.0, 64.0], [236.0, 68.0, 100.0, 160.0], [206.0, 292.0, 188.0, 320.0]] }
entry matrices [n] (xs: [n][4]f64) (seed: [n][4]f64) : [n][4]f64 =
  let times (d: f64, a: f64, c: f64, b: f64) (h: f64, e: f64, g: f64, f: f64) =
    (c * f + d * h, a * e + b * g, c * e + d * g, a * f + b * h)
  let f xs =
    map (\(d, a, c, b) -> [d, a, c, b])
        (scan times (1, 1, 0, 0) (map (\x -> (x[0], x[1], x[2], x[3])) xs))
  in vjp f xs seed

-- Compositions of linear functions of two variables: vector (a, b), matrix [[c, d], [e, f]], as (c, a, e, d, b, f).
-- ==
-- entry: linear
-- input { [[3.0, 1.0, 5.0, 4.0, 2.0, 6.0], [4.0, 6.0, 2.0, 3.0, 5.0, 1.0], [6.0, 4.0, 2.0, 1.0, 5.0, 3.0]]
--   [[3.0, 1.0, 5.0, 4.0, 2.0, 6.0], [0.0, 1.0, 0.0, 0.0, 0.0, 1.0], [0.0, 2.0, 1.0, 1.0, 1.0, 0.0]] }
-- output { [[17.0, 71.0, 14.0, 32.0, 52.0, 26.0], [45.0, 15.0, 22.0, 76.0, 5.0, 37.0], [66.0, 2.0, 43.0, 32.0, 1.0, 20.0]] }
entry linear [n] (xs: [n][6]f64) (seed: [n][6]f64) : [n][6]f64 =
  let after (c: f64, a: f64, e: f64, d: f64, b: f64, f: f64)
            (i: f64, g: f64, k: f64, j: f64, h: f64, l: f64) =
    ( i * c + j * e
    , g + i * a + j * b
    , k * c + l * e
    , i * d + j * f
    , h + k * a + l * b
    , k * d + l * f
    )
  let f xs =
    map (\(c, a, e, d, b, f) -> [c, a, e, d, b, f])
        (scan after
              (1, 0, 0, 0, 0, 1)
              (map (\x -> (x[0], x[1], x[2], x[3], x[4], x[5])) xs))
  in vjp f xs seed
