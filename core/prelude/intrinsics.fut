-- The types of what is built in, besides the scalar operators: `add_f64`, `lt_i64`, `conv_i64_f64` and so on come from
-- the table in `core::prim`. Programs reach these through the names that the rest of the prelude gives them.

-- Applies a function to each element.
val map [n] 'a 'x : (f: a -> x) -> (as: [n]a) -> *[n]x
-- ne op a0 op a1 …; op is associative and ne neutral.
val reduce [n] 'a : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> a
-- The same for an operator that is commutative too.
val reduce_comm [n] 'a : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> a
val scan [n] 'a : (op: a -> a -> a) -> (ne: a) -> (as: [n]a) -> *[n]a

-- A function of chunks, whatever the chunks: their results one after the other, or combined. `f 0 []` is neutral.
val stream_map [n] 'a 'b : (f: (c: i64) -> [c]a -> [c]b) -> (as: [n]a) -> *[n]b
val stream_red [n] 'a 'b : (op: b -> b -> b) -> (f: (c: i64) -> [c]a -> b) -> (as: [n]a) -> b
val stream_red_comm [n] 'a 'b : (op: b -> b -> b) -> (f: (c: i64) -> [c]a -> b) -> (as: [n]a) -> b

-- Writes to positions, of which those out of range are ignored.
val scatter [k][n] 't : (dest: *[k]t) -> (is: [n]i64) -> (vs: [n]t) -> *[k]t
val scatter_2d [k][m][n] 't : (dest: *[k][m]t) -> (is: [n](i64, i64)) -> (vs: [n]t) -> *[k][m]t
val scatter_3d [k][m][l][n] 't : (dest: *[k][m][l]t) -> (is: [n](i64, i64, i64)) -> (vs: [n]t) -> *[k][m][l]t
-- Combines with what stands there; op is associative and commutative.
val hist_1d [k][n] 'a : (dest: *[k]a) -> (op: a -> a -> a) -> (ne: a) -> (is: [n]i64) -> (as: [n]a) -> *[k]a
val hist_2d [k][m][n] 'a : (dest: *[k][m]a) -> (op: a -> a -> a) -> (ne: a) -> (is: [n](i64, i64)) -> (as: [n]a) -> *[k][m]a
val hist_3d [k][m][l][n] 'a : (dest: *[k][m][l]a) -> (op: a -> a -> a) -> (ne: a)
                           -> (is: [n](i64, i64, i64)) -> (as: [n]a) -> *[k][m][l]a

-- 0, 1, …, n-1
val iota : (n: i64) -> *[n]i64
val replicate 't : (n: i64) -> (x: t) -> *[n]t
-- An array whose elements are whatever; each must be written before it is read.
val scratch 't : (n: i64) -> *[n]t
-- Arrays of tuples are tuples of arrays: neither costs anything.
val zip [n] 'a 'b : (as: [n]a) -> (bs: [n]b) -> *[n](a, b)
val zip3 [n] 'a 'b 'c : (as: [n]a) -> (bs: [n]b) -> (cs: [n]c) -> *[n](a, b, c)
val zip4 [n] 'a 'b 'c 'd : (as: [n]a) -> (bs: [n]b) -> (cs: [n]c) -> (ds: [n]d) -> *[n](a, b, c, d)
val zip5 [n] 'a 'b 'c 'd 'e : (as: [n]a) -> (bs: [n]b) -> (cs: [n]c) -> (ds: [n]d) -> (es: [n]e) -> *[n](a, b, c, d, e)
val unzip [n] 'a 'b : (xs: [n](a, b)) -> ([n]a, [n]b)
val unzip3 [n] 'a 'b 'c : (xs: [n](a, b, c)) -> ([n]a, [n]b, [n]c)
val unzip4 [n] 'a 'b 'c 'd : (xs: [n](a, b, c, d)) -> ([n]a, [n]b, [n]c, [n]d)
val unzip5 [n] 'a 'b 'c 'd 'e : (xs: [n](a, b, c, d, e)) -> ([n]a, [n]b, [n]c, [n]d, [n]e)
val transpose [n][m] 't : (as: [n][m]t) -> [m][n]t
val flatten [n][m] 't : (as: [n][m]t) -> [n*m]t
val unflatten [n][m] 't : (as: [n*m]t) -> [n][m]t
val reverse [n] 't : (as: [n]t) -> [n]t
val rotate [n] 't : (r: i64) -> (as: [n]t) -> *[n]t
val concat [n][m] 't : (as: [n]t) -> (bs: [m]t) -> *[n+m]t
-- Views of a part.
val take [n] 't : (i: i64) -> (as: [n]t) -> [i]t
val drop [n] 't : (i: i64) -> (as: [n]t) -> [n-i]t

