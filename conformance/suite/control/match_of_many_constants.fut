-- Matches of many constants are searched by halves (Note [Many constants] in core/src/lower/branch.rs). Values are those of the first case that fits, by Python.
-- ==
-- entry: ints
-- input { [-52i32, -49i32, -46i32, -43i32, -40i32, -37i32, -34i32, -31i32, -28i32, -25i32, -22i32, -19i32, -16i32, -13i32, -10i32, -7i32, -4i32, -1i32, 2i32, 5i32, 8i32, 11i32, 14i32, 17i32, 20i32, 23i32, 26i32, 29i32, 32i32, 35i32, 38i32, 41i32, 44i32, 47i32, 50i32, 29i32, -18i32, 44i32, -5i32, 38i32, 47i32] }
-- output { [-1i32, 44i32, -1i32, -1i32, -1i32, 92i32, -1i32, -1i32, -1i32, -1i32, -1i32, 5i32, -1i32, -1i32, -1i32, -1i32, -1i32, -1i32, -1i32, -1i32, -1i32, -1i32, -1i32, 6i32, -1i32, 70i32, -1i32, 32i32, 0i32, -1i32, 11i32, -1i32, 21i32, 13i32, -1i32, 32i32, 49i32, 21i32, 77i32, 11i32, 13i32] }
-- ==
-- entry: bytes
-- input { [0u8, 1u8, 2u8, 7u8, 63u8, 64u8, 126u8, 127u8, 128u8, 129u8, 131u8, 199u8, 200u8, 253u8, 254u8, 255u8] }
-- output { [0u8, 11u8, 77u8, 22u8, 77u8, 33u8, 55u8, 66u8, 77u8, 88u8, 77u8, 143u8, 154u8, 77u8, 165u8, 176u8] }
-- ==
-- entry: sums
-- input { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64, 13i64, 14i64, 15i64, 16i64, 17i64, 18i64, 19i64] [1i64, 4i64, 7i64, 10i64, 13i64, 16i64, 19i64, 22i64, 25i64, 28i64, 31i64, 34i64, 37i64, 40i64, 43i64, 46i64, 49i64, 52i64, 55i64, 58i64] }
-- output { [1i64, 100i64, 207i64, 300i64, 413i64, 500i64, 619i64, 700i64, 825i64, 900i64, 1031i64, 1100i64, 1237i64, 1300i64, 1443i64, 1500i64, 1649i64, 1700i64, 1855i64, 1900i64] }
-- ==
-- entry: some_sums
-- input { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64, 13i64, 14i64, 15i64, 16i64, 17i64, 18i64, 19i64] [1i64, 4i64, 7i64, 10i64, 13i64, 16i64, 19i64, 22i64, 25i64, 28i64, 31i64, 34i64, 37i64, 40i64, 43i64, 46i64, 49i64, 52i64, 55i64, 58i64] }
-- output { [1i64, 100i64, 207i64, 300i64, 413i64, 500i64, 619i64, 700i64, 825i64, 900i64, 1031i64, 1100i64, 1237i64, 1300i64, 1443i64, 1500i64, 1649i64, -17i64, -18i64, -19i64] }
-- ==
-- entry: slope
-- input { [0i64, 5i64, 16i64, 17i64, 40i64] }
-- output { [1.0f64, 6.0f64, 17.0f64, 18.0f64, 0.5f64] }
-- ==
-- entry: lengths
-- input { [0i64, 3i64, 15i64, 16i64, 99i64] }
-- output { [0i64, 6i64, 120i64, 136i64, 2i64] }
-- ==
-- entry: wide
-- input { [0u64, 1u64, 5u64, 9223372036854775807u64, 9223372036854775808u64, 9223372036854775809u64, 9223372036854775810u64, 18446744073709551615u64, 100000000000u64] }
-- output { [0i64, 1i64, 99i64, 2i64, 3i64, 4i64, 99i64, 5i64, 16i64] }
-- ==
-- entry: ends
-- input { [-9223372036854775808i64, -9223372036854775807i64, -9223372036854775806i64, -1i64, 0i64, 1i64, 2i64, 9223372036854775806i64, 9223372036854775807i64] }
-- output { [0i64, 1i64, 99i64, 2i64, 3i64, 99i64, 5i64, 99i64, 4i64] }
-- ==
-- entry: fifteen
-- input { [0i64, 7i64, 14i64, 15i64] }
-- output { [3i64, 10i64, 17i64, -1i64] }
-- ==
-- entry: parts
-- input { [0i64, 1i64, 15i64, 16i64, 17i64] [5i64, 6i64, 7i64, 8i64, 0i64] }
-- output { [10i64, 13i64, 29i64, -8i64, 18i64] }

