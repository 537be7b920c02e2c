//! Which repositories of a box are looked at: the hooks in them are what blocks.

use super::enable::{ENABLE, WAIVER, enable, unchanged};
use super::*;

/// Findings of that name: state and text.
fn hooks(document: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let checks = document["checks"].as_array().unwrap().iter();
    let hooks = checks.filter(|c| c["name"] == "hook");
    hooks.map(|c| (text(&c["state"]), text(&c["text"]))).collect()
}

/// A further repository on the box, without a hook.
fn further(bench: &Bench, name: &str) -> PathBuf {
    let dir = bench.lab.at("home").join(name);
    bench.git_done(&["init", "-q", "-b", "main", dir.to_str().unwrap()]);
    bench.configure_more(&bench.remote_path("box", &format!("~/{name}")));
    dir
}

#[test]
fn without_repository_effect_of_blocking_is_unknown() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let path = bench.home.path().join("c.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.split("[[repository]]").next().unwrap()).unwrap();
    let document = bench.json("box-check", 0, &["box", "check", "box"]);
    let [(state, text)] = &hooks(&document)[..] else { panic!("{document:#}") };
    assert!(state == "warn" && text.contains("no repository is given"), "{text}");
    let ran = bench.run(&[&ENABLE[..], &WAIVER].concat());
    assert!(ran.code == 64 && ran.out.is_empty(), "{}", ran.out);
    assert!(
        ran.err.contains("no repository of box") && ran.err.contains("remote_path"),
        "{}",
        ran.err
    );
    unchanged(&bench);
    let named = [&WAIVER[..], &["--repo", "~/repo"]].concat();
    assert_eq!(enable(&bench, 0, &named)["state"], "blocking");
}

#[test]
fn every_repository_of_the_box_is_looked_at() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let other = further(&bench, "it's other");
    let document = bench.json("box-check", 1, &["box", "check", "box"]);
    let [(one, _), (two, text)] = &hooks(&document)[..] else { panic!("{document:#}") };
    assert_eq!((one.as_str(), two.as_str()), ("ok", "fail"));
    assert!(text.contains("it's other") && text.contains("there is no hook"), "{text}");
    let document = enable(&bench, 1, &WAIVER);
    assert_eq!(document["state"], "unfit");
    unchanged(&bench);
    // One that is fixed to advisory is told, and does not keep the others from it.
    bench.install(&other, &["--mode", "advisory"]);
    let document = enable(&bench, 0, &WAIVER);
    let [(state, text)] = &hooks(&document)[..] else { panic!("{document:#}") };
    assert!(state == "warn" && text.contains("fixed to advisory"), "{text}");
    assert_eq!(document["rehearsal"]["steps"].as_array().unwrap().len(), 2, "one program, once");
    assert!(!bench.push(&[]).0);
}

#[test]
fn scripts_fixed_to_advisory_are_reported_as_never_blocking() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    bench.install(&bench.repository(), &["--mode", "advisory"]);
    let document = enable(&bench, 1, &WAIVER);
    assert_eq!(document["state"], "unfit", "{document:#}");
    assert_eq!(hooks(&document)[0].0, "warn");
    unchanged(&bench);
}

#[test]
fn a_script_with_another_program_is_rehearsed_with_that() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let other = further(&bench, "other");
    bench.install(&other, &[]);
    // Its program lets everything through.
    let hook = other.join(".git/hooks/pre-push");
    let stub = bench.lab.at("stub");
    std::fs::write(&stub, "#!/bin/sh\nexit 0\n").unwrap();
    std::fs::set_permissions(&stub, std::fs::Permissions::from_mode(0o755)).unwrap();
    let real = std::fs::canonicalize(env!("CARGO_BIN_EXE_foureyes")).unwrap();
    let text = std::fs::read_to_string(&hook).unwrap();
    let text = text.replace(real.to_str().unwrap(), stub.to_str().unwrap());
    std::fs::write(&hook, &text).unwrap();
    assert!(text.contains("stub"), "{text}");
    let document = enable(&bench, 1, &WAIVER);
    assert_eq!(document["state"], "rolled_back", "{document:#}");
    let steps = document["rehearsal"]["steps"].as_array().unwrap();
    let well: Vec<bool> = steps.iter().map(|s| s["well"] == true).collect();
    assert_eq!(well.len(), 4, "{document:#}");
    assert!(well[0] && well[1] && !well[2], "{document:#}");
    bench.agree("advisory");
}
