//! What a trace keeps: the set of types whose values are steps of it (van Hus §3; digest 003 §1B.2).

use std::fmt;
use std::str::FromStr;

/// The kinds of values that a trace keeps. Numbers always are; a value of another kind is computed, but leaves no step.
///
/// The closure rule: what is kept is made of what is kept, so that arrays or booleans without numbers, of which the results are made, are no keep-set.
/// Under `vjp` booleans that a derivative passes through (`&&`, `||`, `!`; futhark-compat.md §2.2) count as numbers; with [`Keep::booleans`]
/// comparisons are steps as well. A `select` is the value that it returns, except in a trace that is shown and keeps booleans.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keep {
    /// Whether booleans are steps.
    pub booleans: bool,
    /// Whether an array is one step; else each of its elements is one.
    pub arrays: bool,
}

impl Default for Keep {
    /// Numbers and whole arrays.
    fn default() -> Self {
        Keep { booleans: false, arrays: true }
    }
}

/// `reals`, `reals,booleans`, `reals,arrays`, or all three, in any order.
impl FromStr for Keep {
    type Err = String;
    fn from_str(text: &str) -> Result<Keep, String> {
        let (mut reals, mut keep) = (false, Keep { booleans: false, arrays: false });
        for kind in text.split(',') {
            match kind.trim() {
                "reals" => reals = true,
                "booleans" => keep.booleans = true,
                "arrays" => keep.arrays = true,
                other => return Err(format!("'{other}' is no kind of value: a trace keeps reals, booleans, arrays")),
            }
        }
        if !reals {
            return Err(format!("a trace cannot keep {text} without reals: results and arrays are made of them"));
        }
        Ok(keep)
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("reals")?;
        f.write_str(if self.booleans { ",booleans" } else { "" })?;
        f.write_str(if self.arrays { ",arrays" } else { "" })
    }
}
