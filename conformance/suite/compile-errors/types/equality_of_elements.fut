-- Arrays of what nothing is known of cannot be compared. 0.25.32 rejects it too.
-- ==
-- error: E0303
def f x = [x] == [x]
entry main (x: i32) = f x
