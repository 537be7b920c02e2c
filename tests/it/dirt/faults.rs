//! Faults of content: keys given twice, records cut anywhere, bad lines among good ones.

use super::json::{Tree, value};
use super::reference;
use super::seen::{self, Seen, read_in_pushes};
use super::writer::{Dice, Layout, spell};
use foureyes::domain::{Family, Outcome, Record};
use foureyes::jsonl::Settings;

/// A record of each family, with escapes and characters of every width in it.
const RECORDS: [(Family, &str); 4] = [
    (
        Family::Push,
        r#"{"commit":"c\u00e9\ud83d\ude00","timestamp":"2026-02-15T10:30:00Z","judge_model":"fastest","files_evaluated":["research/é.md"],"scores":{"semantic":4,"pragmatic":-0.5e1,"syntactic":"3"},"verdict":"NO-GO","findings":"quote \" brace } €😀 \\","revision_suggestions":[]}"#,
    ),
    (
        Family::Task,
        r#"{"task_id":"issue-42","model":"m","mode":"quick","verdict":"accept","scores":{"semantic":4},"average":4.33,"reasoning":"gut \ud83d\udc4d ü","improvements":[],"round":1,"judge_tier":"quick","previous_rounds":[{"round":1,"verdict":"improve","average":3}],"consensus":null,"human_override":null}"#,
    ),
    (
        Family::Ladder,
        r#"{"task_id":"issue-45","verdict":"FIX_FIRST","timestamp":"2026-02-17T14:34:00Z","judge_tier":"quick","reasoning":"\tα\u0000"}"#,
    ),
    (
        Family::Override,
        r#"{"task_id":"issue-43","model":"human","mode":"override","verdict":"reject","scores":{"semantic":0},"average":0,"round":0,"human_override":true,"reason":"nein – \u2014"}"#,
    ),
];

const BEFORE: &str = "{\"commit\":\"earlier-1\",\"verdict\":\"GO\"}\n{\"commit\":\"earlier-2\",\"verdict\":\"NO-GO\"}\n";

fn read(bytes: &[u8]) -> Seen {
    let seen = seen::read(bytes, &Settings::default());
    seen.check(bytes);
    seen
}

fn tree(text: &str) -> Tree {
    value(text.as_bytes(), 0, 128).unwrap().tree
}

fn commits(seen: &Seen) -> Vec<&str> {
    seen.found.iter().filter_map(|p| p.record.commit.as_deref()).collect()
}

#[test]
fn each_family_is_recognised_with_its_outcome() {
    let outcomes = [Some(Outcome::NoGo), Some(Outcome::Go), Some(Outcome::NoGo), None];
    for ((family, text), outcome) in RECORDS.into_iter().zip(outcomes) {
        let seen = read(format!("{text}\n").as_bytes());
        let [piece] = &seen.found[..] else { panic!("{family:?}: {seen:?}") };
        assert_eq!((piece.record.family, piece.record.outcome), (family, outcome));
        assert_eq!((piece.place.line, piece.place.byte), (1, 0));
        assert_eq!(piece.place.len, text.len() as u64);
    }
}

#[test]
fn any_key_given_twice_makes_a_record_ambiguous() {
    let mut dice = Dice(6);
    for (family, text) in RECORDS {
        let Tree::Object(fields) = tree(text) else { panic!("{text}") };
        for (key, value) in &fields {
            for second in [value.clone(), Tree::Text("GO".to_owned()), Tree::Null] {
                let mut twice = fields.clone();
                twice.push((key.clone(), second));
                let line = spell(&mut dice, &Tree::Object(twice), Layout::Loose);
                let seen = read(&[&line[..], b"\n"].concat());
                assert!(seen.found.is_empty(), "{family:?}: {key} twice was read");
                assert_eq!(seen.rejects.len(), 1, "{key}");
                assert!(seen.rejects[0].reason.contains("ambiguous"), "{:?}", seen.rejects);
            }
        }
    }
}

/// What was read of the two records before, whatever happens after them.
fn earlier(seen: &Seen) -> Vec<(u64, Option<Outcome>)> {
    let before = |p: &&seen::Piece| p.place.byte < BEFORE.len() as u64;
    seen.found.iter().filter(before).map(|p| (p.place.line, p.record.outcome)).collect()
}

fn check_cut(log: &[u8], at: usize, whole: &Record) {
    let cut = &log[..at];
    let seen = read(cut);
    assert_eq!(earlier(&seen), [(1, Some(Outcome::Go)), (2, Some(Outcome::NoGo))], "cut at {at}");
    let last = &seen.found[2..];
    if at < log.len() - 1 {
        assert!(last.is_empty(), "cut at {at}: {last:?}");
        assert_eq!(seen.accounting.lines, 2 + u64::from(at > BEFORE.len()));
        assert_eq!(seen.accounting.incomplete, u64::from(at > BEFORE.len()), "cut at {at}");
        assert_eq!(seen.accounting.rejected, 0, "cut at {at}");
    } else {
        assert_eq!(last.len(), 1, "cut at {at}");
        assert_eq!(&last[0].record, whole);
        assert_eq!(seen.accounting.incomplete, 0);
    }
    // The rest comes: once, and as if it had come in one piece.
    let after = read_in_pushes(log, &[at.max(1), log.len()], &Settings::default());
    assert_eq!(after.found.len(), 3);
    assert_eq!(&after.found[2].record, whole);
    assert_eq!(after.accounting.incomplete, 0);
}

