-- An update has a value.
-- ==
-- error: end of the text
entry main (xs: *[]i32) : []i32 = xs with [0]
