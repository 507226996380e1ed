-- D25 (digest 000, table 5.D; E11): products that overflow. Each adjoint is the product of the others, modulo 2^32: 65536 * 3 = 196608
-- twice, and 65536^2 = 0. Division of the product, 0, by the element would give 0 everywhere. Integers have no adjoints in the harness:
-- literals only.

-- ==
-- entry: integers integers_one
-- input { [65536i32, 65536i32, 3i32] } output { [196608i32, 196608i32, 0i32] }
entry integers [n] (vs: [n]i32): [n]i32 = vjp (\v -> reduce_by_index [1i32] (*) 1 (replicate n 0i64) v) vs [1i32]

entry integers_one [n] (vs: [n]i32): [n]i32 = vjp (reduce (*) 1i32) vs 1i32

-- 1e30 * 1e-30 = 1 twice, and 1e60, which is infinite. (Derivatives of this derivative
-- are sums of infinities.)
-- ==
-- entry: floats
-- no_derivative input { [1.0e30f32, 1.0e30f32, 1.0e-30f32] } output { [1.0f32, 1.0f32, f32.inf] }
entry floats [n] (vs: [n]f32): [n]f32 = vjp (\v -> reduce_by_index [1f32] (*) 1 (replicate n 0i64) v) vs [1f32]
