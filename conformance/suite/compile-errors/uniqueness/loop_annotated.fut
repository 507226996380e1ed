-- What a loop carries around is consumed by a turn only if its annotation says so. 0.25.32 rejects it too.
-- ==
-- error: E0602
entry main (xs: *[]i32) =
  loop xs: []i32 for i < 3 do xs with [i] = 1
