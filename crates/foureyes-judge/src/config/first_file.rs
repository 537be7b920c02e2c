//! The first configuration of a person: the boxes that were named, `[[box]]` first.

use super::{Config, SAMPLE, check};
use std::path::Path;

/// What a file of boxes alone ends with.
const REST: &str =
    "\n# Whatever is not set here has its default: `foureyes config show` lists all settings.\n";

/// The part of the sample that is about one box.
const SECTION: &str = "# A box over SSH.";

/// Keys of the sample that few need: they are not in a first file.
const RARE: [&str; 4] = ["# Files to use in place", "##ssh_config", "##identity", "##known_hosts"];

/// A box as a first file names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstBox {
    /// Its name, unique in the file.
    pub name: String,
    /// User there; `None` for that of SSH, and on this machine.
    pub user: Option<String>,
    /// A file or directory of this machine, where it is no box over SSH.
    pub path: Option<String>,
    /// Whether the console offers it first where a box is to block.
    pub may_block: bool,
}

impl FirstBox {
    /// A box over SSH, by `HOST` or `USER@HOST`.
    pub fn over_ssh(given: &str) -> Self {
        let (user, host) = match given.rsplit_once('@') {
            Some((user, host)) => (Some(user.to_owned()), host),
            None => (None, given),
        };
        Self { name: host.to_owned(), user, path: None, may_block: false }
    }

    /// Logs of this machine.
    pub fn local(name: &str, path: &str) -> Self {
        let (name, path) = (name.to_owned(), Some(path.to_owned()));
        Self { name, user: None, path, may_block: false }
    }

    /// What it has, a line each.
    fn lines(&self) -> Vec<String> {
        let set = |key: &str, value: &str| format!("{key} = {}", toml::Value::from(value));
        let mut lines = vec!["[[box]]".to_owned(), set("name", &self.name)];
        lines.extend(self.user.as_deref().map(|user| set("user", user)));
        if let Some(path) = &self.path {
            lines.push("local = true".to_owned());
            lines.push(format!("logs = [{}]", toml::Value::from(path.as_str())));
        }
        lines.extend(self.may_block.then(|| "may_block = true".to_owned()));
        lines
    }

    /// The same with what else may be set of a box, commented out.
    fn section(&self) -> Vec<String> {
        let sample =
            SAMPLE.split("\n\n").find(|part| part.starts_with(SECTION)).unwrap_or_default();
        let mut lines = vec!["[[box]]".to_owned()];
        let own = self.lines();
        for line in sample.lines() {
            let key = line.strip_prefix("##").and_then(|line| Some(line.split_once(" = ")?.0));
            let set = |key: &str| own.iter().find(|line| line.split(" = ").next() == Some(key));
            match key.and_then(set) {
                Some(line) => lines.push(line.clone()),
                None if line == "##[[box]]" || RARE.iter().any(|rare| line.starts_with(rare)) => {}
                None => lines.push(line.to_owned()),
            }
        }
        lines
    }
}

/// A file that has these boxes.
///
/// # Errors
/// What is wrong with it, where a name, a user or a path is none.
pub fn first_file(boxes: &[FirstBox], home: Option<&Path>) -> Result<(String, Config), String> {
    let text = text(boxes);
    let (config, _, problems) = check(text.as_bytes(), home);
    let mut faults: Vec<String> =
        problems.iter().map(|problem| problem.fault.to_string()).collect();
    faults.dedup();
    if faults.is_empty() { Ok((text, config)) } else { Err(faults.join("; ")) }
}

fn text(boxes: &[FirstBox]) -> String {
    let sections = boxes.iter().enumerate().map(|(at, one)| match at {
        0 if one.path.is_none() => one.section().join("\n"),
        _ => one.lines().join("\n"),
    });
    sections.collect::<Vec<_>>().join("\n\n") + "\n" + REST
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn file_begins_with_the_box_and_has_what_was_chosen() {
        let marked = FirstBox { may_block: true, ..FirstBox::over_ssh("small") };
        let boxes = [marked, FirstBox::over_ssh("anna@build-7"), FirstBox::local("here", "/logs")];
        let (text, config) = first_file(&boxes, None).unwrap();
        assert!(text.starts_with("[[box]]\n") && text.lines().count() <= 30, "{text}");
        let marked: Vec<_> = config.boxes.iter().map(|b| (b.name.as_str(), b.may_block)).collect();
        assert_eq!(marked, [("small", true), ("build-7", false), ("here", false)]);
        assert_eq!(config.boxes[2].logs, ["/logs"]);
        let (one, _) = first_file(&boxes[1..2], None).unwrap();
        assert!((12..=22).contains(&one.lines().count()), "{one}");
    }

    #[test]
    fn hostile_names_are_refused_and_never_break_out_of_their_key() {
        for given in ["-oProxyCommand=touch x", "a\"\n[judge]\nb", "", "small\u{1b}[2J", "a b"] {
            assert!(first_file(&[FirstBox::over_ssh(given)], None).is_err(), "{given:?}");
        }
        let twice = [FirstBox::over_ssh("a"), FirstBox::over_ssh("A")];
        assert!(first_file(&twice, None).is_err());
        let path = "/logs\"]\nlocal = false\u{7}";
        if let Ok((_, config)) = first_file(&[FirstBox::local("here", path)], None) {
            assert_eq!(config.boxes[0].logs, [path]);
        }
    }
}
