//! One content, one judgement: whoever asks, and however many at once.

use super::models::Gated;
use super::{Service, body, configuration, model, push};
use crate::http::PATIENCE;
use foureyes::engine::record::{Caveat, RecordError};
use std::collections::BTreeSet;
use std::thread;

#[test]
fn judgement_is_the_same_for_every_client_and_the_judge_is_asked_once() {
    let model = model();
    let service = Service::start(&model, "");
    let (one, other) = (service.token("one"), service.token("other"));
    let first = service.judged(&one, "text POOR");
    assert_eq!((first.evaluation.verdict.as_str(), first.reused), ("NO-GO", false));
    let again = service.judged(&one, "text POOR");
    assert_eq!((&again.id, again.reused), (&first.id, true));
    assert_eq!(again.evaluation, first.evaluation);
    let shared = service.judged(&other, "text POOR");
    assert_ne!(shared.id, first.id);
    assert_eq!((shared.evaluation, shared.at_us), (first.evaluation.clone(), first.at_us));
    assert_eq!(service.judged(&other, "text POOR").id, shared.id);
    assert_eq!(model.requests().len(), 1);
    // Each client reads its own, and nobody else's.
    let read =
        |id: &str, token: &str| service.get(&format!("/v1/judgements/{id}?nonce=a1b2"), token);
    let own = read(&first.id, &one).json();
    let own: serde_json::Value = serde_json::from_str(own["judgement"].as_str().unwrap()).unwrap();
    assert_eq!(
        (own["id"].as_str(), own["nonce"].as_str()),
        (Some(first.id.as_str()), Some("a1b2"))
    );
    assert_eq!(own["evaluation"], serde_json::to_value(&first.evaluation).unwrap());
    assert_eq!(read(&shared.id, &other).status, 200);
    assert_eq!(read(&first.id, &other).status, 404);
    assert_eq!(read("00", &one).status, 404);
    // A line for each client, and the content in none.
    let log = service.log();
    assert_eq!(log.len(), 2);
    assert_eq!(log[1]["of"], log[0]["id"]);
    assert!(!serde_json::to_string(&log).unwrap().contains("text POOR"));
}

#[test]
fn content_asked_about_at_the_same_moment_is_judged_once() {
    let gated = Gated::start();
    let service = Service::start(&gated.server, "");
    let tokens: Vec<String> = (0..6).map(|n| service.token(&format!("box-{n}"))).collect();
    let ids: BTreeSet<String> = thread::scope(|scope| {
        let all: Vec<_> =
            tokens.iter().map(|token| scope.spawn(|| service.judged(token, "same"))).collect();
        gated.server.wait_for(1, PATIENCE);
        // The one that reads the figure is open as well.
        service.wait_metric("connections_open", 6.0 + 1.0);
        gated.open();
        all.into_iter().map(|one| one.join().unwrap().id).collect()
    });
    assert_eq!((ids.len(), gated.server.requests().len()), (6, 1));
}

#[test]
fn four_eyes_are_decided_for_each_client() {
    let model = model();
    let families = "[[family]]\nname = \"north\"\nauthors = [\"North Agent\"]\nmodels = [\"north-*\"]\n\
        [[family]]\nname = \"south\"\nauthors = [\"South Agent\"]\nmodels = [\"served-*\"]\n\
        [[family]]\nname = \"east\"\nauthors = [\"East Agent\"]\n";
    let service = Service::start(&model, families);
    let of = |client: &str, family: &str| {
        service.token_with(client, |token| token.families = vec![family.to_owned()])
    };
    let by = |token: &str, author: Option<&str>| {
        let mut request = push("same");
        request.author = author.map(str::to_owned);
        let reply = service.post(token, &body(&request));
        service.verified(&reply, &request).evaluation
    };
    let (north, south, east) = (of("n", "north"), of("s", "south"), of("e", "east"));
    let free = service.token("free");
    // The judge that is asked for is of the author's family: it is not asked.
    let refused = by(&north, None);
    assert_eq!(
        (refused.verdict.as_str(), refused.error),
        ("UNDETERMINED", Some(RecordError::FamilyRefused))
    );
    assert_eq!(model.requests().len(), 0);
    let good = by(&east, None);
    assert_eq!((good.verdict.as_str(), good.error), ("GO", None));
    assert!(
        !good.caveats.contains(&Caveat::FamilyUnknown)
            && !good.caveats.contains(&Caveat::SameFamily)
    );
    // The model that served is of the author's family: its answer does not count for that client.
    let late = by(&south, None);
    assert_eq!(
        (late.verdict.as_str(), late.error),
        ("UNDETERMINED", Some(RecordError::FamilyRefused))
    );
    assert!(late.scores.is_none() && late.caveats.contains(&Caveat::SameFamily));
    // Without a family in the token, the author decides.
    assert_eq!(by(&free, Some("South Agent")).verdict, "UNDETERMINED");
    assert_eq!(by(&free, Some("East Agent")).verdict, "GO");
    assert!(by(&free, Some("Nobody")).caveats.contains(&Caveat::FamilyUnknown));
    // A token stands for its authors, whatever name a request gives.
    assert_eq!(by(&south, Some("East Agent")).verdict, "UNDETERMINED");
    assert_eq!(by(&north, Some("East Agent")).error, Some(RecordError::FamilyRefused));
    assert_eq!(model.requests().len(), 1);
}

