-- What `let r.f = …` binds is of the scope of the new `r`: the new function cannot have a size that is computed later. (0.25.32 has no such `let`.)
-- ==
-- error: E0402[^╯]*Cannot apply "r\.f" to "ys"
entry main (xs: []i32) =
  let r = {f = \(ys: []i32) -> length ys}
  let r.f = \(ys: []i32) -> length ys + 1
  let ys = filter (> 0) xs
  in r.f ys
