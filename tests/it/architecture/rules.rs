//! The rules: which room may import which, and what only one room may do.

use super::owners::OWNED;
use super::tokens::{self, Token};

/// The rooms from the bottom up. A room imports only rooms with a smaller rank: what has an equal
/// rank stands side by side.
const RANKS: &[(&str, u32)] = &[
    // L0: nouns.
    ("text", 0),
    ("domain", 0),
    ("instruments", 1),
    // L1: pure.
    ("jsonl", 10),
    ("stats", 10),
    ("thesaurus", 9),
    ("engine", 10),
    ("frame", 11),
    ("calibration", 12),
    ("relevance", 12),
    // L2: files, processes, sockets.
    ("process_group", 19),
    ("failure", 20),
    ("files", 20),
    ("git", 20),
    ("verdict_log", 21),
    ("questions", 21),
    ("store", 22),
    ("config", 22),
    ("memories", 22),
    ("source", 23),
    ("thesaurus_files", 23),
    ("provider", 24),
    // L3: what ties them together.
    ("asset_tests", 30),
    ("generate", 30),
    ("pull", 30),
    ("judging", 30),
    ("risk", 31),
    ("task", 31),
    ("picks", 31),
    ("service", 32),
    ("escalation", 32),
    ("hook", 33),
    ("collect", 31),
    ("content", 31),
    ("coverage", 31),
    ("overrides", 31),
    ("exchange", 31),
    ("backup", 32),
    ("fleet", 32),
    ("lookup", 32),
    ("queue", 32),
    ("pick_labels", 32),
    ("triage", 32),
    ("assess", 33),
    ("overview", 34),
    ("peer", 34),
    ("risk_replay", 34),
    ("assignments", 34),
    ("remote_hook", 34),
    ("advice", 34),
    ("first_start", 34),
    ("boxes", 35),
    // L4: what a person sees.
    ("page", 1),
    ("answers", 39),
    ("report", 40),
    ("tui", 41),
    ("cli", 42),
    ("lib", 50),
];

/// Rooms without clock, randomness, environment, file, socket or task.
const PURE: [&str; 13] = [
    "first_start",
    "page",
    "answers",
    "text",
    "domain",
    "instruments",
    "jsonl",
    "stats",
    "engine",
    "frame",
    "calibration",
    "relevance",
    "thesaurus",
];

/// What of the console has no input or output either: `perform` does what it asks for.
const PURE_CONSOLE: [&str; 7] = [
    "src/tui/layout/",
    "src/tui/model/",
    "src/tui/page/",
    "src/tui/screen/",
    "src/tui/update/",
    "src/tui/view/",
    "src/tui/widget/",
];

/// Rooms of which nothing pure names anything: all that they do is input and output.
const OUTSIDE: [&str; 11] = [
    "backup",
    "files",
    "git",
    "memories",
    "process_group",
    "provider",
    "questions",
    "remote_hook",
    "source",
    "thesaurus_files",
    "verdict_log",
];

/// Longest file, in lines.
const MAX_LINES: usize = 400;

/// The place of a room in the order of imports.
pub(super) fn rank(room: &str) -> Option<u32> {
    RANKS.iter().find(|(name, _)| *name == room).map(|(_, rank)| *rank)
}

/// What a file of the program or of a member breaks, a sentence each.
pub(super) fn check(path: &str, text: &str) -> Vec<String> {
    let file = File::new(path, text);
    let mut broken = Vec::new();
    broken.extend(file.imports());
    broken.extend(file.climbs());
    broken.extend(file.owned());
    // The terminal itself is the standard output; what is drawn on it goes through its room.
    if !file.is_in(&["src/cli/", "src/report/", "src/main.rs", "src/tui/terminal/"]) {
        broken.extend(file.prints());
    }
    if !file.is_in(&["src/config/", "src/cli/", "src/main.rs"]) {
        broken.extend(file.environment());
    }
    if PURE.contains(&file.room.as_str()) || file.is_in(&PURE_CONSOLE) {
        broken.extend(file.impure());
    }
    if file.is_in(&PURE_CONSOLE) {
        broken.extend(file.reaches_out());
    }
    broken.into_iter().map(|what| format!("{path}: {what}")).collect()
}

/// What any Rust file breaks.
pub(super) fn check_any(path: &str, text: &str) -> Vec<String> {
    let lines = text.lines().count();
    let long = (lines > MAX_LINES).then(|| format!("{path}: {lines} lines, more than {MAX_LINES}"));
    let file = File::new(path, text);
    let off = file.ignores().then(|| format!("{path}: a test is switched off with `ignore`"));
    long.into_iter().chain(off).collect()
}

