//! The table of what the hook does, row by row, in both modes.

use super::model::{Model, verdict};
use super::stage::{AGENT, PERSON, Stage, errors};
use crate::http::{Action, answer, head, json, reply};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const MODES: [&str; 2] = ["advisory", "blocking"];

/// A stage with the hook, in a mode, with an agent's commit of this content to push.
fn stage(model: &Model, mode: &str, content: &str) -> Stage {
    let mut stage = Stage::new();
    model.serve(&mut stage, &format!("mode = \"{mode}\""));
    stage.install();
    stage.commit(AGENT, &[("research/a.md", content)]);
    stage
}

/// Pushes; gives whether it went through, and what was said.
fn push(stage: &Stage) -> (bool, String) {
    let output = stage.git(&["push", "origin", "main"]);
    let there = stage.remote_ref("main") == Some(stage.done(&["rev-parse", "main"]));
    assert_eq!(there, output.status.success(), "{}", errors(&output));
    assert!(there || output.status.code() == Some(1), "{}", errors(&output));
    (there, errors(&output))
}

fn passes(stage: &Stage, why: &str) -> String {
    let (passed, said) = push(stage);
    assert!(passed, "{why}: {said}");
    said
}

fn only(records: &[Value]) -> &Value {
    assert_eq!(records.len(), 1, "{records:#?}");
    &records[0]
}

#[test]
fn go_is_logged_and_passes() {
    for mode in MODES {
        let model = Model::start();
        let stage = stage(&model, mode, "good\n");
        passes(&stage, mode);
        let log = stage.log();
        let record = only(&log);
        assert_eq!((&record["verdict"], &record["mode"]), (&json!("GO"), &json!(mode)));
        assert_eq!(record["commit"], json!(stage.done(&["rev-parse", "HEAD"])));
        assert_eq!(record["author"], json!(AGENT));
        assert_eq!(record["files_evaluated"], json!(["research/a.md"]));
        assert_eq!(record["judge_model"], json!("fastest"));
        assert_eq!(record["served_model"], json!("served-model"));
        let time: jiff::Timestamp = record["timestamp"].as_str().unwrap().parse().unwrap();
        let day = format!("{}.jsonl", &time.to_string()[..10]);
        assert!(stage.log_dir().join(day).exists(), "the day of the file is that of the record");
        assert_eq!(model.asked(), 1);
    }
}

