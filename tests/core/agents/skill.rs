//! The skill for agents: what it says is what the program does, and how it is written.

use crate::tasks::Home;
use foureyes::config::Config;
use foureyes::engine::panel::Tier;
use foureyes::engine::rubric::{Rubric, Scores};
use foureyes::engine::verdict::{TASK, TaskVerdict};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FILES: [&str; 3] =
    ["judge/SKILL.md", "judge/references/quick.md", "judge/references/deep.md"];

fn asset(name: &str) -> String {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    fs::read_to_string(assets.join(name)).unwrap()
}

fn skill() -> String {
    asset(&format!("skill/{}", FILES[0]))
}

/// A file of the skill with its white space as single blanks.
fn flat(name: &str) -> String {
    asset(&format!("skill/{name}")).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn has(text: &str, part: &str) {
    assert!(text.contains(part), "{part:?} is missing");
}

#[test]
fn front_matter_is_as_agents_read_it() {
    let text = skill();
    let (front, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
    let fields: Vec<_> = front.lines().map(|line| line.split_once(": ").unwrap()).collect();
    let [("name", name), ("description", description)] = fields[..] else { panic!("{front}") };
    assert!(name.len() <= 64 && name.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
    assert_eq!(Path::new(FILES[0]).parent().unwrap(), Path::new(name), "its directory");
    assert!(description.len() <= 1024 && description.contains("Use when"), "{description}");
    // In YAML these would end a plain text.
    assert!(!description.contains(": ") && !description.contains(" #"), "{description}");
    assert!(text.lines().count() < 500, "agents read it whole");
    for link in body.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(FILES.contains(&format!("judge/{link}").as_str()), "{link}");
    }
}

#[test]
fn rubric_of_the_skill_is_that_of_the_program() {
    let rubric: toml::Table = asset("rubric.toml").parse().unwrap();
    let text = skill();
    for (score, meaning) in rubric["scale"].as_table().unwrap() {
        has(&text, &format!("| {score} | {} |\n", meaning.as_str().unwrap()));
    }
    let dimensions = rubric["dimension"].as_array().unwrap();
    assert_eq!((text.matches("\n**").count(), dimensions.len()), (3, 3));
    for dimension in dimensions {
        let (name, question) = (&dimension["name"], &dimension["question"]);
        let (name, question) = (name.as_str().unwrap(), question.as_str().unwrap());
        let criteria = dimension["criteria"].as_array().unwrap();
        let lines = criteria.iter().map(|line| format!("- {}\n", line.as_str().unwrap()));
        has(&text, &format!("**{name}**: {question}\n\n{}\n", lines.collect::<String>()));
        FILES[1..].iter().for_each(|file| has(&flat(file), &format!("- {name}: {question}")));
    }
}

#[test]
fn thresholds_of_the_skill_are_those_of_the_rubric() {
    let rubric: toml::Table = asset("rubric.toml").parse().unwrap();
    let task = &rubric["task"];
    let (least, average, improve) =
        (&task["accept_least"], &task["accept_average"], &task["improve_least"]);
    let text = skill();
    for row in [
        format!("| accept | every score is at least {least}, and their mean at least {average} |"),
        format!("| improve | no score is below {improve}, but it is not accepted |"),
        format!("| reject | a score is below {improve} |"),
    ] {
        has(&text, &row);
    }
    let short = format!(
        "accept: every score at least {least} and a mean of at least {average}. reject: a score below {improve}."
    );
    FILES[1..].iter().for_each(|file| has(&flat(file), &short));
    for verdict in
        [TaskVerdict::Accept, TaskVerdict::Improve, TaskVerdict::Reject, TaskVerdict::Escalate]
    {
        let word = TASK.word(verdict);
        has(&text, &format!("\n| {word} | "));
        FILES[1..].iter().for_each(|file| has(&flat(file), word));
    }
}

#[test]
fn judges_limits_and_times_of_the_skill_are_the_defaults() {
    let (config, text) = (Config::default(), skill());
    let seconds = |tier| config.judge_of(tier).1.timeout.as_secs();
    for tier in Tier::ALL {
        let (named, own) = config.judge_of(tier);
        let row = text.lines().find(|line| line.starts_with(&format!("| {} | ", tier.name())));
        let end = format!("| `{}` | {} |", own.model, seconds(tier));
        assert!(row.unwrap().ends_with(&end), "{row:?} {end}");
        if let Some(most) = named.max_content_characters {
            let most = format!("{},{:03} characters", most / 1000, most % 1000);
            FILES[..2].iter().for_each(|file| has(&flat(file), &most));
        }
    }
    let [quick, deep, tiebreaker] = Tier::ALL.map(seconds);
    has(&text, &format!("configuration says `depth = \"quick\"`) | quick alone | {quick} s |"));
    has(&flat(FILES[0]), "if an answer is invalid: that judge is asked once more");
    has(&text, &format!("neither accepts nor rejects | {} s |", quick + deep));
    has(&text, &format!("if they differ | {} s |", quick.max(deep) + tiebreaker));
    has(&flat(FILES[1]), &format!("in at most {quick} seconds"));
    has(&flat(FILES[2]), &format!("in at most {deep} seconds"));
    let task = &config.task;
    assert_eq!(Tier::ALL.len(), 3);
    has(
        &flat(FILES[0]),
        &format!("at most three judges and takes at most {} seconds in all", task.budget.as_secs()),
    );
    has(&text, &format!("After {} tries", task.tries));
    has(&text, &format!("was judged {} times", task.tries));
    has(&text, "`--depth sequential` (default)");
    assert_eq!(task.depth.name(), "sequential");
}

/// The JSON of the skill: an answer, and its line of the log.
fn examples() -> [Value; 2] {
    let text = skill();
    let blocks = text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let all: Vec<Value> = blocks.map(|block| serde_json::from_str(block).unwrap()).collect();
    all.try_into().unwrap()
}

#[test]
fn examples_of_the_skill_hold_to_the_schemas_and_the_rubric() {
    let [answer, line] = examples();
    let schema = serde_json::from_str(&asset("task.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = validator.iter_errors(&line).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let scores =
        |value: &Value| -> Scores { serde_json::from_value(value["scores"].clone()).unwrap() };
    for value in [&answer, &line] {
        let verdict = Rubric::embedded().unwrap().task_verdict(&scores(value));
        assert_eq!(value["verdict"], TASK.word(verdict));
    }
    assert_eq!(line["average"].as_f64(), Some(scores(&line).average()));
    // A judge that answers with the example is understood.
    let home = Home::new(["accept"; 3], "");
    let quick = serde_json::json!({"model": "quick", "text": answer.to_string(), "always": true});
    home.write("answers.jsonl", &quick.to_string());
    let (_, value) = home.json(&["--depth", "quick"]);
    let round = &value["rounds"][0];
    for key in ["verdict", "scores", "reasoning", "improvements"] {
        assert_eq!(round[key], answer[key], "{key}");
    }
}

#[test]
fn fields_and_options_that_the_skill_names_exist() {
    let text = skill();
    let schema: Value = serde_json::from_str(&asset("judge-task.schema.json")).unwrap();
    for field in ["advice", "improvements", "tries", "explanation", "earlier", "reason"] {
        assert!(
            text.contains(&format!("`{field}")) && schema["properties"].get(field).is_some(),
            "{field}"
        );
    }
    let home = Home::new(["accept"; 3], "");
    let help = String::from_utf8(home.run(&["--help"]).stdout).unwrap();
    let options = text.split("`--").skip(1).map(|rest| rest.split(['`', ' ']).next().unwrap());
    options.for_each(|option| has(&help, &format!("--{option}")));
    let (_, command) = text.split_once("```sh\n").unwrap();
    for (name, text) in [("task.md", "Plan."), ("criteria.md", "It can be undone.")] {
        home.write(name, text);
    }
    fs::create_dir(home.path().join("docs")).unwrap();
    home.write("docs/plan.md", "# A plan\n");
    let command = command.split("```").next().unwrap();
    let command = command.replace("foureyes", &format!("'{}'", env!("CARGO_BIN_EXE_foureyes")));
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &command]).current_dir(home.path()).env_clear().env("HOME", home.path());
    let ran = shell.output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, args: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_foureyes"));
        command.args(["config", "skill"]).args(args).current_dir(self.0.path());
        let Output { status, stdout, stderr } =
            command.env_clear().env("HOME", self.0.path()).output().unwrap();
        let text = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        (status.code(), text)
    }

    /// The files of the skill that are not there, or differ.
    fn missing(&self, dir: &str) -> Vec<&'static str> {
        let is_missing = |file: &&str| {
            let there = fs::read_to_string(self.path(dir).join(file)).unwrap_or_default();
            there != asset(&format!("skill/{file}"))
        };
        FILES.into_iter().filter(is_missing).collect()
    }
}

