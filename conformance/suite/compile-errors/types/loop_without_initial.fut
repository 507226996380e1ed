-- A pattern with constants gives no initial values.
-- ==
-- error: This loop needs initial values: `loop p = e for …`
entry main (x: i32) : i32 = loop 1 for i < 3 do 1
