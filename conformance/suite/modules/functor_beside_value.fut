-- A record and its field are meant where no module in scope has such a name. By hand.
module m (p: { val x : i32 }) = { def y = p.x }
-- ==
-- entry: main
-- input { 3 } output { 4 }
entry main (x: i32) : i32 = let m = {x = x, y = 1i32} in m.x + m.y
