//! The script that stands where git looks for its hook.

use super::Kind;
use crate::config::{HookMode, OnCut};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The script, with a place for each value; some lines are for one of the hooks alone.
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
    /// What holds where a push arrives, whatever the environment says.
    pub fixed: Fixed,
}

/// What a script fixes of `pre-receive`: whoever pushes may have a say in the environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fixed {
    /// The configuration; `None` for the account's own.
    pub config: Option<PathBuf>,
    /// The directory of data; `None` for the account's own.
    pub data: Option<PathBuf>,
    /// Whether a push is refused of which something could not be judged.
    pub unjudged_stops: bool,
}

/// The lines of the script of a hook.
fn lines(kind: Kind) -> impl Iterator<Item = &'static str> {
    let (own, other) = match kind {
        Kind::PrePush => ("#send#", "#receive#"),
        Kind::PreReceive => ("#receive#", "#send#"),
    };
    TEMPLATE.split_inclusive('\n').filter_map(move |line| match line.strip_prefix(own) {
        Some(rest) => Some(rest.strip_prefix(' ').unwrap_or(rest)),
        None => (!line.starts_with(other)).then_some(line),
    })
}

impl Wrapper {
    /// The text of the script.
    pub fn render(&self) -> Vec<u8> {
        self.rendered(self.kind)
    }

    /// Whether it does with what could not be judged as configured.
    pub fn agrees(&self, unjudged: OnCut) -> bool {
        self.kind == Kind::PrePush || self.fixed.unjudged_stops == (unjudged == OnCut::Stop)
    }

    /// The script as it was before `pre-receive` had lines of its own.
    pub(super) fn earlier(&self) -> Vec<u8> {
        self.rendered(Kind::PrePush)
    }

    fn rendered(&self, lines_of: Kind) -> Vec<u8> {
        let within = self.within.to_string();
        let path = |path: &Option<PathBuf>| {
            path.as_ref().map(|path| path.as_os_str().as_bytes().to_vec()).unwrap_or_default()
        };
        let (config, data) = (path(&self.fixed.config), path(&self.fixed.data));
        let values: [(&str, &[u8]); 8] = [
            ("{{config}}", &config),
            ("{{data}}", &data),
            ("{{unjudged}}", if self.fixed.unjudged_stops { b"stop" } else { b"" }),
            ("{{hook}}", self.kind.name().as_bytes()),
            ("{{binary}}", self.binary.as_os_str().as_bytes()),
            ("{{kept}}", self.kept.as_deref().unwrap_or_default().as_bytes()),
            ("{{mode}}", self.mode.map_or("", HookMode::as_str).as_bytes()),
            ("{{within}}", within.as_bytes()),
        ];
        let mut out = Vec::new();
        for line in lines(lines_of) {
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
        let (kind, fixed) = (values.kind.unwrap_or_default(), values.fixed);
        Some(Self { kind, binary, kept: values.kept?, mode: values.mode?, within, fixed })
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
    /// An older script fixes nothing.
    pub(super) fixed: Fixed,
}

impl Values {
    /// `None` where it is no script of ours.
    pub(super) fn parse(script: &[u8]) -> Option<Self> {
        if !Wrapper::is_ours(script) {
            return None;
        }
        let value = |name: &[u8]| value(script, name);
        let text = |name| String::from_utf8(value(name)?).ok();
        let bytes = |name| value(name).filter(|bytes: &Vec<u8>| !bytes.is_empty());
        let path = |name| bytes(name).map(|bytes| PathBuf::from(OsStr::from_bytes(&bytes)));
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
            fixed: Fixed {
                config: path(b"config"),
                data: path(b"data"),
                unjudged_stops: text(b"unjudged").is_some_and(|text| text == "stop"),
            },
        })
    }
}

/// Names of what a script of ours is made with.
const NAMES: [&[u8]; 8] =
    [b"hook", b"binary", b"kept", b"mode", b"within", b"config", b"data", b"unjudged"];

/// What a script sets a name to. `None` where it cannot be told: a shell takes the last word on it,
/// so where a hand has added one, anywhere and in any way, no line of it counts.
fn value(script: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let kinds = [Kind::PrePush, Kind::PreReceive];
    let ours = |line: &[u8]| {
        kinds
            .iter()
            .any(|kind| lines(*kind).any(|own| own.trim_end_matches('\n').as_bytes() == line))
    };
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
                fixed: match mode {
                    None => Fixed::default(),
                    Some(mode) => Fixed {
                        config: Some(odd.into()),
                        data: (mode == HookMode::Blocking).then(|| odd.into()),
                        unjudged_stops: mode == HookMode::Blocking,
                    },
                },
            };
            let script = wrapper.render();
            assert_eq!(Wrapper::parse(&script), Some(wrapper));
            assert!(!script.windows(2).any(|two| two == b"{{"), "every place is filled");
            assert!(!script.windows(2).any(|two| two == b"d#"), "no mark of a line is left");
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
            fixed: Fixed::default(),
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
