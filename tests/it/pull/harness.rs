//! A real sshd with keys of its own, and a forwarder in front of it that can cut, stall and count.

use foureyes::config::{BoxConfig, Config, Place, PullConfig, Remote};
use foureyes::domain::Timestamp;
use foureyes::files::paths::DataDir;
use foureyes::pull::{self, BoxPull, PullState};
use foureyes::store::mirror::{self, MirrorFile};
use foureyes::store::state::{BoxRecord, Fact};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The sshd, its keys, and a directory for everything; all gone when dropped.
pub(in super::super) struct Lab {
    pub(in super::super) dir: tempfile::TempDir,
    pub(in super::super) port: u16,
    sshd: Child,
}

fn run(program: &str, args: &[&str]) {
    let ran = Command::new(program).args(args).stdout(Stdio::null()).status();
    assert!(ran.unwrap_or_else(|e| panic!("{program} is needed: {e}")).success(), "{program}");
}

impl Lab {
    /// Starts it. `options` are more lines for sshd's configuration.
    pub(in super::super) fn with(options: &str) -> Self {
        let dir = tempfile::Builder::new().prefix("lab").tempdir_in("/tmp").unwrap();
        let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        for key in ["host", "other", "key", "stranger"] {
            run("ssh-keygen", &["-q", "-t", "ed25519", "-N", "", "-C", key, "-f", &at(key)]);
        }
        // As root, sshd insists on a directory that a boot would have made.
        let _ = std::fs::create_dir_all("/run/sshd");
        std::fs::copy(at("key.pub"), at("authorized_keys")).unwrap();
        std::fs::write(at("ssh_config"), "IdentitiesOnly yes\nIdentityAgent none\nGlobalKnownHostsFile /dev/null\nKexAlgorithms curve25519-sha256\n").unwrap();
        std::fs::write(
            at("known_hosts"),
            format!("* {}", std::fs::read_to_string(at("host.pub")).unwrap()),
        )
        .unwrap();
        // A free port may be taken by another test before sshd has it.
        let (port, sshd) =
            (0..10).find_map(|_| super::sshd::serve(dir.path(), options)).expect("a free port");
        let lab = Self { dir, port, sshd };
        std::fs::create_dir(lab.at("logs")).unwrap();
        lab
    }

    pub(in super::super) fn new() -> Self {
        Self::with("")
    }

    pub(in super::super) fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// A file below the directory of logs.
    pub(in super::super) fn log(&self, name: &str) -> PathBuf {
        self.at("logs").join(name)
    }

