-- ==
-- input { 3 }
-- output { 13 }
entry main (x: i32): i32 =
  let x = x + 1
  let y = let x = x * 2 in x + 1
  in x + y
