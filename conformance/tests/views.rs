//! Programs that are about views of arrays and updates of what is under them, generated, on the backends with several options about memory: they give exactly what the interpreter gives in strict
//! mode. Vulkan gets a part of them, of which `FUTI_VALIDATE` is the number; with `all`, it gets all. `FUTI_PROGRAMS` is how many there are, if it is not 200.

use futi_conformance::child::{self, BackendCommand, Child, Limits};
use futi_conformance::generate::views::ViewProgram;
use futi_conformance::generate::{ENTRY, Generated};
use futi_conformance::shrink::{smallest, texts, witness, witness_text};
use futi_core::driver::pipeline::for_level;
use futi_core::entry::arguments;
use futi_interp::{Ctx, eval};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How many programs there are, from the first seed on, if nobody says.
const PROGRAMS: u64 = 200;

/// Into how many parts they are cut for Vulkan.
const PARTS: u64 = 5;

const EXECUTORS: [&str; 5] =
    ["executor", "executor poison=on", "executor free=off", "executor in_place=off", "executor whole_loops=1000000"];
const VULKAN: [&str; 2] = ["vulkan", "vulkan poison=on"];

fn main() -> ExitCode {
    if let Some(code) = child::entry_point(child::built_in) {
        return code;
    }
    let chosen = std::env::var("FUTI_VALIDATE").unwrap_or_default();
    let part = chosen.parse::<u64>().unwrap_or(0) % PARTS;
    let programs = std::env::var("FUTI_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(PROGRAMS);
    let vulkan = if cfg!(feature = "vulkan") { &VULKAN[..] } else { &[] };
    let of = |backend: &'static str, seeds: Vec<u64>| Trial::test(backend, move || judge(backend, &seeds));
    let executors = EXECUTORS.iter().map(|backend| of(backend, (0..programs).collect()));
    let devices = vulkan
        .iter()
        .map(|backend| of(backend, (0..programs).filter(|seed| chosen == "all" || seed % PARTS == part).collect()));
    libtest_mimic::run(&Arguments::from_args(), executors.chain(devices).collect()).exit_code()
}

/// How long a small program is looked for.
const PATIENCE: Duration = Duration::from_secs(20);

fn judge(backend: &'static str, seeds: &[u64]) -> Result<(), Failed> {
    let mut device = Device { command: BackendCommand::this_program(backend)?, child: None };
    let failures = seeds.iter().filter_map(|seed| failure(&mut device, *seed).err()).collect::<Vec<_>>();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// A backend in a process of its own, which is another one after a crash.
struct Device {
    command: BackendCommand,
    child: Option<Child>,
}

/// What is wrong with the program of a seed, with a small one that has the same fault.
fn failure(device: &mut Device, seed: u64) -> Result<(), String> {
    let program = ViewProgram::new(seed);
    let Err(why) = compiled(&program).and_then(|ir| device.differs(&ir)) else { return Ok(()) };
    let start = Instant::now();
    let strict = |ir: &Generated| eval(&ir.program, ENTRY, &ir.args, &Ctx::strict()).is_ok();
    let mut fails = |ir: &Generated| start.elapsed() < PATIENCE && strict(ir) && device.differs(ir).is_err();
    let mut small = program;
    loop {
        let next = small.smaller().find(|next| compiled(next).is_ok_and(|ir| fails(&ir)));
        match next {
            Some(next) => small = next,
            None => break,
        }
    }
    let name = format!("views:{seed}");
    let source = witness_text(&small.text(), &small.inputs, "", &name, &why);
    let ir = compiled(&small).map(|ir| witness(&smallest(&ir, fails), &name, &why)).unwrap_or_default();
    Err(format!("{source}\n-- the same without a source, as small as it was found:\n{ir}"))
}

/// The program as lowered, with its arguments.
fn compiled(program: &ViewProgram) -> Result<Generated, String> {
    let text = program.text();
    let compiled = futi_core::compile("views.fut", &|_: &str| Ok(text.clone()));
    let said = || futi_core::diag::render(&compiled.diagnostics, &compiled.sources, false);
    let lowered = compiled.program.as_ref().ok_or_else(said)?;
    let fun = lowered.entry(ENTRY).ok_or("there is no entry point")?;
    let args = arguments(fun, program.inputs.clone()).map_err(|e| e.message)?;
    Ok(Generated { program: lowered.clone(), args })
}

impl Device {
    /// Whether the backend gives something else than the interpreter: then, what.
    fn differs(&mut self, ir: &Generated) -> Result<(), String> {
        let expected = eval(&ir.program, ENTRY, &ir.args, &Ctx::strict()).map_err(|e| format!("strictly: {e}"))?;
        let limit = Duration::from_secs(120);
        let mut child = match self.child.take() {
            Some(child) => child,
            None => Child::start(&self.command, Limits { start: limit, command: limit }).map_err(|e| e.to_string())?,
        };
        let flat = for_level(ir.program.clone(), child.level).map_err(|e| format!("{:?}", e.constructs))?;
        let refused = child.compile(&flat).map_err(|e| format!("compiling: {e}"))?;
        refused.map_err(|all| format!("the backend cannot compile {all:?}"))?;
        let got = child.call(ENTRY, &ir.args).map_err(|e| format!("running: {e}"))?;
        // what fails in itself may be broken
        let got = got.map_err(|e| format!("it fails: {e}"))?;
        self.child = Some(child);
        match got == expected {
            true => Ok(()),
            false => Err(format!("it gives {} instead of {}", texts(&got), texts(&expected))),
        }
    }
}
