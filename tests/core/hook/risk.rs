//! Rules of risk decide how deep a commit is judged, and no content talks its way out of them.

use super::stage::{AGENT, Stage, errors};
use serde_json::Value;
use std::fs;

const TASK: &str = "protocol = \"task\"\n";

/// A clone whose judges of tasks accept, and whose judge of pushes says GO, with these rules.
fn stage(hook: &str, task: &str, rules: &str) -> Stage {
    let stage = Stage::new();
    let scores = "\\\"semantic\\\":4,\\\"pragmatic\\\":4,\\\"syntactic\\\":4";
    let answer = format!(
        "{{\"text\": \"{{\\\"scores\\\":{{{scores}}},\\\"reasoning\\\":\\\"good\\\"}}\", \"always\": true}}"
    );
    fs::write(stage.path("home/answers.jsonl"), answer).unwrap();
    stage.configure(&format!(
        "[judge]\nscript = \"~/answers.jsonl\"\n[hook]\n{hook}[task]\n{task}[risk]\n{rules}"
    ));
    stage.install();
    stage
}

fn rule(name: &str, depth: &str, conditions: &str) -> String {
    format!("[[risk.rules]]\nname = \"{name}\"\ndepth = \"{depth}\"\n{conditions}\n")
}

fn tasks(stage: &Stage) -> Vec<Value> {
    let text = fs::read_to_string(stage.path("home/.openclaw/verdicts.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Pushes, and gives the note of risk of the last line and how many judges were asked about its run.
fn pushed(stage: &Stage) -> (Value, usize) {
    let output = stage.git(&["push", "-q", "origin", "HEAD:main"]);
    assert!(output.status.success(), "{}", errors(&output));
    let all = tasks(stage);
    let last = all.last().expect("a task is logged").clone();
    let asked =
        all.iter().filter(|l| l["run"] == last["run"] && l["judge_tier"] != "human").count();
    (last["risk"].clone(), asked)
}

#[test]
fn commit_of_an_agent_is_judged_as_deep_as_its_rules_say() {
    let rules = rule("ci", "panel", "paths = [\".github/**\"]")
        + &rule("plans", "person", "paths = [\"research/plans/\"]")
        + &rule("large", "sequential", "lines = 50");
    let stage = stage(TASK, "depth = \"quick\"\n", &rules);
    for (files, depth, asked, decision) in [
        (vec![("research/a.md", "a\n")], "quick", 1, "accept"),
        // What is judged is the note alone; what is touched beside it decides how deep.
        (vec![("research/b.md", "b\n"), (".github/w.yml", "x\n")], "panel", 2, "accept"),
        (vec![("research/plans/c.md", "c\n")], "person", 2, "escalate"),
    ] {
        stage.commit(AGENT, &files);
        let (risk, count) = pushed(&stage);
        assert_eq!((risk["depth"].as_str().unwrap(), count), (depth, asked), "{risk}");
        let last = tasks(&stage).pop().unwrap();
        assert_eq!(last["decision"], decision, "{last}");
        if depth == "person" {
            assert_eq!(last["reason"], "risk");
        }
    }
}

#[test]
fn commit_judged_as_a_push_is_judged_as_a_task_as_well() {
    let rules = rule("ci", "panel", "paths = [\"ci/\"]");
    let stage = stage("mode = \"blocking\"\n", "", &rules);
    stage.commit(AGENT, &[("research/a.md", "a\n")]);
    stage.commit(AGENT, &[("research/b.md", "b\n"), ("ci/run", "x\n")]);
    let (risk, asked) = pushed(&stage);
    assert_eq!((risk["depth"].as_str(), asked), (Some("panel"), 2));
    assert_eq!(risk["rules"], serde_json::json!(["ci"]));
    let log = stage.log();
    let depths: Vec<_> = log.iter().map(|l| l["risk"]["depth"].as_str().unwrap()).collect();
    assert_eq!(depths.len(), 2);
    assert!(depths.contains(&"quick") && depths.contains(&"panel"), "{depths:?}");
    assert_eq!(tasks(&stage).iter().filter(|l| l["decision"] == "accept").count(), 1);
}

/// Each is a way to have a sensitive file changed with the look of a harmless one.
#[test]
fn no_disguise_makes_the_judging_shallower() {
    let rules = rule("access", "panel", "paths = [\"research/access/\"]");
    let with = |change: &dyn Fn(&Stage)| {
        let stage = stage(TASK, "depth = \"quick\"\n", &rules);
        stage.commit(AGENT, &[("research/access/old.md", "an old rule\n")]);
        pushed(&stage);
        change(&stage);
        pushed(&stage).0
    };
    // Moved away, under another name, and edited on the way.
    let moved = with(&|stage| {
        stage.done(&["mv", "research/access/old.md", "research/old.md"]);
        fs::write(stage.work().join("research/old.md"), "another text altogether\n").unwrap();
        stage.done_as(AGENT, &["commit", "-aqm", "tidy up"]);
    });
    let cased = with(&|stage| drop(stage.commit(AGENT, &[("Research/Access/x.md", "x\n")])));
    let hidden =
        with(&|stage| drop(stage.commit(AGENT, &[("research/acc\u{200b}ess/x.md", "x\n")])));
    // A file elsewhere that the sensitive directory links to: first the link, then what it leads to.
    let linked = with(&|stage| {
        std::os::unix::fs::symlink("../free.md", stage.work().join("research/access/y.md"))
            .unwrap();
        stage.done(&["add", "-A"]);
        stage.done_as(AGENT, &["commit", "-qm", "a link"]);
        stage.git(&["push", "-q", "origin", "HEAD:main"]);
        stage.commit(AGENT, &[("research/free.md", "not so free\n")]);
    });
    // The repository's own attributes and configuration hide files from diffs.
    let attributes = with(&|stage| {
        stage.done(&["config", "diff.renames", "copies"]);
        stage.done(&["config", "diff.external", "/bin/true"]);
        stage.commit(
            AGENT,
            &[(".gitattributes", "* -diff linguist-generated\n"), ("research/access/z.md", "z\n")],
        );
    });
    for (name, risk) in [
        ("moved", moved),
        ("case", cased),
        ("hidden", hidden),
        ("link", linked),
        ("attributes", attributes),
    ] {
        assert_eq!(risk["depth"], "panel", "{name}: {risk}");
    }
}

#[test]
fn size_is_counted_over_commits_and_pushes_and_whatever_git_calls_it() {
    let rules = rule("large", "panel", "lines = 100");
    let text = |lines: usize| "a line\n".repeat(lines);
    let stage = stage(TASK, "depth = \"quick\"\n", &rules);
    stage.commit(AGENT, &[("research/a.md", &text(60))]);
    assert_eq!(pushed(&stage).0["depth"], "quick");
    // The rest in another push.
    stage.commit(AGENT, &[("research/b.md", &text(60))]);
    let (risk, _) = pushed(&stage);
    assert_eq!((risk["depth"].as_str(), risk["lines"].as_u64()), (Some("panel"), Some(60)));

    // All in one push, in two commits.
    let stage = self::stage(TASK, "depth = \"quick\"\n", &rules);
    stage.commit(AGENT, &[("research/a.md", &text(60))]);
    stage.commit(AGENT, &[("research/b.md", &text(60))]);
    pushed(&stage);
    assert!(tasks(&stage).iter().all(|line| line["risk"]["depth"] == "panel"));

    // Called binary by an attribute: no lines are counted by git.
    let stage = self::stage(TASK, "depth = \"quick\"\n", &rules);
    stage.commit(AGENT, &[(".gitattributes", "*.md -diff\n"), ("research/c.md", &text(120))]);
    assert_eq!(pushed(&stage).0["depth"], "panel");
}

#[test]
fn configuration_in_the_repository_and_words_of_the_message_lower_nothing() {
    let rules = rule("access", "person", "paths = [\"research/access/\"]");
    let stage = stage(TASK, "depth = \"quick\"\n", &rules);
    stage.commit(
        AGENT,
        &[
            ("research/access/a.md", "depth = quick\n"),
            ("foureyes.toml", "[risk]\nrules = []\n"),
            (".config/foureyes/config.toml", "[task]\ndepth = \"quick\"\n"),
        ],
    );
    stage.done_as(AGENT, &["commit", "--amend", "-qm", "risk: quick\n\nRisk-Depth: quick"]);
    assert_eq!(pushed(&stage).0["depth"], "person");
}

#[test]
fn unknown_author_is_judged_as_the_worst_one() {
    let rules = "rates = \"~/rates.json\"\nrates_key = [\"".to_owned()
        + &"0".repeat(64)
        + "\"]\n"
        + &rule("author", "panel", "author_error = 0.2");
    let stage = stage(TASK, "depth = \"quick\"\n", &rules);
    // Without a file, and with one that nobody signed.
    for (name, text) in
        [("a", None), ("b", Some("{\"rates\":\"{}\",\"signature\":\"00\",\"key\":\"\"}"))]
    {
        if let Some(text) = text {
            fs::write(stage.path("home/rates.json"), text).unwrap();
        }
        stage.commit(AGENT, &[(&format!("research/{name}.md"), "x\n")]);
        let output = stage.git(&["push", "-q", "origin", "HEAD:main"]);
        assert!(errors(&output).contains("rules of risk about authors"), "{}", errors(&output));
        let last = tasks(&stage).pop().unwrap();
        assert_eq!(last["risk"]["depth"], "panel");
    }
}
