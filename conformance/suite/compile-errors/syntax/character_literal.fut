-- A character literal has one character.
-- ==
-- error: Unexpected `'`
entry main (x: u8) : u8 = x + 'ab'
