-- A type that a module of another file hides is that of array elements: it is not lifted. By hand: [3] and [4]. 0.25.32 accepts it.
-- ==
-- input { 3 } output { [3] [4] }
import "parts/hidden"
def one 'a (x: a) : [1]a = [x]
entry main (x: i32) = (map m.get [m.mk x], map m.get (one (m.mk (x + 1))))
