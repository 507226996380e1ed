-- A keyword is no name.
-- ==
-- error: Unexpected `then`
entry main (then: i32) : i32 = 1
