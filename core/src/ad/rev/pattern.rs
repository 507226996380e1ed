//! What is known of the Jacobians of a scan's operator before any input is: which of their elements are zero or one, and which are equal, in all their products.
//! With that a derivative's scan carries one element of each class (digest 000 §1.8 and B1, B2: it finds the patterns ZeroQuadrant and MatrixMul, these
//! blocks under any permutation, triangular and Toeplitz matrices).

use super::*;
use crate::analysis::Analyses;
use crate::simplify::simplify;
use std::collections::BTreeMap;
use std::hash::Hash;

// Note [Matrices of one pattern]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The matrices that a scan multiplies are the Jacobians of one operator, the identity, and their products. Elements stand in one class if they are
// equal in each of these. To begin with, elements are in one class if the simplified code of the Jacobian gives one operand for them and they are all on the diagonal or
// all off it, as the identity asks. An element of a product is Σ A[r,k]·B[k,c]: by classes, a multiset of pairs. Where two elements of one class have
// different multisets, the class is split, and what is zero but has a pair of others in its sum is zero no more; until nothing changes, after at most d² rounds.
// Then each product has the pattern if its factors have it. An element is one in all of them if it is so in the Jacobian and in a product one times one.

/// The pattern of d×d matrices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pattern {
    d: usize,
    entries: Vec<Entry>,
    /// Of each class, where its first element stands in row-major order.
    pub(super) first: Vec<usize>,
}

/// What an element is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    Zero,
    One,
    /// One of this class.
    Class(usize),
}

/// The class of the elements that are zero.
const ZERO: usize = 0;

impl Pattern {
    /// The pattern of the matrices whose elements the body gives, in row-major order.
    pub(super) fn of(vars: &mut Vars, body: &Body, d: usize, elem: ScalarType) -> Pattern {
        let operands = simplified(vars, body, elem);
        let (zero, one) = (SubExp::Lit(elem.zero()), SubExp::Lit(elem.one()));
        let is_diagonal = |at: usize| at / d == at % d;
        let mut labels = numbered((0..d * d).map(|at| match (operands[at], is_diagonal(at)) {
            (e, false) if e == zero => None,
            (e, diagonal) => Some((e, diagonal)),
        }));
        loop {
            let refined = numbered((0..d * d).map(|at| {
                let pairs = pairs(&labels, d, at);
                // what is not zero is so in its product with the identity
                (!pairs.is_empty()).then_some((labels[at], pairs))
            }));
            if refined == labels {
                break;
            }
            labels = refined;
        }
        let is_one = |at: usize| operands[at] == one && pairs(&labels, d, at) == [(labels[at], labels[at])];
        let mut first: Vec<usize> = Vec::new();
        let mut entries = Vec::new();
        for at in 0..d * d {
            entries.push(match first.iter().position(|f| labels[*f] == labels[at]) {
                _ if labels[at] == ZERO => Entry::Zero,
                _ if is_one(at) => Entry::One,
                Some(class) => Entry::Class(class),
                None => {
                    first.push(at);
                    Entry::Class(first.len() - 1)
                }
            });
        }
        Pattern { d, entries, first }
    }

    /// How many elements of a matrix are to be known.
    pub(super) fn classes(&self) -> usize {
        self.first.len()
    }

    pub(super) fn entry(&self, row: usize, column: usize) -> Entry {
        self.entries[row * self.d + column]
    }

    /// Of the identity, the element of a class.
    pub(super) fn is_one_in_identity(&self, class: usize) -> bool {
        self.first[class] / self.d == self.first[class] % self.d
    }
}

/// Of what each element of a product is the sum: the classes of the factors' elements.
fn pairs(labels: &[usize], d: usize, at: usize) -> Vec<(usize, usize)> {
    let (row, column) = (at / d, at % d);
    let all = (0..d).map(|k| (labels[row * d + k], labels[k * d + column]));
    let mut pairs: Vec<(usize, usize)> = all.filter(|(a, b)| *a != ZERO && *b != ZERO).collect();
    pairs.sort_unstable();
    pairs
}

/// Numbers in the order of their first occurrence, from 1; [`ZERO`] for `None`.
fn numbered<T: Eq + Hash>(keys: impl Iterator<Item = Option<T>>) -> Vec<usize> {
    let mut known: HashMap<T, usize> = HashMap::default();
    let number = |key: Option<T>| {
        let next = known.len() + 1;
        key.map_or(ZERO, |key| *known.entry(key).or_insert(next))
    };
    keys.map(number).collect()
}

