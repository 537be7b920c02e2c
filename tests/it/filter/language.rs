//! What may be written, and what is said of what may not.

use super::rows::{Row, boxes, frame, go};
use foureyes::domain::Timestamp;
use foureyes::domain::review::Reviews;
use foureyes::frame::query::{Fault, Query, QueryError, Scope};

const NOW: Timestamp = Timestamp(1_771_151_400_000_000);

const NUL: &str = "a NUL stands as \\u{0} in quotes behind `:=` only, and in no path";

/// The record that console and issue speak of.
pub(super) fn flagged() -> Row {
    Row {
        id: [0xab; 32],
        outcome: 1,
        verdict: Some("NO-GO".to_owned()),
        scores: [Some(4.0), Some(2.0), Some(5.0)],
        latency: Some(2_400),
        commit: Some("abc12345".to_owned()),
        author: Some("OpenClaw Agent".to_owned()),
        model: Some("fastest".to_owned()),
        served: Some("Llama-3.3-70B".to_owned()),
        files: ["research/signal.md", "my notes/x.md"].map(str::to_owned).to_vec(),
        findings: Some("No evidence (see 2.1) for \"drift\"".to_owned()),
        ..go("2026-02-15T09:00:00Z")
    }
}

/// Tells which of the records a filter matches.
pub(super) fn found(text: &str, rows: &[Row]) -> Vec<bool> {
    let query = Query::parse(text).unwrap_or_else(|e| panic!("{}", e.render(text)));
    let boxes = boxes();
    let scope = Scope { boxes: &boxes, now: NOW, reviews: Reviews::none() };
    query.matches(&frame(rows), &scope).unwrap()
}

fn error(text: &str) -> QueryError {
    Query::parse(text).expect_err(text)
}

#[test]
fn true_conditions_match_and_their_negations_do_not() {
    for text in [
        "verdict:no-go",
        "VERDICT:NO_GO",
        "outcome:nogo",
        "verdict:=NO-GO",
        "family:push",
        "model:llama",
        "model:FASTEST",
        "model:=fastest",
        "judge:llama",
        "judge:=Llama-3.3-70B",
        "has:judge",
        "has:agent",
        "has:path",
        "author:claw",
        "agent:claw",
        "path:research/",
        "path:research/sig",
        "path:=research/signal.md",
        "path:\"my notes/\"",
        "box:small",
        "box:=small",
        "commit:abc",
        "commit:ABC1",
        "id:abab",
        "score.pragmatic:<3",
        "score.p:2",
        "score.p:=2",
        "score.p:2..4",
        "score:<=2",
        "score.x:>=5",
        "since:7d",
        "since:2h",
        "since:today",
        "day:today",
        "day:2026-02-15",
        "until:2026-02-16",
        "until:2026-02-15T09:00:01Z",
        "since:2026-02-15T10:00:00+01:00",
        "latency:>2s",
        "latency:2.4s",
        "latency:2s..2500ms",
        "latency:<0.05m",
        "error:none",
        "is:flagged",
        "undated:no",
        "repeat:no",
        "is:evaluation",
        "evaluation:push",
        "label:none",
        "override:none",
        "text:EVIDENCE",
        "\"(see 2.1)\"",
        "evidence",
        "\"for \\\"drift\\\"\"",
        "signal",
        "llama-3",
        "a | evidence",
        "(zzz | signal) -(zzz)",
        "zzz yyy | signal",
    ] {
        assert_eq!(found(text, &[flagged()]), [true], "{text}");
        assert_eq!(found(&format!("-({text})"), &[flagged()]), [false], "{text}");
    }
}

#[test]
fn conditions_that_do_not_hold_match_nothing() {
    for text in [
        "verdict:go",
        "verdict:none",
        "verdict:BLOCK",
        "family:task",
        "model:=llama",
        "judge:fastest",
        "has:task",
        "path:./",
        "author:=\"\"",
        "path:signal",
        "path:Research/",
        "path:=research/",
        "box:=Small",
        "box:big",
        "commit:bc1",
        "id:abac",
        "score:<2",
        "since:1h",
        "day:yesterday",
        "until:today",
        "latency:>2400ms",
        "error:any",
        "error:timeout",
        "is:undated",
        "is:odd_score",
        "label:poor",
        "label:any",
        "label:conflict",
        "override:any",
        "override:reject",
        "see.2",
        "drift zzz",
        "task:x",
        "evaluation:task",
        "is:escalation",
        "tier:quick",
        "depth:panel",
        "reviewer:x",
        "mode:blocking",
    ] {
        assert_eq!(found(text, &[flagged()]), [false], "{text}");
    }
}

