//! What goes over the wire: every byte that is sent to a node, and an end to it after some of them.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

/// Passes connections on to a port, and keeps what is sent there.
#[derive(Clone)]
pub(super) struct Wire {
    pub(super) port: u16,
    state: Arc<(Mutex<State>, Condvar)>,
}

struct State {
    sent: Vec<u8>,
    /// So many bytes are passed on, and then nothing.
    most: usize,
}

impl Wire {
    pub(super) fn to(port: u16) -> Self {
        Self::stalling(port, usize::MAX)
    }

    /// One that passes on so many bytes and then waits for ever.
    pub(super) fn stalling(to: u16, most: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new((Mutex::new(State { sent: Vec::new(), most }), Condvar::new()));
        let wire = Self { port, state };
        let serving = wire.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let wire = serving.clone();
                std::thread::spawn(move || wire.pass(client, to));
            }
        });
        wire
    }

    /// All that was sent so far.
    pub(super) fn sent(&self) -> Vec<u8> {
        self.state.0.lock().unwrap().sent.clone()
    }

    /// The bodies of the requests that were sent one after the other, those that are text.
    pub(super) fn statements(&self) -> Vec<String> {
        let (sent, mut at, mut found) = (self.sent(), 0, Vec::new());
        while let Some(end) = sent[at..].windows(4).position(|w| w == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&sent[at..at + end]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
            let body = at + end + 4..at + end + 4 + length;
            at = body.end;
            found.extend(std::str::from_utf8(&sent[body]).ok().map(str::to_owned));
        }
        found
    }

    /// Waits until nothing is passed on any more.
    pub(super) fn until_stalled(&self) {
        let (state, changed) = &*self.state;
        let state = state.lock().unwrap();
        let waiting = |state: &mut State| state.sent.len() < state.most;
        let (state, waited) =
            changed.wait_timeout_while(state, crate::http::PATIENCE, waiting).unwrap();
        assert!(!waited.timed_out(), "only {} bytes were sent", state.sent.len());
    }

    fn pass(&self, mut client: TcpStream, to: u16) {
        let Ok(mut server) = TcpStream::connect(("127.0.0.1", to)) else { return };
        let (mut back, mut replies) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut replies, &mut back);
            let _ = back.shutdown(Shutdown::Write);
        });
        let mut portion = [0; 1 << 12];
        while let Ok(got @ 1..) = client.read(&mut portion) {
            let (state, changed) = &*self.state;
            let mut state = state.lock().unwrap();
            let room = state.most.saturating_sub(state.sent.len());
            let passed = &portion[..got.min(room)];
            state.sent.extend_from_slice(passed);
            let stalled = state.sent.len() >= state.most;
            changed.notify_all();
            drop(state);
            if server.write_all(passed).is_err() {
                return;
            }
            if stalled {
                // What was sent until now stays with the server, and no more comes.
                while let Ok(1..) = client.read(&mut portion) {}
                return;
            }
        }
        let _ = server.shutdown(Shutdown::Write);
    }
}
