-- An array is not put beside what it has become. (0.25.32 accepts this, and both show the update.)
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i32) : ([]i32, []i32) = (xs, xs with [0] = 1)
