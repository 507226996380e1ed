-- Values of abstract types whose sizes are computed in the module, wherever values go. By hand; the same in 0.25.32.
module m : {
  type t
  val mk : i64 -> t
  val step : t -> t
  val get : t -> i64
} = {
  def k = i64.i32 3
  type t = [k]i64
  def mk (x: i64) : t = replicate k x
  def step (t: t) : t = map (+ 1) t
  def get (t: t) = t[2]
}
module pairs : {
  type t [n]
  val of [n] : [n]i64 -> t [n]
  val step [n] : t [n] -> t [n]
  val last [n] : t [n] -> i64
} = {
  def more (n: i64) = n + 1
  type t [n] = {own: [n]i64, twice: [2 * n]i64, more: [more n]i64}
  def of [n] (xs: [n]i64) : t [n] = {own = xs, twice = xs ++ xs :> [2 * n]i64, more = replicate (more n) 7}
  def step [n] (t: t [n]) : t [n] = t with own = map (+ 1) t.own
  def last [n] (t: t [n]) = t.own[n - 1] + t.twice[2 * n - 1] + t.more[n]
}
-- ==
-- entry: functions
-- input { 5i64 } output { 6i64 }
def make (x: i64) = m.mk x
def both (x: i64) (a: m.t) : (m.t, {a: m.t}) = (m.step (m.mk x), {a})
entry functions (x: i64) = let (a, {a = b}) = both x (make x) in m.get a + m.get b - x

-- ==
-- entry: branches
-- input { 5i64 } output { 5i64 }
-- input { 1i64 } output { 3i64 }
entry branches (x: i64) = m.get (if x > 3 then m.mk x else if x > 2 then m.mk 2 else m.step (m.mk (x + 1)))

-- ==
-- entry: matches
-- input { 5i64 } output { 5i64 }
-- input { 1i64 } output { -1i64 }
type opt = #some m.t | #none
def may (x: i64) : opt = if x > 3 then #some (m.mk x) else #none
entry matches (x: i64) = match may x case #some t -> m.get t case #none -> -1

-- ==
-- entry: loops
-- input { 5i64 } output { 8i64 }
entry loops (x: i64) = m.get (loop t = m.mk x for _i < 3i32 do m.step t)

-- ==
-- entry: whiles
-- input { 5i64 } output { 9i64 }
entry whiles (x: i64) = m.get (loop t = m.mk x while m.get t < 9 do m.step t)

-- ==
-- entry: arrays
-- input { 3i64 } output { [0i64, 1i64, 2i64] 3i64 }
entry arrays (x: i64) =
  let ts = map m.mk (iota x)
  let us = map m.step ts
  in (map m.get ts, m.get (reduce (\a b -> if m.get a > m.get b then a else b) (m.mk 0) us))

-- ==
-- entry: records
-- input { 3i64 } output { 7i64 }
entry records (x: i64) =
  let r = {a = m.mk x, b = (m.mk 1, 2i64)}
  let r = if x > 2 then r with a = m.step r.a else r
  in m.get r.a + m.get r.b.0 + r.b.1

-- ==
-- entry: sized
-- input { [1i64, 5i64] true } output { 19i64 }
-- input { [1i64, 5i64] false } output { 10i64 }
entry sized (xs: []i64) (c: bool) =
  let t = if c then pairs.of xs else pairs.of (filter (< 2) xs)
  in pairs.last t + (if c then 2 else 1)

-- ==
-- entry: sized_loop
-- input { [1i64, 5i64] } output { 18i64 }
entry sized_loop (xs: []i64) =
  pairs.last (loop t = pairs.of xs for i < 3 do pairs.step (if i == 2 then pairs.of ([9] ++ xs) else t))

-- ==
-- entry: hidden_results
-- input { 5i64 } output { 5i64 }
entry mk (x: i64) : m.t = m.mk x
entry get (t: m.t) = m.get t
entry hidden_results (x: i64) = get (mk x)

module type holder = { type t val mk : i64 -> t val get : t -> i64 }
module twice (H: holder) : { type t val mk : i64 -> t val get : t -> i64 } = {
  type t = (H.t, H.t, [H.get (H.mk 2)]i64)
  def mk (x: i64) : t = (H.mk x, H.mk (x + 1), replicate (H.get (H.mk 2)) x)
  def get ((a, b, c): t) = H.get a + H.get b + c[1]
}
module t1 = twice m
module t2 = twice t1
-- ==
-- entry: functors
-- input { 5i64 } output { 16i64 40i64 }
entry functors (x: i64) =
  let a = if x > 3 then t1.mk x else t1.mk 0
  let b = loop b = t2.mk 0 for i < x + 1 do t2.mk i
  in (t1.get a, t2.get b)
