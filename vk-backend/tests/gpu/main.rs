//! Tests that need a Vulkan device. Each runs in a process of its own, because a driver can abort: this program runs itself again, with the test's
//! name in `FUTI_VK_TEST`. Without a device they fail, unless `FUTI_VK_OPTIONAL=1`.

mod arguments;
mod atomics;
mod kernels;
mod launches;
mod loops;
mod operators;
mod printed;
mod programs;
mod running;
mod support;
mod thresholds;

use libtest_mimic::{Arguments, Failed, Trial};
use std::process::{Command, ExitCode};

/// A test: its name and what it does, which panics if the test fails.
type Test = (&'static str, fn());

fn tests() -> Vec<(String, Box<dyn FnOnce()>)> {
    let all = [
        running::TESTS,
        operators::TESTS,
        printed::TESTS,
        thresholds::TESTS,
        arguments::TESTS,
        atomics::TESTS,
        kernels::TESTS,
        launches::TESTS,
        loops::TESTS,
        programs::TESTS,
    ];
    all.concat().into_iter().map(|(name, test)| (name.to_owned(), Box::new(test) as Box<dyn FnOnce()>)).collect()
}

fn main() -> ExitCode {
    if let Ok(name) = std::env::var("FUTI_VK_TEST") {
        return match tests().into_iter().find(|(n, _)| *n == name) {
            Some((_, test)) => {
                test();
                ExitCode::SUCCESS
            }
            None => ExitCode::FAILURE,
        };
    }
    let optional = std::env::var("FUTI_VK_OPTIONAL").is_ok_and(|value| value == "1");
    let no_device = futi_vk::device::list().map_or(true, |devices| !devices.iter().any(Result::is_ok));
    let trial = |name: String| {
        let of_child = name.clone();
        Trial::test(name, move || child(&of_child)).with_ignored_flag(optional && no_device)
    };
    // what most tests take time for, on a device that is a processor and on any other, is to compile: they go on side by side
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, tests().into_iter().map(|(name, _)| trial(name)).collect()).exit_code()
}

/// Runs the test in a new process.
fn child(name: &str) -> Result<(), Failed> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(this).env("FUTI_VK_TEST", name).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Err(format!("{}\n{out}{err}", output.status).into())
}
