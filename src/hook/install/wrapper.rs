//! The script that stands where git looks for its hook.

use crate::config::HookMode;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The script, with a place for each value.
const TEMPLATE: &str = include_str!("../../../assets/pre-push.sh");
/// How the line begins by which a script of ours is known.
const SIGN: &[u8] = b"# foureyes pre-push ";

/// What a script of ours was made with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrapper {
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
        let values: [(&str, &[u8]); 4] = [
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

    /// Reads a script of ours, of this version or another; `None` where it is none.
    pub fn parse(script: &[u8]) -> Option<Self> {
        let mut lines = script.split(|b| *b == b'\n');
        lines.clone().take(5).find(|line| line.starts_with(SIGN))?;
        let mut value = |name: &[u8]| {
            let set = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(b"="))?;
            unquoted(set)
        };
        let (binary, kept) = (value(b"binary")?, value(b"kept")?);
        let (mode, within) = (value(b"mode")?, value(b"within")?);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).ok();
        Some(Self {
            binary: PathBuf::from(OsStr::from_bytes(&binary)),
            kept: text(kept).filter(|kept| !kept.is_empty()),
            mode: text(mode).and_then(|word| HookMode::from_word(&word)),
            within: text(within)?.parse().ok()?,
        })
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

fn unquoted(text: &[u8]) -> Option<Vec<u8>> {
    let inner = text.strip_prefix(b"'")?.strip_suffix(b"'")?;
    let mut out = Vec::new();
    let mut rest = inner;
    while let Some((first, after)) = rest.split_first() {
        rest = match first {
            b'\'' => {
                out.push(b'\'');
                after.strip_prefix(b"\\''")?
            }
            other => {
                out.push(*other);
                after
            }
        };
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_script_is_made_with_is_read_back_from_it() {
        let odd = OsStr::from_bytes(b"/a b/it's $(x) `y` \"z\" \xff\\");
        for mode in [None, Some(HookMode::Advisory), Some(HookMode::Blocking)] {
            let wrapper = Wrapper {
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
    fn a_shell_takes_a_quoted_text_to_the_letter() {
        let text = b"it's $(echo x) `y` \"z\" \\ *".to_vec();
        let script = [b"printf %s ".to_vec(), quoted(&text)].concat();
        let mut shell = std::process::Command::new("/bin/sh");
        shell.arg("-c").arg(OsStr::from_bytes(&script));
        assert_eq!(shell.output().unwrap().stdout, text);
    }
}
