//! What a dataset consists of: the arguments, which are written to files for servers to read, and the results that are expected.

use super::side::{Arguments, How, Until, call};
use crate::load::Loaded;
use futi_conformance::data::{self, Folder};
use futi_conformance::dataset::SEED;
use futi_conformance::futhark::Server;
use futi_conformance::input;
use futi_conformance::script::Scope;
use futi_conformance::spec::{Expect, TestCase};
use futi_core::entry;
use futi_core::failure::{FailureKind, RuntimeError};
use futi_core::ir::Fun;
use futi_core::value::{Value, binary};
use std::path::Path;

/// The arguments of a dataset, for servers of Futi and for others, which differ where there are units: of those others know nothing.
pub struct Files {
    /// For servers of Futi.
    pub own: Arguments,
    /// For others.
    pub other: Arguments,
}

/// Where a program and its data are.
pub struct Place<'a> {
    /// The program, compiled.
    pub loaded: &'a Loaded,
    /// Its path.
    pub path: &'a Path,
    /// Whether files outside of its folder may be named.
    pub outside: bool,
}

impl Place<'_> {
    /// The entry point of that name.
    pub fn fun(&self, entry: &str) -> Result<&Fun, String> {
        self.loaded.entry(entry).map_err(|e| e.text())
    }

    fn folder(&self) -> Folder<'_> {
        Folder::of(self.path, self.outside)
    }

    /// Writes the arguments of a case to files of a folder. Scripts call entry points through a server, which is started for the first of them.
    pub fn arguments(
        &self,
        entry: &str,
        case: &TestCase,
        how: &How,
        until: &Until,
        folder: &Path,
    ) -> Result<Files, String> {
        let fun = self.fun(entry)?;
        let mut server: Option<Server> = None;
        let mut scripted = |name: &str, args: Vec<Value>| -> Result<Vec<Value>, String> {
            let sizes = self.fun(name)?.entry.as_ref().map_or(0, |sig| sig.sizes);
            let server = match &mut server {
                Some(server) => server,
                none => none.insert(how.start()?),
            };
            call(server, until, name, args.get(sizes..).unwrap_or_default())
        };
        let call = &mut |name: &str, args: Vec<Value>| {
            scripted(name, args).map_err(|what| RuntimeError::new(FailureKind::Device, what))
        };
        let mut scope = Scope { program: &self.loaded.program, call, folder: self.folder() };
        let values = input::values(&case.input, fun, &mut scope, SEED)?;
        let leaves = entry::arguments(fun, values.clone()).map_err(|e| e.message)?;
        let sizes = fun.entry.as_ref().map_or(0, |sig| sig.sizes);
        let leaves = leaves.get(sizes..).unwrap_or_default();
        let own = written(&folder.join("own.in"), leaves)?;
        let other =
            if leaves.len() == values.len() { own.clone() } else { written(&folder.join("other.in"), &values)? };
        Ok(Files { own, other })
    }

    /// The results that are expected, if they are written down: of a file they take the types of those that have come.
    pub fn expected(&self, case: &TestCase, got: &[Value]) -> Result<Option<Vec<Value>>, String> {
        match &case.expect {
            Expect::Values(values) => Ok(Some(values.clone())),
            Expect::File(file) => {
                let types: Vec<_> = got.iter().map(Value::elem).collect();
                data::read(&self.folder().file(file)?, &types).map(Some)
            }
            Expect::Success | Expect::Auto | Expect::Error(_) => Ok(None),
        }
    }
}

fn written(file: &Path, values: &[Value]) -> Result<Arguments, String> {
    std::fs::write(file, binary::write_values(values)).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(Arguments { file: file.to_path_buf(), count: values.len() })
}
