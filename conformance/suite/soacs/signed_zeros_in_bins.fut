-- The least of zeros of both signs is the one that is in the destination already: of equal ones the first. Which zero it is the bits say: 0, or 2^63 for -0. Outputs: Futhark 0.25.32.

-- ==
-- entry: apart
-- input { [0f64, -0f64, 0f64] [-0f64, 0f64, 0f64] }
-- output { [0u64, 9223372036854775808u64, 0u64] }
entry apart [n] (ds: [n]f64) (vs: [n]f64): [n]u64 =
  map f64.to_bits (reduce_by_index (copy ds) f64.min f64.inf (iota n) vs)

-- Where others may be at the same place.
-- ==
-- entry: shared
-- input { [0f64, -0f64, 0f64] [0i64, 1i64, 2i64] [-0f64, 0f64, 0f64] }
-- output { [0u64, 9223372036854775808u64, 0u64] }
entry shared [n] (ds: [n]f64) (is: [n]i64) (vs: [n]f64): [n]u64 =
  map f64.to_bits (reduce_by_index (copy ds) f64.min f64.inf is vs)

-- One behind the other, at each point of a map.
-- ==
-- entry: at_points
-- input { [[0f64, -0f64, 0f64]] [[-0f64, 0f64, 0f64]] }
-- output { [[0u64, 9223372036854775808u64, 0u64]] }
entry at_points [n] (dss: [n][3]f64) (vss: [n][3]f64): [n][3]u64 =
  map2 (\ds vs -> map f64.to_bits (reduce_by_index (copy ds) f64.min f64.inf (iota 3) vs)) dss vss
