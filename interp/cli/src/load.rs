//! Programs from files, and what it takes to run them on a backend.

use crate::failure::{Failure, runtime_text, user_place};
use crate::say;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use futi_core::Settings;
use futi_core::ad;
use futi_core::backend::{self, Backend, CallCtx, Executable, IrLevel, Options, Unsupported};
use futi_core::budget::Budget;
use futi_core::diag::{self, Diagnostic};
use futi_core::driver::pipeline;
use futi_core::failure::RuntimeError;
use futi_core::ir::check::{self, Checked};
use futi_core::ir::{Fun, Program, ProvTable};
use futi_core::passes::guard::guarded;
use futi_core::source::{SourceMap, SourceProvider, printable};
use futi_core::syntax::token::{Token, lex};
use futi_core::value::Value;
pub use futi_embed::Ad;
use futi_embed::files::Files;
use futi_embed::tuning::{self, Tuning};
use futi_interp::{Code, Ctx};
use std::fmt::Display;
use std::io::IsTerminal;
use std::path::Path;

/// A program as lowered, with the sources that its provenance refers to.
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// Its sources.
    pub sources: SourceMap,
    /// Where it was read from.
    path: String,
    tuning: Tuning,
}

/// Whether to colour what goes to standard error.
pub fn colour() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// Whether it is the text of IR: `futi-ir` is what it begins with, but for comments.
fn is_ir(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("--"));
    lines.next().is_some_and(|line| line.starts_with("futi-ir"))
}

/// Diagnostics for standard error, and how to read more about them.
pub fn explained(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let mut text = diag::render(diagnostics, sources, colour());
    let mut codes: Vec<String> = diagnostics.iter().map(|d| d.code.to_string()).collect();
    codes.sort();
    codes.dedup();
    if !codes.is_empty() {
        text.push_str(&format!("`futi explain {}` says more.\n", codes.join(" ")));
    }
    text
}

/// What to do about warnings, and how much may be made.
#[derive(clap::Args)]
pub struct Compiling {
    /// Print no warnings.
    #[arg(short = 'w', long = "no-warnings")]
    none: bool,
    /// Treat warnings as errors.
    #[arg(long = "Werror")]
    errors: bool,
    /// How large the program may grow when it is compiled, in nodes of its types and its code. One that grows beyond it is refused.
    #[arg(long, value_name = "N", default_value_t = Budget::DEFAULT)]
    pub nodes: u64,
    /// What `#[param(NAME)]` stands for, or a parameter of the backend; may be given several times. Others are taken from the program's `.tuning` file, and from
    /// FUTI_TUNING.
    #[arg(long, value_name = "NAME=VALUE", value_parser = tuning::parameter)]
    tuning: Vec<(String, i64)>,
    /// Read no file with tuning parameters.
    #[arg(long)]
    no_tuning: bool,
}

impl Compiling {
    /// Without warnings, with these tuning parameters and no others.
    pub fn with(tuning: Tuning) -> Compiling {
        Compiling { none: true, errors: false, nodes: Budget::DEFAULT, tuning, no_tuning: true }
    }

    /// Gives a tuning parameter a value.
    pub fn tune(&mut self, name: &str, value: i64) {
        self.tuning.push((name.to_string(), value));
    }

    /// The tuning parameters of a program.
    fn tuning(&self, program: &str) -> Result<Tuning, Failure> {
        let others =
            if self.no_tuning { tuning::environment() } else { tuning::of(Path::new(program), tuning::EXTENSION) };
        let mut all = others.map_err(|e| Failure::Diagnostics(printable(&e).into_owned()))?;
        all.extend(self.tuning.iter().cloned());
        Ok(all)
    }

