//! Reaching a server on a box's loopback through the box's own session.

use super::{Error, Link};
use openssh::{ForwardType, Socket};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// Makes the names of sockets different.
static NEXT: AtomicU32 = AtomicU32::new(0);

impl Link {
    /// Opens a way to `port` of the box's loopback; gives the socket on this machine that leads there.
    ///
    /// It is a socket in the connection's own private directory, not a port: a port of the loopback
    /// could be used, or taken first, by whoever else works on this machine. It ends with the link.
    ///
    /// # Errors
    ///
    /// [`Error::Forward`] where ssh or the box refuses. That nobody listens there shows only when
    /// the socket is used.
    pub async fn forward(&self, port: u16) -> Result<PathBuf, Error> {
        let path = self.control.beside(NEXT.fetch_add(1, Ordering::Relaxed));
        let here = Socket::UnixSocket { path: (&*path).into() };
        let there = Socket::TcpSocket { host: "127.0.0.1".into(), port };
        self.session
            .request_port_forward(ForwardType::Local, here, there)
            .await
            .map_err(|source| Error::Forward { port, source: source.into() })?;
        Ok(path)
    }
}
