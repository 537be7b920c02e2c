//! Connections: taken, bounded, encrypted, and ended.

use super::admission::{Paced, Place};
use super::api::respond;
use super::server::Server;
use hyper::header::{CONNECTION, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

/// Most bytes of a header, and of a body that are received ahead of who reads it.
const BUFFER: usize = 64 << 10;
/// Most requests of a connection; whoever has more opens another one.
const MOST_REQUESTS: usize = 1000;
/// Pause where no connection can be taken: too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// Takes connections until the service ends, and waits for those that are open.
pub(super) async fn take_all(
    listener: TcpListener,
    server: Arc<Server>,
    mut ending: watch::Receiver<bool>,
) {
    let mut open = JoinSet::new();
    loop {
        // Those that have ended are let go of: one that waits for its place goes on waiting.
        while open.try_join_next().is_some() {}
        let taken = tokio::select! {
            taken = next(&listener, &server) => taken,
            _ = ending.wait_for(|ending| *ending) => break,
        };
        let Some((stream, place)) = taken else { continue };
        let (server, ending) = (Arc::clone(&server), ending.clone());
        open.spawn(async move {
            server.metrics.connections.add(1);
            tokio::select! {
                biased;
                () = place.closed() => server.metrics.closed("room"),
                () = serve(stream, &server, &place, ending) => {}
            }
        });
    }
    drop(listener);
    while open.join_next().await.is_some() {}
}

/// The next connection, and its place.
async fn next(listener: &TcpListener, server: &Server) -> Option<(TcpStream, Arc<Place>)> {
    match listener.accept().await {
        Ok((stream, _)) => Some((stream, Arc::new(server.admission.connections.enter().await))),
        Err(_) => {
            sleep(PAUSE).await;
            None
        }
    }
}

async fn serve(
    stream: TcpStream,
    server: &Arc<Server>,
    place: &Arc<Place>,
    ending: watch::Receiver<bool>,
) {
    let setup = server.setup();
    // Answers are short, and nobody waits for more to come.
    let _ = stream.set_nodelay(true);
    let Some(tls) = setup.tls.clone() else { return speak(stream, server, place, ending).await };
    let limit = setup.settings.header_timeout;
    match timeout(limit, TlsAcceptor::from(tls).accept(stream)).await {
        Ok(Ok(stream)) => speak(stream, server, place, ending).await,
        _ => server.metrics.tls_failed.add(1),
    }
}

/// Answers the requests of a connection one after the other: hyper reads a request once the answer to the one
/// before is handed to the system, so that unread answers are at most one.
async fn speak(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    server: &Arc<Server>,
    place: &Arc<Place>,
    mut ending: watch::Receiver<bool>,
) {
    let settings = server.setup().settings.clone();
    let requests = AtomicUsize::new(1);
    let answer = service_fn(|request| {
        let (server, place) = (Arc::clone(server), Arc::clone(place));
        let is_last = requests.fetch_add(1, Ordering::Relaxed) >= MOST_REQUESTS;
        async move {
            let mut answer = respond(&server, &place, request).await;
            let close = is_last.then(|| (CONNECTION, HeaderValue::from_static("close")));
            answer.headers_mut().extend(close);
            Ok::<_, Infallible>(answer)
        }
    });
    let stream = Paced::new(stream, place.activity(), settings.write_timeout);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(settings.header_timeout)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), answer);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => Some(ended),
        _ = ending.wait_for(|ending| *ending) => None,
        () = sleep(settings.connection_timeout) => None,
    };
    let ended = match ended {
        Some(ended) => ended,
        // The request that is being answered is answered, and no other one is taken.
        None => {
            connection.as_mut().graceful_shutdown();
            let left = settings.body_timeout + settings.deadline + settings.write_timeout;
            match timeout(left, connection).await {
                Ok(ended) => ended,
                Err(_) => return server.metrics.closed("age"),
            }
        }
    };
    if place.activity().is_late() {
        server.metrics.closed("unread");
    } else if ended.is_err_and(|error| error.is_timeout()) {
        server.metrics.closed("silent");
    }
}
