//! How runs on tasks end before they are decided: stopped, or cut.

use super::task::{differing, hanging, opened, running_by, scored, setup_of, type_texts};
use super::*;
use foureyes::tui::TaskJudges;
use foureyes::tui::model::RunPhase;
use http::{PATIENCE, Server};
use std::time::Duration;

#[test]
fn an_answer_is_shown_while_another_judge_is_asked_and_kept_when_the_run_is_cut() {
    let judge = Judge::by(hanging);
    let mut world = running_by(&setup_of(&judge, (120, 40)));
    let screen = drawn(&world);
    assert!(screen.contains("RUNNING: 0 rounds, deep asked"), "{screen}");
    assert!(screen.contains("accept  4 4 5 4.33") && screen.contains("asked…"), "{screen}");
    world.press("ctrl-c".parse().unwrap());
    world.settle();
    assert_eq!(world.model.runs.live.as_ref().unwrap().phase, RunPhase::Ended);
    let all = evaluations(&world);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].evaluation["mode"], "quick");
    assert_eq!(all[0].evaluation.get("decision"), None);
    let left = runs(&world)[0].ended.clone().unwrap().what.left;
    assert_eq!(
        left.iter().map(|l| l.why.as_str()).collect::<Vec<_>>(),
        ["cut off while it was asked"]
    );
    let screen = drawn(&world);
    assert!(screen.contains("1 round; stopped, nothing decided"), "{screen}");
    assert!(screen.contains("1 call cut off, which may be charged"), "{screen}");
    assert_eq!(judge.asked(), 2, "no tiebreaker");
    let mut again = world.again();
    again.keys("6");
    assert!(drawn(&again).contains("1 round; stopped, nothing decided"), "{}", drawn(&again));
}

#[test]
fn ctrl_x_lets_the_judge_that_is_asked_answer_and_asks_no_other() {
    let slow = |_: &Ask| Answer { delay_ms: 400, ..scored([3, 3, 3]) };
    let judge = Judge::by(slow);
    let mut world = opened(&setup_of(&judge, (120, 40)));
    type_texts(&mut world);
    // From the panel to the depth before it, where deep would follow.
    world.keys("down left");
    world.press("ctrl-s".parse().unwrap());
    world.until("the question", |model| {
        model.runs.live.as_ref().is_some_and(|live| live.tiers.len() == 1)
    });
    world.press("ctrl-x".parse().unwrap());
    assert!(drawn(&world).contains("STOPPING"), "{}", drawn(&world));
    world.settle();
    assert_eq!((judge.asked(), evaluations(&world).len()), (1, 1));
    let left = runs(&world)[0].ended.clone().unwrap().what.left;
    assert_eq!(left.iter().map(|l| l.why.as_str()).collect::<Vec<_>>(), ["stopped"]);
}

#[test]
fn ctrl_c_closes_the_connections_of_all_judges() {
    let server = Server::always(vec![http::Action::Hang]);
    let mut setup = setup_of(&Judge::by(differing), (120, 40));
    setup.config.judge.endpoint = Some(server.url());
    let make = |config: &Config| {
        let until = tokio::time::Instant::now() + PATIENCE;
        foureyes::task::judges(config, None, until)
            .map_err(|(_, error)| Problem::from_error(&error, "correct it"))
    };
    let asker = setup.asker.as_mut().unwrap();
    asker.judges = TaskJudges { description: None, make: Arc::new(make) };
    let mut world = opened(&setup);
    type_texts(&mut world);
    assert!(drawn(&world).contains(&server.url()), "{}", drawn(&world));
    world.press("ctrl-s".parse().unwrap());
    world.until("the questions", |model| {
        model.runs.live.as_ref().is_some_and(|live| live.tiers.len() == 2)
    });
    server.wait_for(2, Duration::from_secs(20));
    world.press("ctrl-c".parse().unwrap());
    for connection in 0..2 {
        assert!(server.closed(connection, PATIENCE).is_some(), "the connection stays open");
    }
    world.settle();
    assert_eq!((server.requests().len(), evaluations(&world).len()), (2, 0));
    assert!(drawn(&world).contains("2 calls cut off"), "{}", drawn(&world));
}
