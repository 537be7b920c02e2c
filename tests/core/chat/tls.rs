//! HTTPS: who is not proved to be the endpoint gets neither the question nor the key.

use super::{KEY, ask, asked, assert_says, settings};
use crate::http::completion;
use foureyes::provider::FailureKind as Kind;
use foureyes::provider::chat::Chat;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, Stream};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};

/// Says to the test, run again in a process of its own, where the server is.
const PORT: &str = "FOUREYES_TEST_TLS_PORT";
const NAME: &str = "chat::tls::only_servers_trusted_by_system_are_asked";

fn config() -> Arc<ServerConfig> {
    let certificate = CertificateDer::from(include_bytes!("../../data/tls/server.der").to_vec());
    let key = PrivatePkcs8KeyDer::from(include_bytes!("../../data/tls/server.key.der").to_vec());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], PrivateKeyDer::Pkcs8(key))
        .unwrap();
    Arc::new(config)
}

/// Answers over TLS for the rest of the test; gives the port, and what it could decrypt.
fn serve() -> (u16, Arc<Mutex<Vec<u8>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let read = Arc::new(Mutex::new(Vec::new()));
    let shared = Arc::clone(&read);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            // A client that trusts nobody hangs up within the handshake.
            let _ = converse(stream.unwrap(), &shared);
        }
    });
    (port, read)
}

fn converse(mut tcp: TcpStream, read: &Mutex<Vec<u8>>) -> std::io::Result<()> {
    let mut tls = ServerConnection::new(config()).map_err(std::io::Error::other)?;
    let mut stream = Stream::new(&mut tls, &mut tcp);
    let mut piece = [0; 8192];
    loop {
        let length = stream.read(&mut piece)?;
        let mut all = read.lock().unwrap();
        all.extend(&piece[..length]);
        if length == 0 || all.ends_with(b"}") {
            break;
        }
    }
    let body = completion("GO over TLS").to_string();
    write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len())?;
    stream.conn.send_close_notify();
    stream.flush()
}

#[test]
fn only_servers_trusted_by_system_are_asked() {
    if let Ok(port) = std::env::var(PORT) {
        return trusting(&port);
    }
    let (port, read) = serve();
    let chat = Chat::new(settings(&format!("https://127.0.0.1:{port}"))).unwrap();
    let failure = asked(&chat, &ask()).unwrap_err();
    assert_says(&failure, Kind::Unavailable, &["TLS failed", "certificate"]);
    assert_eq!(failure.attempts, 1, "it would fail the same way");
    assert!(read.lock().unwrap().is_empty(), "a stranger was asked");

    if cfg!(target_os = "macos") {
        // There a file does not say whom the system trusts.
        return;
    }
    // Which authorities a system trusts is read once in a process: here, by another one.
    let authority = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tls/authority.pem");
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", NAME, "--nocapture"])
        .env(PORT, port.to_string())
        .env("SSL_CERT_FILE", authority)
        .env_remove("SSL_CERT_DIR")
        // Nobody listens there: this machine is asked without a proxy.
        .envs([("HTTPS_PROXY", "http://127.0.0.1:9"), ("ALL_PROXY", "http://127.0.0.1:9")])
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout).into_owned();
    assert!(child.status.success() && said.contains("1 passed"), "{child:?}");
    let read = String::from_utf8(read.lock().unwrap().clone()).unwrap();
    assert!(read.contains(&format!("authorization: Bearer {KEY}")), "{read}");
}

/// What the process does that trusts the authority of the test.
fn trusting(port: &str) {
    let chat = Chat::new(settings(&format!("https://127.0.0.1:{port}"))).unwrap();
    assert_eq!(asked(&chat, &ask()).unwrap().text, "GO over TLS");
    // The name counts too: the certificate is of the address.
    let named = Chat::new(settings(&format!("https://localhost:{port}"))).unwrap();
    assert_says(&asked(&named, &ask()).unwrap_err(), Kind::Unavailable, &["TLS failed"]);
}
