//! TLS, and a client that nobody here wrote.

use super::{Service, body, configuration, model, push};
use crate::cli::Home;
use crate::http::PATIENCE;
use std::io::Write;
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tls").join(name)
}

/// A file in DER as one in PEM.
fn pem(home: &Home, name: &str, label: &str) -> PathBuf {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in std::fs::read(fixture(name)).unwrap().chunks(3) {
        let bytes = [chunk, &[0; 3][chunk.len()..]].concat();
        let bits = bytes.iter().fold(0, |bits, byte| bits << 8 | usize::from(*byte));
        for place in 0..4 {
            let digit = char::from(DIGITS[bits >> (18 - 6 * place) & 63]);
            text.push(if place > chunk.len() { '=' } else { digit });
        }
    }
    let lines: Vec<&str> =
        (0..text.len()).step_by(64).map(|at| &text[at..text.len().min(at + 64)]).collect();
    let text = format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"));
    let path = home.write(&name.replace(".der", ".pem"), text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    path
}

#[test]
fn private_key_that_others_may_read_is_not_used() {
    let home = Home::new();
    std::fs::create_dir_all(home.path().join(".config/foureyes")).unwrap();
    home.good(&["serve", "key"]);
    let (certificate, key) =
        (pem(&home, "server.der", "CERTIFICATE"), pem(&home, "server.key.der", "PRIVATE KEY"));
    let serve = format!("certificate = {certificate:?}\ncertificate_key = {key:?}");
    home.write(".config/foureyes/config.toml", configuration("http://127.0.0.1:9", &serve));
    let signing = home.path().join(".openclaw/judge-service/signing.key");
    for (open, mode) in [(&key, 0o644), (&key, 0o640), (&key, 0o604), (&signing, 0o644)] {
        std::fs::set_permissions(open, std::fs::Permissions::from_mode(mode)).unwrap();
        let mut command = home.command(&["serve"]);
        let output = command.env("TERRAPHIM_API_KEY", "k").output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        let named = open.file_name().unwrap().to_str().unwrap();
        assert_eq!(output.status.code(), Some(64), "{err}");
        assert!(err.contains(named) && err.contains("chmod 600"), "{mode:o}: {err}");
        std::fs::set_permissions(open, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
}

#[test]
fn curl_has_a_content_judged_over_tls() {
    let model = model();
    let home = Home::new();
    let certificate = pem(&home, "server.der", "CERTIFICATE");
    let key = pem(&home, "server.key.der", "PRIVATE KEY");
    let serve =
        format!("certificate = {certificate:?}\ncertificate_key = {key:?}\nheader_timeout_s = 1");
    let service = Service::start_in(home, &configuration(&model.url(), &serve));
    let token = service.token("box");
    let url = format!("https://{}/v1/judgements", service.address);
    let curl = |authority: &Path| {
        let request = push("text POOR");
        let mut command = Command::new("curl");
        command.args([
            "-sS",
            "--noproxy",
            "*",
            "--max-time",
            "60",
            "-w",
            "\n%{http_code}",
            "--cacert",
        ]);
        command.arg(authority).args(["-H", &format!("Authorization: Bearer {token}")]);
        command.args(["-H", "Content-Type: application/json", "-d", &body(&request), &url]);
        (command.output().unwrap(), request)
    };
    let (output, request) = curl(&fixture("authority.pem"));
    let text = String::from_utf8(output.stdout).unwrap();
    let (answer, status) = text.rsplit_once('\n').unwrap();
    assert_eq!(status, "200", "{answer}");
    let reply = super::Reply { status: 200, headers: String::new(), body: answer.to_owned() };
    assert_eq!(service.verified(&reply, &request).evaluation.verdict, "NO-GO");
    // A client that does not trust the authority asks nothing.
    assert!(!curl(Path::new("/dev/null")).0.status.success());
    assert_eq!(model.requests().len(), 1);
    // What is not TLS, and what begins it and never goes on, ends.
    for bytes in ["GET / HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}"] {
        let mut stream = TcpStream::connect(service.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(bytes.as_bytes()).unwrap();
        let mut all = Vec::new();
        let _ = std::io::Read::read_to_end(&mut stream, &mut all);
        assert!(!String::from_utf8_lossy(&all).contains("HTTP/1.1 200"));
    }
    let (output, _) = curl(&fixture("authority.pem"));
    assert!(output.status.success());
}
