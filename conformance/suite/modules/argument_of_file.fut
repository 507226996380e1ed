-- What the type of a module's argument is, is known outside of its file, too. By hand: 2 + 40. 0.25.32 accepts it.
-- ==
-- input { 40 } output { 42 }
import "parts/argument"
entry main (x: i32) = m.x + x
