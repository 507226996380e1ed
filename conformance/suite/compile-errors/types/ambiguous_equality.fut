-- What is compared has a type.
-- ==
-- error: The type of this is ambiguous: its values are compared
entry main (x: i32) : bool = let f = \a b -> a == b in x == 1
