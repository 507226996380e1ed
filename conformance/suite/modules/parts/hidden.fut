-- A module that hides a type, for the program beside.
module m : { type t val mk : i32 -> t val get : t -> i32 } = { type t = i32 def mk (x: i32) = x def get (x: i32) = x }
