-- ==
-- input { [1, 2, 3] 10 }
-- output { [12, 24, 36] 81 }
def twice 'a (f: a -> a) (x: a): a = f (f x)

def compose 'a 'b 'c (f: b -> c) (g: a -> b) (x: a): c = f (g x)

entry main [n] (xs: [n]i32) (k: i32): ([n]i32, i32) =
  let add_all (y: i32) = map (\x -> x * k + y * x)
  in (add_all 2 xs, compose (twice (* 3)) (\x -> x - 1) k)
