//! The log without a service.

use super::*;
use crate::engine::judgements::{EvaluationDocument, RequestKind};
use crate::text::hex;
use std::cell::Cell;

const DAY_US: i64 = 86_400_000_000;

thread_local! {
    /// What the clock shows, in days.
    static TODAY: Cell<i64> = const { Cell::new(0) };
}

fn clock() -> Timestamp {
    Timestamp(TODAY.get() * DAY_US)
}

fn line(n: u8, day: i64) -> Line {
    let evaluation = serde_json::from_str::<EvaluationDocument>(
        r#"{"verdict":"GO","findings":"f","judge_model":"m","attempts":1,"parts":1}"#,
    );
    Line {
        schema: Default::default(),
        id: hex::encode(&[n; 16]),
        at_us: day * DAY_US,
        client: "a".to_owned(),
        kind: RequestKind::Push,
        tier: None,
        question_sha: String::new(),
        content_sha: String::new(),
        judged_sha: hex::encode(&[n; 32]),
        four_eyes: FourEyes::Unknown,
        of: None,
        evaluation: Some(evaluation.unwrap()),
        choice: None,
    }
}

struct Place {
    dir: tempfile::TempDir,
    key: Arc<SigningKey>,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let key = Arc::new(SigningKey::create(&dir.path().join("key")).unwrap());
        Self { dir, key }
    }

    /// Opens it once the one before has ended.
    fn open(&self, days: u32, today: i64) -> Log {
        TODAY.set(today);
        let end = Instant::now() + std::time::Duration::from_secs(60);
        loop {
            let keys = ServiceKeys::all(&[self.key.public().to_owned()]).unwrap();
            let signer = Arc::new(Mutex::new(Arc::clone(&self.key)));
            let dir = self.dir.path().join("log");
            match Log::open(&dir, days, signer, keys, clock) {
                Ok(log) => return log,
                Err(error) => assert!(Instant::now() < end, "{error}"),
            }
        }
    }

    fn text(&self, day: &str) -> String {
        std::fs::read_to_string(self.dir.path().join("log").join(format!("{day}.jsonl"))).unwrap()
    }
}

#[tokio::test]
async fn chain_goes_on_over_days_and_starts_and_what_is_old_is_not_found() {
    let place = Place::new();
    let log = place.open(2, 1);
    log.append(line(1, 1)).await.unwrap();
    log.append(line(2, 3)).await.unwrap();
    // A clock that is set back leads to no earlier file.
    log.append(line(3, 2)).await.unwrap();
    drop(log);
    assert_eq!(
        (place.text("1970-01-02").lines().count(), place.text("1970-01-04").lines().count()),
        (1, 2)
    );
    let log = place.open(9, 4);
    let whole = Found { lines: 3, torn: 0, broken: 0 };
    assert_eq!(log.found, whole);
    for n in 1..=3 {
        let entry = log.find(&[n; 32]).unwrap();
        assert_eq!(log.read(entry).unwrap().id, hex::encode(&[n; 16]));
    }
    // The first judgement of the same stands.
    let again = Line { id: hex::encode(&[9; 16]), ..line(1, 4) };
    log.append(again).await.unwrap();
    assert_eq!(log.read(log.find(&[1; 32]).unwrap()).unwrap().id, hex::encode(&[1; 16]));
    drop(log);
    let log = place.open(1, 4);
    assert_eq!(log.found, Found { lines: 4, ..whole });
    assert!(
        log.by_id(&hex::encode(&[1; 16])).is_none() && log.by_id(&hex::encode(&[2; 16])).is_some()
    );
    // What is too old is not found once a day begins.
    TODAY.set(6);
    log.append(line(4, 6)).await.unwrap();
    assert!(log.by_id(&hex::encode(&[2; 16])).is_none() && log.find(&[4; 32]).is_some());
}