#[test]
fn escalation_is_the_last_line_of_a_run_that_nobody_decided() {
    let open = Row { family: 1, outcome: 2, round: 3, escalation: true, ..flagged() };
    let task = Row { tier: Some("human".to_owned()), depth: Some("panel".to_owned()), ..open };
    let other = |change: fn(&mut Row)| {
        let mut row = task.clone();
        change(&mut row);
        row
    };
    let rows = [
        task.clone(),
        other(|row| row.repeat = true),
        other(|row| row.settled = 1),
        other(|row| row.escalation = false),
        other(|row| row.overtaken = true),
        other(|row| row.is_open = true),
    ];
    assert_eq!(found("is:escalation", &rows), [true, false, false, false, false, true]);
    assert_eq!(found("evaluation:task", &rows), [true, false, true, true, true, false]);
    assert_eq!(found("is:unfinished", &rows), [false, false, false, false, false, true]);
    assert_eq!(found("is:evaluation", &rows), [false; 6]);
    for text in ["tier:human", "depth:panel", "tier:=human has:depth"] {
        assert_eq!(found(text, &rows[..1]), [true], "{text}");
    }
}

#[test]
fn missing_field_never_matches_and_its_negation_does() {
    let bare = Row { latency: None, scores: [None; 3], ts: None, verdict: None, ..flagged() };
    for text in [
        "round:>=0",
        "consensus:x",
        "tier:x",
        "depth:x",
        "latency:>=0ms",
        "score:>=0",
        "since:9999d",
        "until:9000-01-01",
        "verdict:=x",
    ] {
        let both = [flagged(), bare.clone()];
        assert!(!found(text, &both)[1], "{text}");
        assert!(found(&format!("-{text}"), &both)[1], "{text}");
    }
    assert_eq!(found("undated:yes", &[flagged(), bare]), [false, true]);
}

#[test]
fn a_fixed_word_may_be_written_in_any_case_and_with_either_dash() {
    let canonical = |text: &str| Query::parse(text).unwrap().to_string();
    for (text, same) in [
        ("Verdict:fix-first", "verdict:=FIX_FIRST"),
        ("outcome:NOGO", "verdict:no-go"),
        ("cause:Rate-Limited", "error:rate_limited"),
        ("is:odd-score", "is:odd_score"),
        ("evaluation:Push", "is:evaluation"),
        ("evaluation:task", "evaluation:task"),
        ("agent:x score.P:<=3.0", "author:x score.pragmatic:<=3"),
        ("  a|( b   (c)) ", "a | b c"),
        ("latency:1.5s", "latency:1500ms"),
        ("since:2026-02-15T11:00:00+01:00", "since:2026-02-15T10:00:00Z"),
    ] {
        assert_eq!(canonical(text), same);
    }
}

#[test]
fn served_model_is_the_judge_when_known() {
    let asked = Row { served: None, ..flagged() };
    for (text, expected) in [
        ("judge:=fastest", [false, true]),
        ("judge:=Llama-3.3-70B", [true, false]),
        ("model:=fastest", [true, true]),
    ] {
        assert_eq!(found(text, &[flagged(), asked.clone()]), expected, "{text}");
    }
}

#[test]
fn top_level_files_match_current_directory() {
    let row = |files: &[&str]| Row {
        files: files.iter().map(|f| (*f).to_owned()).collect(),
        ..flagged()
    };
    let rows = [
        row(&["a/b.md", "README.md"]),
        row(&["./a/b.md"]),
        row(&["/motd"]),
        row(&["a/b.md"]),
        row(&[""]),
        row(&[]),
    ];
    assert_eq!(found("path:./", &rows), [true, true, true, false, false, false]);
    assert_eq!(found("has:path", &rows), [true, true, true, true, false, false]);
}

#[test]
fn a_text_that_is_empty_or_holds_a_nul_is_asked_for_to_the_letter() {
    let by = |author: Option<&str>| Row { author: author.map(str::to_owned), ..flagged() };
    let rows = [by(Some("")), by(None), by(Some("a\0b"))];
    assert_eq!(found("author:=\"\"", &rows), [true, false, false]);
    assert_eq!(found("author:=\"a\\u{0}b\"", &rows), [false, false, true]);
    assert_eq!(found("has:author", &rows), [true, false, true]);
    for text in ["author:=\"\"", "author:=\"a\\u{0}b\"", "judge:=\"\""] {
        assert_eq!(Query::parse(text).unwrap().to_string(), text);
    }
}

#[test]
fn a_bypass_is_not_flagged() {
    let bypassed = Row { outcome: 2, cause: 8, ..flagged() };
    assert_eq!(found("is:flagged", &[flagged(), bypassed]), [true, false]);
}

#[test]
fn an_empty_filter_matches_every_record_and_answers_for_each() {
    let rows = [flagged(), go("?"), flagged()];
    assert_eq!(found(" \t", &rows), [true; 3]);
    assert_eq!(found("label:none", &rows), [true; 3]);
    assert_eq!(found("label:unsure", &rows), [false; 3]);
    assert_eq!(found("signal", &[]), [false; 0]);
}

#[test]
fn only_the_columns_of_the_query_are_read() {
    let columns = |text: &str| Query::parse(text).unwrap().columns();
    assert_eq!(columns("verdict:go -latency:>2s | verdict:no-go"), ["outcome", "latency"]);
    assert_eq!(columns("id:0123456789abcdef0"), ["id0", "id1"]);
    assert!(!columns("is:flagged since:7d").contains(&"findings"));
}

