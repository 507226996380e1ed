-- What a functor's body may do where it is applied to arrays, the definitions that follow may not: return an array of the top level. 0.25.32 rejects it too.
-- ==
-- error: E0607[^╯]*result aliases the free variable "table"
module first (M: { type t val zero: t }) = { def get (_x: i32) = M.zero }
module of_arrays = first { type t = [2]i32 def zero : t = [1, 2] }
def table = [1, 2, 3i32]
def get (_x: i32) = table
entry main (x: i32) = of_arrays.get x
