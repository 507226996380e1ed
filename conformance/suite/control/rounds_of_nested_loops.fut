-- Loops in loops, and in branches that nobody takes. With more rounds than a driver allows: vk-backend/tests/gpu, `limits`.
-- Expected: the sums of i + j k over j < n and k < m modulo 1000003, and of 1 to n: the inner loop of `untaken` never runs.
-- ==
-- entry: main
-- input { 100i64 3i64 } output { [14850i64, 15150i64, 15450i64, 15750i64] }
-- input { 2000i64 3i64 } output { [996985i64, 2982i64, 8982i64, 14982i64] }

-- ==
-- entry: untaken
-- input { 1000i64 3i64 } output { [500500i64, 500500i64] }
entry main (n: i64) (m: i64) : [4]i64 = map (\i -> loop s = 0 for j < n do loop s for k < m do (s + i + j * k) % 1000003) (iota 4)
entry untaken (n: i64) (m: i64) : [2]i64 =
  map (\i -> loop s = 0 for j < n do if s < 0 then loop t = s for k < m do (t * 3 + i) % 7 + k else (s + j + 1) % 1000003) (iota 2)
