-- X3 (digest 000, table 5.F; B2): Jacobians with zeros that stay in all their products, but are no blocks. (Dual numbers, with the
-- diagonal's elements equal: E4, counted by scans_carry_what_the_matrices_have_of_their_own, core/tests/ad_arrays.rs.) By hand, from the
-- last row to the first, r being the sum of the adjoints of a result.

-- Products of upper triangular matrices [[a, b], [0, c]]: (2, 1, 3), (2, 6, 6), (6, 6, 6). With r = (p, q, s) of a row that begins from (a,
-- b, c) and is multiplied by (d, e, f), the factor's adjoint is (a p, a q, b q + c s), what is before gets (d p + e q, f q, f s). Row 2: r
-- = (1, 10, 100): (2, 20, 60 + 600). Row 1: r = (3, 10, 100) + (0, 1, 0): (6, 22, 11 + 300). Row 0: r = (3 + 22, 22, 200) + (1, 0, 0).
-- ==
-- entry: triangular
-- input { [[2.0, 1.0, 3.0], [1.0, 2.0, 2.0], [3.0, 0.0, 1.0]] [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 10.0, 100.0]] }
-- output { [[2.0, 1.0, 3.0], [2.0, 6.0, 6.0], [6.0, 6.0, 6.0]] [[26.0, 22.0, 200.0], [6.0, 22.0, 311.0], [2.0, 20.0, 660.0]] }
entry triangular [n]
                 (xs: [n][3]f64)
                 (seed: [n][3]f64) : ([n][3]f64, [n][3]f64) =
  let times (a: f64, b: f64, c: f64) (d: f64, e: f64, f: f64) =
    (a * d, a * e + b * f, c * f)
  in vjp2 (\xs ->
             map (\(a, b, c) -> [a, b, c])
                 (scan times (1, 0, 1) (map (\x -> (x[0], x[1], x[2])) xs)))
          xs
          seed

-- Sums, sums of products of two, of three: two steps lead from the third to the first, a zero that a product fills. (1, 2, 3), (3, 5, 9),
-- (4, 9, 19). With r = (p, q, s) the summand's adjoint is (p + a q + b s, q + a s, s), what is before gets (p + d q + e s, q + d s, s). Row
-- 2: (1 + 30 + 500, 10 + 300, 100). Row 1: r = (1 + 10 + 100, 10 + 100, 100): (111 + 110 + 200, 110 + 100, 100). Row 0: r = (111 + 220 +
-- 100, 110 + 200, 100).
-- ==
-- entry: filled
-- input { [[1.0, 2.0, 3.0], [2.0, 1.0, 1.0], [1.0, 1.0, 2.0]] [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 10.0, 100.0]] }
-- output { [[1.0, 2.0, 3.0], [3.0, 5.0, 9.0], [4.0, 9.0, 19.0]] [[431.0, 310.0, 100.0], [421.0, 210.0, 100.0], [531.0, 310.0, 100.0]] }
entry filled [n] (xs: [n][3]f64) (seed: [n][3]f64) : ([n][3]f64, [n][3]f64) =
  let more (a: f64, b: f64, c: f64) (d: f64, e: f64, f: f64) =
    (a + d, b + e + a * d, c + f + a * e + b * d)
  in vjp2 (\xs ->
             map (\(a, b, c) -> [a, b, c])
                 (scan more (0, 0, 0) (map (\x -> (x[0], x[1], x[2])) xs)))
          xs
          seed
