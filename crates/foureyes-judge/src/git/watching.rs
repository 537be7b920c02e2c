//! Which paths are watched, however they are spelt.

use crate::text::spelling::{path_part, trimmed};

/// Paths and files that are judged, ready to be compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Watching {
    prefixes: Vec<Prefix>,
    files: Vec<String>,
}

/// How a path and the watched ones lie to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// It has nothing to do with them.
    No,
    /// It is in a watched directory, or one of the files that are watched.
    Inside,
    /// It is a watched directory, or one above it.
    Above,
}

/// The beginning of watched paths.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Prefix {
    /// The directories, each as it is compared.
    above: Vec<String>,
    /// How what is in them begins; empty for all.
    last: String,
}

/// A path, each part as it is compared.
struct Parts(Vec<String>);

impl Parts {
    fn new(path: &[u8]) -> Self {
        let folded =
            path.split(|b| *b == b'/').map(|part| path_part(&String::from_utf8_lossy(part)));
        // What becomes a separator in compatibility form, or is one to Windows, is one.
        let split = |part: String| part.split(['/', '\\']).map(str::to_owned).collect::<Vec<_>>();
        Self(folded.flat_map(split).collect())
    }
}

impl Prefix {
    fn new(text: &str) -> Self {
        let mut above = Parts::new(text.as_bytes()).0;
        let last = above.pop().unwrap_or_default();
        Self { above: above.iter().map(|part| trimmed(part).to_owned()).collect(), last }
    }

    fn reach(&self, parts: &Parts) -> Reach {
        if !parts.0.iter().zip(&self.above).all(|(part, own)| is_same(part, own)) {
            return Reach::No;
        }
        match parts.0.get(self.above.len()) {
            None => Reach::Above,
            Some(part) if part.starts_with(&self.last) || trimmed(part).starts_with(&self.last) => {
                Reach::Inside
            }
            Some(_) => Reach::No,
        }
    }
}

/// A part of a path as it is compared with another one.
pub(super) fn folded(part: &[u8]) -> String {
    trimmed(&path_part(&String::from_utf8_lossy(part))).to_owned()
}

/// Tells whether a part of a path may be a directory that is called so.
fn is_same(part: &str, own: &str) -> bool {
    trimmed(part) == own || is_short_of(part, own)
}

/// Tells whether a part may be the short name (8.3) of a directory on Windows: the beginning of the long one, or two
/// characters of it and four digits of a hash; then `~` and a number.
fn is_short_of(part: &str, own: &str) -> bool {
    let Some((stem, number)) = part.split_once('~') else { return false };
    let number = number.split('.').next().unwrap_or_default();
    if number.is_empty()
        || !number.bytes().all(|b| b.is_ascii_digit())
        || !(1..=6).contains(&stem.len())
    {
        return false;
    }
    let long: String = own.chars().filter(|c| !matches!(c, '.' | ' ')).collect();
    let (first, hash) = (stem.get(..2).unwrap_or_default(), stem.get(2..).unwrap_or_default());
    let is_hashed =
        hash.len() == 4 && hash.bytes().all(|b| b.is_ascii_hexdigit()) && long.starts_with(first);
    long.starts_with(stem) || is_hashed
}

impl Watching {
    /// `watch` are beginnings of paths, `files` patterns of names: `*` and an ending, or a whole name.
    pub fn new(watch: &[String], files: &[String]) -> Self {
        let prefixes = watch.iter().map(|prefix| Prefix::new(prefix)).collect();
        Self { prefixes, files: files.iter().map(|pattern| path_part(pattern)).collect() }
    }

    pub(super) fn reach(&self, path: &[u8]) -> Reach {
        let parts = Parts::new(path);
        self.prefixes.iter().map(|prefix| prefix.reach(&parts)).max().unwrap_or(Reach::No)
    }

    /// Tells whether a link of this path takes the place of a watched path, or of what is above one.
    pub(super) fn is_replaced_by(&self, link: &[u8]) -> bool {
        let parts = Parts::new(link);
        self.prefixes.iter().any(|prefix| match prefix.reach(&parts) {
            Reach::Above => true,
            Reach::Inside => !prefix.last.is_empty() && parts.0.len() == prefix.above.len() + 1,
            Reach::No => false,
        })
    }