#[test]
fn a_last_record_cut_at_any_byte_waits_and_then_completes_once() {
    for (family, text) in RECORDS {
        let log = format!("{BEFORE}{text}\n").into_bytes();
        let whole = read(&log).found.pop().unwrap().record;
        assert_eq!(whole.family, family);
        for at in BEFORE.len()..=log.len() {
            check_cut(&log, at, &whole);
        }
    }
}

#[test]
fn indented_last_record_cut_at_any_byte_is_incomplete() {
    let mut dice = Dice(8);
    for (family, text) in RECORDS {
        let record = spell(&mut dice, &tree(text), Layout::Indented);
        let log = [BEFORE.as_bytes(), &record, b"\n"].concat();
        let lines = record.iter().filter(|b| **b == b'\n').count() as u64;
        for at in BEFORE.len()..=log.len() {
            let seen = read(&log[..at]);
            assert_eq!(earlier(&seen).len(), 2, "cut at {at}");
            let whole = at >= log.len() - 1;
            // While it is open its lines are judged one by one, and an earlier round in it is an
            // object with a verdict of its own; nothing that names a commit or task may appear.
            let named = |p: &&seen::Piece| p.record.commit.is_some() || p.record.task_id.is_some();
            let named = seen.found.iter().filter(named).count();
            assert_eq!(named, 2 + usize::from(whole), "{family:?}: cut at {at}");
            assert!(!whole || seen.accounting.joined == lines, "{:?}", seen.accounting);
        }
        assert_eq!(read(&log).found[2].record.family, family);
        assert_eq!(read(&log).accounting.rejected, 0);
    }
}

/// Lines that are no record and must stay the only ones that are not.
const BAD: [&[u8]; 24] = [
    b"garbage",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b"{\"",
    b"{\"a\"",
    b"{\"a\":",
    b"{\"a\":[",
    b"{\"a\":{",
    b"{\"a\":1,",
    b"{\"a\":\"",
    b"[{\"a\":",
    b"/* comment",
    b"# comment",
    b"NaN",
    b"\xff\xfe",
    b"\0\0\0x",
    b"\x1b[2J",
    b"\xef\xbb\xbf",
    b"null",
    b"{\"verdict\":\"GO\",\"commit\":\"x\\",
];

fn good(i: usize) -> String {
    format!("{{\"commit\":\"good-{i}\",\"verdict\":\"GO\"}}\n")
}

#[test]
fn a_bad_line_never_hides_a_good_one() {
    for bad in BAD {
        for end in ["\n", "\r\n", " \t\n"] {
            for place in 0..=3 {
                let mut log = Vec::new();
                for i in 0..3 {
                    if i == place {
                        log.extend_from_slice(&[bad, end.as_bytes()].concat());
                    }
                    log.extend_from_slice(good(i).as_bytes());
                }
                if place == 3 {
                    log.extend_from_slice(&[bad, end.as_bytes()].concat());
                }
                let seen = read(&log);
                let shown = log.escape_ascii().to_string();
                if place == 0 && bad == b"\xef\xbb\xbf" {
                    assert_eq!(seen.accounting.blank, 1, "{shown}");
                } else {
                    assert_eq!(seen.rejects.len(), 1, "{shown}: {:?}", seen.rejects);
                    assert_eq!(seen.rejects[0].line, place as u64 + 1, "{shown}");
                }
                assert_eq!(commits(&seen), ["good-0", "good-1", "good-2"], "{shown}");
            }
        }
    }
}

#[test]
fn line_torn_at_any_byte_hides_no_neighbours() {
    for (_, text) in RECORDS {
        for at in 1..text.len() {
            let (head, tail) = text.as_bytes().split_at(at);
            let goods = [good(0), good(1), good(2)];
            let [a, b, c] = goods.each_ref().map(String::as_bytes);
            // The rest is lost; the rest comes a line later; the rest comes after another's line.
            for log in [
                [a, head, b"\n", b, c].concat(),
                [a, head, b"\n", tail, b"\n", b, c].concat(),
                [a, head, b"\n", b, tail, b"\n", c].concat(),
                [a, head, b, c].concat(),
            ] {
                let seen = read(&log);
                let found = commits(&seen);
                for name in ["good-0", "good-1", "good-2"] {
                    let times = found.iter().filter(|c| **c == name).count();
                    assert_eq!(times, 1, "{name} in {}", log.escape_ascii());
                }
                seen.agrees(&reference::read(&log, &Settings::default()), &log);
            }
        }
    }
}

