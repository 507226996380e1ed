-- A function with a reverse rule of its own and two arrays for results, of which single elements are used. The rule is that of (x^2, 3 x) times ten, to
-- be seen. Of squares[1] + 100 thrice[2] at [1, 2, 4] it is 10 * [0, 4, 300].
-- ==
-- entry: elements
-- input { [1.0, 2.0, 4.0] } output { 1204.0 [0.0, 40.0, 3000.0] }
def both [n] (xs: [n]f64): ([n]f64, [n]f64) =
  with_vjp_tape (\xs -> (xs, (map (\x -> x * x) xs, map (* 3) xs)))
                (\(xs, (as, bs)) -> map3 (\x a b -> 10 * (2 * x * a + 3 * b)) xs as bs)
                xs

entry elements [n] (xs: [n]f64): (f64, [n]f64) =
  vjp2 (\xs -> let (squares, thrice) = both xs in squares[1] + 100 * thrice[2]) xs 1

-- All elements of both: 10 (2 x + 3 * 7).
-- ==
-- entry: all
-- input { [1.0, 2.0, 4.0] } output { [230.0, 250.0, 290.0] }
entry all [n] (xs: [n]f64): [n]f64 =
  vjp (\xs -> let (squares, thrice) = both xs in f64.sum (map2 (\s t -> s + 7 * t) squares thrice)) xs 1
