-- Type parameters: each type squares the number of parts.
-- ==
-- error: the types in it would take more
type t0 'a = (a,a)
type t1 'a = t0 (t0 a)
type t2 'a = t1 (t1 a)
type t3 'a = t2 (t2 a)
type t4 'a = t3 (t3 a)
type t5 'a = t4 (t4 a)
type t6 'a = t5 (t5 a)
type t7 'a = t6 (t6 a)
type t8 'a = t7 (t7 a)
type t9 'a = t8 (t8 a)
type t10 'a = t9 (t9 a)
entry main (x: t10 i32) : i32 = 1
