//! The example does what it says.

use std::process::Command;

#[test]
fn gradient_descent() {
    let tests = std::env::current_exe().unwrap();
    let example = tests.ancestors().nth(2).unwrap().join("examples/gradient_descent");
    let ran = Command::new(example).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let said = String::from_utf8_lossy(&ran.stdout);
    // the squares of 2, -3, -1 and 1 over 4
    assert!(said.starts_with("step 0: loss 3.75f64\n"), "{said}");
    assert!(said.ends_with("weights: 2.000 -3.000\n"), "{said}");
}
