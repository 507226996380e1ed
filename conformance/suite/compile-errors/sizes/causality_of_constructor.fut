-- The size of what an option may hold is that of every branch. 0.25.32 rejects it too.
-- ==
-- error: E0402.*Causality
type maybe 'a = #nothing | #just a
def positive (xs: []i64): maybe ([]i64) = if length xs == 0 then #nothing else #just (filter (> 0) xs)
entry main (xs: []i64) = match positive xs case #nothing -> 0 case #just ys -> length ys
