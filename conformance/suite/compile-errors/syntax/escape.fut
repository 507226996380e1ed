-- Strings have a few escape sequences only.
-- ==
-- error: `\\q` is no escape sequence
entry main (x: i32) : []u8 = "a\q"
