-- A type does not contain itself.
-- ==
-- error: Unknown type "list"
type list = #nil | #cons i32 list
entry main (n: i32) = n
