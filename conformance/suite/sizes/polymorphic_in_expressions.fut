-- A size that is an expression with calls of polymorphic functions in one another: what they are polymorphic in is that of the use, also where the size is an argument. By hand.
def count 'a [n] (_: [n]a) = n

-- ==
-- entry: main given named
-- input { [true, false, true] } output { [1i64] }
-- input { [true, false] } output { empty([0]i64) }
def f 'a [n] (xs: [n]a) = iota (count xs % 2)
def g 'a [n] (xs: [n]a) : [count xs % 2]i64 = iota (count xs % 2)
entry main (ys: []bool) = map (+ 1) (f ys)
entry given (ys: []bool) = map (+ 1) (g ys)
entry named (ys: []bool) = let zs = f ys in map (+ 1) zs

-- ==
-- entry: operators
-- input { [true, false, true] } output { [1i64, 1i64, 9i64, 6i64, 1i64, 1i64, 2i64, 3i64, 1i64] }
def a 'a [n] (xs: [n]a) = iota (count xs // 2)
def b 'a [n] (xs: [n]a) = iota (count xs %% 2)
def c 'a [n] (xs: [n]a) = iota (count xs ** 2)
def d 'a [n] (xs: [n]a) = iota (count xs << 1)
def e 'a [n] (xs: [n]a) = iota (count xs >> 1)
def h 'a [n] (xs: [n]a) = iota (count xs & 1)
def i 'a [n] (xs: [n]a) = iota (count xs ^ 1)
def j 'a [n] (xs: [n]a) = iota (i64.max (count xs) 2)
def k 'a [n] (xs: [n]a) = iota (count (iota (count xs)) // 2)
def size [n] (xs: [n]i64) = length (map (+ 1) xs)
entry operators (ys: []bool) =
  [size (a ys), size (b ys), size (c ys), size (d ys), size (e ys), size (h ys), size (i ys), size (j ys), size (k ys)]