    /// Warns of tuning parameters of the command line that neither the program nor the backend, which has these, knows.
    pub fn unknown_tuning(&self, loaded: &Loaded, backend: &dyn Display, own: &[(String, i64)]) -> Result<(), Failure> {
        if self.none || self.tuning.is_empty() {
            return Ok(());
        }
        let known: Vec<String> = loaded.params().into_iter().chain(own.iter().map(|(name, _)| name.clone())).collect();
        for (name, _) in self.tuning.iter().filter(|(name, _)| !known.contains(name)) {
            let near = diag::did_you_mean(name, known.iter().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            let text = format!("neither the program nor the backend {backend} has a tuning parameter `{name}`{near}");
            if self.errors {
                return Err(Failure::Diagnostics(printable(&text).into_owned()));
            }
            say::err(format_args!("Warning: {}\n", printable(&text)));
        }
        Ok(())
    }
}

/// Reads and compiles a source file, or reads IR text ([`is_ir`]). Warnings go to standard error.
pub fn program(path: &Path, compiling: &Compiling) -> Result<Loaded, Failure> {
    program_of(path.to_string_lossy().into_owned(), &Files, compiling)
}

/// The same of what a provider has under that name.
pub fn program_of(name: String, files: &dyn SourceProvider, compiling: &Compiling) -> Result<Loaded, Failure> {
    let tuning = compiling.tuning(&name)?;
    if let Ok(text) = files.read(&name)
        && is_ir(&text)
    {
        let program: Program =
            text.parse().map_err(|e| Failure::Diagnostics(printable(&format!("{name}:{e}")).into_owned()))?;
        let program = check::check(program).map_err(|errors| {
            let lines: Vec<String> = errors.iter().map(|e| format!("{name}: {e}")).collect();
            Failure::Diagnostics(printable(&lines.join("\n")).into_owned())
        })?;
        return Ok(Loaded { program: guarded(program.into_inner()), sources: SourceMap::new(), path: name, tuning });
    }
    let settings = Settings { budget: Budget::new(compiling.nodes), tuning: tuning.clone() };
    let mut compiled = futi_core::compile_with(&name, files, settings);
    if compiling.none {
        compiled.diagnostics.retain(Diagnostic::is_error);
    }
    let rendered = explained(&compiled.diagnostics, &compiled.sources);
    match compiled.program.filter(|_| rendered.is_empty() || !compiling.errors) {
        Some(program) => {
            say::err(rendered);
            Ok(Loaded { program, sources: compiled.sources, path: name, tuning })
        }
        None => Err(Failure::Diagnostics(rendered)),
    }
}

impl Loaded {
    /// A program that was not read from a file.
    pub fn of(program: Program, sources: SourceMap) -> Loaded {
        Loaded { program, sources, path: String::new(), tuning: Tuning::new() }
    }

    /// Where it was read from.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The entry point of that name.
    pub fn entry(&self, name: &str) -> Result<&Fun, Failure> {
        self.program.entry(name).ok_or_else(|| {
            let known: Vec<&str> = self.program.entries().map(|n| n.as_str()).collect();
            let known =
                if known.is_empty() { "it has none".to_string() } else { format!("it has {}", known.join(", ")) };
            Failure::Io(format!("{} has no entry point `{name}`: {known}", self.path))
        })
    }

    /// The names that `#[param(NAME)]` has in the program's files, each once.
    pub fn params(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (id, file) in self.sources.iter().filter(|(_, file)| !file.path.starts_with("/prelude/")) {
            let tokens = lex(id, &file.text).tokens;
            for part in tokens.windows(3) {
                if let [(Token::Ident("param"), _), _, (Token::Ident(name), span)] = part
                    && file.text[..part[0].1.start as usize].trim_end().ends_with("#[")
                    && file.text[span.end as usize..].trim_start().starts_with(')')
                    && !names.iter().any(|known| known == name)
                {
                    names.push(name.to_string());
                }
            }
        }
        names
    }

    /// A failure of the program.
    pub fn failure(&self, error: &RuntimeError) -> Failure {
        Failure::runtime(error, &self.program.prov, &self.sources)
    }

