//! The script that stands where git looks for its hook.

use super::Kind;
use crate::config::HookMode;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The script, with a place for each value.
const TEMPLATE: &str = include_str!("../../../../../assets/pre-push.sh");
/// How the line begins by which a script of ours is known.
const SIGN: &[u8] = b"# foureyes pre-push ";

/// What a script of ours was made with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrapper {
    /// Which hook it is.
    pub kind: Kind,
    /// The program that it runs.
    pub binary: PathBuf,
    /// Name of the hook beside it that is run before; `None` for none.
    pub kept: Option<String>,
    /// The mode, where it is not the configuration's.
    pub mode: Option<HookMode>,
    /// Seconds after which the program is ended.
    pub within: u64,
}

impl Wrapper {
    /// The text of the script.
    pub fn render(&self) -> Vec<u8> {
        let within = self.within.to_string();
        let values: [(&str, &[u8]); 5] = [
            ("{{hook}}", self.kind.name().as_bytes()),
            ("{{binary}}", self.binary.as_os_str().as_bytes()),
            ("{{kept}}", self.kept.as_deref().unwrap_or_default().as_bytes()),
            ("{{mode}}", self.mode.map_or("", HookMode::as_str).as_bytes()),
            ("{{within}}", within.as_bytes()),
        ];
        let mut out = Vec::new();
        for line in TEMPLATE.split_inclusive('\n') {
            let place =
                values.iter().find_map(|(name, value)| Some((line.split_once(name)?, value)));
            match place {
                Some(((before, after), value)) => {
                    out.extend(before.bytes());
                    out.extend(quoted(value));
                    out.extend(after.bytes());
                }
                None => out.extend(line.bytes()),
            }
        }
        out
    }

    /// Reads a script of ours, of this version or another; `None` where it is none, or one of its
    /// values cannot be read.
    pub fn parse(script: &[u8]) -> Option<Self> {
        let values = Values::parse(script)?;
        let (binary, within) = (values.binary?, values.within?);
        let kind = values.kind.unwrap_or_default();
        Some(Self { kind, binary, kept: values.kept?, mode: values.mode?, within })
    }

    /// Tells whether a script is one of ours, even where its values cannot be read.
    pub fn is_ours(script: &[u8]) -> bool {
        script.split(|b| *b == b'\n').take(5).any(|line| line.starts_with(SIGN))
    }
}

/// A text that a shell takes to the letter.
fn quoted(text: &[u8]) -> Vec<u8> {
    let mut out = vec![b'\''];
    for byte in text {
        match byte {
            b'\'' => out.extend(b"'\\''"),
            other => out.push(*other),
        }
    }
    out.push(b'\'');
    out
}

/// What can be read of a script of ours, each value by itself: a hand may have changed it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Values {
    /// An older script names none.
    pub(super) kind: Option<Kind>,
    pub(super) binary: Option<PathBuf>,
    /// The name of the hook beside it; `Some(None)` where it says that there is none.
    pub(super) kept: Option<Option<String>>,
    /// The mode; `Some(None)` where it says that it sets none.
    pub(super) mode: Option<Option<HookMode>>,
    pub(super) within: Option<u64>,
}

impl Values {
    /// `None` where it is no script of ours.
    pub(super) fn parse(script: &[u8]) -> Option<Self> {
        if !Wrapper::is_ours(script) {
            return None;
        }
        let value = |name: &[u8]| value(script, name);
        let text = |name| String::from_utf8(value(name)?).ok();
        let or_none = |text: String| Some(text).filter(|text| !text.is_empty());
        let mode = |text: Option<String>| match text {
            None => Some(None),
            Some(word) => HookMode::from_word(&word).map(Some),
        };
        let kinds = [Kind::PrePush, Kind::PreReceive];
        let kind = text(b"hook".as_slice()).and_then(|t| kinds.into_iter().find(|k| k.name() == t));
        Some(Self {
            kind,
            binary: value(b"binary").map(|binary| PathBuf::from(OsStr::from_bytes(&binary))),
            kept: text(b"kept").map(or_none),
            mode: text(b"mode").map(or_none).and_then(mode),
            within: text(b"within").and_then(|text| text.parse().ok()),
        })
    }
}

/// Names of what a script of ours is made with.
const NAMES: [&[u8]; 5] = [b"hook", b"binary", b"kept", b"mode", b"within"];

/// What a script sets a name to. `None` where it cannot be told: a shell takes the last word on it,
/// so where a hand has added one, anywhere and in any way, no line of it counts.
fn value(script: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let ours = |line: &[u8]| TEMPLATE.lines().any(|own| own.as_bytes() == line);
    let lines = script.split(|b| *b == b'\n').filter(|line| !ours(line) && sets(line, name));
    let [line] = lines.collect::<Vec<_>>()[..] else { return None };
    word(assigned(line, name)?)
}

/// What follows where a line begins by setting a name.
fn assigned<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    line.trim_ascii_start().strip_prefix(name)?.strip_prefix(b"=")
}

/// Tells whether a line may set a name, at its beginning or behind something else.
fn sets(line: &[u8], name: &[u8]) -> bool {
    let other = |other: &&[u8]| *other != name;
    let is_of = |other: &[u8]| assigned(line, other).is_some_and(|text| word(text).is_some());
    if line.trim_ascii_start().starts_with(b"#") || NAMES.into_iter().filter(other).any(is_of) {
        return false;
    }
    let named = |at: usize| {
        let apart = at == 0 || !(line[at - 1].is_ascii_alphanumeric() || line[at - 1] == b'_');
        apart && line[at..].strip_prefix(name).is_some_and(|rest| rest.starts_with(b"="))
    };
    (0..line.len()).any(named)
}

