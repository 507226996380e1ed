-- Digest 004, appendix B, P5: the sum of i + 1, …, i + n is n i + n (n + 1) / 2.
-- ==
-- input { 4 } output { [14, 18, 22, 26] }
-- input { 1 } output { [2] }
entry main (n: i32) : []i32 = map (\i -> reduce (+) 0 (map (+ i) (1...n))) (1...n)
