//! The standard library's sources.

/// Path and text of each file of the prelude, in the order in which they build on each other; the first holds the types of
/// the intrinsics.
pub const FILES: [(&str, &str); 5] = [
    ("/prelude/intrinsics.fut", include_str!("../prelude/intrinsics.fut")),
    ("/prelude/functional.fut", include_str!("../prelude/functional.fut")),
    ("/prelude/soacs.fut", include_str!("../prelude/soacs.fut")),
    ("/prelude/math.fut", include_str!("../prelude/math.fut")),
    ("/prelude/ad.fut", include_str!("../prelude/ad.fut")),
];
