//! The Stop hook of the page, whatever is missing or broken: it never holds an agent.

use super::{EVENT, Project, block, page};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;

/// As often as an agent would be sent back at most, and once more.
const MANY: usize = 4;

/// The hook lets the agent end each time, whether it changes something or not.
fn never_holds(project: &Project, what: &str) {
    for n in 0..MANY {
        let stopped = project.stop();
        assert_eq!(stopped.code, Some(0), "{what}, {n}: {stopped:?}");
        let held = stopped.out.contains("judges want changes");
        assert!(!held, "{what}: {stopped:?}");
        project.write("a.md", format!("# Note {n} of {what}\n"));
    }
}

#[test]
fn page_needs_no_tool_but_the_program_and_its_hook_is_short() {
    let page = page();
    let code: String = page.split("```").skip(1).step_by(2).collect();
    assert!(!code.contains("jq") && code.contains("--hook claude-code"), "{code}");
    let calls =
        code.split("foureyes judge ").skip(1).map(|call| call.split("\n```").next().unwrap());
    let mut count = 0;
    for call in calls {
        assert!(call.contains("--author"), "{call}");
        count += 1;
    }
    assert_eq!(count, 5, "a recipe more or less");
    let script = block("Claude Code", "sh");
    assert!(script.lines().count() <= 10, "{script}");
    assert_eq!(script.matches("exit 2").count(), 1);
}

#[test]
fn shell_that_cannot_start_a_program_holds_no_agent() {
    let project = Project::new(["reject"; 3]);
    // A pipe to a program needs two files more.
    let script = block("Claude Code", "sh").replace("answer=$(", "ulimit -n 3; answer=$(");
    project.write("judge.sh", script);
    let stopped = project.stop();
    assert_eq!(stopped.code, Some(0), "{stopped:?}");
    assert!(!stopped.err.is_empty() && stopped.out.trim().is_empty(), "{stopped:?}");
    assert!(project.home().log().is_empty(), "nobody was asked");
    // The shell that starts the script starts no process for it either.
    let settings: Value = serde_json::from_str(&block("Claude Code", "json")).unwrap();
    let command = &settings["hooks"]["Stop"][0]["hooks"][0]["command"];
    assert!(command.as_str().unwrap().starts_with("exec "), "{command}");
}

#[test]
fn missing_old_killed_or_broken_program_holds_no_agent() {
    let project = Project::new(["reject"; 3]);
    for (what, script) in [
        ("an accidental code", "cat > /dev/null; exit 2"),
        ("a rejection of an older version", "echo reject; exit 1"),
        ("an older version", "echo \"error: unexpected argument '--hook' found\" >&2; exit 64"),
        ("a person of an older version", "echo escalate; exit 2"),
        ("a bug", "echo judges want >&2; exit 101"),
        ("a killed program", "echo judges; kill -9 $$"),
        ("a terminated program", "kill $$"),
        ("words in other words", "echo 'all judges want changes'; exit 2"),
        ("the words and more", "printf 'judges want changes\\n{}\\n'; exit 2"),
        ("the words for the agent", "echo 'judges want changes' >&2; exit 2"),
    ] {
        project.program(Some(script));
        never_holds_quietly(&project, what);
    }
    project.remove("foureyes");
    never_holds_quietly(&project, "no program");
    symlink("/no/such/program", project.home().path().join("bin/foureyes")).unwrap();
    never_holds_quietly(&project, "a link that leads nowhere");
    fs::remove_dir_all(project.dir().join(".task")).unwrap();
    project.program(None);
    never_holds(&project, "no task");
}

/// What is not the program says what it likes.
fn never_holds_quietly(project: &Project, what: &str) {
    for _ in 0..MANY {
        let stopped = project.stop();
        assert_eq!(stopped.code, Some(0), "{what}: {stopped:?}");
    }
}

