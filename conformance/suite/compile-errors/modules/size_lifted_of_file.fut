-- A type that a module of another file hides, and that may be an array of any size, is no type of array elements. (0.25.32 accepts it, also in one
-- file.)
-- ==
-- error: E0307
import "parts/lifted"
entry main (x: i64) = let xs = [n.mk x, n.mk (x + 1)] in n.len xs[1]
