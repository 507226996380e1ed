-- A character literal has one character.
-- ==
-- error: A text stands between `"` and `"`
entry main (x: u8) : u8 = x + 'ab'
