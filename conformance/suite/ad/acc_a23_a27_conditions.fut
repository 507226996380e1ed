-- A23, A24, A25, A26, A27 (digest 001, 5.2; 1.12, 2.4): conditions on arrays, numbers and tuples. Expected: the digest's golden values for
-- its inputs a, b and -a, so that each branch is taken, and by hand where they are said to be so. Each entry point gives the value, the
-- gradient in reverse mode, and the same from forward mode.

def both [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64, [n]f64) =
  let unit i = map (\j -> f64.bool (i == j)) (iota n)
  let (y, gradient) = vjp2 f a 1
  in (y, gradient, map (jvp f a) (map unit (iota n)))

-- A23, acond_3a: only the branch that is not taken uses a.
-- ==
-- entry: not_executed
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 42.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- input { empty([0]f64) } output { 42.0 empty([0]f64) empty([0]f64) }
entry not_executed [n] (a: [n]f64) =
  both (\(a: [n]f64) -> let y: []f64 = if n >= 0 then [42] else a in f64.sum y)
       a

-- A24, acond_0 and acond_0a.
-- ==
-- entry: as_it_is
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 4.45 [1.0, 1.0, 1.0, 1.0, 1.0, 1.0] [1.0, 1.0, 1.0, 1.0, 1.0, 1.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { -8.9 [2.0, 2.0, 2.0, 2.0, 2.0, 2.0] [2.0, 2.0, 2.0, 2.0, 2.0, 2.0] }
entry as_it_is [n] (a: [n]f64) =
  both (\a -> f64.sum (if f64.sum a > 0 then a else map (* 2) a)) a

-- ==
-- entry: doubled
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 8.9 [2.0, 2.0, 2.0, 2.0, 2.0, 2.0] [2.0, 2.0, 2.0, 2.0, 2.0, 2.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { -4.45 [1.0, 1.0, 1.0, 1.0, 1.0, 1.0] [1.0, 1.0, 1.0, 1.0, 1.0, 1.0] }
entry doubled [n] (a: [n]f64) =
  both (\a -> f64.sum (if f64.sum a > 0 then map (* 2) a else a)) a

-- A24, acond_1: of what is chosen only the length is used.
-- ==
-- entry: length_of_chosen
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 53.4 [12.0, 12.0, 12.0, 12.0, 12.0, 12.0] [12.0, 12.0, 12.0, 12.0, 12.0, 12.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { -53.4 [12.0, 12.0, 12.0, 12.0, 12.0, 12.0] [12.0, 12.0, 12.0, 12.0, 12.0, 12.0] }
entry length_of_chosen [n] (a: [n]f64) =
  let f a =
    let b = map (* 2) a
    let (c, _) = if f64.sum a > 0 then (a, b) else (b, a)
    in f64.sum (map (* f64.i64 (length c)) b)
  in both f a

-- A24, acond_2a and 2b: what a branch uses is used beside it, too.
-- ==
-- entry: captured_left captured_right
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 176.32 [18.0, -38.0, 10.0, 50.0, -14.0, 33.2] [18.0, -38.0, 10.0, 50.0, -14.0, 33.2] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { 83.71 [-8.0, 20.0, -4.0, -24.0, 8.0, -15.6] [-8.0, 20.0, -4.0, -24.0, 8.0, -15.6] }
entry captured_left [n] (a: [n]f64) =
  both (\a ->
          let b = map (* 2) a
          in f64.sum (map2 (*)
                           b
                           (if f64.sum a <= 2 then map (+ 1) b
                            else map (\x -> 2 * x - 1) b)))
       a

entry captured_right [n] (a: [n]f64) =
  both (\a ->
          let b = map (* 2) a
          in f64.sum (map2 (*)
                           (if f64.sum a <= 2 then map (+ 1) b
                            else map (\x -> 2 * x - 1) b)
                           b))
       a

-- A24, the conditional of 3.4.3: branches of different lengths.
-- ==
-- entry: five_or_all
-- input { [-1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0] } output { 13.0 [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0] [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0] }
-- input { [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0] } output { 56.0 [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0] [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0] }
entry five_or_all [n] (a: [n]f64) =
  both (\(a: [n]f64) ->
          let y: []f64 = if a[0] < 0 then take 5 a else map (* 2) a
          in f64.sum y)
       a

-- A24, aindex_acond: the index -4 must not be read.
-- ==
-- entry: index_in_range
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { -0.75 [0.0, 0.0, 0.0, 0.0, 1.0, 0.0] [0.0, 0.0, 0.0, 0.0, 1.0, 0.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { 0.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
entry index_in_range [n] (a: [n]f64) =
  let f a =
    let s = i64.f64 (f64.round (f64.sum a))
    in f64.sum (if 0 <= s && s < n then map (\_ -> a[s]) (iota 1)
                else map (\_ -> 0) (iota 1))
  in both f a

-- A25, acond_3b: numbers out of branches; the other branch by hand: 2 * 4.45 + 4.45 + 18.
-- ==
-- entry: numbers
-- input { 0i64 [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 42.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- input { -1i64 [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 31.35 [3.0, 3.0, 3.0, 3.0, 3.0, 3.0] [3.0, 3.0, 3.0, 3.0, 3.0, 3.0] }
entry numbers [n] (k: i64) (a: [n]f64) =
  both (\a ->
          if k >= 0 then 42 else f64.sum (map (* 2) a) + f64.sum (map (+ 3) a))
       a

-- A27, cond_0: at each element.
-- ==
-- entry: each
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 1.45 [1.0, 2.0, 1.0, 1.0, 2.0, 1.0] [1.0, 2.0, 1.0, 1.0, 2.0, 1.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { -11.9 [2.0, 1.0, 2.0, 2.0, 1.0, 2.0] [2.0, 1.0, 2.0, 2.0, 1.0, 2.0] }
entry each [n] (a: [n]f64) =
  both (\a -> f64.sum (map (\x -> if x > 0 then x else 2 * x) a)) a

-- A27, cond_1.
-- ==
-- entry: within
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { 0.8660188 [0.0414812, 0.118574, 2.53777, -5.45562, -0.885687, 1.11993] [0.0414812, 0.118574, 2.53777, -5.45562, -0.885687, 1.11993] }
entry within [n] (a: [n]f64) =
  both (\a ->
          f64.sum (map (\x ->
                          2
                          * (if x > 0 then f64.sin (x * x)
                             else x * x * f64.exp x))
                       a))
       a

-- A27, cond_2: two pieces that meet, under a floor.
-- ==
-- entry: wave
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { 2.160635 [0.598472, 0.00786234, 0.997495, 0.12776, -0.0199823, -0.951602] [0.598472, 0.00786234, 0.997495, 0.12776, -0.0199823, -0.951602] }
entry wave [n] (a: [n]f64) =
  let fmod u v = u - f64.floor (u / v) * v
  let pi = f64.pi
  let y x =
    if fmod x (2 * pi) < pi then f64.sin x
    else pi / 12 * ((2 - 2 / pi * fmod (x - pi / 2) (2 * pi)) ** 6 - 1)
  in both (\a -> f64.sum (map (\x -> y x * y x) a)) a

-- A27, cond_3a and 3b: a branch uses what is used outside.
-- ==
-- entry: shared_left shared_right
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 141.32 [12.0, -16.0, 8.0, 50.0, -4.0, 33.2] [12.0, -16.0, 8.0, 50.0, -4.0, 33.2] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { 94.96 [-8.0, 34.0, -4.0, -24.0, 8.0, -15.6] [-8.0, 34.0, -4.0, -24.0, 8.0, -15.6] }
entry shared_left [n] (a: [n]f64) =
  both (\a ->
          f64.sum (map (\x ->
                          let u = 2 * x
                          let v = if x <= 2 then u + 1 else 2 * u - 1
                          in u * v)
                       a))
       a

entry shared_right [n] (a: [n]f64) =
  both (\a ->
          f64.sum (map (\x ->
                          let u = 2 * x
                          let v = if x <= 2 then u + 1 else 2 * u - 1
                          in v * u)
                       a))
       a