#[test]
fn skill_is_written_once_and_repeated_without_a_change() {
    let place = Place::new();
    let (code, text) = place.write(&["new/skills"]);
    assert_eq!((code, place.missing("new/skills")), (Some(0), vec![]), "{text}");
    assert_eq!(text.matches("wrote new/skills/judge/").count(), 3, "{text}");
    let (code, text) = place.write(&["new/skills"]);
    assert_eq!((code, text.matches("is up to date").count()), (Some(0), 3), "{text}");
    assert_eq!(place.write(&[]).0, Some(64));
}

#[test]
fn skill_can_be_read_by_others_as_far_as_the_umask_allows() {
    for (umask, mode) in [("022", 0o644), ("027", 0o640), ("077", 0o600)] {
        let place = Place::new();
        for more in ["", "printf x > s/judge/SKILL.md; "] {
            let program = env!("CARGO_BIN_EXE_foureyes");
            let script = format!("umask {umask}; {more}'{program}' config skill s --force");
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", &script]).current_dir(place.path("")).env("HOME", place.path(""));
            assert!(shell.output().unwrap().status.success());
            for file in FILES {
                let found = fs::metadata(place.path("s").join(file)).unwrap().permissions().mode();
                assert_eq!(found & 0o777, mode, "{umask} {more:?} {file}");
            }
        }
    }
}

