-- O2 (digest 002, 1A.19): where nothing else needs what the update is computed from, it is split off, whatever it reads: the sums of
-- o2_read_twice.fut alone.
-- ==
-- input { [2.0, 3.0] [[1.0, 2.0], [3.0, 4.0]] [[5.0, 6.0], [7.0, 8.0]] [[1.0, 10.0], [100.0, 1000.0]] } output { [2105.0, 32120.0] }
-- input { [2.0, 3.0] empty([0][2]f64) empty([0][2]f64) empty([0][2]f64) } output { [0.0, 0.0] }
-- structure { Reduce 1 WithAcc 0 UpdAcc 0 }
entry main [n] [m] (us: [m]f64) (ass: [n][m]f64) (bss: [n][m]f64) (seed: [n][m]f64): [m]f64 =
  let product us = map2 (\as bs -> map3 (\u a b -> u * a * b) us as bs) ass bss
  in vjp product us seed
