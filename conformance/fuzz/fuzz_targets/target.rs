//! The target that the environment variable `FUZZ_TARGET` names. One program has them all, as each takes seconds to link.
#![no_main]

use std::sync::LazyLock;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| match std::env::var("FUZZ_TARGET").as_deref() {
    Ok("lexer") => |data| futi_fuzz::text(data, futi_fuzz::lexer),
    Ok("parser") => |data| futi_fuzz::text(data, futi_fuzz::parser),
    Ok("checker") => |data| futi_fuzz::text(data, futi_fuzz::checker),
    Ok("test_block") => |data| futi_fuzz::text(data, futi_fuzz::test_block),
    Ok("ir_parser") => |data| futi_fuzz::text(data, futi_fuzz::ir_parser),
    Ok("ir_check") => |data| futi_fuzz::text(data, futi_fuzz::ir_check),
    Ok("passes") => |data| futi_fuzz::text(data, futi_fuzz::passes),
    Ok("values") => |data| futi_fuzz::text(data, futi_fuzz::values),
    Ok("binary") => futi_fuzz::binary,
    other => panic!("FUZZ_TARGET is the name of a target, not {other:?}"),
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
