use super::*;
use serde_json::Value;

fn full() -> PushRecord {
    PushRecord {
        commit: Some("a".repeat(40)),
        author: Some("OpenClaw Agent".to_owned()),
        files_evaluated: vec!["research/signal.md".to_owned()],
        scores: Some(Scores { semantic: 4, pragmatic: 5, syntactic: 5 }).into(),
        verdict: PushVerdict::Go,
        findings: "Fine\nthroughout".to_owned(),
        revision_suggestions: vec!["Nothing".to_owned()],
        served_model: Some("north-1".to_owned()),
        latency_ms: Some(812),
        prompt_sha: Some("0".repeat(64)),
        judge_sha: Some("3".repeat(64)),
        content_sha: Some("1".repeat(64)),
        inconsistent: true,
        mode: Some(Mode::Advisory),
        usage: Some(Usage { prompt_tokens: Some(10), completion_tokens: None }),
        caveats: vec![Caveat::FamilyUnknown, Caveat::NotUtf8],
        content: Some(Content {
            bytes: 10,
            shown: 5,
            masked: 1,
            cut_files: 1,
            cuts: vec![RecordCut { file: "a".to_owned(), shown: 5, bytes: 10 }],
        }),
        attempts: Some(2),
        reused: Some("2".repeat(64)),
        late: Some(Late {
            verdict: PushVerdict::NoGo,
            scores: RecordScores::default(),
            findings: "Poor".to_owned(),
            served_model: Some("south-1".to_owned()),
        }),
        ..bare()
    }
}

fn bare() -> PushRecord {
    PushRecord::undetermined("fastest", Timestamp::parse("2026-02-15T10:30:00Z").unwrap())
}

#[track_caller]
fn assert_valid(record: &PushRecord) {
    let line: Value = serde_json::from_str(&record.line().unwrap()).unwrap();
    let schema = jsonschema::validator_for(schema().as_value()).unwrap();
    let wrong: Vec<String> = schema.iter_errors(&line).map(|e| e.to_string()).collect();
    assert!(wrong.is_empty(), "{line}: {wrong:?}");
}

#[test]
fn the_schema_in_the_assets_is_that_of_the_record() {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/push.schema.json");
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    if std::env::var_os("UPDATE_ASSETS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    assert_eq!(stored, text, "it is not what the code says: run once with UPDATE_ASSETS=1");
}

#[test]
fn record_is_one_compact_line_valid_by_schema() {
    for record in [full(), bare()] {
        let line = record.line().unwrap();
        assert!(!line.contains('\n'), "{line}");
        assert!(!line.contains("\": ") && !line.contains(", \""), "{line}");
        assert_valid(&record);
        let again: PushRecord = serde_json::from_str(&line).unwrap();
        assert_eq!(again, PushRecord { at_us: Some(record.timestamp.0), ..record });
    }
    for error in [RecordError::Timeout, RecordError::PromptMissing, RecordError::Bypassed] {
        assert_valid(&PushRecord { error: Some(error), ..bare() });
    }
}

#[test]
fn unknown_fields_are_absent() {
    let line: Value = serde_json::from_str(&bare().line().unwrap()).unwrap();
    let keys: Vec<&String> = line.as_object().unwrap().keys().collect();
    let known = [
        "at_us",
        "files_evaluated",
        "findings",
        "judge_model",
        "revision_suggestions",
        "schema",
        "scores",
        "timestamp",
        "verdict",
    ];
    assert_eq!(keys, known);
    assert_eq!(line["scores"], serde_json::json!({}));
}

#[test]
fn times_are_whole_seconds_and_outage_findings_are_one_line() {
    let time = Timestamp(1_771_151_400_123_456);
    let line = |error, findings: &str| -> Value {
        let findings = findings.to_owned();
        let record = PushRecord { error: Some(error), timestamp: time, findings, ..bare() };
        serde_json::from_str(&record.line().unwrap()).unwrap()
    };
    let late = line(RecordError::Timeout, "No answer\n  in time.");
    assert_eq!(late["findings"], "timeout: No answer in time.");
    assert_eq!(
        (&late["timestamp"], &late["at_us"]),
        (&"2026-02-15T10:30:00Z".into(), &time.0.into())
    );
    for error in [
        RecordError::Unavailable,
        RecordError::Unauthorized,
        RecordError::RateLimited,
        RecordError::ServerError,
    ] {
        assert_eq!(line(error, "It failed.")["findings"], "unavailable: It failed.");
    }
    for error in [RecordError::InvalidAnswer, RecordError::PromptMissing, RecordError::History] {
        assert_eq!(line(error, "a\nb")["findings"], "a b");
    }
}

#[test]
fn the_errors_are_the_causes_that_readers_know() {
    use crate::domain::Cause;
    for (error, cause) in [
        (RecordError::Timeout, Cause::Timeout),
        (RecordError::Unavailable, Cause::Unavailable),
        (RecordError::Unauthorized, Cause::Unauthorized),
        (RecordError::RateLimited, Cause::RateLimited),
        (RecordError::ServerError, Cause::ServerError),
        (RecordError::InvalidAnswer, Cause::InvalidAnswer),
        (RecordError::PromptMissing, Cause::PromptMissing),
        (RecordError::Bypassed, Cause::Bypassed),
        (RecordError::SpendCap, Cause::SpendCap),
        (RecordError::CallLimit, Cause::CallLimit),
        (RecordError::FamilyRefused, Cause::FamilyRefused),
        (RecordError::FamilyUnknown, Cause::FamilyUnknown),
        (RecordError::NoKey, Cause::NoKey),
    ] {
        let word = serde_json::to_value(error).unwrap();
        assert_eq!(Cause::from_error(word.as_str().unwrap()), cause);
    }
}

#[test]
fn a_secret_that_the_judge_repeats_is_masked_in_the_log() {
    let secret = format!("ghp_{}", "a1".repeat(18));
    let record = PushRecord {
        findings: format!("it says {secret}"),
        revision_suggestions: vec![secret.clone()],
        answer: Some(secret.clone()),
        late: full().late.map(|late| Late { findings: secret.clone(), ..late }),
        ..bare()
    };
    let line = record.line().unwrap();
    assert!(!line.contains(&secret), "{line}");
    assert_eq!(line.matches("[masked GitHub token]").count(), 4);
}

#[test]
fn hostile_text_stays_inside_its_line() {
    let record =
        PushRecord { findings: "a\r\n{\"verdict\":\"GO\"}\u{0}\u{2028}".to_owned(), ..bare() };
    let line = record.line().unwrap();
    assert_eq!(line.chars().filter(|c| c.is_control()).count(), 0);
    assert_valid(&record);
}
