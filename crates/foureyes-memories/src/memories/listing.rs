//! `index.md`: tables and lists of memories in Markdown.
//!
//! A table has a head with `title`, `tags`, `category` and `path` in any order. A line of a list begins
//! with a link, `- [Title](path)`, behind which `[category]`, `#tag`, `category: x` and `tags: a, b` may
//! follow. Everything else is prose and is passed over.

use super::file;
use super::memory::{Listed, Problem, label, tags};
use std::collections::HashMap;
use std::path::{Component, Path};

/// The name of the listing.
pub(super) const NAME: &str = "index.md";
/// Most memories of a directory.
pub(super) const MOST_ENTRIES: usize = 100_000;

/// What a cell of a table is, by the name of its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Title,
    Tags,
    Category,
    Path,
    Other,
}

impl Column {
    fn of_name(name: &str) -> Self {
        match name.trim().trim_matches(['*', '_']).to_lowercase().as_str() {
            "title" | "name" | "memory" => Self::Title,
            "tags" | "tag" | "keywords" => Self::Tags,
            "category" | "type" | "kind" => Self::Category,
            "path" | "file" | "link" => Self::Path,
            _ => Self::Other,
        }
    }
}

/// Reads a listing: the memories in its order, and what is wrong with it.
pub(super) fn parse(text: &str) -> (Vec<Listed>, Vec<Problem>) {
    let mut reader = Reader::default();
    let mut fence = false;
    let mut columns: Option<Vec<Column>> = None;
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            fence = !fence;
        }
        if fence {
            continue;
        }
        if !line.starts_with('|') {
            columns = None;
            reader.item(line, number);
            continue;
        }
        let cells = cells(line);
        match &columns {
            None => columns = Some(cells.iter().map(|cell| Column::of_name(cell)).collect()),
            Some(_) if cells.iter().all(|cell| is_rule(cell)) => {}
            Some(columns) => reader.row(columns, &cells, number),
        }
    }
    (reader.listed, reader.problems)
}

#[derive(Default)]
struct Reader {
    listed: Vec<Listed>,
    problems: Vec<Problem>,
    /// Lines by path.
    seen: HashMap<String, usize>,
    /// There are more than are read, and a problem says so.
    is_full: bool,
}

impl Reader {
    fn row(&mut self, columns: &[Column], cells: &[String], line: usize) {
        // Another table, of something else.
        if !columns.iter().any(|c| matches!(c, Column::Path | Column::Title)) {
            return;
        }
        let mut listed = Listed { line, ..Listed::default() };
        let mut path = None;
        for (column, cell) in columns.iter().zip(cells) {
            match column {
                Column::Title => {
                    let (text, target) =
                        link(cell).map_or((cell.as_str(), None), |l| (l.text, Some(l.target)));
                    listed.title = label(text);
                    path = path.or(target);
                }
                Column::Path => {
                    path = Some(link(cell).map_or(cell.trim_matches('`'), |l| l.target))
                }
                Column::Tags => listed.tags = tags(cell.split(',')),
                Column::Category => listed.category = label(cell),
                Column::Other => {}
            }
        }
        self.push(listed, path.unwrap_or_default());
    }

    /// A line of a list, where it is one that begins with a link to a file.
    fn item(&mut self, line: &str, number: usize) {
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = ["- ", "* ", "+ "].iter().find_map(|sign| line.strip_prefix(sign));
        let rest = rest.or_else(|| digits.strip_prefix(". ").filter(|_| digits.len() < line.len()));
        let Some(rest) = rest.map(str::trim_start) else { return };
        let rest = ["[ ] ", "[x] "].iter().find_map(|sign| rest.strip_prefix(sign)).unwrap_or(rest);
        let Some(link) = link(rest).filter(|link| link.before.trim_matches(['*', ' ']).is_empty())
        else {
            return;
        };
        // A page of the web, or a place on this one.
        if link.target.contains("://") || link.target.starts_with(['#', '?']) {
            return;
        }
        let (category, found) = attributes(link.after);
        let listed = Listed {
            title: label(link.text),
            tags: found,
            category,
            line: number,
            ..Listed::default()
        };
        self.push(listed, link.target);
    }

