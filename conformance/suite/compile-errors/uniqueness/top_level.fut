-- What is defined at the top level is there for all.
-- ==
-- error: Would consume "table", which is not consumable
def table = [1i32, 2, 3]
entry main (x: i32) : []i32 = table with [0] = x
