//! Whatever trees and pushes are made of, each path of a push is judged, named or not watched; and what a clone reads
//! under a watched name is judged where it changes.

use super::stage::{AGENT, PERSON, Stage};
use foureyes::git::{Arriving, Outgoing, Push, Selection};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const DIRS: [&str; 10] = [
    "",
    "research/",
    "Research/",
    "rese\u{200d}arch/",
    "donne\u{301}es/",
    "stuff/",
    "stuff/sub/",
    "d/",
    "local/",
    "local/plans/",
];
const NAMES: [&str; 9] =
    ["p.md", "q.md", "x.txt", "l.md", "research", "donn\u{e9}es", "stuff", "local", "plans"];
const TARGETS: [&str; 16] = [
    "stuff",
    "./stuff/",
    "../stuff",
    ".",
    "..",
    "d",
    "../d/p.md",
    "../../d",
    "research",
    "plans",
    "local/plans",
    "none",
    "/etc",
    "stuff/sub",
    "sub/../x.txt",
    "p.md",
];

/// One thing that a commit does.
#[derive(Debug, Clone)]
enum Step {
    File(String, u8),
    Link(String, &'static str),
    Module(String),
    Gone(String),
}

fn path() -> impl Strategy<Value = String> {
    (select(&DIRS[..]), select(&NAMES[..])).prop_map(|(dir, name)| format!("{dir}{name}"))
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (path(), any::<u8>()).prop_map(|(path, n)| Step::File(path, n)),
        4 => (path(), select(&TARGETS[..])).prop_map(|(path, target)| Step::Link(path, target)),
        1 => path().prop_map(Step::Module),
        1 => path().prop_map(Step::Gone),
    ]
}

fn selection() -> Selection {
    let texts = |all: &[&str]| all.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
    Selection {
        agents: Some(texts(&[AGENT])),
        authors: false,
        watch: texts(&["research/", "donn\u{e9}es/", "local/plans/"]),
        files: texts(&["*.md"]),
    }
}

/// The input of `git fast-import` for these commits.
fn stream(base: &str, commits: &[Vec<Step>]) -> String {
    let mut text = String::new();
    for (at, steps) in commits.iter().enumerate() {
        let from = if at == 0 { format!("from {base}\n") } else { String::new() };
        let head = format!(
            "commit refs/heads/main\ncommitter {AGENT} <a@example.org> 177115140{at} +0000"
        );
        write!(text, "{head}\ndata 1\nx\n{from}").unwrap();
        for step in steps {
            match step {
                Step::File(path, n) => {
                    let content = format!("{n} {at}\n");
                    writeln!(text, "M 100644 inline {path}\ndata {}\n{content}", content.len())
                }
                Step::Link(path, target) => {
                    writeln!(text, "M 120000 inline {path}\ndata {}\n{target}", target.len())
                }
                Step::Module(path) => writeln!(text, "M 160000 {} {path}", "5".repeat(40)),
                Step::Gone(path) => writeln!(text, "D {path}"),
            }
            .unwrap();
        }
        text.push('\n');
    }
    text
}

/// What a system reads below watched names: files by their own path, from the top of a checkout.
struct Reader {
    top: PathBuf,
    seen: BTreeSet<PathBuf>,
    files: BTreeSet<PathBuf>,
}

impl Reader {
    fn watched(top: &Path) -> BTreeSet<PathBuf> {
        let mut reader = Self {
            top: top.canonicalize().unwrap(),
            seen: BTreeSet::new(),
            files: BTreeSet::new(),
        };
        for (name, path) in entries(top) {
            match name.to_lowercase().replace('\u{200d}', "").as_str() {
                "research" | "donn\u{e9}es" | "donne\u{301}es" => reader.dir(&path),
                "local" => {
                    for (name, path) in entries(&path) {
                        if name == "plans" {
                            reader.dir(&path);
                        }
                    }
                }
                _ => {}
            }
        }
        reader.files
    }

    fn dir(&mut self, dir: &Path) {
        let Ok(own) = dir.canonicalize() else { return };
        if !own.starts_with(&self.top) || !self.seen.insert(own.clone()) {
            return;
        }
        for (name, path) in entries(&own) {
            let Ok(real) = path.canonicalize() else { continue };
            let Ok(inside) = real.strip_prefix(&self.top) else { continue };
            match real.is_dir() {
                true => self.dir(&path),
                false if name.ends_with(".md") => drop(self.files.insert(inside.to_owned())),
                false => {}
            }
        }
    }
}

fn entries(dir: &Path) -> Vec<(String, PathBuf)> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let of = |e: fs::DirEntry| (e.file_name().into_string().unwrap(), e.path());
    entries.flatten().map(of).collect()
}

struct Pushed {
    stage: Stage,
    base: String,
    tip: String,
    arriving: Arriving,
}

/// Makes the commits, and asks what a push of them brings.
fn pushed(commits: &[Vec<Step>]) -> Pushed {
    let stage = Stage::empty(&[]);
    let base = stage.commit(PERSON, &[("README.md", "hello\n")]);
    stage.write("../stream", &stream(&base, commits));
    let mut import = stage.command("git", &stage.work());
    import.args(["fast-import", "--quiet", "--force"]);
    import.stdin(fs::File::open(stage.path("stream")).unwrap());
    let output = import.output().unwrap();
    assert!(output.status.success(), "{}", super::stage::errors(&output));
    let tip = stage.done(&["rev-parse", "main"]);
    let until = Instant::now() + Duration::from_secs(60);
    let push = Push {
        tips: vec![tip.parse().unwrap()],
        has: vec![base.parse().unwrap()],
        ..Push::default()
    };
    let arriving = Outgoing::at(stage.work(), until).commits(&push, &selection(), || {}).unwrap();
    Pushed { stage, base, tip, arriving }
}

