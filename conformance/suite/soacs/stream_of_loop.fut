-- What a loop makes of a chunk is computed for all chunks at once: those of one size are a kernel, the last one is another, and a third adds up; no loop is the host's.
-- 1 + 4 + 9.
-- ==
-- input { [1i64, 2i64, 3i64] } output { 14i64 }
-- structure gpu { StreamPar 0 /Loop 0 SegMap/Loop 2 SegRed 1 }
entry main [n] (xs: [n]i64) : i64 = stream_red (+) (\c (chunk: [c]i64) -> loop s = 0 for x in chunk do s + x * x) xs
