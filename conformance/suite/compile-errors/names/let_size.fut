-- A size and a name of the same pattern. 0.25.32 rejects it too.
-- ==
-- error: E0204
entry main (xs: []i32) =
  let [n] (n: [n]i32) = xs
  in n
