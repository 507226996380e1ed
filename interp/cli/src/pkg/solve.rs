//! Which version of each package is taken.

// Note [Minimal versions]
// ~~~~~~~~~~~~~~~~~~~~~~~
// Each manifest says of each package that it requires the least version that will do. Of a package that several ask for, the highest of these versions is taken:
// the lowest one that satisfies all, so that what is taken changes only when a manifest does, not when somebody publishes a version. Those asked are the program's
// manifest and those of all versions that a chain of requirements leads to, also of versions that a higher one takes the place of in the end: so the order in
// which manifests are read changes nothing.

use super::manifest::Require;
use super::name::Name;
use semver::Version;
use std::collections::{BTreeMap, BTreeSet};

/// The versions that are taken (Note [Minimal versions]). `requires_of` is what the manifest of a version says; `own` is the program's own package, which is there
/// already when it is asked for.
///
/// # Errors
/// What `requires_of` says.
pub fn solve<E>(
    roots: &[Require],
    own: Option<&Name>,
    mut requires_of: impl FnMut(&Require) -> Result<Vec<Require>, E>,
) -> Result<BTreeMap<Name, Version>, E> {
    let mut taken: BTreeMap<Name, Version> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut open = roots.to_vec();
    while let Some(require) = open.pop() {
        // what commit it is to be is another question, even of a version that is known
        let question = (require.name.clone(), require.version.clone(), require.commit.clone());
        if own == Some(&require.name) || !seen.insert(question) {
            continue;
        }
        open.extend(requires_of(&require)?);
        let version = taken.entry(require.name).or_insert_with(|| require.version.clone());
        if *version < require.version {
            *version = require.version;
        }
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::super::manifest::Manifest;
    use super::*;

    fn requires(text: &str) -> Vec<Require> {
        Manifest::parse(&format!("require {{ {text} }}")).unwrap().requires
    }

    /// What is taken, of manifests by `name version`; one that is missing is the error.
    fn taken(roots: &str, own: Option<&str>, manifests: &[(&str, &str)]) -> Result<Vec<String>, String> {
        let own = own.map(|name| Name::parse(name).unwrap());
        let found = solve(&requires(roots), own.as_ref(), |r| {
            let key = format!("{} {}", r.name, r.version);
            manifests.iter().find(|(k, _)| *k == key).map(|(_, text)| requires(text)).ok_or(key)
        })?;
        Ok(found.into_iter().map(|(name, version)| format!("{name} {version}")).collect())
    }

    #[test]
    fn of_a_diamond_the_highest_of_the_least_is_taken() {
        let manifests = [
            ("a 1.0.0", "d 1.2.0"),
            ("b 1.0.0", "d 1.10.0"),
            ("d 1.2.0", "e 1.0.0"),
            ("d 1.10.0", ""),
            ("e 1.0.0", ""),
        ];
        // 1.10 is more than 1.2, and e is asked for by 1.2
        let expected = Ok(["a 1.0.0", "b 1.0.0", "d 1.10.0", "e 1.0.0"].map(str::to_string).to_vec());
        assert_eq!(taken("a 1.0.0 b 1.0.0", None, &manifests), expected);
        assert_eq!(taken("b 1.0.0 a 1.0.0", None, &manifests), expected);
    }

    #[test]
    fn other_majors_are_other_packages() {
        let manifests = [("a 1.0.0", "d@2 2.0.0"), ("d 1.0.0", ""), ("d@2 2.0.0", "")];
        let expected = Ok(["a 1.0.0", "d 1.0.0", "d@2 2.0.0"].map(str::to_string).to_vec());
        assert_eq!(taken("a 1.0.0 d 1.0.0", None, &manifests), expected);
    }

    #[test]
    fn circles_end_and_the_own_package_is_there() {
        let manifests = [("a 1.0.0", "b 1.0.0 me 3.0.0".replace("3.0.0", "1.0.0")), ("b 1.0.0", "a 1.0.0".to_string())];
        let manifests: Vec<(&str, &str)> = manifests.iter().map(|(k, v)| (*k, v.as_str())).collect();
        let expected = Ok(["a 1.0.0", "b 1.0.0"].map(str::to_string).to_vec());
        assert_eq!(taken("a 1.0.0", Some("me"), &manifests), expected);
        assert_eq!(taken("a 1.0.0", None, &manifests), Err("me 1.0.0".to_string()));
    }
}
