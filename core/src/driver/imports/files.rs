//! The files that a program consists of, read and parsed, not checked: a program with type errors has them, too.

use super::imported;
use crate::diag::{self, Code, Diagnostic};
use crate::hash::HashMap;
use crate::source::{FileId, SourceMap, SourceProvider, resolve};
use crate::syntax::ast::Ident;
use crate::{prelude, syntax};

/// The files of a program.
#[derive(Debug, Default)]
pub struct ProgramFiles {
    /// Each once, behind those that it imports; the program's own file is the last one.
    pub files: Vec<ProgramFile>,
    /// Their texts.
    pub sources: SourceMap,
    /// What cannot be read or parsed.
    pub diagnostics: Vec<Diagnostic>,
}

/// One of the files.
#[derive(Debug)]
pub struct ProgramFile {
    /// Its path and its text.
    pub id: FileId,
    /// What its imports mean, in the order in which they stand there.
    pub imports: Vec<Imported>,
}

/// What an import means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imported {
    /// The file of that index in [`ProgramFiles::files`].
    File(usize),
    /// A library that comes with us, by its path; it is no file of the program.
    Library(&'static str),
}

/// Reads a program and all that it imports, by the rules of [`compile`](crate::compile()).
pub fn program_files(path: &str, provider: &dyn SourceProvider) -> ProgramFiles {
    let mut reader =
        Reader { provider, out: ProgramFiles::default(), found: HashMap::default(), open: vec![path.to_string()] };
    match provider.read(path) {
        Ok(text) => drop(reader.file(path, &text)),
        Err(e) => reader.out.diagnostics.push(Diagnostic::unreadable(path, &e, &mut reader.out.sources)),
    }
    reader.out
}

struct Reader<'a> {
    provider: &'a dyn SourceProvider,
    out: ProgramFiles,
    /// What became of the paths that were imported; nothing where that was reported.
    found: HashMap<String, Option<Imported>>,
    /// The files that are being read, from the outermost.
    open: Vec<String>,
}

impl Reader<'_> {
    /// Reads what a file imports, then adds the file.
    fn file(&mut self, path: &str, text: &str) -> Imported {
        let id = self.out.sources.add(path, text);
        let (ast, mut diagnostics) = syntax::parse(id, text);
        let mut paths = vec![];
        ast.decls.iter().for_each(|d| imported(d, &mut paths));
        let mut imports = vec![];
        for import in paths {
            // a chain of imports may be long
            match stacker::maybe_grow(256 << 10, 4 << 20, || self.import(import, path)) {
                Ok(found) => imports.extend(found),
                Err(cycle) => diagnostics.push(cycle),
            }
        }
        diag::in_order(&mut diagnostics, id);
        self.out.diagnostics.extend(diagnostics);
        self.out.files.push(ProgramFile { id, imports });
        Imported::File(self.out.files.len() - 1)
    }

    /// What an import of the file at `from` means; nothing if it cannot be read, which has been reported then.
    fn import(&mut self, import: &Ident, from: &str) -> Result<Option<Imported>, Diagnostic> {
        let path = resolve(from, &import.name);
        if let Some(found) = self.found.get(&path) {
            return Ok(*found);
        }
        if self.open.contains(&path) {
            let message = format!("{path} imports itself: {} -> {path}", self.open.join(" -> "));
            return Err(Diagnostic::error(Code::Unreadable, import.span, message));
        }
        let found = match (self.provider.read(&path), prelude::library(&import.name)) {
            (Ok(text), _) => {
                self.open.push(path.clone());
                let file = self.file(&path, &text);
                self.open.pop();
                Some(file)
            }
            (Err(_), Some((library, _))) => Some(Imported::Library(library)),
            (Err(e), None) => {
                let unreadable = Diagnostic::unreadable_import(import.span, &path, &e, &mut self.out.sources);
                self.out.diagnostics.push(unreadable);
                None
            }
        };
        self.found.insert(path, found);
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceError;

    /// The paths of a program's files, what they import, and what is said.
    fn read(files: &[(&str, &str)]) -> (Vec<String>, Vec<Vec<Imported>>, Vec<String>) {
        let provider = |path: &str| match files.iter().find(|(name, _)| *name == path) {
            Some((_, text)) => Ok(text.to_string()),
            None => Err(SourceError::new("No such file")),
        };
        let ProgramFiles { files, sources, diagnostics } = program_files("p/main.fut", &provider);
        let path = |f: &ProgramFile| sources.get(f.id).unwrap().path.to_string();
        let said = diagnostics.iter().map(|d| diag::one_line(d, &sources)).collect();
        (files.iter().map(path).collect(), files.into_iter().map(|f| f.imports).collect(), said)
    }

    #[test]
    fn each_file_is_there_once_and_behind_its_imports() {
        let (paths, imports, said) = read(&[
            ("p/main.fut", "module a = import \"lib/a\" import \"b\" local open import \"lib/sort\" def x = 1 + true"),
            ("p/lib/a.fut", "import \"../b\" import \"/prelude/lib/ad\""),
            ("p/b.fut", "def y = 1"),
        ]);
        assert_eq!(paths, ["p/b.fut", "p/lib/a.fut", "p/main.fut"]);
        let library = Imported::Library;
        assert_eq!(imports[1], [Imported::File(0), library("/prelude/lib/ad.fut")]);
        assert_eq!(imports[2], [Imported::File(1), Imported::File(0), library("/prelude/lib/sort.fut")]);
        assert!(said.is_empty(), "{said:?}");
    }

    #[test]
    fn what_cannot_be_read_or_parsed_is_said() {
        let (_, _, said) = read(&[]);
        assert_eq!(said, ["error E0001: p/main.fut cannot be read: No such file."]);
        // once, though it is imported twice
        let (paths, _, said) =
            read(&[("p/main.fut", "import \"c\" import \"b\" import \"c\""), ("p/b.fut", "def = 1")]);
        assert_eq!(paths, ["p/b.fut", "p/main.fut"]);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].starts_with("p/main.fut:1:8-10: error E0001: p/c.fut cannot be read"), "{said:?}");
        assert!(said[1].starts_with("p/b.fut:1:5: error E0103"), "{said:?}");
    }

    #[test]
    fn a_file_that_imports_itself_is_said() {
        let (_, _, said) = read(&[("p/main.fut", "import \"b\""), ("p/b.fut", "import \"main\"")]);
        let cycle = "p/main.fut imports itself: p/main.fut -> p/b.fut -> p/main.fut";
        assert_eq!(said, [format!("p/b.fut:1:8-13: error E0001: {cycle}")]);
    }
}
