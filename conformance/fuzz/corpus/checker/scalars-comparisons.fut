-- ==
-- input { 1 2 }    output { true true false false false true }
-- input { 2 2 }    output { false true false true true false }
entry main (x: i32) (y: i32): (bool, bool, bool, bool, bool, bool) =
  (x < y, x <= y, x > y, x >= y, x == y, x != y)

-- A comparison with NaN is false, `!=` is true.
-- ==
-- entry: nan
-- input { f64.nan 1.0 } output { false false false false false true }
entry nan (x: f64) (y: f64): (bool, bool, bool, bool, bool, bool) =
  (x < y, x <= y, x > y, x >= y, x == y, x != y)

-- ==
-- entry: logic
-- input { true false }  output { false true false }
-- input { true true }   output { true true false }
-- input { false false } output { false false true }
entry logic (a: bool) (b: bool): (bool, bool, bool) = (a && b, a || b, !a)
