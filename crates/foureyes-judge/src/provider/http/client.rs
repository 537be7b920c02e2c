//! One HTTP exchange: sent, and read within its limits.

use super::address::Address;
use super::{Error, Protocol, Settings};
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Certificate, Client, Method, Response, Url};
use secrecy::{ExposeSecret, SecretString};
use std::error::Error as _;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How the other side knows us.
const AGENT: &str = concat!("foureyes/", env!("CARGO_PKG_VERSION"));

/// Most bytes read of a refusal: enough for what it says.
const REFUSAL_CAP: usize = 64 << 10;
/// Longest wait for the rest of a refusal.
const REFUSAL_TIME: Duration = Duration::from_secs(5);

/// A request, ready to be sent.
pub(super) struct Outgoing {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) body: Option<Vec<u8>>,
    /// What is accepted, where that is not only JSON.
    pub(super) accept: Option<&'static str>,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Incoming {
    /// A header as text; nothing where it is none.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub(super) fn content_type(&self) -> String {
        let whole = self.header("content-type").unwrap_or_default();
        whole.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }
}

/// Why nothing whole came back.
#[derive(Debug)]
pub(super) enum Broken {
    /// Nobody was reached; calling again may help where `passes`.
    Unreached { why: String, passes: bool },
    /// The connection ended before a reply began.
    NoReply { why: String },
    /// Nothing, or not all, within a time.
    Late { waited: &'static str, limit: Duration, body: Vec<u8> },
    /// The connection ended within the body.
    CutOff { body: Vec<u8> },
    /// The body is larger than is taken.
    TooLarge { body: Vec<u8> },
    /// The body is in a coding that was not asked for.
    Coded { coding: String },
}

/// Makes what asks. Costs no more than a few allocations for a plain connection to this machine;
/// certificates are read where they are needed.
pub(super) fn client(
    headers: HeaderMap,
    address: &Address,
    settings: &Settings,
) -> Result<Client, String> {
    trusting(headers, address, settings, None)
}

/// The same where certificates in PEM say which authorities are trusted, those of the system where there
/// are none.
pub(super) fn trusting(
    headers: HeaderMap,
    address: &Address,
    settings: &Settings,
    authorities: Option<&[u8]>,
) -> Result<Client, String> {
    let mut builder = Client::builder()
        .user_agent(AGENT)
        .default_headers(headers)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        // A connection that is used once cannot have been closed meanwhile by the other side.
        .pool_max_idle_per_host(0)
        .connect_timeout(settings.connect)
        .http1_only();
    if address.is_plain() {
        // A proxy would read the key along.
        builder = builder.tls_certs_only([]).no_proxy();
    }
    if let Some(pem) = authorities.filter(|_| !address.is_plain()) {
        let certificates = Certificate::from_pem_bundle(pem).map_err(|error| cause(&error))?;
        if certificates.is_empty() {
            return Err("the file of authorities has no certificate".to_owned());
        }
        builder = builder.tls_certs_only(certificates);
    }
    if address.is_loopback() {
        let port = 0;
        let here = [
            SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            SocketAddr::from((Ipv6Addr::LOCALHOST, port)),
        ];
        builder = builder.no_proxy().resolve_to_addrs("localhost", &here);
    }
    if let Some(socket) = &settings.unix_socket {
        builder = builder.no_proxy().unix_socket(socket.as_path());
    }
    // Another part of the program may have chosen already: then that counts.
    let _ = rustls::crypto::ring::default_provider().install_default();
    builder.build().map_err(|error| cause(&error))
}

/// The headers of every request.
pub(super) fn common_headers() -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    headers
}

/// The same with those of a protocol.
pub(super) fn headers(
    protocol: &Protocol,
    key: Option<&SecretString>,
) -> Result<HeaderMap, String> {
    let mut headers = common_headers();
    for (name, value) in protocol.headers {
        headers.insert(*name, HeaderValue::from_static(value));
    }
    if let Some(key) = key {
        let value = key_value(protocol, key).map_err(|error| error.to_string())?;
        headers.insert(protocol.key.header, value);
    }
    Ok(headers)
}

/// The value of the header that carries the key. No debug output shows it.
pub(super) fn key_value(protocol: &Protocol, key: &SecretString) -> Result<HeaderValue, Error> {
    let value = format!("{}{}", protocol.key.before, key.expose_secret());
    let mut value = HeaderValue::try_from(value).map_err(|_| Error::Key)?;
    value.set_sensitive(true);
    Ok(value)
}

/// The limits of one exchange.
pub(super) struct Limits<'a> {
    pub(super) first_byte: Duration,
    pub(super) whole: Duration,
    pub(super) until: Instant,
    pub(super) most: usize,
    /// Whether a stream of events has come to its end.
    pub(super) ended: &'a Ended,
}

/// Looks at what has come of a stream of events, and tells whether that is all.
pub(super) type Ended = dyn Fn(&[u8]) -> bool + Sync;

