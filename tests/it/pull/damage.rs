use super::harness::*;
use foureyes::pull::PullState;
use foureyes::store::state::Fact;
use std::io::Write;

/// Numbers without a pattern, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

#[test]
fn two_hundred_random_cuts_end_byte_identical() {
    let lab = Lab::new();
    let wires: Vec<Forwarder> = (0..4).map(|_| Forwarder::to(lab.port)).collect();
    let mut config = lab.config();
    let boxes = wires.iter().enumerate();
    config.boxes = boxes.map(|(i, w)| lab.a_box(&format!("box{i}"), w.port)).collect();
    let mut random = Random(12345);
    let names: Vec<String> = (1..6).map(|n| format!("l{n}.jsonl")).collect();
    for name in &names {
        lab.write(name, "");
    }
    let cuts = || wires.iter().map(Forwarder::cuts).sum::<u64>();
    while cuts() < 200 {
        // The box writes on while connections are cut: now a little, now a lot.
        let name = &names[usize::try_from(random.below(5)).unwrap()];
        lab.append(
            name,
            lines(random.below(1 << 30), usize::try_from(1 + random.below(2000)).unwrap()),
        );
        for wire in &wires {
            // Before, in and after the listing, and anywhere in what is fetched.
            wire.set(Wire::Cut(2000 + random.below(40_000)));
            assert!(wire.connections() < 500, "no progress");
        }
        pull_in(&config, &lab.data());
    }
    wires.iter().for_each(|w| w.set(Wire::Plain));
    for pull in lab.pull_all(&config) {
        assert_eq!((pull.state, facts(&pull)), (PullState::Done, vec![]), "{:?}", pull.error);
        let (files, record) = foureyes::store::mirror::files(&lab.data(), &pull.name).unwrap();
        assert_eq!(files.len(), 5, "no second generation of anything");
        assert!(record.notices.is_empty(), "{:?}", record.notices);
        for file in files {
            assert!(content(&file) == std::fs::read(&file.remote).unwrap(), "{file:?} differs");
        }
    }
}

#[test]
fn interrupted_large_file_keeps_bytes_and_resumes() {
    let lab = Lab::new();
    let wire = Forwarder::to(lab.port);
    let mut config = lab.config();
    config.boxes = vec![lab.a_box("box", wire.port)];
    lab.write("l.jsonl", lines(1, 60_000));
    wire.set(Wire::Cut(1_000_000));
    let pull = lab.pull_with(&config);
    assert_eq!((pull.state, wire.cuts()), (PullState::Failed, 2), "tried again once, not for ever");
    let error = pull.error.unwrap().full();
    assert!(error.contains("cut"), "{error}");
    let partial = lab.copy("l.jsonl");
    assert!(partial.len() > 1_000_000, "{} bytes of two connections are kept", partial.len());
    assert!(std::fs::read(lab.log("l.jsonl")).unwrap().starts_with(&partial));
    wire.set(Wire::Plain);
    let pull = lab.pull_with(&config);
    assert_eq!(pull.bytes as usize + partial.len(), lines(1, 60_000).len());
    lab.assert_identical(&["l.jsonl"]);
}

#[test]
fn bytes_left_behind_the_cursor_by_a_crash_are_not_doubled() {
    let lab = Lab::new();
    lab.write("l.jsonl", "one\n");
    lab.pull();
    let local = lab.mirror().0[0].local.clone();
    std::fs::File::options().append(true).open(&local).unwrap().write_all(b"two\nthr").unwrap();
    assert_eq!(lab.copy("l.jsonl"), b"one\n");
    lab.append("l.jsonl", "two\nthree\n");
    lab.pull();
    assert_eq!(std::fs::read(&local).unwrap(), b"one\ntwo\nthree\n");
}

#[test]
fn damaged_copy_is_reported_kept_and_fetched_again() {
    let lab = Lab::new();
    for name in ["short.jsonl", "bits.jsonl", "gone.jsonl"] {
        lab.write(name, lines(1, 50));
    }
    lab.pull();
    let local = |name: &str| {
        let files = lab.mirror().0;
        files.into_iter().find(|f| f.live && f.remote.ends_with(name)).unwrap().local
    };
    std::fs::write(local("short.jsonl"), "cut").unwrap();
    let mut bits = std::fs::read(local("bits.jsonl")).unwrap();
    bits[5] ^= 1;
    std::fs::write(local("bits.jsonl"), &bits).unwrap();
    std::fs::remove_file(local("gone.jsonl")).unwrap();
    lab.append("bits.jsonl", "more\n");
    let pull = lab.pull();
    let damaged = facts(&pull).iter().filter(|f| matches!(f, Fact::MirrorDamaged { .. })).count();
    assert_eq!((damaged, facts(&pull).len()), (3, 3), "{:?}", facts(&pull));
    lab.assert_identical(&["short.jsonl", "bits.jsonl", "gone.jsonl"]);
    assert_eq!(facts(&lab.pull()), []);
}

/// Flips a bit in the middle of the one copy that counts.
fn flip(lab: &Lab) {
    let files = lab.mirror().0;
    assert_eq!(files.len(), 1, "{files:?}");
    let mut bytes = std::fs::read(&files[0].local).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&files[0].local, bytes).unwrap();
}

#[test]
fn locally_changed_copy_is_repaired_without_blaming_box() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 4000));
    lab.pull();
    let damaged = |pull: &foureyes::pull::BoxPull| {
        let facts = facts(pull);
        assert!(matches!(facts[..], [Fact::MirrorDamaged { .. }]), "{facts:?}");
    };
    // A quiet pull checks in turn, and the next one brings the file again.
    flip(&lab);
    damaged(&lab.pull());
    assert_eq!(lab.pull().bytes as usize, lines(1, 4000).len());
    lab.assert_identical(&["l.jsonl"]);
    assert_eq!(lab.mirror().0.len(), 1, "the damaged copy counts no more");
    // One that has something to bring checks what it adds to.
    flip(&lab);
    lab.append("l.jsonl", "more\n");
    damaged(&lab.pull());
    lab.assert_identical(&["l.jsonl"]);
    assert_eq!((lab.mirror().0.len(), facts(&lab.pull())), (1, vec![]));
    assert_eq!(
        std::fs::read_dir(lab.at("data/mirror/box/files")).unwrap().count(),
        3,
        "all are kept"
    );
    // And all of it is checked where that is asked for.
    let check = || foureyes::pull::check_mirror(&lab.data(), "box").unwrap().unwrap();
    let before = check();
    assert_eq!((before.copies, before.damaged.len()), (1, 0), "{before:?}");
    flip(&lab);
    assert_eq!(check().damaged.len(), 1);
    assert_eq!(facts(&lab.pull()), []);
    lab.assert_identical(&["l.jsonl"]);
}

#[test]
fn a_lost_state_is_made_again_without_fetching_everything() {
    let lab = Lab::new();
    lab.write("l.jsonl", lines(1, 500));
    lab.pull();
    std::fs::write(lab.at("data/mirror/box/state.json"), "{").unwrap();
    lab.append("l.jsonl", "more\n");
    let pull = lab.pull();
    assert_eq!((facts(&pull), pull.bytes), (vec![Fact::Recovered], 5));
    lab.assert_identical(&["l.jsonl"]);
}
