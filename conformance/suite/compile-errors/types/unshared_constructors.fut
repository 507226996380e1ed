-- Sums agree only if their constructors do, and what differs is named. 0.25.32 rejects it too.
-- ==
-- error: Unshared constructors: #missing, #none\.
def found (x: #none | #some i64): #missing | #some i64 = x
entry main (n: i64) = match found (#some n) case #some m -> m case #missing -> 0
