//! The boxes of the demo: a home each, with a hook, a judge that answers from a file, and a repository.

use super::{Context, Failure, Spec, generate};
use crate::config::Config;
use crate::generate::{DemoJudge, homes};
use crate::git::{Call, Surroundings};
use crate::hook::install::{Fixed, Kind, Place, Scope, Wish, WishedMode, install};
use crate::hook::rehearsal::POOR;
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The repository whose pushes are judged, in each home.
const REPOSITORY: &str = "pushes";
/// Milliseconds until the judge answers.
const DELAY_MS: u64 = 900;

/// Says where the boxes have the repository whose hook may block.
pub(super) fn add_repository(config: &mut Config) {
    for repository in &mut config.repositories {
        repository.remote_path = Some(format!("~/{REPOSITORY}"));
    }
}

/// Makes what the hooks need in the home of each box. `dir` holds the logs.
pub(super) fn make(context: &Context, spec: &Spec, dir: &Path) -> Result<(), Failure> {
    let judge = DemoJudge::load().map_err(generate::failure)?;
    // Without /proc the program does not know where it is; all but `E`, `H` and `Z` works all the same.
    let Ok(program) = std::env::current_exe() else { return Ok(()) };
    for home in fs::read_dir(homes(dir))? {
        let home = home?.path();
        for name in ["bin", "tmp", ".config/foureyes"] {
            fs::create_dir_all(home.join(name))?;
        }
        let answers = home.join("answers.jsonl");
        fs::write(&answers, script(&judge))?;
        fs::write(home.join(".config/foureyes/config.toml"), config(&judge, &answers))?;
        start_by_name(context, &home.join("bin/foureyes"), &program)?;
        if spec.repository {
            add_hook(&home, &program)?;
        }
    }
    Ok(())
}

/// What the judge of a box answers: the rehearsed content is poor, all else is fine.
fn script(judge: &DemoJudge) -> String {
    let answer = |when: Option<&str>, [semantic, pragmatic, syntactic]: [u8; 3], finding: &str| {
        let text = json!({
            "scores": {"semantic": semantic, "pragmatic": pragmatic, "syntactic": syntactic},
            "verdict": if semantic.min(pragmatic) < 3 { "NO-GO" } else { "GO" },
            "findings": finding,
            "revision_suggestions": [],
        });
        let answer = json!({
            "when": when,
            "text": text.to_string(),
            "served_model": judge.served_model,
            "delay_ms": DELAY_MS,
            "always": true,
        });
        format!("{answer}\n")
    };
    let poor = answer(
        POOR.lines().next(),
        [1, 1, 2],
        "The note contradicts itself, and its steps cannot be followed.",
    );
    poor + &answer(None, [4, 4, 5], "Sound and usable.")
}

fn config(judge: &DemoJudge, answers: &Path) -> String {
    let text = |text: &str| toml::Value::from(text).to_string();
    let agents = toml::Value::from(judge.agents.clone());
    format!(
        "# Written by `foureyes --demo`.\nagents = {agents}\n\n[judge]\nmodel = {}\nscript = {}\n",
        text(&judge.model),
        text(&answers.to_string_lossy())
    )
}

/// Lets a shell find the program by its name. A link would not do: who reads it would read the program.
fn start_by_name(context: &Context, at: &Path, program: &Path) -> Result<(), Failure> {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let path = context.environment.text("PATH").map_or(String::new(), |path| {
        // git is where it is for whoever started the demo.
        format!("PATH={} ", quoted(&path))
    });
    let program = quoted(&program.to_string_lossy());
    fs::write(at, format!("#!/bin/sh\n{path}exec {program} \"$@\"\n"))?;
    Ok(fs::set_permissions(at, fs::Permissions::from_mode(0o755))?)
}

/// Makes the repository, with the hook in it and nowhere else.
fn add_hook(home: &Path, program: &Path) -> Result<(), Failure> {
    let arguments = ["--quiet", "--template=", "--initial-branch=main", "--", REPOSITORY];
    let init = Call::new(home, "init", Surroundings::Bare).args(arguments);
    init.output().map_err(Failure::local)?;
    let repository = home.join(REPOSITORY);
    let dir = repository.join(".git/hooks");
    let place = Place { repository, dir, scope: Scope::Repository, kind: Kind::PrePush };
    let wish = Wish {
        binary: program.to_owned(),
        mode: WishedMode::Configured,
        budget: Config::default().hook.budget,
        replace_old: false,
        fixed: Fixed::default(),
    };
    install(&place, &wish).map(drop).map_err(Failure::local)
}
