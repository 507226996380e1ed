-- The body of a module with a parameter is checked though nothing applies it. 0.25.32 rejects it too.
-- ==
-- error: E0301
module f (P: { val k: i32 }) = { def b : bool = P.k }
entry main (x: i32) = x
