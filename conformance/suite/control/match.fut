-- Cases (language reference, "match"): constants, constructors and their parts, tuples, records, names, nested; the first one that fits is taken.
-- By hand; the same in 0.25.32.

-- ==
-- entry: numbers
-- input { 0 } output { 10 }
-- input { 1 } output { 11 }
-- input { -1 } output { 12 }
-- input { 2147483647 } output { 2147483647 }
entry numbers (x: i32) : i32 = match x case 0 -> 10 case 1 -> 11 case -1 -> 12 case y -> y

-- ==
-- entry: pairs
-- input { 0 0 } output { 1 }
-- input { 0 5 } output { 5 }
-- input { 5 0 } output { -5 }
-- input { 5 6 } output { 30 }
entry pairs (x: i32) (y: i32) : i32 =
  match (x, y) case (0, 0) -> 1 case (0, b) -> b case (a, 0) -> -a case (a, b) -> a * b

-- ==
-- entry: truth
-- input { true false } output { 1 }
-- input { true true } output { 2 }
-- input { false true } output { 3 }
entry truth (p: bool) (q: bool) : i32 = match (p, q) case (true, false) -> 1 case (true, true) -> 2 case (false, _) -> 3

type shape = #circle f64 | #rectangle f64 f64 | #square {side: f64} | #point

-- ==
-- entry: areas
-- input { 0 2.0 3.0 } output { 12.566370614359172 }
-- input { 1 2.0 3.0 } output { 6.0 }
-- input { 2 2.0 3.0 } output { 4.0 }
-- input { 3 2.0 3.0 } output { 0.0 }
entry areas (k: i32) (x: f64) (y: f64) : f64 =
  let s : shape = match k case 0 -> #circle x case 1 -> #rectangle x y case 2 -> #square {side = x} case _ -> #point
  in match s
     case #circle r -> f64.pi * r * r
     case #rectangle a b -> a * b
     case #square {side} -> side * side
     case #point -> 0

-- The first case that fits, though a later one fits better.
-- ==
-- entry: first
-- input { 7 } output { 1 }
entry first (x: i32) : i32 = match x case _ -> 1

type tree = #leaf i32 | #pair (i32, i32) | #none
-- ==
-- entry: nested
-- input { 0 3 } output { 3 }
-- input { 1 3 } output { 103 }
-- input { 2 3 } output { 12 }
-- input { 3 3 } output { -1 }
entry nested (k: i32) (x: i32) : i32 =
  let t : (tree, bool) = match k case 0 -> (#leaf x, true) case 1 -> (#leaf x, false) case 2 -> (#pair (x, 4), true) case _ -> (#none, true)
  in match t
     case (#leaf y, true) -> y
     case (#leaf y, false) -> y + 100
     case (#pair (0, _), _) -> 0
     case (#pair (a, b), _) -> a * b
     case (#none, _) -> -1

-- Only the case that is taken is evaluated.
-- ==
-- entry: lazy
-- input { 0 } output { 0 }
-- input { 2 } output { 5 }
entry lazy (x: i32) : i32 = match x case 0 -> 0 case y -> 10 / y

-- ==
-- entry: in_map
-- input { [0, 1, 2] } output { [5, 6, 4] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry in_map (xs: []i32) : []i32 = map (\x -> match x case 0 -> 5 case 1 -> 6 case y -> y * 2) xs

-- Arrays of two lengths.
-- ==
-- entry: arrays
-- input { 0 [1, 2, 3] } output { [1, 2, 3] }
-- input { 1 [1, 2, 3] } output { [1, 2] }
-- input { 2 [1, 2, 3] } output { empty([0]i32) }
entry arrays (k: i32) (xs: []i32) : []i32 = match k case 0 -> xs case 1 -> take 2 xs case _ -> []

-- Characters are u8.
-- ==
-- entry: characters
-- input { 97u8 } output { 1 }
-- input { 48u8 } output { 2 }
-- input { 0u8 } output { 3 }
entry characters (c: u8) : i32 = match c case 'a' -> 1 case '0' -> 2 case _ -> 3

-- ==
-- entry: floats
-- input { 0.0 } output { 1 }
-- input { -0.0 } output { 1 }
-- input { 1.5 } output { 2 }
-- input { f64.nan } output { 3 }
entry floats (x: f64) : i32 = match x case 0.0 -> 1 case 1.5 -> 2 case _ -> 3
