//! What is sent back over HTTP.

use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use std::convert::Infallible;

/// An answer, whole or in pieces.
pub(super) type Answer = Response<UnsyncBoxBody<Bytes, Infallible>>;

/// An answer that comes in pieces, which nothing on the way may keep back.
pub(super) fn stream(
    kind: &'static str,
    body: impl Body<Data = Bytes, Error = Infallible> + Send + 'static,
) -> Answer {
    let mut answer = Response::new(UnsyncBoxBody::new(body));
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    answer
}

/// An answer of a text.
pub(super) fn answer(status: StatusCode, kind: &'static str, text: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(text.into()).boxed_unsync());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}
