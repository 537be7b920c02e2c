//! The terminal: what it is, its colours, its size, its characters.

use super::check::Check;
use crate::config::Environment;
use std::io::IsTerminal;

/// What the process sees of its terminal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    is_terminal: bool,
    /// Columns and rows.
    size: Option<(u16, u16)>,
}

impl Seen {
    /// Looks at the standard output.
    pub(super) fn of_process() -> Self {
        let size = terminal_size::terminal_size().map(|(width, height)| (width.0, height.0));
        Self { is_terminal: std::io::stdout().is_terminal(), size }
    }
}

/// Checks what a person would see.
pub(super) fn checks(environment: &Environment, seen: &Seen) -> Vec<Check> {
    if !seen.is_terminal {
        return vec![Check::ok("terminal", "the output is not a terminal"), locale(environment)];
    }
    vec![kind(environment), colours(environment), size(*seen), locale(environment)]
}

fn kind(environment: &Environment) -> Check {
    match environment.text("TERM").as_deref() {
        None => Check::warn("terminal", "TERM is not set").advise("set TERM to your terminal type"),
        Some("dumb") => Check::warn("terminal", "TERM is dumb: no colours, no cursor")
            .advise("use another terminal, or `--plain`"),
        Some(term) => Check::ok("terminal", format!("TERM is {term}")),
    }
}

fn colours(environment: &Environment) -> Check {
    let term = environment.text("TERM").unwrap_or_default();
    let more = environment.text("COLORTERM").unwrap_or_default();
    let text = if environment.get("NO_COLOR").is_some() {
        "none, since NO_COLOR is set"
    } else if ["truecolor", "24bit"].contains(&more.as_str()) {
        "16 million"
    } else if term.contains("256color") {
        "256"
    } else {
        "16"
    };
    Check::ok("colours", text)
}

fn size(seen: Seen) -> Check {
    match seen.size {
        Some((width, height)) if width < 80 || height < 24 => {
            Check::warn("size", format!("{width}×{height}"))
                .advise("80×24 shows everything (docs/faq.md#too-small)")
        }
        Some((width, height)) => Check::ok("size", format!("{width}×{height}")),
        None => Check::warn("size", "the terminal does not report its size"),
    }
}

/// The first of the three that is set decides, as for every program.
fn locale(environment: &Environment) -> Check {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| Some((name, environment.text(name)?)));
    let Some((name, value)) = set else {
        return Check::warn("locale", "none of LC_ALL, LC_CTYPE, LANG is set")
            .advise("set LANG to a UTF-8 locale, such as C.UTF-8");
    };
    let utf8 = value.to_lowercase().replace('-', "").contains("utf8");
    if utf8 {
        return Check::ok("locale", format!("{name} is {value}"));
    }
    Check::warn("locale", format!("{name} is {value}, which is not UTF-8"))
        .advise("set it to a UTF-8 locale, such as C.UTF-8")
}

#[cfg(test)]
mod tests {
    use super::super::check::State;
    use super::*;

    fn env(vars: &'static [(&str, &str)]) -> Environment {
        Environment::from_lookup(|name| vars.iter().find(|v| v.0 == name).map(|v| v.1.into()))
    }

    #[test]
    fn terminal_capabilities_are_reported() {
        let good = env(&[("TERM", "xterm-256color"), ("LANG", "de_DE.utf8")]);
        let seen = Seen { is_terminal: true, size: Some((120, 40)) };
        let found = checks(&good, &seen);
        assert!(found.iter().all(|c| c.state == State::Ok), "{found:?}");
        assert_eq!(found[1].text, "256");
        let poor = env(&[("TERM", "dumb"), ("LC_ALL", "C"), ("LANG", "C.UTF-8")]);
        let small = Seen { is_terminal: true, size: Some((79, 40)) };
        let found = checks(&poor, &small);
        let warned = |name| found.iter().any(|c| c.name == name && c.state == State::Warn);
        assert!(warned("terminal") && warned("size") && warned("locale"), "{found:?}");
    }

    #[test]
    fn colours_follow_the_variables() {
        let text = |vars| colours(&env(vars)).text;
        assert_eq!(
            text(&[("NO_COLOR", "1"), ("COLORTERM", "truecolor")]),
            "none, since NO_COLOR is set"
        );
        assert_eq!(text(&[("COLORTERM", "truecolor")]), "16 million");
        assert_eq!(text(&[("TERM", "xterm")]), "16");
    }
}
