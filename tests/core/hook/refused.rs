//! What a model refuses of a question is found out by one push, for all that follow.

use super::model::{Model, verdict};
use super::pushing::{push, stage};
use super::stage::AGENT;
use crate::http::{Request, Server, answer, json};

#[test]
fn second_push_skips_rejected_parameter() {
    let model =
        Model(Server::start(|request: &Request| match request.json().get("response_format") {
            Some(_) => json(422, &serde_json::json!({"detail": "response_format: not here"})),
            None => answer(&verdict(4, "GO", "fine")),
        }));
    let stage = stage(&model);
    for (number, calls) in [(1, 2), (2, 3), (3, 4)] {
        stage.commit(AGENT, &[("research/a.md", &format!("{number}\n"))]);
        assert!(push(&stage, &["origin", "main"]));
        assert_eq!(model.asked(), calls, "after push {number}");
    }
    assert!(stage.log().iter().all(|record| record["verdict"] == "GO"));
    let kept = stage.path("home/.cache/foureyes/refused.json");
    let kept = std::fs::read_to_string(kept).unwrap();
    assert!(!kept.contains("key-of-the-test"), "{kept}");
}
