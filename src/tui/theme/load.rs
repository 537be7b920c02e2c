//! From a name to a theme: the operator's files first, then those of the program.

use super::embedded;
use super::file::{self, ThemeFile};
use super::{Theme, ThemeError};
use crate::config::problem::quoted;
use crate::config::{Fault, Position, Problem, read};
use crate::text::escape::is_hidden;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// Longest name of a theme, in characters.
const LONGEST: usize = 64;

/// What [`is_name`] asks for, as one clause.
pub(super) const NAME_RULE: &str =
    "a name has 1 to 64 visible characters, no slash, and no dot at the beginning";

/// Whether a text can name a theme: it becomes a file name, and is in lists.
pub(super) fn is_name(text: &str) -> bool {
    let fits = (1..=LONGEST).contains(&text.chars().count());
    let visible = |c: char| !c.is_control() && !is_hidden(c) && c != '/' && c != '\\';
    fits && !text.starts_with('.') && text.chars().all(visible)
}

impl Theme {
    /// Loads a theme by name: a file `NAME.toml` in `dir` first, then one of the program's own.
    ///
    /// A file may extend the program's theme of its own name.
    ///
    /// # Errors
    /// No such theme; a file that cannot be read; a file, or one that it extends, that says
    /// something wrong.
    pub fn load(name: &str, dir: Option<&Path>) -> Result<Self, ThemeError> {
        if !is_name(name) {
            return Err(ThemeError::Name { name: quoted(name) });
        }
        let Some(first) = Source::find(name, dir)? else {
            let near = nearest(name, &Self::names(dir)?);
            return Err(ThemeError::Unknown { name: quoted(name), near });
        };
        let files = chain(first, dir)?;
        let shown = files.first().and_then(|f| f.name.clone()).unwrap_or_else(|| name.to_owned());
        Ok(Self::new(shown, &files))
    }

    /// Names that can be loaded: the program's own, then the other files in `dir` by alphabet.
    ///
    /// A folder that is not there is an empty one. Files whose name cannot be a theme's are left
    /// out.
    ///
    /// # Errors
    /// The folder is there and cannot be listed.
    pub fn names(dir: Option<&Path>) -> Result<Vec<String>, ThemeError> {
        let mut names: Vec<String> = embedded::THEMES.map(|(name, _)| name.to_owned()).to_vec();
        let mut own = dir.map_or(Ok(Vec::new()), listed)?;
        own.retain(|name| !names.contains(name));
        own.sort();
        names.append(&mut own);
        Ok(names)
    }
}

fn listed(dir: &Path) -> Result<Vec<String>, ThemeError> {
    let failed = |source| ThemeError::Folder { folder: dir.to_owned(), source };
    let entries = match std::fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let stem = path.file_stem().and_then(OsStr::to_str).filter(|stem| is_name(stem));
        if let Some(stem) = stem.filter(|_| path.extension() == Some(OsStr::new("toml"))) {
            names.push(stem.to_owned());
        }
    }
    Ok(names)
}

/// Where a theme is written.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    Embedded(String, &'static str),
    File(String, PathBuf),
}

impl Source {
    fn find(name: &str, dir: Option<&Path>) -> Result<Option<Self>, ThemeError> {
        let Some(path) = dir.map(|dir| dir.join(format!("{name}.toml"))) else {
            return Ok(Self::embedded(name));
        };
        // A dangling link is a file that cannot be read, not the program's theme of that name.
        match std::fs::symlink_metadata(&path) {
            Ok(_) => Ok(Some(Self::File(name.to_owned(), path))),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Self::embedded(name)),
            Err(source) => {
                let folder = dir.unwrap_or(Path::new("")).to_owned();
                Err(ThemeError::Folder { folder, source })
            }
        }
    }

    fn embedded(name: &str) -> Option<Self> {
        embedded::text(name).map(|text| Self::Embedded(name.to_owned(), text))
    }

    /// The theme that a theme written here means by `name`.
    fn extended(&self, name: &str, dir: Option<&Path>) -> Result<Option<Self>, ThemeError> {
        match self {
            Self::File(own, _) if own != name => Self::find(name, dir),
            _ => Ok(Self::embedded(name)),
        }
    }

    fn path(&self) -> PathBuf {
        match self {
            Self::Embedded(name, _) => PathBuf::from(format!("themes/{name}.toml")),
            Self::File(_, path) => path.clone(),
        }
    }

    fn read(&self) -> Result<ThemeFile, ThemeError> {
        let parsed = match self {
            Self::Embedded(_, text) => file::parse(text.as_bytes()),
            Self::File(name, path) => {
                let failed = |source| ThemeError::Read { name: quoted(name), source };
                let (bytes, _) = read::bytes(path).map_err(failed)?;
                file::parse(&bytes)
            }
        };
        parsed.map_err(|problems| ThemeError::Invalid { path: self.path(), problems })
    }

    fn refuse(&self, name: &str, position: Position, reason: String) -> ThemeError {
        let fault = Fault::Refused { key: "extends".to_owned(), value: quoted(name), reason };
        ThemeError::Invalid { path: self.path(), problems: vec![Problem { position, fault }] }
    }
}

/// A theme and what it extends, itself first.
fn chain(first: Source, dir: Option<&Path>) -> Result<Vec<ThemeFile>, ThemeError> {
    let mut files = Vec::new();
    let mut seen = Vec::new();
    let mut next = Some(first);
    while let Some(source) = next.take() {
        let file = source.read()?;
        seen.push(source.clone());
        if let Some((name, position)) = &file.extends {
            let found = source.extended(name, dir)?;
            next = match found {
                None => {
                    let known = Theme::names(dir)?.join("`, `");
                    let reason = format!("themes are `{known}`");
                    return Err(source.refuse(name, *position, reason));
                }
                Some(other) if seen.contains(&other) => {
                    let reason = "the themes extend one another in a circle".to_owned();
                    return Err(source.refuse(name, *position, reason));
                }
                found => found,
            };
        }
        files.push(file);
    }
    Ok(files)
}

fn nearest(name: &str, known: &[String]) -> Option<String> {
    let likeness = known.iter().map(|k| (strsim::jaro_winkler(k, name), k));
    let near = likeness.filter(|(l, _)| *l > 0.7).max_by(|a, b| a.0.total_cmp(&b.0));
    near.map(|(_, k)| k.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_their_folder_and_can_be_shown() {
        for good in ["dark", "Sol 2", "é", "a.b"] {
            assert!(is_name(good), "{good}");
        }
        let long = "x".repeat(65);
        for bad in ["", ".", "..", ".hidden", "../x", "a/b", "a\\b", "a\n", "\u{202e}x", &long] {
            assert!(!is_name(bad), "{bad:?}");
        }
    }
}
