-- Every differentiable scalar function of the prelude's first set, for the harness to differentiate.
-- ==
-- entry: everywhere
-- input { 0.7 } output { 2.0137527074704766 0.644217687237691 0.7648421872844885 0.8422883804630794 0.8366600265340756 }
-- input { -1.3 }
entry everywhere (x: f64): (f64, f64, f64, f64, f64) =
  (f64.exp x, f64.sin x, f64.cos x, f64.tan x, f64.sqrt (f64.abs x))

-- ==
-- entry: positive
-- input { 0.7 1.9 } output { -0.35667494393873245 0.8366600265340756 0.5077924928560539 1.3299999999999998 2.5999999999999996 -1.2 0.3684210526315789 }
entry positive (x: f64) (y: f64): (f64, f64, f64, f64, f64, f64, f64) =
  (f64.log x, f64.sqrt x, x ** y, x * y, x + y, x - y, x / y)

-- ==
-- entry: choices
-- input { 0.7 1.9 } output { 0.7 1.9 0.7 }
-- input { -2.5 1.0 }
entry choices (x: f64) (y: f64): (f64, f64, f64) = (f64.min x y, f64.max x y, f64.abs x)
