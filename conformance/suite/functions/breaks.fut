-- `#[break]` is for sessions: elsewhere it is its expression, whatever is in scope.
-- ==
-- entry: open_size
-- input { [1i64, 2i64] } output { 2i64 }
entry open_size (x: []i64) : i64 = #[break] length x

-- ==
-- entry: consumed
-- input { [1i64, 2i64] } output { [7i64, 2i64] }
entry consumed (x: *[]i64) = let y = x with [0] = 7 in #[break] y

-- ==
-- entry: polymorphic
-- input { 3i32 } output { 3i32 }
def twice '~a (x: () -> a) = let y = #[break] x () in y
entry polymorphic (x: i32) = twice (\() -> x)
