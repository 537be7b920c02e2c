//! Circles of imports: between the modules of a room, each with all that is below it, and between files.
//!
//! An arrow goes from the module of a file to the module of the file that defines a name it uses. A module
//! that only hands a name on (`pub use`) is looked through. What a room defines for its own modules (its
//! error, its context) is no arrow: those files are read together.

use super::rules;
use super::tokens::{self, Token};
use std::collections::{BTreeMap, BTreeSet};

/// Most modules that may import each other in a circle.
pub(super) const MAX_MODULES: usize = 2;

/// Most files that may import each other in a circle.
pub(super) const MAX_FILES: usize = 4;

/// Rooms whose modules know each other: the files of the largest circle, and the reason.
const UNORDERED: [(&str, usize, &str); 1] =
    [("config", 18, "each section names the rules of its keys, and the rules name sections")];

/// Words after which a name is defined.
const ITEMS: [&str; 8] = ["fn", "struct", "enum", "trait", "const", "static", "type", "union"];

type Path = Vec<String>;

#[derive(Default)]
struct File {
    module: Path,
    /// Names that it defines, at any depth.
    defined: BTreeSet<String>,
    /// Modules that it declares.
    children: BTreeSet<String>,
    /// What it hands on, by the name under which it does; `*` for all of a module.
    handed_on: Vec<(String, Path)>,
    /// What it imports for itself, by the name that it has here.
    imported: Vec<(String, Path)>,
    /// Paths that it spells out, each name of them a segment.
    spelled: Vec<Path>,
}

/// Modules of a room that import each other in a circle, each with what it uses of the others; the larger
/// circles first.
pub(super) fn circles(files: &[(String, String)]) -> Vec<Vec<String>> {
    let is_ordered = |room: &str| !UNORDERED.iter().any(|(unordered, ..)| *unordered == room);
    found(files, File::unit, is_ordered)
}

/// The same of files.
pub(super) fn circles_of_files(files: &[(String, String)]) -> Vec<Vec<String>> {
    found(files, |file| file.module.clone(), |_| true)
}

/// What is wrong with the circles of files: one that is too large, and one whose room is listed with
/// another figure.
pub(super) fn unexcused(circles: &[Vec<String>]) -> Vec<String> {
    let is_in = |circle: &[String], room: &str| {
        circle.iter().all(|line| line.starts_with(&format!("{room}::")))
    };
    let large = circles.iter().filter(|circle| circle.len() > MAX_FILES);
    // Of a listed room one circle may be that large.
    let mut listed: Vec<&str> = UNORDERED.iter().map(|(room, ..)| *room).collect();
    let large = large.filter(|circle| {
        let at = listed.iter().position(|room| is_in(circle, room));
        at.map(|at| listed.swap_remove(at)).is_none()
    });
    let large = large.map(|circle| format!("a circle of {} files: {circle:#?}", circle.len()));
    let large: Vec<_> = large.collect();
    let stale = UNORDERED.iter().filter_map(|(room, files, _)| {
        let largest = circles.iter().filter(|circle| is_in(circle, room)).map(Vec::len).max();
        let largest = largest.unwrap_or_default();
        (largest != *files).then(|| format!("{room}: a circle of {largest} files, {files} listed"))
    });
    large.into_iter().chain(stale).collect()
}

