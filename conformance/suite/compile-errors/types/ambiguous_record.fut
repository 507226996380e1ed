-- A field alone does not say of which type it is.
-- ==
-- error: The type of this is ambiguous: it must be a record with fields a\. Annotate it
entry main (x: i32) : i32 = let f = \r -> r.a in x
