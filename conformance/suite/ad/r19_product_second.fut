-- The derivative of the derivative of a product, where an element is zero. For y = a b c the gradient is (bc, ac, ab); its vjp with all ones is
-- (c+b, c+a, b+a): at (1, 0, 2) that is (2, 3, 1). And for booleans, where && multiplies: at (true, false) the gradient is (false, true).
-- ==
-- input { [1.0, 0.0, 2.0] }
-- output { [2.0, 3.0, 1.0] }
-- ==
-- entry: logic
-- input { [true, false] }
-- output { [false, true] }

entry main [n] (xs: [n]f64) : [n]f64 = vjp (\ys -> vjp f64.product ys 1.0) xs (map (\_ -> 1.0) xs)

entry logic [n] (xs: [n]bool) : [n]bool = vjp (reduce (&&) true) xs true
