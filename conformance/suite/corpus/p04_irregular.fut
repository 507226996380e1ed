-- Digest 004, appendix B, P4: arrays inside of a map may be of any size, as long as none of them is an element of the result.
-- ==
-- input { 5 } output { [1, 3, 6, 10, 15] }
-- input { 1 } output { [1] }
entry main (n: i32) : []i32 = map (\i -> reduce (+) 0 (1...i)) (1...n)
