-- What the interpreter's speed is measured with, beside NumPy, JAX, CPython and Futhark.

-- ==
-- entry: multiply_add
-- tiny input { 2i64 0.5 1.0 } output { 1.625 }
-- small input { 100000i64 0.5 1.0 }

-- ==
-- entry: polynomial
-- tiny input { [0.0, 1.0, -2.0] } output { [0.0, 3.0, -12.0] }
-- small random input { [100000]f64 }

-- ==
-- entry: total
-- tiny input { [0.5, 1.0, -2.0] } output { -0.5 }
-- small random input { [100000]f64 }

-- ==
-- entry: prefixes
-- tiny input { [0.5, 1.0, -2.0] } output { [0.5, 1.5, -0.5] }
-- small random input { [100000]f64 }

-- ==
-- entry: product
-- tiny input { [[1.0, 2.0], [3.0, 4.0]] [[0.0, 1.0], [1.0, 1.0]] } output { [[2.0, 3.0], [4.0, 7.0]] }
-- small random input { [64][64]f64 [64][64]f64 }

-- | A scalar loop: n multiply-adds.
entry multiply_add (n: i64) (a: f64) (b: f64) : f64 = loop x = 0.5 for _i < n do x * a + b

-- | A map of a polynomial.
entry polynomial [n] (xs: [n]f64) : [n]f64 = map (\x -> x * x * x + 2.0 * x) xs

-- | A reduction.
entry total [n] (xs: [n]f64) : f64 = reduce (+) 0.0 xs

-- | A scan.
entry prefixes [n] (xs: [n]f64) : [n]f64 = scan (+) 0.0 xs

-- | A matrix product.
entry product [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64) : [n][k]f64 =
  let columns = transpose b
  in map (\row -> map (\column -> reduce (+) 0.0 (map2 (*) row column)) columns) a
