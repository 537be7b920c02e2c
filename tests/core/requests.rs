//! Whatever a client of the service sends, it is refused or read whole.
//!
//! What `fuzz/fuzz_targets/request.rs` holds, on requests that are nearly right.

use foureyes::engine::judgements::{
    AnyRequest, JudgementRequest, RelevanceRequest, RequestFile, RequestKind, question_sha,
};
use foureyes::engine::prompt::Material;
use foureyes::instruments::Capability;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// Values that a field may have, right ones and wrong ones.
fn value() -> impl Strategy<Value = Value> {
    let fixed = vec![
        json!("push"),
        json!("task"),
        json!("relevance"),
        json!("strict"),
        json!(true),
        json!([{"title": "a", "tags": ["b"]}, {"category": "c"}]),
        json!("quick"),
        json!("tiebreaker"),
        json!("0123456789abcdef"),
        json!("aGVsbG8="),
        json!("aGVsbG8"),
        json!(""),
        json!("../../etc/passwd"),
        json!(null),
        json!(-1),
        json!(1e300),
        json!([]),
        json!(["a"]),
        json!({}),
    ];
    prop_oneof![6 => select(fixed), 1 => any::<String>().prop_map(Value::from)]
}

fn file() -> impl Strategy<Value = Value> {
    let fields = select(vec!["path", "path_base64", "content", "content_base64", "mode"]);
    let right = (any::<String>(), any::<String>())
        .prop_map(|(path, content)| json!({"path": path, "content": content}));
    let any = proptest::collection::btree_map(fields.prop_map(str::to_owned), value(), 0..4)
        .prop_map(|fields| Value::Object(fields.into_iter().collect()));
    prop_oneof![3 => right, 1 => any]
}

/// A request of a push or of a task, with some fields changed.
fn request() -> impl Strategy<Value = Value> {
    let names =
        ["kind", "tier", "nonce", "author", "others", "files", "sections", "deadline_ms", "more"];
    let changes = proptest::collection::vec((select(names.to_vec()), value()), 0..3);
    let files = proptest::collection::vec(file(), 1..4);
    (any::<bool>(), files, changes).prop_map(|(is_task, files, changes)| {
        let mut fields = Map::new();
        fields.insert("kind".to_owned(), json!(if is_task { "task" } else { "push" }));
        fields.insert("nonce".to_owned(), json!("0123456789abcdef"));
        fields.insert("files".to_owned(), Value::Array(files));
        if is_task {
            fields.insert("tier".to_owned(), json!("quick"));
        }
        for (name, value) in changes {
            fields.insert(name.to_owned(), value);
        }
        Value::Object(fields)
    })
}

fn candidate() -> impl Strategy<Value = Value> {
    let fields = select(vec!["title", "category", "tags", "body"]);
    let right = (any::<String>(), proptest::collection::vec("\\PC{0,45}", 0..10))
        .prop_map(|(title, tags)| json!({"title": title, "tags": tags}));
    let any = proptest::collection::btree_map(fields.prop_map(str::to_owned), value(), 0..3)
        .prop_map(|fields| Value::Object(fields.into_iter().collect()));
    prop_oneof![3 => right, 1 => any]
}

/// A request about memories, with some fields changed.
fn about_memories() -> impl Strategy<Value = Value> {
    let names =
        ["kind", "nonce", "mode", "dual", "prompt", "context", "candidates", "deadline_ms", "more"];
    let changes = proptest::collection::vec((select(names.to_vec()), value()), 0..3);
    let candidates = proptest::collection::vec(candidate(), 1..4);
    (".{0,600}", candidates, changes).prop_map(|(prompt, candidates, changes)| {
        let mut request = json!({
            "kind": "relevance", "nonce": "0123456789abcdef", "mode": "lenient",
            "prompt": prompt, "candidates": candidates,
        });
        for (name, value) in changes {
            request[name] = value;
        }
        request
    })
}

/// Whether it is taken.
fn check(body: &[u8]) -> Result<bool, TestCaseError> {
    match AnyRequest::read(body) {
        Err(_) => Ok(false),
        Ok(AnyRequest::Choice(request)) => check_choice(&request),
        Ok(AnyRequest::Verdict(request)) => check_verdict(request),
    }
}

fn check_choice(request: &RelevanceRequest) -> Result<bool, TestCaseError> {
    if request.check().is_err() {
        return Ok(false);
    }
    let text = serde_json::to_string(request).unwrap();
    let Ok(AnyRequest::Choice(again)) = AnyRequest::read(text.as_bytes()) else {
        return Err(TestCaseError::fail(text));
    };
    prop_assert_eq!(
        (again.content_sha(), again.question_sha()),
        (request.content_sha(), request.question_sha())
    );
    prop_assert_eq!(&again, request);
    // What a client makes of the same question is taken as well, and has at most these characters.
    let shown = request.shown();
    let sent =
        RelevanceRequest::new(&request.question(&shown), request.dual, request.nonce.clone());
    prop_assert_eq!(sent.check(), Ok(()));
    prop_assert_eq!(sent.candidates.len(), request.candidates.len());
    Ok(true)
}

fn check_verdict(mut request: JudgementRequest) -> Result<bool, TestCaseError> {
    let Ok(files) = request.take_files() else { return Ok(false) };
    prop_assert!(
        !files.is_empty() && request.tier.is_some() == request.kind.has(Capability::Tiers)
    );
    request.files = files.iter().map(RequestFile::new).collect();
    let mut again: JudgementRequest =
        serde_json::from_str(&serde_json::to_string(&request).unwrap()).unwrap();
    let same = again.take_files().unwrap();
    let sha = |files: &[_]| {
        let content = Material::new(files).sha();
        question_sha(request.kind, request.tier, &content, &request.sections)
    };
    prop_assert_eq!(sha(&files), sha(&same));
    prop_assert_eq!(files, same);
    Ok(true)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_request_is_refused_or_read_whole(request in prop_oneof![request(), about_memories()]) {
        check(request.to_string().as_bytes())?;
    }

    #[test]
    fn request_that_breaks_off_or_has_foreign_bytes_is_no_request(
        request in prop_oneof![request(), about_memories()], cut in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let whole = request.to_string().into_bytes();
        let at = cut.index(whole.len());
        prop_assert!(!check(&whole[..at])?);
        let mut changed = whole.clone();
        changed[at] = byte;
        check(&changed)?;
    }
}

#[test]
fn right_requests_are_taken() {
    // Else the properties above would hold of nothing.
    for (kind, tier) in [("push", json!(null)), ("task", json!("deep"))] {
        let request = json!({
            "kind": kind, "tier": tier, "nonce": "0123456789abcdef",
            "files": [{"path_base64": "/w==", "content": "text"}],
        });
        assert!(check(request.to_string().as_bytes()).unwrap(), "{kind}");
    }
    let request = json!({
        "kind": RequestKind::Relevance, "nonce": "0123456789abcdef", "mode": "strict",
        "prompt": "How?", "candidates": [{}],
    });
    assert!(check(request.to_string().as_bytes()).unwrap());
}