/// The results of a body when it is simplified as a function by itself: equal operands are equal values.
fn simplified(vars: &mut Vars, body: &Body, elem: ScalarType) -> Vec<SubExp> {
    let mut params = BTreeMap::new();
    let mut wanted = free_vars(body);
    while let Some(var) = wanted.pop() {
        let (name, ty) = (vars.name(var).clone(), vars.ty(var).clone());
        // mutant removal: the simplifier does not ask who binds the sizes that types mention
        wanted.extend(free_vars(&ty).into_iter().filter(|v| !params.contains_key(v)));
        // mutant negation: nothing is updated in place in what is simplified
        params.insert(var, FunParam { binder: Binder { var, name, ty }, unique: false });
    }
    // sizes before arrays
    // mutant off by one: the simplifier does not ask for the order of parameters
    let (sizes, others): (Vec<FunParam>, Vec<FunParam>) = params.into_values().partition(|p| p.binder.ty.rank() == 0);
    let results = body.result.iter().map(|_| FunResult { binder: vars.fresh("entry", elem.into()), unique: false });
    let results = results.collect();
    let fun =
        Fun { name: "jacobian".into(), entry: None, params: [sizes, others].concat(), results, body: body.clone() };
    let program = simplify(Program { funs: vec![fun], prov: ProvTable::default() }, &mut Analyses::default());
    program.funs.into_iter().flat_map(|f| f.body.result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classes, and how many elements are zero and one, of a matrix of these letters; `0` and `1` are the numbers.
    fn pattern(rows: &[&str]) -> (usize, usize, usize) {
        let (mut vars, mut letters) = (Vars::of(&Program::default()), HashMap::default());
        let text = rows.concat();
        let result = text.chars().map(|c| match c {
            '0' => SubExp::Lit(Scalar::F64(0.0)),
            '1' => SubExp::Lit(Scalar::F64(1.0)),
            c => SubExp::Var(*letters.entry(c).or_insert_with(|| vars.fresh("x", ScalarType::F64.into()).var)),
        });
        let body = Body { stms: Vec::new(), result: result.collect() };
        let pattern = Pattern::of(&mut vars, &body, rows.len(), ScalarType::F64);
        let count = |entry| pattern.entries.iter().filter(|e| **e == entry).count();
        (pattern.classes(), count(Entry::Zero), count(Entry::One))
    }

    // The numbers of classes are those of digest 000 §1.8 and B1, B2, where they stand.

    #[test]
    fn a_matrix_without_a_pattern_is_known_by_all_elements() {
        assert_eq!(pattern(&["ab", "cd"]), (4, 0, 0));
        assert_eq!(pattern(&["a"]), (1, 0, 0));
        // rows that are equal are not so in products with the identity
        assert_eq!(pattern(&["aa", "aa"]), (2, 0, 0));
    }

    #[test]
    fn zero_quadrants_have_their_blocks() {
        assert_eq!(pattern(&["ab00", "cd00", "00ef", "00gh"]), (8, 8, 0));
        assert_eq!(pattern(&["a00", "0b0", "00c"]), (3, 6, 0));
    }

    #[test]
    fn equal_blocks_are_known_once() {
        assert_eq!(pattern(&["ab00", "cd00", "00ab", "00cd"]), (4, 8, 0));
        assert_eq!(pattern(&["a0", "0a"]), (1, 2, 0));
    }

    #[test]
    fn blocks_are_found_wherever_they_stand() {
        // column-major, and three equal blocks {0, 1}, {2, 4}, {3, 5}: lin_o of 2×2
        assert_eq!(pattern(&["a0b0", "0a0b", "c0d0", "0c0d"]), (4, 8, 0));
        assert_eq!(pattern(&["ab0000", "cd0000", "00a0b0", "000a0b", "00c0d0", "000c0d"]), (4, 24, 0));
    }

    #[test]
    fn what_a_product_fills_is_not_zero() {
        // two steps lead from the first to the third
        assert_eq!(pattern(&["ab0", "0cd", "00e"]), (6, 3, 0));
        // triangular, and Toeplitz: the dual numbers' product
        assert_eq!(pattern(&["ab", "0c"]), (3, 1, 0));
        assert_eq!(pattern(&["ab", "0a"]), (2, 1, 0));
        // a zero on the diagonal is one in the identity
        assert_eq!(pattern(&["0b", "00"]), (2, 1, 0));
    }

    #[test]
    fn ones_that_stay_ones_are_known() {
        assert_eq!(pattern(&["10", "01"]), (0, 2, 2));
        assert_eq!(pattern(&["1a", "0b"]), (2, 1, 1));
        // two ones in a sum are two
        assert_eq!(pattern(&["11", "01"]), (1, 1, 2));
        assert_eq!(pattern(&["1a", "b1"]), (4, 0, 0));
    }
}
