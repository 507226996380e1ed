-- Sums of sums.
-- ==
-- error: the types in it would take more
type t0 = #z i32
type t1 = #a0 t0 | #b0 t0
type t2 = #a1 t1 | #b1 t1
type t3 = #a2 t2 | #b2 t2
type t4 = #a3 t3 | #b3 t3
type t5 = #a4 t4 | #b4 t4
type t6 = #a5 t5 | #b5 t5
type t7 = #a6 t6 | #b6 t6
type t8 = #a7 t7 | #b7 t7
type t9 = #a8 t8 | #b8 t8
type t10 = #a9 t9 | #b9 t9
type t11 = #a10 t10 | #b10 t10
type t12 = #a11 t11 | #b11 t11
type t13 = #a12 t12 | #b12 t12
type t14 = #a13 t13 | #b13 t13
type t15 = #a14 t14 | #b14 t14
type t16 = #a15 t15 | #b15 t15
type t17 = #a16 t16 | #b16 t16
type t18 = #a17 t17 | #b17 t17
type t19 = #a18 t18 | #b18 t18
type t20 = #a19 t19 | #b19 t19
def f (x: t20) = 1
entry main = 1
