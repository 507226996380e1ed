-- Whether a parameter of a hidden type is a function is known only when the module is applied; then it must be passed unchanged. (In 0.25.32 no function
-- refers to itself.)
-- ==
-- error: E0502[^╯]*must be passed unchanged
module f (P: { type^ t val x : t }) = {
  def count (n: i64) (_: P.t) : i64 = if n == 0 then 0 else 1 + count (n - 1) P.x
}
module m = f { type^ t = i32 -> i32 def x (i: i32) = i }
