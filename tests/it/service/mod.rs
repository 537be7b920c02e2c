//! `foureyes serve`: the real program on a real socket, with a model behind a real HTTP server.

mod account;
mod boxes;
mod crash;
mod followed;
mod forged;
mod illegible;
mod load;
mod memories;
mod minute;
mod models;
mod openapi;
mod refused;
mod shared;
mod siege;
mod tls;
mod tokens;

pub(super) use forged::passed_on;

use crate::cli::Home;
use crate::http::{PATIENCE, Request, Server, answer};
use foureyes::domain::JudgementKind;
use foureyes::domain::Timestamp;
use foureyes::engine::judgements::{
    Judgement, JudgementRequest, RequestFile, RequestKind, SignedJudgement,
};
use foureyes::engine::prompt::JudgedFile;
use foureyes::provider::service::ServiceKeys;
use foureyes::service::token::{self, Token};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// A service, and the home that it has.
pub(super) struct Service {
    pub(super) home: Home,
    pub(super) address: SocketAddr,
    pub(super) key: String,
    child: Child,
    errors: BufReader<std::process::ChildStderr>,
}

/// What came back.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: String,
    pub(super) body: String,
}

impl Reply {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.headers.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }

    /// The name of a refusal.
    pub(super) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// The verdict of a model that finds POOR poor.
pub(super) fn says(request: &Request) -> Vec<crate::http::Action> {
    let text = request.json()["messages"].to_string();
    let (score, word) = if text.contains("POOR") { (2, "NO-GO") } else { (4, "GO") };
    let verdict = match text.contains("escalate") {
        true => json!({
            "scores": {"semantic": score, "pragmatic": 4, "syntactic": 5},
            "verdict": if score < 3 { "reject" } else { "accept" },
            "reasoning": "as it is", "improvements": [],
        }),
        false => json!({
            "scores": {"semantic": score, "pragmatic": 4, "syntactic": 5},
            "verdict": word, "findings": "as it is", "revision_suggestions": [],
        }),
    };
    answer(&verdict.to_string())
}

pub(super) fn model() -> Server {
    Server::start(says)
}

impl Service {
    /// A service that asks a model, with more lines of `[serve]` and tables after them.
    pub(super) fn start(model: &Server, serve: &str) -> Self {
        Self::start_in(Home::new(), &configuration(&model.url(), serve))
    }

    pub(super) fn start_in(home: Home, config: &str) -> Self {
        std::fs::create_dir_all(home.path().join(".config/foureyes")).unwrap();
        home.write(".config/foureyes/config.toml", config);
        let key = home.good(&["serve", "key"]).trim().to_owned();
        let mut command = home.command(&["serve"]);
        command.env("TERRAPHIM_API_KEY", "key-of-the-judge").env("NO_PROXY", "127.0.0.1");
        let mut child = command.spawn().unwrap();
        let errors = BufReader::new(child.stderr.take().unwrap());
        let unknown = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut service = Self { home, address: unknown, key, child, errors };
        let line = service.wait_for("listening on");
        let (_, rest) = line.split_once("://").unwrap();
        service.address = rest.split(';').next().unwrap().parse().unwrap();
        assert!(line.contains(&service.key), "{line}");
        service
    }

    /// Waits for a line on its standard error.
    pub(super) fn wait_for(&mut self, words: &str) -> String {
        let mut all = String::new();
        loop {
            let mut line = String::new();
            let read = self.errors.read_line(&mut line).unwrap();
            assert!(read > 0, "the service ended: {all}");
            if line.contains(words) {
                return line;
            }
            all += &line;
        }
    }

    /// Ends it at once, and starts it again on the same files.
    pub(super) fn restarted(mut self, config: &str) -> Self {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let home = std::mem::replace(&mut self.home, Home::new());
        Self::start_in(home, config)
    }