fn holds(commits: &[Vec<Step>]) {
    let Pushed { stage, base, tip, arriving } = pushed(commits);
    let paths = arriving.paths;
    assert_eq!(
        paths.offered,
        paths.judged + paths.links + paths.unknown + paths.unwatched,
        "{paths:?}"
    );
    // What git lists of the same commits, counted by itself.
    let range = format!("{base}..{tip}");
    let listed = |filter: &str, path: &[&str]| {
        let arguments =
            ["log", "--format=", "--name-only", "--no-renames", "-z", filter, &range, "--"];
        let output = stage.git(&[&["--literal-pathspecs"], &arguments[..], path].concat());
        output.stdout.split(|b| *b == 0).filter(|p| !p.is_empty()).count()
    };
    assert_eq!(paths.offered, listed("--diff-filter=AMT", &[]), "all that git lists is offered");
    let of: Vec<_> = arriving.commits.iter().map(|c| (c.files.len(), c.links.len())).collect();
    assert_eq!(paths.judged, of.iter().map(|c| c.0).sum::<usize>());
    assert_eq!(paths.links, of.iter().map(|c| c.1).sum::<usize>());
    let out = stage.path("out");
    fs::create_dir(&out).unwrap();
    let shell = format!("git archive {tip} | tar -x -C '{}'", out.display());
    let mut unpack: Command = stage.command("sh", &stage.work());
    assert!(unpack.args(["-c", &shell]).status().unwrap().success());
    for file in Reader::watched(&out) {
        let path = file.to_str().unwrap();
        let judged = arriving.commits.iter().flat_map(|c| &c.files);
        let judged = judged.filter(|f| f.path == path.as_bytes()).count();
        // What was a link before is none of this file.
        let arguments =
            ["log", "--format=%H", "--no-renames", "--diff-filter=AMT", &range, "--", path];
        let output = stage.git(&[&["--literal-pathspecs"], &arguments[..]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        let is_file = |commit: &&str| {
            let entry = stage.done(&["ls-tree", commit, "--", path]);
            entry.starts_with("100")
        };
        let changed = text.lines().filter(is_file).count();
        assert_eq!(judged, changed, "{path} is read under a watched name: {:?}", arriving.links);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn path_of_a_push_is_judged_named_or_not_watched(
        commits in prop::collection::vec(prop::collection::vec(step(), 1..5), 1..5)
    ) {
        holds(&commits);
    }
}

#[test]
fn path_behind_two_links_and_a_submodule_is_found() {
    let file = |path: &str| Step::File(path.to_owned(), 1);
    let link = |path: &str, target| Step::Link(path.to_owned(), target);
    holds(&[
        vec![file("d/p.md"), file("stuff/sub/q.md"), file("stuff/x.txt")],
        vec![link("local", "stuff"), link("stuff/plans", "../d")],
        vec![
            file("d/p.md"),
            link("research", "stuff/sub"),
            Step::Module("donn\u{e9}es".to_owned()),
        ],
        vec![file("stuff/sub/q.md"), link("stuff/sub/l.md", "../x.txt")],
        vec![file("stuff/x.txt"), Step::Gone("local".to_owned())],
    ]);
}

/// A file below so many directories in each other, and one behind so many links from one directory to the next.
fn deep(levels: usize) -> [Vec<Step>; 2] {
    let file = |path: String| Step::File(path, 1);
    let mut chain: Vec<Step> = vec![Step::Link("research/l".to_owned(), "../c0")];
    for n in 0..levels {
        let target: &'static str = Box::leak(format!("../c{}", n + 1).into_boxed_str());
        chain.push(Step::Link(format!("c{n}/l"), target));
    }
    chain.push(file(format!("c{levels}/x.txt")));
    [vec![file(format!("research/{}p.md", "a/".repeat(levels)))], chain]
}

#[test]
fn hostile_depth_ends_and_is_named() {
    for steps in deep(600) {
        let commits = [steps, vec![Step::File("code.rs".to_owned(), 1)]];
        let Pushed { arriving, .. } = pushed(&commits);
        assert_eq!((arriving.links.gap, arriving.paths.unknown), (None, 0));
    }
    // Of so many directories in each other git itself makes nothing.
    let [_, chain] = deep(2100);
    let commits = [chain, vec![Step::File("code.rs".to_owned(), 1)]];
    let Pushed { arriving, .. } = pushed(&commits);
    let why = arriving.links.gap.unwrap();
    assert!(why.contains("more than 2048 directories"), "{why}");
    let last = arriving.commits.first().unwrap();
    assert!(last.unknown.as_ref().unwrap().contains(&why), "{last:?}");
    let paths = arriving.paths;
    assert_eq!(paths.offered, paths.judged + paths.links + paths.unknown + paths.unwatched);
    assert!(paths.unknown >= 1 && paths.unwatched == 0, "{paths:?}");
}
