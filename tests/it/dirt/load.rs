//! Faults of size: blocks of bytes, endless lines, deep nests, joins that never end. The inputs are so
//! large that a reader quadratic in them would take hours.

use super::logs::TOKENS;
use super::seen::{self, Seen};
use super::writer::Dice;
use foureyes::domain::Accounting;
use foureyes::jsonl::{Reader, Reading, Settings};

const GOOD: &[u8] = b"{\"commit\":\"good\",\"verdict\":\"GO\"}\n";

fn read_with(bytes: Vec<u8>, settings: Settings) -> Seen {
    let seen = seen::read(&bytes, &settings);
    seen.check(&bytes);
    seen
}

fn read(bytes: Vec<u8>) -> Seen {
    read_with(bytes, Settings::default())
}

fn goods(seen: &Seen) -> usize {
    seen.found.iter().filter(|p| p.record.commit.as_deref() == Some("good")).count()
}

#[test]
fn a_block_of_one_byte_between_good_lines_is_one_reject() {
    for byte in [0xff, b'{', b'[', b'"', b'\\', b'}', b',', b'a', 0x1b] {
        let seen = read([GOOD, &vec![byte; 4 << 20], b"\n", GOOD].concat());
        assert_eq!(goods(&seen), 2, "{byte:#x}");
        let counts = Accounting { lines: 3, records: 2, rejected: 1, ..Default::default() };
        assert_eq!(seen.accounting, counts, "{byte:#x}");
    }
}

#[test]
fn a_block_of_white_space_is_blank() {
    for byte in [b' ', 0] {
        let seen = read([GOOD, &vec![byte; 4 << 20], b"\n", &vec![b'\n'; 1 << 18], GOOD].concat());
        let blank = 1 + (1 << 18);
        let counts = Accounting { lines: blank + 2, records: 2, blank, ..Default::default() };
        assert_eq!(seen.accounting, counts);
    }
}

#[test]
fn lines_reopening_objects_are_read_in_linear_time() {
    for unit in ["{\"a\":", "{\"", "{\"a\":\"{\",", "[{\"a\":1},", "{\"verdict\":", "\\{\"\\"] {
        let seen =
            read([GOOD, unit.repeat((1 << 18) / unit.len()).as_bytes(), b"\n", GOOD].concat());
        assert_eq!(goods(&seen), 2, "{unit}");
        assert!(seen.accounting.rejected >= 1, "{unit}");
    }
}

#[test]
fn many_objects_on_one_line_are_read_in_linear_time() {
    let good = GOOD.strip_suffix(b"\n").unwrap();
    for (unit, records, split) in [(&b"{}"[..], 0, 9_999), (good, 10_000, 9_999), (b"{},", 0, 1)] {
        for end in [&b"\n"[..], b""] {
            let seen = read([GOOD, &unit.repeat(10_000), end].concat());
            assert_eq!((goods(&seen), seen.accounting.split), (1 + records, split));
        }
    }
}

