//! A siege: clients that keep what they were given, beside clients that behave. It ends by counts, and not by time.

use super::{Reply, Service, body, exchange, model, posted, push};
use crate::http::PATIENCE;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Requests of one connection whose answers fill all that the system keeps for a reader who does not read.
const UNREAD: usize = 1_000;

fn open(address: SocketAddr, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let _ = stream.write_all(bytes);
    stream
}

/// Whether the service ended a connection.
fn is_ended(mut stream: TcpStream) -> bool {
    let mut piece = vec![0; 1 << 20];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }
}

fn pipelined(times: usize) -> Vec<u8> {
    b"GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(times)
}

/// A body in pieces, of which these have arrived.
fn chunked(token: &str, bytes: usize) -> String {
    format!(
        "POST /v1/judgements HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
         transfer-encoding: chunked\r\n\r\n{bytes:x}\r\n{}\r\n",
        " ".repeat(bytes)
    )
}

/// Connections that were ended for any of these reasons.
fn closed(service: &Service, reasons: &[&str]) -> usize {
    let text = service.get("/metrics", "").body;
    let of = |reason: &&str| {
        let name = format!("foureyes_connections_closed_total{{reason=\"{reason}\"}} ");
        let count = text.lines().find_map(|line| line.strip_prefix(&name));
        count.map_or(0, |count| count.parse::<usize>().unwrap())
    };
    reasons.iter().map(of).sum()
}

/// Waits until something is so.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn is_healthy(service: &Service) -> bool {
    service.get("/healthz", "").status == 200
}

#[test]
fn answers_that_nobody_reads_keep_nobody_out_and_end() {
    let model = model();
    // Nothing but room for others ends what is unread.
    let limits = "connections = 16\nwrite_timeout_s = 3600\nheader_timeout_s = 600";
    let mut service = Service::start(&model, limits);
    let token = service.token("good");
    let unread: Vec<_> = (0..40).map(|_| open(service.address, &pipelined(UNREAD))).collect();
    for n in 0..20 {
        assert!(is_healthy(&service));
        assert_eq!(service.judged(&token, &format!("content {n}")).evaluation.verdict, "GO");
    }
    assert!(service.metric("connections_open") <= 16.0);
    assert!(closed(&service, &["room"]) >= 40 - 16);
    // Connections that send nothing are no better, nor are those of a client.
    let silent: Vec<_> = (0..40).map(|_| open(service.address, b"")).collect();
    let own =
        format!("GET /v1/models HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n");
    let idle: Vec<_> = (0..40).map(|_| open(service.address, own.as_bytes())).collect();
    let other = service.token("other");
    for n in 20..30 {
        assert!(is_healthy(&service));
        service.judged(&other, &format!("content {n}"));
    }
    assert_eq!(model.requests().len(), 30);
    service.signal("-TERM");
    assert!(unread.into_iter().chain(silent).chain(idle).all(is_ended));
    assert_eq!(service.ended().code(), Some(0));
}

#[test]
fn answer_that_is_not_read_in_time_ends_its_connection_and_so_does_age() {
    let model = model();
    let service = Service::start(&model, "write_timeout_s = 1\nconnection_timeout_s = 2");
    let unread: Vec<_> = (0..3).map(|_| open(service.address, &pipelined(UNREAD))).collect();
    wait_until("unread answers end", || closed(&service, &["unread"]) == 3);
    assert!(unread.into_iter().all(is_ended));
    // One that goes on asking takes no further request some day.
    let mut stream = open(service.address, b"");
    let asked = (0..).take_while(|_| {
        let mut piece = [0; 512];
        let sent = stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
        sent.is_ok() && stream.read(&mut piece).is_ok_and(|read| read > 0)
    });
    assert!(asked.count() > 0);
}

#[test]
fn memory_of_a_request_is_that_which_arrived_and_no_client_has_that_of_all() {
    let model = model();
    let limits = "max_body_bytes = 524288\nmemory_bytes = 4194304\nclient_memory_bytes = 2097152";
    let service = Service::start(&model, limits);
    let (greedy, good) = (service.token("greedy"), service.token("good"));
    // Eight of them could become as large as all of the memory.
    let small: Vec<_> =
        (0..8).map(|_| open(service.address, chunked(&greedy, 1).as_bytes())).collect();
    let claimed = format!(
        "POST /v1/judgements HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {greedy}\r\ncontent-length: 524288\r\n\r\n"
    );
    let claims: Vec<_> = (0..8).map(|_| open(service.address, claimed.as_bytes())).collect();
    service.wait_metric("connections_open", 17.0);
    for n in 0..4 {
        service.judged(&good, &format!("beside small ones {n}"));
    }
    service.judged(&greedy, "of the same client");
    drop((small, claims));
    // Five large ones are more than its part: the last is refused, and nobody else.
    let large: Vec<_> =
        (0..5).map(|_| open(service.address, chunked(&greedy, 500_000).as_bytes())).collect();
    let refused = "http_requests_total{route=\"/v1/judgements\",status=\"429\"}";
    wait_until("one is refused", || service.get("/metrics", "").body.contains(refused));
    service.judged(&good, "beside large ones");
    // The large ones arrive at their own pace: until they have, there is room.
    wait_until("its part is used up", || {
        let last = service.post(&greedy, &body(&push(&"x".repeat(200_000))));
        (last.status, last.code().as_str()) == (429, "client_memory")
    });
    drop(large);
    wait_until("room", || service.post(&greedy, &body(&push("again"))).status == 200);
    let of_room = model.requests().iter().filter(|one| format!("{one:?}").contains("xxxx")).count();
    assert_eq!((model.requests().len() - of_room, of_room.min(1)), (7, of_room));
}