#[test]
fn no_go_blocks_only_in_blocking_mode_with_instructions() {
    let model = Model::start();
    let advised = stage(&model, "advisory", "POOR\n");
    let said = passes(&advised, "advisory");
    assert!(said.contains("NO-GO S2 P4 X5") && !said.contains("stopped"), "{said}");
    assert_eq!(only(&advised.log())["verdict"], json!("NO-GO"));
    let stopped = stage(&model, "blocking", "POOR\n");
    let (passed, said) = push(&stopped);
    assert!(!passed);
    for part in [
        "NO-GO S2 P4 X5",
        "| it contradicts itself",
        "| - say it once",
        "push stopped",
        "GIT_JUDGE_SKIP=1 git push",
        "fix what the judge found in another commit",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(only(&stopped.log())["mode"], json!("blocking"));
}

#[test]
fn undetermined_passes() {
    for mode in MODES {
        let model = Model::start();
        let stage = stage(&model, mode, "DOUBT\n");
        passes(&stage, mode);
        assert_eq!(only(&stage.log())["verdict"], json!("UNDETERMINED"));
        assert_eq!(only(&stage.log()).get("error"), None);
    }
}

#[test]
fn missing_key_skips_judging_with_warning() {
    for mode in MODES {
        let model = Model::start();
        let mut stage = stage(&model, mode, "POOR\n");
        stage.set("TERRAPHIM_API_KEY", "");
        let said = passes(&stage, mode);
        assert!(said.contains("TERRAPHIM_API_KEY is not set"), "{said}");
        let log = stage.log();
        let record = only(&log);
        assert_eq!(record["error"], json!("no_key"), "it leaves a record");
        assert!(record["findings"].as_str().unwrap().contains("TERRAPHIM_API_KEY"), "{record}");
        assert_eq!(model.asked(), 0);
    }
}

#[test]
fn a_judge_that_cannot_be_asked_is_logged_with_the_cause() {
    let error = |status| json(status, &json!({"error": {"message": "no"}}));
    let rows = [
        (error(401), "unauthorized"),
        (error(429), "rate_limited"),
        (error(500), "server_error"),
        (error(503), "server_error"),
        (error(404), "unavailable"),
        (vec![Action::Hang], "timeout"),
        (vec![Action::Send(head(200, &[])), Action::Hang], "timeout"),
    ];
    for (actions, cause) in rows {
        for mode in MODES {
            let model = Model::always(actions.clone());
            let mut stage = stage(&model, mode, "POOR\n");
            model.serve(&mut stage, &format!("mode = \"{mode}\"\nbudget_s = 3"));
            passes(&stage, cause);
            let log = stage.log();
            let record = only(&log);
            assert_eq!(
                (&record["verdict"], &record["error"]),
                (&json!("UNDETERMINED"), &json!(cause))
            );
        }
    }
}

#[test]
fn cap_without_price_asks_nobody_and_records() {
    for mode in MODES {
        let model = Model::start();
        let stage = stage(&model, mode, "POOR\n");
        stage.configure(&format!(
            "[judge]\nendpoint = \"{}\"\nspend_cap = 1\n[hook]\nmode = \"{mode}\"\n",
            model.0.url()
        ));
        let said = passes(&stage, mode);
        let why = "there is a spend cap, and the model has no price";
        assert!(
            said.contains(&format!("1 commit not judged: {why}; `foureyes hook check`")),
            "{said}"
        );
        let log = stage.log();
        let record = only(&log);
        assert_eq!(record["error"], json!("spend_cap"));
        assert_eq!(record["findings"], json!(format!("Not asked: {why}.")));
        assert_eq!(model.asked(), 0);
    }
}

#[test]
fn unreachable_judge_is_logged_as_unavailable() {
    for mode in MODES {
        let model = Model::start();
        let stage = stage(&model, mode, "POOR\n");
        drop(model);
        passes(&stage, mode);
        assert_eq!(only(&stage.log())["error"], json!("unavailable"));
    }
}

#[test]
fn invalid_answer_is_logged_with_its_beginning() {
    for mode in MODES {
        for text in ["I would rather not say.", "{\"verdict\":", &verdict(9, "GO", "far too good")]
        {
            let model = Model::always(answer(text));
            let stage = stage(&model, mode, "POOR\n");
            passes(&stage, text);
            let log = stage.log();
            let record = only(&log);
            assert_eq!(record["error"], json!("invalid_answer"), "{record}");
            let beginning: String = text.chars().skip(1).take(10).collect();
            assert!(record["answer"].as_str().unwrap().contains(&beginning), "{record}");
        }
        let model = Model::always(reply(200, &[], "<html>hello</html>"));
        let stage = stage(&model, mode, "POOR\n");
        passes(&stage, "a page");
        assert_eq!(only(&stage.log())["error"], json!("invalid_answer"));
    }
}

#[test]
fn a_prompt_or_configuration_that_is_missing_or_wrong_is_logged() {
    for mode in MODES {
        let model = Model::start();
        let url = model.0.url();
        for text in [
            format!(
                "[judge]\nendpoint = \"{url}\"\nprompt = \"/nowhere/prompt.md\"\n[hook]\nmode = \"{mode}\"\n"
            ),
            format!(
                "[judge]\nendpoint = \"{url}\"\nrubric = \"~/.config/foureyes/config.toml\"\n[hook]\nmode = \"{mode}\"\n"
            ),
            format!("[judge]\nendpoint = \"{url}\"\nxyzzy = 1\n[hook]\nmode = \"{mode}\"\n"),
            "no = toml = at all".to_owned(),
        ] {
            let stage = stage(&model, mode, "POOR\n");
            stage.configure(&text);
            let said = passes(&stage, &text);
            assert!(said.contains("not judged"), "{said}");
            let log = stage.log();
            let record = only(&log);
            assert_eq!(record["error"], json!("prompt_missing"), "{text}");
            assert_eq!(record["files_evaluated"], json!(["research/a.md"]));
        }
        let mut stage = stage(&model, mode, "POOR\n");
        stage.set("FOUREYES_CONFIG", "/nowhere/config.toml");
        passes(&stage, "a file that was asked for");
        assert_eq!(only(&stage.log())["error"], json!("prompt_missing"));
        assert_eq!(model.asked(), 0);
    }
}

#[test]
fn a_push_without_anything_to_judge_is_silent() {
    for mode in MODES {
        let model = Model::start();
        let mut stage = Stage::new();
        model.serve(&mut stage, &format!("mode = \"{mode}\""));
        stage.install();
        stage.commit(PERSON, &[("research/a.md", "POOR\n")]);
        let quiet = |stage: &Stage| {
            let output = stage.git(&["push", "-q", "origin", "main"]);
            assert!(output.status.success());
            assert_eq!(errors(&output), "");
        };
        quiet(&stage);
        stage.commit(AGENT, &[("src/a.md", "POOR\n"), ("research/a.txt", "POOR\n")]);
        quiet(&stage);
        stage.commit(&format!("{AGENT} 2"), &[("research/b.md", "POOR\n")]);
        quiet(&stage);
        quiet(&stage);
        assert!(stage.log().is_empty());
        assert_eq!(model.asked(), 0);
    }
}

#[test]
fn unwritable_log_is_reported_and_passes() {
    for mode in MODES {
        let model = Model::start();
        let stage = stage(&model, mode, "POOR\n");
        fs::write(stage.path("home/.openclaw"), "a file in the way").unwrap();
        let said = passes(&stage, mode);
        assert!(said.contains("the verdict is not in the log"), "{said}");
        assert_eq!(said.contains("does not stop the push"), mode == "blocking", "{said}");
    }
}

#[test]
fn bypass_passes_with_notice_and_record() {
    for mode in MODES {
        let model = Model::start();
        let mut stage = stage(&model, mode, "POOR\n");
        stage.set("GIT_JUDGE_SKIP", "1");
        let said = passes(&stage, mode);
        assert!(said.contains("GIT_JUDGE_SKIP"), "{said}");
        let log = stage.log();
        let record = only(&log);
        assert_eq!(record["error"], json!("bypassed"));
        assert_eq!(record["verdict"], json!("UNDETERMINED"));
        assert_eq!(record["commit"], json!(stage.done(&["rev-parse", "HEAD"])));
        assert_eq!(record["files_evaluated"], json!(["research/a.md"]));
        assert_eq!(model.asked(), 0);
        // There is nothing to bypass, so nothing to record.
        stage.commit(PERSON, &[("research/b.md", "x\n")]);
        passes(&stage, mode);
        assert_eq!(stage.log().len(), 1);
    }
}

#[test]
fn exceeded_budget_passes() {
    for mode in MODES {
        let model = Model::always(vec![Action::Hang]);
        let mut stage = stage(&model, mode, "POOR\n");
        model.serve(&mut stage, &format!("mode = \"{mode}\"\nbudget_s = 1"));
        passes(&stage, mode);
        assert_eq!(only(&stage.log())["error"], json!("timeout"));
    }
}

#[test]
fn hanging_log_does_not_block_push() {
    for mode in MODES {
        let model = Model::start();
        let mut stage = stage(&model, mode, "POOR\n");
        model.serve(&mut stage, &format!("mode = \"{mode}\"\nbudget_s = 1"));
        // A pipe that nobody reads or writes stands where the log is.
        let day = jiff::Timestamp::now().to_string()[..10].to_owned();
        fs::create_dir_all(stage.log_dir()).unwrap();
        let pipe = stage.log_dir().join(format!("{day}.jsonl"));
        assert!(stage.command("mkfifo", &stage.work()).arg(&pipe).status().unwrap().success());
        passes(&stage, mode);
    }
}

#[test]
fn any_arguments_exit_0_or_1() {
    let stage = Stage::new();
    let zero = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = stage.command(env!("CARGO_BIN_EXE_foureyes"), &stage.path("home"));
        let output = command.args(arguments).envs(variables.iter().copied()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?} {}", errors(&output));
        assert!(output.stdout.is_empty());
    };
    zero(&["hook", "pre-push"], &[]);
    zero(&["hook", "pre-push", "--xyzzy"], &[]);
    zero(&["hook", "--data-dir", "x", "pre-push", "--xyzzy"], &[]);
    zero(&["hook", "pre-push", "--mode", "angry", "origin", "x"], &[]);
    zero(&["hook", "pre-push", "--", "-origin", "--x"], &[]);
    zero(&["hook", "pre-push", "origin", "x"], &[("HOME", ""), ("FOUREYES_DATA", "")]);
    zero(&["hook", "pre-push", "origin", "x"], &[("FOUREYES_DAYS", "many")]);
    zero(&["--config", "/nowhere", "hook", "pre-push", "origin", "x"], &[]);
}

