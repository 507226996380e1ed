-- A loop does not carry functions.
-- ==
-- error: loop carries around cannot be functions|found to be functional
entry main (x: i32) : i32 = (loop f = (+ 1) for i < 3 do f >-> f) x
