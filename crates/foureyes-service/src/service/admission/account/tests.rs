//! The account without a service.

use super::*;
use crate::service::log::FourEyes;
use std::cell::Cell;

const DAY_US: i64 = 86_400_000_000;

thread_local! {
    /// What the clock shows, in days.
    static TODAY: Cell<i64> = const { Cell::new(0) };
}

fn clock() -> Timestamp {
    Timestamp(TODAY.get() * DAY_US)
}

fn call(client: &str, n: u8) -> Call {
    let line = Line {
        schema: Default::default(),
        id: crate::text::hex::encode(&[n; 16]),
        at_us: 0,
        client: client.to_owned(),
        kind: RequestKind::Push,
        tier: None,
        question_sha: String::new(),
        content_sha: String::new(),
        judged_sha: crate::text::hex::encode(&[n; 32]),
        four_eyes: FourEyes::Unknown,
        of: None,
        evaluation: None,
        choice: None,
    };
    Call::new(&line, ("m", 7), clock())
}

fn open(dir: &Path) -> Account {
    Account::open(dir, clock, |id| id.starts_with("01")).unwrap()
}

async fn asked(account: &Account, client: &str, most: u64, n: u8) -> bool {
    match account.reserve(client, Some(most)).unwrap() {
        None => false,
        Some(reservation) => {
            account.charge(&reservation, call(client, n)).await.unwrap();
            true
        }
    }
}

fn text(dir: &Path, day: &str) -> String {
    std::fs::read_to_string(dir.join("calls").join(format!("{day}.calls"))).unwrap()
}

#[tokio::test]
async fn what_was_asked_counts_after_a_start_and_what_was_not_is_free_again() {
    let dir = tempfile::tempdir().unwrap();
    TODAY.set(1);
    let account = open(dir.path());
    assert!(asked(&account, "a", 3, 1).await && asked(&account, "a", 3, 2).await);
    let waiting = account.reserve("a", Some(3)).unwrap().unwrap();
    assert!(account.reserve("a", Some(3)).unwrap().is_none(), "one waits");
    drop(waiting);
    assert!(asked(&account, "a", 3, 3).await && !asked(&account, "a", 3, 4).await);
    assert!(asked(&account, "b", 1, 5).await, "another client has its own");
    assert!(asked(&account, "c", u64::MAX, 6).await);
    // What no judge was asked about after all does not count.
    assert!(asked(&account, "d", 1, 10).await);
    account.take_back(call("d", 10)).await;
    assert!(asked(&account, "d", 1, 11).await && !asked(&account, "d", 1, 12).await);
    drop(account);
    let again = open(dir.path());
    assert!(!asked(&again, "d", 1, 13).await);
    assert!(!asked(&again, "a", 3, 7).await && !asked(&again, "b", 1, 7).await);
    assert_eq!(again.found, FoundCalls { torn: 0, unlogged: 6 }, "the log has the first alone");
    assert_eq!(text(dir.path(), "1970-01-02").lines().count(), 8);
    // Another day has a file of its own, and a clock that is set back finds the earlier one.
    TODAY.set(2);
    assert!(asked(&again, "a", 3, 8).await);
    TODAY.set(1);
    assert!(!asked(&again, "a", 3, 9).await);
    TODAY.set(2);
    assert!(asked(&again, "a", 2, 9).await && !asked(&again, "a", 2, 9).await);
    use std::os::unix::fs::MetadataExt;
    let mode = |path: &Path| std::fs::metadata(path).unwrap().mode() & 0o777;
    let calls = dir.path().join("calls");
    assert_eq!((mode(&calls), mode(&calls.join("1970-01-03.calls"))), (0o700, 0o600));
}

#[tokio::test]
async fn line_without_an_end_is_closed_and_hides_no_other() {
    let whole = |n| serde_json::to_string(&call("a", n)).unwrap();
    TODAY.set(3);
    for (left, torn, counted) in [
        (format!("{}\n{{\"schema\":\"foureyes/service-call/1\",\"cl", whole(1)), 1, 1),
        // The end alone is missing: it is not known that nobody was asked.
        (format!("{}\n{}", whole(1), whole(2)), 0, 2),
        (format!("\0\0\0\n{}\nno call\n\n", whole(1)), 2, 1),
    ] {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("calls")).unwrap();
        std::fs::write(dir.path().join("calls/1970-01-04.calls"), &left).unwrap();
        let account = open(dir.path());
        assert_eq!(account.found.torn, torn, "{left:?}");
        assert!(!asked(&account, "a", counted, 8).await, "{left:?}");
        assert!(asked(&account, "a", counted + 1, 9).await, "{left:?}");
        drop(account);
        let after = text(dir.path(), "1970-01-04");
        assert!(after.starts_with(&left) && after.ends_with(&format!("\n{}\n", whole(9))));
        assert!(!asked(&open(dir.path()), "a", counted + 1, 9).await);
    }
}

#[tokio::test]
async fn call_that_cannot_be_written_is_not_counted_and_is_tried_again() {
    let dir = tempfile::tempdir().unwrap();
    TODAY.set(4);
    let account = open(dir.path());
    // A directory in its place: no file can be opened, whoever tries.
    let file = dir.path().join("calls/1970-01-05.calls");
    std::fs::create_dir(&file).unwrap();
    let reservation = account.reserve("a", Some(1)).unwrap().unwrap();
    assert!(account.charge(&reservation, call("a", 1)).await.is_err() && account.is_failing());
    assert!(account.reserve("a", Some(1)).unwrap().is_none(), "it still waits");
    drop(reservation);
    std::fs::remove_dir(&file).unwrap();
    account.recover().await;
    assert!(!account.is_failing());
    assert!(asked(&account, "a", 1, 2).await && !asked(&account, "a", 1, 3).await);
    assert_eq!(text(dir.path(), "1970-01-05").lines().count(), 1);
}
