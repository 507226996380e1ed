-- From zero to a size in steps that nobody knows: the step is checked although the end cannot be wrong. Expected: by hand; 0.25.32 says the same.
-- ==
-- input { [1, 2] 0i64 } error: Range 0\.\.0\.\.<2 is invalid
-- input { [1, 2] -1i64 } error: Range 0\.\.-1\.\.<2 is invalid
-- input { [1, 2] 2i64 } output { [0i64] }
entry main [n] (_: [n]i32) (s: i64) : []i64 = 0..s..<n
