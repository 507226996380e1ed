-- A field is updated with a value of its type. 0.25.32 rejects it too.
-- ==
-- error: record field "of\.count"
def mark (r: {count: i64, of: {count: i64}}) = r with of.count = "many"
entry main (n: i64) = (mark {count = n, of = {count = n}}).count
