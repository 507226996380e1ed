-- ==
-- error: .*
entry main (b: bool): i32 = if b then 1 else 2.0
