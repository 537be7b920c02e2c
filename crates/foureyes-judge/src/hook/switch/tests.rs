use super::*;
use std::os::unix::fs::PermissionsExt;

const READY: &str =
    "{\"schema\":\"foureyes/readiness/1\",\"result\":\"ready\",\n \"x\":\"\\u00e9\"}\n";

fn at(seconds: i64) -> Timestamp {
    Timestamp(seconds * 1_000_000)
}

fn blocking(report: Option<&str>, reason: Option<&str>) -> Order {
    Order {
        report: report.map(str::to_owned),
        reason: reason.map(str::to_owned),
        ..Order::new(HookMode::Blocking, "ada")
    }
}

struct Bench(tempfile::TempDir);

impl Bench {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn place(&self) -> Place {
        Place::at(self.0.path().join("state/hook"))
    }

    fn holds(&self, script: Option<HookMode>, now: i64) -> (HookMode, Source) {
        let status = ModeStatus::new(&self.place(), HookMode::Blocking, script, at(now));
        (status.mode, status.from)
    }
}

#[test]
fn without_a_switch_script_and_then_configuration_decide() {
    let bench = Bench::new();
    assert_eq!(bench.holds(None, 0), (HookMode::Blocking, Source::Configuration));
    let advisory = Some(HookMode::Advisory);
    assert_eq!(bench.holds(advisory, 0), (HookMode::Advisory, Source::Script));
    assert!(!bench.place().file().exists(), "asking writes nothing");
}

#[test]
fn the_switch_comes_first_and_advisory_in_a_script_stays() {
    let bench = Bench::new();
    bench.place().turn(&blocking(Some(READY), None), || at(5)).unwrap();
    assert_eq!(bench.holds(None, 9), (HookMode::Blocking, Source::Switch));
    let (advisory, block) = (Some(HookMode::Advisory), Some(HookMode::Blocking));
    assert_eq!(bench.holds(advisory, 9), (HookMode::Advisory, Source::Script));
    bench.place().turn(&Order::new(HookMode::Advisory, "ada"), || at(6)).unwrap();
    for script in [None, advisory, block] {
        assert_eq!(bench.holds(script, 9), (HookMode::Advisory, Source::Switch));
    }
}

