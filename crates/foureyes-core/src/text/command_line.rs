//! Commands that a text names, with the options of the run that prints them.

use super::is_hidden;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// What begins a command in a text.
const PROGRAM: &str = "foureyes ";

/// Commands that the demo has no data for: in its texts they are about the reader's own data.
const OUTSIDE_DEMO: [&str; 4] = ["config init", "ledger restore", "generate ", "serve "];

/// The options that a further command needs to be about the same data as this run: `--demo`, `--config`
/// and `--data-dir`, as this run was given them, quoted for a shell.
///
/// A text is written without them, as `` `foureyes readiness` ``, and completed where it is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// With a blank after each; kept for the life of the process, which has one of them.
    options: &'static str,
    is_demo: bool,
}

impl CommandLine {
    /// Of the options that a run was given. It is made once: its text is never freed.
    pub fn new(is_demo: bool, config: Option<&Path>, data_dir: Option<&Path>) -> Self {
        let mut options = String::new();
        if is_demo {
            options.push_str("--demo ");
        }
        for (name, path) in [("--config", config), ("--data-dir", data_dir)] {
            if let Some(path) = path {
                let path = path.as_os_str().as_bytes();
                // What begins like an option is none behind its own.
                let gap = if path.starts_with(b"-") { '=' } else { ' ' };
                let _ = write!(options, "{name}{gap}{} ", shell_quoted(path));
            }
        }
        Self { options: Box::leak(options.into_boxed_str()), is_demo }
    }

    /// A text with the options in each command between backticks, and in each line that is a command behind
    /// a margin.
    pub fn complete(self, text: &str) -> Cow<'_, str> {
        let starts = |before: &str| {
            let line = before.rsplit('\n').next().unwrap_or_default();
            before.ends_with('`') || (line.len() > 1 && line.trim_start_matches(' ').is_empty())
        };
        self.insert(text, self.options, &starts)
    }

    /// A line that is a command, with the options.
    pub fn command(self, line: &str) -> Cow<'_, str> {
        self.insert(line, self.options, &|before| before.trim().is_empty())
    }

    /// A page of HTML, whose commands stand between backticks, in `<code>` or as lines in `<pre>`.
    pub fn html(self, page: &str) -> Cow<'_, str> {
        let options = self.options.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let ends = ["`", "<code>", "<pre>", "\n"];
        self.insert(page, &options, &|before| ends.iter().any(|end| before.ends_with(end)))
    }

    fn insert<'t>(
        self,
        text: &'t str,
        options: &str,
        starts: &dyn Fn(&str) -> bool,
    ) -> Cow<'t, str> {
        if options.is_empty() {
            return text.into();
        }
        let mut done = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(PROGRAM) {
            let end = text.len() - after.len();
            let above = text.get(..end - PROGRAM.len()).unwrap_or_default();
            done.push_str(before);
            done.push_str(PROGRAM);
            if starts(above) && self.takes(after) {
                done.push_str(options);
            }
            rest = after;
        }
        done.push_str(rest);
        done.into()
    }

    /// Whether a command takes the options: not where it names its own, nor on a box, whose files are others.
    fn takes(self, command: &str) -> bool {
        let own = self.is_demo && OUTSIDE_DEMO.iter().any(|other| command.starts_with(other));
        !own && !command.starts_with("--demo") && !command.starts_with("hook ")
    }
}

/// A word as a POSIX shell reads it; where it has control or hidden characters, as bash, zsh and ksh do.
fn shell_quoted(word: &[u8]) -> String {
    let is_bare = |b: &u8| b.is_ascii_alphanumeric() || b"_./:@%+=,-".contains(b);
    match std::str::from_utf8(word) {
        Ok(text) if !text.is_empty() && word.iter().all(is_bare) => text.to_owned(),
        Ok(text) if !text.chars().any(is_hidden) => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        _ => {
            let byte = |b: &u8| match b {
                b'\'' | b'\\' => format!("\\{}", char::from(*b)),
                b' '..=b'~' => char::from(*b).to_string(),
                _ => format!("\\x{b:02x}"),
            };
            format!("$'{}'", word.iter().map(byte).collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    fn data(dir: &str) -> CommandLine {
        CommandLine::new(false, None, Some(Path::new(dir)))
    }

    #[test]
    fn each_command_of_a_text_has_the_options_of_the_run() {
        let all = CommandLine::new(true, Some(Path::new("c.toml")), Some(Path::new("my dir")));
        assert_eq!(
            all.complete("run `foureyes gate window DATE`, or `foureyes readiness`"),
            "run `foureyes --demo --config c.toml --data-dir 'my dir' gate window DATE`, or \
             `foureyes --demo --config c.toml --data-dir 'my dir' readiness`"
        );
        let demo = CommandLine::new(true, None, None);
        assert_eq!(demo.command("foureyes pull"), "foureyes --demo pull");
        assert_eq!(demo.complete("x\n   foureyes pull\n"), "x\n   foureyes --demo pull\n");
        // A title, a name in a sentence and the demo itself are no commands about these data.
        for text in ["foureyes triage\n", "the foureyes hook", "`foureyes --demo` opens it"] {
            assert_eq!(demo.complete(text), text);
        }
        for text in ["`foureyes config init`", "`foureyes hook install`"] {
            assert_eq!(demo.complete(text), text);
        }
        assert_eq!(
            data("d").complete("`foureyes config init`"),
            "`foureyes --data-dir d config init`"
        );
        let page = "<pre>foureyes pull\nfoureyes doctor</pre><code>foureyes triage</code>";
        assert_eq!(
            data("a<b").html(page),
            "<pre>foureyes --data-dir 'a&lt;b' pull\nfoureyes --data-dir 'a&lt;b' doctor</pre>\
             <code>foureyes --data-dir 'a&lt;b' triage</code>"
        );
        assert!(matches!(CommandLine::default().complete("`foureyes pull`"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_shell_reads_back_every_path() {
        for path in
            [&b"plain/d-1.x"[..], b"a b", b"it's", b"$(id)`x`;\\", b"tab\there", b"\xff'\\", b""]
        {
            let line = CommandLine::new(false, None, Some(Path::new(OsStr::from_bytes(path))));
            let shown = line.command("foureyes x").into_owned();
            assert!(!shown.chars().any(is_hidden), "{shown}");
            let script = format!("foureyes() {{ printf '[%s]' \"$@\"; }}; {shown}");
            let ran = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
            assert_eq!(ran.stdout, [b"[--data-dir][", path, b"][x]"].concat(), "{shown}");
        }
        let line = CommandLine::new(false, None, Some(Path::new("-x")));
        assert_eq!(line.command("foureyes x"), "foureyes --data-dir=-x x");
    }
}