impl Limits<'_> {
    /// When an exchange that begins now must have come to a point, and how that limit is called.
    fn end(&self, limit: Duration, name: &'static str) -> Due {
        let now = Instant::now();
        let own = now.checked_add(limit).unwrap_or(self.until);
        match own < self.until {
            true => Due { at: own, waited: name, limit },
            false => Due {
                at: self.until,
                waited: "(the time that was left)",
                limit: self.until.saturating_duration_since(now),
            },
        }
    }
}

#[derive(Clone, Copy)]
struct Due {
    at: Instant,
    waited: &'static str,
    limit: Duration,
}

impl Due {
    fn late(self, body: Vec<u8>) -> Broken {
        Broken::Late { waited: self.waited, limit: self.limit, body }
    }
}

/// Sends a request and reads its reply.
pub(super) async fn exchange(
    client: &Client,
    outgoing: &Outgoing,
    limits: &Limits<'_>,
) -> Result<Incoming, Broken> {
    let whole = limits.end(limits.whole, "waiting for the whole reply");
    let first = limits.end(limits.first_byte, "waiting for the first byte");
    let first = if first.at < whole.at { first } else { whole };
    let mut request = client.request(outgoing.method.clone(), outgoing.url.clone());
    if let Some(body) = &outgoing.body {
        request = request.header(CONTENT_TYPE, "application/json").body(body.clone());
    }
    if let Some(accept) = outgoing.accept {
        request = request.header(ACCEPT, accept);
    }
    let sent = timeout_at(first.at, request.send()).await;
    let response = sent.map_err(|_| first.late(Vec::new()))?.map_err(|error| broken(&error))?;
    if response.status() == 200 {
        good(response, whole, limits).await
    } else {
        Ok(other(response, whole).await)
    }
}

/// Reads an answer, all of it or none.
async fn good(mut response: Response, due: Due, limits: &Limits<'_>) -> Result<Incoming, Broken> {
    if let Some(coding) = coding(&response) {
        return Err(Broken::Coded { coding });
    }
    let announced = response.content_length().unwrap_or(0);
    if announced > limits.most as u64 {
        return Err(Broken::TooLarge { body: Vec::new() });
    }
    let stream = response.headers().get(CONTENT_TYPE);
    let stream = stream.is_some_and(|v| v.as_bytes().starts_with(b"text/event-stream"));
    let mut body = Vec::new();
    loop {
        match timeout_at(due.at, response.chunk()).await {
            Err(_) => return Err(due.late(body)),
            Ok(Err(_)) => return Err(Broken::CutOff { body }),
            Ok(Ok(None)) => break,
            Ok(Ok(Some(chunk))) => body.extend_from_slice(&chunk),
        }
        if body.len() > limits.most {
            return Err(Broken::TooLarge { body });
        }
        if stream && (limits.ended)(&body) {
            break;
        }
    }
    Ok(Incoming { status: 200, headers: std::mem::take(response.headers_mut()), body })
}

/// Reads what a refusal says, as far as it comes: its status is the message.
async fn other(mut response: Response, due: Due) -> Incoming {
    let soon = Instant::now() + REFUSAL_TIME;
    let mut body = Vec::new();
    if coding(&response).is_none() {
        while let Ok(Ok(Some(chunk))) = timeout_at(due.at.min(soon), response.chunk()).await {
            body.extend_from_slice(&chunk);
            if body.len() >= REFUSAL_CAP {
                body.truncate(REFUSAL_CAP);
                break;
            }
        }
    }
    let status = response.status().as_u16();
    Incoming { status, headers: std::mem::take(response.headers_mut()), body }
}

/// A content coding, where it is one that changes the bytes.
fn coding(response: &Response) -> Option<String> {
    let value = response.headers().get("content-encoding")?;
    let name = String::from_utf8_lossy(value.as_bytes()).trim().to_ascii_lowercase();
    (!matches!(name.as_str(), "" | "identity")).then_some(name)
}

/// Sorts what the library says.
fn broken(error: &reqwest::Error) -> Broken {
    let why = cause(error);
    if error.is_dns() {
        return Broken::Unreached {
            why: format!("failed to resolve its name: {why}"),
            passes: true,
        };
    }
    if !error.is_connect() {
        return Broken::NoReply { why };
    }
    match chain(error).any(|e| e.is::<rustls::Error>()) {
        true => Broken::Unreached { why: format!("TLS failed: {why}"), passes: false },
        false => Broken::Unreached { why, passes: true },
    }
}

/// The innermost cause; what stands around it names the address once more.
fn cause(error: &reqwest::Error) -> String {
    chain(error).last().map_or_else(|| "no cause given".to_owned(), ToString::to_string)
}

type Cause = dyn std::error::Error + 'static;

/// The causes from outside in. What an I/O error wraps is one too, which its `source` skips.
fn chain(error: &reqwest::Error) -> impl Iterator<Item = &Cause> {
    std::iter::successors(error.source(), inner)
}

fn inner<'a>(&error: &&'a Cause) -> Option<&'a Cause> {
    let wrapped = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    wrapped.map(|inner| inner as &Cause).or_else(|| error.source())
}
