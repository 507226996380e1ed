-- What branches have in common is of the scope around them: it cannot have a size that is computed later. 0.25.32 rejects it too, as branches that are
-- functions.
-- ==
-- error: E0402[^╯]*Cannot apply "f" to "ys"
entry main (b: bool) (xs: []i32) =
  let f = if b then \x -> x else \x -> x
  let ys = filter (> 0) xs
  in f ys
