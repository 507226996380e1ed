-- Unknown sizes are numbered from 1 in each value of a module that is held against its module type. 0.25.32 rejects it too.
-- ==
-- error: ^([^d]|d[^2-9])*[xy]_d1[^╯]*an unknown size of "[xy]"([^d]|d[^2-9])*[xy]_d1([^d]|d[^2-9])*$
module m : { val x : [3]i32 val y : [3]i32 } = {
  def x = filter (> 0) [1i32, 2, 3]
  def y = filter (> 1) [1i32, 2, 3]
}