    pub(in super::super) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.log(name), bytes).unwrap();
    }

    pub(in super::super) fn append(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let mut file = std::fs::File::options().append(true).open(self.log(name)).unwrap();
        file.write_all(bytes.as_ref()).unwrap();
    }

    /// Makes every login run a script in place of what was asked for; that is `$SSH_ORIGINAL_COMMAND`.
    pub(in super::super) fn login(&self, script: &str) {
        let path = self.at("login.sh");
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let key = std::fs::read_to_string(self.at("key.pub")).unwrap();
        let line = format!("command=\"{}\" {key}", path.display());
        std::fs::write(self.at("authorized_keys"), line).unwrap();
    }

    pub(in super::super) fn remote(&self, port: u16) -> Remote {
        Remote {
            host: "127.0.0.1".into(),
            user: Some(whoami()),
            port: Some(port),
            ssh_config: Some(self.at("ssh_config")),
            identity: Some(self.at("key")),
            known_hosts: Some(self.at("known_hosts")),
        }
    }

    pub(in super::super) fn a_box(&self, name: &str, port: u16) -> BoxConfig {
        BoxConfig {
            name: name.into(),
            place: Place::Ssh(self.remote(port)),
            logs: vec![self.at("logs").to_str().unwrap().into()],
            overrides: self.at("overrides").to_str().unwrap().into(),
            prompt: None,
            may_block: false,
        }
    }

    pub(in super::super) fn config(&self) -> Config {
        let pull = PullConfig {
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(10),
            ..PullConfig::default()
        };
        Config { boxes: vec![self.a_box("box", self.port)], pull, ..Config::default() }
    }

    pub(in super::super) fn data(&self) -> DataDir {
        DataDir::at(self.at("data"))
    }

    /// Pulls the one box, which must go well.
    pub(in super::super) fn pull(&self) -> BoxPull {
        let pull = self.pull_with(&self.config());
        assert_eq!(pull.state, PullState::Done, "{:?}", pull.error.map(|e| e.full()));
        pull
    }

    /// Pulls the one box of a configuration.
    pub(in super::super) fn pull_with(&self, config: &Config) -> BoxPull {
        self.pull_all(config).remove(0)
    }

    /// Pulls the one box of a configuration, with a clock for its speed.
    pub(in super::super) fn pull_by(&self, config: &Config, clock: &pull::Clock) -> BoxPull {
        let (data, clock) = (self.data(), Arc::clone(clock));
        let pulling = pull::run_by(config, &data, now(), Arc::new(|_, _| {}), clock);
        let pull = runtime().block_on(pulling).remove(0);
        self.nothing_left();
        pull
    }

    /// Pulls, and checks that nothing of it stays behind.
    pub(in super::super) fn pull_all(&self, config: &Config) -> Vec<BoxPull> {
        let pulls = pull_in(config, &self.data());
        self.nothing_left();
        pulls
    }

    /// Waits until no ssh of ours runs and no control directory is there.
    pub(in super::super) fn nothing_left(&self) {
        let end = Instant::now() + Duration::from_secs(3);
        let base = self.data().cache().join("ssh");
        loop {
            let left = processes_with(base.to_str().unwrap());
            let dirs = std::fs::read_dir(&base).map_or(0, Iterator::count);
            if left.is_empty() && dirs == 0 {
                return;
            }
            assert!(Instant::now() < end, "left behind: {left:?}, {dirs} directories");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub(in super::super) fn mirror(&self) -> (Vec<MirrorFile>, BoxRecord) {
        mirror::files(&self.data(), "box").unwrap()
    }

    /// Content of the live copy of a log.
    pub(in super::super) fn copy(&self, name: &str) -> Vec<u8> {
        let path = self.log(name).to_str().unwrap().to_owned();
        let (files, _) = self.mirror();
        let live: Vec<_> = files.iter().filter(|f| f.live && f.remote == path).collect();
        assert_eq!(live.len(), 1, "live copies of {name}: {files:?}");
        content(live[0])
    }

    /// Asserts that live copies are what the logs are.
    pub(in super::super) fn assert_identical(&self, names: &[&str]) {
        for name in names {
            assert!(self.copy(name) == std::fs::read(self.log(name)).unwrap(), "{name} differs");
        }
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = self.sshd.kill();
        let _ = self.sshd.wait();
    }
}

pub(in super::super) fn content(file: &MirrorFile) -> Vec<u8> {
    let mut bytes = std::fs::read(&file.local).unwrap();
    assert!(bytes.len() as u64 >= file.committed);
    bytes.truncate(usize::try_from(file.committed).unwrap());
    bytes
}

thread_local! {
    /// One for each test: a run of all of them takes longer than a box's clock may differ.
    static NOW: Timestamp = Timestamp(jiff::Timestamp::now().as_microsecond());
}

/// The clock of the machine as a test's first use of it found it, which is what the box has too:
/// another one would be noticed.
pub(in super::super) fn now() -> Timestamp {
    NOW.with(|now| *now)
}

pub(in super::super) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

pub(in super::super) fn pull_in(config: &Config, data: &DataDir) -> Vec<BoxPull> {
    runtime().block_on(pull::run(config, data, now(), Arc::new(|_, _| {})))
}

pub(in super::super) fn facts(pull: &BoxPull) -> Vec<Fact> {
    pull.notices.iter().map(|n| n.fact.clone()).collect()
}

pub(in super::super) fn whoami() -> String {
    let id = Command::new("id").arg("-un").output().unwrap();
    String::from_utf8(id.stdout).unwrap().trim().to_owned()
}

/// A port on which nothing listens: below those that the system gives away, and each only once.
pub(in super::super) fn free_port() -> u16 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let first = u64::from(std::process::id()) % 100 * 100;
    let port = |_| 20_000 + ((first + NEXT.fetch_add(1, SeqCst)) % 10_000) as u16;
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    (0..1000).map(port).find(is_free).expect("a free port")
}

/// Command lines of living processes that hold a text.
pub(in super::super) fn processes_with(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let bytes = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&bytes).replace('\0', " ");
        if line.contains(text) && line.starts_with("ssh") {
            found.push(line);
        }
    }
    found
}

