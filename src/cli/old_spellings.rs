//! Commands as they were spelled before: each is translated, with a warning, before all is parsed.
//!
//! What scripts of git and programs of other machines call on a box (`hook pre-push`, `hook check`, …)
//! is not among them: it is spelled as it always was.

use std::ffi::{OsStr, OsString};

/// An old spelling, and the new one.
#[derive(Debug, Clone, Copy)]
pub struct OldSpelling {
    /// The words of the command, without `foureyes`.
    pub old: &'static str,
    /// The words that stand in their place.
    pub new: &'static str,
    /// The new command as it is shown, where that is not `new`.
    pub shown: Option<&'static str>,
    /// An option whose value has become an argument.
    pub argument: Option<&'static str>,
}

const fn spelling(old: &'static str, new: &'static str) -> OldSpelling {
    OldSpelling { old, new, shown: None, argument: None }
}

const fn shown_as(spelling: OldSpelling, shown: &'static str) -> OldSpelling {
    OldSpelling { shown: Some(shown), ..spelling }
}

const fn with_argument(spelling: OldSpelling, argument: &'static str) -> OldSpelling {
    OldSpelling { argument: Some(argument), ..spelling }
}

/// All of them. The first that fits is taken: a group stands behind its commands.
pub const OLD_SPELLINGS: &[OldSpelling] = &[
    spelling("rejects", "records --rejects"),
    spelling("override retry", "override --retry"),
    spelling("override status", "override"),
    spelling("config schema", "config show --schema"),
    spelling("runs", "calibration runs"),
    spelling("policy show", "gate show"),
    spelling("policy set", "gate set"),
    spelling("policy waive", "gate waive"),
    spelling("policy", "gate"),
    shown_as(spelling("window start", "gate window"), "gate window DATE"),
    spelling("window undo", "gate window --undo"),
    spelling("window", "gate"),
    shown_as(spelling("audit status", "gate audit --show"), "gate audit"),
    shown_as(spelling("audit set-rate", "gate audit --set"), "gate audit RATE"),
    spelling("audit", "gate"),
    spelling("labels push", "ledger push"),
    spelling("labels pull", "ledger pull"),
    spelling("labels", "ledger"),
    spelling("ledger renew", "ledger verify --renew"),
    with_argument(
        shown_as(spelling("hook enable-blocking", "box enable"), "box enable NAME"),
        "--box",
    ),
    with_argument(
        shown_as(spelling("hook rollback", "box rollback"), "box rollback NAME"),
        "--box",
    ),
    spelling("completions", "config completions"),
    spelling("man", "config man"),
];

/// Options before the words of a command that take a value.
const VALUED: [&str; 5] = ["--config", "--data-dir", "--from", "--days", "--theme"];

/// The arguments in the new spelling, and what to say where that is another one.
pub(super) fn translated(arguments: Vec<OsString>) -> (Vec<OsString>, Option<String>) {
    let mut words = words(&arguments).peekable();
    // Of `help labels push` too; it takes names of commands only.
    let help = words.next_if(|(_, word)| *word == "help").is_some();
    let (places, given): (Vec<usize>, Vec<&OsStr>) = words.take(2).unzip();
    let Some(found) = OLD_SPELLINGS.iter().find(|one| one.fits(&given)) else {
        return (arguments, None);
    };
    let new = found.new.split(' ').filter(|word| !help || !word.starts_with("--"));
    let spelled = found.spelled(arguments, &places, new.map(OsString::from));
    let warning = format!("warning: `foureyes {}` is now `foureyes {}`", found.old, found.shown());
    (spelled, Some(warning))
}

/// The words that are no options, up to `--`, and where they stand.
fn words(arguments: &[OsString]) -> impl Iterator<Item = (usize, &OsStr)> {
    let mut value = false;
    let all = arguments.iter().map(OsString::as_os_str).enumerate().skip(1);
    all.take_while(|(_, word)| *word != "--").filter(move |(_, word)| {
        let is_value = std::mem::replace(&mut value, VALUED.iter().any(|option| word == option));
        !is_value && !word.as_encoded_bytes().starts_with(b"-")
    })
}

