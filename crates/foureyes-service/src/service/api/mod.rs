//! The routes, and what is checked before anything is judged.

mod body;
mod refusal;

pub(super) use refusal::Refusal;

use super::answer::{Question, again, judged};
use super::flights::Flights;
use super::log::Log;
use super::metrics::{Metrics, Now};
use super::setup::Setup;
use super::token::{Token, Tokens};
use crate::domain::Timestamp;
use crate::engine::judgements::{JudgementRequest, SignedJudgement, question_sha};
use crate::judging::Item;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// Where judgements are asked for.
const JUDGEMENTS: &str = "/v1/judgements";
/// Longest time that a client is asked to wait before it tries again.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Longest nonce of a judgement that is read again.
const LONGEST_NONCE: usize = 128;

/// Everything that requests share.
#[derive(Debug)]
pub(super) struct Server {
    setup: RwLock<Arc<Setup>>,
    pub(super) tokens: Tokens,
    pub(super) log: Log,
    pub(super) flights: Arc<Flights>,
    pub(super) metrics: Metrics,
    /// Memory for requests, in units of [`body::UNIT`].
    memory: Arc<Semaphore>,
    pub(super) open: AtomicUsize,
}

impl Server {
    pub(super) fn new(setup: Arc<Setup>, tokens: Tokens, log: Log) -> Self {
        let units = body::units(setup.settings.memory_bytes) as usize;
        Self {
            memory: Arc::new(Semaphore::new(units)),
            setup: RwLock::new(setup),
            tokens,
            log,
            flights: Arc::new(Flights::new()),
            metrics: Metrics::default(),
            open: AtomicUsize::new(0),
        }
    }

    /// What holds now.
    pub(super) fn setup(&self) -> Arc<Setup> {
        Arc::clone(&self.setup.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Has another setup hold from here on. What is under way ends as it began.
    pub(super) fn replace(&self, setup: Arc<Setup>) {
        *self.setup.write().unwrap_or_else(PoisonError::into_inner) = setup;
    }

    /// The time.
    pub(super) fn now(&self) -> Timestamp {
        Timestamp(jiff::Timestamp::now().as_microsecond())
    }

    /// How long it takes until there may be room in the queue.
    pub(super) fn wait_for_room(&self) -> Duration {
        let (waiting, _) = self.flights.counts();
        let workers = self.setup().settings.workers.max(1);
        let rounds = u32::try_from(waiting / workers + 1).unwrap_or(u32::MAX);
        let wait = self.metrics.mean().saturating_mul(rounds);
        wait.clamp(Duration::from_secs(1), LONGEST_WAIT)
    }

    /// Why new contents are not taken.
    fn problem(&self) -> Option<String> {
        if self.flights.is_draining() {
            return Some("the service is shutting down".to_owned());
        }
        self.tokens.problem().map(|_| "the file of tokens cannot be used".to_owned())
    }

    fn token(&self, headers: &HeaderMap) -> Result<Token, Refusal> {
        let sent = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let sent = sent.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
        let found = self.tokens.find(sent).map_err(|_| Refusal::no_tokens())?;
        found.filter(|token| !token.is_expired(self.now())).ok_or_else(Refusal::no_token)
    }
}

/// An answer, whole.
pub(super) type Answer = Response<Full<Bytes>>;

fn answer(status: StatusCode, kind: &'static str, text: String) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(text)));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

const JSON: &str = "application/json";
const TEXT: &str = "text/plain; charset=utf-8";

/// Answers a request, and counts it under its route.
pub(super) async fn respond(server: &Arc<Server>, request: Request<Incoming>) -> Answer {
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
        Err(Refusal::method())
    } else {
        match route {
            JUDGEMENTS => judge(server, request).await,
            "/v1/models" => models(server, &request),
            "/openapi.json" => {
                Ok(answer(StatusCode::OK, JSON, super::openapi::document().to_string()))
            }
            "/healthz" => Ok(answer(StatusCode::OK, TEXT, "ok\n".to_owned())),
            "/readyz" => Ok(ready(server)),
            "/metrics" => Ok(metrics(server)),
            "other" => Err(Refusal::no_route()),
            _ => read(server, id_of(&path).unwrap_or_default(), &request),
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

async fn judge(server: &Arc<Server>, request: Request<Incoming>) -> Result<Answer, Refusal> {
    let question = question(server, request).await?;
    json(&judged(server, question).await?)
}

/// Checks a request, from the cheapest to the dearest.
async fn question(server: &Server, request: Request<Incoming>) -> Result<Question, Refusal> {
    let token = server.token(request.headers())?;
    if server.flights.is_draining() {
        return Err(Refusal::draining());
    }
    let (setup, began) = (server.setup(), Instant::now());
    let of_header = body::deadline(request.headers())?;
    let wait = || server.wait_for_room();
    let (bytes, memory) =
        body::received(&setup.settings, Arc::clone(&server.memory), request, wait).await?;
    let mut request: JudgementRequest =
        serde_json::from_slice(&bytes).map_err(|error| Refusal::malformed(&error.to_string()))?;
    drop(bytes);
    if !token.kinds.contains(&request.kind) {
        return Err(Refusal::scope(request.kind));
    }
    let files = request.take_files().map_err(|error| Refusal::malformed(&error.to_string()))?;
    let item = Item {
        files: files.into(),
        sections: std::mem::take(&mut request.sections).into(),
        ..Item::default()
    };
    let content_sha = item.material().sha();
    let question_sha = question_sha(request.kind, request.tier, &content_sha, &item.sections);
    let asked = [of_header, request.deadline_ms.map(Duration::from_millis)];
    let deadline = asked.into_iter().flatten().chain([setup.settings.deadline]).min();
    let until = began + deadline.unwrap_or_default();
    Ok(Question { request, item, content_sha, question_sha, token, until, memory })
}

fn read(server: &Server, id: &str, request: &Request<Incoming>) -> Result<Answer, Refusal> {
    let token = server.token(request.headers())?;
    let nonce = request.uri().query().and_then(|query| query.strip_prefix("nonce="));
    let nonce = nonce.unwrap_or_default();
    if nonce.len() > LONGEST_NONCE || !nonce.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Err(Refusal::malformed("`nonce` must be ASCII letters and digits"));
    }
    json(&again(server, &token, id, nonce.to_owned())?)
}

fn models(server: &Server, request: &Request<Incoming>) -> Result<Answer, Refusal> {
    let token = server.token(request.headers())?;
    let setup = server.setup();
    let models = setup.judges.models(&token.kinds);
    let all: Vec<_> = models.iter().map(|id| serde_json::json!({"id": id})).collect();
    let list = serde_json::json!({"object": "list", "data": all});
    Ok(answer(StatusCode::OK, JSON, list.to_string()))
}

fn ready(server: &Server) -> Answer {
    match server.problem() {
        None => answer(StatusCode::OK, TEXT, "ready\n".to_owned()),
        Some(why) => answer(StatusCode::SERVICE_UNAVAILABLE, TEXT, why + "\n"),
    }
}

fn metrics(server: &Server) -> Answer {
    let (waiting, running) = server.flights.counts();
    let found = server.log.found;
    let text = server.metrics.text(&Now {
        waiting,
        running,
        open_connections: server.open.load(Ordering::Relaxed),
        log_lines: found.lines,
        log_torn: found.torn,
        log_broken: found.broken,
        log_unverified: server.log.unverified.load(Ordering::Relaxed),
        ready: server.problem().is_none(),
    });
    answer(StatusCode::OK, "text/plain; version=0.0.4", text)
}