    /// Lowers the program to what the backend asks for, as far as the entry point needs it, and compiles it.
    pub fn compile<'a>(
        &'a self,
        backend: &'a dyn Backend,
        entry: &str,
        ad: ad::checkpoints::Options,
    ) -> Result<Running<'a>, Failure> {
        let needed = pipeline::only(&self.program, entry);
        let lowered =
            pipeline::for_level_with(needed, backend.level(), ad).map_err(|errors| self.unsupported(&errors))?;
        let prov = lowered.prov.clone();
        let checked = checked(lowered)?;
        let executable =
            backend.compile(&checked, &Options { tuning: self.tuning.clone() }).map_err(|list| {
                match self.refused(&list, &prov) {
                    Failure::Diagnostics(list) => {
                        Failure::Diagnostics(format!("the backend {} cannot run this program:\n{list}", backend.name()))
                    }
                    other => other,
                }
            })?;
        Ok(Running { loaded: self, prov, backend, executable })
    }

    /// The program with the derivatives that this entry point needs transformed away.
    fn transformed(&self, entry: &str, ad: ad::checkpoints::Options) -> Result<Loaded, Failure> {
        let needed = pipeline::only(&self.program, entry);
        let program =
            pipeline::for_level_with(needed, IrLevel::NoAd, ad).map_err(|errors| self.unsupported(&errors))?;
        let program = checked(program)?.into_inner();
        Ok(Loaded { program, sources: self.sources.clone(), path: self.path.clone(), tuning: self.tuning.clone() })
    }

    /// What the interpreter is to run for the entry point on these arguments, where that is another program: with its derivatives transformed. `steps` says
    /// that each step of the run is to be seen.
    pub fn to_interpret(
        &self,
        ad: Ad,
        entry: &str,
        args: &[Value],
        steps: bool,
        options: ad::checkpoints::Options,
    ) -> Result<Option<Loaded>, Failure> {
        let bytes = args.iter().map(|v| v.elem().bytes() * futi_core::value::count(v.shape())).sum();
        if !ad.transforms(&self.program, bytes, steps) {
            return Ok(None);
        }
        self.by_rules(ad, entry, options)
    }

    /// The program with the derivatives that this entry point needs transformed away; none where there is no rule for a construct and this choice allows for that.
    pub fn by_rules(&self, ad: Ad, entry: &str, options: ad::checkpoints::Options) -> Result<Option<Loaded>, Failure> {
        match self.transformed(entry, options) {
            Err(Failure::Diagnostics(_)) if ad == Ad::Auto => Ok(None),
            transformed => transformed.map(Some),
        }
    }

    /// Runs the entry point by the interpreter under this context; under [`Ctx::all_failures`] a failure lists all that can be reached.
    pub fn interpret(&self, entry: &str, args: Vec<Value>, ctx: &Ctx) -> Result<Vec<Value>, Failure> {
        let results = Code::new(&self.program).and_then(|code| code.call(entry, args, ctx));
        results.map_err(|first| {
            let failures = ctx.failures();
            if failures.len() < 2 {
                return self.failure(&first);
            }
            let texts = failures.iter().map(|e| runtime_text(e, &self.program.prov, &self.sources));
            Failure::Runtime(texts.collect::<Vec<_>>().join("\nError: "))
        })
    }

    /// What AD cannot differentiate.
    pub fn unsupported(&self, errors: &pipeline::Errors) -> Failure {
        self.refused(&errors.constructs, &errors.prov)
    }

    /// Constructs that are not supported, as diagnostics: one of a kind at a place. If one is a defect of ours, so is the failure.
    pub fn refused(&self, constructs: &[Unsupported], prov: &ProvTable) -> Failure {
        let text = explained(&backend::diagnostics(constructs, prov, &self.sources), &self.sources);
        if constructs.iter().any(Unsupported::is_internal) {
            Failure::Internal(text)
        } else {
            Failure::Diagnostics(text)
        }
    }
}

/// How `--ad` is read.
pub fn ad_parser() -> impl TypedValueParser<Value = Ad> {
    PossibleValuesParser::new([
        PossibleValue::new("auto")
            .help("By definition where it shows its steps or has little data, else by transformation"),
        PossibleValue::new("definition").help("By dual numbers and traces: what derivatives mean"),
        PossibleValue::new("transform").help("By the compiler's rules, which keep less"),
    ])
    .try_map(|name| name.parse::<Ad>())
}

/// The bytes of traces and arrays from which on a run by definition says what would take less.
const MUCH: u64 = 256 << 20;

