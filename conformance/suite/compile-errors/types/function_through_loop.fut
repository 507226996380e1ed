-- What a loop carries around is no function, even if nothing else is known of it. 0.25.32 rejects it too.
-- ==
-- error: E0307.*Cannot apply "f" to
def f y = loop z = y for _i < 3 do z
entry main (x: i32) = (f (\(a: i32) -> a + x)) 3
