-- The fields of a record and the constructors of a sum have no order (language reference, "Compound Types"). By hand; the same in 0.25.32.
def swap (r: {b: i32, a: i64}) : {a: i64, b: i32} = r
def same (c: #square i32 | #circle i32) : #circle i32 | #square i32 = c
-- ==
-- entry: fields
-- input { 1i64 2 } output { 1i64 2 }
entry fields (x: i64) (y: i32) : (i64, i32) = let r = swap {b = y, a = x} in (r.a, r.b)
-- ==
-- entry: constructors
-- input { true 3 } output { 9 }
-- input { false 3 } output { 6 }
entry constructors (c: bool) (x: i32) : i32 =
  match same (if c then #square x else #circle x) case #circle r -> 2 * r case #square r -> r * r
