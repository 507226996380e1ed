-- X8 (digest 000, table 5.F; E11): the adjoint of a factor is the product of the others also where the product of all, divided by the
-- factor, is not: if it has overflowed, underflowed, or is of zeros. By hand. (32 bits: D25.)

-- 65536^2 is 2^32, and 2^64 is 0: 5 * 2^32 twice, and 0.
-- ==
-- entry: integers integers_hist
-- input { [4294967296i64, 4294967296i64, 5i64] } output { [21474836480i64, 21474836480i64, 0i64] }
-- input { [2i64, 0i64, 3i64] } output { [0i64, 6i64, 0i64] }
entry integers [n] (xs: [n]i64) : [n]i64 = vjp (reduce (*) 1) xs 1

entry integers_hist [n] (xs: [n]i64) : [n]i64 =
  vjp (\xs -> reduce_by_index [1] (*) 1 (replicate n 0) xs) xs [1]

-- 16 * 16 = 256: 48 twice, and 0. (The interpreter of Futhark 0.25.32 gives these numbers, but of type i8.)
-- ==
-- entry: bytes bytes_hist
-- input { [16u8, 16u8, 3u8] } output { [48u8, 48u8, 0u8] }
entry bytes [n] (xs: [n]u8) : [n]u8 = vjp (reduce (*) 1) xs 1

entry bytes_hist [n] (xs: [n]u8) : [n]u8 =
  vjp (\xs -> reduce_by_index [1] (*) 1 (replicate n 0) xs) xs [1]

-- 1e-200^2 is 0 in f64, though no factor is: with the seed 1e200 the others' products are 3, 3, and 1e-200. (At such numbers there is no
-- difference to take.)
-- ==
-- entry: underflow underflow_hist
-- no_derivative input { [1e-200, 1e-200, 3.0] 1e200 } output { [3.0, 3.0, 0.0] }
-- input { [2.0, 0.0, 3.0] 10.0 } output { [0.0, 60.0, 0.0] }
entry underflow [n] (xs: [n]f64) (seed: f64) : [n]f64 =
  vjp (reduce (*) 1) xs seed

entry underflow_hist [n] (xs: [n]f64) (seed: f64) : [n]f64 =
  vjp (\xs -> reduce_by_index [1] (*) 1 (replicate n 0) xs) xs [seed]

-- 1e200^2 is infinite, so is the product of all, but 1e200 * 1e-150 is 1e50 twice. With the seed 1e-50 it is 1; the last element's adjoint,
-- 1e400 * 1e-50, is infinite.
-- ==
-- entry: overflow overflow_hist
-- no_derivative input { [1e200, 1e200, 1e-150] 1e-50 } output { [1.0, 1.0, f64.inf] }
entry overflow [n] (xs: [n]f64) (seed: f64) : [n]f64 =
  vjp (reduce (*) 1) xs seed

entry overflow_hist [n] (xs: [n]f64) (seed: f64) : [n]f64 =
  vjp (\xs -> reduce_by_index [1] (*) 1 (replicate n 0) xs) xs [seed]
