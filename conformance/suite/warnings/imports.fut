-- Names that an imported file does not use are warned of, too (0.25.32 warns of the same).
-- ==
-- entry: twice
-- input { 2i64 } output { 4i64 }
-- warning: Unused name "xs".*locals.fut:9:
import "locals"

entry twice (n: i64) = n * 2
