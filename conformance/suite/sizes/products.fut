-- Sizes are multiplied modulo 2^64: an array whose sizes have another product than its elements have is none. 4611686018427387904 is 2^62: 4 times it is 0, and 5 times it 2^62
-- again. On every backend the same, and nothing is read or written.

-- ==
-- entry: read
-- input { 1i64 0i64 [1, 2, 3, 4] } output { 1 }
-- input { 4611686018427387904i64 1000000000i64 empty([0]i32) } error: more elements than can be counted
-- input { 4611686018427387905i64 1i64 [1, 2, 3, 4] } error: more elements than can be counted
entry read (m: i64) (k: i64) (xs: []i32) = let x = unflatten (xs :> [4 * m]i32) in x[0, k]

-- ==
-- entry: write
-- input { 4611686018427387904i64 5i64 empty([0]i32) } error: more elements than can be counted
-- input { 1i64 2i64 [1, 2, 3, 4] } error: out of bounds
-- input { 1i64 0i64 [1, 2, 3, 4] } output { 77 }
entry write (m: i64) (k: i64) (xs: []i32) = let x = copy (unflatten (xs :> [4 * m]i32)) with [0, k] = 77 in x[0, k]

-- Two sizes below zero have a product above it.
-- ==
-- entry: negative sums
-- input { -1i64 -3i64 [1, 2, 3] } error: size of array is negative
entry negative (n: i64) (m: i64) (xs: []i32) = unflatten (xs :> [n * m]i32)
entry sums (n: i64) (m: i64) (xs: []i32) = map i32.sum (unflatten (xs :> [n * m]i32))

-- A product of sizes of rows without elements.
-- ==
-- entry: flat
-- input { 2i64 3i64 } output { 6i64 }
-- input { 4611686018427387904i64 4i64 } error: more elements than can be counted
entry flat (n: i64) (m: i64) = length (flatten (replicate n (replicate m (replicate 0 1i32))))

-- A sum of sizes.
-- ==
-- entry: sum
-- input { empty([0][3]i32) } output { empty([6][0]i32) }
-- input { empty([0][9223372036854775807]i32) } error: size of array is negative
entry sum [n][m] (xs: [n][m]i32) = concat (transpose xs) (transpose xs)
