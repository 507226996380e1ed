//! A C program that is compiled with `futi.h` and linked with the library.
#![cfg(target_os = "linux")]

use futi as _;
use std::path::Path;
use std::process::Command;

#[test]
fn a_program_in_c() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tests = std::env::current_exe().unwrap();
    // the library lies beside the tests
    let folder = tests.parent().unwrap();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("model");
    let compiled = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(here)
        .arg(here.join("tests/model.c"))
        .arg("-o")
        .arg(&program)
        .arg(format!("-L{}", folder.display()))
        .arg("-lfuti")
        .arg(format!("-Wl,-rpath,{}", folder.display()))
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    for backend in if cfg!(feature = "vulkan") { &["interp", "vulkan"][..] } else { &["interp"] } {
        let ran = Command::new(&program).arg(backend).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success(), "{said}{}", String::from_utf8_lossy(&ran.stderr));
        // 1·4 + 2·5 + 3·6 = 32; along (b, a): 4·4 + 5·5 + 6·6 + 1·1 + 2·2 + 3·3 = 91
        let expected = "manifest: \"entry_points\":[{\"inputs\":[{\"leaves\":
dot: 32
vjp: 32, [4, 5, 6]
jvp: 32, 91
grid: 2 3: 100 010
the value has 6 bytes, and there is room for 5
Index [2] out of bounds for array of shape [2].
the program has no entry point `nope`: it has dot, swap, third, grid
dot takes 2 values; there are 1
dot gives 1 values, not 2
no array has the shape [-1]
[E0201] Error: Unknown name \"nothing\".
there is no backend `quux`: there are interp, executor, vulkan
";
        let (said, expected): (Vec<&str>, Vec<&str>) = (said.lines().collect(), expected.lines().collect());
        for (said, expected) in said.iter().zip(&expected).skip(1) {
            assert_eq!(said, expected, "on {backend}");
        }
        assert_eq!(said.len(), expected.len(), "{said:?}");
    }
}
