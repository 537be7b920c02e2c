//! Many contents: at the same time, within time and money, stopped and dropped.

use super::{GO, answer, asked, item, judge, judge_by, now};
use foureyes::engine::cost::{Price, Prices, Refused};
use foureyes::judging::{Control, Event, Item, Judge, RunLimits, Skipped, Summary, run};
use foureyes::provider::Provider;
use foureyes::provider::scripted::{Answer, Scripted};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

fn limits() -> RunLimits {
    RunLimits {
        parallel: 2,
        each: Duration::from_secs(5),
        until: Instant::now() + Duration::from_secs(20),
        cap: None,
    }
}

fn items(count: usize) -> Vec<Item> {
    (0..count).map(|i| item(&format!("text {i}"))).collect()
}

fn always(answer: Answer) -> Judge {
    judge(vec![Answer { always: true, ..answer }])
}

/// Runs to the end; `hear` sees each event and may turn the control.
async fn heard(
    judge: Judge,
    items: Vec<Item>,
    limits: RunLimits,
    mut hear: impl FnMut(&Event, &watch::Sender<Control>),
) -> (Vec<Event>, Summary, Arc<Judge>) {
    let (tell, mut events) = mpsc::channel(1);
    let (turn, control) = watch::channel(Control::Go);
    let judge = Arc::new(judge);
    let running = tokio::spawn(run(Arc::clone(&judge), items, limits, tell, control));
    let mut all = Vec::new();
    while let Some(event) = events.recv().await {
        hear(&event, &turn);
        all.push(event);
    }
    (all, running.await.unwrap(), judge)
}

fn done(events: &[Event]) -> usize {
    events.iter().filter(|e| matches!(e, Event::Done { .. })).count()
}

fn skipped(events: &[Event]) -> Vec<Skipped> {
    events
        .iter()
        .filter_map(|e| match e {
            Event::Skipped { why, .. } => Some(*why),
            _ => None,
        })
        .collect()
}

#[test]
fn items_are_judged_within_parallel_limit() {
    now(async {
        let slow = Answer { delay_ms: 15, ..answer(GO) };
        let (mut open, mut most) = (0_i32, 0);
        let (events, summary, judge) =
            heard(always(slow), items(9), limits(), |event, _| match event {
                Event::Started { .. } => {
                    open += 1;
                    most = most.max(open);
                }
                _ => open -= 1,
            })
            .await;
        assert_eq!((done(&events), summary.done, summary.skipped), (9, 9, 0));
        assert_eq!((most, asked(&judge)), (2, 9));
        let mut indexes: Vec<usize> = events
            .iter()
            .filter_map(|e| match e {
                Event::Done { index, .. } => Some(*index),
                _ => None,
            })
            .collect();
        indexes.sort_unstable();
        assert_eq!(indexes, (0..9).collect::<Vec<_>>());
        assert!((summary.spend.spent - 9.0 * 0.004).abs() < 1e-9);
    });
}

#[test]
fn stop_finishes_started_items_only() {
    now(async {
        let slow = Answer { delay_ms: 40, ..answer(GO) };
        let (events, summary, judge) = heard(always(slow), items(20), limits(), |event, turn| {
            if matches!(event, Event::Done { .. }) {
                turn.send_replace(Control::Stop);
            }
        })
        .await;
        assert_eq!(summary.done + summary.skipped, 20);
        assert!(summary.done >= 1 && summary.done <= 4, "{summary:?}");
        assert_eq!(asked(&judge), summary.done as u64, "what was begun was finished");
        assert!(skipped(&events).iter().all(|why| *why == Skipped::Stopped));
    });
}

#[test]
fn drop_ends_at_once() {
    now(async {
        let slow = Answer { delay_ms: 3_600_000, ..answer(GO) };
        let (events, summary, _) = heard(always(slow), items(5), limits(), |event, turn| {
            if matches!(event, Event::Started { .. }) {
                turn.send_replace(Control::Drop);
            }
        })
        .await;
        assert_eq!((summary.done, summary.skipped), (0, 5));
        assert_eq!(skipped(&events).len(), 5);
    });
}

#[test]
fn dropped_listener_ends_run() {
    now(async {
        let slow = Answer { delay_ms: 3_600_000, ..answer(GO) };
        let (tell, mut events) = mpsc::channel(4);
        let (_turn, control) = watch::channel(Control::Go);
        let judge = Arc::new(always(slow));
        let running = tokio::spawn(run(judge, items(5), limits(), tell, control));
        events.recv().await.unwrap();
        drop(events);
        let ended = tokio::time::timeout(Duration::from_secs(2), running).await;
        assert_eq!(ended.unwrap().unwrap().done, 0);
    });
}

#[test]
fn calls_that_could_exceed_cap_are_not_made() {
    now(async {
        let judge = always(answer(GO));
        let one = judge.most(&item("text 0")).unwrap();
        // Room for the estimate of one question, which may take two calls, beside what two did cost.
        let cap = f64::from(judge.calls()) * one + 0.0079;
        let limits = RunLimits { parallel: 1, cap: Some(cap), ..limits() };
        let (events, summary, judge) = heard(judge, items(6), limits, |_, _| {}).await;
        assert_eq!((summary.done, asked(&judge)), (2, 2), "{summary:?}");
        assert_eq!(skipped(&events), [Skipped::Spend(Refused::Cap); 4]);
        assert!(summary.spend.spent <= cap);
        let mut unpriced = always(answer(GO));
        unpriced.prices = Prices::default();
        let (events, summary, judge) = heard(unpriced, items(2), limits, |_, _| {}).await;
        assert_eq!((summary.done, asked(&judge)), (0, 0));
        assert_eq!(skipped(&events), [Skipped::Spend(Refused::NoPrice); 2]);
    });
}

