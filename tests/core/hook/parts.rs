//! Commits that are mended in part: what stands of them arrives, and is judged as it arrives.

use super::model::{Model, says};
use super::pushing::{log, push, stage};
use super::stage::{AGENT, PERSON, errors};
use crate::http::Server;
use serde_json::json;

#[test]
fn a_word_in_another_file_does_not_free_a_poor_one() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n"), ("research/b.md", "fine\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    stage.commit(AGENT, &[("research/b.md", "just fine\n")]);
    assert!(!push(&stage, &["origin", "main"]), "a.md would arrive as poor as it was");
    assert_eq!(log(&stage)[1].2, ["research/a.md", "research/b.md"]);
    assert_eq!(model.asked(), 2, "the change is judged with what it leaves");
    assert_eq!(stage.log()[1].get("part_of"), None, "it is that commit's one evaluation");
    assert!(!push(&stage, &["origin", "main"]));
    assert_eq!((model.asked(), stage.log().len()), (2, 2), "a further try asks nobody");
    stage.commit(AGENT, &[("research/a.md", "mended\n")]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!(stage.log().last().unwrap()["verdict"], json!("GO"));
}

#[test]
fn combined_part_is_asked_about_once_more() {
    let model = Model::start();
    let stage = stage(&model);
    let first = stage.commit(AGENT, &[("research/a.md", "POOR\n"), ("research/b.md", "fine\n")]);
    let second = stage.commit(AGENT, &[("research/b.md", "just fine\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    assert_eq!((model.asked(), stage.log().len()), (3, 3));
    let record = &stage.log()[2];
    assert_eq!((&record["commit"], &record["verdict"]), (&json!(second), &json!("NO-GO")));
    assert_eq!(record["files_evaluated"], json!(["research/a.md", "research/b.md"]));
    assert_eq!(record["part_of"], json!(first), "it is not an evaluation of the second commit");
    let own: Vec<_> = stage.log().into_iter().filter(|r| r.get("part_of").is_none()).collect();
    let own: Vec<_> = own.iter().map(|r| (&r["commit"], &r["verdict"])).collect();
    assert!(own.contains(&(&json!(first), &json!("NO-GO"))), "{own:?}");
    assert!(own.contains(&(&json!(second), &json!("GO"))) && own.len() == 2, "{own:?}");
    assert!(!push(&stage, &["origin", "main"]));
    assert_eq!((model.asked(), stage.log().len()), (3, 3));
    // The same content in another commit on top: a repeat is marked as well.
    stage.done_as(AGENT, &["commit", "-q", "--amend", "-m", "another message"]);
    assert!(!push(&stage, &["origin", "main"]));
    let repeat = stage.log().pop().unwrap();
    assert_eq!((model.asked(), &repeat["part_of"]), (3, &json!(first)), "{repeat}");
    assert_eq!(repeat["reused"].as_str().map(str::len), Some(64));
    stage.commit(AGENT, &[("research/a.md", "mended\n")]);
    let output = stage.git(&["push", "origin", "main"]);
    assert!(output.status.success(), "{}", errors(&output));
}

#[test]
fn later_changes_by_a_person_are_not_part_of_agent_commit() {
    let model = Model::start();
    let stage = stage(&model);
    let files = [("research/a.md", "1\n"), ("research/b.md", "2\n"), ("research/c.md", "POOR\n")];
    let first = stage.commit(AGENT, &files);
    assert!(!push(&stage, &["origin", "main"]));
    let agents = stage.commit(AGENT, &[("research/a.md", "other\n")]);
    let tip = stage.commit(PERSON, &[("research/b.md", "a person's\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    let log = log(&stage);
    assert_eq!((&log[1].0, &log[1].2), (&agents, &vec!["research/a.md".to_owned()]));
    assert_eq!(stage.log()[2]["part_of"], json!(first));
    assert_eq!((&log[2].0, log[2].1.as_str(), log[2].2.len()), (&tip, "NO-GO", 3));
    assert_eq!(model.asked(), 3);
}

#[test]
fn removed_file_does_not_clear_others() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n"), ("research/b.md", "fine\n")]);
    stage.done(&["rm", "-q", "research/b.md"]);
    stage.commit(PERSON, &[]);
    assert!(!push(&stage, &["origin", "main"]));
    stage.done(&["revert", "--no-edit", "HEAD"]);
    stage.done(&["rm", "-q", "research/a.md"]);
    stage.commit(PERSON, &[]);
    assert!(push(&stage, &["origin", "main"]), "what is poor is gone");
}

#[test]
fn where_nothing_is_stopped_nothing_more_is_asked() {
    let model = Model::start();
    let mut stage = stage(&model);
    model.serve(&mut stage, "mode = \"advisory\"");
    stage.commit(AGENT, &[("research/a.md", "POOR\n"), ("research/b.md", "fine\n")]);
    stage.commit(AGENT, &[("research/b.md", "just fine\n")]);
    assert!(push(&stage, &["origin", "main"]));
    assert_eq!((model.asked(), stage.log().len()), (2, 2));
}

#[test]
fn unanswered_question_about_part_is_logged_and_passes() {
    let model = Model::start();
    let stage = stage(&model);
    let first = stage.commit(AGENT, &[("research/a.md", "POOR\n"), ("research/b.md", "fine\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    stage.commit(PERSON, &[("research/b.md", "a person's\n")]);
    drop(model);
    assert!(push(&stage, &["origin", "main"]));
    let record = &stage.log()[1];
    assert_eq!((&record["error"], &record["part_of"]), (&json!("unavailable"), &json!(first)));
}

#[test]
fn part_question_uses_remaining_push_budget() {
    // An answer costs 34; for one, three calls with 100 each are set aside.
    for (cap, asked) in [(320, 1), (340, 2)] {
        let model = Model::start();
        let stage = stage(&model);
        stage.configure(&format!(
            "[judge]\nendpoint = \"{}\"\nmax_tokens = 100\nspend_cap = {cap}\n\
             [hook]\nmode = \"blocking\"\n\
             [prices]\n\"*\" = {{ prompt = 0, completion = 1000000 }}\n",
            model.0.url()
        ));
        stage.commit(AGENT, &[("research/a.md", "POOR\n"), ("research/b.md", "fine\n")]);
        stage.commit(PERSON, &[("research/b.md", "a person's\n")]);
        assert_eq!(push(&stage, &["origin", "main"]), asked == 1, "{cap}");
        let log = stage.log();
        assert_eq!((model.asked(), log.len()), (asked, 2), "{log:#?}");
        let error = log[1].get("error").cloned();
        assert_eq!(error, (asked == 1).then(|| json!("spend_cap")));
    }
}

#[test]
fn complete_no_go_blocks_although_git_fails_on_other_part() {
    for (whole, code) in [(true, Some(1)), (false, Some(0))] {
        let asked = tempfile::tempdir().unwrap();
        let mark = asked.path().join("mark");
        let touched = mark.clone();
        let model = Model(Server::start(move |request| {
            std::fs::write(&touched, "").unwrap();
            says(request)
        }));
        let stage = stage(&model);
        // Once somebody was asked, git gives no content any more.
        let real = stage.done(&["--exec-path"]) + "/git";
        let fails = format!(
            "#!/bin/sh\ncase \"$*\" in *'cat-file --batch') [ ! -e '{}' ] || exit 9 ;; esac\nexec '{real}' \"$@\"\n",
            mark.display()
        );
        stage.script(&stage.path("bin/git"), &fails);
        if whole {
            stage.commit(AGENT, &[("research/whole.md", "POOR too\n")]);
        }
        stage.commit(AGENT, &[("research/a.md", "POOR\n"), ("research/b.md", "fine\n")]);
        stage.commit(AGENT, &[("research/b.md", "just fine\n")]);
        let first = format!("export PATH={}:$PATH;", stage.path("bin").display());
        let output = super::lessons::run(&stage, &first);
        let said = errors(&output);
        assert_eq!(output.status.code(), code, "{said}");
        assert_eq!(said.contains("push stopped: 1 NO-GO"), whole, "{said}");
        assert_eq!(said.contains("not all of it could be checked"), whole, "{said}");
        assert_eq!(said.contains("the push continues"), !whole, "{said}");
    }
}

#[test]
fn git_that_reads_contents_starts_while_another_lists_files() {
    let model = Model::start();
    let stage = stage(&model);
    let (real, started) = (stage.done(&["--exec-path"]) + "/git", stage.path("started"));
    let waits = format!(
        "#!/bin/sh\nfile='{}'\ncase \"$*\" in\n*'cat-file --batch') : > \"$file\" ;;\n\
         *' log '*)\n  n=0\n  until [ -e \"$file\" ]; do\n    [ \"$n\" -lt 500 ] || exit 9\n    \
         n=$((n + 1))\n    sleep 0.02\n  done\n  ;;\nesac\nexec '{real}' \"$@\"\n",
        started.display()
    );
    stage.script(&stage.path("bin/git"), &waits);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    let first = format!("export PATH={}:$PATH;", stage.path("bin").display());
    let output = super::lessons::run(&stage, &first);
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
}

#[test]
fn logged_no_go_survives_when_also_a_part_and_judge_is_down() {
    let model = Model::start();
    let mut stage = super::stage::Stage::new();
    model.serve(&mut stage, "mode = \"advisory\"");
    stage.install();
    stage.commit(AGENT, &[("research/a.md", "fine\n"), ("research/b.md", "POOR\n")]);
    stage.commit(AGENT, &[("research/b.md", "POOR too\n")]);
    assert!(push(&stage, &["-n", "origin", "main"]), "only tried, and only advised");
    let verdicts: Vec<_> = log(&stage).into_iter().map(|row| row.1).collect();
    assert_eq!(verdicts, ["NO-GO", "NO-GO"]);
    model.serve(&mut stage, "mode = \"blocking\"");
    stage.set("TERRAPHIM_API_KEY", "");
    assert!(!push(&stage, &["origin", "main"]));
    stage.set("GIT_JUDGE_FRESH", "1");
    assert!(!push(&stage, &["origin", "main"]), "b.md arrives just as it was found poor");
}
