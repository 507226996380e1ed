-- O4 (digest 002, 4.4; 1A.20): the adjoints of A B, A B^T and A^T B are two reductions each, whatever the layout, with nothing accumulated.
-- (How fast they are, is for benchmarks.) Expected: those of o1_matrix_product.fut, c B^T and A^T c, with the arguments and the results
-- transposed likewise.
def product [m] [q] [n] (as: [m][q]f64) (bs: [q][n]f64) : [m][n]f64 =
  map (\a -> map (\b -> f64.sum (map2 (*) a b)) (transpose bs)) as

-- ==
-- entry: a_b
-- input { [[1.0, 2.0], [3.0, 4.0]] [[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]] [[1.0, 0.0, 2.0], [3.0, 1.0, 0.0]] }
-- output { [[19.0, 28.0], [21.0, 33.0]] [[10.0, 3.0, 2.0], [14.0, 4.0, 4.0]] }
-- structure { Reduce 6 WithAcc 0 UpdAcc 0 }
entry a_b [m] [q] [n]
          (as: [m][q]f64)
          (bs: [q][n]f64)
          (cs: [m][n]f64) : ([m][q]f64, [q][n]f64) =
  vjp (\(as, bs) -> product as bs) (as, bs) cs

-- ==
-- entry: a_bt
-- input { [[1.0, 2.0], [3.0, 4.0]] [[5.0, 8.0], [6.0, 9.0], [7.0, 10.0]] [[1.0, 0.0, 2.0], [3.0, 1.0, 0.0]] }
-- output { [[19.0, 28.0], [21.0, 33.0]] [[10.0, 14.0], [3.0, 4.0], [2.0, 4.0]] }
entry a_bt [m] [q] [n]
           (as: [m][q]f64)
           (bs: [n][q]f64)
           (cs: [m][n]f64) : ([m][q]f64, [n][q]f64) =
  vjp (\(as, bs) -> product as (transpose bs)) (as, bs) cs

-- ==
-- entry: at_b
-- input { [[1.0, 3.0], [2.0, 4.0]] [[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]] [[1.0, 0.0, 2.0], [3.0, 1.0, 0.0]] }
-- output { [[19.0, 21.0], [28.0, 33.0]] [[10.0, 3.0, 2.0], [14.0, 4.0, 4.0]] }
-- input { empty([2][0]f64) [[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]] empty([0][3]f64) }
-- output { empty([2][0]f64) [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] }
entry at_b [m] [q] [n]
           (as: [q][m]f64)
           (bs: [q][n]f64)
           (cs: [m][n]f64) : ([q][m]f64, [q][n]f64) =
  vjp (\(as, bs) -> product (transpose as) bs) (as, bs) cs