#[test]
fn deadline_starts_nothing_and_times_out_running_items() {
    now(async {
        let slow = Answer { delay_ms: 3_600_000, ..answer(GO) };
        let until = Instant::now() + Duration::from_millis(60);
        let limits = RunLimits { until, ..limits() };
        let (events, summary, _) = heard(always(slow), items(4), limits, |_, _| {}).await;
        assert_eq!((summary.done, summary.skipped), (2, 2));
        assert_eq!(skipped(&events), [Skipped::Time; 2]);
    });
}

#[test]
fn panic_in_one_item_is_reported_and_others_continue() {
    now(async {
        let judge = judge_by(Provider::Scripted(Scripted::by(|ask| {
            assert!(!ask.messages.iter().any(|m| m.text.contains("text 1")), "a bug");
            answer(GO)
        })));
        let (events, summary, _) = heard(judge, items(4), limits(), |_, _| {}).await;
        assert_eq!((summary.done, summary.skipped), (3, 1));
        assert_eq!(skipped(&events), [Skipped::Failed]);
    });
}

#[test]
fn question_never_exceeds_estimated_size() {
    for content in
        ["<|im_end|> ", "\u{1}", "</content> GO ", "\u{fffd}", "plain ", "sk-ant-api03-x "]
    {
        let sent = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let seen = Arc::clone(&sent);
        let provider = Provider::Scripted(Scripted::by(move |ask| {
            let bytes = ask.messages.iter().map(|m| m.text.len()).sum();
            seen.store(bytes, std::sync::atomic::Ordering::SeqCst);
            answer(GO)
        }));
        let mut judge = judge_by(provider);
        // A byte costs one, and an answer nothing.
        judge.prices = Prices(vec![Price { model: "*".to_owned(), prompt: 1e6, completion: 0.0 }]);
        let item = item(&content.repeat(20_000));
        let most = judge.most(&item).unwrap();
        super::evaluated(&judge, &item);
        let sent = sent.load(std::sync::atomic::Ordering::SeqCst);
        assert!(sent > 20_000 && sent as f64 <= most, "{content:?}: {sent} of {most}");
    }
}

/// A route that is cheap to ask for, and is served by a dear model.
fn route(served: Option<&str>, no_routes: bool) -> Judge {
    let price =
        |model: &str, completion| Price { model: model.to_owned(), prompt: 0.0, completion };
    let served_model = served.map(str::to_owned);
    let mut judge = always(Answer { served_model, ..answer(GO) });
    judge.prices = Prices(vec![price("fastest", 1.0), price("north-big", 20.0)]);
    judge.settings.max_tokens = Some(500);
    judge.settings.no_routes = no_routes;
    judge
}

/// An answer of 500 tokens, as all are here, costs 0.0005 by the route's price and 0.01 by the dear
/// one's. Gives what was spent on ten questions, and how many were asked.
async fn spent(judge: Judge, cap: f64) -> (f64, usize) {
    let limits = RunLimits { parallel: 4, cap: Some(cap), ..limits() };
    let (_, summary, _) = heard(judge, items(10), limits, |_, _| {}).await;
    ((summary.spend.spent * 1e4).round() / 1e4, summary.done)
}

#[test]
fn a_route_that_a_dearer_model_serves_does_not_pass_the_cap() {
    now(async {
        assert_eq!(spent(route(Some("north-big"), false), 0.035).await, (0.02, 2));
        // Who does not say who served may be the dearest, and so may who has no price.
        assert_eq!(spent(route(None, false), 0.035).await, (0.02, 2));
        assert_eq!(spent(route(Some("west"), false), 0.035).await, (0.02, 2));
        // One that costs less than was set aside leaves money for those that wait.
        assert_eq!(spent(route(Some("fastest"), false), 0.035).await, (0.005, 10));
    });
}

#[test]
fn asked_model_price_applies_without_other_served_model() {
    now(async {
        assert_eq!(spent(route(Some("fastest"), false), 0.0056).await, (0.0, 0));
        assert_eq!(spent(route(Some("fastest"), true), 0.0056).await, (0.005, 10));
        assert_eq!(spent(route(Some("fastest-2026"), true), 0.0056).await, (0.005, 10));
        // It was said and is not so: what was begun is paid, and nothing more is asked cheaply.
        let (_, asked) = spent(route(Some("north-big"), true), 0.02).await;
        assert!(asked <= 4, "{asked}");
    });
}

#[test]
fn uncounted_call_is_charged_at_maximum() {
    now(async {
        let uncounted = Answer { completion_tokens: None, ..answer(GO) };
        let mut judge = route(None, false);
        judge.provider = always(uncounted).provider;
        assert_eq!(spent(judge, 0.035).await, (0.02, 2));
    });
}
