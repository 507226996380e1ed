-- What a function bound by `let` takes is of the scope of the function's name: it cannot have a size that is computed later. (0.25.32 accepts it: there such
-- a function is polymorphic in types.)
-- ==
-- error: E0402[^╯]*Cannot apply "f" to "ys"
entry main (xs: []i32) =
  let f x = copy x
  let ys = filter (> 0) xs
  in f ys