    pub(super) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }

    /// Waits for its end.
    pub(super) fn ended(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < end, "the service does not end");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    pub(super) fn tokens(&self) -> PathBuf {
        self.home.path().join(".openclaw/judge-service/tokens.toml")
    }

    /// A new token of a client, for all kinds.
    pub(super) fn token(&self, client: &str) -> String {
        self.token_with(client, |_| {})
    }

    pub(super) fn token_with(&self, client: &str, change: impl Fn(&mut Token)) -> String {
        let kinds = RequestKind::ALL.to_vec();
        let mut token = Token {
            client: client.to_owned(),
            hash: String::new(),
            kinds,
            families: Vec::new(),
            per_day: None,
            expires: None::<Timestamp>,
        };
        change(&mut token);
        token::add(&self.tokens(), token).unwrap()
    }

    pub(super) fn get(&self, path: &str, token: &str) -> Reply {
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\r\n"
        );
        exchange(self.address, request.as_bytes())
    }

    pub(super) fn post(&self, token: &str, body: &str) -> Reply {
        post(self.address, token, body)
    }

    /// Has a text judged, and checks the signature of what comes.
    pub(super) fn judged(&self, token: &str, text: &str) -> Judgement {
        let request = push(text);
        let reply = self.post(token, &body(&request));
        assert_eq!(reply.status, 200, "{}", reply.body);
        self.verified(&reply, &request)
    }

    pub(super) fn verified(&self, reply: &Reply, request: &JudgementRequest) -> Judgement {
        let signed: SignedJudgement = serde_json::from_str(&reply.body).unwrap();
        let keys = ServiceKeys::pinned(std::slice::from_ref(&self.key)).unwrap();
        let files = request.clone().take_files().unwrap();
        let content = foureyes::engine::prompt::Material::new(&files).sha();
        keys.verified(&signed, request, &content).unwrap()
    }

    /// A figure of `/metrics`.
    pub(super) fn metric(&self, name: &str) -> f64 {
        let text = self.get("/metrics", "").body;
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("foureyes_{name} ")));
        line.unwrap_or_else(|| panic!("no {name}: {text}")).parse().unwrap()
    }

    /// Waits until a figure has a value.
    pub(super) fn wait_metric(&self, name: &str, value: f64) {
        let end = Instant::now() + PATIENCE;
        while self.metric(name) != value {
            assert!(Instant::now() < end, "{name} is {}, not {value}", self.metric(name));
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    /// A directory below that of its log.
    pub(super) fn log_dir(&self, below: &str) -> PathBuf {
        self.home.path().join(".openclaw/judge-service/log").join(below)
    }

    /// The lines of its log.
    pub(super) fn log(&self) -> Vec<Value> {
        lines(&self.log_dir(""))
    }

    /// The lines of its account.
    pub(super) fn calls(&self) -> Vec<Value> {
        lines(&self.log_dir("calls"))
    }
}

/// The lines of all files of a directory, without those that are none.
fn lines(dir: &Path) -> Vec<Value> {
    let mut paths: Vec<_> = dir.read_dir().unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some());
    paths.sort();
    let text: String = paths.iter().map(|p| std::fs::read_to_string(p).unwrap()).collect();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The configuration of a service.
pub(super) fn configuration(model: &str, serve: &str) -> String {
    format!(
        "[judge]\nendpoint = \"{model}\"\nmodel = \"north-1\"\n[judges.quick]\nkind = \"chat\"\n\
         [judges.deep]\nkind = \"chat\"\n[judges.tiebreaker]\nkind = \"chat\"\n\
         [serve]\naddress = \"127.0.0.1:0\"\n{serve}\n"
    )
}

/// A request about one file, with a nonce of its own.
pub(super) fn push(text: &str) -> JudgementRequest {
    static NONCES: AtomicU64 = AtomicU64::new(0);
    let file = JudgedFile { path: b"note.md".to_vec(), bytes: text.into() };
    JudgementRequest {
        kind: JudgementKind::Push,
        tier: None,
        nonce: format!("{:032}", NONCES.fetch_add(1, Ordering::Relaxed)),
        author: None,
        others: Vec::new(),
        files: vec![RequestFile::new(&file)],
        sections: Vec::new(),
        deadline_ms: None,
    }
}

pub(super) fn body(request: &JudgementRequest) -> String {
    serde_json::to_string(request).unwrap()
}

pub(super) fn post(address: SocketAddr, token: &str, body: &str) -> Reply {
    exchange(address, posted(token, body).as_bytes())
}

pub(super) fn posted(token: &str, body: &str) -> String {
    format!(
        "POST /v1/judgements HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Sends bytes, and reads until the service closes.
pub(super) fn exchange(address: SocketAddr, bytes: &[u8]) -> Reply {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // A service that refuses may close before it has read all.
    let _ = stream.write_all(bytes);
    read(stream)
}

pub(super) fn read(mut stream: TcpStream) -> Reply {
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    let text = String::from_utf8(all).unwrap();
    let Some((headers, body)) = text.split_once("\r\n\r\n") else {
        return Reply { status: 0, headers: text, body: String::new() };
    };
    let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
    Reply { status, headers: headers.to_owned(), body: body.to_owned() }
}
