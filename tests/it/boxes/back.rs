//! Back to advisory, whatever the box has.

use super::*;

const BACK: [&str; 3] = ["box", "rollback", "box"];

#[test]
fn box_with_broken_configuration_is_rolled_back() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let file = bench.lab.at("home/.config/foureyes/config.toml");
    std::fs::write(&file, "[hook]\nmode = \"blocking\"\nmodle = 1\n").unwrap();
    let document = bench.json("hook-rollback", 0, &BACK);
    assert_eq!(
        (&document["there"]["mode"], &document["there"]["from"]),
        (&"advisory".into(), &"switch".into())
    );
    std::fs::create_dir_all(bench.switch()).unwrap();
    std::fs::write(bench.switch().join("mode.json"), "damaged").unwrap();
    let plain = bench.good(&BACK);
    assert!(plain.starts_with("box: advisory, switched by anna@desk"), "{plain}");
    assert_eq!(bench.entries("hook_mode").len(), 2);
}

#[test]
fn missing_capable_program_is_reported_with_remedy() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    bench.program(Some(
        "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'foureyes 0.0.1'; exit; }\nexit 64\n",
    ));
    let document = bench.json("hook-rollback", 1, &BACK);
    assert_eq!((&document["advisory"], &document["there"]), (&false.into(), &Value::Null));
    assert!(document["why"].as_str().unwrap().contains("foureyes 0.0.1"), "{document:#}");
    bench.program(None);
    let plain = bench.run(&BACK);
    assert_eq!(plain.code, 1);
    assert!(plain.out.contains("was not rolled back"), "{}", plain.out);
    by_hand(&plain.out);
    assert!(bench.ledger().is_empty(), "what did not happen is not recorded");
}

fn by_hand(plain: &str) {
    let steps = ["already", "mode.json", "mode = \"advisory\"", "hook uninstall", "GIT_JUDGE_SKIP"];
    let lines: Vec<&str> = plain.lines().filter(|line| line.starts_with("  -> ")).collect();
    assert_eq!(lines.len(), steps.len(), "{plain}");
    assert!(lines.iter().zip(steps).all(|(line, step)| line.contains(step)), "{plain}");
}

#[test]
fn each_step_by_hand_leads_back() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let config = bench.lab.at("home/.config/foureyes/config.toml");
    let judge = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{judge}[hook]\nmode = \"blocking\"\n")).unwrap();
    super::enable::enable(&bench, 0, &super::enable::WAIVER);
    bench.wrap("*'hook mode'*) exit 64;;");
    let document = bench.json("hook-rollback", 1, &BACK);
    let steps = document["by_hand"].as_array().unwrap();
    let step = |at: usize| steps[at].as_str().unwrap().to_owned();
    let goes = |name: &str| {
        bench.commit(name);
        bench.push(&[]).0
    };
    std::fs::write(&config, format!("{judge}[hook]\nmode = \"advisory\"\n")).unwrap();
    assert!(!goes("one"), "the configuration alone says nothing");
    std::fs::write(&config, format!("{judge}[hook]\nmode = \"blocking\"\n")).unwrap();
    let file = step(1).split(' ').find(|w| w.starts_with("~/")).unwrap().replace('~', "home");
    std::fs::remove_file(bench.lab.at(&file)).unwrap();
    assert!(!goes("two"), "the configuration decides");
    assert!(step(2).contains("mode = \"advisory\""));
    std::fs::write(&config, format!("{judge}[hook]\nmode = \"advisory\"\n")).unwrap();
    assert!(goes("three"));
    bench.install(&bench.repository(), &["--mode", "blocking"]);
    assert!(!goes("four"), "the script decides");
    assert!(step(3).contains(".git/hooks/pre-push"));
    std::fs::remove_file(bench.repository().join(".git/hooks/pre-push")).unwrap();
    assert!(goes("five"));
}

#[test]
fn rollback_needs_no_reviewer_name() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let path = bench.home.path().join("c.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("name = \"anna\"\n", "")).unwrap();
    let by_anna = [&super::enable::WAIVER[..], &["--reviewer", "anna"]].concat();
    super::enable::enable(&bench, 0, &by_anna);
    let ran = bench.run(&BACK);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("by somebody@desk") && ran.err.contains("your name is unknown"));
    let path = bench.home.path().join("data/ledger/somebody@desk.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains("hook_mode") && text.contains("advisory"), "{text}");
}

#[test]
fn a_box_that_cannot_be_reached_is_not_set_back() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    bench.configure(crate::pull::free_port(), &[bench.home.path().join("logs")]);
    let ran = bench.run(&BACK);
    assert_eq!(ran.code, 69, "{}", ran.err);
    by_hand(&ran.out);
    let document = bench.json("hook-rollback", 69, &BACK);
    assert!(document["why"].as_str().unwrap().contains("connecting failed"), "{document:#}");
    assert!(bench.ledger().is_empty());
}
