-- A function that is not general gives no array of the size of a parameter that comes later. The message says that it is a name that leaves its scope.
-- 0.25.32 rejects it too.
-- ==
-- error: The size "k" would leave the scope of its name
def f (x: i64) = let h = \y -> y in let z = \(k: i64) -> h (iota k) in z x
entry main (x: i64) = x
