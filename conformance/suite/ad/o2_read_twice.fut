-- O2 (digest 002, 1A.19): an update is not split off where two reads would be made twice. By us the adjoints of all rows are added: 1*1*5 +
-- 100*3*7 = 2105, 10*2*6 + 1000*4*8 = 32120. That needs seed, a and b at each point; by a it is seed u b, by b seed u a, which need them, too.
-- ==
-- input { [2.0, 3.0] [[1.0, 2.0], [3.0, 4.0]] [[5.0, 6.0], [7.0, 8.0]] [[1.0, 10.0], [100.0, 1000.0]] }
-- output { [2105.0, 32120.0] [[10.0, 180.0], [1400.0, 24000.0]] [[2.0, 60.0], [600.0, 12000.0]] }
-- structure { Reduce 0 WithAcc 1 UpdAcc 1 }
entry main [n] [m] (us: [m]f64) (ass: [n][m]f64) (bss: [n][m]f64) (seed: [n][m]f64): ([m]f64, [n][m]f64, [n][m]f64) =
  let product (us, ass, bss) = map2 (\as bs -> map3 (\u a b -> u * a * b) us as bs) ass bss
  in vjp product (us, ass, bss) seed
