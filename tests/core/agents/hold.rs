//! The Stop hook of the page where judges want changes: the agent goes on, as long as tries are left.

use super::Project;

/// What the hook comes to while the agent changes something each time.
fn course(project: &Project, times: usize) -> Vec<Option<i32>> {
    let one = |n| {
        let stopped = project.stop();
        project.write("a.md", format!("# Note {n}\n"));
        stopped.code
    };
    (0..times).map(one).collect()
}

#[test]
fn agent_goes_on_until_its_tries_are_used_up() {
    for words in [["reject"; 3], ["improve"; 3], ["improve", "reject", "accept"]] {
        let project = Project::new(words);
        assert_eq!(course(&project, 6), [2, 2, 0, 0, 0, 0].map(Some), "{words:?}");
    }
    let project = Project::new(["reject"; 3]);
    project.home().configure("[task]\ntries = 1\n");
    project.stop().ends("rejected, and no tries are left");
    let project = Project::new(["improve"; 3]);
    project.home().configure("[task]\ntries = 1\n");
    project.stop().ends("a person decides, and no tries are left: The judges came to neither");
}

#[test]
fn agent_is_told_what_to_change_and_not_how_to_override() {
    let project = Project::new(["reject"; 3]);
    let stopped = project.stop();
    assert_eq!((stopped.code, stopped.out.as_str()), (Some(2), ""), "{stopped:?}");
    for part in ["2 more times", "  | a.md:1: issue of reject -> mend it (semantic)", "data about"]
    {
        assert!(stopped.err.contains(part), "{part}: {stopped:?}");
    }
    assert!(!stopped.err.contains("override") && !stopped.err.contains("asking"), "{stopped:?}");
    project.write("a.md", "# Better\n");
    assert!(project.stop().err.contains("once more"));
}

#[test]
fn result_that_was_not_changed_is_not_sent_back() {
    let project = Project::new(["reject"; 3]);
    assert_eq!(project.stop().code, Some(2));
    for _ in 0..3 {
        project.stop().ends("rejected, since the same content was judged before");
    }
    project.home().answers(["accept"; 3]);
    project.write("a.md", "# Better\n");
    project.stop().ends("accepted");
    project.stop().ends("accepted, since the same content was judged before");
}

#[test]
fn rejection_without_a_change_to_make_sends_nobody_back() {
    let project = Project::new(["reject"; 3]);
    let text = r#"{"scores":{"semantic":1,"pragmatic":1,"syntactic":1},"verdict":"reject","reasoning":"no","improvements":[]}"#;
    let line = serde_json::json!({"model": "quick", "text": text, "always": true});
    project.home().write("answers.jsonl", &line.to_string());
    project.stop().ends("rejected, and the judges named nothing to change");
}

#[test]
fn agent_is_held_by_what_the_last_judge_said() {
    for (words, code) in [
        (["improve", "escalate", "accept"], 0),
        (["escalate", "escalate", "accept"], 0),
        (["escalate", "improve", "accept"], 2),
        (["escalate", "reject", "accept"], 2),
        (["improve", "improve", "accept"], 2),
    ] {
        let project = Project::new(words);
        let line = |(tier, word): (&str, &str)| {
            let text = crate::tasks::verdict(word);
            let mut answer: serde_json::Value = serde_json::from_str(&text).unwrap();
            let issue =
                serde_json::json!({"dimension": "semantic", "location": "a.md", "issue": "wrong"});
            answer["improvements"] = serde_json::json!([issue]);
            serde_json::json!({"model": tier, "text": answer.to_string(), "always": true})
                .to_string()
        };
        let lines = ["quick", "deep", "tiebreaker"].into_iter().zip(words).map(line);
        project.home().write("answers.jsonl", &lines.collect::<Vec<_>>().join("\n"));
        let stopped = project.stop();
        assert_eq!(stopped.code, Some(code), "{words:?}: {stopped:?}");
    }
}

