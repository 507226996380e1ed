//! Which constructs are to blame: from the constructs of each case and whether the backend failed it.
//!
//! Fault localisation by spectra: a construct is the more suspect the more of the failed cases have it and the fewer of the passed ones do (Ochiai's
//! coefficient, |failed with it| / √(|failed| · |with it|)). The most suspect is named, the failures that it explains are put aside, and so on for the rest.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A construct that may be to blame.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Suspect {
    /// Its name: a kind of IR node or a scalar operator.
    pub construct: String,
    /// How many failed cases that no earlier suspect explains have it.
    pub explains: usize,
    /// How many cases that have it failed, of so many.
    pub failed: usize,
    /// How many cases have it.
    pub cases: usize,
}

/// The suspects, the likeliest first; together they explain every failed case that has constructs at all.
pub fn suspects<'a>(cases: impl IntoIterator<Item = (&'a BTreeSet<String>, bool)>) -> Vec<Suspect> {
    let cases: Vec<_> = cases.into_iter().collect();
    let mut open: Vec<&BTreeSet<String>> = cases.iter().filter(|(_, failed)| *failed).map(|(c, _)| *c).collect();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (constructs, failed) in &cases {
        for c in constructs.iter() {
            let (all, bad) = counts.entry(c).or_default();
            *all += 1;
            *bad += usize::from(*failed);
        }
    }
    let mut found = Vec::new();
    loop {
        open.retain(|constructs| !constructs.is_empty());
        let explains = |c: &str| open.iter().filter(|constructs| constructs.contains(c)).count();
        let score = |c: &str| explains(c) as f64 / ((open.len() * counts[c].0) as f64).sqrt();
        let candidates = open.iter().flat_map(|constructs| constructs.iter()).collect::<BTreeSet<_>>();
        let Some(best) = candidates.into_iter().max_by(|a, b| score(a).total_cmp(&score(b)).then(b.cmp(a))) else {
            return found;
        };
        let (all, bad) = counts[best.as_str()];
        found.push(Suspect { construct: best.clone(), explains: explains(best), failed: bad, cases: all });
        let best = best.clone();
        open.retain(|constructs| !constructs.contains(&best));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(cases: &[(&str, bool)]) -> Vec<String> {
        let sets: Vec<(BTreeSet<String>, bool)> =
            cases.iter().map(|(c, failed)| (c.split_whitespace().map(str::to_string).collect(), *failed)).collect();
        suspects(sets.iter().map(|(c, failed)| (c, *failed))).into_iter().map(|s| s.construct).collect()
    }

    #[test]
    fn the_construct_that_failures_share_and_passes_do_not() {
        // Prim is everywhere, Reverse where it fails
        assert_eq!(
            named(&[("Prim Map", false), ("Prim Reverse", true), ("Prim Map Reverse", true), ("Prim", false)]),
            ["Reverse"]
        );
    }

    #[test]
    fn a_defect_that_does_not_always_show_is_still_blamed() {
        // one Reverse passes (a palindrome); Copy stands in a failed case by chance
        let cases =
            [("Reverse", false), ("Reverse Prim", true), ("Reverse Copy", true), ("Prim", false), ("Copy", false)];
        assert_eq!(named(&cases), ["Reverse"]);
    }

    #[test]
    fn several_defects_are_several_suspects() {
        let cases = [("A P", true), ("A", true), ("B P", true), ("B", true), ("C", true), ("P", false), ("P Q", false)];
        assert_eq!(named(&cases), ["A", "B", "C"]);
        assert!(named(&[("P", false)]).is_empty() && named(&[("", true)]).is_empty());
    }
}
