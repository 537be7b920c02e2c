//! The modules of the program and what each of them names, re-exports followed to where an item is
//! defined. Tests, and modules that only tests have, are no part of it.

use super::tokens::{self, Token};
use std::collections::{BTreeMap, BTreeSet};

/// A path from the root of the crate; which member has it makes no difference.
pub(super) type Path = Vec<String>;

/// All modules, by their paths.
pub(super) struct Modules(BTreeMap<Path, Module>);

#[derive(Default)]
struct Module {
    /// What `use` brings in: under which name, and its path.
    imports: Vec<(String, Path)>,
    /// Paths elsewhere in the file.
    paths: Vec<Path>,
}

impl Modules {
    /// Of files, with their paths.
    pub(super) fn of(files: &[(String, String)]) -> Self {
        let mut modules = BTreeMap::new();
        let mut tests = BTreeSet::new();
        for (file, text) in files {
            let path = path_of(file);
            let tokens = tokens::of(file, text);
            tests.extend(test_children(&path, &tokens));
            modules.insert(path.clone(), Module::of(&path, &tokens));
        }
        modules.retain(|path, _| (1..=path.len()).all(|n| !tests.contains(&path[..n])));
        Self(modules)
    }

    /// Modules at or below one.
    pub(super) fn below<'a>(&'a self, top: &'a [String]) -> impl Iterator<Item = &'a Path> {
        self.0.keys().filter(move |path| path.starts_with(top))
    }

    /// Tells whether there is a module of this path.
    pub(super) fn has(&self, path: &[String]) -> bool {
        self.0.contains_key(path)
    }

    /// What a module names of the program: paths as they are written, from the root.
    pub(super) fn named(&self, module: &Path) -> BTreeSet<Path> {
        let Some(own) = self.0.get(module) else { return BTreeSet::new() };
        let imports = own.imports.iter().map(|(_, path)| path.clone());
        let paths = own.paths.iter().map(|path| self.through_import(own, path));
        imports.chain(paths).filter_map(|path| self.absolute(module, &path)).collect()
    }

    /// The module that defines what a path leads to, and the rest of the path.
    pub(super) fn home(&self, path: &[String]) -> Option<(Path, Path)> {
        let mut path = path.to_vec();
        // Re-exports of re-exports end somewhere.
        for _ in 0..8 {
            let at = (1..=path.len()).rev().find(|n| self.has(&path[..*n]))?;
            let (module, rest) = (path[..at].to_vec(), path[at..].to_vec());
            let own = self.0.get(&module)?;
            let import = own.imports.iter().find(|(name, _)| rest.first() == Some(name));
            let Some(to) = import.and_then(|(_, to)| self.absolute(&module, to)) else {
                return Some((module, rest));
            };
            path = [&to, &rest[1..]].concat();
        }
        None
    }

    /// A path whose first name was imported, from where that one was imported.
    fn through_import(&self, module: &Module, path: &Path) -> Path {
        let import = module.imports.iter().find(|(name, _)| path.first() == Some(name));
        import.map_or_else(|| path.clone(), |(_, to)| [to, &path[1..]].concat())
    }

    /// From the root; `None` for what is no part of the program.
    fn absolute(&self, module: &Path, path: &[String]) -> Option<Path> {
        let first = path.first()?;
        if first == "crate" {
            return Some(path[1..].to_vec());
        }
        let supers = path.iter().take_while(|p| *p == "super").count();
        if supers > 0 {
            let base = module.get(..module.len().checked_sub(supers)?)?;
            return Some([base, &path[supers..]].concat());
        }
        let inside = [module, path.get(usize::from(first == "self")..)?].concat();
        (first == "self" || self.has(&inside[..=module.len()])).then_some(inside)
    }
}

impl Module {
    fn of(path: &Path, tokens: &[Token]) -> Self {
        let mut module = Self::default();
        let is_test = path.iter().any(|part| part.ends_with("tests"));
        let tokens: Vec<&Token> = tokens.iter().filter(|t| !t.test && !is_test).collect();
        let text = |i: usize| tokens.get(i).map_or("", |t| t.text.as_str());
        let mut i = 0;
        while i < tokens.len() {
            if text(i) == "use" && text(i + 1) != "<" {
                i = tree(&tokens, i + 1, &[], &mut module.imports);
            } else if is_name(text(i)) && text(i + 1) == "::" && text(i.wrapping_sub(1)) != "::" {
                let mut path = vec![text(i).to_owned()];
                // Those of modules in the file lead to the file first.
                let inner = tokens[i].depth;
                while text(i + 1) == "::" && is_name(text(i + 2)) {
                    path.push(text(i + 2).to_owned());
                    i += 2;
                }
                let supers = path.iter().take_while(|p| *p == "super").count();
                if supers == 0 || supers > inner {
                    path.drain(..inner.min(supers));
                    module.paths.push(path);
                }
                i += 1;
            } else {
                i += 1;
            }
        }
        module
    }
}

/// Reads a tree of imports up to what ends it, and gives the index of that.
fn tree(tokens: &[&Token], mut i: usize, prefix: &[String], out: &mut Vec<(String, Path)>) -> usize {
    let text = |i: usize| tokens.get(i).map_or("", |t| t.text.as_str());
    let mut path = prefix.to_vec();
    loop {
        match text(i) {
            "{" => {
                while !["}", ""].contains(&text(i)) {
                    i = tree(tokens, i + 1, &path, out);
                }
                return i + 1;
            }
            "::" => i += 1,
            "as" => {
                out.push((text(i + 1).to_owned(), path));
                return i + 2;
            }
            "," | ";" | "}" | "" => {
                if path.last().is_some_and(|last| last == "self") {
                    path.pop();
                }
                if path.len() > prefix.len() || path.as_slice() == prefix {
                    out.extend(path.last().cloned().map(|name| (name, path)));
                }
                return i;
            }
            part => {
                path.push(part.to_owned());
                i += 1;
            }
        }
    }
}

/// Modules that a file declares for tests alone.
fn test_children(path: &Path, tokens: &[Token]) -> Vec<Path> {
    let text = |i: usize| tokens.get(i).map_or("", |t| t.text.as_str());
    let declared = |i: &usize| tokens[*i].test && text(*i) == "mod" && text(i + 2) == ";";
    let child = |i: usize| [path.as_slice(), &[text(i + 1).to_owned()]].concat();
    (0..tokens.len()).filter(declared).map(child).collect()
}

/// The path of a file's module.
fn path_of(file: &str) -> Path {
    let inner = super::rules::in_package(file).trim_start_matches("src/").trim_end_matches(".rs");
    inner.split('/').filter(|part| *part != "mod").map(str::to_owned).collect()
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.is_empty()
}