#[test]
fn a_mistake_is_pointed_at_with_the_nearest_name() {
    for (text, place, message, nearest) in [
        ("modle:x", "modle", "unknown field `modle`", Some("model")),
        ("a (b modell:x)", "modell", "unknown field `modell`", Some("model")),
        ("verdict:no-og", "no-og", "`no-og` is not a value of `verdict:`", Some("no-go")),
        ("error:time-out", "time-out", "`time-out` is not a value of `error:`", Some("timeout")),
        ("verdict:blok", "blok", "`blok` is not a value of `verdict:`", Some("BLOCK")),
        ("verdict:no", "no", "`no` is not a value of `verdict:`", Some("no-go")),
        ("http://x", "http", "unknown field `http`", None),
        ("score:<", "<", "`` is not a number", None),
        ("score:>=abc", ">=abc", "`abc` is not a number", None),
        ("score:1e3", "1e3", "`1e3` is not a number", None),
        ("score:4..2", "4..2", "the range ends below its beginning", None),
        ("round:1.5", "1.5", "`1.5` is not a number", None),
        ("round:x", "x", "`x` is not a number", None),
        ("latency:>2", ">2", "`2` has no unit of `ms`, `s` or `m`", None),
        ("latency:>2h", ">2h", "`2h` has no unit of `ms`, `s` or `m`", None),
        ("latency:0.5ms", "0.5ms", "`0.5ms` is not a whole number of milliseconds", None),
        ("latency:é", "é", "`é` is not a number", None),
        (
            "since:7x",
            "7x",
            "`7x` is not a time such as 7d, 12h, 2026-02-15 or 2026-02-15T10:30:00Z",
            None,
        ),
        (
            "day:2026-02-30",
            "2026-02-30",
            "`2026-02-30` is not a day such as 2026-02-15, today or yesterday",
            None,
        ),
        (
            "id:xyz",
            "xyz",
            "`xyz` is not the beginning of an id, which has 64 hexadecimal digits",
            None,
        ),
        ("a author: b", "author:", "`author:` has no value", None),
        ("é \"open", "\"", "this quote is never closed", None),
        ("a\"b\"", "\"", "a quote begins inside a word", None),
        ("\"a\"b", "\"", "no space after the quote", None),
        ("\"a\\q\"", "\\q", "unknown escape; known are \\\" \\\\ \\n \\r \\t and \\u{1f}", None),
        ("a (", "(", "this group is never closed", None),
        ("(a b", "(", "this group is never closed", None),
        ("a)", ")", "no group is open here", None),
        ("a ( ) b", "( )", "this group is empty", None),
        ("a | | b", "|", "a condition is missing next to `|`", None),
        ("a |", "|", "a condition is missing next to `|`", None),
        ("| a", "|", "a condition is missing next to `|`", None),
        ("a - b", "-", "nothing to negate after `-`", None),
        ("a -", "-", "nothing to negate after `-`", None),
        ("author:\"\"", "\"\"", "this text is empty", None),
        ("author:=", "author:=", "`author:` has no value", None),
        ("id:=\"\"", "id:=\"\"", "`id:` has no value", None),
        ("has:colour", "colour", "`colour` is not a value of `has:`", None),
        ("path:=\"\\u{0}\"", "\\u{0}", NUL, None),
        ("a\0b", "\0", NUL, None),
        ("\"\\u{0}\"", "\\u{0}", NUL, None),
    ] {
        let error = error(text);
        assert_eq!(&text[error.range.clone()], place, "{text}");
        assert_eq!(error.to_string(), message, "{text}");
        assert_eq!(error.fault.nearest(), nearest, "{text}");
    }
}

#[test]
fn carets_mark_error_position_for_any_width() {
    let text = "日本 \u{1b}[2J modle:x";
    assert_eq!(
        error(text).render(text),
        "日本 \\u{1b}[2J modle:x\n               ^^^^^\nunknown field `modle`\n\
         did you mean `model`?"
    );
    let long = format!("{} modle:x {}", "ab ".repeat(200), "cd ".repeat(200));
    let shown = error(&long).render(&long);
    let mut lines = shown.lines();
    let (line, carets) = (lines.next().unwrap(), lines.next().unwrap());
    assert!(line.starts_with('…') && line.ends_with('…') && line.chars().count() <= 74, "{shown}");
    let column = carets.find('^').unwrap();
    assert_eq!(line.chars().skip(column).take(5).collect::<String>(), "modle", "{shown}");
}

#[test]
fn depth_length_and_number_are_bounded() {
    let deep = "(".repeat(8_000);
    assert_eq!(error(&deep).fault, Fault::TooDeep(64));
    assert_eq!(error(&"-".repeat(8_000)).fault, Fault::TooDeep(64));
    assert_eq!(error(&"(".repeat(100_000)).fault, Fault::TooLong(16_384));
    assert_eq!(error(&"a ".repeat(1_001)).fault, Fault::TooMany(1_000));
    let nested = format!("{}a{}", "(".repeat(64), ")".repeat(64));
    assert_eq!(found(&nested, &[flagged()]), [true]);
    let many = "verdict:no-go ".repeat(1_000);
    assert_eq!(found(&many, &[flagged()]), [true]);
}
