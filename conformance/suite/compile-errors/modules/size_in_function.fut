-- Nor one from a function. 0.25.32 rejects it too.
-- ==
-- error: E0405
module m: { type^ t [n]  val mk: (n: i64) -> t [n] } = {
  type^ t [n] = [n]i32 -> i64
  def mk (n: i64): t [n] = \(_: [n]i32) -> n
}
entry main (x: i32) = x
