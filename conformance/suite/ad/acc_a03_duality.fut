-- A3 (digest 001, 5.2): <v, J u> = <v^T J, u>. The product by forward and by reverse mode, by hand from the Jacobian.

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

def both [n] [m]
         (f: [n]f64 -> [m]f64)
         (x: [n]f64)
         (u: [n]f64)
         (v: [m]f64) : (f64, f64) =
  (dot v (jvp f x u), dot (vjp f x v) u)

-- (x + y, x y) at (2, 3): [[1, 1], [3, 2]]. J (5, 7) = (12, 29), with (10, 100) 120 + 2900.
-- ==
-- entry: scalars
-- input { [2.0, 3.0] [5.0, 7.0] [10.0, 100.0] } output { 3020.0 3020.0 }
entry scalars (x: [2]f64) (u: [2]f64) (v: [2]f64) : (f64, f64) =
  both (\x -> [x[0] + x[1], x[0] * x[1]]) x u v

-- The branch that is taken, squared: (x y)^2 has 2 x y (y, x), (x / y)^2 has 2 x / y (1 / y, -x / y^2). At (2, 3): 12 (3 * 5 + 2 * 7) =
-- 348; at (6, 3): 4 (5 / 3 - 2 / 3 * 7) = -12.
-- ==
-- entry: branch
-- input { [2.0, 3.0] [5.0, 7.0] [10.0] } output { 3480.0 3480.0 }
-- input { [6.0, 3.0] [5.0, 7.0] [10.0] } output { -120.0 -120.0 }
entry branch (x: [2]f64) (u: [2]f64) (v: [1]f64) : (f64, f64) =
  both (\x ->
          let p = if x[0] < x[1] then x[0] * x[1] else x[0] / x[1] in [p * p])
       x
       u
       v

-- Products from the left of [2, 3, 4]: the tangents of 2, 6, 24 are 5, 3 * 5 + 2 * 7, 4 * 29 + 6 * 1 = 122: 5 + 290 + 12200.
-- ==
-- entry: scanned
-- input { [2.0, 3.0, 4.0] [5.0, 7.0, 1.0] [1.0, 10.0, 100.0] } output { 12495.0 12495.0 }
-- input { empty([0]f64) empty([0]f64) empty([0]f64) } output { 0.0 0.0 }
entry scanned [n] (x: [n]f64) (u: [n]f64) (v: [n]f64) : (f64, f64) =
  both (scan (*) 1) x u v

-- Elements read twice and never, added up in bins: x2 x2, x0 in the bins 1, 0, of x2^2 2 x2 u2 = 8 * 1: 8 * 10 + 5 * 1.
-- ==
-- entry: indices
-- input { [2i64, 0i64] [2.0, 3.0, 4.0] [5.0, 7.0, 1.0] [1.0, 10.0] } output { 85.0 85.0 }
entry indices [n]
              (is: [2]i64)
              (x: [n]f64)
              (u: [n]f64)
              (v: [2]f64) : (f64, f64) =
  both (\x ->
          reduce_by_index [0, 0]
                          (+)
                          0
                          [1, 0]
                          (map2 (\i k -> if k == 0 then x[i] * x[i] else x[i])
                                is
                                [0, 1]))
       x
       u
       v
