-- Second derivatives through views by strides that overlap: f xs = the sum of the cubes of [[x0, x1], [x1, x2]], so x1 counts twice. The derivative is
-- 3 x^2, for x1 6 x^2; along [1, 10, 100] the second is 6 x, 12 x, 6 x times that. At [1, 2, 3]: [3, 24, 27]; [6, 240, 1800].
-- ==
-- entry: reverse_of_reverse forward_of_reverse reverse_of_forward
-- input { [1.0, 2.0, 3.0] } output { [6.0, 240.0, 1800.0] }
def f (xs: [3]f64) = f64.sum (map f64.sum (map (map (\x -> x * x * x)) (intrinsics.flat_index_2d xs 0 2 1 2 1 :> [2][2]f64)))
def along: [3]f64 = [1, 10, 100]

entry reverse_of_reverse (xs: [3]f64): [3]f64 = vjp (\xs -> vjp f xs 1) xs (copy along)
entry forward_of_reverse (xs: [3]f64): [3]f64 = jvp (\xs -> vjp f xs 1) xs (copy along)
entry reverse_of_forward (xs: [3]f64): [3]f64 = vjp (\xs -> jvp f xs (copy along)) xs 1

-- ==
-- entry: first
-- input { [1.0, 2.0, 3.0] } output { [3.0, 24.0, 27.0] }
entry first (xs: [3]f64): [3]f64 = vjp f xs 1
