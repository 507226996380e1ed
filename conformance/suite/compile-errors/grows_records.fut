-- Records of records.
-- ==
-- error: the types in it would take more
entry main (x0: i32) =
  let x1 = {a=x0,b=x0}
  let x2 = {a=x1,b=x1}
  let x3 = {a=x2,b=x2}
  let x4 = {a=x3,b=x3}
  let x5 = {a=x4,b=x4}
  let x6 = {a=x5,b=x5}
  let x7 = {a=x6,b=x6}
  let x8 = {a=x7,b=x7}
  let x9 = {a=x8,b=x8}
  let x10 = {a=x9,b=x9}
  let x11 = {a=x10,b=x10}
  let x12 = {a=x11,b=x11}
  let x13 = {a=x12,b=x12}
  let x14 = {a=x13,b=x13}
  let x15 = {a=x14,b=x14}
  let x16 = {a=x15,b=x15}
  let x17 = {a=x16,b=x16}
  let x18 = {a=x17,b=x17}
  let x19 = {a=x18,b=x18}
  let x20 = {a=x19,b=x19}
  in x20.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a
