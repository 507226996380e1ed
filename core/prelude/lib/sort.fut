-- Radix sort: stable, two bits in each round, from the lowest (digest 000, chapter 9). A round is a scan that counts for each element how many of each digit come
-- before it, and a scatter.

-- An element for each value of a digit of two bits.
local type digits = (i64, i64, i64, i64)

local def add (a: digits) (b: digits) : digits = (a.0 + b.0, a.1 + b.1, a.2 + b.2, a.3 + b.3)

local def round [n] 't (digit: t -> i32) (xs: [n]t) : [n]t =
  let digits = map digit xs
  let one d = (i64.bool (d == 0), i64.bool (d == 1), i64.bool (d == 2), i64.bool (d == 3))
  let ends = scan add (0, 0, 0, 0) (map one digits)
  let (a, b, c, _) = if n == 0 then (0, 0, 0, 0) else ends[n-1]
  let place d (end: digits) =
    if d == 0 then end.0 - 1
    else if d == 1 then a + end.1 - 1
    else if d == 2 then a + b + end.2 - 1
    else a + b + c + end.3 - 1
  in scatter (copy xs) (map2 place digits ends) xs

-- | Sorts by the bits from 0 to `num_bits - 1`, as unsigned numbers. What has the same bits stays in its order.
def radix_sort [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t) : [n]t =
  loop xs = xs for i < (num_bits + 1) / 2 do
    round (\x -> get_bit (2 * i) x + (if 2 * i + 1 < num_bits then 2 * get_bit (2 * i + 1) x else 0)) xs

-- | Sorts by the bits of signed integers: the highest is the sign.
def radix_sort_int [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t) : [n]t =
  radix_sort num_bits (\i x -> if i == num_bits - 1 then 1 - get_bit i x else get_bit i x) xs

-- | Sorts by the bits of floating-point numbers: the highest is the sign, and of negative numbers the greater magnitude comes first. -0 comes before 0; what is no
-- number is at one end.
def radix_sort_float [n] 't (num_bits: i32) (get_bit: i32 -> t -> i32) (xs: [n]t) : [n]t =
  let bit i x =
    let negative = get_bit (num_bits - 1) x == 1
    in if negative || i == num_bits - 1 then 1 - get_bit i x else get_bit i x
  in radix_sort num_bits bit xs

-- | The elements in the order of their keys, which `sort`, one of the above, puts in order: `sort_by_key (.0) radix_sort_int i32.num_bits i32.get_bit xs`. What has the
-- same key stays in its order. The elements themselves are moved once.
def sort_by_key [n] 't 'k (key: t -> k) (sort: i32 -> (i32 -> (k, i64) -> i32) -> [n](k, i64) -> [n](k, i64))
                (num_bits: i32) (get_bit: i32 -> k -> i32) (xs: [n]t) : [n]t =
  map (\(_, i) -> xs[i]) (sort num_bits (\i (k, _) -> get_bit i k) (zip (map key xs) (iota n)))

-- | Sorts upwards.
def sort_i8 [n] (xs: [n]i8) : [n]i8 = radix_sort_int i8.num_bits i8.get_bit xs
def sort_i16 [n] (xs: [n]i16) : [n]i16 = radix_sort_int i16.num_bits i16.get_bit xs
def sort_i32 [n] (xs: [n]i32) : [n]i32 = radix_sort_int i32.num_bits i32.get_bit xs
def sort_i64 [n] (xs: [n]i64) : [n]i64 = radix_sort_int i64.num_bits i64.get_bit xs
def sort_u8 [n] (xs: [n]u8) : [n]u8 = radix_sort u8.num_bits u8.get_bit xs
def sort_u16 [n] (xs: [n]u16) : [n]u16 = radix_sort u16.num_bits u16.get_bit xs
def sort_u32 [n] (xs: [n]u32) : [n]u32 = radix_sort u32.num_bits u32.get_bit xs
def sort_u64 [n] (xs: [n]u64) : [n]u64 = radix_sort u64.num_bits u64.get_bit xs
def sort_f16 [n] (xs: [n]f16) : [n]f16 = radix_sort_float f16.num_bits f16.get_bit xs
def sort_f32 [n] (xs: [n]f32) : [n]f32 = radix_sort_float f32.num_bits f32.get_bit xs
def sort_f64 [n] (xs: [n]f64) : [n]f64 = radix_sort_float f64.num_bits f64.get_bit xs
