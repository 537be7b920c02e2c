//! The program of a box, asked from here.

use super::Context;
use crate::advice;
use crate::config::{BoxConfig, Place, PullConfig};
use crate::failure::Failure;
use crate::hook::check::Finding;
use crate::remote_hook::{Line, RemoteCommand, Response, Trouble};
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;
use tokio::runtime::Runtime;

/// Beyond what a box is waited for anyway: a key that a command prints, an endpoint that is slow.
const SHORT: Duration = Duration::from_secs(30);
/// Two pushes, each as long as the longest budget of a hook and what git takes.
const LONG: Duration = Duration::from_secs(2 * (600 + 60));

/// Ends what a box is asked, when it is ready: a signal, or a person who gives up.
pub type Interrupt = Pin<Box<dyn Future<Output = ()>>>;

/// Makes what ends the questions to a box, for the runtime that the box is asked in.
pub trait Interrupts: Fn(&Runtime) -> Interrupt {}

impl<F: Fn(&Runtime) -> Interrupt> Interrupts for F {}

/// A box, and a way to it that is opened when it is first asked.
pub struct RemoteAgent<'a> {
    context: Context<'a>,
    pub(super) target: &'a BoxConfig,
    /// Repositories there whose hooks it is about.
    pub repositories: Vec<String>,
    runtime: Runtime,
    interrupt: RefCell<Interrupt>,
    line: RefCell<Option<Line>>,
}

/// The program of a box did not answer as asked.
pub enum AgentError {
    /// The box has none where it is looked for.
    Missing,
    /// It is there, and answers something else: it is of another version, or failed.
    Unexpected(String),
    /// The box could not be asked, or its answer was not heard.
    Failed(Failure),
}

impl<'a> RemoteAgent<'a> {
    /// Finds a box. Nothing is connected yet.
    /// It has a runtime of its own, so it is made and asked outside of any other.
    ///
    /// # Errors
    /// No box of that name, no runtime.
    pub fn new(
        context: &Context<'a>,
        name: &str,
        named: &[String],
        interrupt: impl FnOnce(&Runtime) -> Interrupt,
    ) -> Result<Self, Failure> {
        let boxes = &context.config.boxes;
        let Some(target) = boxes.iter().find(|b| b.name == name) else {
            let names: Vec<&str> = boxes.iter().map(|b| b.name.as_str()).collect();
            return Err(Failure::usage(format!("there is no box {name:?}"))
                .hint(format!("configured boxes: {}", names.join(", "))));
        };
        let repositories = if named.is_empty() { of_box(context, name) } else { named.to_vec() };
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let (interrupt, line) = (RefCell::new(interrupt(&runtime)), RefCell::new(None));
        Ok(Self { context: *context, target, repositories, runtime, interrupt, line })
    }

    /// Fails unless there is a repository whose hook could block.
    ///
    /// # Errors
    /// None is configured or named.
    pub fn require_repositories(&self) -> Result<(), Failure> {
        let name = &self.target.name;
        if !self.repositories.is_empty() {
            return Ok(());
        }
        Err(Failure::usage(format!("no repository of {name} is configured, so nothing would be blocked"))
            .hint("give each: `remote_path` in [[repository]], or `--repo DIR`")
            .hint(format!("install the hook there with `foureyes hook install`; `foureyes box check {name}` checks it")))
    }

