-- A function returns what it declares. 0.25.32 rejects it too.
-- ==
-- error: Function body does not have
module unit: { type t val one: t } = { type t = i64 def one: t = 1 }
def count (): i64 = unit.one
entry main (n: i64) = n + count ()
