//! By what records are told apart, and how that is asked for.

use super::super::sql;
use crate::domain::Timestamp;
use crate::frame::schema;
use crate::frame::trend::{By, PathBy, TrendSpec};
use std::collections::BTreeSet;

/// By what records are told apart beside what is counted.
#[derive(Debug, Default)]
pub(super) struct Axis {
    pub(super) keys: Vec<Key>,
    pub(super) by_day: bool,
    /// Records from here on are ahead of the clock.
    clock: Option<i64>,
}

/// A column of the frame.
#[derive(Debug)]
pub(super) enum Key {
    /// The box.
    Box,
    /// A text as it is.
    Text(&'static str),
    /// A text that is made of a column.
    Made(&'static str, String),
    /// A number of 64 bits.
    Word(&'static str),
    /// A number of 32 bits.
    Code(&'static str),
}

impl Key {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Box => schema::BOX,
            Self::Text(name) | Self::Made(name, _) | Self::Word(name) | Self::Code(name) => name,
        }
    }

    fn expression(&self) -> String {
        match self {
            Self::Made(_, expression) => expression.clone(),
            other => other.name().to_owned(),
        }
    }
}

impl Axis {
    /// That of a box and a day.
    pub(super) fn box_and_day() -> Self {
        Self { keys: vec![Key::Box], by_day: true, clock: None }
    }

    /// That of texts.
    pub(super) fn texts(names: &[&'static str]) -> Self {
        Self { keys: names.iter().map(|name| Key::Text(name)).collect(), ..Self::default() }
    }

    /// That of the first directories of files.
    pub(super) fn directories() -> Self {
        let files = Key::Made(schema::FILES, directories(1));
        Self { keys: vec![files], ..Self::default() }
    }

    /// That of a trend.
    pub(super) fn of_trend(spec: &TrendSpec, now: Timestamp) -> Self {
        let models = || vec![Key::Text(schema::MODEL), Key::Text(schema::SERVED_MODEL)];
        let keys = match &spec.by {
            By::Day | By::Week => Vec::new(),
            By::Box => vec![Key::Box],
            By::Model if !spec.family.has_rounds() => models(),
            // A line that hands a run to a person is that of the judge before it.
            By::Model => {
                let of_run =
                    [Key::Text(schema::TIER), Key::Word(schema::RUN), Key::Code(schema::ROUND)];
                models().into_iter().chain(of_run).collect()
            }
            By::Author => vec![Key::Text(schema::AUTHOR)],
            // Of files it is enough to know with which paths of teams they begin.
            By::Team(teams) => {
                let paths: BTreeSet<&String> = teams.iter().flat_map(|team| &team.paths).collect();
                let paths: Vec<String> = paths.into_iter().cloned().collect();
                let begun = if paths.is_empty() { sql::text("\0") } else { prefixes(&paths) };
                vec![Key::Box, Key::Text(schema::AUTHOR), Key::Made(schema::FILES, begun)]
            }
            By::Path(PathBy::Depth(depth)) => vec![Key::Made(schema::FILES, directories(*depth))],
            By::Path(PathBy::Prefixes(all)) => vec![Key::Made(schema::FILES, prefixes(all))],
        };
        let by_day = matches!(spec.by, By::Day | By::Week);
        Self { keys, by_day, clock: spec.window.ahead_of(now).from.map(|at| at.0) }
    }

    /// Columns of the store that its keys need, each once, as parts of a list.
    pub(super) fn columns(&self) -> String {
        let needed = self.keys.iter().filter(|key| !matches!(key, Key::Box));
        needed.map(|key| format!(", {}", key.name())).collect()
    }

    /// Its keys as columns `k0`, `k1` and on.
    pub(super) fn selected(&self) -> String {
        let all = self.keys.iter().enumerate();
        all.map(|(at, key)| format!("{} AS k{at}, ", key.expression())).collect()
    }

    /// The names of these.
    pub(super) fn names(&self) -> String {
        (0..self.keys.len()).map(|at| format!("k{at}, ")).collect()
    }

    /// What tells times apart, as the column `time_of`.
    pub(super) fn time(&self) -> String {
        let undated = format!("at = toInt64({})", i64::MIN);
        let day = if self.by_day { "day".to_owned() } else { format!("toInt32({undated})") };
        let ahead = self.clock.map_or("0".to_owned(), |at| format!("at >= {}", sql::i64(at)));
        format!("toInt64({day}) * 2 + toInt64({ahead}) AS time_of")
    }
}

/// Files, a NUL before each, as they are in a column; empty ones left out.
fn files() -> String {
    let all = format!("splitByChar({}, ifNull({}, ''))", sql::text("\0"), schema::FILES);
    format!("arrayFilter(f -> notEmpty(f), {all})")
}

/// Texts of an array, each once and in order, with a NUL before each.
fn joined(array: &str) -> String {
    let nul = sql::text("\0");
    format!("concat({nul}, arrayStringConcat(arraySort(arrayDistinct({array})), {nul}))")
}

/// The first directories of the files, as `frame::trend` names them: up to the slash so many behind the
/// first character, or the last before.
fn directories(depth: usize) -> String {
    let further = depth.clamp(1, 1000) - 1;
    let pattern = format!("^((?s:.)[^/]*/(?:[^/]*/){{0,{further}}})");
    let found = format!("extract(f, {})", sql::text(pattern));
    joined(&format!("arrayMap(f -> if(empty({found}), './', {found}), {})", files()))
}

/// Those of some beginnings that a file has. An empty one, which is no text between NULs, is written as a
/// letter that none of the others begins with.
fn prefixes(all: &[String]) -> String {
    let free = ('a'..='z').chain('A'..='Z').map(String::from);
    let mut free = free.filter(|one| !all.iter().any(|prefix| prefix.starts_with(one)));
    let any = free.next().unwrap_or_default();
    let each = all.iter().map(|prefix| {
        let text = sql::text(prefix);
        let shown = if prefix.is_empty() { sql::text(&any) } else { text.clone() };
        let has = format!("substring(f, 1, {}) = {text}", prefix.len());
        format!("if(arrayExists(f -> {has}, {}), {shown}, '')", files())
    });
    joined(&format!("arrayFilter(p -> notEmpty(p), array({}))", sql::list(each)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_prefix_is_written_as_a_letter_that_no_other_begins_with() {
        let all = ["", "a/", "bc"].map(str::to_owned);
        let sql = prefixes(&all);
        assert!(sql.contains(&sql::text("c")), "{sql}");
        assert!(!prefixes(&all[1..]).contains(&sql::text("c")));
    }
}
