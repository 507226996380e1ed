-- Derivatives under the names that JAX has for them. What takes a function of `a` takes one of any tuple of arrays: its gradient has the shape of its argument.
-- For numbers of type f32, the names that end in `_f32`, for dense and for sparse matrices.

import "/prelude/lib/sort"

-- The unit vectors.
local def units (n: i64) : *[n][n]f64 = tabulate_2d n n (\i j -> f64.bool (i == j))
local def units_f32 (n: i64) : *[n][n]f32 = tabulate_2d n n (\i j -> f32.bool (i == j))

-- | The gradient.
def grad 'a (f: a -> f64) (x: a) : a = vjp f x 1
def grad_f32 'a (f: a -> f32) (x: a) : a = vjp f x 1

-- | The value, and the gradient.
def value_and_grad 'a (f: a -> f64) (x: a) : (f64, a) = vjp2 f x 1
def value_and_grad_f32 'a (f: a -> f32) (x: a) : (f32, a) = vjp2 f x 1

-- | The derivative of a function of one number.
def derivative 'b (f: f64 -> b) (x: f64) : b = jvp f x 1
def derivative_f32 'b (f: f32 -> b) (x: f32) : b = jvp f x 1

-- | The Jacobian by forward mode: row i is the gradient of component i. For functions with more results than arguments.
def jacfwd [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : [m][n]f64 = transpose (jmp f x (units n))
def jacfwd_f32 [n][m] (f: [n]f32 -> [m]f32) (x: [n]f32) : [m][n]f32 = transpose (jmp f x (units_f32 n))

-- | The Jacobian by forward mode, of any result: element j is its derivative with respect to argument j.
def partials [n] 'b (f: [n]f64 -> b) (x: [n]f64) : [n]b = jmp f x (units n)
def partials_f32 [n] 'b (f: [n]f32 -> b) (x: [n]f32) : [n]b = jmp f x (units_f32 n)

-- | The Jacobian by reverse mode, of any argument: element i is the gradient of component i. For functions with more arguments than results.
def jacrev [m] 'a (f: a -> [m]f64) (x: a) : [m]a = mjp f x (units m)
def jacrev_f32 [m] 'a (f: a -> [m]f32) (x: a) : [m]a = mjp f x (units_f32 m)

-- | The matrix of second derivatives: forward mode over reverse mode.
def hessian [n] (f: [n]f64 -> f64) (x: [n]f64) : [n][n]f64 = partials (grad f) x
def hessian_f32 [n] (f: [n]f32 -> f32) (x: [n]f32) : [n][n]f32 = partials_f32 (grad_f32 f) x

-- | The matrix of second derivatives, times a vector, without the matrix.
def hvp 'a (f: a -> f64) (x: a) (v: a) : a = jvp (grad f) x v
def hvp_f32 'a (f: a -> f32) (x: a) (v: a) : a = jvp (grad_f32 f) x v

-- | Zeros, as many as `x` has numbers.
def zeros_like 'a (x: a) : a = vjp (\_ -> 0f64) x 1

-- | Its argument, which has no derivative here.
def stop_gradient 'a (x: a) : a = with_jvp (\x -> x) (\x _ -> zeros_like x) x

-- Sparse matrices of derivatives. The pattern, where they may be other than zero, is found once; then its columns, or rows, are coloured: those of one
-- colour meet in no row, so one direction serves them all, and a Jacobian with a few elements in each row takes a few directions instead of one for each argument.

-- | A pattern of m rows: the columns of the elements of row i, upwards, are `columns[offsets[i]:offsets[i+1]]`. The values are an array beside it, in that order.
type csr [m][k] = {offsets: [m+1]i64, columns: [k]i64}

-- How many bits the numbers up to n have.
local def bits (n: i64) : i32 = i64.num_bits - i64.clz n

-- The row of each element.
local def rows [m][k] (p: csr [m][k]) : [k]i64 =
  map (\i -> i - 1) (scan (+) 0 (reduce_by_index (replicate k 0) (+) 0 p.offsets (map (const 1) p.offsets)))

-- The pattern with the elements `row * n + column`.
local def csr_of [k] (m: i64) (n: i64) (elements: [k]i64) : csr [m][k] =
  let sorted = radix_sort (bits (m * n)) i64.get_bit elements
  let ends = map (\e -> 1 + e / n) sorted
  in {offsets = scan (+) 0 (reduce_by_index (replicate (m + 1) 0) (+) 0 ends (map (const 1) ends)), columns = map (% n) sorted}

-- | The pattern of a matrix of truth values.
def to_csr [m][n] (p: [m][n]bool) : ?[k].csr [m][k] = csr_of m n (filter (\e -> p[e / n, e % n]) (iota (m * n)))

-- | The matrix with n columns that has the values where the pattern says, else `zero`.
def of_csr 't [m][k] (n: i64) (zero: t) (p: csr [m][k]) (values: [k]t) : [m][n]t =
  scatter_2d (replicate m (replicate n zero)) (zip (rows p) p.columns) values

-- | The pattern of the transposed matrix; this one has n columns.
def transpose_csr [m][k] (n: i64) (p: csr [m][k]) : csr [n][k] = csr_of n m (map2 (\i j -> j * m + i) (rows p) p.columns)

-- Colours for the columns of a matrix with m rows, whose transposed pattern is `p`: each colour in turn takes what columns it can, those with many elements first. A
-- column needs its elements for itself: where one is, no other column of its colour may have any. In a symmetric matrix it does not need those in rows whose own
-- columns have earlier colours: there they are known.
local def coloured [n][k] (symmetric: bool) (m: i64) (p: csr [n][k]) : [n]i64 =
  let order = sort_by_key (\j -> m - (p.offsets[j+1] - p.offsets[j])) radix_sort (bits m) i64.get_bit (iota n)
  let (colours, _) =
    loop (colours, c) = (replicate n (-1), 0) while any (< 0) colours do
      let (colours, _, _) =
        loop (colours, used, needed) = (colours, replicate m false, replicate m false) for j in order do
          let rows = p.columns[p.offsets[j]:p.offsets[j+1]]
          let needs = map (\i -> not symmetric || colours[i] < 0 || colours[i] == c) rows
          in if colours[j] >= 0 || or (map2 (\i need -> needed[i] || need && used[i]) rows needs)
             then (colours, used, needed)
             else ( colours with [j] = c
                  , scatter used rows (map (const true) rows)
                  , scatter needed (map2 (\i need -> if need then i else -1) rows needs) (map (const true) rows) )
      in (colours, c + 1)
  in colours

-- | A colour for each of the n columns, from 0: no two columns of one colour have elements in the same row.
def colour_columns [m][k] (n: i64) (p: csr [m][k]) : [n]i64 = coloured false m (transpose_csr n p)

-- | A colour for each row: no two rows of one colour have elements in the same of the n columns.
def colour_rows [m][k] (n: i64) (p: csr [m][k]) : [m]i64 = coloured false n p

-- | A colour for each column of a symmetric matrix: of each element, it or its mirror image is alone in its row among its colour. An arrow takes two.
def colour_symmetric [n][k] (p: csr [n][k]) : [n]i64 = coloured true n p

-- | How many colours there are.
def num_colours [n] (colours: [n]i64) : i64 = 1 + reduce i64.max (-1) colours

-- Once for all types of numbers; what each definition does is said below, at the names that are seen from outside.
local module sparse (R: real) = {
  local def grad [n] (f: [n]R.t -> R.t) (x: [n]R.t) : [n]R.t = vjp f x (R.i64 1)

  -- For each colour, the sum of its unit vectors.
  local def coloured_units [n] (colours: [n]i64) : [][n]R.t =
    tabulate_2d (num_colours colours) n (\c j -> R.bool (colours[j] == c))

  def sparsity_csr [n][m] (f: [n]R.t -> [m]R.t) (x: [n]R.t) : ?[k].csr [m][k] =
    let all = loop size = 8 while size < n do 8 * size
    let (_, elements) =
      loop (size, elements) = (all, if n == 0 then [] else iota m) while size > 1 do
        let groups = (n + size - 1) / size
        let (part, parts) = (size / 8, (8 * n + size - 1) / size)
        let p = csr_of m groups elements
        let colours = colour_columns groups p
        let tried = flatten (map2 (\i g -> tabulate 8 (\h -> (i, 8 * g + h, 8 * colours[g] + h))) (rows p) p.columns)
        let directions = 8 * num_colours colours
        let found =
          loop found = [] for b < (directions + 63) / 64 do
            let among c j = 8 * colours[j / size] + j / part % 8 == 64 * b + c
            let tangents = jmp f x (tabulate_2d (i64.min 64 (directions - 64 * b)) n (\c j -> if among c j then R.nan else R.i64 0))
            in found ++ filter (\(i, g, c) -> c / 64 == b && g < parts && tangents[c % 64, i] R.!= R.i64 0) tried
        in (part, map (\(i, g, _) -> i * parts + g) found)
    in csr_of m n elements

  def sparsity [n][m] (f: [n]R.t -> [m]R.t) (x: [n]R.t) : [m][n]bool =
    let p = sparsity_csr f x
    in of_csr n false p (map (const true) p.columns)

  def sparse_jacfwd [n][m][k] (f: [n]R.t -> [m]R.t) (p: csr [m][k]) (colours: [n]i64) (x: [n]R.t) : [k]R.t =
    let tangents = jmp f x (coloured_units colours)
    in map2 (\i j -> tangents[colours[j], i]) (rows p) p.columns

  def sparse_jacrev [n][m][k] (f: [n]R.t -> [m]R.t) (p: csr [m][k]) (colours: [m]i64) (x: [n]R.t) : [k]R.t =
    let adjoints = mjp f x (coloured_units colours)
    in map2 (\i j -> adjoints[colours[i], j]) (rows p) p.columns

  def sparse_jacobian [n][m][k] (f: [n]R.t -> [m]R.t) (p: csr [m][k]) (x: [n]R.t) : [k]R.t =
    let (columns, rows) = (colour_columns n p, colour_rows n p)
    in if num_colours rows < num_colours columns then sparse_jacrev f p rows x else sparse_jacfwd f p columns x

  def hessian_sparsity_csr [n] (f: [n]R.t -> R.t) (x: [n]R.t) : ?[k].csr [n][k] =
    let p = sparsity_csr (grad f) x
    let elements = radix_sort (bits (n * n)) i64.get_bit (map2 (\i j -> i * n + j) (rows p ++ p.columns) (p.columns ++ rows p))
    in csr_of n n (map (\e -> elements[e]) (filter (\e -> e == 0 || elements[e-1] != elements[e]) (indices elements)))

  def sparse_hessian [n][k] (f: [n]R.t -> R.t) (p: csr [n][k]) (colours: [n]i64) (x: [n]R.t) : [k]R.t =
    let tangents = jmp (grad f) x (coloured_units colours)
    in map2 (\i j -> if colours[j] <= colours[i] then tangents[colours[j], i] else tangents[colours[i], j]) (rows p) p.columns
}

local module sparse_f64 = sparse f64
local module sparse_f32 = sparse f32

-- | The pattern of the Jacobian. The tangent NaN of an argument reaches what depends on it, since 0 times NaN is NaN: a partial that only happens to be zero is in the
-- pattern, and so is that of x - x, or of what is multiplied by a constant 0. But branches, `min`, `max` and indices are those taken at `x`: where others may be, unite
-- the patterns at several points (`sparsity`, `to_csr`). What goes through integers or truth values may be missed. Where values are not finite, whole rows may be in
-- the pattern.
--
-- The arguments are tried in groups, each of which is then parted in eight. Groups of one colour are tried at once, up to 64 directions at a time: for a banded matrix
-- the number of directions grows with the logarithm of n, and for no matrix is it much above n.
def sparsity_csr [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : ?[k].csr [m][k] = sparse_f64.sparsity_csr f x
def sparsity_csr_f32 [n][m] (f: [n]f32 -> [m]f32) (x: [n]f32) : ?[k].csr [m][k] = sparse_f32.sparsity_csr f x

-- | The same as a matrix.
def sparsity [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : [m][n]bool = sparse_f64.sparsity f x
def sparsity_f32 [n][m] (f: [n]f32 -> [m]f32) (x: [n]f32) : [m][n]bool = sparse_f32.sparsity f x

-- | The values of the Jacobian by forward mode, with the pattern and the colours of its columns.
def sparse_jacfwd [n][m][k] (f: [n]f64 -> [m]f64) (p: csr [m][k]) (colours: [n]i64) (x: [n]f64) : [k]f64 = sparse_f64.sparse_jacfwd f p colours x
def sparse_jacfwd_f32 [n][m][k] (f: [n]f32 -> [m]f32) (p: csr [m][k]) (colours: [n]i64) (x: [n]f32) : [k]f32 = sparse_f32.sparse_jacfwd f p colours x

-- | The values of the Jacobian by reverse mode, with the pattern and the colours of its rows.
def sparse_jacrev [n][m][k] (f: [n]f64 -> [m]f64) (p: csr [m][k]) (colours: [m]i64) (x: [n]f64) : [k]f64 = sparse_f64.sparse_jacrev f p colours x
def sparse_jacrev_f32 [n][m][k] (f: [n]f32 -> [m]f32) (p: csr [m][k]) (colours: [m]i64) (x: [n]f32) : [k]f32 = sparse_f32.sparse_jacrev f p colours x

-- | The values of the Jacobian with this pattern, by the mode that takes fewer colours. Colouring is sequential: at many points, do it once, with one of the above.
def sparse_jacobian [n][m][k] (f: [n]f64 -> [m]f64) (p: csr [m][k]) (x: [n]f64) : [k]f64 = sparse_f64.sparse_jacobian f p x
def sparse_jacobian_f32 [n][m][k] (f: [n]f32 -> [m]f32) (p: csr [m][k]) (x: [n]f32) : [k]f32 = sparse_f32.sparse_jacobian f p x

-- | The pattern of the matrix of second derivatives, as `sparsity_csr` finds that of the gradient, and what mirrors it.
def hessian_sparsity_csr [n] (f: [n]f64 -> f64) (x: [n]f64) : ?[k].csr [n][k] = sparse_f64.hessian_sparsity_csr f x
def hessian_sparsity_csr_f32 [n] (f: [n]f32 -> f32) (x: [n]f32) : ?[k].csr [n][k] = sparse_f32.hessian_sparsity_csr f x

-- | The values of the matrix of second derivatives, with its pattern and the colours that `colour_symmetric` gives it.
def sparse_hessian [n][k] (f: [n]f64 -> f64) (p: csr [n][k]) (colours: [n]i64) (x: [n]f64) : [k]f64 = sparse_f64.sparse_hessian f p colours x
def sparse_hessian_f32 [n][k] (f: [n]f32 -> f32) (p: csr [n][k]) (colours: [n]i64) (x: [n]f32) : [k]f32 = sparse_f32.sparse_hessian f p colours x
