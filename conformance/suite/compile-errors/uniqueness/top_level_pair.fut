-- The arrays of a pair at the top level are not consumed, whatever else it holds.
-- ==
-- error: Would consume "p", which is not consumable
def p : (i32 -> i32, [3]i32) = (\x -> x + 1, [1, 2, 3])
entry main (i: i64) : [3]i32 = p.1 with [i] = p.0 1
