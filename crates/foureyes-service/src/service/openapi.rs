//! The OpenAPI document of the routes, made from the types that are sent.

use crate::engine::judgements::{
    Judgement, JudgementRequest, RelevanceJudgement, RelevanceRequest, SignedJudgement,
};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};
use std::sync::OnceLock;

/// The OpenAPI document as it is sent: made once, since anybody may ask for it.
pub(super) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| document().to_string())
}

/// The OpenAPI document.
pub fn document() -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        .into_generator();
    let request = json!({"oneOf": [
        reference::<JudgementRequest>(&mut generator),
        reference::<RelevanceRequest>(&mut generator),
    ]});
    let signed = reference::<SignedJudgement>(&mut generator);
    // What the text in it holds, for whoever reads it after the signature was checked.
    reference::<Judgement>(&mut generator);
    reference::<RelevanceJudgement>(&mut generator);
    let mut schemas = generator.take_definitions(true);
    schemas.insert("Refusal".to_owned(), refusal());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "foureyes serve",
            "version": "1",
            "description": "Judges contents and memories for clients, and signs what it answers.",
        },
        "paths": {
            "/v1/judgements": {"post": judge(&request, &signed)},
            "/v1/judgements/{id}": {"get": read(&signed)},
            "/v1/models": {"get": models()},
            "/openapi.json": {"get": plain("This document", "application/json", false)},
            "/healthz": {"get": plain("Whether the process lives", "text/plain", false)},
            "/readyz": {"get": plain("Whether new contents are taken", "text/plain", true)},
            "/metrics": {"get": plain("Counters for Prometheus", "text/plain", false)},
        },
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    })
}

fn reference<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

fn refusal() -> Value {
    json!({
        "type": "object",
        "description": "Why there is no judgement.",
        "required": ["error"],
        "properties": {"error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "string", "description": "A name for programs."},
                "message": {"type": "string", "description": "A sentence for people."},
            },
        }},
    })
}

fn judge(request: &Value, signed: &Value) -> Value {
    json!({
        "summary": "Judge a content, or which memories help",
        "description": "What is the same is judged once, whoever asks. With `Accept: text/event-stream` the answer \
            is a stream of events: `queued` with its place, `judging` with the number of the call and the model, and \
            at last `judgement`, or `error` with the refusal, its `status` and `retry_after_s`.",
        "security": [{"token": []}],
        "parameters": [{
            "name": "X-Deadline-Ms", "in": "header", "schema": {"type": "integer", "minimum": 0},
            "description": "Milliseconds after which the client no longer waits.",
        }],
        "requestBody": {"required": true, "content": {"application/json": {"schema": request}}},
        "responses": followed(responses(signed, &[400, 401, 403, 405, 408, 413, 415, 429, 500, 503, 504])),
    })
}

/// The same with a stream of events.
fn followed(mut responses: Value) -> Value {
    responses["200"]["content"]["text/event-stream"] = json!({"schema": {"type": "string"}});
    responses
}

fn read(signed: &Value) -> Value {
    json!({
        "summary": "Read one's own judgement again",
        "security": [{"token": []}],
        "parameters": [
            {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
            {
                "name": "nonce", "in": "query",
                "schema": {"type": "string", "maxLength": 128, "pattern": "^[0-9A-Za-z]*$"},
                "description": "Letters and digits that the answer repeats.",
            },
        ],
        "responses": responses(signed, &[400, 401, 404, 405, 429, 500, 503]),
    })
}

fn models() -> Value {
    let list = json!({"type": "object", "properties": {"data": {"type": "array", "items": {
        "type": "object", "properties": {"id": {"type": "string"}},
    }}}});
    json!({
        "summary": "List the models of the judges that the token may ask",
        "security": [{"token": []}],
        "responses": responses(&list, &[401, 405, 429, 503]),
    })
}

fn plain(summary: &str, kind: &str, may_fail: bool) -> Value {
    let content = json!({kind: {"schema": {}}});
    let mut responses = json!({"200": {"description": summary, "content": content}});
    if may_fail {
        responses["503"] = json!({"description": "They are not: why", "content": content});
    }
    json!({"summary": summary, "responses": responses})
}

fn responses(good: &Value, refusals: &[u16]) -> Value {
    let content = |schema: &Value| json!({"application/json": {"schema": schema}});
    let refusal = json!({"$ref": "#/components/schemas/Refusal"});
    let mut all = json!({"200": {"description": "The answer", "content": content(good)}});
    for status in refusals {
        let mut one = json!({"description": meaning(*status), "content": content(&refusal)});
        if matches!(status, 429 | 503) {
            let seconds = json!({"type": "integer"});
            one["headers"] = json!({"Retry-After": {"schema": seconds, "description": "Seconds."}});
        }
        all[status.to_string()] = one;
    }
    all
}

fn meaning(status: u16) -> &'static str {
    match status {
        400 => "The request is malformed",
        401 => "The token is missing, unknown or expired",
        403 => "The token does not allow this kind of judgement",
        404 => "The client has no judgement with this id",
        405 => "The address takes another method, which `Allow` names",
        408 => "The body did not arrive in time",
        413 => "The request is too large",
        415 => "The body is compressed",
        429 => "The contents per day are used up, or queue, memory or connections are",
        503 => "The service shuts down, cannot write its log, or has no judge or no tokens to use",
        504 => "There was no judgement before the deadline",
        _ => "The service failed",
    }
}
