//! `foureyes hook check`: what this machine has, for judging pushes.

mod asked;
mod call_word;
mod commits;
mod demo;
mod endpoint;
mod hook;
mod mode;
mod place;
mod pushes;
mod question;
mod records;
mod tasks;

pub(in crate::cli) use call_word::check as call_word;
pub(in crate::cli) use commits::check as commits;
pub(in crate::cli::hook) use place::{Log, log};
pub(in crate::cli) use tasks::{asked as judges_of_tasks, check as tasks};

use crate::cli::{Context, Failure, output};
use crate::config::HookProtocol;
use crate::domain::Timestamp;
use crate::engine::judged::Asks;
use crate::hook::call_word::CallWordReport;
use crate::hook::check::{CheckReport, Finding, SCHEMA, State, count};
use crate::hook::earlier_question::EarlierQuestion;
use crate::hook::install::Place as Repository;
use crate::hook::judge_match::{self, Judging};
use crate::hook::switch::{ModeStatus, Place};
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
    /// Ask each judge one short question, to see whether its answer carries the call word; nothing is
    /// logged
    #[arg(long)]
    ask: bool,
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
    let document = check(context, &repositories, args.ask);
    let text = if args.json {
        crate::text::json::pretty(&document)?
    } else {
        document.plain() + &count(&document.checks)
    };
    output::print(text)?;
    Ok(ExitCode::from(u8::from(!document.well)))
}

fn check(context: &Context, repositories: &[PathBuf], ask: bool) -> CheckReport {
    let mut checks = vec![program()];
    let loaded = super::pre_push::load(&context.global, &context.environment);
    let (config, problem) = (loaded.config, loaded.problem);
    checks.push(match problem {
        None => Finding::ok("configuration", "it is right"),
        Some(problem) => Finding::fail("configuration", problem)
            .hint("correct it: `foureyes config check` lists every problem"),
    });
    let hooks = hook::check(repositories, config.hook.unjudged);
    checks.extend(hooks.checks);
    checks.extend(commits(&config, repositories));
    let place = Place::at(context.data.hook());
    let status = ModeStatus::new(&place, config.hook.mode, hooks.script, context.now);
    checks.extend(mode::check(&place, &status));
    let home = context.environment.home();
    let tasks = tasks(&config, home.as_deref());
    let mut asked = pushes::check(&config, home.as_deref(), context.now);
    let is_judge = demo::stand_in(home.as_deref(), &mut asked);
    let (prompt_sha, scripted) = (asked.prompt_sha, config.judge.script.is_some() && !is_judge);
    let asks = Asks { model: &config.judge.model, prompt_sha: prompt_sha.as_deref(), scripted };
    let judging = match config.hook.protocol {
        HookProtocol::Push => Judging::pushes(asks),
        HookProtocol::Task => Judging::tasks(&tasks.judges),
    };
    checks.extend(asked.checks);
    checks.extend(tasks.checks);
    checks.extend(judge_match::here(&place, &status, &judging));
    let earlier = question::earlier(&config, home.as_deref(), prompt_sha.as_deref(), &tasks.judges);
    checks.extend(earlier.iter().map(EarlierQuestion::finding));
    let call_word = call_word::check(context, &config, (true, ask));
    checks.extend(call_word.iter().map(CallWordReport::finding));
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
        call_word,
        earlier_questions: earlier,
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
