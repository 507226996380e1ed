-- ==
-- entry: divide remainder quotient
-- input { 7 0 } error: [Dd]ivision by zero
entry divide (x: i32) (y: i32): i32 = x / y

entry remainder (x: i32) (y: i32): i32 = x % y

entry quotient (x: i32) (y: i32): i32 = x // y

-- Only when it is reached.
-- ==
-- entry: guarded
-- input { 7 0 } output { -1 }
-- input { 7 2 } output { 3 }
entry guarded (x: i32) (y: i32): i32 = if y == 0 then -1 else x / y

-- 6/3 = 2 and 6/2 = 3 and 6/1 = 6, then 6/0.
-- ==
-- entry: in_loop
-- input { 6 3 } output { 11 }
-- input { 6 4 } error: [Dd]ivision by zero
entry in_loop (x: i32) (n: i32): i32 = loop y = 0 for i < n do y + x / (3 - i)
