-- What is compared has a type.
-- ==
-- error: The type of this is ambiguous: it must be a type that supports equality
entry main (x: i32) : bool = let f = \a b -> a == b in x == 1