/// What a shell takes for the one word at the beginning of a text, where it is that without looking
/// anything up; behind it stands a remark at most.
fn word(text: &[u8]) -> Option<Vec<u8>> {
    let (mut out, mut rest) = (Vec::new(), text);
    while let Some((first, after)) = rest.split_first() {
        rest = match first {
            b'\'' => {
                let end = after.iter().position(|b| *b == b'\'')?;
                out.extend(&after[..end]);
                &after[end + 1..]
            }
            b'"' => {
                let end = after.iter().position(|b| *b == b'"')?;
                let inner = &after[..end];
                if inner.iter().any(|b| b"$`\\".contains(b)) {
                    return None;
                }
                out.extend(inner);
                &after[end + 1..]
            }
            b'\\' => {
                let (next, after) = after.split_first()?;
                out.push(*next);
                after
            }
            b' ' | b'\t' | b'\r' => {
                let after = after.trim_ascii_start();
                return (after.is_empty() || after.starts_with(b"#")).then_some(out);
            }
            plain if plain.is_ascii_alphanumeric() || b"_@%+:,./-=".contains(plain) => {
                out.push(*plain);
                after
            }
            _ => return None,
        };
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapper_settings_round_trip() {
        let odd = OsStr::from_bytes(b"/a b/it's $(x) `y` \"z\" \xff\\");
        for mode in [None, Some(HookMode::Advisory), Some(HookMode::Blocking)] {
            let wrapper = Wrapper {
                kind: if mode.is_some() { Kind::PreReceive } else { Kind::PrePush },
                binary: odd.into(),
                kept: mode.map(|_| "pre-push.kept".to_owned()),
                mode,
                within: 130,
            };
            let script = wrapper.render();
            assert_eq!(Wrapper::parse(&script), Some(wrapper));
            assert!(!script.windows(2).any(|two| two == b"{{"), "every place is filled");
        }
        assert_eq!(Wrapper::parse(b"#!/bin/sh\nexit 0\n"), None);
        assert!(!Wrapper::is_ours(b"#!/bin/sh\necho '# foureyes pre-push 1'\n"));
    }

    #[test]
    fn each_value_is_read_by_itself_as_a_shell_reads_it() {
        let lines = [
            ("binary=/opt/a\\ b", "kept=\"its own\"", "mode=blocking # by hand", "within=300"),
            ("binary='/opt/a b'", "kept='its '\"own\"", "mode='blocking'", "within=\"300\" "),
        ];
        for (binary, kept, mode, within) in lines {
            let script =
                format!("#!/bin/sh\n# foureyes pre-push 1\n{within}\n{mode}\n{kept}\n{binary}\n");
            let wrapper = Wrapper::parse(script.as_bytes()).unwrap();
            assert_eq!((wrapper.binary, wrapper.within), (PathBuf::from("/opt/a b"), 300));
            assert_eq!(wrapper.kept.as_deref(), Some("its own"));
            assert_eq!(wrapper.mode, Some(HookMode::Blocking));
        }
        let odd =
            "#!/bin/sh\n# foureyes pre-push 1\nbinary=$HOME/x\nkept='a'\nmode=strict\nwithin=1 2\n";
        let values = Values { kept: Some(Some("a".to_owned())), ..Values::default() };
        assert_eq!(
            (Values::parse(odd.as_bytes()), Wrapper::parse(odd.as_bytes())),
            (Some(values), None)
        );
    }

    #[test]
    fn where_a_hand_has_added_another_word_the_value_is_not_read() {
        let wrapper = Wrapper {
            kind: Kind::PrePush,
            binary: "/opt/mode=x/kept=y".into(),
            kept: None,
            mode: Some(HookMode::Blocking),
            within: 130,
        };
        let script = String::from_utf8(wrapper.render()).unwrap();
        let mode = |script: &str| Values::parse(script.as_bytes()).unwrap().mode;
        let blocking = Some(Some(HookMode::Blocking));
        assert_eq!(mode(&script), blocking);
        assert_eq!(mode(&script.replace("mode='", "# was mode=advisory\n  mode='")), blocking);
        for more in ["mode='advisory'", "  mode=advisory", "export mode=", ":; mode=advisory"] {
            for before in ["\n# What is started", "\nset -- hook"] {
                let script = script.replacen(before, &format!("\n{more}{before}"), 1);
                assert_eq!((mode(&script), Wrapper::parse(script.as_bytes())), (None, None));
                let values = Values::parse(script.as_bytes()).unwrap();
                assert_eq!((values.kept, values.within), (Some(None), Some(130)), "{more}");
            }
        }
        assert_eq!(mode(&script.replace("\nmode=", "\nexport mode=")), None);
    }

    #[test]
    fn a_shell_takes_a_quoted_text_to_the_letter() {
        let text = b"it's $(echo x) `y` \"z\" \\ *".to_vec();
        let script = [b"printf %s ".to_vec(), quoted(&text)].concat();
        let mut shell = std::process::Command::new("/bin/sh");
        shell.arg("-c").arg(OsStr::from_bytes(&script));
        assert_eq!(shell.output().unwrap().stdout, text);
    }
}