def int (x: i32) : i32 = match x
  case 29 -> 32
  case -18 -> 49
  case 44 -> 21
  case -5 -> 77
  case 38 -> 11
  case 47 -> 13
  case 33 -> 51
  case 17 -> 6
  case -47 -> 13
  case 9 -> 65
  case -19 -> 5
  case 43 -> 18
  case -44 -> 21
  case -30 -> 41
  case -36 -> 86
  case -3 -> 66
  case 10 -> 97
  case 39 -> 45
  case -2 -> 31
  case 19 -> 5
  case -5 -> 999
  case -37 -> 92
  case 23 -> 70
  case 32 -> 0
  case -49 -> 44
  case _ -> -1

entry ints (xs: []i32) = map int xs

def byte (x: u8) : u8 = match x
  case 0 -> 0
  case 1 -> 11
  case 7 -> 22
  case 64 -> 33
  case 100 -> 44
  case 126 -> 55
  case 127 -> 66
  case 128 -> 77
  case 129 -> 88
  case 130 -> 99
  case 140 -> 110
  case 150 -> 121
  case 160 -> 132
  case 199 -> 143
  case 200 -> 154
  case 254 -> 165
  case 255 -> 176
  case _ -> 77

entry bytes (xs: []u8) = map byte xs

type t = #a0 i64 | #a1 | #a2 i64 | #a3 | #a4 i64 | #a5 | #a6 i64 | #a7 | #a8 i64 | #a9 | #a10 i64 | #a11 | #a12 i64 | #a13 | #a14 i64 | #a15 | #a16 i64 | #a17 | #a18 i64 | #a19

def make (i: i64) (x: i64) : t =
  if i == 0 then #a0 x else
  if i == 1 then #a1 else
  if i == 2 then #a2 x else
  if i == 3 then #a3 else
  if i == 4 then #a4 x else
  if i == 5 then #a5 else
  if i == 6 then #a6 x else
  if i == 7 then #a7 else
  if i == 8 then #a8 x else
  if i == 9 then #a9 else
  if i == 10 then #a10 x else
  if i == 11 then #a11 else
  if i == 12 then #a12 x else
  if i == 13 then #a13 else
  if i == 14 then #a14 x else
  if i == 15 then #a15 else
  if i == 16 then #a16 x else
  if i == 17 then #a17 else
  if i == 18 then #a18 x else
  #a19

def number (v: t) : i64 = match v
  case #a12 x -> 1200 + x
  case #a17 -> 1700
  case #a8 x -> 800 + x
  case #a18 x -> 1800 + x
  case #a14 x -> 1400 + x
  case #a7 -> 700
  case #a1 -> 100
  case #a13 -> 1300
  case #a19 -> 1900
  case #a0 x -> 0 + x
  case #a4 x -> 400 + x
  case #a15 -> 1500
  case #a3 -> 300
  case #a11 -> 1100
  case #a2 x -> 200 + x
  case #a16 x -> 1600 + x
  case #a6 x -> 600 + x
  case #a10 x -> 1000 + x
  case #a9 -> 900
  case #a5 -> 500

entry sums [n] (is: [n]i64) (xs: [n]i64) = map2 (\i x -> number (make i x)) is xs

