//! The routes, and what is checked before anything is judged.

mod about;
mod body;
mod events;

use super::admission::Place;
use super::call::Call;
use super::log::Line;
use super::metrics::Now;
use super::refusal::Refusal;
use super::reply::{Answer, answer, stream};
use super::server::Server;
use super::{answer as verdict, choice};
use crate::engine::judgements::{AnyRequest, RequestKind, SignedJudgement};
use about::About;
use events::{Events, Judged};
use hyper::body::Incoming;
use hyper::{Method, Request, StatusCode};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// Where judgements are asked for.
const JUDGEMENTS: &str = "/v1/judgements";
/// Longest nonce of a judgement that is read again.
const LONGEST_NONCE: usize = 128;

const JSON: &str = "application/json";
const TEXT: &str = "text/plain; charset=utf-8";

/// Answers a request, and counts it under its route.
pub(super) async fn respond(
    server: &Arc<Server>,
    place: &Place,
    request: Request<Incoming>,
) -> Answer {
    let _answering = place.answering();
    let path = request.uri().path().to_owned();
    let (route, method) = match path.as_str() {
        JUDGEMENTS => (JUDGEMENTS, Method::POST),
        path if id_of(path).is_some() => ("/v1/judgements/{id}", Method::GET),
        "/v1/models" => ("/v1/models", Method::GET),
        "/openapi.json" => ("/openapi.json", Method::GET),
        "/healthz" => ("/healthz", Method::GET),
        "/readyz" => ("/readyz", Method::GET),
        "/metrics" => ("/metrics", Method::GET),
        _ => ("other", Method::GET),
    };
    let answered = if route != "other" && request.method() != method {
        Err(Refusal::method(method))
    } else {
        match route {
            JUDGEMENTS => judge(server, place, request).await,
            "/v1/models" => models(server, place, &request),
            "/openapi.json" => Ok(answer(StatusCode::OK, JSON, super::openapi::text())),
            "/healthz" => Ok(answer(StatusCode::OK, TEXT, "ok\n")),
            "/readyz" => Ok(ready(server).await),
            "/metrics" => Ok(metrics(server)),
            "other" => Err(Refusal::no_route()),
            _ => read(server, place, &request, id_of(&path).unwrap_or_default()),
        }
    };
    let answer = answered.unwrap_or_else(|refusal| refusal.answer());
    server.metrics.answered(route, answer.status().as_u16());
    answer
}

/// The id of a judgement in a path.
fn id_of(path: &str) -> Option<&str> {
    path.strip_prefix(JUDGEMENTS)?.strip_prefix('/').filter(|id| !id.contains('/'))
}

fn json(signed: &SignedJudgement) -> Result<Answer, Refusal> {
    let text = serde_json::to_string(signed).map_err(|_| Refusal::bug())?;
    Ok(answer(StatusCode::OK, JSON, text))
}

async fn judge(
    server: &Arc<Server>,
    place: &Place,
    request: Request<Incoming>,
) -> Result<Answer, Refusal> {
    let is_followed = events::are_wanted(request.headers());
    let (mut call, about) = checked(server, place, request).await?;
    if !is_followed {
        return json(&judged(server, call, about).await?);
    }
    let (progress, stages) = watch::channel(None);
    call.progress = Some(progress);
    let server = Arc::clone(server);
    let judged = tokio::spawn(async move { judged(&server, call, about).await });
    let events = Events::new(stages, judged).held(place.answering());
    Ok(stream(events::KIND, events))
}

async fn judged(server: &Server, call: Call, about: About) -> Judged {
    match about {
        About::Content(request, item) => verdict::judged(server, call, (request, item)).await,
        About::Memories(request) => choice::chosen(server, call, request).await,
    }
}

/// Checks a request, from the cheapest to the dearest.
async fn checked(
    server: &Server,
    place: &Place,
    request: Request<Incoming>,
) -> Result<(Call, About), Refusal> {
    let token = server.token(request.headers(), place)?;
    if server.flights.is_draining() {
        return Err(Refusal::draining());
    }
    let (setup, began) = (server.setup(), Instant::now());
    let of_header = body::deadline(request.headers())?;
    let wait = || server.wait_for_room();
    let mut memory = server.admission.memory.hold(&token.client);
    let bytes = body::received(&setup.settings, &mut memory, request, wait).await?;
    let request =
        AnyRequest::read(&bytes).map_err(|error| Refusal::malformed(&error.to_string()))?;
    drop(bytes);
    let kind = request.kind();
    if !token.kinds.contains(&kind) {
        return Err(Refusal::scope(kind));
    }
    let (about, content_sha, question_sha) = About::new(request)?;
    let (tier, nonce, deadline_ms) = about.call();
    let asked = [of_header, deadline_ms.map(Duration::from_millis)];
    let deadline = asked.into_iter().flatten().chain([setup.settings.deadline]).min();
    let until = began + deadline.unwrap_or_default();
    let nonce = nonce.to_owned();
    let progress = None;
    let call =
        Call { kind, tier, nonce, content_sha, question_sha, token, until, memory, progress };
    Ok((call, about))
}

fn read(
    server: &Server,
    place: &Place,
    request: &Request<Incoming>,
    id: &str,
) -> Result<Answer, Refusal> {
    let token = server.token(request.headers(), place)?;
    let nonce = request.uri().query().and_then(|query| query.strip_prefix("nonce="));
    let nonce = nonce.unwrap_or_default();
    if nonce.len() > LONGEST_NONCE || !nonce.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Err(Refusal::malformed("`nonce` must be ASCII letters and digits"));
    }
    let of_client = |line: &Line| line.client == token.client;
    let line = server.log.by_id(id).filter(of_client).ok_or_else(Refusal::no_judgement)?;
    let base = match &line.of {
        None => line.clone(),
        Some(of) => server.log.by_id(of).ok_or_else(Refusal::no_judgement)?,
    };
    let (lines, nonce) = ((&line, base), nonce.to_owned());
    json(&match line.kind {
        RequestKind::Push | RequestKind::Task => verdict::again(server, lines, nonce)?,
        RequestKind::Relevance => choice::again(server, lines, nonce)?,
    })
}

fn models(server: &Server, place: &Place, request: &Request<Incoming>) -> Result<Answer, Refusal> {
    let token = server.token(request.headers(), place)?;
    let setup = server.setup();
    let models = setup.judges.models(&token.kinds);
    let all: Vec<_> = models.iter().map(|id| serde_json::json!({"id": id})).collect();
    let list = serde_json::json!({"object": "list", "data": all});
    Ok(answer(StatusCode::OK, JSON, list.to_string()))
}

async fn ready(server: &Server) -> Answer {
    // Who waits for it to be ready sends nothing else by which it could find out.
    server.is_writable().await;
    match server.problem() {
        None => answer(StatusCode::OK, TEXT, "ready\n"),
        Some(why) => answer(StatusCode::SERVICE_UNAVAILABLE, TEXT, format!("{why}\n")),
    }
}

fn metrics(server: &Server) -> Answer {
    let (waiting, running) = server.flights.counts();
    let (found, calls) = (server.log.found, server.admission.account.found);
    let text = server.metrics.text(&Now {
        waiting,
        running,
        open_connections: server.admission.connections.count(),
        log_lines: found.lines,
        log_torn: found.torn,
        log_broken: found.broken,
        log_unverified: server.log.unverified.load(Ordering::Relaxed),
        calls_torn: calls.torn,
        calls_unlogged: calls.unlogged,
        ready: server.problem().is_none(),
    });
    answer(StatusCode::OK, "text/plain; version=0.0.4", text)
}
