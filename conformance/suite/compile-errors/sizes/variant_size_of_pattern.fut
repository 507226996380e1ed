-- What `#foo` holds would have a size that changes from turn to turn. 0.25.32 rejects it too.
-- ==
-- error: Loop-variant size: what is outside of the loop
entry main (k: i64) =
  (\r -> let (#foo ys) = r
         in loop xs = [1i32] for _i < k do
              let _ = zip ys xs in xs ++ [1])
  (#foo [1i32])
