//! Connections: taken, bounded, encrypted, and ended.

use super::api::respond;
use super::server::Server;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

/// Most bytes of a header, and of a body that are received ahead of who reads it.
const BUFFER: usize = 64 << 10;
/// Pause where no connection can be taken: too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// Takes connections until the service ends, and waits for those that are open.
pub(super) async fn take_all(
    listener: TcpListener,
    server: Arc<Server>,
    mut ending: watch::Receiver<bool>,
) {
    let room = Arc::new(Semaphore::new(server.setup().settings.connections));
    let mut open = JoinSet::new();
    loop {
        let taken = tokio::select! {
            taken = next(&listener, &room) => taken,
            _ = ending.wait_for(|ending| *ending) => break,
            Some(_) = open.join_next() => continue,
        };
        let Some((stream, permit)) = taken else { continue };
        let (server, ending) = (Arc::clone(&server), ending.clone());
        open.spawn(async move {
            server.metrics.connections.add(1);
            server.open.fetch_add(1, Ordering::Relaxed);
            serve(stream, &server, ending).await;
            server.open.fetch_sub(1, Ordering::Relaxed);
            drop(permit);
        });
    }
    drop(listener);
    while open.join_next().await.is_some() {}
}

/// The next connection, once there is room for it: until then it waits outside.
async fn next(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> Option<(TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let permit = Arc::clone(room).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => Some((stream, permit)),
        Err(_) => {
            sleep(PAUSE).await;
            None
        }
    }
}

async fn serve(stream: TcpStream, server: &Arc<Server>, ending: watch::Receiver<bool>) {
    let setup = server.setup();
    let limit = setup.settings.header_timeout;
    // Answers are short, and nobody waits for more to come.
    let _ = stream.set_nodelay(true);
    match setup.tls.clone() {
        None => speak(stream, server, limit, ending).await,
        Some(tls) => match timeout(limit, TlsAcceptor::from(tls).accept(stream)).await {
            Ok(Ok(stream)) => speak(stream, server, limit, ending).await,
            _ => server.metrics.tls_failed.add(1),
        },
    }
}

async fn speak(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    server: &Arc<Server>,
    limit: Duration,
    mut ending: watch::Receiver<bool>,
) {
    let answer = service_fn(|request| {
        let server = Arc::clone(server);
        async move { Ok::<_, Infallible>(respond(&server, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limit)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), answer);
    tokio::pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = ending.wait_for(|ending| *ending) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}
