//! Starting an sshd that listens where it is expected to.

use super::free_port;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Starts sshd on a free port; `None` where the port was no longer free. That a port answers is no sign: it may be
/// that of another test.
pub(super) fn serve(dir: &Path, options: &str) -> Option<(u16, Child)> {
    let at = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let port = free_port();
    let config = format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nPidFile none\nAuthorizedKeysFile {}\nPermitRootLogin prohibit-password\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nUsePAM no\nStrictModes no\nUseDNS no\nMaxStartups 100\n{options}\n",
        at("host"),
        at("authorized_keys")
    );
    std::fs::write(at("sshd_config"), config).unwrap();
    let log = std::fs::File::create(at("sshd.log")).unwrap();
    let mut sshd = Command::new("/usr/sbin/sshd")
        .args(["-D", "-e", "-f", &at("sshd_config")])
        .stderr(log)
        .spawn()
        .expect("sshd is needed for these tests");
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        let log = std::fs::read_to_string(at("sshd.log")).unwrap_or_default();
        if log.contains(&format!("Server listening on 127.0.0.1 port {port}.")) {
            return Some((port, sshd));
        }
        if sshd.try_wait().unwrap().is_some() {
            assert!(log.contains("Address already in use"), "sshd ended: {log}");
            return None;
        }
        assert!(Instant::now() < end, "sshd does not listen: {log}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
