//! Who labels, and on which machine.

use super::{Config, Environment};
use crate::domain::review::Reviewer;
use std::process::Command;

/// Whose ledger is written to. The name is the one that is asked for, else the configured one, else
/// the account's (`USER`, `LOGNAME`): nothing that may be another one tomorrow, since of one
/// reviewer the latest label counts and two that differ are a conflict. `None` where nobody says.
pub fn reviewer(
    config: &Config,
    environment: &Environment,
    asked: Option<&str>,
) -> Option<Reviewer> {
    let account = || environment.text("USER").or_else(|| environment.text("LOGNAME"));
    let name =
        asked.map(str::to_owned).or_else(|| config.reviewer.name.clone()).or_else(account)?;
    let machine = config.reviewer.machine.clone().unwrap_or_else(host_name);
    Some(Reviewer { name, machine })
}

/// The host name up to its first dot. It may change: another name only begins another file.
fn host_name() -> String {
    let output = Command::new("uname").arg("-n").output();
    let output = output.map(|out| String::from_utf8_lossy(&out.stdout).into_owned());
    let output = output.unwrap_or_default();
    let name = output.trim().split('.').next().unwrap_or_default();
    if name.is_empty() { "machine".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reviewer_precedence_is_argument_config_account() {
        let environment = Environment::from_lookup(|n| (n == "LOGNAME").then(|| "anna".into()));
        let mut config = Config::default();
        let name = |config: &Config, environment: &Environment, asked| {
            reviewer(config, environment, asked).map(|r| r.name)
        };
        assert_eq!(name(&config, &Environment::default(), None), None);
        assert_eq!(name(&config, &environment, None).as_deref(), Some("anna"));
        config.reviewer.name = Some("Anna B".to_owned());
        assert_eq!(name(&config, &environment, None).as_deref(), Some("Anna B"));
        assert_eq!(name(&config, &environment, Some("Cleo")).as_deref(), Some("Cleo"));
        config.reviewer.machine = Some("desk".to_owned());
        assert_eq!(reviewer(&config, &environment, None).unwrap().machine, "desk");
    }

    #[test]
    fn the_machine_has_a_name_without_being_asked() {
        assert!(!host_name().is_empty() && !host_name().contains('.'));
    }
}
