-- `round` goes to the even neighbour of a half.
-- ==
-- input { 2.5 }   output { 2.0 3.0 2.0 2.0 }
-- input { -2.5 }  output { -3.0 -2.0 -2.0 -2.0 }
-- input { 3.5 }   output { 3.0 4.0 4.0 3.0 }
entry main (x: f64): (f64, f64, f64, f64) = (f64.floor x, f64.ceil x, f64.round x, f64.trunc x)