#[test]
fn no_tool_for_json_changes_anything() {
    for jq in [Some("cat > /dev/null; exit 0"), Some("cat > /dev/null; exit 4"), None] {
        let project = Project::new(["reject"; 3]);
        if let Some(script) = jq {
            project.tool("jq", Some(script));
        }
        assert_eq!(project.stop().code, Some(2), "{jq:?}");
        project.remove("foureyes");
        never_holds_quietly(&project, "no program");
        project.program(None);
        project.write("a.md", "# Another\n");
        fs::remove_file(project.dir().join(".task/criteria.md")).unwrap();
        never_holds(&project, "no criteria");
    }
}

#[test]
fn broken_configuration_holds_no_agent() {
    for config in [
        "nonsense = 1\n",
        "[task\n",
        "[task]\ndepth = \"deepest\"\n",
        "[judges.quick]\nprompt = \"/no/such\"\n",
    ] {
        let project = Project::new(["reject"; 3]);
        project.home().configure(config);
        project.stop().ends("the result was not judged: ");
        never_holds(&project, config);
    }
    let project = Project::new(["reject"; 3]);
    project.home().write("answers.jsonl", "no answers\n");
    project.stop().ends("the result was not judged: ");
    never_holds(&project, "a broken file of answers");
}

#[test]
fn missing_and_odd_files_of_a_task_hold_no_agent() {
    for name in ["id", "task.md", "criteria.md", "files"] {
        let project = Project::new(["reject"; 3]);
        let path = project.dir().join(".task").join(name);
        fs::remove_file(&path).unwrap();
        never_holds(&project, name);
        fs::create_dir(&path).unwrap();
        never_holds(&project, name);
    }
    for (name, text) in [
        ("id", "\r\n"),
        ("id", " \n"),
        ("id", "a\u{1b}[2Jb\n"),
        ("files", "\r\n\r\n"),
        ("files", " \n\t\n"),
        ("files", "a.md\ngone.md\n"),
        ("files", "gone\r\n"),
        ("files", ".\n"),
        ("files", "../\n"),
    ] {
        let project = Project::new(["reject"; 3]);
        project.write(&format!(".task/{name}"), text);
        project.stop().ends("the result was not judged: ");
        never_holds(&project, &format!("{name} {text:?}"));
    }
    let project = Project::new(["reject"; 3]);
    fs::remove_file(project.dir().join("a.md")).unwrap();
    project.stop().ends("the result was not judged: failed to read a.md");
}

#[test]
fn pipe_in_the_place_of_a_file_is_not_waited_for() {
    let project = Project::new(["reject"; 3]);
    for name in [".task/task.md", ".task/criteria.md", "a.md"] {
        let path = project.dir().join(name);
        fs::remove_file(&path).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        project.stop().ends("the result was not judged: ");
        fs::remove_file(&path).unwrap();
        project.write(name, "text\n");
    }
}

#[test]
fn log_that_cannot_be_written_holds_no_agent() {
    let project = Project::new(["reject"; 3]);
    symlink("/nonexistent/disk", project.home().path().join(".openclaw")).unwrap();
    project.stop().ends("the result was not judged: failed to make the directory");
    never_holds(&project, "no disk");
    let project = Project::new(["reject"; 3]);
    // Whatever is written to a file fails, although it can be opened.
    project
        .program(Some(&format!("ulimit -f 0; exec '{}' \"$@\"", env!("CARGO_BIN_EXE_foureyes"))));
    project.stop().ends("rejected");
    never_holds(&project, "a full disk");
    assert!(project.home().log().is_empty());
}

