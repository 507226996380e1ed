-- B11 (digest 000, table 5.B): derivatives cost a constant times the function, whatever its size. What they cost is counted in
-- core/tests/ad_costs.rs (derivatives_cost_a_constant_times_the_primal_code, 100 to 100,000 elements); here they are right for many
-- elements. The adjoints in closed form: of the sum of squares 2 x; of the sum of sums from the left the number of elements from there on;
-- of the reduction with x + y + x y, of zeros, 1; of sums in ten bins the seed of each element's bin; of the product of ones 1. What
-- differs is counted.
def differ [n] (xs: [n]f64) (ys: [n]f64) : i64 =
  i64.sum (map2 (\x y -> i64.bool (x != y)) xs ys)

def adjoints [n]
             (xs: [n]f64)
             (zeros: [n]f64)
             (is: [n]i64)
             (seed: [10]f64) : [5][n]f64 =
  let ones = map (+ 1) zeros
  in [ vjp (\xs -> f64.sum (map (\x -> x * x) xs)) xs 1
     , vjp (\xs -> f64.sum (scan (+) 0 xs)) xs 1
     , vjp (reduce (\x y -> x + y + x * y) 0) zeros 1
     , vjp (\xs -> reduce_by_index (replicate 10 0) (+) 0 is xs) xs seed
     , vjp (reduce (*) 1) ones 1
     ]

-- ==
-- entry: wrong
-- input { 1024i64 } output { [0i64, 0i64, 0i64, 0i64, 0i64] }
-- input { 16384i64 } output { [0i64, 0i64, 0i64, 0i64, 0i64] }
-- input { 0i64 } output { [0i64, 0i64, 0i64, 0i64, 0i64] }
entry wrong (n: i64) : [5]i64 =
  let xs = map f64.i64 (iota n)
  let is = map (% 10) (iota n)
  let expected =
    [ map (2 *) xs
    , map (\x -> f64.i64 n - x) xs
    , replicate n 1
    , map (\i -> f64.i64 (i + 1)) is
    , replicate n 1
    ]
  in map2 differ
          (adjoints xs
                    (replicate n 0)
                    is
                    (map (\b -> f64.i64 (b + 1)) (iota 10)))
          expected

-- The same of a few elements.
-- ==
-- entry: few
-- input { [2.0, 3.0, 4.0] [0.0, 0.0, 0.0] [0i64, 2i64, 0i64] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0] }
-- output { [[4.0, 6.0, 8.0], [3.0, 2.0, 1.0], [1.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 1.0]] }
entry few [n]
          (xs: [n]f64)
          (zeros: [n]f64)
          (is: [n]i64)
          (seed: [10]f64) : [5][n]f64 =
  adjoints xs zeros is seed
