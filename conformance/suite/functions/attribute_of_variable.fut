-- An argument of an attribute may be a variable in scope, `$x` (Futhark 0.28.1's release notes). Nothing makes use of it yet. By hand.
-- ==
-- input { 3 } output { 4 }
entry main (x: i32) : i32 = #[some($x, $i32.abs, nested($x, 1))] (x + 1)
