-- A declaration says what is declared.
-- ==
-- error: Unexpected `entry`
def
entry main (x: i32) = x
