-- Digest 001 §2.5, item 10: an index computed from a saturated sigmoid landed on the length itself, in single precision: not the derivative's mistake.
-- exp (-200) is 0 in f32, so the sigmoid of 200 is 1 and the index the length, 4. With a slack of 0.01 it is 3, where the second element stands.
-- Neither the identity nor the numerics judges a conversion from float to integer (DESIGN.md §3), nor any oracle of derivatives an error.
-- ==
-- entry: slack
-- input { [100.0f32, 100.0f32] } output { [0.0f32, 1.0f32] }
def sigmoid (x: f32): f32 = 1.0 / (1.0 + f32.exp (-x))

entry slack [n] (xs: [n]f32): [n]f32 =
  vjp (\xs -> let i = i64.f32 (sigmoid (f32.sum xs) * (f32.i64 (2 * n) - 0.01)) in (xs ++ xs)[i]) xs 1.0

-- Without: an error, the same one in the derivative.
-- ==
-- entry: none none_reverse
-- input { [100.0f32, 100.0f32] } error: Index \[4\] out of bounds for array of shape \[4\]
entry none [n] (xs: [n]f32): f32 =
  let i = i64.f32 (sigmoid (f32.sum xs) * f32.i64 (2 * n)) in (xs ++ xs)[i]

entry none_reverse [n] (xs: [n]f32): [n]f32 =
  vjp (\xs -> let i = i64.f32 (sigmoid (f32.sum xs) * f32.i64 (2 * n)) in (xs ++ xs)[i]) xs 1.0
