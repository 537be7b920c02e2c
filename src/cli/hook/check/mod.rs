//! `foureyes hook check`: what this machine has, for judging pushes.

mod asked;
mod commits;
mod endpoint;
mod hook;
mod place;
mod pushes;
mod records;
mod tasks;

pub(in crate::cli) use commits::look as commits;
pub(in crate::cli::hook) use place::{Log, log};
pub(in crate::cli) use tasks::{asked as judges_of_tasks, look as tasks};

use crate::cli::{Context, Failure, output};
use crate::config::{HookMode, HookProtocol};
use crate::domain::Timestamp;
use crate::engine::judged::Asks;
use crate::hook::check::{CheckReport, Finding, SCHEMA, State, count, describe_mode};
use crate::hook::install::Place as Repository;
use crate::hook::judge_match::{self, Judging};
use crate::hook::switch::{ModeStatus, Place, Source};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Check this machine's judging setup: key, endpoint, log, prompt, mode
///
/// Exit codes: 0, no check failed; 1, a check failed, and its hint says what to do.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Repository whose hook to check; repeatable [default: the one in the current directory; none
    /// with `--json`]
    #[arg(long, value_name = "DIR")]
    repo: Vec<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command. It must work where the configuration does not.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    // For a person it is the repository that they are in, as for `hook install`.
    let here = || Repository::find(Path::new(".")).is_ok();
    let repositories = match args.repo.is_empty() && !args.json && here() {
        true => vec![PathBuf::from(".")],
        false => args.repo.clone(),
    };
    let document = look(context, &repositories);
    let text = if args.json {
        crate::text::json::pretty(&document)?
    } else {
        document.plain() + &count(&document.checks)
    };
    output::print(text)?;
    Ok(ExitCode::from(u8::from(!document.well)))
}

fn look(context: &Context, repositories: &[PathBuf]) -> CheckReport {
    let mut checks = vec![program()];
    let loaded = super::pre_push::load(&context.global, &context.environment);
    let (config, problem) = (loaded.config, loaded.problem);
    checks.push(match problem {
        None => Finding::ok("configuration", "it is right"),
        Some(problem) => Finding::fail("configuration", problem)
            .hint("correct it: `foureyes config check` lists every problem"),
    });
    let hooks = hook::look(repositories);
    checks.extend(hooks.checks);
    checks.extend(commits(&config, repositories));
    let place = Place::at(context.data.hook());
    let status = ModeStatus::new(&place, config.hook.mode, hooks.script, context.now);
    checks.extend(mode(&place, &status));
    let home = context.environment.home();
    let tasks = tasks(&config, home.as_deref());
    let asked = pushes::look(&config, home.as_deref(), context.now);
    let (prompt_sha, scripted) = (asked.prompt_sha, config.judge.script.is_some());
    let asks = Asks { model: &config.judge.model, prompt_sha: prompt_sha.as_deref(), scripted };
    let judging = match config.hook.protocol {
        HookProtocol::Push => Judging::pushes(asks),
        HookProtocol::Task => Judging::tasks(&tasks.judges),
    };
    checks.extend(asked.checks);
    checks.extend(tasks.checks);
    checks.extend(judge_match::here(&place, &status, &judging));
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    checks.push(Finding::ok("clock", now.to_string()));
    CheckReport {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        features: features().map(str::to_owned).collect(),
        system: system(),
        time: now,
        well: checks.iter().all(|c| c.state != State::Fail),
        mode: status,
        protocol: config.hook.protocol,
        judges: tasks.judges,
        model: config.judge.model.clone(),
        prompt_sha,
        scripted,
        models: asked.models,
        rates: tasks.rates,
        checks,
    }
}

fn features() -> impl Iterator<Item = &'static str> {
    ["core"].into_iter().chain(cfg!(feature = "console").then_some("console"))
}

fn system() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}

fn program() -> Finding {
    let features: Vec<_> = features().collect();
    let (version, features) = (env!("CARGO_PKG_VERSION"), features.join(" and "));
    Finding::ok("program", format!("foureyes {version}, {features}, on {}", system()))
}

/// The mode that holds, and the evidence of the switch.
fn mode(place: &Place, status: &ModeStatus) -> Vec<Finding> {
    let text = describe_mode(status);
    let back = "set it again: `foureyes hook mode advisory`";
    let mut findings = vec![match status.from {
        Source::SwitchDamaged => Finding::fail("mode", text).hint(back),
        Source::SwitchOver => Finding::warn("mode", text).hint(back),
        _ => Finding::ok("mode", text),
    }];
    let evidence = status.switch.as_ref().and_then(|s| s.report.as_ref());
    if let Some(evidence) = evidence.filter(|_| status.mode == HookMode::Blocking) {
        let path = place.report(evidence).display().to_string();
        findings.push(match place.doubt(evidence) {
            None => Finding::ok("report", format!("{path} says {}", evidence.result)),
            Some(doubt) => Finding::fail("report", format!("{path}: {doubt}"))
                .hint("set the switch again, with its report"),
        });
    }
    findings
}
