//! A model that answers when a test lets it.

use super::says;
use crate::http::Server;
use std::sync::{Arc, Condvar, Mutex};

/// A model whose answers wait at a gate.
pub(super) struct Gated {
    pub(super) server: Server,
    gate: Arc<(Mutex<bool>, Condvar)>,
}

impl Gated {
    pub(super) fn start() -> Self {
        let gate = Arc::new((Mutex::new(false), Condvar::new()));
        let own = Arc::clone(&gate);
        let server = Server::start(move |request| {
            let (open, changed) = &*own;
            drop(changed.wait_while(open.lock().unwrap(), |open| !*open).unwrap());
            says(request)
        });
        Self { server, gate }
    }

    pub(super) fn open(&self) {
        *self.gate.0.lock().unwrap() = true;
        self.gate.1.notify_all();
    }
}

impl Drop for Gated {
    fn drop(&mut self) {
        self.open();
    }
}
