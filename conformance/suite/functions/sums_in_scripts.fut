-- Values of sum types that one entry point makes for another, by a script: plain ones, with arrays of a size of their own, rows of an array, parts of records.
-- ==
-- entry: or_zero
-- script input { found 3i64 } output { 3i64 }
-- script input { found 2i64 } output { 0i64 }
-- script input { let r = all 4i64 let ms = r.ms in ms[3i64] } output { 6i64 }
-- ==
-- entry: sum
-- script input { first 4i64 } output { 6i64 }
-- script input { first 0i64 } output { -1i64 }
type maybe 't = #none | #some t

entry found (n: i64) : maybe i64 = if n > 2 then #some n else #none
entry or_zero (m: maybe i64) : i64 = match m case #none -> 0 case #some x -> x

entry first (n: i64) : maybe ([n]i64) = if n > 0 then #some (iota n) else #none
entry sum [n] (m: maybe ([n]i64)) : i64 = match m case #none -> -1 case #some xs -> i64.sum xs

entry all (n: i64) : {ms: [n](maybe i64), n: i64} = {ms = map (\i -> #some (2 * i)) (iota n), n}
