//! Picks of memories with hostile text, on terminals of all sizes, and by a person at the real console.

use super::super::person::Home;
use super::*;
use crate::hostile::SIGNALS;

#[test]
fn every_text_of_a_pick_is_harmless_and_secrets_are_masked() {
    const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    for (payload, shown) in SIGNALS {
        let text = format!("{payload} {SECRET}");
        let mut line = pick(1, &[2], &[2]);
        for candidate in line["candidates"].as_array_mut().unwrap() {
            candidate["title"] = text.clone().into();
            candidate["category"] = text.clone().into();
            candidate["tags"] = vec![text.clone()].into();
        }
        let mut words = prompt(1, &text);
        words["context"] = vec![text.clone()].into();
        words["candidates"][0]["body"] = text.clone().into();
        let mut fallback = pick(2, &[1], &[1]);
        (fallback["choice"], fallback["fallback"]) = ("fallback".into(), text.clone().into());
        let all = vec![
            ("north/picks.jsonl", logs::lines(&[line, fallback])),
            ("north/prompts.jsonl", logs::lines(&[words])),
        ];
        for size in [(120, 40), (80, 24), (40, 12)] {
            let mut world = World::ready(&Setup { size, ..setup() }, &all);
            world.keys("4 L L");
            for key in ["g", "j", "j", "space", "G", "5", "G", "1"] {
                world.keys(key);
                let buffer = paper::drawn(&world.model);
                paper::harmless(&buffer, payload);
                let text = paper::text(&buffer);
                assert!(!text.contains("ghp_0123"), "{text}");
                if key == "g" && size.0 == 120 {
                    assert!(text.contains(shown), "{shown}: {text}");
                }
            }
        }
    }
}

#[test]
fn long_prompt_keeps_its_lines_and_can_be_read_to_its_end() {
    let text: String = (0..60).map(|n| format!("line {n}\n")).collect();
    let mut all = logs(1);
    all[2].1 = logs::lines(&[prompt(0, &text)]);
    let mut world = World::ready(&Setup { size: (80, 24), ..setup() }, &all);
    world.keys("4 L L");
    let mut read = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let shown = drawn(&world);
        read.extend(shown.lines().filter_map(|line| line.split_once("│ ")).map(|l| l.1.to_owned()));
        world.keys("j");
    }
    assert!((0..60).all(|n| read.contains(&format!("line {n}"))), "{read:?}");
    // No line of it looks like one of ours.
    let fake = "x\n▸ [x] [fix] helps (tags: )\n─ 1 candidate ─";
    all[2].1 = logs::lines(&[prompt(0, fake)]);
    let mut world = World::ready(&setup(), &all);
    world.keys("4 L L");
    let shown = drawn(&world);
    let lines = shown.lines().filter(|line| line.contains("[x]") || line.contains("1 candidate"));
    assert!(
        lines.clone().count() == 2 && lines.clone().all(|line| line.starts_with("  │ ")),
        "{shown}"
    );
}

#[test]
fn another_size_keeps_the_candidate_under_the_cursor() {
    use foureyes::tui::Message;
    use foureyes::tui::input::Input;
    let mut world = labelling(2);
    world.keys("j j j j space");
    let card = world.model.picks.card.clone().unwrap();
    let place = card.candidates[2].place;
    for (width, height) in [(80, 24), (40, 12), (30, 6), (120, 40)] {
        world.tell(Message::Input(Input::Resize { width, height }));
        let text = drawn(&world);
        let line = text.lines().find(|line| line.contains("[x]"));
        assert!(line.is_some(), "{width}x{height}: {text}");
    }
    world.keys("space");
    assert!(world.model.picks.marks_of(card.record).is_empty(), "{place}");
}

#[test]
fn person_labels_a_pick_with_keys_and_the_ledger_has_it() {
    let home = Home::new();
    for (name, text) in logs(2) {
        home.write(&format!("logs/{}", name.replace("north/", "")), text);
    }
    let dir = home.at("logs").into_os_string().into_string().unwrap();
    home.write("config/foureyes/config.toml", "[reviewer]\nname = \"anna\"\nmachine = \"desk\"\n");
    let mut session = home.console(&["--from", &dir]).size(80, 24).run();
    session.wait_for("? memories: NOT ENOUGH EVIDENCE; no labelled picks");
    session.press("4");
    session.wait_for("Calibration of pushes");
    session.press("LL");
    session.wait_for("Calibration of picks (strict) 1 of 2");
    session.press("jj ");
    session.wait_for("1 of 6 marked.");
    session.press("\x13");
    session.wait_for("Saved: 1 of 6 candidates helps. 1 pick left.");
    session.wait_for("Calibration of picks (strict) 1 of 1");
    let ledger = std::fs::read_to_string(home.at("foureyes/ledger/anna@desk.jsonl")).unwrap();
    let line = ledger.lines().find(|line| line.contains("\"relevance\"")).expect(&ledger);
    let line: Value = serde_json::from_str(line).unwrap();
    let text = line.to_string();
    assert!(text.contains("\"drawn\":true") && text.contains("\"reviewer\":\"anna\""), "{text}");
    session.press("5");
    session.wait_for("1 pick waits for your label");
    session.press("G");
    session.wait_for("Labelled 1, incomplete 0, not drawn 0, not labelled 1");
    session.press("4");
    session.wait_for("Calibration of picks (strict) 1 of 1");
    session.press("u");
    session.wait_for("Calibration of picks (strict) 1 of 2");
    session.press("1");
    session.wait_for("no labelled picks");
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_clean();
}
