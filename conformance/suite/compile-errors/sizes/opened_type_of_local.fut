-- The result that `ap` returns is of one type, of the scope of `ap`: it cannot have a type that a function in it declares, beside an unknown size.
-- 0.25.32 rejects it too.
-- ==
-- error: E0401[^╯]*Cannot apply "ap" to
def apply '^a '^b (f: a -> b) (x: a) : b = f x
entry main (xs: []i32) =
  let ap = apply
  let g 'a (y: a) = (ap (\x -> (filter (> x) xs, y)) 0).1
  in (g 3i32, g true)
