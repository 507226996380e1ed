-- A type that nothing determines is said once, wherever else the value is named. 0.25.32 rejects it too.
-- ==
-- error: ^[^╯]*must be a record with fields a[^╯]*╯[^╯]*$
def f (x: i32) = let g = \y -> (let z = (y, y) let w = z in w.0.a) in x
entry main (x: i32) = f x
