-- Slices and replications of four dimensions by every pattern: element [i, j, k, p] of the larger array is 1000 i + 100 j + 10 k + p, with sizes 2, 3, 4, 5. Each expectation is
-- that formula with the number of the pattern's `n` in its place; a replicated array does not depend on the index of an `n`.
-- ==
-- entry: slices
-- input { } output { true }
import "/prelude/lib/accelerate"

def at (i: i64) (j: i64) (k: i64) (p: i64) : i64 = 1000 * i + 100 * j + 10 * k + p

def xs : [2][3][4][5]i64 =
  tabulate 2 (\i -> tabulate_3d 3 4 5 (at i))

entry slices : bool =
  slice_aaan 4 xs == tabulate_3d 2 3 4 (\i j k -> at i j k 4)
  && slice_aana 3 xs == tabulate_3d 2 3 5 (\i j p -> at i j 3 p)
  && slice_aann 3 4 xs == tabulate_2d 2 3 (\i j -> at i j 3 4)
  && slice_anaa 2 xs == tabulate_3d 2 4 5 (\i k p -> at i 2 k p)
  && slice_anan 2 4 xs == tabulate_2d 2 4 (\i k -> at i 2 k 4)
  && slice_anna 2 3 xs == tabulate_2d 2 5 (\i p -> at i 2 3 p)
  && slice_annn 2 3 4 xs == tabulate 2 (\i -> at i 2 3 4)
  && slice_naaa 1 xs == tabulate_3d 3 4 5 (\j k p -> at 1 j k p)
  && slice_naan 1 4 xs == tabulate_2d 3 4 (\j k -> at 1 j k 4)
  && slice_nana 1 3 xs == tabulate_2d 3 5 (\j p -> at 1 j 3 p)
  && slice_nann 1 3 4 xs == tabulate 3 (\j -> at 1 j 3 4)
  && slice_nnaa 1 2 xs == tabulate_2d 4 5 (\k p -> at 1 2 k p)
  && slice_nnan 1 2 4 xs == tabulate 4 (\k -> at 1 2 k 4)
  && slice_nnna 1 2 3 xs == tabulate 5 (\p -> at 1 2 3 p)
  && slice_nnnn 1 2 3 4 xs == at 1 2 3 4

-- ==
-- entry: replications
-- input { } output { true }
entry replications : bool =
  replicate_aaan 5 (tabulate_3d 2 3 4 (\i j k -> at i j k 0)) == tabulate 2 (\i -> tabulate_3d 3 4 5 (\j k _p -> at i j k 0))
  && replicate_aana 4 (tabulate_3d 2 3 5 (\i j p -> at i j 0 p)) == tabulate 2 (\i -> tabulate_3d 3 4 5 (\j _k p -> at i j 0 p))
  && replicate_aann 4 5 (tabulate_2d 2 3 (\i j -> at i j 0 0)) == tabulate 2 (\i -> tabulate_3d 3 4 5 (\j _k _p -> at i j 0 0))
  && replicate_anaa 3 (tabulate_3d 2 4 5 (\i k p -> at i 0 k p)) == tabulate 2 (\i -> tabulate_3d 3 4 5 (\_j k p -> at i 0 k p))
  && replicate_anan 3 5 (tabulate_2d 2 4 (\i k -> at i 0 k 0)) == tabulate 2 (\i -> tabulate_3d 3 4 5 (\_j k _p -> at i 0 k 0))
  && replicate_anna 3 4 (tabulate_2d 2 5 (\i p -> at i 0 0 p)) == tabulate 2 (\i -> tabulate_3d 3 4 5 (\_j _k p -> at i 0 0 p))
  && replicate_annn 3 4 5 (tabulate 2 (\i -> at i 0 0 0)) == tabulate 2 (\i -> tabulate_3d 3 4 5 (\_j _k _p -> at i 0 0 0))
  && replicate_naaa 2 (tabulate_3d 3 4 5 (\j k p -> at 0 j k p)) == tabulate 2 (\_i -> tabulate_3d 3 4 5 (\j k p -> at 0 j k p))
  && replicate_naan 2 5 (tabulate_2d 3 4 (\j k -> at 0 j k 0)) == tabulate 2 (\_i -> tabulate_3d 3 4 5 (\j k _p -> at 0 j k 0))
  && replicate_nana 2 4 (tabulate_2d 3 5 (\j p -> at 0 j 0 p)) == tabulate 2 (\_i -> tabulate_3d 3 4 5 (\j _k p -> at 0 j 0 p))
  && replicate_nann 2 4 5 (tabulate 3 (\j -> at 0 j 0 0)) == tabulate 2 (\_i -> tabulate_3d 3 4 5 (\j _k _p -> at 0 j 0 0))
  && replicate_nnaa 2 3 (tabulate_2d 4 5 (\k p -> at 0 0 k p)) == tabulate 2 (\_i -> tabulate_3d 3 4 5 (\_j k p -> at 0 0 k p))
  && replicate_nnan 2 3 5 (tabulate 4 (\k -> at 0 0 k 0)) == tabulate 2 (\_i -> tabulate_3d 3 4 5 (\_j k _p -> at 0 0 k 0))
  && replicate_nnna 2 3 4 (tabulate 5 (\p -> at 0 0 0 p)) == tabulate 2 (\_i -> tabulate_3d 3 4 5 (\_j _k p -> at 0 0 0 p))
  && replicate_nnnn 2 3 4 5 (at 0 0 0 0) == tabulate 2 (\_i -> tabulate_3d 3 4 5 (\_j _k _p -> at 0 0 0 0))
