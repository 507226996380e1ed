-- A name that the program refers to is no unused one: functions of modules, locals and parameters; the only warning is of `z`. 0.25.32 says the same.
-- ==
-- warning: ^[^╯]*Unused name "z"[^╯]*╯[^╯]*$
module m: { val g: i32 -> i32 } = { local def h (x: i32) = x def g (x: i32) = h x }
module f (P: { val k: i32 }) = { def add (k: i32) (x: i32) = let (y, _) = (x, x) in y + k + P.k }
module added = f { def k = 1i32 }
entry main (x: i32) (z: i32) =
  let v = filter (> 1) [x]
  in m.g x + added.add v[0] x
