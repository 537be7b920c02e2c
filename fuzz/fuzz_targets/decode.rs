//! Whatever the bytes are, every line is accounted for and every piece lies where it says.

#![no_main]

use foureyes::jsonl::{Settings, read, read_one};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let settings = Settings::default();
    let reading = read(bytes, &settings);
    let counts = reading.accounting;
    assert!(counts.balances());
    assert_eq!(counts.records, reading.found.len() as u64);
    assert_eq!(counts.rejected, reading.rejects.len() as u64);
    let records = reading.found.iter().map(|f| (f.byte, f.len, f.line));
    let rejects = reading.rejects.iter().map(|r| (r.byte, r.len, r.line));
    let mut places: Vec<_> = records.chain(rejects).collect();
    places.sort_unstable();
    let mut end = 0;
    for (byte, len, line) in places {
        assert!(len > 0 && end <= byte && line > 0);
        end = byte + len;
    }
    assert!(end <= bytes.len() as u64);
    for found in &reading.found {
        let own = &bytes[found.byte as usize..(found.byte + found.len) as usize];
        assert!(own.starts_with(b"{") && own.ends_with(b"}"));
        assert_eq!(read_one(own, &settings).as_ref(), Some(&found.record));
    }
});