#[test]
fn judges_that_give_no_answer_or_no_change_hold_no_agent() {
    for (words, why) in [
        (["timeout"; 3], "a person decides: A judge did not answer in time."),
        (["unavailable"; 3], "a person decides: A judge could not be reached."),
        (["prose"; 3], "a person decides: A judge gave no valid answer"),
        (["empty"; 3], "a person decides: A judge gave no valid answer"),
        (["escalate"; 3], "a person decides: The judges came to neither accept nor reject."),
        (["improve", "timeout", "accept"], "a person decides: A judge did not answer in time."),
        (["accept"; 3], "accepted"),
    ] {
        let project = Project::new(words);
        let stopped = project.stop();
        stopped.ends(why);
        let for_user: Result<Value, _> = serde_json::from_str(&stopped.out);
        match words[0] {
            "accept" => assert!(stopped.out.trim().is_empty(), "{stopped:?}"),
            _ => assert!(for_user.unwrap()["systemMessage"].as_str().unwrap().contains(why)),
        }
        never_holds(&project, why);
    }
    let project = Project::new(["accept"; 3]);
    project
        .home()
        .configure("[task]\nsensitive_needs_person = true\nsensitive_words = [\"note\"]\n");
    project.stop().ends("a person decides: The content is sensitive");
}

#[test]
fn slow_judge_is_ended_before_the_limit_of_the_agent() {
    let page = block("Claude Code", "json");
    let settings: Value = serde_json::from_str(&page).unwrap();
    let limit = settings["hooks"]["Stop"][0]["hooks"][0]["timeout"].as_u64().unwrap();
    let help = Project::new(["accept"; 3]).home().run(&["--help"]);
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, within) = help.split_once("--within").unwrap();
    let (_, within) = within.split_once("[default: ").unwrap();
    let within: u64 = within.split(']').next().unwrap().parse().unwrap();
    assert!(within < limit, "{within} of {limit}");
    let project = Project::new(["accept"; 3]);
    let hangs =
        serde_json::json!({"model": "quick", "text": "", "delay_ms": 3_600_000, "always": true});
    project.home().write("answers.jsonl", &hangs.to_string());
    project.home().configure("[task]\nbudget_s = 1\n");
    project.stop().ends("a person decides: ");
    never_holds(&project, "a slow judge");
}

#[test]
fn odd_names_are_judged_and_interpreted_by_nobody() {
    let names = [
        "a b.md",
        "it's \"quoted\".md",
        "-t",
        "--",
        "$(touch owned).md",
        "`touch owned`",
        "*.md",
        "ü.md",
        "\\n",
    ];
    for ends in ["\n", "\r\n"] {
        let project = Project::new(["accept"; 3]);
        for (n, name) in names.iter().enumerate() {
            project.write(name, format!("# Note {n}\n"));
        }
        project.write(".task/files", names.join(ends) + ends + ends);
        project.write(".task/id", format!("it's $(touch owned) -x{ends}"));
        let stopped = project.stop();
        stopped.ends("accepted");
        let log = project.home().log();
        assert_eq!(log[0]["task_id"], "it's $(touch owned) -x");
        assert_eq!(log[0]["author"], "Claude");
        let judged: Vec<_> = log[0]["files"].as_array().unwrap().iter().collect();
        assert_eq!(judged.len(), names.len(), "{judged:?}");
        assert!(!project.dir().join("owned").exists());
    }
}

#[test]
fn whatever_is_on_standard_input_changes_nothing() {
    for input in
        ["", "{", "null", "[]", "\u{0}\u{1b}", EVENT, "{\"hook_event_name\":\"SubagentStop\"}"]
    {
        let project = Project::new(["reject"; 3]);
        assert_eq!(project.stop_with(input.as_bytes()).code, Some(2), "{input}");
    }
    let project = Project::new(["reject"; 3]);
    assert_eq!(project.stop_with(&vec![b'{'; 1 << 20]).code, Some(2));
    let project = Project::new(["reject"; 3]);
    let stopped = project.stop_with(br#"{"hook_event_name":"PreToolUse","tool_name":"Bash"}"#);
    stopped
        .ends("the result was not judged: this hook is for the event Stop, and not for PreToolUse");
}
