-- The message is at the first of the sizes that have no name. 0.25.32 rejects it too.
-- ==
-- error: All function parameters must have non-anonymous sizes[^╯]*:4:27
module type s = { val f : []i32 -> [][]i32 -> i32 }
entry main (x: i32) = x
