-- The neutral element of a reduction is an operand, once, on the left: it has an adjoint (000-E21). With a
-- tangent it is no longer neutral for the lifted operator, so that there are no derivatives of its derivatives.

-- d(ne * 2 * 3)/d ne = 6, at 1; of nothing, 1
-- ==
-- entry: product_neutral
-- no_derivative input { 1.0 [2.0, 3.0] 10.0 } output { 60.0 [30.0, 20.0] }
-- no_derivative input { 1.0 [0.0, 3.0] 10.0 } output { 0.0 [30.0, 0.0] }
-- no_derivative input { 1.0 empty([0]f64) 10.0 } output { 10.0 empty([0]f64) }
entry product_neutral [n] (ne: f64) (xs: [n]f64) (s: f64): (f64, [n]f64) = vjp (\(e, ys) -> reduce (*) e ys) (ne, xs) s

-- ==
-- entry: sum_neutral
-- no_derivative input { 0.0 [2.0, 3.0] 10.0 } output { 10.0 [10.0, 10.0] }
-- input { 0.0 empty([0]f64) 10.0 } output { 10.0 empty([0]f64) }
entry sum_neutral [n] (ne: f64) (xs: [n]f64) (s: f64): (f64, [n]f64) = vjp (\(e, ys) -> reduce (+) e ys) (ne, xs) s

-- The one that is returned gets all: an element, or the neutral element where there is none that is less.
-- ==
-- entry: min_neutral
-- input { 9.0 [2.0, 3.0] 10.0 } output { 0.0 [10.0, 0.0] }
-- input { 9.0 [3.0, 2.0, 2.0] 10.0 } output { 0.0 [0.0, 10.0, 0.0] }
-- input { 9.0 empty([0]f64) 10.0 } output { 10.0 empty([0]f64) }
entry min_neutral [n] (ne: f64) (xs: [n]f64) (s: f64): (f64, [n]f64) = vjp (\(e, ys) -> reduce f64.min e ys) (ne, xs) s

-- ==
-- entry: max_neutral
-- input { -9.0 [2.0, 3.0] 10.0 } output { 0.0 [0.0, 10.0] }
-- input { -9.0 empty([0]f64) 10.0 } output { 10.0 empty([0]f64) }
entry max_neutral [n] (ne: f64) (xs: [n]f64) (s: f64): (f64, [n]f64) = vjp (\(e, ys) -> reduce f64.max e ys) (ne, xs) s

-- Where only the neutral element is differentiated by: each element is in the sum, and the adjoint is the seed.
-- ==
-- entry: neutral_alone
-- no_derivative input { 0.0 [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] 10.0 } output { 21.0 10.0 }
entry neutral_alone [n] (ne: f64) (xs: [n]f64) (s: f64): (f64, f64) = vjp2 (\e -> reduce (+) e xs) ne s