-- Views by offset and strides: element [i, j] is `as[offset + i*s1 + j*s2]`. And updates of them.
val flat_index_2d [n] 'a : (as: [n]a) -> (offset: i64) -> (n1: i64) -> (s1: i64) -> (n2: i64) -> (s2: i64) -> [n1][n2]a
val flat_index_3d [n] 'a : (as: [n]a) -> (offset: i64) -> (n1: i64) -> (s1: i64) -> (n2: i64) -> (s2: i64)
                        -> (n3: i64) -> (s3: i64) -> [n1][n2][n3]a
val flat_index_4d [n] 'a : (as: [n]a) -> (offset: i64) -> (n1: i64) -> (s1: i64) -> (n2: i64) -> (s2: i64)
                        -> (n3: i64) -> (s3: i64) -> (n4: i64) -> (s4: i64) -> [n1][n2][n3][n4]a
val flat_update_2d [n][k][l] 'a : (as: *[n]a) -> (offset: i64) -> (s1: i64) -> (s2: i64) -> (vs: [k][l]a) -> *[n]a
val flat_update_3d [n][k][l][p] 'a : (as: *[n]a) -> (offset: i64) -> (s1: i64) -> (s2: i64) -> (s3: i64)
                                  -> (vs: [k][l][p]a) -> *[n]a
val flat_update_4d [n][k][l][p][q] 'a : (as: *[n]a) -> (offset: i64) -> (s1: i64) -> (s2: i64) -> (s3: i64) -> (s4: i64)
                                     -> (vs: [k][l][p][q]a) -> *[n]a

val copy 't : (x: t) -> *t
-- The same, row by row in memory.
val manifest 't : (x: t) -> *t
-- The same, which no pass sees through.
val opaque 't : (x: t) -> t

-- The value, and its tangent in the direction x'.
val jvp2 'a 'b : (f: a -> b) -> (x: a) -> (x': a) -> (b, b)
-- The value, and the adjoint of x for the adjoint y' of the value.
val vjp2 'a 'b : (f: a -> b) -> (x: a) -> (y': b) -> (b, a)
-- The same for n directions at once.
val jmp2 'a 'b [n] : (f: a -> b) -> (x: a) -> (x': [n]a) -> (b, [n]b)
val mjp2 'a 'b [n] : (f: a -> b) -> (x: a) -> (y': [n]b) -> (b, [n]a)
-- The value of f, whose reverse derivative is f': it gets what f keeps for it, and the adjoint of the value.
val with_vjp 'a 'b 'c : (f: a -> (c, b)) -> (f': (c, b) -> a) -> (x: a) -> b
-- The value of f, whose forward derivative is f': it gets x and its tangent.
val with_jvp 'a 'b : (f: a -> b) -> (f': (x: a) -> (x': a) -> b) -> (x: a) -> b
-- Shape, flags, offsets and elements of arrays of any sizes, and what comes with them.
val flatmap [n] 'a 'b 'c : (f: a -> ?[k].([k]b, c)) -> (as: [n]a) -> ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c)

-- The type of accumulators is built in: `acc t`, of an array `t`. `f` gets one and gives it back with what it has written; reads are impossible.
val scatter_stream [k][n] 'a 'b : (dest: *[k]a) -> (f: *acc ([k]a) -> b -> acc ([k]a)) -> (bs: [n]b) -> *[k]a
val hist_stream [k][n] 'a 'b : (dest: *[k]a) -> (op: a -> a -> a) -> (ne: a) -> (f: *acc ([k]a) -> b -> acc ([k]a)) -> (bs: [n]b) -> *[k]a
val acc_write [n] 'a : (acc: *acc ([n]a)) -> (i: i64) -> (v: a) -> *acc ([n]a)
