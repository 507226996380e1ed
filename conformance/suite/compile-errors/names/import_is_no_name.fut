-- An import that is not opened has a name.
-- ==
-- error: Unknown name "radix_sort_int"
module s = import "lib/sort"
entry main (xs: []i64) : []i64 = radix_sort_int i64.num_bits i64.get_bit xs
