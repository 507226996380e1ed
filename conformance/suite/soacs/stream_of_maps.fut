-- What maps and reduces a chunk is parallel over the whole array, with what is done before: one kernel. Another is the neutral element, the sum of an empty chunk.
-- (1+1)^2 + (2+1)^2 + (3+1)^2.
-- ==
-- input { [1i64, 2i64, 3i64] } output { 29i64 }
-- structure gpu { StreamPar 0 SegMap 0 SegRed 2 Screma 0 }
entry main [n] (xs: [n]i64) : i64 =
  stream_red (+) (\c (chunk: [c]i64) -> i64.sum (map (\x -> x * x) chunk)) (map (+ 1) xs)
