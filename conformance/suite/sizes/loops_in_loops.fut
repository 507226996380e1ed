-- Loops around loops whose arrays begin with another size than the one that the body gives: what is around a loop is not the loop's to choose. Futhark 0.25.32 takes all
-- of these, and gives the same.

-- ==
-- entry: carried_named carried carried_computed carried_copied carried_bound carried_in_a_branch
-- input { [1i64, 2i64, 3i64, 4i64] 2i64 } output { [0i64, 1i64] }
-- input { empty([0]i64) 1i64 } output { [0i64] }
entry carried_named [n] (ns: [n]i64) (k: i64) = loop (a: []i64) = iota k for _i < 2 do loop (_b: []i64) = ns for _j < 4 do a

entry carried (ns: []i64) (k: i64) : []i64 = loop (a: []i64) = iota k for _i < 2 do loop (_b: []i64) = ns for _j < 4 do a

entry carried_computed (ns: []i64) (k: i64) : []i64 =
  let longer = loop (a: []i64) = iota k ++ [7] for _i < 2 do loop (_b: []i64) = ns for _j < 4 do a
  in longer[:k]

entry carried_copied (ns: []i64) (k: i64) : []i64 = loop (a: []i64) = iota k for _i < 2 do loop (_b: []i64) = ns for _j < 4 do copy a

entry carried_bound (ns: []i64) (k: i64) : []i64 =
  loop (a: []i64) = iota k for _i < 2 do
    let c = loop (_b: []i64) = ns for _j < 4 do a
    in c

entry carried_in_a_branch (ns: []i64) (k: i64) : []i64 =
  loop (a: []i64) = iota k for _i < 2 do if k > 1 then loop (_b: []i64) = ns for _j < 4 do a else a

-- ==
-- entry: longer
-- input { [1i64, 2i64] } output { [1i64, 2i64, 1i64] }
entry longer (ns: []i64) : []i64 = loop (a: []i64) = ns ++ [1] for _i < 2 do loop (_b: []i64) = ns for _j < 4 do a

-- ==
-- entry: while_within
-- input { [1i64, 2i64, 3i64, 4i64] } output { 10i64 }
entry while_within (ns: []i64) : i64 =
  i64.sum (loop (a: []i64) = ns[::2] for _i < 2 do (loop (_b: []i64, w) = (a, 0) while w < 4 do (ns, w + 1)).0)

-- ==
-- entry: of_another
-- input { [1i64, 2i64, 3i64, 4i64] [5i64, 6i64] } output { [1i64, 2i64, 3i64, 4i64] }
entry of_another (ns: []i64) (ms: []i64) : []i64 = loop (_a: []i64) = ms for _i < 2 do ns

def given (ns: []i64) (k: i64) = loop (_a: []i64) = iota k for _i < 2 do ns

-- ==
-- entry: given_in_a_call
-- input { [1i64, 2i64, 3i64, 4i64] 2i64 } output { [1i64, 2i64, 3i64, 4i64] }
entry given_in_a_call [n] (ns: [n]i64) (k: i64) = given ns k
