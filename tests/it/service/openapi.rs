//! The stored description of the routes, and what is sent.

use super::{Service, body, model, push};
use std::path::Path;

#[test]
fn stored_document_is_that_of_the_code_and_of_what_is_sent() {
    let document = foureyes::service::openapi();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/openapi.json");
    let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
    if std::env::var_os("UPDATE_ASSETS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        stored, text,
        "openapi.json is not what the code says: run once with UPDATE_ASSETS=1"
    );
    let model = model();
    let service = Service::start(&model, "");
    let token = service.token("box");
    let fits = |name: &str, value: &serde_json::Value| {
        let mut schema = document.clone();
        schema["$ref"] = format!("#/components/schemas/{name}").into();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<_> = validator.iter_errors(value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}: {value}");
    };
    let request = push("fine");
    fits("JudgementRequest", &serde_json::to_value(&request).unwrap());
    let reply = service.post(&token, &body(&request));
    let signed = reply.json();
    fits("SignedJudgement", &signed);
    let judgement = serde_json::from_str(signed["judgement"].as_str().unwrap()).unwrap();
    fits("Judgement", &judgement);
    let relevance = serde_json::json!({
        "kind": "relevance", "nonce": "0123456789abcdef", "mode": "lenient", "dual": true,
        "prompt": "How?", "context": ["user: hi"], "deadline_ms": 9000,
        "candidates": [{"title": "Deploy", "category": "runbook", "tags": ["ops"]}, {}],
    });
    fits("RelevanceRequest", &relevance);
    let signed = service.post(&token, &relevance.to_string()).json();
    let judgement = serde_json::from_str(signed["judgement"].as_str().unwrap()).unwrap();
    fits("RelevanceJudgement", &judgement);
    fits("Refusal", &service.post("", "{}").json());
    assert_eq!(service.get("/openapi.json", "").json(), document);
    // Each route that is described is there.
    for (route, methods) in document["paths"].as_object().unwrap() {
        if methods.get("get").is_some() {
            let status = service.get(&route.replace("{id}", "00"), &token).status;
            let expected = if route.contains("{id}") { 404 } else { 200 };
            assert_eq!(status, expected, "{route}");
        }
    }
    assert_eq!(service.get("/v1/judgements", &token).status, 405);
    assert_eq!(service.get("/v2", &token).status, 404);
}
