//! Completes the link of Debian's static shaderc.
//!
//! `libshaderc.a` of Debian lacks the glslang and SPIRV-Tools objects that it calls; they are separate archives beside it. Where shaderc-sys
//! builds its own bundled source instead (no archives in `SHADERC_LIB_DIR`), nothing is missing and this script does nothing.

use std::path::Path;

const ARCHIVES: [&str; 9] = [
    "glslang",
    "MachineIndependent",
    "GenericCodeGen",
    "OSDependent",
    "OGLCompiler",
    "SPIRV",
    "glslang-default-resource-limits",
    "SPIRV-Tools-opt",
    "SPIRV-Tools",
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=SHADERC_LIB_DIR");
    let Ok(folder) = std::env::var("SHADERC_LIB_DIR") else { return };
    if !Path::new(&folder).join("libMachineIndependent.a").exists() {
        return;
    }
    println!("cargo:rustc-link-search=native={folder}");
    for archive in ARCHIVES {
        println!("cargo:rustc-link-lib=static:-bundle={archive}");
    }
    println!("cargo:rustc-link-lib=stdc++");
}
