-- C1 (digest 000, table 5.C): the adjoint of a sum goes to each element as it is. Nothing is reduced where the sum is not asked for.
-- ==
-- input { [2.0, 3.0, 4.0] 3.0 } output { [3.0, 3.0, 3.0] }
-- input { [5.0] -1.5 } output { [-1.5] }
-- input { empty([0]f64) 3.0 } output { empty([0]f64) }
-- structure { Reduce 0 Screma 0 }
entry main [n] (xs: [n]f64) (seed: f64) : [n]f64 = vjp (reduce (+) 0) xs seed
