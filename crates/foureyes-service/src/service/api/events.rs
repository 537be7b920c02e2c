//! A judgement that is followed: server-sent events until it is there.
//!
//! The judgement is waited for by a task of its own, whose end nobody who reads slowly can put off. Of how far
//! it is, the latest alone is kept. Where the client goes the task ends, and with it the wait.

use crate::engine::judgements::{JudgementStage, SignedJudgement};
use crate::service::admission::Answering;
use crate::service::refusal::Refusal;
use hyper::body::{Body, Bytes, Frame};
use hyper::header::{ACCEPT, HeaderMap};
use serde_json::Value;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// The kind of the answer.
pub(super) const KIND: &str = "text/event-stream";
/// After so long without an event a comment is sent, so that nothing on the way takes it for dead.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// Whether a client asks for events.
pub(super) fn are_wanted(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut kinds = values.flat_map(|value| value.split(','));
    kinds.any(|kind| kind.split(';').next().is_some_and(|k| k.trim().eq_ignore_ascii_case(KIND)))
}

/// What comes of a request.
pub(super) type Judged = Result<SignedJudgement, Refusal>;

/// The body of such an answer.
pub(in crate::service) struct Events {
    next: Option<Next>,
    _answering: Option<Answering>,
}

/// The next event, and where those after it come from.
type Next = Pin<Box<dyn Future<Output = (Bytes, Option<Source>)> + Send>>;

/// Where events come from.
struct Source {
    stages: watch::Receiver<Option<JudgementStage>>,
    judged: Waiting,
    heartbeat: Duration,
}

/// A task that ends with whoever waits for it.
struct Waiting(JoinHandle<Judged>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Events {
    /// The events of a task, and of how far it is.
    pub(super) fn new(
        stages: watch::Receiver<Option<JudgementStage>>,
        judged: JoinHandle<Judged>,
    ) -> Self {
        Self::with_heartbeat(stages, judged, HEARTBEAT)
    }

    fn with_heartbeat(
        stages: watch::Receiver<Option<JudgementStage>>,
        judged: JoinHandle<Judged>,
        heartbeat: Duration,
    ) -> Self {
        let source = Source { stages, judged: Waiting(judged), heartbeat };
        Self { next: Some(Box::pin(source.next())), _answering: None }
    }

    /// The same, which are an answer that is under way until they end.
    pub(super) fn held(self, answering: Answering) -> Self {
        Self { _answering: Some(answering), ..self }
    }
}

impl Source {
    /// The next event; no source is left after the last one.
    async fn next(mut self) -> (Bytes, Option<Self>) {
        tokio::select! {
            biased;
            Ok(()) = self.stages.changed() => {
                let stage = self.stages.borrow_and_update().clone();
                let text = stage.map_or_else(comment, |stage| event(stage.name(), &stage.json()));
                (text, Some(self))
            }
            judged = &mut self.judged.0 => {
                let judged = judged.unwrap_or_else(|_| Err(Refusal::bug()));
                let signed = judged.and_then(|signed| {
                    serde_json::to_value(&signed).map_err(|_| Refusal::bug())
                });
                (signed.map_or_else(|why| event("error", &why.json()), |s| event("judgement", &s)), None)
            }
            () = sleep(self.heartbeat) => (comment(), Some(self)),
        }
    }
}

/// One event. JSON in one line has no line ends of its own.
fn event(name: &str, data: &Value) -> Bytes {
    Bytes::from(format!("event: {name}\ndata: {data}\n\n"))
}

fn comment() -> Bytes {
    Bytes::from_static(b": waiting\n\n")
}

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Some(next) = self.next.as_mut() else { return Poll::Ready(None) };
        let Poll::Ready((bytes, source)) = next.as_mut().poll(context) else {
            return Poll::Pending;
        };
        self.next = source.map(|source| Box::pin(source.next()) as _);
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;
    use std::sync::Arc;

    async fn text(events: &mut Events) -> Option<String> {
        let frame = events.frame().await?.unwrap().into_data().unwrap();
        Some(String::from_utf8(frame.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn comment_is_sent_where_nothing_happens_and_the_latest_stage_where_much_does() {
        let (stages, receiver) = watch::channel(None);
        let judged = tokio::spawn(std::future::pending());
        let heartbeat = Duration::from_millis(1);
        let mut events = Events::with_heartbeat(receiver, judged, heartbeat);
        assert_eq!(text(&mut events).await.unwrap(), ": waiting\n\n");
        for place in (1..=1_000).rev() {
            stages.send_replace(Some(JudgementStage::Queued { place }));
        }
        assert_eq!(text(&mut events).await.unwrap(), "event: queued\ndata: {\"place\":1}\n\n");
        assert_eq!(text(&mut events).await.unwrap(), ": waiting\n\n");
    }

    #[tokio::test]
    async fn refusal_is_the_last_event_and_who_goes_ends_the_wait() {
        let (_stages, receiver) = watch::channel(None);
        let judged = tokio::spawn(async { Err(Refusal::draining()) });
        let mut events = Events::new(receiver.clone(), judged);
        let last = text(&mut events).await.unwrap();
        let data = last.strip_prefix("event: error\ndata: ").unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        let of = |pointer: &str| data.pointer(pointer).cloned().unwrap();
        assert_eq!(
            (of("/error/code"), of("/status"), of("/retry_after_s")),
            ("shutdown".into(), 503.into(), 5.into())
        );
        assert_eq!(text(&mut events).await, None);
        let held = Arc::new(());
        let weak = Arc::downgrade(&held);
        let judged = tokio::spawn(async move {
            let _held = held;
            std::future::pending().await
        });
        drop(Events::new(receiver, judged));
        while weak.upgrade().is_some() {
            tokio::task::yield_now().await;
        }
    }

    #[test]
    fn events_are_sent_to_who_asks_for_them() {
        let wanted = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, hyper::header::HeaderValue::from_static(value));
            are_wanted(&headers)
        };
        assert!(wanted("text/event-stream") && wanted("application/json, Text/Event-Stream;q=0.9"));
        assert!(!wanted("*/*") && !wanted("application/json") && !are_wanted(&HeaderMap::new()));
    }
}