/// Says so, if a run has taken as much.
pub fn say_memory(ctx: &Ctx) {
    let counters = ctx.counters();
    if counters.trace_nodes > 0 && counters.peak > MUCH {
        say::err(format_args!(
            "futi: the trace of a derivative, and arrays, took {} MiB: --ad transform keeps less\n",
            counters.peak >> 20
        ));
    }
}

/// What differentiation by transformation may keep.
#[derive(clap::Args)]
pub struct Checkpoints {
    /// Of a loop's states, differentiation by transformation keeps no more than so many bytes hold, and executes trips again for the others: a number, or one of
    /// KiB, MiB, GiB, TiB. Without it, all are kept.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub checkpoints: Option<u64>,
}

impl Checkpoints {
    /// The same for core.
    pub fn options(&self, compiling: &Compiling) -> ad::checkpoints::Options {
        ad::checkpoints::Options { checkpoints: self.checkpoints, nodes: Some(compiling.nodes) }
    }
}

/// A number of bytes: `4096`, `64KiB`, `64MiB`, `2GiB`, `1TiB`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match &text[digits.len()..] {
        "" | "B" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        "TiB" => 40,
        unit => return Err(format!("`{unit}` is not one of KiB, MiB, GiB, TiB")),
    };
    let n: u64 = digits.parse().map_err(|_| format!("`{text}` is not a number of bytes"))?;
    n.checked_mul(1 << shift).ok_or_else(|| format!("{text} is more than can be counted"))
}

/// A program that every pass has left well-formed.
pub fn checked(program: Program) -> Result<Checked<Program>, Failure> {
    check::check(program).map_err(|errors| {
        let first = errors.first().map(ToString::to_string).unwrap_or_default();
        Failure::Internal(RuntimeError::internal(format!("a pass broke the program: {first}")).message)
    })
}

/// A compiled program on its backend.
pub struct Running<'a> {
    loaded: &'a Loaded,
    prov: ProvTable,
    backend: &'a dyn Backend,
    executable: Box<dyn Executable>,
}

impl Running<'_> {
    /// Runs the entry point on the IR function's arguments; gives the IR function's results.
    pub fn call(&self, entry: &str, args: Vec<Value>) -> Result<Vec<Value>, Failure> {
        self.call_under(entry, args, &CallCtx::default()).map_err(|(failure, _)| failure)
    }

    /// The same under this context; what is wrong also as the backend says it.
    pub fn call_under(
        &self,
        entry: &str,
        args: Vec<Value>,
        ctx: &CallCtx,
    ) -> Result<Vec<Value>, (Failure, RuntimeError)> {
        let run = || -> Result<Vec<Value>, RuntimeError> {
            let handles: Vec<_> = args.iter().map(|v| self.backend.put(v)).collect::<Result<_, _>>()?;
            drop(args);
            let results = self.executable.call(entry, handles, ctx)?;
            results.iter().map(|h| self.backend.get(h)).collect()
        };
        run().map_err(|e| (Failure::runtime(&e, &self.prov, &self.loaded.sources), e))
    }

    /// The backend's tuning parameters and their values.
    pub fn tuning(&self) -> Vec<(String, i64)> {
        self.executable.tuning()
    }

    /// What provenance refers to, and the executable.
    pub fn into_parts(self) -> (ProvTable, Box<dyn Executable>) {
        (self.prov, self.executable)
    }

    /// What each kernel has cost, on standard error.
    pub fn print_profile(&self) {
        let profile = self.executable.profile();
        let mut table = tabled::builder::Builder::new();
        table.push_record(["kernel", "from", "launches", "invocations", "operations", "ms"]);
        for k in &profile.kernels {
            let time = k.nanoseconds.map_or("-".into(), |ns| format!("{:.3}", ns as f64 / 1e6));
            table.push_record([
                k.name.clone(),
                user_place(k.prov, &self.prov, &self.loaded.sources),
                k.launches.to_string(),
                k.invocations.to_string(),
                k.operations.to_string(),
                time,
            ]);
        }
        say::err(format_args!("{}\n", table.build().with(tabled::settings::Style::sharp())));
    }
}
