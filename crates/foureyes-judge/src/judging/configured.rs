//! The judge that the configuration names.

use super::{Judge, RunLimits, Settings};
use crate::config::{Config, JudgeConfig, JudgeKind, NamedJudge};
use crate::engine::cost::{Price, Prices};
use crate::engine::four_eyes::{Families, Rule};
use crate::engine::panel::Tier;
use crate::engine::problem::Problems;
use crate::engine::prompt::{Limits, Template};
use crate::engine::retry::Policy;
use crate::engine::rubric::Rubric;
use crate::engine::verdict::{PUSH, TaskVerdict};
use crate::provider::Provider;
use crate::provider::anthropic::Anthropic;
use crate::provider::chat::{self, Chat, Memory};
use crate::provider::key;
use crate::provider::opencode::{self, Opencode};
use crate::provider::scripted::{self, Scripted};
use crate::provider::service::Service;
use crate::text::mask;
use secrecy::SecretString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::Instant;

/// Longest template or rubric that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;
/// How long a command for a key may take, where there is no other bound.
const KEY_TIME: Duration = Duration::from_secs(20);
/// The longest that a run may take.
const LONGEST_RUN: Duration = Duration::from_secs(86_400);

/// Why there is no judge.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file of the operator's cannot be read.
    #[error("failed to read the {what} {}", path.display())]
    Read {
        /// Prompt or rubric.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A file of the operator's was read and says something wrong; a line a problem.
    #[error("{}", listed(path.as_deref(), problems))]
    Wrong {
        /// The file; `None` for one of the program's own.
        path: Option<PathBuf>,
        /// All that is wrong.
        problems: Problems,
    },
    /// The endpoint cannot be asked as it is configured.
    #[error(transparent)]
    Endpoint(#[from] chat::Error),
    /// The model cannot be asked for by this kind of judge.
    #[error("the model is {model:?}: {why}")]
    Model {
        /// The model.
        model: String,
        /// Why not.
        why: &'static str,
    },
    /// A judge of this kind cannot be asked without something that is not set.
    #[error("the kind is {kind:?}: {why}")]
    Kind {
        /// The kind.
        kind: &'static str,
        /// What is missing.
        why: &'static str,
    },
    /// A program of this machine cannot be asked through a box.
    #[error("the program opencode cannot be asked through a box")]
    Via,
    /// The script cannot be used.
    #[error(transparent)]
    Script(#[from] scripted::Error),
}

fn listed(path: Option<&Path>, problems: &Problems) -> String {
    let path = path.map_or("built in".to_owned(), |path| path.display().to_string());
    let lines = problems.0.iter().map(|problem| format!("{path}:{problem}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The key that the configuration names: what its command prints, else the variable.
///
/// `None` where neither says one. It may block for as long as the command takes.
///
/// # Errors
/// A command that fails, and a key that cannot be one. No key is in an error.
pub fn key(config: &JudgeConfig) -> Result<Option<SecretString>, key::Error> {
    key_within(config, KEY_TIME)
}

/// The same, where less time than that may be left for a command.
///
/// # Errors
/// As [`key()`].
pub fn key_within(
    config: &JudgeConfig,
    left: Duration,
) -> Result<Option<SecretString>, key::Error> {
    let key = match &config.key_command {
        Some(command) => key::command(command, left.min(KEY_TIME))?,
        None => {
            let Some(value) = config.key_variable() else { return Ok(None) };
            key::given(value.to_str().ok_or(key::Error::Shape)?)?
        }
    };
    // Content that holds it is sent without it, and nothing shows it.
    mask::remember(&key);
    Ok(Some(key))
}

/// The judge of a configuration. Nothing is connected or looked up yet.
///
/// `refused` is the file in which is kept what models refused of a question, see
/// [`crate::files::paths::DataDir::refused`].
///
/// # Errors
/// A prompt, rubric, script or endpoint that cannot be used.
pub fn judge(
    config: &Config,
    key: Option<SecretString>,
    refused: Option<PathBuf>,
) -> Result<Judge, Error> {
    // A default model beside the kind `anthropic` may be for memories alone, which ask for another one.
    if config.judge.kind() == JudgeKind::Opencode {
        fits(&config.judge)?;
    }
    of_pushes(config, &config.judge, config.prices.clone(), (key, refused))
}

/// The judge that reviews verdicts on pushes, as `[judges.peer]` over `[judge]` has it. It knows the families of
/// well-known models, since its own must be another than that of the judge.
///
/// # Errors
/// As [`judge()`].
pub fn peer(
    config: &Config,
    (named, judge): (&NamedJudge, &JudgeConfig),
    key: Option<SecretString>,
    refused: Option<PathBuf>,
) -> Result<Judge, Error> {
    fits(judge)?;
    let prices = prices(config, named, &judge.model);
    let peer = of_pushes(config, judge, prices, (key, refused))?;
    Ok(Judge { families: config.families.with_makers(), ..peer })
}

fn fits(judge: &JudgeConfig) -> Result<(), Error> {
    let model = judge.model.clone();
    judge.unfit_model().map_or(Ok(()), |why| Err(Error::Model { model, why }))
}

fn of_pushes(
    config: &Config,
    judge: &JudgeConfig,
    prices: Prices,
    (key, refused): (Option<SecretString>, Option<PathBuf>),
) -> Result<Judge, Error> {
    Ok(Judge {
        kind: &PUSH,
        sections: &[],
        provider: provider(judge, key, None, refused)?,
        model: judge.model.clone(),
        rubric: rubric(judge.rubric.as_deref())?,
        template: template(judge.prompt.as_deref())?,
        families: families_of_pushes(config),
        prices,
        settings: settings(judge),
    })
}

/// The families that judges of pushes know: those of the configuration. Where both families must be known,
/// well-known makers are too.
pub fn families_of_pushes(config: &Config) -> Families {
    match config.judge.four_eyes {
        Rule::Require => config.families.with_makers(),
        Rule::Refuse | Rule::Caveat => config.families.clone(),
    }
}

/// How the judge of a configuration is asked.
pub fn settings(judge: &JudgeConfig) -> Settings {
    Settings {
        four_eyes: judge.four_eyes,
        limits: Limits {
            content_bytes: judge.max_content_bytes,
            max_parts: judge.max_parts,
            content_characters: None,
        },
        temperature: Some(judge.temperature),
        max_tokens: judge.answer_tokens(),
        fixed_tokens: !judge.more_tokens,
        no_routes: !judge.routes,
    }
}

/// What a run may use that judges so many contents.
pub fn run_limits(judge: &JudgeConfig, contents: usize) -> RunLimits {
    let rounds = contents.div_ceil(judge.parallel.max(1));
    let whole = judge.budget.saturating_mul(u32::try_from(rounds).unwrap_or(u32::MAX));
    RunLimits {
        parallel: judge.parallel,
        each: judge.budget,
        until: Instant::now() + whole.min(LONGEST_RUN),
        cap: judge.spend_cap,
    }
}

/// The rubric of a file, or the program's.
///
/// # Errors
/// A file that cannot be read or is wrong.
pub fn rubric(path: Option<&Path>) -> Result<Rubric, Error> {
    let text = path.map(|path| text("rubric", path)).transpose()?;
    let parsed = text.as_deref().map_or_else(Rubric::embedded, Rubric::parse);
    parsed.map_err(|problems| Error::Wrong { path: path.map(Path::to_owned), problems })
}

/// The template of a file, or the program's.
///
/// # Errors
/// A file that cannot be read or is wrong.
pub fn template(path: Option<&Path>) -> Result<Template, Error> {
    let text = path.map(|path| text("prompt", path)).transpose()?;
    let parsed = text.as_deref().map_or_else(Template::embedded, Template::parse);
    parsed.map_err(|problems| Error::Wrong { path: path.map(Path::to_owned), problems })
}

/// Whoever is asked, through a socket of this machine where one is given. `refused` as for [`judge`].
///
/// # Errors
/// A script or an endpoint that cannot be used.
pub fn provider(
    config: &JudgeConfig,
    key: Option<SecretString>,
    unix_socket: Option<PathBuf>,
    refused: Option<PathBuf>,
) -> Result<Provider, Error> {
    if let Some(script) = &config.script {
        return Ok(Provider::Scripted(Scripted::read(script)?));
    }
    if let Some(why) = config.unfit_kind() {
        return Err(Error::Kind { kind: config.kind().name(), why });
    }
    if config.kind() == JudgeKind::Opencode {
        if unix_socket.is_some() {
            return Err(Error::Via);
        }
        return Ok(Provider::Opencode(Opencode::new(of_program(config, key))?));
    }
    let settings = chat::Settings {
        key,
        unix_socket,
        memory: refused.map(|file| Memory { file, via: config.via.clone() }),
        plain_http: config.allow_plain_http,
        connect: config.connect_timeout,
        first_byte: config.first_byte_timeout,
        whole: config.timeout,
        retry: Policy { attempts: config.tries, ..Policy::default() },
        ..chat::Settings::new(config.address())
    };
    Ok(match config.kind() {
        JudgeKind::Anthropic => Provider::Anthropic(Anthropic::new(settings)?),
        JudgeKind::Service => {
            let service = Service::new(settings, &config.service_key)?;
            Provider::Service(service.of_client(config.service_client.clone()))
        }
        JudgeKind::Chat | JudgeKind::Opencode | JudgeKind::Script => {
            Provider::Chat(Chat::new(settings)?)
        }
    })
}

/// How the program opencode is asked: for a provider of its own, unless the configuration names an
/// endpoint.
pub fn of_program(config: &JudgeConfig, key: Option<SecretString>) -> opencode::Settings {
    opencode::Settings {
        base: config.opencode_endpoint().map(str::to_owned),
        provider: config.model.split_once('/').map(|(provider, _)| provider.to_owned()),
        key,
        plain_http: config.allow_plain_http,
        environment: JudgeConfig::variables(&opencode::PASSED),
        whole: config.timeout,
        ..opencode::Settings::new(config.program())
    }
}

/// The judge of one tier of a task. Its content is never judged in parts: what one request does not
/// hold is cut, and nothing passes that is cut.
///
/// # Errors
/// As [`judge`].
pub fn tier(
    config: &Config,
    tier: Tier,
    key: Option<SecretString>,
    refused: Option<PathBuf>,
) -> Result<Judge<TaskVerdict>, Error> {
    let (named, judge) = config.judge_of(tier);
    fits(&judge)?;
    // The prompt of `[judge]` asks about pushes.
    let template = match named.prompt.as_deref() {
        Some(path) => template(Some(path))?,
        None => Template::task().map_err(|problems| Error::Wrong { path: None, problems })?,
    };
    let prices = prices(config, &named, &judge.model);
    let mut settings = settings(&judge);
    settings.limits.max_parts = 1;
    settings.limits.content_characters = named.max_content_characters;
    Ok(Judge {
        kind: config.task.vocabulary.kind(),
        sections: tier.sections(),
        provider: provider(&judge, key, None, refused)?,
        model: judge.model.clone(),
        rubric: rubric(judge.rubric.as_deref())?,
        template,
        families: config.families.with_makers(),
        prices,
        settings,
    })
}

/// The prices that are configured, that of a named judge among them.
pub fn prices(config: &Config, named: &NamedJudge, model: &str) -> Prices {
    let mut prices = config.prices.clone();
    if let Some(price) = &named.price {
        prices.0.push(Price { model: model.to_owned(), ..price.clone() });
    }
    prices
}

/// The proxy between here and the endpoint, [`chat::proxy`]; none where a script, a program or a box
/// is asked instead.
pub fn proxy(config: &JudgeConfig) -> Option<String> {
    let direct = config.needs_key() && config.via.is_none();
    direct.then(|| chat::proxy(config.address())).flatten()
}

fn text(what: &'static str, path: &Path) -> Result<String, Error> {
    let failed = |source| Error::Read { what, path: path.to_owned(), source };
    let other = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
    // Asked before opening: opening a FIFO would wait for a writer.
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Err(failed(other("it is not a file")));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(failed(other("it has more than a mebibyte")));
    }
    String::from_utf8(bytes).map_err(|_| failed(other("it is not UTF-8 text")))
}