/// Number of records, rejects and incomplete lines, and the extra pieces.
fn counts(log: &str, settings: &Settings) -> [u64; 4] {
    let seen = seen::read(log.as_bytes(), settings);
    seen.check(log.as_bytes());
    seen.agrees(&reference::read(log.as_bytes(), settings), log.as_bytes());
    let a = seen.accounting;
    [a.records, a.rejected, a.incomplete, a.split]
}

#[test]
fn last_line_is_accepted_only_when_final() {
    let inner = r#"{"verdict":"GO","commit":"x"}"#;
    for (log, wanted) in [
        // These may still become whole, and then the inner object is a part of them.
        (format!(r#"{{"a":{inner}"#), [0, 0, 1, 0]),
        (format!(r#"{{"a":[{inner},{inner}"#), [0, 0, 1, 0]),
        (format!(r#"{inner}{{"a":{inner}"#), [1, 0, 1, 1]),
        (r#"{"a":"{\"verdict\":1"#.to_owned(), [0, 0, 1, 0]),
        // These can not.
        (format!("torn{inner}"), [1, 1, 0, 1]),
        (format!("[{inner},"), [1, 1, 1, 2]),
        (format!(r#"{{"com{inner}{{"#), [1, 1, 1, 2]),
        ("torn".to_owned(), [0, 0, 1, 0]),
    ] {
        assert_eq!(counts(&log, &Settings::default()), wanted, "{log}");
    }
}

#[test]
fn record_behind_torn_head_is_found_for_any_key_spelling() {
    for object in [
        r#"{"verdict":"GO","commit":"x"}"#,
        r#"{"v\u0065rdict":"GO","\u0063ommit":"x"}"#,
        r#"{"\u0074imestamp":"x","verdict":"GO"}"#,
        r#"{"verdict":"GO","task_i\u0064":null}"#,
    ] {
        assert_eq!(
            counts(&format!("torn{object}\n"), &Settings::default()),
            [1, 1, 0, 1],
            "{object}"
        );
    }
}

#[test]
fn an_object_with_a_lone_surrogate_ends_where_it_ends() {
    let lone = r#"{"verdict":"GO","commit":"\ud800"}"#;
    let settings = Settings::default();
    assert_eq!(counts(&format!("{lone}\n"), &settings), [0, 1, 0, 0]);
    assert_eq!(counts(&format!("{lone}{{\"verdict\":\"GO\"}}\n"), &settings), [1, 1, 0, 1]);
    assert_eq!(counts(&format!("{lone}tail\n"), &settings), [0, 2, 0, 1]);
    assert_eq!(counts(&format!("{}\n", lone.replace(',', ",\n")), &settings), [0, 1, 0, 0]);
}

#[test]
fn complete_object_in_damage_is_found_despite_its_own_faults() {
    let settings = Settings::default();
    for (object, reason) in [
        (r#"{"commit":"x","ver":"\ud800","verdict":null,"timestamp":"y"}"#, "lone surrogate"),
        (r#"{"verdict":"GO","commit":"\udc00"}"#, "lone surrogate"),
        (r#"{"verdict":"GO","commit":"x","verdict":"NO-GO"}"#, "given twice"),
    ] {
        for (log, wanted) in [
            (format!("{{\"x\":[{object} \t\n"), [0, 2, 0, 1]),
            (format!("torn{object}\n"), [0, 2, 0, 1]),
            (format!("{{\"a\":1,\n{object}\n"), [0, 2, 0, 0]),
            (format!("{{\"a\":\n{object}\n}}\n"), [0, 3, 0, 0]),
        ] {
            assert_eq!(counts(&log, &settings), wanted, "{log}");
            let rejects = read(log.as_bytes()).rejects;
            let own: Vec<_> = rejects.iter().filter(|r| r.reason.contains(reason)).collect();
            assert_eq!(own.len(), 1, "{log}: {rejects:?}");
            let (from, to) = (own[0].byte as usize, (own[0].byte + own[0].len) as usize);
            assert_eq!(&log[from..to], object);
        }
    }
}

#[test]
fn overlong_line_is_one_reject() {
    let settings = Settings { line_bytes: 40, ..Settings::default() };
    let long = "x".repeat(50);
    let log = format!("{{\"verdict\":\"GO\"\n}} {long}\n{{\"verdict\":\"GO\"}}\n");
    assert_eq!(counts(&log, &settings), [1, 2, 0, 0]);
}

#[test]
fn alias_matches_exact_word_only() {
    let aliases = [("PASS".to_owned(), "GO".to_owned())].into();
    let settings = Settings { aliases, ..Settings::default() };
    for (word, outcome) in [
        ("PASS", Outcome::Go),
        ("GO", Outcome::Go),
        ("pass", Outcome::Undetermined),
        ("PASS ", Outcome::Undetermined),
    ] {
        let line = format!("{{\"commit\":\"x\",\"verdict\":\"{word}\"}}\n");
        let seen = seen::read(line.as_bytes(), &settings);
        assert_eq!(seen.found[0].record.outcome, Some(outcome), "{word}");
        assert_eq!(seen.found[0].record.verdict.as_deref(), Some(word), "as written");
    }
}
