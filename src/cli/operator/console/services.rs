//! What the console does outside: logs, coverage, the judge.

use super::Args;
use crate::cli::Context;
use crate::cli::operator::{demo, reading};
use crate::collect::{self, Collected};
use crate::config;
use crate::coverage;
use crate::jsonl::Settings;
use crate::judging::configured;
use crate::store::disposition::Dispositions;
use crate::task;
use crate::tui::model::Problem;
use crate::tui::{ExternalTools, JudgeEndpoint, LogLister, Services, TaskJudges, store_problem};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// What the console does outside, from arguments and configuration.
pub(super) fn services(
    context: &Context,
    args: &Args,
    (dispositions, collected): (Dispositions, Collected),
    tools: ExternalTools,
) -> Services {
    let settings = reading::settings(context, &context.config);
    let reader = match args.fleet.fleet {
        true => shared(context, settings.clone(), collected),
        false => own(context, args),
    };
    let config = context.config.clone();
    let mut session_config = config.clone();
    if args.read_only {
        // Neither is a clone changed by a fetch, nor is a box asked for what it holds.
        for repository in &mut session_config.repositories {
            (repository.fetch, repository.remote_path) = (false, None);
        }
    }
    let given = !args.from.from.is_empty();
    let surveyor = move |archive: &crate::store::cache::Archive, window| {
        coverage::survey(&config, archive, given, window)
    };
    let mut services = Services::new(
        session_config,
        context.data.clone(),
        settings,
        reader,
        Box::new(surveyor),
        tools,
        args.read_only,
        dispositions,
    );
    let clock = context.clock;
    services.clock = Box::new(move || clock.now());
    services.command_line = context.command_line;
    services.home = context.environment.get("HOME").map(PathBuf::from);
    services.homes.clone_from(&context.homes);
    services.endpoint = endpoint(context, &mut services.config);
    services
}

/// Lists the logs of this machine.
fn own(context: &Context, args: &Args) -> LogLister {
    let (config, data, from) = (context.config.clone(), context.data.clone(), args.from.clone());
    Box::new(move |now| {
        if from.from.is_empty() {
            return Ok(collect::configured(&data, &config, now));
        }
        collect::given(&data, &from.from, now, &mut std::io::empty())
            .map_err(|e| Problem::from_error(&e, "give existing logs, and restart"))
    })
}

/// Opens the store that operators share; for the first time it is open already.
fn shared(context: &Context, settings: Settings, open: Collected) -> LogLister {
    let (config, open) = (context.config.fleet.clone(), Mutex::new(Some(open)));
    Box::new(move |_| {
        // What a thread that panicked left is whole.
        let open = open.lock().unwrap_or_else(PoisonError::into_inner).take();
        let again = || reading::opened(&config, settings.clone()).map_err(store_problem);
        open.map_or_else(again, Ok)
    })
}

/// The judge that the console asks: of the demo its own, else the configured one.
fn endpoint(context: &Context, config: &mut config::Config) -> JudgeEndpoint {
    match context.global.demo {
        true => demo::judge::take_over(config),
        false => configured_endpoint(&context.config, context.data.refused()),
    }
}

fn configured_endpoint(config: &config::Config, refused: PathBuf) -> JudgeEndpoint {
    let description = config.judge.asked();
    let judge = config.judge.clone();
    let file = refused.clone();
    let make = move |socket| {
        let next = "correct `[judge]` in the configuration, and restart";
        let key = configured::key(&judge).map_err(|error| Problem::from_error(&error, next))?;
        configured::provider(&judge, key, socket, Some(file.clone()))
            .map_err(|error| Problem::from_error(&error, next))
    };
    let judges = move |config: &config::Config| {
        let until = tokio::time::Instant::now() + config.task.budget;
        task::judges(config, Some(&refused), until).map_err(|(tier, error)| {
            let next = format!(
                "correct [judges.{}] or [judge] in the configuration, and restart",
                tier.name()
            );
            Problem::from_error(&error, &next)
        })
    };
    let judges = TaskJudges { description: None, make: Arc::new(judges) };
    JudgeEndpoint { description, make: Arc::new(make), judges }
}
