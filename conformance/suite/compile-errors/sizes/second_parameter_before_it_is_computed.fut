-- What the second parameter of a function takes is of the scope around the function, too. 0.25.32 rejects it too.
-- ==
-- error: E0402[^╯]*Cannot apply "f" to "ys"
entry main (xs: []i32) =
  let f = \(_: i64) y -> length y
  let ys = filter (> 0) xs
  in f 1 ys
