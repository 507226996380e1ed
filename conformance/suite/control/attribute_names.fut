-- Attributes that are called nearly as the compiler's own say nothing, wherever they stand.
-- ==
-- entry: compared
-- input { 3i64 } output { 1 }
-- input { 300i64 } output { 2 }
-- input { 40000i64 } output { 2 }
entry compared (x: i64): i32 = let small = #[enough] (x < 5) in if small then 1 else 2

-- ==
-- entry: sides
-- input { [1, 2, 3] 3i64 } output { 6 }
-- input { [1, 2, 3] 300i64 } output { 1 }
entry sides [n] (xs: [n]i32) (x: i64): i32 = #[equivalent] (if x < 5 then i32.sum xs else i32.minimum xs)
