-- The type of each name has twice as many parts as that of the name before.
-- ==
-- error: the types in it would take more
entry main (x0: i32) =
  let x1 = (x0,x0)
  let x2 = (x1,x1)
  let x3 = (x2,x2)
  let x4 = (x3,x3)
  let x5 = (x4,x4)
  let x6 = (x5,x5)
  let x7 = (x6,x6)
  let x8 = (x7,x7)
  let x9 = (x8,x8)
  let x10 = (x9,x9)
  let x11 = (x10,x10)
  let x12 = (x11,x11)
  let x13 = (x12,x12)
  let x14 = (x13,x13)
  let x15 = (x14,x14)
  let x16 = (x15,x15)
  let x17 = (x16,x16)
  let x18 = (x17,x17)
  let x19 = (x18,x18)
  let x20 = (x19,x19)
  in x20.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0
