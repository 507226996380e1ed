-- ==
-- input { 2 3 }  output { 8 }
-- input { 2 -1 } error: [Nn]egative exponent
entry main (x: i32) (n: i32): i32 = x ** n
