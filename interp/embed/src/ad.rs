//! How the interpreter gets derivatives.

use crate::Error;
use futi_core::ir::visit::{Visit, walk_fun, walk_stm};
use futi_core::ir::{Exp, Program, Stm};
use std::fmt;
use std::str::FromStr;

/// How the interpreter gets derivatives: by what they mean, or by the compiler's rules, as other backends always do.
///
/// Note [Which derivative]: both give the same, but for rounding. By definition, each step of a derivative is recorded, and shown by `#[trace]`; that takes memory in
/// proportion to the run. Transformation keeps much less and takes time before the first call. So what is not told otherwise is by definition where a program shows its
/// steps (`#[trace]`, `#[break]`), where a run is strict, and where its arguments have no more than [`SMALL`] bytes; else it is transformed, unless there is no rule for
/// a construct.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ad {
    /// As the note says.
    #[default]
    Auto,
    /// By dual numbers and traces.
    Definition,
    /// By the compiler's rules.
    Transform,
}

impl FromStr for Ad {
    type Err = Error;

    fn from_str(name: &str) -> Result<Ad, Error> {
        match name {
            "auto" => Ok(Ad::Auto),
            "definition" => Ok(Ad::Definition),
            "transform" => Ok(Ad::Transform),
            _ => Err(Error::arguments(format!("ad is `auto`, `definition` or `transform`, not `{name}`"))),
        }
    }
}

impl fmt::Display for Ad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ad::Auto => "auto",
            Ad::Definition => "definition",
            Ad::Transform => "transform",
        })
    }
}

/// The most bytes of arguments of a small run: Note [Which derivative].
pub const SMALL: usize = 64 << 10;

impl Ad {
    /// Whether a run of the program on so many bytes of arguments has its derivatives transformed.
    pub fn transforms(self, program: &Program, bytes: usize, strict: bool) -> bool {
        let constructs = Constructs::of(program);
        constructs.derivatives
            && match self {
                Ad::Auto => !strict && !constructs.shows && bytes > SMALL,
                Ad::Definition => false,
                Ad::Transform => true,
            }
    }
}

/// What a program has.
#[derive(Default)]
struct Constructs {
    /// Something to differentiate.
    derivatives: bool,
    /// Something that runs show.
    shows: bool,
}

impl Constructs {
    fn of(program: &Program) -> Constructs {
        let mut constructs = Constructs::default();
        program.funs.iter().for_each(|fun| walk_fun(&mut constructs, fun));
        constructs
    }
}

impl Visit for Constructs {
    fn stm(&mut self, stm: &Stm) {
        self.derivatives |= matches!(stm.exp, Exp::Jvp(_) | Exp::Vjp(_));
        let shows = |text: &str| text.starts_with("trace ") || text.starts_with("break ");
        self.shows |= stm.attrs.iter().any(|attr| shows(attr.name.as_str()));
        walk_stm(self, stm);
    }
}
