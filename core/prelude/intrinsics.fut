-- The types of what is built in, besides the scalar operators: `add_f64`, `lt_i64`, `conv_i64_f64` and so on come from
-- the table in `core::prim`. Programs reach these through the names that the rest of the prelude gives them.

-- Applies a function to each element.
val map [n] 'a 'x : (f: a -> x) -> (as: [n]a) -> [n]x
-- ne op a0 op a1 …; op is associative and ne neutral.
val reduce [n] 'a : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> a
-- The same for an operator that is commutative too.
val reduce_comm [n] 'a : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> a
val scan [n] 'a : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> [n]a
-- 0, 1, …, n-1
val iota : (n: i64) -> [n]i64
val replicate 't : (n: i64) -> (x: t) -> [n]t
val zip [n] 'a 'b : (as: [n]a) -> (bs: [n]b) -> [n](a, b)
val unzip [n] 'a 'b : (abs: [n](a, b)) -> ([n]a, [n]b)
val transpose [n][m] 't : (as: [n][m]t) -> [m][n]t
val flatten [n][m] 't : (as: [n][m]t) -> [n*m]t
val unflatten [n][m] 't : (as: [n*m]t) -> [n][m]t
val reverse [n] 't : (as: [n]t) -> [n]t
val concat [n][m] 't : (as: [n]t) -> (bs: [m]t) -> [n+m]t
val copy 't : (x: t) -> t
-- The value, and its tangent in the direction x'.
val jvp2 'a 'b : (f: a -> b) -> (x: a) -> (x': a) -> (b, b)
-- The value, and the adjoint of x for the adjoint y' of the value.
val vjp2 'a 'b : (f: a -> b) -> (x: a) -> (y': b) -> (b, a)
