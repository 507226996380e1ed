-- No type has a constructor and addition. 0.25.32 rejects it too.
-- ==
-- error: a sum type with constructors #unit
entry main (n: i64) = #unit n + #unit n
