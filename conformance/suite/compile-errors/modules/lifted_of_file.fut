-- A type that a module of another file hides, and that may be a function, is no type of array elements. (0.25.32 accepts it, also
-- in one file.)
-- ==
-- error: E0307
import "parts/lifted"
entry main (x: i32) = let fs = [m.f, m.f] in m.ap fs[0] x
