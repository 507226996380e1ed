-- What a turn of a loop computes is no size of what the turn begins with. 0.25.32 rejects it too.
-- ==
-- error: inside the loop body
entry main [n] (xs: [n]i64) =
  let (ys, _) = loop (ys, zs) = (xs, [n]) for _i < 2 do
    let ks = filter (> 0) zs
    let both = map2 (+) ks ys
    in (ys ++ ys, both ++ zs)
  in length ys