-- not all constructors have a case: -i is i's by the second parameter
def some_number (i: i64) (v: t) : i64 = match v
  case #a12 x -> 1200 + x
  case #a8 x -> 800 + x
  case #a14 x -> 1400 + x
  case #a7 -> 700
  case #a1 -> 100
  case #a13 -> 1300
  case #a0 x -> 0 + x
  case #a4 x -> 400 + x
  case #a15 -> 1500
  case #a3 -> 300
  case #a11 -> 1100
  case #a2 x -> 200 + x
  case #a16 x -> 1600 + x
  case #a6 x -> 600 + x
  case #a10 x -> 1000 + x
  case #a9 -> 900
  case #a5 -> 500
  case _ -> -i

entry some_sums [n] (is: [n]i64) (xs: [n]i64) = map2 (\i x -> some_number i (make i x)) is xs

def scaled (i: i64) (x: f64) : f64 = match i
  case 0 -> x * 1
  case 1 -> x * 2
  case 2 -> x * 3
  case 3 -> x * 4
  case 4 -> x * 5
  case 5 -> x * 6
  case 6 -> x * 7
  case 7 -> x * 8
  case 8 -> x * 9
  case 9 -> x * 10
  case 10 -> x * 11
  case 11 -> x * 12
  case 12 -> x * 13
  case 13 -> x * 14
  case 14 -> x * 15
  case 15 -> x * 16
  case 16 -> x * 17
  case 17 -> x * 18
  case _ -> x / 2

entry slope (is: []i64) = map (\i -> vjp (scaled i) 3 1) is

def upto (i: i64) : []i64 = match i
  case 0 -> iota (0 + 1)
  case 1 -> iota (1 + 1)
  case 2 -> iota (2 + 1)
  case 3 -> iota (3 + 1)
  case 4 -> iota (4 + 1)
  case 5 -> iota (5 + 1)
  case 6 -> iota (6 + 1)
  case 7 -> iota (7 + 1)
  case 8 -> iota (8 + 1)
  case 9 -> iota (9 + 1)
  case 10 -> iota (10 + 1)
  case 11 -> iota (11 + 1)
  case 12 -> iota (12 + 1)
  case 13 -> iota (13 + 1)
  case 14 -> iota (14 + 1)
  case 15 -> iota (15 + 1)
  case 16 -> iota (16 + 1)
  case _ -> [1, 1]

entry lengths (is: []i64) = map (\i -> i64.sum (upto i)) is

def wide_one (x: u64) : i64 = match x
  case 0 -> 0
  case 1 -> 1
  case 9223372036854775807 -> 2
  case 9223372036854775808 -> 3
  case 9223372036854775809 -> 4
  case 18446744073709551615 -> 5
  case 10 -> 6
  case 100 -> 7
  case 1000 -> 8
  case 10000 -> 9
  case 100000 -> 10
  case 1000000 -> 11
  case 10000000 -> 12
  case 100000000 -> 13
  case 1000000000 -> 14
  case 10000000000 -> 15
  case 100000000000 -> 16
  case _ -> 99

entry wide (xs: []u64) = map wide_one xs

def end_one (x: i64) : i64 = match x
  case -9223372036854775808 -> 0
  case -9223372036854775807 -> 1
  case -1 -> 2
  case 0 -> 3
  case 9223372036854775807 -> 4
  case 2 -> 5
  case 3 -> 6
  case 4 -> 7
  case 5 -> 8
  case 6 -> 9
  case 7 -> 10
  case 8 -> 11
  case 9 -> 12
  case 10 -> 13
  case 11 -> 14
  case 12 -> 15
  case _ -> 99

entry ends (xs: []i64) = map end_one xs

-- one fewer than are searched
def fifteen_one (x: i64) : i64 = match x
  case 0 -> 3
  case 1 -> 4
  case 2 -> 5
  case 3 -> 6
  case 4 -> 7
  case 5 -> 8
  case 6 -> 9
  case 7 -> 10
  case 8 -> 11
  case 9 -> 12
  case 10 -> 13
  case 11 -> 14
  case 12 -> 15
  case 13 -> 16
  case 14 -> 17
  case _ -> -1

