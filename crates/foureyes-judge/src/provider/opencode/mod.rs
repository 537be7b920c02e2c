//! Asking through the program `opencode`: one process for each question, which ends with it.
//!
//! The program is an agent that runs commands when a model asks for them, and the content that is
//! judged may make a model ask. So it starts in an empty home with a configuration that denies every
//! tool and permission, and any sign of a tool ends it.

mod absent;
mod error;
mod events;
mod failure;
mod launch;
mod lines;
mod log;
mod run;

use super::chat::{self, Chat};
use super::http::Mask;
use super::{Ask, Failure, FailureKind, Reply, Role};
use crate::process_group;
pub use absent::ABSENT;
pub use chat::Error;
use launch::{Home, Target};
use run::{Limits, Run};
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Variables that the program needs of the environment: where programs are, in which language, and how
/// the network is reached. [`Settings::environment`] has those of them that are set.
pub const PASSED: [&str; 12] = [
    "PATH",
    "LANG",
    "LC_ALL",
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// Most calls that the program is let make for one question: it makes six where an endpoint fails.
const MOST_CALLS: u32 = 6;
/// Version of the agent that the program is given: another one is another judge.
const REVISION: &str = "agent/1";
/// A program by its name, and the `PATH` that it is looked up in.
type Program = (PathBuf, Option<OsString>);

/// Versions by program; `None` where it did not name one.
type Versions = Mutex<BTreeMap<Program, Option<String>>>;

/// The versions that programs have named.
static VERSIONS: Versions = Mutex::new(BTreeMap::new());

/// How long the program may take to name its version.
const VERSION_TIME: Duration = Duration::from_secs(20);
/// Longest name of a version, in bytes.
const VERSION_BYTES: u64 = 64;
/// Longest list of models, in bytes.
const MODELS_BYTES: usize = 1 << 20;

/// Which program is asked, and for whom.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The program: a path from the root, or a name that is looked up in `PATH` of `environment`.
    pub program: PathBuf,
    /// Address of an OpenAI-compatible endpoint of one's own, with or without `/v1` at its end. Where
    /// there is none, the model's name begins with a provider that the program knows:
    /// `opencode/gpt-5-nano`.
    pub base: Option<String>,
    /// The provider whose models are listed, where there is no endpoint of one's own.
    pub provider: Option<String>,
    /// Key of that endpoint or provider. The program gets it in a variable of its environment.
    pub key: Option<SecretString>,
    /// Whether plain http may be spoken to other machines than this one.
    pub plain_http: bool,
    /// Variables of this process that the program is given, see [`PASSED`]; it gets no others.
    pub environment: Vec<(OsString, OsString)>,
    /// Longest wait for a whole reply, the start of the program (some 5 s) included.
    pub whole: Duration,
    /// Most that the program may print for one question, in bytes.
    pub most: usize,
}

impl Settings {
    /// The program of this name, for its own providers, without a key: 90 s in all, 8 MiB.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            base: None,
            provider: None,
            key: None,
            plain_http: false,
            environment: Vec::new(),
            whole: Duration::from_secs(90),
            most: 8 << 20,
        }
    }
}

/// The program, and what was found out about it.
#[derive(Debug)]
pub struct Opencode {
    settings: Settings,
    mask: Mask,
    /// The endpoint of one's own: it lists the models, which the program does not.
    endpoint: Option<Chat>,
}

impl Opencode {
    /// Checks the settings. Nothing is started, connected or looked up yet.
    ///
    /// # Errors
    /// When the address or the key cannot be used.
    pub fn new(settings: Settings) -> Result<Self, Error> {
        let own = |base: &String| {
            Chat::new(chat::Settings {
                key: settings.key.clone(),
                plain_http: settings.plain_http,
                whole: settings.whole,
                ..chat::Settings::new(base.as_str())
            })
        };
        let endpoint = settings.base.as_ref().map(own).transpose()?;
        let mask = Mask::new(settings.key.as_ref());
        Ok(Self { settings, mask, endpoint })
    }

    /// The program with its version, the version of its agent, and the address of an endpoint of one's own.
    ///
    /// The program is started for its version, once in a process, whichever judge asks first; that call
    /// blocks until it has named it, or for 20 s. After [`Opencode::find_version`] it does not.
    pub fn base(&self) -> String {
        let mut known = VERSIONS.lock().unwrap_or_else(PoisonError::into_inner);
        let version = known.entry(self.program()).or_insert_with(|| self.ask_version());
        let version = version.as_deref().unwrap_or("of an unknown version");
        self.named(&format!("opencode {version}"))
    }

    /// The same without the version of the program.
    pub fn address(&self) -> String {
        self.named("opencode")
    }

    fn named(&self, program: &str) -> String {
        match &self.endpoint {
            Some(endpoint) => format!("{program} {REVISION} {}", endpoint.base()),
            None => format!("{program} {REVISION}"),
        }
    }

    /// What several judges of a run share: the version is that of the program.
    fn program(&self) -> Program {
        let environment = &self.settings.environment;
        let path = environment.iter().find(|(name, _)| name == "PATH");
        (self.settings.program.clone(), path.map(|(_, path)| path.clone()))
    }

    /// Finds out the version unless it is known, for 20 s and until a moment at most. When that is over, or
    /// the future is dropped, the program is ended.
    pub async fn find_version(&self, until: Instant) {
        let program = self.program();
        let known = || VERSIONS.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(known().get(&program), Some(Some(_))) {
            return;
        }
        let version = self.version_until(until).await;
        let mut known = known();
        let found = known.entry(program).or_default();
        *found = found.take().or(version);
    }

