//! Sittings in the line console of reviewers who know the truth.

use super::site::Site;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// A line that is no command: its answer comes once all before it is done and written.
const MARK: &str = "no-command";

/// What came of a sitting.
pub(super) struct Sat {
    /// Labels that were given.
    pub(super) labels: usize,
    /// What was written after the last of them.
    pub(super) end: String,
}

impl Site {
    /// A reviewer labels what the queue shows, at most so many, each as its content says.
    pub(super) fn sit(&self, who: &str, most: usize) -> Sat {
        self.label(who, most, &[], &[])
    }

    /// A reviewer goes through what was flagged lately, knows each verdict, and opens each content.
    pub(super) fn triage(&self, who: &str) -> Sat {
        self.label(who, usize::MAX, &["c"], &["content"])
    }

    /// What a run says to lines that are typed.
    pub(super) fn typed(&self, mut command: Command, lines: &str) -> String {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::inherit()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        let out = child.wait_with_output().unwrap();
        assert!(out.status.success());
        String::from_utf8(out.stdout).unwrap()
    }

    /// The same with commands that come first, and others before each label.
    fn label(&self, who: &str, most: usize, first: &[&str], before: &[&str]) -> Sat {
        let config = format!("{who}.toml");
        let mut command = self.home.command(&["--plain", "--config", &config]);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut say = |first: &[&str]| {
            let all = [first, before, &[MARK]].concat();
            writeln!(input, "{}", all.join("\n")).unwrap();
        };
        say(first);
        let mut labels = 0;
        let end = loop {
            let (text, word) = read_item(&mut lines);
            let Some(word) = word.filter(|_| labels < most) else { break text };
            labels += 1;
            say(&[word]);
        };
        drop(input);
        lines.for_each(drop);
        assert!(child.wait().unwrap().success());
        Sat { labels, end: end.split_whitespace().collect::<Vec<_>>().join(" ") }
    }
}

/// What is written up to the mark, and the word that the content in it deserves.
fn read_item(
    lines: &mut impl Iterator<Item = io::Result<String>>,
) -> (String, Option<&'static str>) {
    let (mut text, mut word) = (String::new(), None);
    for line in lines {
        let line = line.unwrap();
        if line.contains("there is no command `no-command`") {
            return (text, word);
        }
        match line.trim_end() {
            line if line.ends_with(" It is poor.") => word = Some("poor"),
            line if line.ends_with(" It is acceptable.") => word = Some("acceptable"),
            _ => {}
        }
        text += &line;
        text.push('\n');
    }
    panic!("it ended by itself:\n{text}");
}
