-- Records agree only if their fields do, and what differs is named. 0.25.32 rejects it too.
-- ==
-- error: Unshared fields: size, weight\.
def heaviest (p: {name: i64, size: i64}): {name: i64, weight: i64} = p
entry main (n: i64) = (heaviest {name = 1, size = n}).name