    async fn version_until(&self, until: Instant) -> Option<String> {
        let now = Instant::now();
        if now >= until {
            return None;
        }
        let home = Home::new().ok()?;
        let mut command = home.command(&self.settings, true, "").ok()?;
        let until = until.min(now + VERSION_TIME);
        let limits = Limits { until, most: VERSION_BYTES as usize, calls: 0 };
        let run = Run::start(command.arg("--version"), home).ok()?;
        let ended = run.listing(&limits).await;
        self.version_in(&failure::listed(&ended, &self.settings, &self.mask, VERSION_TIME).ok()?)
    }

    fn ask_version(&self) -> Option<String> {
        let home = Home::new().ok()?;
        let mut command = home.inside(&self.settings.program, &self.settings, true);
        let printed = process_group::output(command.arg("--version"), VERSION_BYTES, VERSION_TIME);
        self.version_in(&String::from_utf8(printed.ok()?).ok()?)
    }

    fn version_in(&self, printed: &str) -> Option<String> {
        let line = self.mask.line(printed, VERSION_BYTES as usize);
        (!line.is_empty()).then_some(line)
    }

    /// Calls that are made for one question at most, see [`super::Provider::calls`]. The program is
    /// ended after so many; by then it may have begun another one.
    pub fn calls(&self) -> u32 {
        MOST_CALLS
    }

    /// Asks a question and waits for its reply, until a moment at most.
    ///
    /// When that moment is over, or the future is dropped, the program and all that it started are ended.
    ///
    /// # Errors
    /// Every way of getting no answer.
    pub async fn ask(&self, ask: &Ask, until: Instant) -> Result<Reply, Failure> {
        let began = Instant::now();
        crate::provider::calls::begins();
        let answer = self.asked(ask, began, until).await;
        let latency = began.elapsed();
        match answer {
            Ok(reply) => Ok(Reply { latency, text: self.mask.text(&reply.text), ..reply }),
            Err(failure) => Err(Failure { latency, ..failure }),
        }
    }

    async fn asked(&self, ask: &Ask, began: Instant, until: Instant) -> Result<Reply, Failure> {
        if began >= until {
            let what = "no time was left to ask";
            return Err(failure::unasked(FailureKind::Timeout, what));
        }
        let target = Target::new(&ask.model, self.endpoint.as_ref())
            .map_err(|what| failure::unasked(FailureKind::Unavailable, what))?;
        let failed = |error: std::io::Error| failure::not_started(&error);
        let home = Home::new().map_err(failed)?;
        let command = home.command(&self.settings, target.is_direct(), &question(ask));
        let mut command = command.map_err(failed)?;
        let key = self.settings.key.as_ref();
        launch::configure(&mut command, &target.config(ask, key.is_some()), key);
        if let Some(most) = ask.max_tokens {
            command.env("OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX", most.to_string());
        }
        command.args(["run", "--format", "json", "--agent", launch::AGENT, "--title", "foureyes"]);
        command.args(["--print-logs", "--log-level", "ERROR"]);
        command.arg("--model").arg(target.name());
        let own = began.checked_add(self.settings.whole).unwrap_or(until);
        let limits = Limits {
            until: own.min(until),
            most: self.settings.most,
            calls: ask.calls.unwrap_or(MOST_CALLS).min(MOST_CALLS),
        };
        let run = Run::start(&mut command, home).map_err(failed)?;
        let ended = run.finish(&limits).await;
        let limit = limits.until.saturating_duration_since(began);
        failure::read(&ended, &self.settings, &self.mask, limit)
    }

    /// The same as [`Self::models`]; `None` of an endpoint of one's own that runs and lists none.
    ///
    /// # Errors
    /// Every way of getting no answer.
    pub async fn listed(&self, until: Instant) -> Result<Option<Vec<String>>, Failure> {
        match &self.endpoint {
            Some(endpoint) => endpoint.listed(until).await,
            None => self.models(until).await.map(Some),
        }
    }

    /// Asks for the names of the models: those of the endpoint of one's own, else those that the program
    /// knows of its provider.
    ///
    /// # Errors
    /// Every way of getting no answer.
    pub async fn models(&self, until: Instant) -> Result<Vec<String>, Failure> {
        if let Some(endpoint) = &self.endpoint {
            return endpoint.models(until).await;
        }
        let failed = |error: std::io::Error| failure::not_started(&error);
        let home = Home::new().map_err(failed)?;
        let mut command = home.command(&self.settings, false, "").map_err(failed)?;
        if let Some(provider) =
            self.settings.provider.as_ref().filter(|name| launch::is_plain(name))
        {
            let key = self.settings.key.as_ref();
            launch::configure(&mut command, &launch::listing(provider, key.is_some()), key);
        }
        command.arg("models");
        let began = Instant::now();
        let own = began.checked_add(self.settings.whole).unwrap_or(until);
        let limits = Limits { until: own.min(until), most: MODELS_BYTES, calls: 0 };
        let run = Run::start(&mut command, home).map_err(failed)?;
        let limit = limits.until.saturating_duration_since(began);
        let ended = run.listing(&limits).await;
        let listed = failure::listed(&ended, &self.settings, &self.mask, limit)?;
        let ours = |name: &&str| match &self.settings.provider {
            Some(provider) => name.split('/').next() == Some(provider),
            None => true,
        };
        Ok(listed
            .lines()
            .map(str::trim)
            .filter(|l| !l.is_empty())
            .filter(ours)
            .map(|n| self.mask.text(n))
            .collect())
    }
}

/// All that is asked, in one text: the program has one place for it, its standard input.
fn question(ask: &Ask) -> String {
    let of = |role| ask.messages.iter().filter(move |m| m.role == role).map(|m| m.text.as_str());
    of(Role::System).chain(of(Role::User)).collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests;
