-- What is local to a module is not seen outside.
-- ==
-- error: Unknown name "m\.hidden"
module m = { local def hidden = 1i32 def shown = hidden }
entry main (x: i32) : i32 = x + m.hidden + m.shown
