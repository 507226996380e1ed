-- What a loop returns is of the scope around it: what `#bar` holds cannot have a size that is computed later. 0.25.32 rejects it too, as nothing says
-- which sum it is.
-- ==
-- error: E0402[^╯]*Cannot apply "zip" to "ys"
def all [n] (x: i32) : [n]i32 = replicate n x
entry main (xs: []i32) =
  let s = loop s = #foo for i < 3 do if i == 0 then #bar (all 1) else s
  let ys = filter (> 0) xs
  in match s case #foo -> 0 case #bar zs -> length (zip zs ys)