    /// Tells whether a path is in what is watched.
    pub fn is_inside(&self, path: &[u8]) -> bool {
        let parts = Parts::new(path);
        self.prefixes.iter().any(|prefix| prefix.reach(&parts) == Reach::Inside)
    }

    /// Tells whether all in a directory is watched.
    pub(super) fn holds(&self, dir: &[u8]) -> bool {
        let inside = if dir.is_empty() { Vec::new() } else { [dir, b"/"].concat() };
        self.is_inside(&inside)
    }

    /// Tells whether a file of this path is judged where it is watched, by its name.
    pub(super) fn has_name(&self, path: &[u8]) -> bool {
        let parts = Parts::new(path);
        let name = parts.0.last().map(String::as_str).unwrap_or_default();
        self.files.iter().any(|pattern| match pattern.strip_prefix('*') {
            Some(ending) => name.ends_with(ending) || trimmed(name).ends_with(ending),
            None => name == pattern || trimmed(name) == trimmed(pattern),
        })
    }

    /// Tells whether a file is one that is judged: a watched path, and one of the names.
    pub fn is_judged(&self, path: &[u8]) -> bool {
        self.has_name(path) && self.is_inside(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watching(watch: &[&str]) -> Watching {
        let texts = |all: &[&str]| all.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        Watching::new(&texts(watch), &texts(&["*.md", "R\u{e9}sum\u{e9}.txt", "Makefile"]))
    }

    #[test]
    fn spelling_hides_no_file() {
        let watching = watching(&["research/", "donn\u{e9}es/", "notes", "My Plans./deep/"]);
        for path in [
            "research/p.md",
            "Research/p.MD",
            "research/a/p.md ",
            "rese\u{200c}arch/p.md",
            "re\u{17f}earch/p.md",
            "research./p.md",
            "research .\u{3000}/p.md. ",
            "RESEAR~1/p.md",
            "re01af~2/p.md",
            "research/p.md\u{200b}",
            "research/p.\u{ff4d}d",
            "donne\u{301}es/b.md",
            "DONN\u{c9}ES/re\u{301}sume\u{301}.txt",
            "research\\p.md",
            "research\u{ff0f}p.md",
            "notes-of-today.md",
            "notes/deep/p.md",
            "my plans/Deep/p.md",
            "research/MAKEFILE",
        ] {
            assert!(watching.is_judged(path.as_bytes()), "{path:?}");
        }
        for path in [
            "p.md",
            "research/p.txt",
            "research.md",
            "research/md",
            "\u{440}esearch/p.md",
            "donnees/b.md",
            "research~1/p.md",
            "resear~x/p.md",
            "x/research/p.md",
            "my plans/p.md",
            "research/makefile.old",
        ] {
            assert!(!watching.is_judged(path.as_bytes()), "{path:?}");
        }
        assert!(
            !watching.is_judged(b"research/\xff.txt") && watching.is_judged(b"research/\xff.md")
        );
        assert!(self::watching(&[""]).is_judged(b"p.md"));
    }

    #[test]
    fn path_is_above_inside_or_neither() {
        let watching = watching(&["research/", "local/plans/", "no"]);
        for (path, reach, replaces) in [
            ("research", Reach::Above, true),
            ("RESEARCH.", Reach::Above, true),
            ("local", Reach::Above, true),
            ("local/plans", Reach::Above, true),
            ("local/plans/x", Reach::Inside, false),
            ("local/other", Reach::No, false),
            ("research/link.md", Reach::Inside, false),
            ("notes", Reach::Inside, true),
            ("notes/link", Reach::Inside, false),
            ("stuff", Reach::No, false),
        ] {
            assert_eq!(watching.reach(path.as_bytes()), reach, "{path}");
            assert_eq!(watching.is_replaced_by(path.as_bytes()), replaces, "{path}");
        }
        for (dir, all) in [
            ("research", true),
            ("Research/a", true),
            ("local", false),
            ("notes", true),
            ("", false),
            ("n", false),
        ] {
            assert_eq!(watching.holds(dir.as_bytes()), all, "{dir}");
        }
        assert!(self::watching(&[""]).holds(b""));
    }
}
