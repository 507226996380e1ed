-- The second parameter of the function that `apply` is to return has a size that only the call computes. 0.25.32 rejects it too.
-- ==
-- error: Cannot apply "apply" to
def apply '^a '^b (f: a -> b) (x: a) : b = f x
entry main (xs: []i32) =
  let f = apply (\x -> let ys = filter (> x) xs in \(i: i64) zs -> length (zip ys zs) + i) 0
  in f 3 [1, 2, 3]
