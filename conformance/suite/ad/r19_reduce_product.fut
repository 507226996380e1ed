-- R19: each element's derivative is the product of the others: with one zero only that element's is not zero, with two all are.
-- ==
-- input { [2.0, 4.0, 5.0] }  output { [20.0, 10.0, 8.0] }
-- input { [2.0, 0.0, 3.0] }  output { [0.0, 6.0, 0.0] }
-- input { [2.0, 0.0, 0.0] }  output { [0.0, 0.0, 0.0] }
-- input { [2.0, -0.0, 3.0] } output { [0.0, 6.0, 0.0] }
-- input { [7.0] }            output { [1.0] }
entry main [n] (xs: [n]f64): [n]f64 = vjp f64.product xs 1.0

-- The product of all overflows, that of two does not: 1e30 * 1e-30 = 1. The quotient of the products would be wrong. (Derivatives of this derivative
-- are sums of infinities.)
-- ==
-- entry: large
-- no_derivative input { [1.0e30f32, 1.0e30f32, 1.0e-30f32] } output { [1.0f32, 1.0f32, f32.inf] }
entry large [n] (xs: [n]f32): [n]f32 = vjp f32.product xs 1.0
