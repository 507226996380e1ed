-- A constructor alone does not say of which type it is.
-- ==
-- error: The type of this is ambiguous: it must be a sum type with constructors #a\. Annotate it
entry main (x: i32) : i32 = let y = #a x in x
