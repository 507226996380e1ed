-- Digest 004, appendix B, P19: a nest before and after its maps are distributed and its loop is interchanged, on the input [[1, 3], [2, 2]], n = 2.
-- For a loop that is not run, the rows are as they were.
-- ==
-- entry: before after
-- input { 2 [[1i64, 3i64], [2i64, 2i64]] }
-- output { [[[1i64, 3i64], [5i64, 7i64]], [[3i64, 3i64], [3i64, 3i64]]] [[28i64, 84i64], [44i64, 44i64]] }
-- input { 0 [[1i64, 3i64], [2i64, 2i64]] }
-- output { [[[1i64, 3i64], [5i64, 7i64]], [[3i64, 3i64], [3i64, 3i64]]] [[1i64, 3i64], [2i64, 2i64]] }
-- input { 2 empty([0][0]i64) } output { empty([0][0][0]i64) empty([0][0]i64) }
entry before [m] (n: i32) (pss: [m][m]i64) : ([m][m][m]i64, [m][m]i64) =
  unzip (map (\ps ->
                let ass = map (\p -> let cs = scan (+) 0 (iota p)
                                     let r = reduce (+) 0 cs
                                     in map (+ r) ps) ps
                let bs = loop ws = ps for _i < n do
                           map2 (\as w -> let d = reduce (+) 0 as
                                          let e = d + w
                                          in 2 * e) ass ws
                in (ass, bs)) pss)

entry after [m] (n: i32) (pss: [m][m]i64) : ([m][m][m]i64, [m][m]i64) =
  let rss = map (map (\p -> let cs = scan (+) 0 (iota p) in reduce (+) 0 cs)) pss
  let asss = map2 (\ps rs -> map (\r -> map (+ r) ps) rs) pss rss
  let bss = loop wss = pss for _i < n do
              let dss = map (map (reduce (+) 0)) asss
              in map2 (map2 (\w d -> let e = d + w in 2 * e)) wss dss
  in (asss, bss)
