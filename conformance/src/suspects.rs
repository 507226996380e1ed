//! Which constructs are to blame: from the constructs of each case and whether the backend failed it.
//!
//! Fault localisation by spectra: a construct is the more suspect the more of the failed cases have it and the fewer of the passed ones do (Ochiai's
//! coefficient, |failed with it| / √(|failed| · |with it|)). The most suspect is named, the failures that it explains are put aside, and so on for the rest.
//! In the end a suspect whose failures the others explain, too, is none: a construct that a few failed cases have by chance may come before one that often
//! does no harm.

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
    let failed: Vec<&BTreeSet<String>> = cases.iter().filter(|(_, failed)| *failed).map(|(c, _)| *c).collect();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (constructs, failed) in &cases {
        for c in constructs.iter() {
            let (all, bad) = counts.entry(c).or_default();
            *all += 1;
            *bad += usize::from(*failed);
        }
    }
    let mut found: Vec<String> = Vec::new();
    let mut open = failed.clone();
    loop {
        open.retain(|constructs| !constructs.is_empty());
        let explains = |c: &str| open.iter().filter(|constructs| constructs.contains(c)).count();
        let score = |c: &str| explains(c) as f64 / ((open.len() * counts[c].0) as f64).sqrt();
        let candidates = open.iter().flat_map(|constructs| constructs.iter()).collect::<BTreeSet<_>>();
        let Some(best) = candidates.into_iter().max_by(|a, b| score(a).total_cmp(&score(b)).then(b.cmp(a))) else {
            break;
        };
        let best = best.clone();
        open.retain(|constructs| !constructs.contains(&best));
        found.push(best);
    }
    for i in (0..found.len()).rev() {
        let others = |constructs: &BTreeSet<String>| found.iter().any(|c| *c != found[i] && constructs.contains(c));
        if failed.iter().filter(|constructs| constructs.contains(&found[i])).all(|constructs| others(constructs)) {
            found.remove(i);
        }
    }
    let mut open = failed;
    let told = found.into_iter().map(|construct| {
        let (cases, failed) = counts[construct.as_str()];
        let before = open.len();
        open.retain(|constructs| !constructs.contains(&construct));
        Suspect { explains: before - open.len(), construct, failed, cases }
    });
    told.collect()
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
    fn what_others_explain_is_no_suspect() {
        // Map comes first, as two of its three cases fail; but all that fails has Reverse
        let cases = [
            ("Map Reverse", true),
            ("Map Reverse", true),
            ("Map", false),
            ("Reverse Copy", true),
            ("Reverse", true),
            ("Reverse", false),
            ("Reverse Copy", false),
            ("Reverse Copy", false),
            ("Reverse", false),
            ("Reverse", false),
        ];
        assert_eq!(named(&cases), ["Reverse"]);
    }

    #[test]
    fn several_defects_are_several_suspects() {
        let cases = [("A P", true), ("A", true), ("B P", true), ("B", true), ("C", true), ("P", false), ("P Q", false)];
        assert_eq!(named(&cases), ["A", "B", "C"]);
        assert!(named(&[("P", false)]).is_empty() && named(&[("", true)]).is_empty());
    }
}
