-- An i8 has eight bits. (0.25.32 drops the ninth.)
-- ==
-- error: E0308
entry main (x: i8) = x + 0x100i8
