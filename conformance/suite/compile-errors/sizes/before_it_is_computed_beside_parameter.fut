-- What a local function takes is of the scope of its name, also behind a size that is its own. (0.25.32 accepts it: there such a function is polymorphic in
-- types.)
-- ==
-- error: E0402[^╯]*Cannot apply "f" to "ys"
entry main (xs: []i32) =
  let f [n] (zs: [n]i32) x = (length zs, copy x)
  let ys = filter (> 0) xs
  in f xs ys