#[test]
fn file_that_cannot_be_read_is_not_said_to_be_unwritable() {
    let place = Place::new();
    symlink("s", place.path("s")).unwrap();
    let (code, text) = place.write(&["s"]);
    assert!(code == Some(74) && text.contains("error: failed to read s/judge"), "{text}");
}

#[test]
fn file_that_differs_is_kept_unless_it_is_to_be_overwritten() {
    let place = Place::new();
    place.write(&["s"]);
    let own = place.path("s").join(FILES[1]);
    fs::write(&own, "mine").unwrap();
    fs::remove_file(place.path("s").join(FILES[2])).unwrap();
    let (code, text) = place.write(&["s"]);
    assert!(code == Some(64) && text.contains("quick.md") && text.contains("--force"), "{text}");
    assert_eq!(fs::read_to_string(&own).unwrap(), "mine");
    assert_eq!(place.missing("s"), &FILES[1..], "nothing was written");
    assert_eq!(place.write(&["s", "--force"]).0, Some(0));
    assert!(place.missing("s").is_empty());
}

#[test]
fn links_and_what_is_no_directory_are_written_through_by_nobody() {
    for (at, is_kept) in
        [("judge", true), ("judge/references", true), (FILES[0], true), ("", false)]
    {
        let place = Place::new();
        fs::create_dir_all(place.path("elsewhere")).unwrap();
        let link = place.path("s").join(at);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(place.path("elsewhere"), link.to_str().unwrap().trim_end_matches('/')).unwrap();
        for args in [&["s"][..], &["s", "--force"]] {
            let (code, text) = place.write(args);
            let is_empty = fs::read_dir(place.path("elsewhere")).unwrap().next().is_none();
            assert_eq!((code == Some(74), is_empty), (is_kept, is_kept), "{at}: {text}");
        }
    }
    let place = Place::new();
    fs::write(place.path("file"), "").unwrap();
    for dir in ["file", "file/skills"] {
        let (code, text) = place.write(&[dir]);
        assert!(code == Some(74) && text.contains("error: failed to"), "{dir}: {text}");
    }
    fs::create_dir_all(place.path("s").join(FILES[0])).unwrap();
    let (code, text) = place.write(&["s", "--force"]);
    assert!(code == Some(74) && text.contains("is not a file"), "{text}");
}
