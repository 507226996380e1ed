//! `futi completions`: what a shell asks to complete command lines.

use crate::failure::Failure;
use crate::{Cli, say};
use clap::CommandFactory;
use clap_complete::aot;

/// Print a script that makes a shell complete the command lines of `futi`: `source <(futi completions bash)`.
#[derive(clap::Args)]
pub struct Args {
    /// The shell.
    shell: Shell,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// Runs the subcommand.
pub fn completions(args: Args) -> Result<(), Failure> {
    let shell = match args.shell {
        Shell::Bash => aot::Shell::Bash,
        Shell::Zsh => aot::Shell::Zsh,
        Shell::Fish => aot::Shell::Fish,
    };
    let mut script = vec![];
    aot::generate(shell, &mut Cli::command(), "futi", &mut script);
    say::bytes(&script)
}
