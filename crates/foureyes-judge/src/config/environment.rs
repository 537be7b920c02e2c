//! The environment variables that count, taken once.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// A snapshot of the environment variables that this program reads.
///
/// Others are not kept, so that no secret of the environment can be shown by accident.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    values: BTreeMap<&'static str, OsString>,
    push_options: Vec<OsString>,
}

/// Most push options that are read.
const MOST_OPTIONS: usize = 1000;

impl Environment {
    /// All variables that are read.
    pub const NAMES: [&'static str; 28] = [
        "FOUREYES_CONFIG",
        "FOUREYES_DATA",
        "FOUREYES_DAYS",
        "NO_COLOR",
        "HOME",
        "USER",
        "LOGNAME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_CACHE_HOME",
        "TERM",
        "COLORTERM",
        "LC_ALL",
        "LC_CTYPE",
        "LANG",
        "VISUAL",
        "EDITOR",
        "BROWSER",
        "PATH",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "SSH_CONNECTION",
        "GIT_JUDGE_SKIP",
        "GIT_JUDGE_FRESH",
        "JUDGE_QUICK_MODEL",
        "JUDGE_DEEP_MODEL",
        "JUDGE_TIEBREAKER_MODEL",
        "JUDGE_CREATE_ISSUES",
    ];

    /// Takes the environment of this process.
    pub fn of_process() -> Self {
        Self::from_lookup(|name| std::env::var_os(name))
    }

    /// Takes what counts where a push arrives. Whoever pushes may have set all variables but those that the server sets
    /// for the account, so no other one chooses a configuration, a place for data or a judge.
    pub fn of_receiver() -> Self {
        let is_servers = |name: &str| {
            ["HOME", "USER", "LOGNAME", "PATH"].contains(&name)
                || name.starts_with("GIT_PUSH_OPTION_")
        };
        Self::from_lookup(|name| std::env::var_os(name).filter(|_| is_servers(name)))
    }

    /// Takes what `lookup` gives for each of [`Environment::NAMES`].
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<OsString>) -> Self {
        let values = Self::NAMES.iter().filter_map(|n| Some((*n, lookup(n)?))).collect();
        let count = lookup("GIT_PUSH_OPTION_COUNT").and_then(|n| n.to_str()?.parse().ok());
        let numbers = 0..count.unwrap_or(0).min(MOST_OPTIONS);
        let push_options =
            numbers.filter_map(|n: usize| lookup(&format!("GIT_PUSH_OPTION_{n}"))).collect();
        Self { values, push_options }
    }

    /// Tells whether the push that git runs a hook for was given an option.
    pub fn has_push_option(&self, option: &str) -> bool {
        self.push_options.iter().any(|given| given == option)
    }

    /// The value of a variable; one that is set and empty counts as not set.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.values.get(name).map(OsString::as_os_str).filter(|v| !v.is_empty())
    }

    /// The value of a variable as text; bytes that are no UTF-8 are replaced.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(|v| v.to_string_lossy().into_owned())
    }

    /// The value of a variable that names a directory; a relative one counts as not set, as the
    /// XDG rules ask.
    pub fn directory(&self, name: &str) -> Option<PathBuf> {
        self.get(name).map(PathBuf::from).filter(|p| p.is_absolute())
    }

    /// The operator's home: `HOME`, else what the system says.
    pub fn home(&self) -> Option<PathBuf> {
        self.directory("HOME").or_else(|| Some(directories::BaseDirs::new()?.home_dir().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_non_empty_variables_are_kept() {
        let env = Environment::from_lookup(|name| match name {
            "HOME" => Some("relative".into()),
            "NO_COLOR" => Some("".into()),
            _ => Some("/x".into()),
        });
        assert_eq!(env.get("NO_COLOR"), None);
        assert_eq!(env.get("SECRET_TOKEN"), None);
        assert_eq!(env.directory("HOME"), None);
        assert_eq!(env.directory("XDG_DATA_HOME"), Some("/x".into()));
    }
}
