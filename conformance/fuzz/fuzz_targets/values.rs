#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| futi_fuzz::text(data, futi_fuzz::values));
