-- As `loop_gives_back`, of what is used later on. 0.25.32 says the same.
-- ==
-- error: Using.*"own".*consumed
def main (x: []i64) =
  let own = copy x
  let e = loop (e: *[]i64) = own for _i < 10i32 do e
  in (e, own)
