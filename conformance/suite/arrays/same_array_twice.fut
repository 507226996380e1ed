-- An array of pairs that are one array twice: an update of it writes to two arrays. By hand; 0.25.32 gives the same.
-- ==
-- input { [1, 2, 3] } output { [9, 2, 3] [8, 2, 3] }
entry main (xs: *[]i32) =
  let ys = zip (copy xs) (copy xs)
  let zs = zip xs xs
  let zs[0] = (9, 8)
  let (a, b) = unzip zs
  in if length ys > 0 then (a, b) else (b, a)
