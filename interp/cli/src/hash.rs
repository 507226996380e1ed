//! `futi hash`: whether two programs are the same but for their layout.

use crate::failure::Failure;
use crate::{files, say};
use futi_core::syntax::token::{Token, lex};
use futi_core::{Imported, ProgramFile, ProgramFiles};
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// Print a hash (SHA-256) of a program: of the tokens of its file and of all that it imports.
///
/// Blanks, comments and the folder where it stands do not change it.
#[derive(clap::Args)]
pub struct Args {
    /// The program, which may have type errors.
    file: PathBuf,
}

/// Runs the subcommand.
pub fn hash(args: Args) -> Result<(), Failure> {
    let hash = of(&files::of_program(&args.file)?);
    let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    say::out(digits + "\n")
}

// Note [What is hashed]
// ~~~~~~~~~~~~~~~~~~~~~
// A hash is to be the same in later versions: what is written below is a format. Every part begins with its kind and its length, so that no two programs give
// the same bytes. A token is its text, and its kind only where that depends on the blanks around it: `f[x]` and `f [x]` are other programs. Paths are not written,
// as they are of the folder; instead, what an import means is: a file of the program, by its place in the order of `futi imports`, or a library of ours, by its
// name.

fn of(program: &ProgramFiles) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"futi-hash 1\n");
    for file in &program.files {
        add(&mut hash, program, file);
    }
    hash.finalize().into()
}

fn add(hash: &mut Sha256, program: &ProgramFiles, file: &ProgramFile) {
    let text = program.sources.get(file.id).map_or("", |f| &f.text);
    let tokens = lex(file.id, text).tokens;
    part(hash, b'F', &(tokens.len() as u64).to_le_bytes());
    for (token, span) in tokens {
        let kind = match token {
            Token::IndexBracket => b'[',
            Token::DotParen => b'(',
            Token::Dot => b'.',
            Token::Field(_) => b'0',
            _ => b't',
        };
        part(hash, kind, program.sources.text(span).as_bytes());
    }
    for import in &file.imports {
        match import {
            Imported::File(index) => part(hash, b'I', &(*index as u64).to_le_bytes()),
            Imported::Library(path) => part(hash, b'L', path.as_bytes()),
        }
    }
}

fn part(hash: &mut Sha256, kind: u8, bytes: &[u8]) {
    hash.update([kind]);
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}
