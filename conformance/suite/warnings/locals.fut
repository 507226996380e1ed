-- A name that nothing uses is a warning: of a local function, of an array updated by `let`, of the index of a loop (0.25.32 warns of the same).
-- ==
-- entry: main
-- input { 1i64 } output { 1i64 }
-- warning: Unused name "f".*Unused name "xs".*Unused name "i"
entry main (n: i64) =
  let f x = x + 1i64
  let xs = [1, 2]
  let xs[0] = 3
  in loop k = n for i < 3i64 do k
