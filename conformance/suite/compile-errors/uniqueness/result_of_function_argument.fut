-- A result may be what a function among the arguments refers to.
-- ==
-- error: Would consume "xs", which is not consumable
def ap (f: i32 -> []i32) : []i32 = f 0
entry main (xs: []i32) : []i32 = (ap (\_ -> xs)) with [0] = 1
