#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| futi_fuzz::binary(data));