#[test]
fn utf_16_and_random_bytes_are_rejected_without_a_lock_up() {
    let utf16: Vec<u8> = std::iter::once(0xfeff)
        .chain(String::from_utf8_lossy(GOOD).repeat(40_000).encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let seen = read(utf16);
    assert_eq!((seen.accounting.lines, seen.accounting.records), (40_001, 0));
    // What a compressed file looks like: no byte is likelier than another.
    let mut dice = Dice(11);
    let random: Vec<u8> = (0..4 << 20).map(|_| dice.below(256) as u8).collect();
    let seen = read([GOOD, &[0x1f, 0x8b, 0x08], &random, b"\n", GOOD].concat());
    assert_eq!(goods(&seen), 2);
}

#[test]
fn a_stream_of_tokens_without_sense_is_accounted_for_in_time() {
    let mut dice = Dice(12);
    let soup: String = (0..200_000).map(|_| dice.pick(&TOKENS)).collect();
    let seen = read([GOOD, soup.as_bytes(), b"\n", GOOD].concat());
    assert_eq!(goods(&seen), 2);
    assert!(seen.accounting.split > 0 && seen.accounting.joined > 0, "{:?}", seen.accounting);
}

#[test]
fn a_line_one_byte_longer_than_the_bound_is_one_reject() {
    let line = GOOD.strip_suffix(b"\n").unwrap();
    let bound = |line_bytes| Settings { line_bytes, ..Settings::default() };
    let seen = read_with([GOOD, GOOD].concat(), bound(line.len()));
    assert_eq!(seen.accounting.records, 2);
    let longer = [b" ", line, b"\n", GOOD].concat();
    let seen = read_with(longer, bound(line.len()));
    assert_eq!((seen.accounting.records, seen.accounting.rejected), (1, 1));
    let reason = &seen.rejects[0].reason;
    assert!(reason.contains(&format!("line of {} bytes", line.len() + 1)), "{reason}");
    // Two records on it do not save it: it was never held.
    let pair = [line, line, b"\n", GOOD].concat();
    let seen = read_with(pair, bound(line.len()));
    assert_eq!((goods(&seen), seen.accounting.rejected, seen.accounting.split), (1, 1, 0));
}

#[test]
fn an_overlong_last_line_without_its_newline_is_counted_once() {
    let settings = Settings { line_bytes: 100, ..Settings::default() };
    let seen = read_with([GOOD, &[b'x'; 1000]].concat(), settings);
    assert_eq!((seen.accounting.lines, seen.accounting.records), (2, 1));
    assert_eq!(seen.accounting.rejected + seen.accounting.incomplete, 1);
}

#[test]
fn indented_object_beyond_limit_is_not_a_record() {
    let lines = "\"a\":\"0123456789\",\n".repeat(20);
    let log = format!("{{\"commit\":\"long\",\"verdict\":\"GO\",\n{lines}\"b\":1}}\n");
    let log = [GOOD, log.as_bytes(), GOOD].concat();
    let seen = read_with(log.clone(), Settings { line_bytes: 200, ..Settings::default() });
    assert_eq!((goods(&seen), seen.accounting.records, seen.accounting.joined), (2, 2, 0));
    let distinct = String::from_utf8(log).unwrap();
    let distinct = (0..20).fold(distinct, |log, i| log.replacen("\"a\"", &format!("\"a{i}\""), 1));
    let seen = read_with(distinct.into_bytes(), Settings::default());
    assert_eq!((seen.accounting.records, seen.accounting.joined), (3, 21));
}

#[test]
fn deep_nesting_is_rejected_without_overflow() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
        let nest = |n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
        let line = |n| format!("{{\"commit\":\"deep\",\"verdict\":\"GO\",\"x\":{}}}\n", nest(n));
        let seen = read([GOOD, line(10_000).as_bytes(), GOOD].concat());
        assert_eq!((goods(&seen), seen.accounting.records), (2, 2), "{open}");
        assert_eq!(seen.rejects[0].line, 2);
        // Cut within the nest, over lines, and without an end.
        let over_lines = open.repeat(10_000).replace('[', "\n[").replace('{', "\n{");
        for log in [open.repeat(10_000), over_lines] {
            let seen = read([GOOD, b"{\"x\":", log.as_bytes(), b"\n", GOOD].concat());
            assert_eq!(goods(&seen), 2, "{open}");
        }
    }
}

#[test]
fn nesting_to_the_bound_is_read_and_one_level_more_is_not() {
    for depth in [1_usize, 2, 16, 128] {
        let settings = Settings { depth, ..Settings::default() };
        // The object itself is the first level.
        for (levels, records) in [(depth - 1, 1), (depth, 0)] {
            let nest = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
            let line = format!("{{\"commit\":\"x\",\"verdict\":\"GO\",\"x\":{nest}}}\n");
            let seen = read_with(line.into_bytes(), settings.clone());
            assert_eq!(seen.accounting.records, records, "{levels} in {depth}");
        }
    }
}

