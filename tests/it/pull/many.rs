use super::harness::*;
use foureyes::pull::PullState;
use foureyes::store::lock::BoxLock;
use foureyes::store::mirror;

#[test]
fn twenty_boxes_three_dead_one_slow() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 2000));
    let wire = Forwarder::to(lab.port);
    wire.set(Wire::Slow(300_000));
    let dead = free_port();
    let mut config = lab.config();
    config.boxes = (0..20)
        .map(|i| {
            let port = match i {
                3 | 7 | 11 => dead,
                5 => wire.port,
                _ => lab.port,
            };
            lab.a_box(&format!("box{i}"), port)
        })
        .collect();
    let pulls = lab.pull_all(&config);
    for (i, pull) in pulls.iter().enumerate() {
        assert_eq!(pull.name, format!("box{i}"));
        let expected = if [3, 7, 11].contains(&i) { PullState::Failed } else { PullState::Done };
        assert_eq!(pull.state, expected, "box{i}: {:?}", pull.error);
        let (files, record) = mirror::files(&lab.data(), &pull.name).unwrap();
        assert_eq!(files.len(), usize::from(expected == PullState::Done));
        assert_eq!(record.last_error.is_some(), expected == PullState::Failed);
        assert!(files.iter().all(|f| content(f) == lines(1, 2000)));
    }
}

#[test]
fn two_concurrent_instances_do_not_conflict() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 5000));
    lab.write("m.jsonl", lines(2, 5000));
    let (config, data) = (lab.config(), lab.data());
    for round in 0..3 {
        let states: Vec<PullState> = std::thread::scope(|scope| {
            let pull = || pull_in(&config, &data).remove(0).state;
            let both = [scope.spawn(pull), scope.spawn(pull)];
            both.map(|t| t.join().unwrap()).to_vec()
        });
        assert_eq!(states, [PullState::Done; 2]);
        lab.append("l.jsonl", lines(round, 300));
    }
    lab.pull();
    lab.assert_identical(&["l.jsonl", "m.jsonl"]);
    assert_eq!(lab.mirror().0.len(), 2);
}

#[test]
fn a_box_that_another_instance_holds_is_left_to_it() {
    let lab = Lab::new();
    lab.write("l.jsonl", "a\n");
    lab.pull();
    // A process that another test starts has the lock of the pull for a moment.
    let place = lab.at("data/mirror/box");
    let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let _held = loop {
        match BoxLock::try_take(&place).unwrap() {
            Some(held) => break held,
            None => assert!(std::time::Instant::now() < end, "the lock stays taken"),
        }
    };
    assert_eq!(lab.pull_with(&lab.config()).state, PullState::Busy);
    assert_eq!(lab.copy("l.jsonl"), b"a\n", "its data are used");
}
