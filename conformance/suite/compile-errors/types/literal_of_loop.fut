-- A number does not fit in the type of an element that the loop gives. 0.25.32 rejects it too.
-- ==
-- error: does not fit in u8
entry main : u8 = loop a = 0u8 for b in [255, 256] do a + b
