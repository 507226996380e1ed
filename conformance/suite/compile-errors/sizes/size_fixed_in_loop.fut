-- A size that the body of a loop fixes must be that at first and after a turn. 0.25.32 rejects it too.
-- ==
-- error: Inside the loop a size is "3"\. At first it is "m"\..*Inside the loop a size is "3"\. After a turn it is "3 \+ 3"\.
entry main (m: i64) =
  loop xs = iota m for _i < 3 do
    let _ = zip xs (iota 3)
    in xs ++ xs
