-- An accumulator handed on by a function that calls itself, by way of a type parameter.
-- ==
-- error: Not supported: an accumulator as a parameter of "go", which calls itself
def go 't (n: i64) (x: *t) : *t = if n == 0 then x else go (n - 1) x
def twice 't (x: *t) : *t = go 2 (go 1 x)

entry main (n: i64) : [10]i32 =
  reduce_by_index_stream (replicate 10 0) (+) 0 (\(acc: *acc ([10]i32)) (i: i64) -> twice (write acc i 1)) (iota n)