    fn push(&mut self, listed: Listed, path: &str) {
        let line = listed.line;
        let mut report = |what: String| self.problems.push(Problem::at(NAME, line, what));
        let path = match relative(path) {
            Ok(path) => path,
            Err(what) => return report(what.to_owned()),
        };
        if let Some(first) = self.seen.get(&path) {
            return report(format!("this path is in line {first} too"));
        }
        if self.listed.len() >= MOST_ENTRIES {
            if !std::mem::replace(&mut self.is_full, true) {
                report(format!(
                    "there are more than {MOST_ENTRIES} memories; the rest is left out"
                ));
            }
            return;
        }
        self.seen.insert(path.clone(), line);
        self.listed.push(Listed { path, ..listed });
    }
}

/// A path inside the directory, as it is compared; else what is wrong with it.
fn relative(path: &str) -> Result<String, &'static str> {
    let path = decoded(path.trim().trim_start_matches('<').trim_end_matches('>'));
    if path.is_empty() {
        return Err("it has no path");
    }
    if path.len() > 1024
        || crate::text::escape::has_hidden(&path)
        || path.contains(['\n', '\r', '\t'])
    {
        return Err("a path has at most 1024 bytes and no control or hidden characters");
    }
    let mut parts = Vec::new();
    for part in Path::new(&path).components() {
        match part {
            Component::CurDir => {}
            Component::Normal(part) => parts.push(part.to_str().unwrap_or_default()),
            _ => return Err("a path is below the directory: no leading `/`, no `..`"),
        }
    }
    let path = parts.join("/");
    if !file::is_known(&path) {
        return Err("a memory is a file that ends in .md, .markdown or .json");
    }
    Ok(path)
}

/// A target of a link with `%20` and the like as characters; as it is where those are no text.
fn decoded(target: &str) -> String {
    let bytes = target.as_bytes();
    let (mut out, mut i) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(i) {
        let digits = bytes.get(i + 1..i + 3).and_then(|two| std::str::from_utf8(two).ok());
        let value = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        match value.filter(|_| *byte == b'%') {
            Some(value) => {
                out.push(value);
                i += 3;
            }
            None => {
                out.push(*byte);
                i += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| target.to_owned())
}

struct Link<'a> {
    before: &'a str,
    text: &'a str,
    target: &'a str,
    after: &'a str,
}

/// The first link of a text.
fn link(text: &str) -> Option<Link<'_>> {
    let middle = text.find("](")?;
    let open = opening(text.get(..middle)?)?;
    let target = text.get(middle + 2..)?;
    // In angle brackets a target may have brackets of its own.
    let end = match target.starts_with('<') {
        true => target.find(">)")? + 1,
        false => target.find(')')?,
    };
    let link = target.get(..end)?;
    // A title of the link stands behind a blank.
    let link = if link.starts_with('<') { link } else { link.split(" \"").next()? };
    Some(Link {
        before: text.get(..open)?,
        text: text.get(open + 1..middle)?,
        target: link,
        after: target.get(end + 1..)?,
    })
}

/// Where the bracket is opened that is closed behind a text: pairs of them may be in it.
fn opening(text: &str) -> Option<usize> {
    let mut closed = 0;
    for (at, c) in text.char_indices().rev() {
        match c {
            ']' => closed += 1,
            '[' if closed == 0 => return Some(at),
            '[' => closed -= 1,
            _ => {}
        }
    }
    None
}

/// Category and tags behind a link.
fn attributes(rest: &str) -> (Option<String>, Vec<String>) {
    let lower = rest.to_ascii_lowercase();
    let named = |name: &str| {
        let from = lower.find(name)? + name.len();
        let value = rest.get(from..)?;
        value.split([';', ')', '|']).next()
    };
    let bracket = || rest.split_once('[')?.1.split_once(']').map(|(inside, _)| inside);
    let category = named("category:").map(|value| value.split(',').next().unwrap_or(value));
    let hashes = rest.split_whitespace().filter(|word| {
        word.strip_prefix('#').is_some_and(|tag| tag.starts_with(char::is_alphanumeric))
    });
    let listed = named("tags:").into_iter().flat_map(|value| value.split(','));
    let all: Vec<&str> =
        listed.chain(hashes.map(|tag| tag.trim_end_matches([',', ';', '.']))).collect();
    (category.or_else(bracket).and_then(label), tags(all))
}

