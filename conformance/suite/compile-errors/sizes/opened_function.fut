-- The size of what a function returns that `apply` returns is unknown at each call. 0.25.32 rejects it too.
-- ==
-- error: E0401[^╯]*Cannot apply "zip" to "\(g 2\)"
def apply '^a '^b (f: a -> b) (x: a) : b = f x
entry main (xs: []i32) =
  let g = apply (\x -> let ys = filter (> x) xs in \(_: i64) -> ys) 0
  in zip (g 1) (g 2)
