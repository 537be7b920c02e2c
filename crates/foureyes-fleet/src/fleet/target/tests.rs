//! Replies as they should not be, of a server in this process.

use super::*;
use crate::provider::http::ServerSettings;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

/// Answers each connection with the next of these, and keeps nothing of what was sent.
fn server(replies: Vec<Vec<u8>>) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for (reply, client) in replies.into_iter().zip(listener.incoming()) {
            let (mut client, mut got, mut portion) = (client.unwrap(), Vec::new(), [0; 4096]);
            let whole = |got: &[u8]| {
                let head = got.windows(4).position(|w| w == b"\r\n\r\n")? + 4;
                let text = String::from_utf8_lossy(&got[..head]).to_lowercase();
                let length = text.split_once("content-length: ")?.1.split("\r\n").next()?;
                (got.len() >= head + length.parse::<usize>().unwrap()).then_some(())
            };
            while whole(&got).is_none() {
                match client.read(&mut portion).unwrap() {
                    0 => break,
                    count => got.extend_from_slice(&portion[..count]),
                }
            }
            client.write_all(&reply).unwrap();
        }
    });
    let settings = ServerSettings {
        address,
        plain_http: false,
        authorities: None,
        headers: Vec::new(),
        connect: Duration::from_secs(60),
        whole: Duration::from_secs(60),
        most: 1 << 20,
    };
    Server::new(&settings).unwrap()
}

fn reply(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

const CODED: &str = "X-ClickHouse-Exception-Code: 209\r\n";
const HTML: &str = "Content-Type: text/html; charset=utf-8\r\n";
const WORDED: &[u8] = b"Code: 241, e.displayText() = DB::Exception: Memory limit, e.what() = DB";

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn ordered(reply: Vec<u8>) -> Result<(), String> {
    let server = server(vec![reply]);
    let target = Target { server: &server, user: "u" };
    let done = runtime().block_on(target.order("publish", &[("query", "INSERT")], vec![1, 2]));
    done.map_err(|error| error.to_string())
}

fn asked(replies: Vec<Vec<u8>>, only: bool) -> Result<Vec<u64>, String> {
    let server = server(replies);
    let target = Target { server: &server, user: "u" };
    let read = |row: &mut Columns<'_>| row.u64();
    let done = runtime().block_on(async {
        match only {
            true => target.one("count", "SELECT 1", &[], read).await.map(|row| vec![row]),
            false => target.rows("list", "SELECT 1", &[], read).await,
        }
    });
    done.map_err(|error| error.to_string())
}

#[test]
fn statement_that_adds_rows_fails_unless_its_reply_is_whole_and_empty() {
    assert_eq!(ordered(reply("200 OK", "", b"")), Ok(()));
    assert_eq!(ordered(reply("200 OK", "", b"\n")), Ok(()));
    for (odd, words) in [
        (reply("200 OK", CODED, b""), "error 209: no reason given (status 200)"),
        (reply("200 OK", CODED, WORDED), "error 209: Memory limit"),
        (reply("200 OK", "", WORDED), "error 241: Memory limit"),
        (reply("200 OK", HTML, b"<html>Log in</html>"), "is a page of another program"),
        (reply("200 OK", HTML, b""), "is a page of another program"),
        (reply("200 OK", "", b"Please log in"), "it must be empty"),
        (reply("204 No Content", "", b""), "error 0: no reason given (status 204)"),
        (reply("302 Found", "", b"moved"), "error 0: moved"),
        (reply("500 Oops", CODED, WORDED), "error 209: Memory limit"),
        (reply("200 OK", "", b"")[..20].to_vec(), "no reply"),
    ] {
        let error = ordered(odd.clone()).unwrap_err();
        assert!(error.starts_with("failed to publish: "), "{error}");
        assert!(error.contains(words), "{error}: {}", String::from_utf8_lossy(&odd));
    }
}

#[test]
fn row_that_a_statement_must_give_is_never_a_number_of_its_own() {
    let (one, two) = (7_u64.to_le_bytes(), [7_u64.to_le_bytes(), 8_u64.to_le_bytes()].concat());
    assert_eq!(asked(vec![reply("200 OK", "", &one)], true), Ok(vec![7]));
    for (odd, words) in [
        (reply("200 OK", "", b""), "is empty, and it must have a row"),
        (reply("200 OK", "", &one[..5]), "is cut or has other columns"),
        (reply("200 OK", "", &two), "has several rows"),
        (reply("200 OK", CODED, &one), "error 209"),
        (reply("200 OK", "", WORDED), "error 241: Memory limit"),
        (reply("200 OK", "", &[&one[..], WORDED].concat()), "error 241: Memory limit"),
        (reply("200 OK", HTML, &one), "is a page of another program"),
    ] {
        let error = asked(vec![odd.clone()], true).unwrap_err();
        assert!(error.contains(words), "{error}: {}", String::from_utf8_lossy(&odd));
    }
}

#[test]
fn empty_list_is_believed_only_where_a_count_says_so() {
    let empty = || reply("200 OK", "", b"");
    let count = |count: u64| reply("200 OK", "", &count.to_le_bytes());
    assert_eq!(asked(vec![empty(), count(0)], false), Ok(Vec::new()));
    assert_eq!(asked(vec![count(3)], false), Ok(vec![3]));
    for (second, words) in [
        (count(2), "is empty, and there are rows"),
        (empty(), "is empty, and it must have a row"),
        (reply("200 OK", CODED, b""), "error 209"),
    ] {
        let error = asked(vec![empty(), second], false).unwrap_err();
        assert!(error.starts_with("failed to list: ") && error.contains(words), "{error}");
    }
}
