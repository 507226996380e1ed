//! `futi`: the REPL and the command line. One file a subcommand.
//!
//! Exit status: 0, or 2 for diagnostics (and wrong usage), 1 for runtime errors, bad data and IO, 70 for an internal error.

mod autotune;
mod backends;
mod bench;
mod check;
mod completions;
mod data;
mod datacmp;
mod dataset;
mod doc;
mod eval;
mod explain;
mod failure;
mod files;
mod fmt;
mod hash;
mod imports;
mod ir;
mod load;
mod man;
mod memory;
mod pkg;
mod progress;
mod repl;
mod run;
mod say;
mod script;
mod server;
mod test;
mod tokens;
mod trace;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// Futi: an array language with derivatives built in.
///
/// Without a subcommand it is an interactive session.
#[derive(Parser)]
#[command(version, about, long_about, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    piped: repl::Piped,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    Check(check::Args),
    Test(test::Args),
    Bench(bench::Args),
    Autotune(autotune::Args),
    Benchcmp(bench::compare::Args),
    Profile(bench::profile::Args),
    Fmt(fmt::Args),
    Doc(doc::Args),
    Pkg(pkg::Args),
    Explain(explain::Args),
    Imports(imports::Args),
    Tokens(tokens::Args),
    Hash(hash::Args),
    Ir(ir::Args),
    Trace(trace::Args),
    Dataset(dataset::Args),
    Datacmp(datacmp::Args),
    Backends(backends::Args),
    Completions(completions::Args),
    Man(man::Args),
    Repl(repl::Args),
    Eval(eval::Args),
    Script(script::Args),
    Server(server::Args),
}

/// The evaluator and the front end recurse with the nesting of a program, which is limited; this holds what the limits allow.
const STACK: usize = 512 << 20;

#[global_allocator]
static ALLOCATOR: memory::Ending = memory::Ending;

fn main() -> ExitCode {
    // The harness runs backends, and programs with tests, in processes of their own, which are this program again.
    if let Some(code) = test::child() {
        return code;
    }
    let cli = Cli::parse();
    std::panic::set_hook(Box::new(|panic| {
        if failure::is_no_stack(panic) {
            memory::end();
        }
        say::err(format_args!("{}\n", failure::internal(panic)));
        // as RUST_BACKTRACE asks for it
        let backtrace = std::backtrace::Backtrace::capture();
        if backtrace.status() == std::backtrace::BacktraceStatus::Captured {
            say::err(format_args!("{backtrace}\n"));
        }
    }));
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        match cli.command.unwrap_or(Command::Repl(repl::Args { piped: cli.piped, ..repl::Args::default() })) {
            Command::Run(args) => run::run(args),
            Command::Check(args) => check::check(args),
            Command::Test(args) => test::test(args),
            Command::Bench(args) => bench::bench(args),
            Command::Autotune(args) => autotune::autotune(args),
            Command::Benchcmp(args) => bench::compare::benchcmp(args),
            Command::Profile(args) => bench::profile::profile(args),
            Command::Fmt(args) => fmt::fmt(args),
            Command::Doc(args) => doc::doc(args),
            Command::Pkg(args) => pkg::pkg(args),
            Command::Explain(args) => explain::explain(args),
            Command::Imports(args) => imports::imports(args),
            Command::Tokens(args) => tokens::tokens(args),
            Command::Hash(args) => hash::hash(args),
            Command::Ir(args) => ir::ir(args),
            Command::Trace(args) => trace::trace(args),
            Command::Dataset(args) => dataset::dataset(args),
            Command::Datacmp(args) => datacmp::datacmp(args),
            Command::Backends(args) => backends::backends(args),
            Command::Completions(args) => completions::completions(args),
            Command::Man(args) => man::man(args),
            Command::Repl(args) => repl::repl(args),
            Command::Eval(args) => eval::eval(args),
            Command::Script(args) => script::script(args),
            Command::Server(args) => server::server(args),
        }
    });
    match worker.map(|w| w.join()) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(failure))) => failure.report(),
        // the panic hook has said it
        Ok(Err(_)) => ExitCode::from(failure::INTERNAL),
        Err(e) => Failure::Io(format!("cannot start a thread: {e}")).report(),
    }
}
