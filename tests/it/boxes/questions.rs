//! A release that changes the question of the judge: said before it, and named where only some boxes have it.

use super::*;

/// Records of pushes on days of February 2026, with the question that each was asked.
fn log(days: &[(u32, &str)]) -> String {
    let line = |(n, (day, prompt)): (usize, &(u32, &str))| {
        serde_json::json!({
            "commit": format!("{n:040}"), "timestamp": format!("2026-02-{day:02}T10:00:{n:02}Z"),
            "author": AGENT, "judge_model": "fastest", "prompt_sha": prompt.repeat(64),
            "files_evaluated": ["research/a.md"], "verdict": "GO", "findings": "",
            "scores": {"semantic": 4, "pragmatic": 4, "syntactic": 4}, "revision_suggestions": [],
            "content_sha": blake3::hash(format!("{day} {n} {prompt}").as_bytes()).to_string(),
        })
        .to_string()
            + "\n"
    };
    days.iter().enumerate().map(line).collect()
}

/// Two boxes of this machine, pulled.
fn pulled(north: &[(u32, &str)], south: &[(u32, &str)]) -> Home {
    let home = Home::new();
    let mut config = String::new();
    for (name, days) in [("north", north), ("south", south)] {
        std::fs::create_dir_all(home.path().join(name)).unwrap();
        home.write(&format!("{name}/a.jsonl"), log(days));
        let logs = quoted(&home.path().join(name));
        config += &format!("[[box]]\nname = {name:?}\nlocal = true\nlogs = [{logs}]\n");
    }
    home.write("c.toml", config);
    assert_eq!(home.run(&["pull", "--config", "c.toml"]).code, 0);
    home
}

/// What `triage` says of boxes with different questions.
fn mixed(home: &Home) -> Option<String> {
    let ran = home.run(&["triage", "--json", "--days", "36500", "--no-pull", "--config", "c.toml"]);
    let document: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.err));
    let caveats = document["caveats"].as_array().unwrap();
    let one = caveats.iter().find(|caveat| caveat["id"] == "questions_mixed")?;
    Some(one["text"].as_str().unwrap().to_owned())
}

#[test]
fn boxes_with_two_questions_are_a_caveat_with_the_day_of_the_next_window() {
    let home = pulled(&[(1, "a"), (5, "a"), (6, "b")], &[(1, "a"), (3, "b"), (9, "b")]);
    let expected = "boxes asked different questions from 2026-02-03 to 2026-02-05: \
        south bbbbbbbbbbbb, 2 records since 2026-02-03T10:00:01Z; \
        north bbbbbbbbbbbb, 1 record since 2026-02-06T10:00:02Z; \
        north aaaaaaaaaaaa, 2 records until 2026-02-05T10:00:01Z; \
        these are two judges, and a calibration window over both is refused; \
        a window can start on 2026-02-06, the day after the last box changed: \
        `foureyes gate window 2026-02-06`";
    assert_eq!(mixed(&home).as_deref(), Some(expected));
    // What was counted is remembered, and the same.
    assert_eq!(mixed(&home).as_deref(), Some(expected));
    let behind = pulled(&[(1, "a"), (5, "a")], &[(1, "a"), (3, "b")]);
    assert!(mixed(&behind).unwrap().ends_with("; upgrade north, then start a window"));
    let together = pulled(&[(1, "a"), (4, "b")], &[(1, "a"), (3, "b")]);
    assert_eq!(mixed(&together), None, "nobody asked the old question any more");
}

#[test]
fn doctor_says_that_the_next_judgement_is_of_a_new_version() {
    let home = pulled(&[(1, "a"), (5, "b")], &[(2, "a"), (6, "b")]);
    let ask = |home: &Home| -> (Value, Option<Value>) {
        let ran = home.run(&["doctor", "--json", "--config", "c.toml"]);
        let document: Value = serde_json::from_str(&ran.out).unwrap();
        let checks = document["checks"].as_array().unwrap();
        let check = checks.iter().find(|c| c["name"] == "question").cloned();
        (document["earlier_question"].clone(), check)
    };
    assert_eq!(ask(&home).1, None, "a check does not read all logs for the first time");
    assert!(!home.path().join("data/cache/boxes").exists());
    assert_eq!(home.run(&["triage", "--no-pull", "--config", "c.toml"]).code, 0);
    let (document, check) = ask(&home);
    let check = check.unwrap();
    assert_eq!(check["state"], "warn");
    let text = check["text"].as_str().unwrap();
    let now = &prompt()[..12];
    assert!(
        text.starts_with(&format!(
            "this program asks the question {now}, and the newest records are of bbbbbbbbbbbb \
             (2 records from 2026-02-05 to 2026-02-06, 0 of them labelled); "
        )),
        "{text}"
    );
    assert!(text.contains("new calibration window") && text.ends_with("READY"), "{text}");
    assert!(check["advice"].as_str().unwrap().contains("on one day"), "{check}");
    assert_eq!((&document["records"], &document["labelled"]), (&2.into(), &0.into()));
    // Once it has judged, there is nothing to say.
    let line = log(&[(7, "c")]).replace(&"c".repeat(64), &prompt());
    home.write("north/b.jsonl", line);
    assert_eq!(home.run(&["pull", "--config", "c.toml"]).code, 0);
    assert_eq!(ask(&home), (Value::Null, None));
}

#[test]
fn box_whose_program_asks_otherwise_is_a_warning() {
    let bench = Bench::new(&["fastest"], Taste::Strict);
    let question = |bench: &Bench| {
        let document = bench.json("box-check", 0, &["box", "check", "box"]);
        let checks = document["checks"].as_array().unwrap();
        checks.iter().find(|c| c["name"] == "question").cloned()
    };
    assert_eq!(question(&bench), None);
    // An older release there: its question is another one.
    let old = "c".repeat(64);
    bench.wrap(&format!(
        "'hook check --json'*) $real \"$@\" | sed 's/{}/{old}/'; exit 0;;",
        prompt()
    ));
    let check = question(&bench).unwrap();
    let text = check["text"].as_str().unwrap();
    assert!(
        text.starts_with(
            "the program there asks the question cccccccccccc, and that of this machine "
        ) && text.contains(&prompt()[..12]),
        "{text}"
    );
    assert_eq!(check["state"], "warn");
    // One that has a template of its own there and none here cannot be compared.
    bench.wrap(&format!(
        "'hook check --json'*) $real \"$@\" | sed 's/{}/{old}/; s/(built in)/(own)/'; exit 0;;",
        prompt()
    ));
    assert_eq!(question(&bench), None);
}
