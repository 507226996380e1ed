-- What a module lacks or has otherwise is said in the order of the module type, types, values and modules as they stand there.
-- ==
-- error: "z" is.*"y" is.*"d" does not.*"b" is.*"n.q" does not.*"n.p" does not.*"c" does not
module type s = {
  type z = i32
  type y = i64
  val d : i32 -> i32
  type b = bool
  module n : { val q : i32 val p : i32 }
  val c : i32
}
module m : s = {
  def c = 3i64
  module n = { def p = 2i64 def q = 1i64 }
  def d (x: i64) = x
  type b = i32
  type y = i32
  type z = i64
}
entry main (x: i32) = x