fn found(
    files: &[(String, String)],
    unit: fn(&File) -> Path,
    is_ordered: impl Fn(&str) -> bool,
) -> Vec<Vec<String>> {
    let read: Vec<_> = files.iter().map(|(path, text)| File::read(path, text)).collect();
    let house = House {
        by_module: read.iter().enumerate().map(|(i, f)| (f.module.clone(), i)).collect(),
        files: read,
    };
    let mut arrows: Arrows = BTreeMap::new();
    for from in 0..house.files.len() {
        for (to, name) in house.arrows(from) {
            let (from, to) = (unit(&house.files[from]), unit(&house.files[to]));
            if from != to && from[0] == to[0] && is_ordered(&from[0]) {
                arrows.entry(from).or_default().insert(to, name);
            }
        }
    }
    let reached: BTreeMap<_, _> = arrows.keys().map(|from| (from, reach(&arrows, from))).collect();
    let leads = |from: &[String], to: &[String]| {
        reached.get(&from.to_vec()).is_some_and(|r| r.contains(to))
    };
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut placed: BTreeSet<&[String]> = BTreeSet::new();
    for from in arrows.keys() {
        let circle: Vec<_> = arrows
            .keys()
            .filter(|to| leads(from, to) && leads(to, from))
            .map(|to| &to[..])
            .collect();
        if circle.len() > 1 && !placed.contains(&from[..]) {
            placed.extend(&circle);
            let line = |module: &&[String]| {
                let uses = arrows.get(*module).into_iter().flatten();
                let inside = uses.filter(|(to, _)| circle.contains(&&to[..]));
                let names: Vec<_> = inside.map(|(_, name)| name.as_str()).collect();
                format!("{} uses {}", module.join("::"), names.join(", "))
            };
            found.push(circle.iter().map(line).collect());
        }
    }
    found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    found
}

/// The modules that each module uses, with a name of each.
type Arrows = BTreeMap<Path, BTreeMap<Path, String>>;

/// Everything to which arrows lead from a module.
fn reach(arrows: &Arrows, from: &Path) -> BTreeSet<Path> {
    let mut seen = BTreeSet::new();
    let mut left: Vec<_> = arrows[from].keys().collect();
    while let Some(next) = left.pop() {
        if seen.insert(next.clone()) {
            left.extend(arrows.get(next).into_iter().flat_map(BTreeMap::keys));
        }
    }
    seen
}

struct House {
    files: Vec<File>,
    by_module: BTreeMap<Path, usize>,
}

impl House {
    /// The files whose names a file uses, with one such name each.
    fn arrows(&self, from: usize) -> BTreeMap<usize, String> {
        let file = &self.files[from];
        let spelled = file.spelled.iter().filter_map(|path| file.absolute(path));
        let imported = file.imported.iter().map(|(_, path)| path.clone());
        let to = |path: Path| Some((self.definer(&path, 0)?, path.join("::")));
        let above = |to: usize| file.module.starts_with(&self.files[to].module);
        spelled.chain(imported).filter_map(to).filter(|(to, _)| !above(*to)).collect()
    }

    /// The file that defines what an absolute path names; `None` for a module and for other crates.
    fn definer(&self, path: &[String], depth: usize) -> Option<usize> {
        let (file, rest) = (0..path.len())
            .rev()
            .find_map(|n| self.by_module.get(&path[..n]).map(|file| (*file, &path[n..])))?;
        let (module, name) = (&self.files[file], rest.first()?);
        if self.by_module.contains_key(path) {
            return None;
        }
        if module.defined.contains(name) || depth > 8 {
            return Some(file);
        }
        let named = module.handed_on.iter().filter(|(alias, _)| alias == name);
        let globs = module.handed_on.iter().filter(|(alias, _)| alias == "*");
        let through = named.map(|(_, to)| [to.as_slice(), &rest[1..]].concat());
        let through = through.chain(globs.map(|(_, to)| [to.as_slice(), rest].concat()));
        through.filter_map(|to| self.definer(&to, depth + 1)).next()
    }
}

impl File {
    fn read(path: &str, text: &str) -> Self {
        let inner = rules::in_package(path).trim_start_matches("src/").trim_end_matches(".rs");
        let module = inner.trim_end_matches("/mod").split('/').map(str::to_owned).collect();
        let tokens: Vec<_> = tokens::of(path, text).into_iter().filter(|t| !t.test).collect();
        let mut file = Self { module, ..Self::default() };
        let mut i = 0;
        while i < tokens.len() {
            i = file.take(&tokens, i);
        }
        let imported = std::mem::take(&mut file.imported);
        file.imported =
            imported.into_iter().filter_map(|(n, p)| Some((n, file.absolute(&p)?))).collect();
        let handed_on = std::mem::take(&mut file.handed_on);
        file.handed_on =
            handed_on.into_iter().filter_map(|(n, p)| Some((n, file.absolute(&p)?))).collect();
        file
    }

