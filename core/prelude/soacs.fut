-- Functions that work on all elements of an array, in parallel.

-- | Applies a function to each element.
def map 'a [n] 'x (f: a -> x) (as: [n]a) : *[n]x = intrinsics.map f as

-- | `map` under another name.
def map1 'a [n] 'x (f: a -> x) (as: [n]a) : *[n]x = map f as

-- | Applies a function to the elements at the same place of two arrays; the next three, of more.
def map2 'a 'b [n] 'x (f: a -> b -> x) (as: [n]a) (bs: [n]b) : *[n]x = map (\(a, b) -> f a b) (zip as bs)
def map3 'a 'b 'c [n] 'x (f: a -> b -> c -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) : *[n]x =
  map (\(a, b, c) -> f a b c) (zip3 as bs cs)
def map4 'a 'b 'c 'd [n] 'x (f: a -> b -> c -> d -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) : *[n]x =
  map (\(a, b, c, d) -> f a b c d) (zip4 as bs cs ds)
def map5 'a 'b 'c 'd 'e [n] 'x (f: a -> b -> c -> d -> e -> x)
         (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e) : *[n]x =
  map (\(a, b, c, d, e) -> f a b c d e) (zip5 as bs cs ds es)

-- | `ne op a0 op a1 …`; `op` must be associative and `ne` neutral.
def reduce [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a = intrinsics.reduce op ne as

-- | `reduce` for an operator that is commutative too.
def reduce_comm [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a = intrinsics.reduce_comm op ne as

-- | All prefixes: element i is the reduction of the elements up to and including the i-th.
def scan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a = intrinsics.scan op ne as

-- | All proper prefixes: element i is the reduction of the elements before the i-th.
def exscan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a =
  let sums = scan op ne as
  in map (\i -> if i == 0 then ne else sums[i-1]) (intrinsics.iota n)

-- | Does the predicate hold for all elements?
def all [n] 'a (f: a -> bool) (as: [n]a) : bool = reduce_comm intrinsics.and_bool true (map f as)

-- | Does the predicate hold for some element?
def any [n] 'a (f: a -> bool) (as: [n]a) : bool = reduce_comm intrinsics.or_bool false (map f as)

-- | The array `dest` with `vs[i]` at position `is[i]`, for each i. Positions out of range are ignored; of several values for one position the last is
-- taken, which programs should not rely on.
def scatter 't [k] [n] (dest: *[k]t) (is: [n]i64) (vs: [n]t) : *[k]t = intrinsics.scatter dest is vs

-- | `scatter` with positions of two coordinates.
def scatter_2d 't [k] [n] [l] (dest: *[k][n]t) (is: [l](i64, i64)) (vs: [l]t) : *[k][n]t =
  intrinsics.scatter_2d dest is vs

-- | `scatter` with positions of three coordinates.
def scatter_3d 't [k] [n] [o] [l] (dest: *[k][n][o]t) (is: [l](i64, i64, i64)) (vs: [l]t) : *[k][n][o]t =
  intrinsics.scatter_3d dest is vs

-- | `scatter` into `k` times `x`.
def spread 't [n] (k: i64) (x: t) (is: [n]i64) (vs: [n]t) : *[k]t = scatter (intrinsics.replicate k x) is vs

-- | The array `dest` where each `as[i]` has been combined with what stands at position `is[i]`. Positions out of range are ignored. `f` must be associative
-- and commutative, and `ne` neutral.
def reduce_by_index 'a [k] [n] (dest: *[k]a) (f: a -> a -> a) (ne: a) (is: [n]i64) (as: [n]a) : *[k]a =
  intrinsics.hist_1d dest f ne is as

-- | `reduce_by_index` with positions of two coordinates.
def reduce_by_index_2d 'a [k] [n] [m] (dest: *[k][m]a) (f: a -> a -> a) (ne: a) (is: [n](i64, i64)) (as: [n]a) : *[k][m]a =
  intrinsics.hist_2d dest f ne is as

-- | `reduce_by_index` with positions of three coordinates.
def reduce_by_index_3d 'a [k] [n] [m] [l] (dest: *[k][m][l]a) (f: a -> a -> a) (ne: a)
                       (is: [n](i64, i64, i64)) (as: [n]a) : *[k][m][l]a =
  intrinsics.hist_3d dest f ne is as

-- | `reduce_by_index` into `k` times the neutral element.
def hist 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (as: [n]a) : *[k]a =
  reduce_by_index (intrinsics.replicate k ne) op ne is as

-- | The elements for which the predicate holds, in their order.
def filter [n] 'a (p: a -> bool) (as: [n]a) : *[]a =
  let keep = map p as
  let ends = scan intrinsics.add_i64 0 (map intrinsics.conv_bool_i64 keep)
  let k = if n == 0 then 0 else ends[n-1]
  in scatter (intrinsics.scratch k) (map2 (\b end -> if b then end - 1 else -1) keep ends) as

-- | The elements for which the predicate holds, and the others, each in their order.
def partition [n] 'a (p: a -> bool) (as: [n]a) : ?[k].([k]a, [n-k]a) =
  let first = map p as
  let ends = scan intrinsics.add_i64 0 (map intrinsics.conv_bool_i64 first)
  let k = if n == 0 then 0 else ends[n-1]
  let place b end i = if b then end - 1 else k + i - end
  let sorted = scatter (intrinsics.scratch n) (map3 place first ends (intrinsics.iota n)) as
  in (intrinsics.take k sorted, intrinsics.drop k sorted)

-- | The elements for which `p1` holds, those of the others for which `p2` holds, and the rest.
def partition2 [n] 'a (p1: a -> bool) (p2: a -> bool) (as: [n]a) : ?[k][l].([k]a, [l]a, [n-k-l]a) =
  let classes = map (\a -> if p1 a then (1, 0) else if p2 a then (0, 1) else (0, 0)) as
  let ends = scan (\(a, b) (c, d) -> (a + c, b + d)) (0i64, 0i64) classes
  let (k, l) = if n == 0 then (0, 0) else ends[n-1]
  let place (a, b) (m, o) i = if a == 1 then m - 1 else if b == 1 then k + o - 1 else k + l + i - m - o
  let sorted = scatter (intrinsics.scratch n) (map3 place classes ends (intrinsics.iota n)) as
  let rest = intrinsics.drop k sorted
  in (intrinsics.take k sorted, intrinsics.take l rest, intrinsics.drop l rest)

-- | Applies a function to chunks of the array, of any sizes, zero included, and lays the results one after the other. The result must not depend on the
-- sizes: what `f` gives for a chunk is what it gives for the parts of the chunk.
def stream_map [n] 'a 'b (f: (c: i64) -> [c]a -> [c]b) (as: [n]a) : *[n]b = intrinsics.stream_map f as

-- | Applies a function to chunks of the array, of any sizes, and combines the results with an associative operator, for which `f 0 []` is neutral. The
-- result must not depend on the sizes.
def stream_red [n] 'a 'b (op: b -> b -> b) (f: (c: i64) -> [c]a -> b) (as: [n]a) : b = intrinsics.stream_red op f as

-- | `stream_red` for an operator that is commutative too.
def stream_red_comm [n] 'a 'b (op: b -> b -> b) (f: (c: i64) -> [c]a -> b) (as: [n]a) : b =
  intrinsics.stream_red_comm op f as

-- | Applies a function that gives arrays of any size, and something else, to each element. The arrays are laid one after the other; the result is their sizes,
-- where each begins (true at its first element), their offsets, the elements, and the rest.
def flatmap [n] 'a 'b 'c (f: a -> ?[k].([k]b, c)) (as: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c) =
  intrinsics.flatmap f as

-- | `flatmap` of a function that gives an array only.
def flatmap' [n] 'a 'b (f: a -> ?[k].[k]b) (as: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (shape, flags, offsets, data, _) = flatmap (\a -> (f a, ())) as
  in (shape, flags, offsets, data)

-- | An array that is being written: what stands there cannot be seen meanwhile.
type~ acc 't = intrinsics.acc t

-- | The accumulator with `v` written at position `i`, or combined with what stands there. Out of range nothing happens.
def write [n] 'a (acc: *acc ([n]a)) (i: i64) (v: a) : *acc ([n]a) = intrinsics.acc_write acc i v

-- | The array `dest` after `f` has written to it for each element of `bs`, in parallel. What is written twice is any of its values.
def scatter_stream 'a 'b [k] [n] (dest: *[k]a) (f: *acc ([k]a) -> b -> acc ([k]a)) (bs: [n]b) : *[k]a =
  intrinsics.scatter_stream dest f bs

-- | The same, but what is written is combined with what stands there by `op`, which is associative and commutative, and has the neutral element `ne`.
def reduce_by_index_stream 'a 'b [k] [n] (dest: *[k]a) (op: a -> a -> a) (ne: a)
                           (f: *acc ([k]a) -> b -> acc ([k]a)) (bs: [n]b) : *[k]a =
  intrinsics.hist_stream dest op ne f bs
