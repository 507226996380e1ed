-- A parameter without a type may be of one that the definition declares, or a function whose result has the size of its argument. By hand.
-- 0.25.32 accepts it.
def pair 'a x (y: a) = [x, y]

-- ==
-- entry: of_declared
-- input { 3 } output { [3, 3] }
entry of_declared (x: i32) = pair x x

def three g = (g : (n: i64) -> [n]i64) 3

-- ==
-- entry: of_named
-- input { 1i64 } output { [1i64, 2, 3] }
entry of_named (x: i64) = map (+ x) (three iota)
