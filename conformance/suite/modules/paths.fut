-- Names behind several modules, with fields behind them: 7 + 10 * 3 + 100 * 1 + 1000 * 5 + 2 = 5139 by hand (0.25.32 accepts it).
-- ==
-- input { 2 } output { 5139 }
module a = { module b = { module c = { def r = {x = {y = 7i32}} } def r = {x = 3i32} } def x = 1i32 }
def b = {c = 5i32}
entry main (k: i32) = a.b.c.r.x.y + a.b.r.x * 10 + a.x * 100 + b.c * 1000 + k
