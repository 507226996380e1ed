-- What a loop carries around cannot have the loop's counter as its size. 0.25.32 rejects it too.
-- ==
-- error: E0404[^╯]*"i" is not in scope where[^╯]*inside the loop body
entry main (k: i64) = loop xs = iota k for i < 5 do map2 (+) xs (iota i)
