-- Loops in loops, and in branches that nobody takes, with more rounds together than a driver allows that stops silently (llvmpipe: 65535): right, or refused.
-- Expected: the sums of i + j k over j < n and k < m modulo 1000003, and of 1 to n: the inner loop of `untaken` never runs.
-- ==
-- entry: main
-- input { 100i64 3i64 } output { [14850i64, 15150i64, 15450i64, 15750i64] }
-- input { 20000i64 3i64 } output { [968203i64, 28200i64, 88200i64, 148200i64] }
-- input { 64000i64 1i64 } output { [0i64, 64000i64, 128000i64, 192000i64] }

-- ==
-- entry: untaken
-- input { 1000i64 3i64 } output { [500500i64, 500500i64] }
-- input { 60000i64 3i64 } output { [24600i64, 24600i64] }
entry main (n: i64) (m: i64) : [4]i64 = map (\i -> loop s = 0 for j < n do loop s for k < m do (s + i + j * k) % 1000003) (iota 4)
entry untaken (n: i64) (m: i64) : [2]i64 =
  map (\i -> loop s = 0 for j < n do if s < 0 then loop t = s for k < m do (t * 3 + i) % 7 + k else (s + j + 1) % 1000003) (iota 2)
