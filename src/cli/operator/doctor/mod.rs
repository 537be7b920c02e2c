//! `foureyes doctor`: what stands between this machine and the boxes' logs.

mod ask;
mod boxes;
mod call_word;
mod check;
mod files;
mod judge;
mod judges;
mod logs;
mod memories;
mod mirror;
mod programs;
mod question;
mod tasks;
mod terminal;

use super::{Context, Failure, output};
use crate::config::{BoxConfig, Config, Environment, Place, load};
use crate::source::ssh;
use ask::Asker;
use check::{Check, Document, State};
use judges::OfJudges;
use std::path::Path;
use std::process::ExitCode;

/// Check SSH, keys, clocks, permissions and the terminal
///
/// Every problem comes with a hint.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Ask each judge one short question, to see whether its answer carries the call word; nothing is
    /// logged
    #[arg(long)]
    ask: bool,
    /// Check every byte of the mirror against the hashes taken when it was pulled; the next pull
    /// repairs any damage
    #[arg(long)]
    mirror: bool,
}

/// Runs the command. Of the context it uses the flags and the data directory only: it must work
/// where the configuration does not.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let environment = Environment::of_process();
    let mut checks = Vec::new();
    let config = configuration(context, &mut checks);
    let asker = Asker::new(&config.pull, context.data.cache())?;
    checks.extend(programs::checks(&config));
    checks.extend(files::checks(&config, &context.data));
    if args.mirror {
        checks.extend(mirror::checks(&config, &context.data));
    }
    checks.extend(judge::checks(&config));
    checks.extend(judge::commits(&config));
    if !context.global.demo {
        checks.extend(tasks::checks(&config, environment.home().as_deref()));
    }
    checks.extend(memories::checks(context, &config));
    let call_word = call_word::reports(context, &config, args.ask);
    checks.extend(call_word::checks(&call_word, args.ask));
    let earlier = question::earlier(context, &config);
    checks.extend(question::checks(earlier.as_ref()));
    checks.extend(terminal::checks(&environment, &terminal::Seen::of_process()));
    let ask = |b: &BoxConfig| asker.ask(b);
    if has_remote(&config) {
        checks.push(control(context.data.cache()));
    }
    checks.extend(boxes::checks(&config, &ask));
    if let Some(code) = asker.stopped() {
        return Ok(ExitCode::from(code));
    }
    let document = Document::new(checks, OfJudges { call_word, earlier_question: earlier });
    output::print(match args.json {
        true => document.json()?,
        false => context.command_line.complete(&document.plain()).into_owned(),
    })?;
    Ok(document.exit_code())
}

/// The configuration, or the defaults where it is wrong.
fn configuration(context: &Context, checks: &mut Vec<Check>) -> Config {
    match load(&context.sources()) {
        Ok(loaded) => {
            let unfit = judge::unfit(&loaded);
            let name = loaded.path.as_ref().map(|p| p.display().to_string());
            checks.extend(match name {
                Some(_) if unfit.iter().any(|check| check.state == State::Fail) => None,
                Some(path) => Some(Check::ok("configuration", format!("{path} is right"))),
                None => Some(Check::ok("configuration", "there is no file; the defaults apply")),
            });
            checks.extend(unfit);
            for warning in loaded.warnings {
                let check = Check::warn("configuration", warning.to_string());
                checks.push(match warning.advice() {
                    Some(advice) => check.advise(advice),
                    None => check,
                });
            }
            if loaded.config.boxes.is_empty() {
                let advice = match loaded.path {
                    Some(_) => "add one to the file: `[[box]]`, with a `name` that ssh knows",
                    None => "`foureyes config init --box HOST` writes a configuration with one",
                };
                checks.push(Check::warn("boxes", "no box is configured").advise(advice));
            }
            loaded.config
        }
        Err(error) => {
            let advice = "correct it: `foureyes config check` lists every problem";
            let text = error.to_string();
            checks.push(
                Check::fail("configuration", text, check::Part::Configuration).advise(advice),
            );
            Config::default()
        }
    }
}

/// Whether there is a place for the sockets of connections.
fn control(cache: &Path) -> Check {
    match ssh::control_base(cache) {
        Ok(base) => Check::ok("control path", format!("sockets are created in {}", base.display())),
        Err(error) => Check::fail("control path", crate::domain::chain(&error), check::Part::Local)
            .advise("check the permissions of the cache directory, or give `--data-dir`"),
    }
}

/// Tells whether any box is reached over SSH.
fn has_remote(config: &Config) -> bool {
    config.boxes.iter().any(|b| matches!(b.place, Place::Ssh(_)))
}
