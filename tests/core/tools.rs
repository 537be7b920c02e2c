//! Programs that nobody here wrote, as `./test.sh` installs them.

use std::fs::File;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Where they are, if not among what was built.
const PLACE: &str = "FOUREYES_TEST_TOOLS";

/// The program of an installed tool. Fails the test where it is missing: it is never left out.
pub(crate) fn program(name: &str) -> PathBuf {
    let built = || Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("tools");
    let tools = std::env::var_os(PLACE).map_or_else(built, PathBuf::from);
    let program = tools.join(name).join("bin").join(name);
    assert!(
        program.exists(),
        "{} is missing: `./test.sh --only-install` puts it there, or ${PLACE} says where it is",
        program.display()
    );
    program
}

/// A server of someone else's, until it is dropped.
pub(crate) struct Tool {
    child: Child,
    pub(crate) port: u16,
    said: PathBuf,
    _home: tempfile::TempDir,
}

impl Tool {
    /// Starts a server on a free port and waits until it answers at `ready`.
    pub(crate) fn start(
        name: &str,
        ready: &str,
        arguments: impl FnOnce(&Path, u16) -> Vec<String>,
    ) -> Self {
        let home = tempfile::tempdir().unwrap();
        let port = free_port();
        let said = home.path().join("said");
        let out = File::create(&said).unwrap();
        let child = Command::new(program(name))
            .args(arguments(home.path(), port))
            .current_dir(home.path())
            .env("HOME", home.path())
            .env("NO_PROXY", "127.0.0.1")
            // The second start is the quicker for it.
            .env_remove("PYTHONDONTWRITEBYTECODE")
            // Else it fetches a list of prices from the network when it starts.
            .env("LITELLM_LOCAL_MODEL_COST_MAP", "True")
            .stdin(Stdio::null())
            .stdout(out.try_clone().unwrap())
            .stderr(out)
            .spawn()
            .unwrap();
        let mut tool = Self { child, port, said, _home: home };
        tool.wait(ready);
        tool
    }

    fn wait(&mut self, ready: &str) {
        let deadline = Instant::now() + Duration::from_secs(240);
        while get(self.port, ready).is_none_or(|(status, _)| status != 200) {
            let ended = self.child.try_wait().unwrap();
            if ended.is_some() || Instant::now() > deadline {
                panic!("it does not start ({ended:?}):\n{}", self.said());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// What it printed.
    pub(crate) fn said(&self) -> String {
        std::fs::read_to_string(&self.said).unwrap_or_default()
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Tool {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that nobody listens on at the moment.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// Status and body of a plain GET; nothing where nobody is there.
pub(crate) fn get(port: u16, path: &str) -> Option<(u16, String)> {
    call(port, &format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"))
}

/// Status and body of a POST of JSON.
pub(crate) fn post(port: u16, path: &str, body: &serde_json::Value) -> Option<(u16, String)> {
    let body = body.to_string();
    let length = body.len();
    let head = "host: x\r\nconnection: close\r\ncontent-type: application/json";
    call(port, &format!("POST {path} HTTP/1.1\r\n{head}\r\ncontent-length: {length}\r\n\r\n{body}"))
}

fn call(port: u16, request: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
    stream.write_all(request.as_bytes()).ok()?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).ok()?;
    let (head, body) = reply.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
}
