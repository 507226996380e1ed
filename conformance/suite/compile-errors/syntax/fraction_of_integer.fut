-- An integer has no fraction.
-- ==
-- error: Malformed number: `i32` is not a type of numbers with a fraction
entry main (x: i32) : i32 = x + 1.5i32
