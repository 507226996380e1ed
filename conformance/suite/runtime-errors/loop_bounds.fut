-- `#[bound(n)]` is a promise that a `while` loop has at most n rounds, and checked where the loop runs, in derivatives too that need its rounds (digest 002 §1A.10; row R9). Doubling from 1 while
-- below 100 takes 7 rounds.
-- ==
-- entry: enough
-- input { 1.0 } output { 128.0 }
-- input { 0.5 } error: A loop has more than 7 rounds, against its #\[bound\(7\)\]
-- input { 100.0 } output { 100.0 }
entry enough (x: f64): f64 = #[bound(7)] loop x while x < 100 do 2 * x

-- The promise is that of the loop, not of what it begins with: 1024, then twice more.
-- ==
-- entry: own
-- input { 1.0 } output { 4096.0 }
-- input { 4096.0 } output { 4096.0 }
-- input { -1.0 } error: more than 12 rounds
entry own (x: f64): f64 = #[bound(2)] loop y = (#[bound(12)] loop x while x < 1000 && x != 0 do 2 * x) while y < 4000 do 2 * y

-- ==
-- entry: reverse forward
-- input { 1.0 } output { 128.0 }
-- input { 0.5 } error: more than 7 rounds
entry reverse (x: f64): f64 = vjp (\x -> #[bound(7)] loop x while x < 100 do 2 * x) x 1
entry forward (x: f64): f64 = jvp (\x -> #[bound(7)] loop x while x < 100 do 2 * x) x 1
