-- So have the parameters of its parameters. 0.25.32 rejects it too.
-- ==
-- error: E0405
module type m = { val call : ([]i32 -> i32) -> i32 }
entry main (x: i32) = x
