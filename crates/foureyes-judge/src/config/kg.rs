//! Terms of quality: where their files are, and who else finds them.

use super::Environment;
use super::rules::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Where files of terms are by default, in the user's directory for data.
const DIRECTORY: &str = "terraphim/kg";

/// Terms of quality, by which words of judges are compared with their scores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct KgConfig {
    /// Whether words of judges are compared with their scores.
    pub enabled: bool,
    /// Directory of the files of terms. `~/.local/share/terraphim/kg`, where it is not given.
    #[schemars(extend("x-text" = Text::Path))]
    pub directory: Option<PathBuf>,
    /// The program terraphim-cli, a path or a name that is looked for in `PATH`: `kg find` asks it. None is
    /// asked by default.
    #[schemars(extend("x-text" = Text::Program))]
    pub program: Option<PathBuf>,
}

impl Default for KgConfig {
    fn default() -> Self {
        Self { enabled: true, directory: None, program: None }
    }
}

impl KgConfig {
    /// The directory of the files; `None` where none is set and there is no home.
    pub fn directory(&self, environment: &Environment) -> Option<PathBuf> {
        let data = || {
            let local = || Some(environment.home()?.join(".local/share"));
            environment.directory("XDG_DATA_HOME").or_else(local)
        };
        self.directory.clone().or_else(|| Some(data()?.join(DIRECTORY)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_is_where_other_programs_read_it() {
        let environment = |name: &'static str, value: &'static str| {
            Environment::from_lookup(move |n| (n == name).then(|| value.into()))
        };
        let config = KgConfig::default();
        let of = |environment: &Environment| config.directory(environment);
        let home = of(&environment("HOME", "/home/a"));
        assert_eq!(home, Some("/home/a/.local/share/terraphim/kg".into()));
        let data = of(&environment("XDG_DATA_HOME", "/data"));
        assert_eq!(data, Some("/data/terraphim/kg".into()));
        let own = KgConfig { directory: Some("/own".into()), ..config.clone() };
        assert_eq!(own.directory(&environment("HOME", "/home/a")), Some("/own".into()));
    }
}