/// What an abuser did, and what it was answered.
#[derive(Default)]
struct Refused {
    slow: AtomicUsize,
    capped: AtomicUsize,
    large: AtomicUsize,
    foreign: AtomicUsize,
    malformed: AtomicUsize,
}

const CLIENTS: usize = 16;
const ROUNDS: usize = 6;
const CAP: u64 = 3;

/// One client that does everything that it should not.
fn abuse(service: &Service, tokens: &[String; 2], refused: &Refused, n: usize) -> Vec<TcpStream> {
    let [slow, few] = tokens;
    let (address, whole) = (service.address, posted(slow, &body(&push("never whole"))));
    let held = vec![
        open(address, &pipelined(UNREAD)),
        open(address, b"GET /healthz HTTP/1.1\r\nhost:"),
        open(address, b""),
    ];
    let count = |counter: &AtomicUsize, reply: Reply, expected: (u16, &str)| {
        assert_eq!((reply.status, reply.code().as_str()), expected);
        counter.fetch_add(1, Ordering::Relaxed);
    };
    let unsent = open(address, &whole.as_bytes()[..whole.len() - 3]);
    for round in 0..ROUNDS {
        // Nobody waits for it.
        drop(open(address, posted(few, &body(&push(&format!("gone {n} {round}")))).as_bytes()));
        let large = format!("{{\"kind\":\"{}\"}}", "x".repeat(3_000));
        count(&refused.large, service.post(few, &large), (413, "size"));
        count(&refused.foreign, service.post("stolen", "{}"), (401, "token"));
        count(&refused.malformed, service.post(few, "[[null,null]]"), (400, "request"));
    }
    count(&refused.slow, super::read(unsent), (408, "slow"));
    held
}

#[test]
fn siege_is_refused_where_it_is_abuse_and_answered_where_it_is_none() {
    let model = model();
    let limits = "connections = 48\nqueue = 1000\nclient_queue = 1000\nmax_body_bytes = 2048\n\
        header_timeout_s = 2\nbody_timeout_s = 2\nwrite_timeout_s = 2";
    let service = Service::start(&model, limits);
    let good: Vec<_> = (0..CLIENTS).map(|n| service.token(&format!("good-{n}"))).collect();
    let few = service.token_with("few", |token| token.per_day = Some(CAP));
    let bad = [service.token("slow"), few];
    let (refused, over) = (Refused::default(), AtomicBool::new(false));
    let (healthy, answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let held: Vec<TcpStream> = thread::scope(|scope| {
        let prober = scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                assert!(is_healthy(&service));
                healthy.fetch_add(1, Ordering::Relaxed);
            }
        });
        let abusers: Vec<_> = (0..CLIENTS)
            .map(|n| {
                let (service, bad, refused) = (&service, &bad, &refused);
                scope.spawn(move || abuse(service, bad, refused, n))
            })
            .collect();
        let clients: Vec<_> = good
            .iter()
            .enumerate()
            .map(|(n, token)| {
                let (service, answered) = (&service, &answered);
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        // Half of it is asked by all of them.
                        let of = if round % 2 == 0 { 0 } else { n };
                        service.judged(token, &format!("good {of} {round}"));
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        clients.into_iter().for_each(|one| one.join().unwrap());
        let held = abusers.into_iter().flat_map(|one| one.join().unwrap()).collect();
        // Each that is held is ended, by its limit or for another one.
        let ended = || closed(&service, &["room", "silent", "unread"]);
        wait_until("what is held is ended", || ended() >= 3 * CLIENTS);
        over.store(true, Ordering::Relaxed);
        prober.join().unwrap();
        held
    });
    // The cap holds, whoever waits: it is full, and what it allowed is logged.
    let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    for n in 0..CLIENTS {
        let reply = service.post(&bad[1], &body(&push(&format!("over the cap {n}"))));
        if reply.status != 200 {
            assert_eq!((reply.status, reply.code().as_str()), (429, "cap"));
            refused.capped.fetch_add(1, Ordering::Relaxed);
        }
    }
    service.wait_metric("judgements_running", 0.0);
    let few: Vec<_> = service.calls().into_iter().filter(|call| call["client"] == "few").collect();
    assert_eq!(few.len() as u64, CAP);
    assert!(count(&refused.capped) >= CLIENTS - CAP as usize);
    let contents = ROUNDS / 2 + ROUNDS / 2 * CLIENTS;
    assert_eq!(model.requests().len(), contents + few.len());
    let judged = service.log().iter().filter(|line| line["evaluation"].is_object()).count();
    assert_eq!(judged, contents + few.len(), "a line for each question");
    assert_eq!(count(&answered), CLIENTS * ROUNDS);
    assert!(count(&healthy) > 0);
    assert_eq!(count(&refused.slow), CLIENTS);
    for counter in [&refused.large, &refused.foreign, &refused.malformed] {
        assert_eq!(count(counter), CLIENTS * ROUNDS);
    }
    assert!(held.into_iter().all(is_ended));
    assert_eq!(service.get("/readyz", "").status, 200);
    let ready = b"GET /readyz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    assert_eq!(exchange(service.address, ready).status, 200);
}
