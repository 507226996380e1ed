-- The smaller and the larger of a number and NaN is the number.
-- ==
-- input { 2.0 f64.nan }
-- output { 2.0 2.0 2.0 2.0 }
entry main (x: f64) (nan: f64): (f64, f64, f64, f64) =
  (f64.min x nan, f64.min nan x, f64.max x nan, f64.max nan x)

-- ==
-- entry: infinities
-- input { 1.0 0.0 }
-- output { f64.inf -f64.inf f64.nan true }
entry infinities (x: f64) (zero: f64): (f64, f64, f64, bool) =
  (x / zero, -x / zero, zero / zero, f64.isnan (zero / zero))
