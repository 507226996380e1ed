-- The message names the first of the sizes that nothing computes, and that is all it says.
-- 0.25.32 rejects it too, for the sizes in the annotation.
-- ==
-- error: ^[^╯]*size "n" needed for type of this hole[^╯]*╯[^╯]*$
entry main (_: i32) : i64 = let xs : ([]i32, []i64) = ??? in length xs.0
