//! Back to advisory, whatever the box has.

use super::*;

const BACK: [&str; 4] = ["hook", "rollback", "--box", "box"];

#[test]
fn a_box_whose_configuration_is_wrong_is_set_back_all_the_same() {
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
fn without_a_program_that_can_it_says_what_to_do() {
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
    for part in [
        "was not set back",
        "lets every push through already",
        "mode = \"advisory\"",
        "hook uninstall",
    ] {
        assert!(plain.out.contains(part), "{part}: {}", plain.out);
    }
    assert!(bench.ledger().is_empty(), "what did not happen is not recorded");
}

#[test]
fn a_box_that_cannot_be_reached_is_not_set_back() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    bench.configure(crate::pull::free_port(), &[bench.home.path().join("logs")]);
    let ran = bench.run(&BACK);
    assert!(ran.code == 69 && ran.out.is_empty(), "{}", ran.err);
    assert!(bench.ledger().is_empty());
}
