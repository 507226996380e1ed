//! Precedence of operators. An operator of the user's own has the precedence of the built-in one that it begins with
//! (Futhark language reference, "Resolving ambiguities"; the order of the loosest three was checked against Futhark 0.25.32).

/// The levels, loosest first; all associate to the left except those that begin with `<|`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// `` `f` ``
    Backtick,
    /// `|>`
    PipeRight,
    /// `<|`, to the right
    PipeLeft,
    /// `||`
    Or,
    /// `&&`
    And,
    /// `== != < <= > >=`
    Compare,
    /// `& ^ |`
    Bits,
    /// `<< >>`
    Shift,
    /// `+ -`
    Sum,
    /// `* / % // %%`
    Product,
    /// `**`
    Power,
}

/// The level of an operator by its first characters; the longest prefix counts.
pub fn level(op: &str) -> Level {
    const PREFIXES: [(&str, Level); 22] = [
        ("|>", Level::PipeRight),
        ("<|", Level::PipeLeft),
        ("||", Level::Or),
        ("&&", Level::And),
        ("<=", Level::Compare),
        (">=", Level::Compare),
        ("==", Level::Compare),
        ("!=", Level::Compare),
        ("<<", Level::Shift),
        (">>", Level::Shift),
        ("**", Level::Power),
        ("<", Level::Compare),
        (">", Level::Compare),
        ("=", Level::Compare),
        ("!", Level::Compare),
        ("&", Level::Bits),
        ("^", Level::Bits),
        ("|", Level::Bits),
        ("+", Level::Sum),
        ("-", Level::Sum),
        ("*", Level::Product),
        ("/", Level::Product),
    ];
    PREFIXES.iter().find(|(p, _)| op.starts_with(p)).map_or(Level::Product, |(_, level)| *level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_decides() {
        assert_eq!(level("**"), Level::Power);
        assert_eq!(level("*+"), Level::Product);
        assert_eq!(level("%%"), Level::Product);
        assert_eq!(level("<-<"), Level::Compare);
        assert_eq!(level(">->"), Level::Compare);
        assert_eq!(level("|"), Level::Bits);
        assert_eq!(level("||."), Level::Or);
        assert_eq!(level("^^"), Level::Bits);
    }
}
