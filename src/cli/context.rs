//! What every command is given, and how much of it is made ready.

use super::{Clock, Failure, output};
use crate::config::{Config, Environment, Sources, UnfitJudge};
use crate::domain::Timestamp;
use crate::files::paths::DataDir;
use crate::text::CommandLine;
use std::path::PathBuf;

/// The heading of [`Global`] in the help of every command.
const GLOBAL: &str = "Global options";

/// Flags of every command.
#[derive(Debug, Clone, clap::Args)]
pub struct Global {
    /// Configuration file [env: FOUREYES_CONFIG]
    #[arg(long, global = true, value_name = "FILE", help_heading = GLOBAL)]
    pub config: Option<PathBuf>,
    /// Data directory for mirror, cache, session and ledgers [env: FOUREYES_DATA]
    #[arg(long, global = true, value_name = "DIR", help_heading = GLOBAL)]
    pub data_dir: Option<PathBuf>,
    /// Use demo data in a directory of its own: no network, no configuration
    #[cfg_attr(feature = "console", arg(long, global = true, help_heading = GLOBAL))]
    #[cfg_attr(not(feature = "console"), arg(skip))]
    pub demo: bool,
}

impl Global {
    /// What a further command needs to be about the same data.
    pub(super) fn command_line(&self) -> CommandLine {
        CommandLine::new(self.demo, self.config.as_deref(), self.data_dir.as_deref())
    }
}

/// What every command is given: nothing in it is read from the environment later.
#[derive(Debug, Clone)]
pub struct Context {
    /// The flags of every command.
    pub global: Global,
    /// The flags as they were given, for the commands that are printed.
    pub command_line: CommandLine,
    /// The effective configuration.
    pub config: Config,
    /// Its judges that cannot be asked for their models.
    pub unfit_judges: Vec<UnfitJudge>,
    /// Where files of our own are.
    pub data: DataDir,
    /// A directory with a home for each local box, of the demo; `None` where a local box is this machine.
    pub homes: Option<PathBuf>,
    /// The environment, as it was at the start.
    pub environment: Environment,
    /// Tells the time.
    pub clock: Clock,
    /// The time at the start of the command.
    pub now: Timestamp,
}

impl Context {
    /// What the configuration is loaded from.
    pub(super) fn sources(&self) -> Sources {
        Sources { flag_path: self.global.config.clone(), environment: Environment::of_process() }
    }

    /// A context without a configuration: enough for commands that must work where that does not.
    pub(super) fn new(global: Global) -> Result<Self, Failure> {
        let environment = Environment::of_process();
        let data = crate::config::data_dir(global.data_dir.as_deref(), &environment);
        Ok(Self {
            config: Config::default(),
            unfit_judges: Vec::new(),
            data: data.map_err(config_failure)?,
            homes: None,
            clock: Clock::default(),
            now: Clock::default().now(),
            environment,
            command_line: global.command_line(),
            global,
        })
    }

    /// Takes the configuration that holds; doubts about it go to stderr.
    pub(super) fn load_config(&mut self) -> Result<(), Failure> {
        let flag_path = self.global.config.clone();
        let sources = Sources { flag_path, environment: self.environment.clone() };
        let loaded = crate::config::load(&sources).map_err(config_failure)?;
        for warning in loaded.warnings.iter().filter(|w| w.is_for_every_run()) {
            output::to_stderr(&format!("warning: {}", output::visible(&warning.to_string())));
        }
        self.unfit_judges = loaded.unfit_judges();
        self.config = loaded.config;
        Ok(())
    }
}

/// A configuration that could not be loaded, as a failure with what to do.
pub(super) fn config_failure(error: crate::config::Error) -> Failure {
    use crate::config::Error as ConfigError;
    let hint = match &error {
        ConfigError::Invalid { .. } => {
            "correct the file; docs/configuration.md and `foureyes config show --schema` have every key"
        }
        ConfigError::Read { .. } => "check the path and its permissions",
        ConfigError::NotAFile { .. } => "give the path of a file",
        ConfigError::TooLarge { .. } => "check that the path is that of a configuration file",
        ConfigError::Variable { .. } => "correct or unset the variable",
        _ => "set HOME, or give `--config FILE` and `--data-dir DIR`",
    };
    Failure::usage(error).hint(hint)
}
