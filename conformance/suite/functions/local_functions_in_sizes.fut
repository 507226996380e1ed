-- Sizes that call functions bound by let, or mention in their types what these are polymorphic in. All values are those of 0.25.32.

-- Of a coercion, and in the type of another function.
-- ==
-- entry: call_in_type
-- input { 2i64 } output { [1, 1, 1, 1] [7i64, 7i64, 7i64, 7i64, 7i64] }
entry call_in_type (n: i64) : ([]i32, []i64) =
  let f (x: i64) = x + n
  let g (y: i64) : [f y]i64 = replicate (f y) 7
  in (replicate 4 1i32 :> [f n]i32, g 3)

-- The type of `z` is hidden in the size of the result.
def first m _ = m

-- ==
-- entry: declared_in_size
-- input { 2i64 } output { [true, true, true] [1, 1] }
entry declared_in_size (n: i64) : ([]bool, []i32) =
  let g 'b (z: b) (m: i64) = replicate (first m z) z
  in (g true 3, g 1i32 n)
