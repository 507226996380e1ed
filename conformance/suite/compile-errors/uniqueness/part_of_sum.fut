-- A part of one constructor that is consumed makes the whole value one. 0.25.32 rejects it too.
-- ==
-- error: E0602.*Would consume "xs"|Consuming variable "xs"
def f (s: #a (*[]i64) | #b i64): i64 = match s case #a xs -> (xs with [0] = 1)[0] case #b x -> x
entry main (xs: []i64): i64 = f (#a xs) + xs[0]
