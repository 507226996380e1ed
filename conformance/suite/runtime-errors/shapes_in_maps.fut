-- A shape at each point of a map: no size may be negative, and their product is one that can be counted, or there is an empty dimension. The products wrap: (-2) * (-4) and
-- 4 * (2^62 + 2) are 8, as many elements as there are.

def first (k: i64) (n: i64) (m: i64): i32 =
  let xs = map i32.i64 (iota k)
  let xss = unflatten (xs :> [n * m]i32)
  in if k == 0 then i32.i64 n else xss[n - 1, m - 1] + xss[0, m - 1]

-- ==
-- entry: shapes
-- input { [8i64, 8i64, 8i64, 0i64, 0i64] [2i64, 8i64, 1i64, 0i64, 7i64] [4i64, 1i64, 8i64, 4611686018427387906i64, 0i64] } output { [10, 7, 14, 0, 7] }
-- input { [8i64, 8i64] [2i64, -2i64] [4i64, -4i64] } error: size of array is negative
-- input { [8i64, 8i64] [4i64, 2i64] [4611686018427387906i64, 4i64] } error: can be counted
-- input { [0i64, 0i64] [0i64, 4611686018427387904i64] [3i64, 4i64] } error: can be counted
entry shapes (ks: []i64) (ns: []i64) (ms: []i64): []i32 = map3 first ks ns ms

-- Of three sizes 2 * 2 * (2^62 + 2) is 8, and so is 2 * (-2) * (-2).
-- ==
-- entry: cubes
-- input { [8i64, 8i64] [2i64, 1i64] [2i64, 4i64] [2i64, 2i64] } output { [7, 7] }
-- input { [8i64, 8i64] [2i64, 2i64] [2i64, 2i64] [2i64, 4611686018427387906i64] } error: can be counted
-- input { [8i64, 8i64] [2i64, 2i64] [2i64, -2i64] [2i64, -2i64] } error: size of array is negative
entry cubes (ks: []i64) (ns: []i64) (ms: []i64) (ls: []i64): []i32 =
  map4 (\k n m l ->
          let xs = map i32.i64 (iota k)
          let xsss = unflatten_3d (xs :> [n * m * l]i32)
          in xsss[n - 1, m - 1, l - 1]) ks ns ms ls
