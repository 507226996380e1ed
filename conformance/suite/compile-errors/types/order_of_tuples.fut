-- Tuples are equal or not; they have no order.
-- ==
-- error: Cannot apply "<" to "\(x, x\)"
entry main (x: i32) : bool = (x, x) < (x, x)