/// Deterministic lines that compress about as logs do.
pub(in super::super) fn lines(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2).wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut text = Vec::new();
    for i in 0..count {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let hash = blake3::hash(&state.to_le_bytes()).to_hex();
        writeln!(text, r#"{{"commit":"{hash}","n":{i},"verdict":"GO","findings":"all is well"}}"#)
            .unwrap();
    }
    text
}

/// What a forwarder does with a connection; bytes are those that come from the box.
#[derive(Clone, Copy)]
pub(in super::super) enum Wire {
    /// Nothing.
    Plain,
    /// Ends it after so many bytes.
    Cut(u64),
    /// Lets nothing through any more after so many bytes, and keeps it open.
    Stall(u64),
    /// Lets so many bytes a second through.
    Slow(u64),
}

/// A forwarder to a port of this machine.
pub(in super::super) struct Forwarder {
    pub(in super::super) port: u16,
    state: Arc<State>,
}

struct State {
    wire: Mutex<Wire>,
    to: u16,
    bytes: AtomicU64,
    cuts: AtomicU64,
    connections: AtomicU64,
    over: AtomicBool,
}

impl Forwarder {
    pub(in super::super) fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap().port();
        let state = Arc::new(State {
            wire: Mutex::new(Wire::Plain),
            to: port,
            bytes: AtomicU64::new(0),
            cuts: AtomicU64::new(0),
            connections: AtomicU64::new(0),
            over: AtomicBool::new(false),
        });
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if shared.over.load(SeqCst) {
                    return;
                }
                let state = Arc::clone(&shared);
                std::thread::spawn(move || state.forward(client));
            }
        });
        Self { port: at, state }
    }

    pub(in super::super) fn set(&self, wire: Wire) {
        *self.state.wire.lock().unwrap() = wire;
    }

    /// Bytes that passed, both ways.
    pub(in super::super) fn bytes(&self) -> u64 {
        self.state.bytes.load(SeqCst)
    }

    pub(in super::super) fn cuts(&self) -> u64 {
        self.state.cuts.load(SeqCst)
    }

    pub(in super::super) fn connections(&self) -> u64 {
        self.state.connections.load(SeqCst)
    }
}

impl Drop for Forwarder {
    fn drop(&mut self) {
        self.state.over.store(true, SeqCst);
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

impl State {
    fn forward(self: Arc<Self>, client: TcpStream) {
        self.connections.fetch_add(1, SeqCst);
        let wire = *self.wire.lock().unwrap();
        let Ok(server) = TcpStream::connect(("127.0.0.1", self.to)) else { return };
        let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        let up = Arc::clone(&self);
        std::thread::spawn(move || up.copy(from, to, Wire::Plain));
        self.copy(server, client, wire);
    }

    fn copy(&self, mut from: TcpStream, mut to: TcpStream, wire: Wire) {
        let mut passed = 0;
        let mut buffer = vec![0; 256 << 10];
        loop {
            let most = match wire {
                Wire::Plain => buffer.len() as u64,
                Wire::Cut(at) | Wire::Stall(at) => at.saturating_sub(passed),
                Wire::Slow(rate) => (rate / 20).max(1),
            };
            if most == 0 {
                if matches!(wire, Wire::Stall(_)) && !self.over.load(SeqCst) {
                    std::thread::sleep(Duration::from_millis(20));
                    continue;
                }
                self.cuts.fetch_add(1, SeqCst);
                break;
            }
            let most = usize::try_from(most).unwrap().min(buffer.len());
            let Ok(n @ 1..) = from.read(&mut buffer[..most]) else { break };
            if to.write_all(&buffer[..n]).is_err() {
                break;
            }
            passed += n as u64;
            self.bytes.fetch_add(n as u64, SeqCst);
            if matches!(wire, Wire::Slow(_)) {
                std::thread::sleep(Duration::from_millis(50));
            }
        }
        let _ = from.shutdown(Shutdown::Both);
        let _ = to.shutdown(Shutdown::Both);
    }
}

pub(in super::super) fn exists(program: &str) -> PathBuf {
    let found = ["/usr/bin", "/bin"].map(|d| Path::new(d).join(program));
    found.into_iter().find(|p| p.exists()).unwrap_or_else(|| panic!("{program} is needed"))
}