    /// Asks, over a connection that stands for all questions.
    pub(super) fn ask(&self, errand: RemoteCommand, input: &[u8]) -> Result<Response, Failure> {
        let limits = &self.context.config.pull;
        let within = match errand {
            // Each may have a program of its own.
            RemoteCommand::Rehearse => LONG * self.repositories.len().clamp(1, 8) as u32,
            // Each judge there within its own time.
            RemoteCommand::Probe => LONG,
            _ => SHORT,
        };
        let repositories = match errand {
            RemoteCommand::Check | RemoteCommand::Probe | RemoteCommand::Rehearse => {
                self.repositories.as_slice()
            }
            _ => &[],
        };
        let mut interrupt = self.interrupt.borrow_mut();
        let mut line = self.line.borrow_mut();
        let asked = self.runtime.block_on(async {
            let asking = async {
                let open = match line.take() {
                    Some(open) => open,
                    None => self.open(limits).await?,
                };
                let response = open.ask(errand, repositories, input, within).await;
                // A way on which something was not heard is not used again.
                if response.is_ok() {
                    *line = Some(open);
                }
                response
            };
            tokio::select! {
                biased;
                () = interrupt.as_mut() => None,
                response = asking => Some(response),
            }
        });
        match asked {
            Some(response) => response.map_err(|trouble| self.failure(trouble)),
            None => {
                // It is told once: what has to be undone can still be asked for.
                *interrupt = Box::pin(std::future::pending());
                Err(Failure::remote("interrupted"))
            }
        }
    }

    async fn open(&self, limits: &PullConfig) -> Result<Line, Trouble> {
        match (self.context.homes, &self.target.place) {
            (Some(homes), Place::Local) => Ok(Line::in_home(homes.join(&self.target.name), limits)),
            _ => Line::open(self.target, self.context.data.cache(), limits).await,
        }
    }

    /// Asks for a document.
    pub(super) fn document<T: DeserializeOwned>(
        &self,
        errand: RemoteCommand,
        input: &[u8],
    ) -> Result<(T, Response), AgentError> {
        let response = self.ask(errand, input).map_err(AgentError::Failed)?;
        let Some(answer) = &response.answer else { return Err(AgentError::Missing) };
        match serde_json::from_slice(&answer.output) {
            Ok(document) => Ok((document, response)),
            Err(_) => {
                let code = answer.code.map_or("nothing".to_owned(), |c| format!("exit code {c}"));
                let lines = response.complaint.lines().filter(|line| !line.trim().is_empty());
                let complaint: Vec<&str> = lines.take(3).map(str::trim).collect();
                let version = if answer.version.is_empty() { "?" } else { &answer.version };
                Err(AgentError::Unexpected(format!(
                    "{} ({version}) answers with {code}: {}",
                    answer.path,
                    complaint.join(" ")
                )))
            }
        }
    }

    fn failure(&self, trouble: Trouble) -> Failure {
        let name = &self.target.name;
        let hint = match &trouble {
            Trouble::Connect(error) => advice::of_ssh(error, name),
            Trouble::RemoteSession {
                source: crate::source::session::Error::NoAnswer { .. },
                ..
            } => Some("the account needs a shell that can run sh and dd".to_owned()),
            Trouble::RemoteSession { .. } | Trouble::Shell(_) => None,
        };
        let failure = Failure::remote(trouble);
        hint.into_iter().fold(failure, Failure::hint)
    }
}

/// The repositories that are configured for a box, each once.
fn of_box(context: &Context<'_>, name: &str) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    let all = context.config.repositories.iter();
    for repository in all.filter(|r| r.boxes.is_empty() || r.boxes.iter().any(|b| b == name)) {
        let new = repository.remote_path.as_ref().filter(|path| !paths.contains(path));
        paths.extend(new.cloned());
    }
    paths
}

impl Drop for RemoteAgent<'_> {
    fn drop(&mut self) {
        // The way is closed where its runtime still runs.
        let line = self.line.borrow_mut().take();
        self.runtime.block_on(async { drop(line) });
    }
}

impl AgentError {
    /// As something that was looked at, where the box itself could be asked.
    ///
    /// # Errors
    /// The box could not be asked.
    pub fn finding(self) -> Result<Finding, Failure> {
        match self {
            Self::Missing => {
                let text = "foureyes was not found in its PATH, ~/.cargo/bin, ~/.local/bin, /usr/local/bin or /opt/homebrew/bin";
                let hint = "install the core there, the package foureyes-box (docs/box.md)";
                Ok(Finding::fail("program", text).hint(hint))
            }
            Self::Unexpected(what) => {
                let hint = "update it to this machine's version (docs/install.md#upgrade)";
                Ok(Finding::fail("program", what).hint(hint))
            }
            Self::Failed(failure) => Err(failure),
        }
    }
}
