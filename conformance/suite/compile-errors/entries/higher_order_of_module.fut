-- A type of a module may hide a function. Futhark's tests of 0.28 ask for the error; 0.25.32 does not see it.
-- ==
-- error: E0501
module m: { type^ f  val mk: i32 -> f  val call: f -> i32 } = {
  type^ f = i32 -> i32
  def mk (x: i32): f = \y -> x + y
  def call (f: f) = f 1
}
entry main (f: m.f) = m.call f