#[test]
fn the_report_is_kept_to_the_byte_and_a_change_of_it_shows() {
    let bench = Bench::new();
    let Found::Switch(switch) = bench.place().turn(&blocking(Some(READY), None), || at(5)).unwrap()
    else {
        panic!("it was turned")
    };
    assert_eq!(bench.place().read(), Found::Switch(switch.clone()));
    let evidence = switch.report.unwrap();
    let path = bench.place().report(&evidence);
    assert_eq!(std::fs::read(&path).unwrap(), READY.as_bytes());
    assert_eq!(evidence.blake3, blake3::hash(READY.as_bytes()).to_hex().to_string());
    assert_eq!((evidence.bytes, evidence.result.as_str()), (READY.len() as u64, "ready"));
    assert_eq!(bench.place().doubt(&evidence), None);
    for file in [&path, &bench.place().file()] {
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    std::fs::write(&path, READY.replace("ready", "Ready")).unwrap();
    assert!(bench.place().doubt(&evidence).unwrap().contains("not the one"));
    std::fs::remove_file(&path).unwrap();
    assert!(bench.place().doubt(&evidence).unwrap().contains("not there"));
}

#[test]
fn empty_switch_means_advisory() {
    for bytes in [&b""[..], b"{}", b"\xff\xfe", &[b' '; 70_000], b"{\"mode\":\"blocking\"}"] {
        let bench = Bench::new();
        bench.place().turn(&blocking(Some(READY), None), || at(5)).unwrap();
        std::fs::write(bench.place().file(), bytes).unwrap();
        let status = ModeStatus::new(&bench.place(), HookMode::Blocking, None, at(9));
        assert_eq!((status.mode, status.from), (HookMode::Advisory, Source::SwitchDamaged));
        assert!(status.damaged.is_some() && status.switch.is_none());
    }
    let bench = Bench::new();
    std::fs::create_dir_all(bench.place().file()).unwrap();
    assert_eq!(bench.holds(None, 9), (HookMode::Advisory, Source::SwitchDamaged));
    let later = Bench::new();
    later.place().turn(&blocking(Some(READY), None), || at(5)).unwrap();
    let text = std::fs::read_to_string(later.place().file()).unwrap();
    std::fs::write(later.place().file(), text.replace("switch/1", "switch/2")).unwrap();
    assert_eq!(later.holds(None, 9), (HookMode::Advisory, Source::SwitchDamaged));
}

#[test]
fn blocking_that_has_an_end_ends() {
    let bench = Bench::new();
    let order = Order { until: Some(at(100)), ..blocking(None, Some("waived")) };
    bench.place().turn(&order, || at(5)).unwrap();
    assert_eq!(bench.holds(None, 99), (HookMode::Blocking, Source::Switch));
    assert_eq!(bench.holds(None, 100), (HookMode::Advisory, Source::SwitchOver));
}

fn trial(order: Order) -> Order {
    Order { trial_s: Some(60), ..order }
}

fn time(found: &Found) -> Option<Timestamp> {
    match found {
        Found::Switch(switch) => Some(switch.time),
        _ => None,
    }
}

#[test]
fn expired_trial_restores_previous_mode() {
    let bench = Bench::new();
    let place = bench.place();
    let waived = Order { until: Some(at(30)), ..blocking(None, Some("waived")) };
    place.turn(&trial(waived), || at(5)).unwrap();
    assert_eq!(bench.holds(None, 29), (HookMode::Blocking, Source::Switch));
    assert_eq!(bench.holds(None, 30), (HookMode::Blocking, Source::Configuration), "none stood");
    // One over another: both end with what stood before the first.
    place.turn(&Order::new(HookMode::Advisory, "ada"), || at(31)).unwrap();
    place.turn(&trial(blocking(Some(READY), None)), || at(40)).unwrap();
    place.turn(&trial(blocking(Some(READY), None)), || at(41)).unwrap();
    assert_eq!(bench.holds(None, 100), (HookMode::Blocking, Source::Switch));
    assert_eq!(bench.holds(None, 101), (HookMode::Advisory, Source::Switch));
    let status = ModeStatus::new(&place, HookMode::Blocking, None, at(101));
    assert_eq!(status.switch.map(|s| (s.time, s.trial)), Some((at(31), None)));
    // What blocks for good blocks on, where a trial is not seen to its end.
    place.turn(&blocking(Some(READY), None), || at(200)).unwrap();
    place.turn(&trial(blocking(None, Some("again"))), || at(210)).unwrap();
    assert_eq!(bench.holds(None, 271), (HookMode::Blocking, Source::Switch));
    std::fs::write(place.file(), "damaged").unwrap();
    place.turn(&trial(blocking(Some(READY), None)), || at(300)).unwrap();
    assert_eq!(bench.holds(None, 400), (HookMode::Advisory, Source::Switch), "it meant that");
}

#[test]
fn plain_order_has_no_new_fields() {
    let plain = serde_json::to_value(Order::new(HookMode::Advisory, "ada")).unwrap();
    let names: Vec<&str> = plain.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["by", "mode", "reason", "report", "schema", "trial_s", "until"]);
}

#[test]
fn an_undo_ends_a_trial_and_nothing_else() {
    let bench = Bench::new();
    let place = bench.place();
    let undo = Order { undo: true, ..Order::new(HookMode::Advisory, "ada") };
    assert_eq!(place.turn(&undo, || at(1)).unwrap(), Found::Nothing);
    place.turn(&trial(blocking(Some(READY), None)), || at(5)).unwrap();
    assert_eq!(place.turn(&undo, || at(6)).unwrap(), Found::Nothing);
    assert!(!place.file().exists());
    let stood = place.turn(&blocking(Some(READY), None), || at(7)).unwrap();
    place.turn(&trial(blocking(None, Some("again"))), || at(8)).unwrap();
    for now in [9, 10] {
        assert_eq!(place.turn(&undo, || at(now)).unwrap(), stood, "to the letter, and once more");
        assert_eq!(place.read(), stood);
    }
}

#[test]
fn order_for_other_switch_or_late_order_is_rejected() {
    let bench = Bench::new();
    let place = bench.place();
    let expects = |switch| Some(Expected { switch });
    let first = Order { expects: expects(None), ..trial(blocking(Some(READY), None)) };
    let on_trial = place.turn(&first, || at(5)).unwrap();
    let refused = |order: &Order, now| match place.turn(order, || at(now)) {
        Err(Error::Refused(refused)) => refused,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&first, 6), Refused::Turned, "once is enough");
    let last = Order { expects: expects(time(&on_trial)), ..blocking(Some(READY), None) };
    // Bytes of a way that stood still come after the way back.
    let undo = Order { undo: true, ..Order::new(HookMode::Advisory, "ada") };
    place.turn(&undo, || at(7)).unwrap();
    assert_eq!(refused(&last, 8), Refused::Turned);
    let late = Order { not_after: Some(at(20)), ..first };
    assert_eq!(refused(&late, 21), Refused::Late(at(20)));
    assert_eq!(place.read(), Found::Nothing);
    let on_trial = place.turn(&late, || at(20)).unwrap();
    let last = Order { expects: expects(time(&on_trial)), ..last };
    assert_eq!(refused(&last, 80), Refused::Turned, "the trial is over");
    place.turn(&last, || at(79)).unwrap();
    assert_eq!(bench.holds(None, 900), (HookMode::Blocking, Source::Switch));
}

