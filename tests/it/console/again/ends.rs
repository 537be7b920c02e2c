//! How runs end: by themselves, stopped, ended at once, killed.

use super::*;
use crate::http::PATIENCE;
use crate::http::{Action, Server};
use foureyes::engine::cost::{Price, Prices};
use foureyes::judging::configured;
use foureyes::tui::model::{ItemState, RunPhase};
use std::time::Duration;

/// A judge behind a server of this process.
fn behind(server: &Server, parallel: usize) -> Setup {
    let mut setup = setup(&Judge::by(good));
    setup.config.judge.endpoint = Some(server.url());
    setup.config.judge.parallel = parallel;
    let judge = setup.config.judge.clone();
    let make = move |socket| {
        configured::provider(&judge, None, socket, None).map_err(|e| Problem::from_error(&e, ""))
    };
    setup.asker = Some(JudgeEndpoint {
        description: server.url(),
        make: Arc::new(make),
        ..JudgeEndpoint::none()
    });
    setup
}

/// Marks all three records, and asks; waits until so many are asked about.
fn begin(world: &mut World, asked: usize) {
    world.keys("space space space r");
    world.press("ctrl-s".parse().unwrap());
    world.until("the questions", |model| {
        let live = model.runs.live.as_ref();
        live.is_some_and(|live| live.count(|item| *item == ItemState::Asked) == asked)
    });
}

#[test]
fn ctrl_c_closes_connections_and_lists_unjudged_items() {
    let server = Server::always(vec![Action::Hang]);
    let mut world = with(&behind(&server, 2));
    begin(&mut world, 2);
    server.wait_for(2, Duration::from_secs(20));
    world.press("ctrl-c".parse().unwrap());
    for connection in 0..2 {
        assert!(server.closed(connection, PATIENCE).is_some(), "the connection stays open");
    }
    world.settle();
    assert!(!world.model.ended, "the console goes on");
    assert_eq!(server.requests().len(), 2, "the third is never asked");
    let run = &runs(&world)[0];
    assert_eq!(run.evaluations.len(), 0);
    let left = &run.ended.as_ref().unwrap().what.left;
    let mut why: Vec<_> = left.iter().map(|l| l.why.as_str()).collect();
    why.sort_unstable();
    assert_eq!(why, ["cut off while it was asked", "cut off while it was asked", "stopped"]);
    assert!(drawn(&world).contains("2 calls cut off, which may be charged"), "{}", drawn(&world));
    assert_eq!(world.model.runs.live.as_ref().unwrap().phase, RunPhase::Ended);
}

#[test]
fn stop_finishes_started_items_only() {
    let slow = |_: &Ask| Answer { delay_ms: 400, ..good_answer() };
    let judge = Judge::by(slow);
    let mut setup = setup(&judge);
    setup.config.judge.parallel = 1;
    let mut world = with(&setup);
    begin(&mut world, 1);
    world.press("ctrl-x".parse().unwrap());
    assert!(drawn(&world).contains("STOPPING"), "{}", drawn(&world));
    world.settle();
    let run = &runs(&world)[0];
    assert_eq!((run.evaluations.len(), run.ended.as_ref().unwrap().what.left.len()), (1, 2));
    assert_eq!(judge.asked(), 1);
}

fn good_answer() -> Answer {
    verdict([4, 4, 4], "fine")
}

#[test]
fn a_second_run_is_refused_with_words_while_one_is_on() {
    let server = Server::always(vec![Action::Hang]);
    let mut world = with(&behind(&server, 4));
    begin(&mut world, 3);
    world.press("3".parse().unwrap());
    world.press("r".parse().unwrap());
    assert!(world.model.overlay.is_none());
    assert!(note(&world).contains("a run is in progress (6 shows it)"), "{}", note(&world));
    // Nor can the console be left by mistake.
    for key in ["q", "q", "q"] {
        world.press(key.parse().unwrap());
    }
    assert!(!world.model.ended && note(&world).contains("ctrl-c"), "{}", note(&world));
    world.keys("ctrl-c");
    assert!(!world.model.runs.is_on());
}

#[test]
fn failed_item_is_evaluation_without_verdict_with_reason() {
    let server = Server::always(http::json(401, &serde_json::json!({"error": "no such key"})));
    let mut world = with(&behind(&server, 4));
    world.keys("r ctrl-s");
    let all = evaluations(&world);
    assert_eq!(all[0].evaluation["verdict"], "UNDETERMINED");
    assert_eq!(all[0].evaluation["error"], "unauthorized");
    let screen = drawn(&world);
    for part in
        ["0 of 1 judged; 1 failed (unauthorized), 0 verdicts changed", "the key was refused"]
    {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    let said = note(&world);
    assert!(said.contains("Done: 0 re-judged, 1 failed (unauthorized)"), "{said}");
}

#[test]
fn a_spend_cap_ends_a_run_before_it_is_passed() {
    let judge = Judge::by(good);
    let mut setup = setup(&judge);
    let price = Price { model: "*".to_owned(), prompt: 1.0, completion: 100.0 };
    setup.config.prices = Prices(vec![price]);
    // A call may cost 0.824, nearly all of it an answer of 8192 tokens, and does cost 0.009; a question may
    // take two.
    setup.config.judge.spend_cap = Some(1.66);
    setup.config.judge.parallel = 1;
    let mut world = with(&setup);
    world.keys("space space space r ctrl-s");
    let run = &runs(&world)[0];
    let left = &run.ended.as_ref().unwrap().what.left;
    assert!(!run.evaluations.is_empty() && !left.is_empty(), "{run:?}");
    assert!(
        left.iter().all(|l| l.why == "it could cost more than the spend cap leaves"),
        "{left:?}"
    );
    let spent: f64 = run.evaluations.iter().filter_map(|e| e.what.cost).sum();
    assert!(spent > 0.0 && spent <= 1.66, "{spent}");
    assert!(drawn(&world).contains("of at most 1.66"), "{}", drawn(&world));
}

#[test]
fn killed_console_keeps_answers_and_next_one_reports_losses() {
    let mut replies = vec![http::answer(&good_answer().text)];
    replies.extend([vec![Action::Hang], vec![Action::Hang]]);
    let server = Server::in_order(replies);
    let mut world = with(&behind(&server, 1));
    world.keys("space space space r");
    world.press("ctrl-s".parse().unwrap());
    world.until("the first answer", |model| {
        model.runs.live.as_ref().is_some_and(|live| live.run.evaluations.len() == 1)
    });
    // No end is written: as after a kill.
    let mut next = world.again();
    next.keys("6");
    assert!(drawn(&next).contains("1 of 3 judged; end not recorded"), "{}", drawn(&next));
    next.keys("enter");
    let screen = drawn(&next);
    assert!(screen.contains("2 answers of it are not here"), "{screen}");
    assert!(screen.contains("no answer"), "{screen}");
}

#[test]
fn run_without_judge_fails_and_writes_nothing() {
    let make = |_| Err(Problem::new("the key cannot be read", "correct `key_command`"));
    let mut setup = setup(&Judge::by(good));
    setup.asker = Some(JudgeEndpoint {
        description: "nobody".to_owned(),
        make: Arc::new(make),
        ..JudgeEndpoint::none()
    });
    let mut world = with(&setup);
    world.keys("r ctrl-s");
    let screen = drawn(&world);
    assert!(screen.contains("FAILED: no request was sent"), "{screen}");
    assert!(screen.contains("the key cannot be read"), "{screen}");
    assert_eq!(world.ledger().entries().count(), 0);
}