#[test]
fn a_list_of_a_hundred_thousand_findings_is_read() {
    let findings = vec!["\"a finding\""; 100_000].join(",");
    let line = format!("{{\"commit\":\"many\",\"verdict\":\"NO-GO\",\"findings\":[{findings}]}}\n");
    let seen = read([line.as_bytes(), GOOD].concat());
    assert_eq!(seen.accounting.records, 2);
    assert_eq!(seen.found[0].record.verdict.as_deref(), Some("NO-GO"));
}

#[test]
fn very_many_short_lines_are_each_read() {
    let log: String = (0..100_000)
        .map(|i| format!("{{\"commit\":\"{}\",\"verdict\":\"GO\"}}\n", i % 50_000))
        .collect();
    let seen = read(log.into_bytes());
    assert_eq!(seen.accounting.records, 100_000);
    let mut ids: Vec<_> = seen.found.iter().map(|p| &p.identity).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 50_000);
}

#[test]
fn open_object_before_many_small_ones_is_read_in_linear_time() {
    let log = format!("{{\"a\":[\n{}", "{\"x\":1\n},\n".repeat(100_000));
    let seen = read([log.as_bytes(), GOOD].concat());
    let counts = Accounting {
        lines: 200_002,
        split: 100_000,
        records: 1,
        rejected: 100_001,
        foreign: 100_000,
        joined: 100_000,
        ..Default::default()
    };
    assert_eq!(seen.accounting, counts);
}

#[test]
fn repeated_failed_joins_are_read_in_linear_time() {
    let opens = "{\"a\":[\n".repeat(20);
    for unit in [
        "{\n",
        "{\"a\":\n",
        "{\"a\":1,\n",
        "{\"a\":[\n{\"commit\":\"x\",\"verdict\":\"GO\"}\n]}\n",
        "{\"a\":[\n1\n]\n",
        "{\"a\":[{},\n{}\n]}x\n",
    ] {
        let log = unit.repeat(50_000 / unit.matches('\n').count());
        let seen = read([log.as_bytes(), GOOD].concat());
        assert!(goods(&seen) == 1, "{unit:?}");
        let seen = read([opens.as_bytes(), log.as_bytes(), GOOD].concat());
        assert!(goods(&seen) == 1, "{unit:?} in open lists");
    }
    let numbers = format!("{opens}{}", "1,\n".repeat(20_000));
    assert_eq!(goods(&read([numbers.as_bytes(), GOOD].concat())), 1);
}

/// Most memory this process ever held, in bytes.
#[cfg(target_os = "linux")]
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

/// Set in the process that the test below starts.
#[cfg(target_os = "linux")]
const ALONE: &str = "FOUREYES_TEST_ALONE";

/// Measures its whole process, so it does its work only where the test below has started it.
#[cfg(target_os = "linux")]
#[test]
fn measured_alone_a_line_of_64_mib_is_never_held() {
    if std::env::var_os(ALONE).is_none() {
        return;
    }
    let settings = Settings { line_bytes: 1 << 20, ..Settings::default() };
    let (mut reader, mut reading) = (Reader::new(&settings), Reading::default());
    let before = peak_memory();
    let chunk = [b'x'; 1 << 16];
    reader.push(GOOD, &mut reading);
    reader.push(b"{\"commit\":\"endless\",\"verdict\":\"GO\",\"findings\":\"", &mut reading);
    (0..1024).for_each(|_| reader.push(&chunk, &mut reading));
    reader.push(b"\"}\n", &mut reading);
    reader.push(GOOD, &mut reading);
    reading.accounting = reader.finish(&mut reading);
    let seen = Seen::from(reading);
    let grown = peak_memory() - before;
    assert_eq!((goods(&seen), seen.accounting.rejected), (2, 1));
    assert_eq!(seen.rejects[0].len, 47 + 2 + (64 << 20), "{:?}", seen.rejects[0]);
    assert!(grown < 16 << 20, "{grown} bytes were held");
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_of_64_mib_is_never_held() {
    let run = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["dirt::load::measured_alone_a_line_of_64_mib_is_never_held", "--exact"])
        .env(ALONE, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && text.contains("1 passed"), "{text}");
}