#[tokio::test]
async fn clock_that_jumps_ahead_forgets_nothing_once_it_is_right_again() {
    let place = Place::new();
    let log = place.open(3, 10);
    let of = |log: &Log, key: u8| Some(log.read(log.find(&[key; 32])?).unwrap().id);
    let id = |n: u8| Some(hex::encode(&[n; 16]));
    for n in 1..=3 {
        log.append(line(n, 10)).await.unwrap();
    }
    // Nobody knows that it is wrong: what was judged long ago by it is judged again.
    TODAY.set(500);
    assert_eq!(of(&log, 1), None);
    log.append(Line { id: hex::encode(&[9; 16]), ..line(1, 500) }).await.unwrap();
    log.append(line(4, 500)).await.unwrap();
    assert_eq!((of(&log, 1), of(&log, 4)), (id(9), id(4)));
    // While it is wrong the service is started again.
    drop(log);
    let log = place.open(3, 500);
    assert_eq!(of(&log, 1), id(9));
    TODAY.set(11);
    for n in [1, 2, 3, 4] {
        assert_eq!(of(&log, n), id(n), "the first judgement stands");
    }
    log.append(line(5, 11)).await.unwrap();
    drop(log);
    let log = place.open(3, 12);
    for n in [1, 2, 3, 4, 5] {
        assert_eq!(of(&log, n), id(n), "{n}");
    }
    // What is old is forgotten all the same, and its memory freed.
    for day in 12..=30 {
        assert_eq!(of(&log, 5), id(5).filter(|_| day < 16), "{day}");
        TODAY.set(day);
        log.append(line(20 + day as u8, day)).await.unwrap();
    }
    assert_eq!((of(&log, 46), of(&log, 47)), (None, id(47)));
    let index = log.index().size();
    assert_eq!(index, (kept(3), kept(3) + 1), "two lines on the day of the wrong clock");
}

#[tokio::test]
async fn judgement_that_is_too_old_is_replaced_and_the_new_one_stands() {
    let place = Place::new();
    let log = place.open(3, 1);
    log.append(line(1, 1)).await.unwrap();
    TODAY.set(9);
    let of = |log: &Log| log.read(log.find(&[1; 32])?).map(|line| line.id);
    assert_eq!(of(&log), None);
    for n in [7, 8] {
        log.append(Line { id: hex::encode(&[n; 16]), ..line(1, 9) }).await.unwrap();
    }
    assert_eq!(of(&log), Some(hex::encode(&[7; 16])));
}

#[test]
fn line_of_before_there_were_choices_is_read_and_written_the_same() {
    let text = r#"{"schema":"foureyes/judgement-log/1","id":"00","at_us":7,"client":"a","kind":"task","tier":"deep","question_sha":"","content_sha":"","judged_sha":"","four_eyes":{"decision":"same","family":"north"},"evaluation":{"verdict":"accept","findings":"f","judge_model":"m","attempts":1,"parts":1}}"#;
    let line: Line = serde_json::from_str(text).unwrap();
    assert_eq!((line.kind, line.is_reusable()), (RequestKind::Task, true));
    assert_eq!(serde_json::to_string(&line).unwrap(), text);
}

#[tokio::test]
async fn line_of_another_key_is_not_read() {
    let place = Place::new();
    let log = place.open(9, 1);
    log.append(line(1, 1)).await.unwrap();
    let other = Place::new();
    log.trust(ServiceKeys::all(&[other.key.public().to_owned()]).unwrap());
    assert_eq!(log.by_id(&hex::encode(&[1; 16])), None);
    assert_eq!(log.unverified.load(Ordering::Relaxed), 1);
    let both = [other.key.public().to_owned(), place.key.public().to_owned()];
    log.trust(ServiceKeys::all(&both).unwrap());
    assert!(log.by_id(&hex::encode(&[1; 16])).is_some());
}

#[tokio::test]
async fn judgement_that_could_not_be_written_is_written_later_and_counts_then() {
    let place = Place::new();
    let log = place.open(9, 1);
    log.append(line(1, 1)).await.unwrap();
    // Its directory is gone: no line can be written, whoever tries.
    let (dir, away) = (place.dir.path().join("log"), place.dir.path().join("away"));
    std::fs::rename(&dir, &away).unwrap();
    let repeated = Line { of: Some(hex::encode(&[1; 16])), evaluation: None, ..line(4, 2) };
    for lost in [line(2, 2), repeated, line(3, 2)] {
        assert!(log.append(lost).await.is_err());
        assert!(log.is_failing());
    }
    assert!(log.find(&[2; 32]).is_none());
    log.recover().await;
    assert!(log.is_failing());
    std::fs::rename(&away, &dir).unwrap();
    log.append(line(5, 2)).await.unwrap();
    assert!(!log.is_failing());
    let found = [1, 2, 3, 4, 5].map(|n| log.has(&hex::encode(&[n; 16])));
    assert_eq!(found, [true, true, true, false, true]);
    drop(log);
    assert_eq!(place.text("1970-01-03").lines().count(), 3);
    assert_eq!(place.open(9, 2).found, Found { lines: 4, torn: 0, broken: 0 });
}
