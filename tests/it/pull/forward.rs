use super::harness::*;
use foureyes::source::ssh::Link;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// A server of the box's loopback that says each word back, for one caller.
fn echo() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut caller, _) = listener.accept().unwrap();
        let mut word = [0; 5];
        caller.read_exact(&mut word).unwrap();
        caller.write_all(&word).unwrap();
    });
    port
}

async fn open(lab: &Lab) -> Link {
    let (cache, second) = (lab.data().cache().to_owned(), Duration::from_secs(10));
    Link::open(&lab.remote(lab.port), &cache, second, second).await.unwrap()
}

#[test]
fn box_port_is_reachable_only_through_its_session() {
    let lab = Lab::new();
    runtime().block_on(async {
        let link = open(&lab).await;
        let path = link.forward(echo()).await.unwrap();
        let mut there = UnixStream::connect(&path).unwrap();
        there.write_all(b"hello").unwrap();
        let mut back = [0; 5];
        there.read_exact(&mut back).unwrap();
        assert_eq!(&back, b"hello");
        let private = path.parent().unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(private & 0o777, 0o700, "the directory of the socket is closed to others");
        drop(link);
        assert!(!path.exists(), "the way ends with the session");
    });
    lab.nothing_left();
}

#[test]
fn two_forwards_of_one_session_are_separate_and_closed_port_fails() {
    let lab = Lab::new();
    runtime().block_on(async {
        let link = open(&lab).await;
        let (first, second) =
            (link.forward(echo()).await.unwrap(), link.forward(free_port()).await.unwrap());
        assert_ne!(first, second);
        // ssh takes the connection and ends it, since nobody listens on the box.
        let mut closed = UnixStream::connect(&second).unwrap();
        let _ = closed.write_all(b"hello");
        let mut nothing = Vec::new();
        assert!(matches!(closed.read_to_end(&mut nothing), Ok(0) | Err(_)), "{nothing:?}");
        let mut open = UnixStream::connect(&first).unwrap();
        open.write_all(b"still").unwrap();
        let mut back = [0; 5];
        open.read_exact(&mut back).unwrap();
        assert_eq!(&back, b"still");
    });
}
