-- 0x1FF is no u8.
-- ==
-- error: This number does not fit in u8
entry main (x: u8) : u8 = x + 0x1FF
