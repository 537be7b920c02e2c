use super::*;
use crate::engine::prompt::Nonce;

fn request(change: impl Fn(&mut RelevanceRequest)) -> RelevanceRequest {
    let candidate = |title: &str| RequestCandidate {
        title: Some(title.to_owned()),
        category: None,
        tags: vec!["ops".to_owned()],
    };
    let mut request = RelevanceRequest {
        kind: RelevanceKind::Relevance,
        nonce: "a1".repeat(8),
        mode: Mode::Strict,
        keep: None,
        dual: false,
        prompt: "How?".to_owned(),
        context: vec!["user: hi".to_owned()],
        candidates: vec![candidate("Deploy"), candidate("Roll back")],
        deadline_ms: None,
    };
    change(&mut request);
    request
}

#[test]
fn request_holds_what_the_judge_is_shown_and_nothing_else() {
    let secret = format!("ghp_{}", "a1".repeat(18));
    let tags: Vec<String> = (0..20).map(|n| format!("tag {n} {}", "t".repeat(90))).collect();
    let title = format!("{secret} {}", "\u{e9}".repeat(500));
    let candidates = [Candidate { title: Some(&title), category: Some(&secret), tags: &tags }; 3];
    let context: Vec<String> = (0..14).map(|n| format!("{n:02} {}", "c".repeat(900))).collect();
    let prompt = format!("{secret} {}", "p".repeat(9_000));
    let question = Question {
        mode: Mode::Lenient,
        keep: 7,
        criterion: Criterion::Relevance,
        prompt: &prompt,
        context: &context,
        candidates: &candidates,
    };
    let request = RelevanceRequest::new(&question, true, "a1".repeat(8));
    assert_eq!(request.check(), Ok(()));
    let text = serde_json::to_string(&request).unwrap();
    assert!(!text.contains("ghp_") && text.len() < 6_000, "{text}");
    assert!(request.context[0].starts_with("04"), "the last lines");
    // The judge is asked the same as without a service.
    let nonce = Nonce::new([7; Nonce::BYTES]);
    let shown = request.shown();
    assert_eq!(request.question(&shown).messages(&nonce), question.messages(&nonce));
}

#[test]
fn malformed_requests_are_refused() {
    type Change = fn(&mut RelevanceRequest);
    let changes: [(Change, Malformed); 10] = [
        (|r| r.nonce.truncate(15), Malformed::Nonce),
        (|r| r.candidates.clear(), Malformed::Candidates),
        (|r| r.candidates = vec![RequestCandidate::default(); 21], Malformed::Candidates),
        (|r| r.keep = Some(0), Malformed::Keep),
        (|r| r.keep = Some(21), Malformed::Keep),
        (|r| r.prompt = "\u{e9}".repeat(501), Malformed::Texts),
        (|r| r.context = vec![String::new(); 11], Malformed::Texts),
        (|r| r.context[0] = "x".repeat(201), Malformed::Texts),
        (|r| r.candidates[1].title = Some("x".repeat(121)), Malformed::Texts),
        (|r| r.candidates[1].tags = vec![String::new(); 9], Malformed::Texts),
    ];
    assert_eq!(request(|_| {}).check(), Ok(()));
    for (change, wrong) in changes {
        assert_eq!(request(change).check(), Err(wrong));
    }
}

#[test]
fn questions_that_differ_in_anything_have_other_hashes() {
    type Change = fn(&mut RelevanceRequest);
    let changes: [Change; 11] = [
        |_| {},
        |r| r.keep = Some(4),
        |r| r.mode = Mode::Lenient,
        |r| r.dual = true,
        |r| r.prompt.push('!'),
        |r| r.context.clear(),
        |r| r.context.push(String::new()),
        |r| r.candidates.reverse(),
        |r| r.candidates[0].title = None,
        |r| r.candidates[0].tags.clear(),
        // The same words in another place.
        |r| (r.candidates[0].title, r.candidates[0].category) = (None, Some("Deploy".to_owned())),
    ];
    let all: std::collections::BTreeSet<String> =
        changes.iter().map(|change| request(change).question_sha()).collect();
    assert_eq!(all.len(), changes.len());
    // A number that is spelled out is the same question, as earlier versions hash it.
    assert_eq!(request(|r| r.keep = Some(3)).question_sha(), request(|_| {}).question_sha());
    // Who asks, and how long it waits, is no part of it.
    let other = request(|r| (r.nonce, r.deadline_ms) = ("b2".repeat(8), Some(1)));
    assert_eq!(other.question_sha(), request(|_| {}).question_sha());
}
