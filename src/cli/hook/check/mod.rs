//! `foureyes hook check`: what this machine has, for judging pushes.

mod asked;
mod document;
mod endpoint;
mod place;

pub(in crate::cli) use document::{Document, Finding, SCHEMA, State, count};

use super::{install, judged};
use crate::cli::{Context, Failure, output};
use crate::config::{Config, HookMode};
use crate::domain::Timestamp;
use crate::engine::judged::Asks;
use crate::hook::install::{Found, Wrapper};
use crate::hook::switch::{Place, Source, Standing};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// See what this machine has, as this environment sees it: key, endpoint, log, prompt, mode
///
/// Exit code 0: nothing fails. 1: something does, and below it stands what to do.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A repository whose hook is looked at too
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command. It must work where the configuration does not.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let document = look(context, args.repo.as_deref());
    let text = if args.json {
        serde_json::to_string_pretty(&document).map_err(Failure::local)? + "\n"
    } else {
        document.plain() + &count(&document.checks)
    };
    output::print(text)?;
    Ok(ExitCode::from(u8::from(!document.well)))
}

fn look(context: &Context, repository: Option<&Path>) -> Document {
    let mut checks = vec![program()];
    let (config, problem) = super::pre_push::load(&context.global, &context.environment);
    checks.push(match problem {
        None => Finding::ok("configuration", "it is right"),
        Some(problem) => Finding::fail("configuration", problem)
            .hint("correct it: `foureyes config check` lists every problem"),
    });
    let (found, wrapper) = repository.map_or((None, None), hook);
    checks.extend(found);
    let place = Place::at(context.data.hook());
    let script = wrapper.as_ref().and_then(|w| w.mode);
    let standing = Standing::of(&place, config.hook.mode, script, context.now);
    checks.extend(mode(&place, &standing));
    let asked = asked::look(&config);
    checks.extend(asked.checks);
    let prompt_sha = asked.prompt_sha;
    let scripted = config.judge.script.is_some();
    let asks = Asks { model: &config.judge.model, prompt_sha: prompt_sha.as_deref(), scripted };
    checks.extend(judged::here(&place, &standing, &asks));
    let endpoint = endpoint::look(&config, asked.key);
    checks.extend(endpoint.checks);
    checks.extend(place::look(&config, context.environment.home().as_deref()));
    let now = Timestamp(jiff::Timestamp::now().as_microsecond());
    checks.push(Finding::ok("clock", now.to_string()));
    Document {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        features: features().map(str::to_owned).collect(),
        system: system(),
        time: now,
        well: checks.iter().all(|c| c.state != State::Fail),
        mode: standing,
        model: config.judge.model.clone(),
        prompt_sha,
        scripted,
        models: endpoint.models,
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

/// The hook of a repository, and what its script was made with.
fn hook(repository: &Path) -> (Option<Finding>, Option<Wrapper>) {
    let name = "hook";
    let looked = crate::hook::install::Place::find(repository).and_then(|place| {
        let found = place.look()?;
        Ok((place, found))
    });
    let (place, found) = match looked {
        Ok(looked) => looked,
        Err(error) => {
            let text = crate::domain::chain(&error);
            let hint = "name a repository that is there with `--repo DIR`";
            return (Some(Finding::fail(name, text).hint(hint)), None);
        }
    };
    let path = place.hook().display().to_string();
    let install = "put it in: `foureyes hook install --repo DIR`";
    let fail = |text: String| Finding::fail(name, format!("{path}: {text}")).hint(install);
    let Found::Ours(wrapper) = &found else {
        let what = match found {
            Found::OldJudge => "it is the hook of the older judge",
            Found::Foreign { .. } => "it is somebody else's hook",
            _ => "there is no hook",
        };
        return (Some(fail(what.to_owned())), None);
    };
    let Some(wrapper) = wrapper else {
        return (Some(fail("the script was changed by hand and cannot be read".to_owned())), None);
    };
    let runs = |path: &Path| {
        path.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    };
    let finding = if !runs(&place.hook()) || !runs(&wrapper.binary) {
        fail(format!("script or program may not be run ({})", wrapper.binary.display()))
    } else if std::env::current_exe().is_ok_and(|own| own != wrapper.binary) {
        let text = format!("{path}: it runs another program, {}", wrapper.binary.display());
        Finding::warn(name, text).hint(install)
    } else {
        match install::warnings(&place, Some(&found)).pop() {
            Some(warning) => Finding::warn(name, format!("{path}: {warning}")),
            None => Finding::ok(name, format!("{path} is in place")),
        }
    };
    (Some(finding), Some(wrapper.clone()))
}

/// The mode that holds, and the evidence of the switch.
fn mode(place: &Place, standing: &Standing) -> Vec<Finding> {
    let name = "mode";
    let text = said(standing);
    let back = "turn it anew: `foureyes hook mode advisory`";
    let mut findings = vec![match standing.from {
        Source::SwitchDamaged => Finding::fail(name, text).hint(back),
        Source::SwitchOver => Finding::warn(name, text).hint(back),
        _ => Finding::ok(name, text),
    }];
    let evidence = standing.switch.as_ref().and_then(|s| s.report.as_ref());
    if let Some(evidence) = evidence.filter(|_| standing.mode == HookMode::Blocking) {
        let path = place.report(evidence).display().to_string();
        findings.push(match place.doubt(evidence) {
            None => Finding::ok("report", format!("{path} says {}", evidence.result)),
            Some(doubt) => Finding::fail("report", format!("{path}: {doubt}"))
                .hint("turn the switch anew, with its report"),
        });
    }
    findings
}

/// Which mode holds, and why, as one sentence.
pub(in crate::cli) fn said(standing: &Standing) -> String {
    let mode = standing.mode.as_str();
    match (standing.from, &standing.switch) {
        (Source::Switch, Some(switch)) => {
            let until = switch.until.map_or(String::new(), |until| format!(", until {until}"));
            let why = switch.reason.as_ref().map_or(String::new(), |why| format!(": {why}"));
            format!("{mode}, switched by {} at {}{until}{why}", switch.by, switch.time)
        }
        (Source::SwitchOver, Some(switch)) => {
            let until = switch.until.map_or(String::new(), |until| until.to_string());
            format!("{mode}: that it blocks was said until {until}, which has passed")
        }
        (Source::SwitchDamaged, _) => {
            let why = standing.damaged.as_deref().unwrap_or("it cannot be read");
            format!("{mode}, since the switch says nothing: {} ({why})", standing.file)
        }
        (Source::Script, _) => format!("{mode}, as the script in the repository sets it"),
        _ => format!("{mode}, as configured"),
    }
}

/// The models and agents of a configuration.
fn names(config: &Config) -> (&str, &[String]) {
    (&config.judge.model, &config.agents)
}