/// The rooms that a file names as `crate::ROOM`.
pub(super) fn arrows(path: &str, text: &str) -> Vec<String> {
    let file = File::new(path, text);
    file.after(&["crate", "::"]).map(|i| file.text(i).to_owned()).collect()
}

/// Files of `tests/` that no `mod` line names, given all of them.
pub(super) fn unlisted(files: &[(String, String)]) -> Vec<String> {
    let named = |path: &str| {
        let module = path.trim_end_matches(".rs").trim_end_matches("/mod");
        let Some((parent, stem)) = module.rsplit_once('/') else { return false };
        let inside =
            [format!("{parent}.rs"), format!("{parent}/mod.rs"), format!("{parent}/main.rs")];
        let line = format!("mod {stem};");
        files.iter().any(|(p, text)| {
            inside.contains(p) && text.lines().any(|l| l.trim_start_matches("pub ").trim() == line)
        })
    };
    let roots = ["tests/core/main.rs", "tests/it/main.rs"];
    let wrong = |p: &&String| !roots.contains(&p.as_str()) && !named(p);
    files.iter().map(|(p, _)| p).filter(wrong).cloned().collect()
}

struct File {
    /// As in the package, `src/…`, whichever member of the workspace has it.
    path: String,
    room: String,
    /// Modules from the crate's root to this file.
    depth: usize,
    tokens: Vec<Token>,
}

/// The path of a file as in its package, `src/…`, whichever member of the workspace has it.
pub(super) fn in_package(path: &str) -> &str {
    path.find("/src/").map_or(path, |i| &path[i + 1..])
}

impl File {
    fn new(path: &str, text: &str) -> Self {
        let path = in_package(path);
        let inner = path.trim_start_matches("src/").trim_end_matches(".rs");
        let room = inner.split('/').next().unwrap_or_default().to_owned();
        let depth = inner.split('/').filter(|part| *part != "mod").count();
        Self { path: path.to_owned(), room, depth, tokens: tokens::of(path, text) }
    }

    fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.path.starts_with(place))
    }

    fn is_test(&self, i: usize) -> bool {
        let name = self.path.trim_end_matches(".rs");
        self.tokens.get(i).is_some_and(|t| t.test) || name.ends_with("tests")
    }

    fn text(&self, i: usize) -> &str {
        self.tokens.get(i).map_or("", |t| t.text.as_str())
    }

    /// Indexes of the tokens right after each occurrence of a sequence.
    fn after(&self, sequence: &[&str]) -> impl Iterator<Item = usize> {
        let length = sequence.len();
        let hit = |i: &usize| sequence.iter().enumerate().all(|(k, s)| self.text(i + k) == *s);
        let hits: Vec<_> = (0..self.tokens.len()).filter(hit).map(|i| i + length).collect();
        hits.into_iter()
    }

    fn imports(&self) -> Vec<String> {
        let mut broken = Vec::new();
        if ["main", "lib"].contains(&self.room.as_str()) {
            return broken;
        }
        let Some(own) = rank(&self.room) else {
            return vec![format!("the room {} has no place in the table of layers", self.room)];
        };
        for i in self.after(&["crate", "::"]) {
            let room = self.text(i);
            match rank(room) {
                Some(other) if room == self.room || other < own => {}
                Some(_) => broken.push(format!("{} may not import {room}", self.room)),
                None if ["{", "*"].contains(&room) => {
                    broken.push(format!("`crate::{room}` hides what is imported"));
                }
                None => {
                    broken.push(format!("`crate::{room}` is not a room in the table of layers"))
                }
            }
        }
        if self.after(&["crate", "as"]).next().is_some() {
            broken.push("`crate as` hides what is imported".to_owned());
        }
        if self.after(&["foureyes", "::"]).next().is_some() {
            broken.push("`foureyes::` hides what is imported: write `crate::`".to_owned());
        }
        broken
    }

    /// A room outside that it names, other than in tests.
    fn reaches_out(&self) -> Option<String> {
        let outside = |i: &usize| !self.is_test(*i) && OUTSIDE.contains(&self.text(*i));
        let room = self.after(&["crate", "::"]).find(outside)?;
        Some(format!("{} is input and output, and this is pure", self.text(room)))
    }

    /// Chains of `super::` that lead to the top, where `crate::` is to be written.
    fn climbs(&self) -> Option<String> {
        let mut i = 0;
        while let Some(token) = self.tokens.get(i) {
            let mut supers = 0;
            while self.text(i) == "super" && self.text(i + 1) == "::" {
                supers += 1;
                i += 2;
            }
            if supers > 0 && supers >= self.depth + token.depth {
                return Some("`super::` leads to the top: write `crate::`".to_owned());
            }
            i += usize::from(supers == 0);
        }
        None
    }

    fn owned(&self) -> Vec<String> {
        // `hyper` and `hyper_util`, but not `hyperlinks`.
        let is_of = |text: &str, name: &str| {
            text.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        };
        let named = |name: &str| self.tokens.iter().any(|t| is_of(&t.text, name));
        let wrong = |(name, places): &&(&str, &[&str])| !self.is_in(places) && named(name);
        let report = |(name, places): &(&str, &[&str])| {
            format!("{name} is named, outside {}", places.join(", "))
        };
        OWNED.iter().filter(wrong).map(report).collect()
    }

    fn prints(&self) -> Option<String> {
        let macros = ["print", "println", "eprint", "eprintln", "dbg"];
        let wrong = (0..self.tokens.len()).filter(|i| !self.is_test(*i)).find(|i| {
            let (before, text, next) =
                (self.text(i.wrapping_sub(1)), self.text(*i), self.text(i + 1));
            let stream = ["stdout", "stderr"].contains(&text);
            let of_io = before == "::" && self.text(i.wrapping_sub(2)) == "io";
            let called = next == "(" && self.text(i + 2) == ")" && ![".", "fn"].contains(&before);
            (macros.contains(&text) && next == "!") || (stream && (of_io || called))
        });
        let grouped = self.in_group_of("io", &["stdout", "stderr"]);
        wrong.map(|i| self.text(i).to_owned()).or(grouped).map(|w| format!("{w} prints"))
    }

    fn environment(&self) -> Option<String> {
        let names = "var var_os vars vars_os set_var remove_var home_dir args args_os temp_dir *";
        let names: Vec<&str> = names.split(' ').collect();
        let direct = self
            .after(&["env", "::"])
            .find(|i| !self.is_test(*i) && names.contains(&self.text(*i)))
            .map(|i| self.text(i).to_owned());
        let found = direct.or_else(|| self.in_group_of("env", &names));
        found.map(|name| format!("env::{name} reads the environment"))
    }

    fn impure(&self) -> Option<String> {
        let rooms = ["fs", "net", "process", "env", "thread"];
        let words = ["SystemTime", "Instant", "rand"];
        let direct = self
            .after(&["std", "::"])
            .find(|i| !self.is_test(*i) && rooms.contains(&self.text(*i)))
            .map(|i| self.text(i).to_owned());
        let word = || {
            let wrong = |i: &usize| {
                let now = self.text(*i) == "now" && self.text(i.wrapping_sub(1)) == "::";
                // A variant of that name is none.
                let file = self.text(*i) == "File" && self.text(i + 1) == "::";
                let file = file && self.text(i.wrapping_sub(1)) != "::";
                !self.is_test(*i) && (now || file || words.contains(&self.text(*i)))
            };
            (0..self.tokens.len()).find(wrong).map(|i| self.text(i).to_owned())
        };
        let found = direct.or_else(|| self.in_group_of("std", &rooms)).or_else(word);
        found.map(|what| format!("{what} is in a pure room"))
    }

    /// A name among those of `module::{…}`, at the first level of the braces.
    fn in_group_of(&self, module: &str, names: &[&str]) -> Option<String> {
        for start in self.after(&[module, "::", "{"]) {
            let mut open = 1;
            for i in start..self.tokens.len() {
                open += i32::from(self.text(i) == "{") - i32::from(self.text(i) == "}");
                let first = ["{", ","].contains(&self.text(i - 1));
                if open == 0 {
                    break;
                }
                if open == 1 && first && !self.is_test(i) && names.contains(&self.text(i)) {
                    return Some(self.text(i).to_owned());
                }
            }
        }
        None
    }

    fn ignores(&self) -> bool {
        self.after(&["#", "["]).any(|start| {
            let end = (start..self.tokens.len()).find(|i| self.text(*i) == "]");
            (start..end.unwrap_or(start)).any(|i| self.text(i) == "ignore")
        })
    }
}
