-- Ranges of integers, whose start and step have derivatives (as all numbers have): [s, s + d, s + 2 d] along (1, 10) is [1, 11, 21]; back from [1, 10,
-- 100] it is 111 by s and 10 + 200 by d.
-- ==
-- entry: forward
-- input { 5i64 2i64 } output { [5i64, 7i64, 9i64] [1i64, 11i64, 21i64] }
entry forward (s: i64) (d: i64): ([3]i64, [3]i64) = jvp2 (\(s, d) -> (s..(s + d)...(s + 2 * d)) :> [3]i64) (s, d) (1, 10)

-- ==
-- entry: reverse
-- input { 5i64 2i64 } output { [5i64, 7i64, 9i64] 111i64 210i64 }
entry reverse (s: i64) (d: i64): ([3]i64, i64, i64) =
  let (v, (s', d')) = vjp2 (\(s, d) -> (s..(s + d)...(s + 2 * d)) :> [3]i64) (s, d) [1, 10, 100]
  in (v, s', d')

-- ==
-- entry: forwards
-- input { 5i64 2i64 [1i64, 0i64] [0i64, 1i64] } output { [[1i64, 1i64, 1i64], [0i64, 1i64, 2i64]] }
entry forwards [k] (s: i64) (d: i64) (ds: [k]i64) (dd: [k]i64): [k][3]i64 =
  jmp (\(s, d) -> (s..(s + d)...(s + 2 * d)) :> [3]i64) (s, d) (zip ds dd)
