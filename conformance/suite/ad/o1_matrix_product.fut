-- O1 (digest 002, 1A.19): the adjoint of a matrix product is two reductions, without accumulators. By as it is c bs^T: 1*5 + 0*6 + 2*7 = 19,
-- 8 + 20 = 28; 15 + 6 = 21, 24 + 9 = 33. By bs it is as^T c: 1*1 + 3*3 = 10, 3*1 = 3, 1*2 = 2; 2 + 12 = 14, 4, 4.
-- ==
-- input { [[1.0, 2.0], [3.0, 4.0]] [[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]] [[1.0, 0.0, 2.0], [3.0, 1.0, 0.0]] }
-- output { [[19.0, 28.0], [21.0, 33.0]] [[10.0, 3.0, 2.0], [14.0, 4.0, 4.0]] }
-- input { empty([0][2]f64) [[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]] empty([0][3]f64) }
-- output { empty([0][2]f64) [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] }
-- input { [[1.0, 2.0], [3.0, 4.0]] empty([2][0]f64) empty([2][0]f64) }
-- output { [[0.0, 0.0], [0.0, 0.0]] empty([2][0]f64) }
-- structure { Reduce 2 WithAcc 0 UpdAcc 0 }
entry main [m] [q] [n] (as: [m][q]f64) (bs: [q][n]f64) (cs: [m][n]f64): ([m][q]f64, [q][n]f64) =
  let product (as, bs) = map (\a -> map (\b -> f64.sum (map2 (*) a b)) (transpose bs)) as
  in vjp product (as, bs) cs