#[test]
fn an_order_that_cannot_be_followed_changes_nothing() {
    let bench = Bench::new();
    let not_ready = READY.replace("\"ready\"", "\"not_ready\"");
    let refused = [
        blocking(None, None),
        blocking(None, Some("  ")),
        blocking(Some(&not_ready), None),
        blocking(Some("{}"), Some("why")),
        blocking(Some("{\"schema\":\"foureyes/readiness/1\",\"result\":\"x\"}"), Some("why")),
        Order { by: " ".to_owned(), ..blocking(Some(READY), None) },
        Order { schema: "foureyes/hook-order/2".to_owned(), ..blocking(Some(READY), None) },
        Order { until: Some(at(5)), ..blocking(Some(READY), None) },
        Order { trial_s: Some(9), ..Order::new(HookMode::Advisory, "ada") },
        blocking(Some(READY), Some(&"x".repeat(5000))),
    ];
    for order in refused {
        assert!(
            matches!(bench.place().turn(&order, || at(5)), Err(Error::Refused(_))),
            "{order:?}"
        );
    }
    assert_eq!(bench.place().read(), Found::Nothing);
    bench.place().turn(&blocking(Some(&not_ready), Some("waived by Ada")), || at(5)).unwrap();
    assert_eq!(bench.holds(None, 9), (HookMode::Blocking, Source::Switch));
}

/// What is done to a switch by several at once, each with an order; what became of each.
fn at_once(place: &Place, orders: &[Order], now: i64) -> Vec<Result<Found, Error>> {
    let ready = std::sync::Barrier::new(orders.len());
    let follow = |order| {
        ready.wait();
        place.turn(order, || at(now))
    };
    let follow = &follow;
    std::thread::scope(|all| {
        let begun: Vec<_> = orders.iter().map(|order| all.spawn(move || follow(order))).collect();
        begun.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

#[test]
fn one_of_concurrent_conflicting_orders_wins() {
    for _ in 0..20 {
        let bench = Bench::new();
        let expects = Some(Expected { switch: None });
        let order = |n| Order { expects, by: format!("{n}"), ..blocking(Some(READY), None) };
        let orders: Vec<Order> = (0..16).map(order).collect();
        let ends = at_once(&bench.place(), &orders, 5);
        let followed: Vec<_> = ends.iter().filter_map(|end| end.as_ref().ok()).collect();
        assert_eq!(followed, [&bench.place().read()], "the one that stands there");
        let turned = |end: &&Result<_, _>| matches!(end, Err(Error::Refused(Refused::Turned)));
        assert_eq!(ends.iter().filter(turned).count(), 15);
    }
}

#[test]
fn concurrent_order_and_rollback_end_as_reported() {
    let undo = Order { undo: true, ..Order::new(HookMode::Advisory, "ada") };
    for _ in 0..100 {
        let bench = Bench::new();
        let place = bench.place();
        let on_trial = place.turn(&trial(blocking(Some(READY), None)), || at(5)).unwrap();
        let expects = Some(Expected { switch: time(&on_trial) });
        let last = Order { expects, ..blocking(Some(READY), None) };
        let ends = at_once(&place, &[last, undo.clone()], 6);
        let [last, undone] = &ends[..] else { panic!("{ends:?}") };
        let current = place.read();
        assert_eq!(undone.as_ref().unwrap(), &current, "what the way back was told holds");
        match last {
            Ok(found) => assert_eq!(found, &current),
            Err(error) => {
                assert!(matches!(error, Error::Refused(Refused::Turned)), "{error}");
                assert_eq!(current, Found::Nothing);
            }
        }
    }
}

#[test]
fn an_order_that_waited_is_late_by_the_clock_of_its_turn() {
    let bench = Bench::new();
    let place = bench.place();
    place.turn(&Order::new(HookMode::Advisory, "ada"), || at(1)).unwrap();
    let held = lock::in_directory(&bench.0.path().join("state/hook"), Instant::now()).unwrap();
    let clock = std::sync::atomic::AtomicI64::new(5);
    let order = Order { not_after: Some(at(20)), ..blocking(Some(READY), None) };
    let now = || at(clock.load(std::sync::atomic::Ordering::SeqCst));
    std::thread::scope(|all| {
        let waits = all.spawn(|| place.turn(&order, now));
        std::thread::sleep(Duration::from_millis(100));
        clock.store(21, std::sync::atomic::Ordering::SeqCst);
        drop(held);
        let end = waits.join().unwrap();
        assert!(matches!(end, Err(Error::Refused(Refused::Late(_)))), "{end:?}");
    });
}
