//! The recipes of the page beside the Stop hook, as they are printed there.

use super::{Project, Stopped, block};
use std::process::Command;

/// A title that a shell must not read as its own.
const TITLE: &str = "\"; touch owned; $(touch owned) `touch owned` 'x";

fn run(project: &Project, command: &mut Command) -> Stopped {
    let stopped = Stopped::new(&command.output().unwrap());
    assert!(!project.dir().join("owned").exists(), "{stopped:?}");
    stopped
}

/// A project with the configuration in a text, as CI has it.
fn project(words: [&str; 3]) -> (Project, String) {
    let project = Project::new(words);
    std::fs::create_dir(project.dir().join("docs")).unwrap();
    project.write("docs/plan.md", "# A plan\n");
    let config = project.home().path().join(".config/foureyes/config.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::remove_file(config).unwrap();
    (project, text)
}

#[test]
fn recipe_for_any_agent_says_what_to_do() {
    for (words, part) in [
        (["accept"; 3], "accepted"),
        (["reject"; 3], "issue of reject"),
        (["improve"; 3], "a person decides: see verdict.txt"),
    ] {
        let project = Project::new(words);
        for (name, text) in [("task.md", "Write."), ("criteria.md", "Short."), ("result.md", "#")] {
            project.write(name, text);
        }
        let script = block("After a task, in any agent", "sh");
        let mut command = project.shell(&["-c", &script]);
        command.env("TASK", TITLE).env("AGENT", "An Agent");
        let stopped = run(&project, &mut command);
        assert!(stopped.out.contains(part), "{stopped:?}");
        assert_eq!(project.home().log()[0]["author"], "An Agent");
        std::fs::remove_file(project.dir().join("result.md")).unwrap();
        let stopped = run(&project, &mut command);
        assert!(stopped.err.ends_with("the judge could not run\n"), "{stopped:?}");
    }
}

#[test]
fn script_of_terraphim_agent_gives_the_document() {
    let project = Project::new(["reject"; 3]);
    project.write("end.sh", block("terraphim-agent", "sh"));
    project.write("-odd name.md", "# A note\n");
    let arguments = ["end.sh", TITLE, ".task/task.md", "-odd name.md", "a.md"];
    let stopped = run(&project, &mut project.shell(&arguments));
    assert_eq!(stopped.code, Some(1), "{stopped:?}");
    let value: serde_json::Value = serde_json::from_str(&stopped.out).unwrap();
    assert_eq!((&value["task_id"], &value["tries"]["left"]), (&TITLE.into(), &2.into()));
    assert_eq!(value["rounds"][0]["files"].as_array().unwrap().len(), 2);
}

/// What the recipe for GitHub runs in its last step.
fn github() -> String {
    let yaml = block("GitHub Actions", "yaml");
    for name in
        ["TITLE: ${{ github.event.pull_request.title }}", "AUTHOR: ", "TASK: ", "JUDGE_CONFIG: "]
    {
        assert!(yaml.contains(name), "{name}");
    }
    let (_, run) = yaml.rsplit_once("run: |\n").unwrap();
    assert!(!run.contains("${{"), "text of others is no source of a shell: {run}");
    run.lines().map(|line| line.trim_start().to_owned() + "\n").collect()
}

#[test]
fn github_recipe_judges_and_runs_nothing_of_a_title() {
    for (words, code) in [(["accept"; 3], 0), (["reject"; 3], 1), (["escalate"; 3], 2)] {
        let (project, config) = project(words);
        let mut command = project.shell(&["-ec", &github()]);
        command.env("JUDGE_CONFIG", config).env("TASK", "pr-7").env("TITLE", TITLE);
        command.env("AUTHOR", "octocat").env("RUNNER_TEMP", project.home().path());
        let stopped = run(&project, &mut command);
        assert_eq!(stopped.code, Some(code), "{stopped:?}");
        let title = std::fs::read_to_string(project.home().path().join("task.md")).unwrap();
        assert_eq!(title, TITLE);
        assert_eq!(project.home().log()[0]["author"], "octocat");
    }
}

#[test]
fn gitlab_recipe_judges_and_runs_nothing_of_a_title() {
    let yaml = block("GitLab", "yaml");
    let (_, script) = yaml.split_once("  script:\n").unwrap();
    let lines = script.lines().map_while(|line| line.strip_prefix("    - "));
    let script: String = lines.map(|line| line.to_owned() + "\n").collect();
    for (words, code) in [(["accept"; 3], 0), (["reject"; 3], 1), (["escalate"; 3], 2)] {
        let (project, config) = project(words);
        let kept = project.home().path().join("config.toml");
        std::fs::write(&kept, &config).unwrap();
        // The request may hold a link of any name.
        for name in ["task.md", "title", "title.md"] {
            std::os::unix::fs::symlink(&kept, project.dir().join(name)).unwrap();
        }
        project.tool("mktemp", Some("exec /usr/bin/mktemp \"$@\""));
        let mut command = project.shell(&["-ec", &script]);
        command.env("JUDGE_CONFIG", &kept).env("TMPDIR", project.home().path());
        command.env("CI_MERGE_REQUEST_TITLE", TITLE).env("CI_MERGE_REQUEST_IID", "7");
        command.env("GITLAB_USER_LOGIN", "octocat");
        let stopped = run(&project, &mut command);
        assert_eq!(stopped.code, Some(code), "{stopped:?}");
        let log = project.home().log();
        assert_eq!((&log[0]["task_id"], &log[0]["author"]), (&"mr-7".into(), &"octocat".into()));
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), config, "the judge was changed");
    }
}

#[test]
fn program_is_built_where_nothing_of_the_request_is() {
    let github = block("GitHub Actions", "yaml");
    let (before, after) = github.split_once("cargo +1.95 install").unwrap();
    assert_eq!(before.matches("actions/checkout").count(), 1, "{before}");
    let (_, checkout) = before.split_once("actions/checkout").unwrap();
    assert!(checkout.contains("repository: OWNER/foureyes") && !checkout.contains("path:"));
    let (_, checkout) = after.split_once("actions/checkout").unwrap();
    assert!(!checkout.contains("repository:"), "{after}");
    let gitlab = block("GitLab", "yaml");
    for line in gitlab.lines().filter(|line| line.contains("cargo ")) {
        assert!(line.trim_start().starts_with("- (cd /tmp/foureyes && cargo install"), "{line}");
    }
}
