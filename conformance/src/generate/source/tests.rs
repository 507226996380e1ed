use super::*;
use futi_core::source::{SourceError, SourceProvider};

struct Text(String);

impl SourceProvider for Text {
    fn read(&self, _: &str) -> Result<String, SourceError> {
        Ok(self.0.clone())
    }
}

fn complaints(p: &SourceProgram) -> String {
    let compiled = futi_core::compile("generated.fut", &Text(p.text()));
    match compiled.program {
        Some(_) => String::new(),
        None => futi_core::diag::render(&compiled.diagnostics, &compiled.sources, false),
    }
}

#[test]
fn the_front_end_accepts_what_is_generated() {
    let mut bad = 0;
    for seed in 0..200 {
        let p = program(4 + (seed as usize % 12), seed);
        let said = complaints(&p);
        if !said.is_empty() { bad += 1; if bad < 6 { println!("seed {seed}:\n{}\n{said}", p.text()); } }
    }
    assert_eq!(bad, 0);
}
