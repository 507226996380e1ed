use super::*;
use crate::generate::ENTRY;
use futi_core::diag;
use futi_core::entry::arguments;
use futi_interp::{Ctx, eval};

/// Compiles a program and runs it strictly.
fn run(p: &ViewProgram) -> Vec<Value> {
    let text = p.text();
    let compiled = futi_core::compile("views.fut", &crate::compiled::Text(text.clone()));
    let said = || diag::render(&compiled.diagnostics, &compiled.sources, false);
    let program = compiled.program.as_ref().unwrap_or_else(|| panic!("{}\n{text}", said()));
    let args = arguments(program.entry(ENTRY).unwrap(), p.inputs.clone()).unwrap();
    eval(program, ENTRY, &args, &Ctx::strict()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn programs_are_valid_and_use_what_they_are_about() {
    let programs: Vec<ViewProgram> = (1000..1300).map(ViewProgram::new).collect();
    programs.iter().for_each(|p| _ = run(p));
    let texts: Vec<String> = programs.iter().map(ViewProgram::text).collect();
    let words = [
        "reverse",
        "rotate",
        "replicate",
        "transpose",
        "iota",
        "copy",
        "with",
        "scatter",
        "flatten",
        "unflatten",
        "map",
        "reduce_by_index",
        "scan",
        "if",
        "loop",
        "while",
    ];
    for word in words {
        let count = texts.iter().filter(|text| mentions(text, word)).count();
        assert!(count >= 10, "{word}: {count}");
    }
    // what a loop consumes, and slices backwards
    for part in [": *", ":-", "[:, ", " ++ "] {
        assert!(texts.iter().any(|text| text.lines().skip(1).any(|line| line.contains(part))), "{part}");
    }
}

#[test]
fn smaller_programs_are_valid() {
    for p in (0..20).map(ViewProgram::new) {
        let mut last = p;
        while let Some(next) = last.smaller().last() {
            run(&next);
            last = next;
        }
        assert_eq!(last.results.len(), 1);
    }
}