entry fifteen (xs: []i64) = map fifteen_one xs

type p = #b0 {x: i64, y: (i64, bool)} | #b1 {x: i64, y: (i64, bool)} | #b2 {x: i64, y: (i64, bool)} | #b3 {x: i64, y: (i64, bool)} | #b4 {x: i64, y: (i64, bool)} | #b5 {x: i64, y: (i64, bool)} | #b6 {x: i64, y: (i64, bool)} | #b7 {x: i64, y: (i64, bool)} | #b8 {x: i64, y: (i64, bool)} | #b9 {x: i64, y: (i64, bool)} | #b10 {x: i64, y: (i64, bool)} | #b11 {x: i64, y: (i64, bool)} | #b12 {x: i64, y: (i64, bool)} | #b13 {x: i64, y: (i64, bool)} | #b14 {x: i64, y: (i64, bool)} | #b15 {x: i64, y: (i64, bool)} | #b16 {x: i64, y: (i64, bool)} | #b17 {x: i64, y: (i64, bool)}

def part (i: i64) (x: i64) : p =
  if i == 0 then #b0 {x, y = (x, x > 0)} else
  if i == 1 then #b1 {x, y = (x, x > 0)} else
  if i == 2 then #b2 {x, y = (x, x > 0)} else
  if i == 3 then #b3 {x, y = (x, x > 0)} else
  if i == 4 then #b4 {x, y = (x, x > 0)} else
  if i == 5 then #b5 {x, y = (x, x > 0)} else
  if i == 6 then #b6 {x, y = (x, x > 0)} else
  if i == 7 then #b7 {x, y = (x, x > 0)} else
  if i == 8 then #b8 {x, y = (x, x > 0)} else
  if i == 9 then #b9 {x, y = (x, x > 0)} else
  if i == 10 then #b10 {x, y = (x, x > 0)} else
  if i == 11 then #b11 {x, y = (x, x > 0)} else
  if i == 12 then #b12 {x, y = (x, x > 0)} else
  if i == 13 then #b13 {x, y = (x, x > 0)} else
  if i == 14 then #b14 {x, y = (x, x > 0)} else
  if i == 15 then #b15 {x, y = (x, x > 0)} else
  if i == 16 then #b16 {x, y = (x, x > 0)} else
  #b17 {x, y = (x, x > 0)}

def sum_of (v: p) : i64 = match v
  case #b0 {x = a, y = (b, _)} -> a + b + 0
  case #b1 {x = a, y = (b, _)} -> a + b + 1
  case #b2 {x = a, y = (b, _)} -> a + b + 2
  case #b3 {x = a, y = (b, _)} -> a + b + 3
  case #b4 {x = a, y = (b, _)} -> a + b + 4
  case #b5 {x = a, y = (b, _)} -> a + b + 5
  case #b6 {x = a, y = (b, _)} -> a + b + 6
  case #b7 {x = a, y = (b, _)} -> a + b + 7
  case #b8 {x = a, y = (b, _)} -> a + b + 8
  case #b9 {x = a, y = (b, _)} -> a + b + 9
  case #b10 {x = a, y = (b, _)} -> a + b + 10
  case #b11 {x = a, y = (b, _)} -> a + b + 11
  case #b12 {x = a, y = (b, _)} -> a + b + 12
  case #b13 {x = a, y = (b, _)} -> a + b + 13
  case #b14 {x = a, y = (b, _)} -> a + b + 14
  case #b15 {x = a, y = (b, _)} -> a + b + 15
  case #b16 {x, y = (_, true)} -> -x
  case #b16 _ -> 0
  case #b17 {x = _, y = (_, c)} -> if c then 17 else 18

entry parts [n] (is: [n]i64) (xs: [n]i64) = map2 (\i x -> sum_of (part i x)) is xs