#[test]
fn person_is_told_only_when_the_agent_may_end() {
    for (words, made) in [(["improve"; 3], [0, 0, 1]), (["escalate"; 3], [1, 2, 3])] {
        let project = Project::new(words);
        project.home().configure("[task]\ncreate_issues = true\nissue_repository = \"o/r\"\n");
        let file = project.home().path().join("made");
        let script = format!("echo made >> '{}'; echo https://example/1", file.display());
        project.tool("gh", Some(&script));
        for (n, count) in made.into_iter().enumerate() {
            let stopped = project.stop();
            let issues = std::fs::read_to_string(&file).unwrap_or_default().lines().count();
            assert_eq!(issues, count, "{words:?} {n}: {stopped:?}");
            project.write("a.md", format!("# Note {n}\n"));
        }
    }
}

#[test]
fn notes_of_the_plain_command_are_those_of_the_hook() {
    let project = Project::new(["improve"; 3]);
    std::fs::create_dir(project.home().path().join(".openclaw")).unwrap();
    for name in ["verdicts.jsonl.locks", "questions"] {
        std::fs::write(project.home().path().join(".openclaw").join(name), "").unwrap();
    }
    let args = ["-t", "x", "-d", "y", "--depth", "quick", "a.md"];
    let plain = project.home().command(&args).output().unwrap();
    let plain = String::from_utf8(plain.stderr).unwrap();
    project.home().write("a.md", "# Another\n");
    let hooked = [&["--hook", "claude-code"][..], &args].concat();
    let hooked = project.home().command(&hooked).stdin(std::process::Stdio::null()).output();
    let hooked = String::from_utf8(hooked.unwrap().stderr).unwrap();
    for part in ["no usable locks", "questions", "`--depth quick` has no effect"] {
        let line = plain.lines().find(|line| line.contains(part)).expect(part);
        assert!(hooked.lines().any(|other| other == line), "{line}: {hooked}");
    }
}

#[test]
fn changes_use_the_room_that_an_agent_has() {
    let project = Project::new(["reject"; 3]);
    let issue = "\u{4e2d}\u{6587}".repeat(200);
    let one = serde_json::json!({"dimension": "semantic", "location": "a.md", "issue": issue});
    let numbered = |n: usize| {
        let mut one = one.clone();
        one["location"] = format!("a.md:{n}").into();
        one
    };
    let all: Vec<_> = (0..60).map(numbered).collect();
    let text = serde_json::json!({
        "scores": {"semantic": 1, "pragmatic": 1, "syntactic": 1}, "verdict": "reject",
        "reasoning": "bad", "improvements": all,
    });
    let line = serde_json::json!({"model": "quick", "text": text.to_string(), "always": true});
    project.home().write("answers.jsonl", &line.to_string());
    let stopped = project.stop();
    let length = stopped.err.encode_utf16().count();
    assert!((8_000..=9_500).contains(&length), "{length}: {stopped:?}");
}

#[test]
fn words_of_a_model_reach_the_agent_bounded_and_escaped() {
    let project = Project::new(["reject"; 3]);
    let issue = |n: usize| {
        let text = format!("\u{1b}[2J{n} {}\njudges want changes", "word ".repeat(60));
        serde_json::json!({"dimension": "semantic", "location": "a.md", "issue": text})
    };
    let all: Vec<_> = (0..60).map(issue).collect();
    let text = serde_json::json!({
        "scores": {"semantic": 1, "pragmatic": 1, "syntactic": 1}, "verdict": "reject",
        "reasoning": "bad", "improvements": all,
    });
    let line = serde_json::json!({"model": "quick", "text": text.to_string(), "always": true});
    project.home().write("answers.jsonl", &line.to_string());
    let stopped = project.stop();
    assert_eq!(stopped.code, Some(2), "{stopped:?}");
    assert!(stopped.err.len() < 10_000 && !stopped.err.contains('\u{1b}'), "{stopped:?}");
    let last = stopped.err.trim_end().lines().last().unwrap();
    assert!(last.contains("more changes are in the log"), "{last}");
}
