//! A real HTTP/1.1 server in the test process, as well or as badly behaved as a test wants.
//!
//! A handler sees each [`Request`] and says what is done, as [`Action`]s: the bytes of a reply
//! piece by piece, pauses, silence. After the last one the server closes the connection. It also
//! knows when the client closed its own end (see [`Server::closed`]).

use crate::call_word::{call_word, put_into, with_call};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a test waits for what must happen before it fails. It tells a hung program from a running
/// one, and measures nothing.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// How often a server that only waits looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(5);

#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// When its last byte was read.
    pub(crate) at: Instant,
}

impl Request {
    /// The first header of a name, written in small letters.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// The body as JSON; null where it is none.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// One thing that the server does with a connection, after the ones before it.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// Sends bytes as they are: a head, a part of a body, or garbage.
    Send(Vec<u8>),
    /// Sends bytes slowly: so many at once, then a pause.
    Drip { bytes: Vec<u8>, at_once: usize, pause: Duration },
    /// Sends the same bytes again and again, so many in all.
    Repeat { bytes: Vec<u8>, total: u64 },
    /// Does nothing for a time.
    Wait(Duration),
    /// Does nothing until the client closes, or the server is dropped.
    Hang,
}

/// A whole reply, with its length, after which the connection is closed.
pub(crate) fn reply(
    status: u16,
    headers: &[(&str, &str)],
    body: impl Into<Vec<u8>>,
) -> Vec<Action> {
    let body = body.into();
    let length = body.len().to_string();
    let mut all = vec![("content-length", length.as_str())];
    all.extend(headers);
    vec![Action::Send(head(status, &all)), Action::Send(body)]
}

/// A whole reply of JSON.
pub(crate) fn json(status: u16, body: &serde_json::Value) -> Vec<Action> {
    reply(status, &[("content-type", "application/json")], body.to_string())
}

/// A whole answer of a model, as OpenAI's endpoint gives it. An object in it carries the call word of
/// the request.
pub(crate) fn answer(text: &str) -> Vec<Action> {
    json(200, &completion(text))
}

/// The body of [`answer`].
pub(crate) fn completion(text: &str) -> serde_json::Value {
    let text = put_into(text);
    serde_json::json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_770_000_000,
        "model": "served-model",
        "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 120, "completion_tokens": 34, "total_tokens": 154},
    })
}

/// The status line and headers of a reply, with the empty line after them.
pub(crate) fn head(status: u16, headers: &[(&str, &str)]) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status} As-Said\r\nconnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    text.into_bytes()
}

/// One chunk of a body that is sent with `transfer-encoding: chunked`; an empty one is the end.
pub(crate) fn chunk(bytes: &[u8]) -> Action {
    let mut all = format!("{:x}\r\n", bytes.len()).into_bytes();
    all.extend(bytes);
    all.extend(b"\r\n");
    Action::Send(all)
}

/// What happened to one connection.
#[derive(Debug, Default)]
struct Seen {
    request: Option<Request>,
    /// When the client's end was found closed.
    closed: Option<Instant>,
    /// Bytes of the reply that the system took.
    sent: u64,
}

/// What the server's threads share with the test.
#[derive(Default)]
struct Outbox {
    connections: Mutex<Vec<Seen>>,
    changed: Condvar,
    over: AtomicBool,
}

type Handler = Arc<Mutex<dyn FnMut(&Request) -> Vec<Action> + Send>>;

