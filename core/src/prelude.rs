//! The standard library, in the language itself.

use crate::diag::Diagnostic;
use crate::source::SourceMap;
use crate::syntax;
use crate::types::{self, env::Env};
use std::sync::LazyLock;

/// Path and text of each file of the prelude, in the order in which they build on each other; the first holds the types of
/// the intrinsics.
pub const FILES: [(&str, &str); 8] = [
    ("/prelude/intrinsics.fut", include_str!("../prelude/intrinsics.fut")),
    ("/prelude/functional.fut", include_str!("../prelude/functional.fut")),
    ("/prelude/zip.fut", include_str!("../prelude/zip.fut")),
    ("/prelude/soacs.fut", include_str!("../prelude/soacs.fut")),
    ("/prelude/array.fut", include_str!("../prelude/array.fut")),
    ("/prelude/math.fut", include_str!("../prelude/math.fut")),
    ("/prelude/ad.fut", include_str!("../prelude/ad.fut")),
    ("/prelude/prelude.fut", include_str!("../prelude/prelude.fut")),
];

/// Path and text of each library: what is not in every program's environment, but may be imported, as `import "lib/sort"` where no file is of that name, and
/// as `import "/prelude/lib/sort"`.
pub const LIBRARIES: [(&str, &str); 3] = [
    ("/prelude/lib/accelerate.fut", include_str!("../prelude/lib/accelerate.fut")),
    ("/prelude/lib/ad.fut", include_str!("../prelude/lib/ad.fut")),
    ("/prelude/lib/sort.fut", include_str!("../prelude/lib/sort.fut")),
];

/// Path and text of the library that an import names, whatever stands in the importing file's folder.
pub fn library(import: &str) -> Option<(&'static str, &'static str)> {
    let name = import.strip_prefix("/prelude/").unwrap_or(import);
    let named = |path: &str| path.strip_prefix("/prelude/").and_then(|p| p.strip_suffix(".fut")) == Some(name);
    LIBRARIES.into_iter().find(|(path, _)| named(path))
}

/// What every program starts from, checked once in a process: it is a constant. Cloning shares it.
#[derive(Clone, Debug)]
pub struct Prelude {
    /// The environment in which every program is checked.
    pub env: Env,
    /// The files.
    pub sources: SourceMap,
    /// What is wrong with them: nothing, unless the prelude itself is broken.
    pub diagnostics: Vec<Diagnostic>,
}

static PRELUDE: LazyLock<Prelude> = LazyLock::new(checked);

/// The prelude.
pub fn load() -> Prelude {
    PRELUDE.clone()
}

fn checked() -> Prelude {
    let (mut sources, mut diagnostics) = (SourceMap::new(), vec![]);
    let mut parse = |sources: &mut SourceMap, (path, text): (&str, &str)| {
        let file = sources.add(path, text);
        let (ast, errors) = syntax::parse(file, text);
        diagnostics.extend(errors);
        ast
    };
    let [vals, rest @ ..] = FILES;
    let vals = parse(&mut sources, vals);
    let asts: Vec<_> = rest.into_iter().map(|f| (f.0, parse(&mut sources, f))).collect();
    let (mut env, errors) = types::builtin(&vals, &sources);
    diagnostics.extend(errors);
    for (path, ast) in &asts {
        let (next, errors) = types::check_import(path, ast, &env, &sources);
        env = next;
        env.scope = env.scope.open(&env.imports[*path]);
        diagnostics.extend(errors);
    }
    // it is no part of what a program grows to
    env.budget = env.budget.renewed();
    Prelude { env, sources, diagnostics }
}
