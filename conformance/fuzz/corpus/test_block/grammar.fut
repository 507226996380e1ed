-- Everything that a test block may have.
-- ==
-- tags { slow no_opencl }
-- entry: a b
-- "named" nobench input { 1 2.5f32 [true, false] } output { empty([0][3]i64) }
-- compiled input @ data/in.dat output @ data/out.dat
-- random input { [10]f32 i64 5i32 } auto output
-- script input { $loaddata "x" } error: Index .*
-- input { -1 } error:
-- structure gpu { Screma 1 Loop/Map 2 }
-- warning: unused
entry a (x: i32) = x

-- ==
-- property: p
-- ==
-- error: (a|b)*[^c]\.
