-- R18: the adjoint of a sum is the sum's, for every element.
-- ==
-- input { [1.0, 2.0, 3.0] 5.0 } output { [5.0, 5.0, 5.0] }
-- input { empty([0]f64) 5.0 }   output { empty([0]f64) }
entry main [n] (xs: [n]f64) (s: f64): [n]f64 = vjp (reduce (+) 0.0) xs s
