-- A module with a parameter that is its argument, for the program beside.
module f (P: { type t val x : t }) = P
module m = f { type t = i32 def x = 2i32 }
