//! A gateway before a node that answers one of the statements in its own way.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What it does to a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// The number of an error in a header, status 200, and nothing else.
    Coded,
    /// A page to log in, with status 200.
    Page,
    /// The words of an error, with status 200.
    Worded,
    /// Nothing, with status 200: the node never sees the statement.
    Lost,
    /// What the node replies, without its last byte.
    Cut,
}

/// The gateway.
#[derive(Clone)]
pub(super) struct Gateway {
    pub(super) port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The statements since the last fault was set.
    seen: Vec<String>,
    fault: Option<(usize, Fault)>,
}

impl Gateway {
    pub(super) fn before(node: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let gateway = Self { port, state: Arc::default() };
        let serving = gateway.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let gateway = serving.clone();
                std::thread::spawn(move || gateway.answer(client, node));
            }
        });
        gateway
    }

    /// From now on the statement with this number, from 0, gets that; or none does. Gives the statements until now.
    pub(super) fn set(&self, fault: Option<(usize, Fault)>) -> Vec<String> {
        let mut state = self.state.lock().unwrap();
        state.fault = fault;
        std::mem::take(&mut state.seen)
    }

    fn answer(&self, mut client: TcpStream, node: u16) -> Option<()> {
        let (head, body) = request(&mut client)?;
        let target = head.split(' ').nth(1)?.to_owned();
        let statement = match target.split_once("&query=") {
            Some((_, query)) => query.split('&').next()?.replace('+', " "),
            None => String::from_utf8_lossy(&body).into_owned(),
        };
        let fault = {
            let mut state = self.state.lock().unwrap();
            let at = state.seen.len();
            state.seen.push(statement);
            state.fault.filter(|(which, _)| *which == at).map(|(_, fault)| fault)
        };
        let text = "Content-Type: text/plain\r\n";
        let words = b"Code: 241, e.displayText() = DB::Exception: Memory limit exceeded, e.what() = DB::Exception";
        let reply = match fault {
            Some(Fault::Coded) => reply("X-ClickHouse-Exception-Code: 209\r\n", b""),
            Some(Fault::Page) => reply("Content-Type: text/html\r\n", b"<html>Log in</html>"),
            Some(Fault::Worded) => reply(text, words),
            Some(Fault::Lost) => reply(text, b""),
            Some(Fault::Cut) | None => {
                let (status, headers, body) = pass(node, &target, &head, &body)?;
                let end = body.len().saturating_sub(usize::from(fault.is_some()));
                let head = format!(
                    "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {end}\r\n{headers}\r\n"
                );
                [head.as_bytes(), &body[..end]].concat()
            }
        };
        client.write_all(&reply).ok()
    }
}

fn reply(headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// The head and the body of a request.
fn request(client: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let (mut got, mut portion) = (Vec::new(), [0; 1 << 14]);
    loop {
        let end = got.windows(4).position(|w| w == b"\r\n\r\n").map(|at| at + 4);
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&got[..end]).into_owned();
            let lower = head.to_lowercase();
            let length = lower.split_once("content-length: ").map_or("0", |(_, rest)| rest);
            let length: usize = length.split("\r\n").next()?.trim().parse().ok()?;
            if got.len() >= end + length {
                return Some((head, got[end..end + length].to_vec()));
            }
        }
        match client.read(&mut portion).ok()? {
            0 => return None,
            count => got.extend_from_slice(&portion[..count]),
        }
    }
}

/// Status, headers and body of the reply of the node.
fn pass(node: u16, target: &str, head: &str, body: &[u8]) -> Option<(String, String, Vec<u8>)> {
    let mut stream = TcpStream::connect(("127.0.0.1", node)).ok()?;
    let user = head.lines().filter(|line| line.to_lowercase().starts_with("x-clickhouse-"));
    let user: String = user.map(|line| format!("{line}\r\n")).collect();
    let length = body.len();
    write!(stream, "POST {target} HTTP/1.0\r\n{user}Content-Length: {length}\r\n\r\n").ok()?;
    stream.write_all(body).ok()?;
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).ok()?;
    let end = reply.windows(4).position(|w| w == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&reply[..end]).into_owned();
    let status = head.lines().next()?.split_once(' ')?.1.to_owned();
    let kept =
        head.lines().filter(|line| line.to_lowercase().starts_with("x-clickhouse-exception"));
    let kept: String = kept.map(|line| format!("{line}\r\n")).collect();
    Some((status, kept, reply[end..].to_vec()))
}
