-- The parameters of a definition whose body may refer to it (here the name is a part of `if`) are looked at twice; what is wrong in their sizes is said
-- once. 0.25.32 rejects it too.
-- ==
-- error: ^[^╯]*E0401[^╯]*Cannot apply "zip"[^╯]*╯[^╯]*$
def f (_: [length (zip (filter (> 0) [1i32, 2]) [1i32, 2])]i32) : i64 = if true then 1 else 2