    /// The module of its room in which it is; for a file of the room itself, the room.
    fn unit(&self) -> Path {
        self.module.iter().take(2).cloned().collect()
    }

    /// Takes what begins at a token; gives the index after it.
    fn take(&mut self, tokens: &[Token], i: usize) -> usize {
        let text = |i: usize| tokens.get(i).map_or("", |t| t.text.as_str());
        if text(i) == "use" {
            let public = text(i.wrapping_sub(1)) == "pub" || text(i.wrapping_sub(1)) == ")";
            let mut found = Vec::new();
            let end = tree(tokens, i + 1, &[], &mut found);
            if public {
                self.handed_on.extend(found)
            } else {
                self.imported.extend(found)
            }
            return end;
        }
        if text(i) == "mod" && text(i + 2) == ";" {
            self.children.insert(text(i + 1).to_owned());
        }
        if ITEMS.contains(&text(i)) || (text(i) == "macro_rules" && text(i + 1) == "!") {
            let at = if text(i) == "macro_rules" { i + 2 } else { i + 1 };
            self.defined.insert(text(at).to_owned());
        }
        if text(i + 1) == "::" && text(i.wrapping_sub(1)) != "::" && is_name(text(i)) {
            let mut path = vec![text(i).to_owned()];
            let mut at = i + 1;
            while text(at) == "::" && is_name(text(at + 1)) {
                path.push(text(at + 1).to_owned());
                at += 2;
            }
            self.spelled.push(path);
            return at;
        }
        i + 1
    }

    /// A path from the root, where it leads to something of this program.
    fn absolute(&self, path: &[String]) -> Option<Path> {
        let (first, rest) = path.split_first()?;
        let whole = match first.as_str() {
            "crate" => return Some(rest.to_vec()),
            "self" => [self.module.as_slice(), rest].concat(),
            "super" => {
                let (_, parent) = self.module.split_last()?;
                let ups = rest.iter().take_while(|s| *s == "super").count();
                let top = parent.len().checked_sub(ups)?;
                [&parent[..top], &rest[ups..]].concat()
            }
            name if self.children.contains(name) => [self.module.as_slice(), path].concat(),
            name => {
                let (_, to) = self.imported.iter().find(|(alias, _)| alias == name)?;
                [to.as_slice(), rest].concat()
            }
        };
        Some(whole)
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Reads one branch of a `use`; gives the index after it.
fn tree(tokens: &[Token], mut i: usize, above: &[String], out: &mut Vec<(String, Path)>) -> usize {
    let text = |i: usize| tokens.get(i).map_or("", |t| t.text.as_str());
    let mut path = above.to_vec();
    loop {
        match text(i) {
            "{" => {
                i += 1;
                while text(i) != "}" && i < tokens.len() {
                    i = tree(tokens, i, &path, out);
                    i += usize::from(text(i) == ",");
                }
                return i + 1;
            }
            "*" => {
                out.push(("*".to_owned(), path));
                return i + 1;
            }
            "::" => i += 1,
            name if is_name(name) && name != "as" => {
                // `use a::{self}` names a itself.
                if name != "self" || path.is_empty() {
                    path.push(name.to_owned());
                }
                i += 1;
            }
            _ => {
                let alias =
                    if text(i) == "as" { text(i + 1) } else { path.last().map_or("", |l| l) };
                out.push((alias.to_owned(), path.clone()));
                return if text(i) == "as" { i + 2 } else { i };
            }
        }
    }
}
