-- Several directions at once through recursive functions, the number known at run time only. power n xs = the xs to the 2^n: at n = 2 the derivative is 4 x^3.
def power (n: i64) (xs: []f64): []f64 = if n == 0 then xs else power (n - 1) (map (\x -> x * x) xs)

-- ==
-- entry: reverse forward
-- input { 2i64 [1.0, 2.0] [[1.0, 0.0], [0.0, 1.0], [10.0, 100.0]] } output { [[4.0, 0.0], [0.0, 32.0], [40.0, 3200.0]] }
-- input { 0i64 [1.0, 2.0] [[1.0, 0.0], [0.0, 1.0]] } output { [[1.0, 0.0], [0.0, 1.0]] }
-- input { 1i64 [1.0, 2.0] empty([0][2]f64) } output { empty([0][2]f64) }
entry reverse [k] (n: i64) (xs: [2]f64) (seeds: [k][2]f64): [k][2]f64 = mjp (\xs -> power n xs :> [2]f64) xs seeds
entry forward [k] (n: i64) (xs: [2]f64) (seeds: [k][2]f64): [k][2]f64 = jmp (\xs -> power n xs :> [2]f64) xs seeds

-- The adjoint of what is handed on as it is is that of the result: here both are used again.
-- ==
-- entry: handed_on
-- input { 0i64 [1.0, 2.0] } output { [2.0, 4.0] }
-- input { 1i64 [1.0, 2.0] } output { [4.0, 32.0] }
entry handed_on (n: i64) (xs: [2]f64): [2]f64 = vjp (\xs -> f64.sum (map (\x -> x * x) (power n xs))) xs 1
