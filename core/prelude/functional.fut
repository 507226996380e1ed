-- Combining functions.

-- | `x |> f` is `f x`: pipelines read from left to right.
def (|>) '^a '^b (x: a) (f: a -> b) : b = f x

-- | `f <| x` is `f x`, with `x` extending as far right as possible.
def (<|) '^a '^b (f: a -> b) (x: a) : b = f x

-- | First `f`, then `g`.
def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)

-- | First `f`, then `g`.
def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a) : c = g (f x)

-- | The function with its two parameters swapped.
def flip '^a '^b '^c (f: a -> b -> c) (b: b) (a: a) : c = f a b

-- | From a function of a pair to a function of two parameters.
def curry '^a '^b '^c (f: (a, b) -> c) (a: a) (b: b) : c = f (a, b)

-- | From a function of two parameters to a function of a pair.
def uncurry '^a '^b '^c (f: a -> b -> c) (p: (a, b)) : c = f p.0 p.1

-- | Ignores its second argument.
def const '^a '^b (x: a) (_: b) : a = x

-- | Its argument.
def id '^a (x: a) : a = x

-- | Applies `f` `n` times.
def iterate 'a (n: i32) (f: a -> a) (x: a) : a = loop y = x for _i < n do f y

-- | Applies `f` as long as `p` holds.
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a) : a = loop y = x while p y do f y

-- | Applies `f` until `p` holds.
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a) : a = loop y = x while !(p y) do f y