#[test]
fn without_git_and_outside_a_repository_the_push_goes_on() {
    let stage = Stage::new();
    let refs = format!("x {} x {}\n", "a".repeat(40), "0".repeat(40));
    for (dir, path) in [("home", None), ("work", Some("/nowhere"))] {
        let mut command = stage.command(env!("CARGO_BIN_EXE_foureyes"), &stage.path(dir));
        if let Some(path) = path {
            command.env("PATH", path);
        }
        command.args(["hook", "pre-push", "origin", "x"]).stdin(std::process::Stdio::piped());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), refs.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(errors(&output).contains("the push continues"), "{}", errors(&output));
    }
}

#[test]
fn findings_are_shown_without_control_sequences() {
    let findings = "\u{1b}[2J\u{1b}]52;c;eA==\u{7}bad\nfoureyes: the push is fine\u{202e}";
    let model = Model::always(answer(&verdict(1, "NO-GO", findings)));
    let stage = stage(&model, "blocking", "x\n");
    let (passed, said) = push(&stage);
    assert!(!passed);
    assert!(!said.contains('\u{1b}') && !said.contains('\u{202e}'), "{said:?}");
    assert!(said.contains("  | foureyes: the push is fine"), "{said}");
}

#[test]
fn log_is_private() {
    let model = Model::start();
    let stage = stage(&model, "advisory", "good\n");
    passes(&stage, "advisory");
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&stage.log_dir()), 0o700);
    for entry in fs::read_dir(stage.log_dir()).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
}