impl OldSpelling {
    /// The new spelling as a person types it.
    pub fn shown(&self) -> &'static str {
        self.shown.unwrap_or(self.new)
    }

    fn fits(&self, given: &[&OsStr]) -> bool {
        let mut given = given.iter();
        self.old.split(' ').all(|word| given.next().is_some_and(|given| *given == word))
    }

    /// Puts new words where the old ones stand; options between them stay there.
    fn spelled(
        &self,
        arguments: Vec<OsString>,
        places: &[usize],
        mut new: impl Iterator<Item = OsString>,
    ) -> Vec<OsString> {
        let old: Vec<usize> = places.iter().copied().take(self.old.split(' ').count()).collect();
        let mut spelled = Vec::with_capacity(arguments.len() + 2);
        for (at, word) in arguments.into_iter().enumerate() {
            if old.first() == Some(&at) {
                spelled.extend(new.next());
            }
            if old.last() == Some(&at) {
                spelled.extend(new.by_ref());
            }
            if !old.contains(&at) {
                spelled.extend(self.argument_of(word));
            }
        }
        spelled
    }

    /// An argument without the name of the option that is none any more.
    fn argument_of(&self, word: OsString) -> Option<OsString> {
        let Some(option) = self.argument else { return Some(word) };
        if word == option {
            return None;
        }
        let value = word.to_str().and_then(|text| text.strip_prefix(option)?.strip_prefix('='));
        Some(value.map(OsString::from).unwrap_or(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translate(text: &str) -> (String, Option<String>) {
        let words = format!("foureyes {text}").split(' ').map(OsString::from).collect();
        let (spelled, warning) = translated(words);
        let words: Vec<_> = spelled.iter().map(|word| word.to_string_lossy()).collect();
        (words[1..].join(" "), warning)
    }

    #[test]
    fn old_spellings_are_rewritten_at_any_option_position() {
        for one in OLD_SPELLINGS {
            let (first, rest) = one.new.split_once(' ').unwrap_or((one.new, ""));
            let warning =
                format!("warning: `foureyes {}` is now `foureyes {}`", one.old, one.shown());
            let (spelled, warned) = translate(&format!("{} --json x", one.old));
            assert_eq!(spelled, format!("{} --json x", one.new));
            assert_eq!(warned.as_ref(), Some(&warning), "{}", one.old);
            let (spelled, _) = translate(&format!("--data-dir policy {}", one.old));
            assert_eq!(spelled, format!("--data-dir policy {}", one.new));
            let old = one.old.replace(' ', " --demo ");
            let between = if old == one.old { " " } else { " --demo " };
            let (spelled, _) = translate(&old);
            assert_eq!(spelled, format!("{first}{between}{rest}").trim_end());
            let (spelled, warned) = translate(&format!("help {}", one.old));
            assert!(spelled.starts_with("help ") && !spelled.contains("--"), "{spelled}");
            assert!(warned.is_some());
        }
    }

    #[test]
    fn the_box_of_an_old_spelling_is_an_argument() {
        for old in ["--box small --json", "--json --box small", "--box=small --json"] {
            let (spelled, _) = translate(&format!("hook rollback {old}"));
            assert_eq!(
                spelled,
                format!("box rollback {}", old.replace("--box=", "").replace("--box ", ""))
            );
        }
        assert_eq!(translate("override 3a27 accept --box small").1, None);
    }

    #[test]
    fn current_spellings_are_unchanged() {
        for kept in [
            "hook pre-push -- origin rollback",
            "hook pre-receive --mode blocking",
            "hook check --json --repo=audit",
            "hook mode --json --order -",
            "hook rehearse --json",
            "hook question --json",
            "records rejects",
            "--config policy triage",
            "label audit poor",
            "-- runs",
            "help help",
            "",
        ] {
            assert_eq!(translate(kept), (kept.to_owned(), None));
        }
    }

    #[test]
    fn the_options_that_take_a_value_are_those_of_the_program() {
        let command = <crate::cli::Cli as clap::CommandFactory>::command();
        let valued = command.get_arguments().filter(|arg| arg.get_action().takes_values());
        for option in valued.filter_map(|arg| arg.get_long()) {
            assert!(VALUED.contains(&format!("--{option}").as_str()), "--{option}");
        }
    }
}
