-- A part of a pattern has the type that is declared of the whole. 0.25.32 rejects it too.
-- ==
-- error: The type of this pattern is not that of its parts
def f ((x: f32, y): (i32, i32)) = (x, y)
entry main (x: i32) = x
