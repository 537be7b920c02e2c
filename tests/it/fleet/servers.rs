//! Two ClickHouse servers on the loopback, each with a directory, ports and users of its own.

use crate::http::PATIENCE;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The two that most tests share, each test in a database of its own.
pub(crate) static SHARED: LazyLock<Servers> = LazyLock::new(Servers::start);

/// A cluster of two shards.
pub(crate) struct Servers {
    dir: tempfile::TempDir,
    pub(crate) ports: [u16; 2],
    nodes: [Child; 2],
}

/// Ports of a node: HTTP, between servers, and for their copies.
type Ports = [u16; 3];

impl Servers {
    pub(crate) fn start() -> Self {
        Self::of(|[one, other]| format!("{}{}", shard(&[one]), shard(&[other])))
    }

    /// Two replicas of one shard.
    pub(crate) fn replicas() -> Self {
        Self::of(|both| shard(&both))
    }

    /// Those of a cluster that is made of their ports.
    fn of(cluster: impl Fn([u16; 2]) -> String) -> Self {
        let dir = tempfile::tempdir().unwrap();
        // Held until all are chosen, so that no two are the same.
        let held: Vec<TcpListener> =
            (0..6).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let port = |at: usize| held[at].local_addr().unwrap().port();
        let ports: [Ports; 2] = [[port(0), port(1), port(2)], [port(3), port(4), port(5)]];
        drop(held);
        let cluster = cluster(ports.map(|[_, tcp, _]| tcp));
        let nodes = [0, 1].map(|at| {
            let home = dir.path().join(format!("n{at}"));
            configure(&home, ports[at], &cluster);
            run(&home)
        });
        let servers = Self { dir, ports: ports.map(|[http, ..]| http), nodes };
        servers.ports.iter().for_each(|port| until_up(*port));
        servers
    }

    /// The directory for files of users of a node.
    pub(crate) fn users_d(&self, node: usize) -> PathBuf {
        self.dir.path().join(format!("n{node}/users.d"))
    }

    /// Ends a node at once.
    pub(crate) fn kill(&mut self, node: usize) {
        end(&mut self.nodes[node]);
    }

    /// Starts a node that was ended.
    pub(crate) fn restart(&mut self, node: usize) {
        self.nodes[node] = run(&self.dir.path().join(format!("n{node}")));
        until_up(self.ports[node]);
    }

    /// Asks a node without the program; it must answer.
    pub(crate) fn sql(&self, node: usize, statement: &str) -> Vec<u8> {
        let (status, body) = post(self.ports[node], statement);
        assert_eq!(status, 200, "{statement}: {}", String::from_utf8_lossy(&body));
        body
    }

    /// The same as text.
    pub(crate) fn ask(&self, statement: &str) -> String {
        String::from_utf8(self.sql(0, statement)).unwrap().trim().to_owned()
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.nodes.iter_mut().for_each(end);
    }
}

/// A shard whose replicas have these ports.
fn shard(ports: &[u16]) -> String {
    let replica =
        |port: &u16| format!("<replica><host>127.0.0.1</host><port>{port}</port></replica>");
    let replicas: String = ports.iter().map(replica).collect();
    format!("<shard><internal_replication>true</internal_replication>{replicas}</shard>")
}

/// The name of a database that no other test uses.
pub(crate) fn database() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("test{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

fn configure(home: &Path, [http, tcp, copies]: Ports, shards: &str) {
    std::fs::create_dir_all(home.join("users.d")).unwrap();
    let place = home.display();
    let config = format!(
        "<yandex><logger><level>error</level><console>1</console></logger>\
         <http_port>{http}</http_port><tcp_port>{tcp}</tcp_port>\
         <interserver_http_port>{copies}</interserver_http_port>\
         <listen_host>127.0.0.1</listen_host><path>{place}/data/</path>\
         <tmp_path>{place}/tmp/</tmp_path><users_config>{place}/users.xml</users_config>\
         <default_profile>default</default_profile><default_database>default</default_database>\
         <mark_cache_size>67108864</mark_cache_size><uncompressed_cache_size>0</uncompressed_cache_size>\
         <remote_servers><foureyes>{shards}</foureyes></remote_servers></yandex>"
    );
    std::fs::write(home.join("config.xml"), config).unwrap();
    let users = "<yandex><profiles><default/></profiles><users><default><password/>\
                 <networks><ip>127.0.0.1</ip></networks><profile>default</profile>\
                 <quota>default</quota></default></users><quotas><default/></quotas></yandex>";
    std::fs::write(home.join("users.xml"), users).unwrap();
}

/// Starts a node. It ends with its standard input: also where this process is killed.
fn run(home: &Path) -> Child {
    // Debian's package has a program of that name; others have one program for everything.
    let places = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"];
    let all = ["clickhouse-server", "clickhouse"];
    let mut all = all.iter().flat_map(|name| places.map(|place| Path::new(place).join(name)));
    let program = all.find(|program| program.exists());
    let program = program.expect("there is no clickhouse-server: run ./test.sh --only-install");
    let server = if program.ends_with("clickhouse") { "server" } else { "" };
    let script = "\"$1\" $4 --config-file=\"$2\" </dev/null >\"$3\" 2>&1 & read -r _; kill -9 $!";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh"]).arg(program).arg(home.join("config.xml"));
    command.arg(home.join("log")).arg(server).current_dir(home).stdin(Stdio::piped());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn end(node: &mut Child) {
    drop(node.stdin.take());
    let _ = node.wait();
}

fn until_up(port: u16) {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() && post(port, "SELECT 1").0 == 200 {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("clickhouse-server did not come up on port {port}");
}

/// Status and body of a reply; status 0 where there is none.
fn post(port: u16, statement: &str) -> (u16, Vec<u8>) {
    let exchange = || -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let length = statement.len();
        write!(
            stream,
            "POST /?wait_end_of_query=1 HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{statement}"
        )?;
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply)?;
        Ok(reply)
    };
    let reply = exchange().unwrap_or_default();
    let end = reply.windows(4).position(|w| w == b"\r\n\r\n").map_or(reply.len(), |at| at + 4);
    let status = reply.get(9..12).and_then(|s| std::str::from_utf8(s).ok()?.parse().ok());
    (status.unwrap_or(0), reply[end..].to_vec())
}