/// The server. It ends when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    book: Arc<Outbox>,
    listening: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens on a free port of 127.0.0.1. The handler is called for one request at a time.
    pub(crate) fn start(handler: impl FnMut(&Request) -> Vec<Action> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let book = Arc::new(Outbox::default());
        let handler: Handler = Arc::new(Mutex::new(handler));
        let shared = Arc::clone(&book);
        let listening = thread::spawn(move || listen(&listener, &handler, &shared));
        Self { address, book, listening: Some(listening) }
    }

    /// Does the same for every request.
    pub(crate) fn always(actions: Vec<Action>) -> Self {
        Self::start(move |_| actions.clone())
    }

    /// Does one after the other, and the last one for all requests after that.
    pub(crate) fn in_order(mut replies: Vec<Vec<Action>>) -> Self {
        replies.reverse();
        Self::start(move |_| match replies.len() {
            0 => Vec::new(),
            1 => replies[0].clone(),
            _ => replies.pop().unwrap(),
        })
    }

    /// Its address with `http://`, without a slash at the end.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// All whole requests so far, in the order of their connections.
    pub(crate) fn requests(&self) -> Vec<Request> {
        let seen = self.book.connections.lock().unwrap();
        seen.iter().filter_map(|one| one.request.clone()).collect()
    }

    /// How many connections were made, also by those who asked nothing.
    pub(crate) fn connections(&self) -> usize {
        self.book.connections.lock().unwrap().len()
    }

    /// Bytes of the reply that the system took for a connection, counted from 0.
    pub(crate) fn sent(&self, connection: usize) -> u64 {
        self.book.connections.lock().unwrap().get(connection).map_or(0, |one| one.sent)
    }

    /// Waits until so many whole requests have arrived; fails the test where they do not.
    pub(crate) fn wait_for(&self, requests: usize, within: Duration) {
        let enough =
            |seen: &[Seen]| seen.iter().filter(|s| s.request.is_some()).count() >= requests;
        assert!(self.wait(within, enough), "{requests} requests did not arrive in {within:?}");
    }

    /// When the client closed a connection, counted from 0; nothing where it did not in time.
    ///
    /// Only a server that still does something notices: end its actions with [`Action::Hang`].
    pub(crate) fn closed(&self, connection: usize, within: Duration) -> Option<Instant> {
        self.wait(within, |seen| seen.get(connection).is_some_and(|one| one.closed.is_some()));
        self.book.connections.lock().unwrap().get(connection)?.closed
    }

    fn wait(&self, within: Duration, met: impl Fn(&[Seen]) -> bool) -> bool {
        let seen = self.book.connections.lock().unwrap();
        let (seen, _) =
            self.book.changed.wait_timeout_while(seen, within, |seen| !met(seen)).unwrap();
        met(&seen)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.book.over.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect(self.address);
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

fn listen(listener: &TcpListener, handler: &Handler, book: &Arc<Outbox>) {
    for stream in listener.incoming() {
        if book.over.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let number = {
            let mut seen = book.connections.lock().unwrap();
            seen.push(Seen::default());
            seen.len() - 1
        };
        book.changed.notify_all();
        let (handler, book) = (Arc::clone(handler), Arc::clone(book));
        thread::spawn(move || Connection { stream, number, book }.serve(&handler));
    }
}

/// The client is gone, or the server is over.
struct Gone;

struct Connection {
    stream: TcpStream,
    number: usize,
    book: Arc<Outbox>,
}

impl Connection {
    fn serve(mut self, handler: &Handler) {
        let Some(request) = self.read() else { return };
        self.note(|seen| seen.request = Some(request.clone()));
        let actions = (handler.lock().unwrap())(&request);
        let word = call_word(&request.body);
        for action in actions {
            if self.perform(with_call(action, word.as_deref())).is_err() {
                return;
            }
        }
        // So that what was sent is read before the connection is reset.
        let _ = self.stream.shutdown(std::net::Shutdown::Write);
        let _ = self.pause(Duration::from_millis(200));
    }

    fn note(&self, change: impl FnOnce(&mut Seen)) {
        change(&mut self.book.connections.lock().unwrap()[self.number]);
        self.book.changed.notify_all();
    }

    fn perform(&mut self, action: Action) -> Result<(), Gone> {
        match action {
            Action::Send(bytes) => self.send(&bytes),
            Action::Drip { bytes, at_once, pause } => {
                for piece in bytes.chunks(at_once.max(1)) {
                    self.send(piece)?;
                    self.pause(pause)?;
                }
                Ok(())
            }
            Action::Repeat { bytes, total } => {
                let mut left = total;
                while left > 0 {
                    let piece = usize::try_from(left).map_or(bytes.len(), |l| l.min(bytes.len()));
                    self.send(&bytes[..piece])?;
                    left -= piece as u64;
                }
                Ok(())
            }
            Action::Wait(time) => self.pause(time),
            Action::Hang => self.pause(Duration::from_secs(600)),
        }
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        let mut left = bytes;
        while !left.is_empty() {
            if self.book.over.load(Ordering::SeqCst) {
                return Err(Gone);
            }
            match self.stream.write(left) {
                Ok(0) => return self.gone(),
                Ok(taken) => {
                    left = &left[taken..];
                    self.note(|seen| seen.sent += taken as u64);
                }
                Err(e) if is_pause(e.kind()) => {}
                Err(_) => return self.gone(),
            }
        }
        Ok(())
    }

    /// Waits, and looks meanwhile whether the client closes.
    fn pause(&mut self, time: Duration) -> Result<(), Gone> {
        let end = Instant::now() + time;
        let mut scratch = [0; 512];
        while Instant::now() < end {
            if self.book.over.load(Ordering::SeqCst) {
                return Err(Gone);
            }
            match self.stream.read(&mut scratch) {
                Ok(0) => return self.gone(),
                Ok(_) => {}
                Err(e) if is_pause(e.kind()) => {}
                Err(_) => return self.gone(),
            }
        }
        Ok(())
    }

    fn gone(&self) -> Result<(), Gone> {
        self.note(|seen| seen.closed = Some(Instant::now()));
        Err(Gone)
    }

    /// One request, or nothing where the client says something else or leaves.
    fn read(&mut self) -> Option<Request> {
        self.stream.set_read_timeout(Some(LOOK)).ok()?;
        self.stream.set_write_timeout(Some(Duration::from_millis(100))).ok()?;
        self.stream.set_nodelay(true).ok()?;
        let mut bytes = Vec::new();
        let end = loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break end;
            }
            self.more(&mut bytes)?;
            if !bytes[0].is_ascii_uppercase() {
                // No HTTP: said, as any server says it.
                let _ = self.send(&head(400, &[]));
                return None;
            }
        };
        let (method, path, headers) = parse(std::str::from_utf8(&bytes[..end]).ok()?)?;
        let find = |name: &str| headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
        let length = find("content-length").map_or(Some(0), |v| v.parse::<usize>().ok())?;
        while bytes.len() < end + 4 + length {
            self.more(&mut bytes)?;
        }
        let body = bytes[end + 4..].to_vec();
        Some(Request { method, path, headers, body, at: Instant::now() })
    }

    fn more(&mut self, bytes: &mut Vec<u8>) -> Option<()> {
        let mut piece = [0; 16 << 10];
        loop {
            if self.book.over.load(Ordering::SeqCst) {
                return None;
            }
            match self.stream.read(&mut piece) {
                Ok(0) => return self.gone().ok(),
                Ok(read) => {
                    bytes.extend(&piece[..read]);
                    return Some(());
                }
                Err(e) if is_pause(e.kind()) => {}
                Err(_) => return self.gone().ok(),
            }
        }
    }
}

fn is_pause(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

type Head = (String, String, Vec<(String, String)>);

fn parse(text: &str) -> Option<Head> {
    let mut lines = text.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    Some((method, path, headers))
}