#[test]
fn families_that_are_required_must_be_known_of_each_client() {
    let model = model();
    let families = "[[family]]\nname = \"north\"\nmodels = [\"north-*\"]\n\
        [[family]]\nname = \"south\"\nauthors = [\"South Agent\"]\nmodels = [\"served-*\"]\n";
    let config = configuration(&model.url(), families);
    let config = config.replace("\"north-1\"", "\"north-1\"\nfour_eyes = \"require\"");
    let service = Service::start_in(super::Home::new(), &config);
    let (free, maker) = (
        service.token("free"),
        service.token_with("maker", |token| token.families = vec!["openai".to_owned()]),
    );
    let by = |token: &str, text: &str, author: Option<&str>| {
        let mut request = push(text);
        request.author = author.map(str::to_owned);
        let reply = service.post(token, &body(&request));
        service.verified(&reply, &request).evaluation
    };
    for author in [None, Some("Nobody"), Some("OpenClaw Agent")] {
        let refused = by(&free, "same", author);
        assert_eq!(refused.error, Some(RecordError::FamilyUnknown), "{author:?}");
        assert_eq!(refused.verdict, "UNDETERMINED");
    }
    assert_eq!(model.requests().len(), 0, "nobody is asked");
    // Well-known makers are known, by the author or by the token.
    assert_eq!(by(&free, "same", Some("Claude")).verdict, "GO");
    assert_eq!(by(&maker, "same", None).verdict, "GO");
    assert_eq!(model.requests().len(), 1);
    assert_eq!(by(&free, "same", Some("Nobody")).error, Some(RecordError::FamilyUnknown));
    assert_eq!(by(&free, "same", Some("South Agent")).error, Some(RecordError::FamilyRefused));
}

#[test]
fn failed_judge_is_asked_again_and_another_prompt_is_another_judgement() {
    let model = crate::http::Server::in_order(vec![
        crate::http::reply(401, &[], "no"),
        crate::http::answer(
            r#"{"scores":{"semantic":4,"pragmatic":4,"syntactic":4},"verdict":"GO"}"#,
        ),
    ]);
    let mut service = Service::start(&model, "");
    let token = service.token("box");
    let failed = service.judged(&token, "a");
    assert_eq!(failed.evaluation.error, Some(RecordError::Unauthorized));
    assert_eq!(service.judged(&token, "a").evaluation.verdict, "GO");
    assert_eq!(service.judged(&token, "a").evaluation.verdict, "GO");
    assert_eq!(model.requests().len(), 2);
    // SIGHUP reads the configuration again; one that is wrong changes nothing.
    let other = configuration(&model.url(), "").replace("north-1", "south-1");
    service.home.write(".config/foureyes/config.toml", &other);
    service.signal("-HUP");
    service.wait_for("configuration reloaded");
    assert_eq!(service.judged(&token, "a").evaluation.judge_model, "south-1");
    assert_eq!(model.requests().len(), 3);
    service.home.write(".config/foureyes/config.toml", "[judge]\nmodle = 1\n");
    service.signal("-HUP");
    service.wait_for("failed to reload");
    assert!(service.judged(&token, "a").reused);
    assert_eq!(model.requests().len(), 3);
}
