-- A function of `let` does not know itself.
-- ==
-- error: Unknown name "f"
entry main (n: i32) : i32 = let f (x: i32) : i32 = f (x - 1) in f n
