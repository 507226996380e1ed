-- A name with an underscore is not used. 0.25.32 rejects it too.
-- ==
-- error: underscore
entry main (_x: i32) = _x
