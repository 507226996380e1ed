-- Not loaded yet: parts of the prelude that the checker has no words for. Each says what it waits for; it then goes to the file that it names, and this file away.


-- Accumulators, when there is their type, built in as `intrinsics.acc 't`, where 't is an array. A value of it is a `Val::Leaf` with a variable of `ir::Type::Acc`, whose
-- shape is not known before: where lowering makes binders from a `Shape` (branches, loops, functions of the IR), those of an accumulator take the type of the
-- value that they bind, and a function with an accumulator among its parameters is inlined. `Shape` of it has one leaf. To intrinsics.fut; the lowering is there:
-- val scatter_stream [k][n] 'a 'b : (dest: *[k]a) -> (f: *acc ([k]a) -> b -> acc ([k]a)) -> (bs: [n]b) -> *[k]a
-- val hist_stream [k][n] 'a 'b : (dest: *[k]a) -> (op: a -> a -> a) -> (ne: a) -> (f: *acc ([k]a) -> b -> acc ([k]a)) -> (bs: [n]b) -> *[k]a
-- val acc_write [n] 'a : (acc: *acc ([n]a)) -> (i: i64) -> (v: a) -> *acc ([n]a)
--
-- and to soacs.fut:

-- | An array that is being written: what stands there cannot be seen meanwhile.
type~ acc 't = intrinsics.acc t

-- | The accumulator with `v` written at position `i`, or combined with what stands there. Out of range nothing happens.
def write [n] 'a (acc: *acc ([n]a)) (i: i64) (v: a) : *acc ([n]a) = intrinsics.acc_write acc i v

-- | The array `dest` after `f` has written to it for each element of `bs`, in parallel. What is written twice is any of its values.
def scatter_stream 'a 'b [k] [n] (dest: *[k]a) (f: *acc ([k]a) -> b -> acc ([k]a)) (bs: [n]b) : *[k]a =
  intrinsics.scatter_stream dest f bs

-- | The same, but what is written is combined with what stands there by `op`, which is associative and commutative, and has the neutral element `ne`.
def reduce_by_index_stream 'a 'b [k] [n] (dest: *[k]a) (op: a -> a -> a) (ne: a)
                           (f: *acc ([k]a) -> b -> acc ([k]a)) (bs: [n]b) : *[k]a =
  intrinsics.hist_stream dest op ne f bs
