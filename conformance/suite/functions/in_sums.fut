-- Sums whose constructors hold functions: it is known which constructor makes each of them, as no branch gives one (0.25.32 gives the same results).
-- By hand: 5 + 2 is 7; 3 + 4 is 7, and 2 * 7 is 14.
-- ==
-- entry: nested
-- input { 2 } output { 7 }

-- ==
-- entry: chosen
-- input { 4 } output { 7 14 -1 }

-- ==
-- entry: sized
-- input { [3i64, -1i64, 2i64] } output { [3i64, 2i64] 2i64 }
type^ inner = #apply (i32 -> i32) | #value i32
type^ outer = #use (inner -> i32 -> i32) | #none

entry nested (n: i32) : i32 =
  let use (v: inner) x =
    match v
    case #apply g -> g x
    case #value y -> y
  in match (#use use, #apply (+ 5)) : (outer, inner)
     case (#use h, v) -> h v n
     case _ -> 1

def run (v: inner) (x: i32) : i32 =
  match v
  case #value y -> y
  case #apply g -> g x

entry chosen (n: i32) = (run (#apply (+ n)) 3, run (#apply (\x -> 2 * x)) (run (#apply (+ 3)) n), run (#value (-1)) 0)

entry sized (xs: []i64) =
  let ys = if false then [1] else if true then filter (> 0) xs else [1]
  in (ys, length ys)
