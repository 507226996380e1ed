-- The size of nothing cannot be checked. 0.25.32 rejects it too.
-- ==
-- error: E0403
type opt 't = #some t | #none
def f b (x: i64) = if b then #some (iota x) else #none :> opt ([2]i64)
entry main (x: i64) = match f true x case #some xs -> length xs case #none -> 0
