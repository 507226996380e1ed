-- L4: 2, squared three times.
-- ==
-- input { 2 3 }  output { 256 }
-- input { 2 0 }  output { 2 }
-- input { 2 -1 } output { 2 }
entry main (x: i32) (n: i32): i32 = loop x for _i < n do x * x

-- The index: 0 + 1 + ... + (n-1).
-- ==
-- entry: triangle
-- input { 5i64 } output { 10i64 }
entry triangle (n: i64): i64 = loop s = 0 for i < n do s + i
