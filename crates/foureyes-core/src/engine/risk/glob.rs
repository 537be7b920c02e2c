//! Patterns of paths.
//!
//! `*` stands for any text within a part of a path, `?` for one character, and `**` for any number of
//! parts. A pattern that ends in `/` is everything below; one without `/` is a name at any depth. Case,
//! characters that nobody sees and letters that look alike make no difference: a rule is not to be evaded
//! by how a path is written.

use crate::engine::prompt::folded;

/// Whether a path fits a pattern, as it is written or as it looks.
pub fn fits(pattern: &str, path: &str) -> bool {
    let pattern = Pattern::new(pattern);
    pattern.fits(&path.to_lowercase()) || pattern.fits(&as_it_looks(path))
}

/// What is wrong with a pattern, as one clause.
pub fn problem(pattern: &str) -> Option<&'static str> {
    let parts = || pattern.split('/');
    if pattern.is_empty() || pattern.len() > 1024 {
        return Some("a pattern has 1 to 1024 bytes");
    }
    if pattern.starts_with('/') || parts().any(|part| part == "." || part == "..") {
        return Some(
            "a pattern begins at the top of the repository: no leading `/`, no `.` or `..`",
        );
    }
    if pattern.contains(['\\', '[', '{', '!']) {
        return Some("a pattern has `*`, `?` and `**` only: no `\\`, `[`, `{` or `!`");
    }
    if parts().any(|part| part.contains("**") && part != "**") {
        return Some("`**` is a part of its own: `a/**/b`");
    }
    let end = pattern.trim_end_matches('/');
    (end.is_empty() || end.ends_with("//") || pattern.contains("//"))
        .then_some("a pattern has no empty part")
}

/// A path as a reader takes it: blanks and dots at the end of a part are not seen.
fn as_it_looks(path: &str) -> String {
    let folded = folded(path).to_lowercase();
    let parts = folded.split('/').map(|part| part.trim_end_matches([' ', '.']));
    parts.collect::<Vec<_>>().join("/")
}

struct Pattern {
    parts: Vec<Vec<char>>,
}

impl Pattern {
    fn new(pattern: &str) -> Self {
        let lower = pattern.to_lowercase();
        let below = lower.ends_with('/');
        let body = lower.trim_end_matches('/');
        let any = || vec!['*', '*'];
        let mut parts: Vec<Vec<char>> = Vec::new();
        if !body.contains('/') && !below {
            parts.push(any());
        }
        parts.extend(body.split('/').map(|part| part.chars().collect()));
        if below {
            parts.push(any());
        }
        Self { parts }
    }

    /// Rows of a table, a part of the pattern each: which beginnings of the path it may have used.
    fn fits(&self, path: &str) -> bool {
        let path: Vec<Vec<char>> = path.split('/').map(|part| part.chars().collect()).collect();
        let mut open = vec![false; path.len() + 1];
        open[0] = true;
        for (at, part) in self.parts.iter().enumerate() {
            let mut next = vec![false; path.len() + 1];
            let is_any = part == &['*', '*'];
            let is_last = at + 1 == self.parts.len();
            for used in 0..=path.len() {
                if !open[used] {
                    continue;
                }
                match is_any {
                    // At the end it stands for at least one part: a directory is not below itself.
                    true => (used + usize::from(is_last)..=path.len()).for_each(|n| next[n] = true),
                    false if used < path.len() => next[used + 1] |= part_fits(part, &path[used]),
                    false => {}
                }
            }
            open = next;
        }
        open.last().copied().unwrap_or_default()
    }
}

/// Whether a part fits one with `*` and `?`; in time that grows with the product of both.
fn part_fits(pattern: &[char], part: &[char]) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while read < part.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(c) if *c == '?' || *c == part[read] => {
                at += 1;
                read += 1;
            }
            _ => {
                let Some((place, from)) = star else { return false };
                star = Some((place, from + 1));
                (at, read) = (place + 1, from + 1);
            }
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}
