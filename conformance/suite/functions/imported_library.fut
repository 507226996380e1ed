-- A library is imported by its name where no file has it. By hand.
-- ==
-- input { [3i64, 1i64, 2i64] } output { [1i64, 2i64, 3i64] }
import "lib/sort"

entry main (xs: []i64) : []i64 = radix_sort_int i64.num_bits i64.get_bit xs