/// The cells of a row; `\|` is a character of one.
fn cells(row: &str) -> Vec<String> {
    let row = row.strip_prefix('|').unwrap_or(row);
    let (mut cells, mut cell, mut escaped) = (Vec::new(), String::new(), false);
    for c in row.chars() {
        match c {
            '|' if !escaped => cells.push(std::mem::take(&mut cell).trim().to_owned()),
            '|' => {
                cell.pop();
                cell.push('|');
            }
            c => cell.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    if !cell.trim().is_empty() {
        cells.push(cell.trim().to_owned());
    }
    cells
}

fn is_rule(cell: &str) -> bool {
    cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(
        path: &str,
        title: &str,
        tags: &[&str],
        category: Option<&str>,
        line: usize,
    ) -> Listed {
        Listed {
            path: path.to_owned(),
            title: Some(title.to_owned()),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            category: category.map(str::to_owned),
            line,
        }
    }

    #[test]
    fn table_in_any_order_of_columns_and_lists_are_read_and_prose_is_not() {
        let text = "\u{feff}# Memories\n\nProse with a [link](x.md).\n\n\
            | Path | *Category* | Updated | Tags | Title |\n|---|:--|--:|---|---|\n\
            | ops/deploy.md | runbook | 2026 | ops, `x`\\|y | Deploy \\| roll back |\n\
            | a.json | | | | Plain |\n\n\
            | Team | Members |\n|---|---|\n| Red | 3 |\n\n\
            | Title | Tags |\n|---|---|\n| [Linked](b%20c.md) | #q |\n\n\
            - [Listed](d.md) [fact] #one #two, and more\n\
            * **[Bold](./e.md)** — category: how-to, long; tags: a, b\n\
            1. [Counted](<f (1).md>)\n\
            - [Web](https://example.org/a.md)\n- plain\n- see [inside](g.md)\n\
            ```\n- [Fenced](h.md)\n```\n";
        let (all, problems) = parse(text);
        assert_eq!(problems, []);
        let expected = [
            listed("ops/deploy.md", "Deploy | roll back", &["ops", "`x`|y"], Some("runbook"), 7),
            listed("a.json", "Plain", &[], None, 8),
            listed("b c.md", "Linked", &["q"], None, 16),
            listed("d.md", "Listed", &["one", "two"], Some("fact"), 18),
            listed("e.md", "Bold", &["a", "b"], Some("how-to"), 19),
            listed("f (1).md", "Counted", &[], None, 20),
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn path_out_of_the_directory_is_a_problem_and_hides_no_other() {
        let text = "- [up](../a.md)\n- [root](/etc/a.md)\n- [in](x/../../a.md)\n- [bad](a.txt)\n\
            - [good](a.md)\n- [again](./a.md)\n- [hidden](a\u{202e}.md)\n- [enc](%2e%2e/a.md)\n\
            | Title | Path |\n|---|---|\n| none | |\n";
        let (all, problems) = parse(text);
        assert_eq!(all.iter().map(|one| &*one.path).collect::<Vec<_>>(), ["a.md"]);
        let lines: Vec<_> = problems.iter().filter_map(|problem| problem.line).collect();
        assert_eq!(lines, [1, 2, 3, 4, 6, 7, 8, 11], "{problems:?}");
        assert_eq!(problems[4].to_string(), "index.md:6: this path is in line 5 too");
    }

    proptest::proptest! {
        #[test]
        fn no_listing_makes_it_panic_or_leave_the_directory(text in "[-|\\[\\]()a./%~#:\n é]{0,200}") {
            for one in parse(&text).0 {
                let inside = Path::new(&one.path).components().all(|c| matches!(c, Component::Normal(_)));
                proptest::prop_assert!(inside && !one.path.is_empty());
            }
        }
    }
}
