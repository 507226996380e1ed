//! `futi doc`: pages from documentation comments.
//!
//! Programs are laid out by the formatter first: signatures are shown as they stand in the program then. Names are looked up in the syntax tree ([`names`],
//! [`collect`]): a program need not be well-typed to have documentation.

mod collect;
mod markdown;
mod names;
mod page;

use crate::failure::{DIAGNOSTICS, Failure};
use crate::{files, load, say};
use collect::Source;
use futi_core::diag;
use futi_core::source::SourceMap;
use futi_core::syntax::format::format;
use futi_core::syntax::{parse, token};
use std::fs;
use std::path::{Path, PathBuf};

/// Write HTML pages with the documentation comments (`-- |`) of programs: a page for each, a table of contents, an index of names.
///
/// A comment `-- # Title` between declarations begins a section. In the text, which is Markdown, a name in backticks is a link to what it names.
#[derive(clap::Args)]
pub struct Args {
    /// Programs, or folders of programs.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The folder for the pages, made if there is none.
    #[arg(short, long = "output-directory", value_name = "DIR", default_value = "doc")]
    output: PathBuf,
    /// Say on standard error which files are read and written.
    #[arg(short, long)]
    verbose: bool,
}

/// The pages of programs.
struct Site {
    files: Vec<File>,
}

/// What is said of one program.
struct File {
    /// Its path without `.fut`, from the folder that all are in.
    name: String,
    /// What is said at its top.
    about: String,
    entries: Vec<Entry>,
}

/// A part of a page.
enum Entry {
    /// A heading.
    Section {
        /// 1, or more for a section of a section.
        level: usize,
        title: String,
    },
    Item(Item),
}

/// Something that is declared. Texts are HTML, but for the names.
struct Item {
    kind: Kind,
    /// With its modules.
    name: String,
    /// What identifies it on its page.
    anchor: String,
    signature: String,
    doc: String,
    /// What a module or module type declares.
    entries: Vec<Entry>,
}

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Value,
    Type,
    Module,
    ModuleType,
    /// `open`, `include`: it has no name of its own.
    Open,
}

/// Runs the subcommand.
pub fn doc(args: Args) -> Result<(), Failure> {
    let paths = files::programs(&args.paths)?;
    let tell = |what: &str, path: &Path| {
        if args.verbose {
            say::err(format_args!("{what} {}\n", path.display()));
        }
    };
    paths.iter().for_each(|path| tell("Found source file", path));
    let texts: Vec<String> = paths.iter().map(|path| files::read(path)).collect::<Result<_, _>>()?;
    let root = common_folder(&args.paths)?;
    let mut sources = vec![];
    let mut wrong = false;
    for (path, text) in paths.iter().zip(&texts) {
        match source(path, text, &root)? {
            Some(source) => sources.push(source),
            None => wrong = true,
        }
    }
    if wrong {
        return Err(Failure::Status(DIAGNOSTICS));
    }
    if sources.is_empty() {
        return Err(Failure::Io("there are no programs (files that end in .fut)".into()));
    }
    // a file that was named twice
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    sources.dedup_by(|a, b| a.name == b.name);
    let site = Site { files: collect::files(&sources) };
    for (path, text) in page::pages(&site) {
        let path = args.output.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| files::io(folder, e))?;
        }
        tell("Writing", &path);
        fs::write(&path, text).map_err(|e| files::io(&path, e))?;
    }
    say::out(format_args!("{}\n", args.output.join("index.html").display()))
}

/// The program as formatted, and its tree; none if it has syntax errors, which have been printed.
fn source(path: &Path, text: &str, root: &Path) -> Result<Option<Source>, Failure> {
    let mut map = SourceMap::new();
    let file = map.add(&path.to_string_lossy(), text);
    let text = match format(file, text) {
        Ok(text) => text,
        Err(diagnostics) => {
            say::err(diag::render(&diagnostics, &map, load::colour()));
            return Ok(None);
        }
    };
    let path = fs::canonicalize(path).map_err(|e| files::io(path, e))?;
    let inside = path.strip_prefix(root).unwrap_or(&path).with_extension("");
    let parts: Vec<_> = inside.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
    let ast = parse(file, &text).0;
    let docs = token::lex(file, &text).docs;
    Ok(Some(Source { name: parts.join("/"), path, text, ast, docs, file }))
}

/// The folder that all of these are in.
fn common_folder(paths: &[PathBuf]) -> Result<PathBuf, Failure> {
    let mut common: Option<PathBuf> = None;
    for path in paths {
        let mut folder = fs::canonicalize(path).map_err(|e| files::io(path, e))?;
        if !folder.is_dir() {
            folder.pop();
        }
        common = Some(match common {
            None => folder,
            Some(common) => {
                let same = common.components().zip(folder.components()).take_while(|(a, b)| a == b);
                same.map(|(a, _)| a).collect()
            }
        });
    }
    Ok(common.unwrap_or_default())
}
