-- The size of each array is a sum of two of the one before.
-- ==
-- error: the types in it would take more
entry main (n: i64) =
 let a0 = iota n
 let a1 = concat a0 a0
 let a2 = concat a1 a1
 let a3 = concat a2 a2
 let a4 = concat a3 a3
 let a5 = concat a4 a4
 let a6 = concat a5 a5
 let a7 = concat a6 a6
 let a8 = concat a7 a7
 let a9 = concat a8 a8
 let a10 = concat a9 a9
 let a11 = concat a10 a10
 let a12 = concat a11 a11
 let a13 = concat a12 a12
 let a14 = concat a13 a13
 let a15 = concat a14 a14
 let a16 = concat a15 a15
 let a17 = concat a16 a16
 let a18 = concat a17 a17
 let a19 = concat a18 a18
 let a20 = concat a19 a19
 in i64.sum a20
