-- Digest 004, appendix B, P2: an index -1 stands for nothing; of equal elements the one of the larger index is taken.
-- ==
-- input { [1f32, 5f32, 3f32, 5f32, 2f32] } output { 3i64 }
-- input { empty([0]f32) } output { -1i64 }
-- input { [-f32.inf] } output { 0i64 }
def index_of_max [n] (xs: [n]f32) : i64 =
  let (_, i) =
    reduce_comm (\(x, xi) (y, yi) ->
                   if xi < 0 then (y, yi)
                   else if yi < 0 then (x, xi)
                   else if x < y then (y, yi)
                   else if y < x then (x, xi)
                   else if xi < yi then (y, yi)
                   else (x, xi))
                (0, -1) (zip xs (iota n))
  in i

entry main (xs: []f32) : i64 = index_of_max xs
