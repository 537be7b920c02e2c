//! TLS, ended by another program before the server.

use super::{Desk, SHARED, database, generated};
use crate::cli::Home;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, Stream};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// Ends TLS before a port; gives its own.
fn terminator(to: u16) -> u16 {
    let certificate = CertificateDer::from(include_bytes!("../../data/tls/server.der").to_vec());
    let key = PrivatePkcs8KeyDer::from(include_bytes!("../../data/tls/server.key.der").to_vec());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], PrivateKeyDer::Pkcs8(key));
    let config = Arc::new(config.unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let config = Arc::clone(&config);
            // Who trusts nobody hangs up within the handshake.
            std::thread::spawn(move || pass(client, to, config));
        }
    });
    port
}

/// Passes on one request and its reply.
fn pass(mut client: TcpStream, to: u16, config: Arc<ServerConfig>) -> io::Result<()> {
    let mut tls = ServerConnection::new(config).map_err(io::Error::other)?;
    let mut stream = Stream::new(&mut tls, &mut client);
    let (mut request, mut portion) = (Vec::new(), [0; 1 << 14]);
    while !is_whole(&request) {
        match stream.read(&mut portion)? {
            0 => return Ok(()),
            got => request.extend_from_slice(&portion[..got]),
        }
    }
    let mut server = TcpStream::connect(("127.0.0.1", to))?;
    // The server would keep the connection, and there is one for each request here.
    let end = request.windows(2).position(|w| w == b"\r\n").unwrap();
    server.write_all(&request[..end])?;
    server.write_all(b"\r\nconnection: close")?;
    server.write_all(&request[end..])?;
    let mut reply = Vec::new();
    server.read_to_end(&mut reply)?;
    stream.write_all(&reply)?;
    stream.conn.send_close_notify();
    stream.flush()
}

fn is_whole(request: &[u8]) -> bool {
    let Some(end) = request.windows(4).position(|w| w == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&request[..end]).to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
    request.len() >= end + 4 + length
}

#[test]
fn only_the_configured_authority_is_trusted() {
    let (made, name) = (Home::new(), database());
    let boxes = generated(&made, 200, 13);
    let desk = Desk::new("anna", &boxes, &SHARED.ports, &name);
    desk.good(&["fleet", "init"]);
    let ports = SHARED.ports.map(terminator);
    let addresses = ports.map(|port| format!("https://127.0.0.1:{port}"));
    let ca = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tls/authority.pem");
    let with = |ca: &str| {
        desk.configure_at(&boxes, &addresses, &name, &format!("user = \"default\"\n{ca}"))
    };
    with("");
    let refused = desk.run(&["fleet", "publish"]);
    assert_eq!(refused.code, 69, "{}", refused.err);
    assert!(refused.err.contains("2 of 2 nodes did not answer"), "{}", refused.err);
    assert!(refused.err.contains("TLS failed"), "{}", refused.err);
    with(&format!("ca = \"{ca}\""));
    assert_eq!(desk.publish()["known_files"], desk.json(&["fleet", "status"])["files"]);
    assert_eq!(desk.json(&["fleet", "status"])["accounting"]["records"], 200);
    let empty = desk.home.write("empty.pem", "nothing\n");
    with(&format!("ca = \"{}\"", empty.display()));
    let refused = desk.run(&["fleet", "status"]);
    assert_eq!(refused.code, 64, "{}", refused.err);
    assert!(refused.err.contains("has no certificate"), "{}", refused.err);
    // Another machine is not spoken to in plain http, whatever it is called.
    desk.configure_at(
        &boxes,
        &["http://click.example".into(), "http://10.0.0.1".into()],
        &name,
        "",
    );
    let refused = desk.run(&["fleet", "status"]);
    assert_eq!(refused.code, 64, "{}", refused.err);
    assert!(refused.err.contains("plain http"), "{}", refused.err);
}
