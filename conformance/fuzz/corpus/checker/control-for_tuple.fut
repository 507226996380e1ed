-- Fibonacci numbers: 0 1 1 2 3 5 8 13 21 34 55.
-- ==
-- input { 10i64 }
-- output { 55i64 89i64 }
entry main (n: i64): (i64, i64) = loop (a, b) = (0, 1) for _i < n do (b, a + b)
