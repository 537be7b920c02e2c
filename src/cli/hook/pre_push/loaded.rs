//! The configuration of a push, also where it is wrong.

use crate::cli::{Failure, Global};
use crate::config::{self, Config, Environment, Error, Salvage, Sources};

/// The configuration that holds, or what is left of one that is wrong.
pub(in crate::cli::hook) struct Loaded {
    /// What of it is right.
    pub(in crate::cli::hook) config: Config,
    /// What is wrong with it.
    pub(in crate::cli::hook) problem: Option<String>,
    /// Whether it tells for certain who is an agent.
    pub(super) agents: bool,
    /// Whether it tells for certain what is watched.
    pub(super) watch: bool,
}

impl Loaded {
    /// The configuration, if nothing of it is wrong.
    pub(in crate::cli::hook) fn valid(self) -> Result<Config, Failure> {
        let hint = "correct it: `foureyes config check` lists every problem";
        match self.problem {
            None => Ok(self.config),
            Some(problem) => Err(Failure::usage(problem).hint(hint)),
        }
    }
}

/// Loads the configuration.
pub(in crate::cli::hook) fn load(global: &Global, environment: &Environment) -> Loaded {
    let flag_path = global.config.clone();
    let sources = Sources { flag_path, environment: environment.clone() };
    let error = match config::load(&sources) {
        Ok(loaded) => {
            return Loaded { config: loaded.config, problem: None, agents: true, watch: true };
        }
        Err(error) => error,
    };
    let Salvage { config, agents, watch } = config::salvage(&sources);
    // The file is right there, and nothing of a push depends on a variable.
    let problem = match &error {
        Error::Variable { .. } => None,
        _ => Some(crate::domain::chain(&error)),
    };
    let right = problem.is_none();
    Loaded { config, problem, agents: agents || right, watch: watch || right }
}
