-- The elements of an array are of the type of the first, and a first that cannot be is said once. 0.25.32 rejects it too.
-- ==
-- error: ^[^╯]*The elements of an array must have one type[^╯]*╯[^╯]*$
entry main = [1, true, 2f32, false]
