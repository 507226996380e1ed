-- A function bound by let is of one type unless it declares type parameters, since Futhark 0.27; 0.25.32 accepts it.
-- ==
-- error: Cannot apply "same" to "true"
entry main (x: i32) : (i32, bool) =
  let same y = y
  in (same x, same true)
