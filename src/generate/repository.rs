//! The repository whose files were judged: made in one go, its commits the same on every machine.

use super::plan::{Cell, Plan};
use super::protocol_run::ProtocolRun;
use super::recipe::fill;
use super::schedule::{Entry, Schedule};
use super::stream::Stream;
use super::{Error, folder::Folder};
use crate::domain::Timestamp;
use crate::engine::prompt::{JudgedFile, Material};
use crate::git::{Call, CommitId, Surroundings};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt::Write;
use std::fs;

/// The most pushes, and the most runs of tasks, that get a commit: the latest ones.
const MOST: u64 = 2_400;
/// Commits that a hook without its key lets pass in silence.
const SILENT: u64 = 9;

/// Whose content a commit holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Judged {
    /// Box, day and slot of a push.
    Push(u32, u32, u64),
    /// Box and number of a run at the end of a task.
    Run(u32, u64),
}

/// The commits of the repository by what judged them.
#[derive(Debug, Default)]
pub(super) struct Commits {
    ids: HashMap<Judged, CommitId>,
    /// The hash of what each of them holds, as the engine makes it.
    contents: HashMap<Judged, String>,
    /// Agents' commits with watched files.
    pub(super) watched: u64,
    /// Those without a record.
    pub(super) unjudged: u64,
}

impl Commits {
    /// The commit of a push, if it is one of the latest.
    pub(super) fn commit(&self, cell: &Cell, slot: u64) -> Option<&CommitId> {
        if self.ids.is_empty() {
            return None;
        }
        self.ids.get(&Judged::Push(cell.box_number, cell.day, slot))
    }

    /// The hash of what the commit of a push holds.
    pub(super) fn content_sha(&self, cell: &Cell, slot: u64) -> Option<&str> {
        self.contents.get(&Judged::Push(cell.box_number, cell.day, slot)).map(String::as_str)
    }

    /// The commit of a run of a box, and the hash of what it holds; of the latest runs.
    pub(super) fn run(&self, box_number: u32, number: u64) -> Option<(&str, &str)> {
        let run = Judged::Run(box_number, number);
        Some((self.ids.get(&run)?.as_str(), self.contents.get(&run)?))
    }
}

/// One commit to be made.
#[derive(Debug)]
struct Planned {
    time: Timestamp,
    by: String,
    files: Vec<String>,
    topic: u64,
    poor: bool,
    /// What has a record on it.
    judged: Option<Judged>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An agent's, of watched files.
    Agent,
    /// A person's, or of files that nobody watches.
    Other,
    /// An agent's that only deletes.
    Delete,
}

/// Makes the repository and says which push has which commit.
pub(super) fn make(plan: &Plan, folder: &Folder) -> Result<Commits, Error> {
    let mut planned = planned(plan);
    let pushes = planned.len();
    planned.extend(results(plan));
    // Results of tasks have a branch of their own: commits of pushes are the same with and without them.
    let mut import = Import { branch: "refs/heads/main", ..Import::default() };
    for (n, commit) in planned.iter().enumerate() {
        if n == pushes {
            (import.branch, import.tip) = ("refs/heads/tasks", None);
        }
        import.commit(plan, n, commit);
    }
    let contents = std::mem::take(&mut import.contents);
    import.out.push_str("done\n");
    let dir = folder.root().join("repository");
    let git = |call: Call| call.output().map_err(|source| Error::Git { source });
    let bare = Surroundings::Bare;
    let init = Call::new(folder.root(), "init", bare);
    git(init
        .args(["--quiet", "--template=", "--initial-branch=main", "--object-format=sha1", "--"])
        .arg("repository"))?;
    let marks = dir.join(".git").join("foureyes-marks");
    let mut option = std::ffi::OsString::from("--export-marks=");
    option.push(&marks);
    let call = Call::new(&dir, "fast-import", bare).args(["--quiet", "--done"]).arg(option);
    git(call.input(import.out.into_bytes()))?;
    if pushes > 0 {
        git(Call::new(&dir, "reset", bare).args(["--quiet", "--hard", "refs/heads/main"]))?;
    }
    let read = |source| Error::Read { path: marks.clone(), source };
    let text = fs::read_to_string(&marks).map_err(read)?;
    fs::remove_file(&marks).map_err(read)?;
    Ok(Commits { contents, ..collect(&planned, &text) })
}

/// Reads `:mark id` lines.
fn collect(planned: &[Planned], marks: &str) -> Commits {
    let mut commits = Commits::default();
    for line in marks.lines() {
        let Some((mark, id)) = line.strip_prefix(':').and_then(|l| l.split_once(' ')) else {
            continue;
        };
        let place = mark.parse::<usize>().ok().and_then(|m| m.checked_sub(1));
        let (Some(commit), Ok(id)) = (place.and_then(|p| planned.get(p)), id.parse()) else {
            continue;
        };
        commits.watched += u64::from(commit.kind == Kind::Agent);
        match commit.judged {
            Some(key) => drop(commits.ids.insert(key, id)),
            None => commits.unjudged += u64::from(commit.kind == Kind::Agent),
        }
    }
    commits
}

/// All commits in the order of their time.
fn planned(plan: &Plan) -> Vec<Planned> {
    let days = plan.spec.days;
    let mut all = Vec::new();
    let each = MOST / u64::from(plan.spec.boxes);
    for box_number in 0..plan.spec.boxes {
        let mut left = each;
        for day in (0..days).rev() {
            let Some(cell) = plan.cell(box_number, day) else { continue };
            let from = cell.count.saturating_sub(left);
            left -= cell.count - from;
            all.extend((from..cell.count).filter_map(|slot| pushed(plan, cell, slot)));
        }
    }
    all.extend((0..SILENT).map(|n| silent(plan, n)));
    all.extend((0..12).map(|n| other(plan, n)));
    in_order(all)
}

/// The results of the latest tasks whose runs name a commit.
fn results(plan: &Plan) -> Vec<Planned> {
    if plan.spec.families == super::Families::Push {
        return Vec::new();
    }
    let result = |begin: Timestamp, box_number, run: ProtocolRun| Planned {
        time: Timestamp(begin.0 - 60_000_000),
        by: plan.recipe.agents[run.agent].clone(),
        files: vec![run.file],
        topic: run.topic,
        poor: run.poor,
        judged: Some(Judged::Run(box_number, run.number)),
        kind: Kind::Other,
    };
    let mut all = Vec::new();
    for box_number in 0..plan.spec.boxes {
        let mut latest = VecDeque::new();
        let schedule = Schedule::new(plan, box_number);
        let total = schedule.total();
        for (before, entry) in schedule {
            if let Entry::Protocol { run, .. } = entry {
                latest.push_back(result(run.begin(plan, before, total), box_number, run));
                if latest.len() as u64 > MOST / u64::from(plan.spec.boxes) {
                    latest.pop_front();
                }
            }
        }
        all.extend(latest);
    }
    in_order(all)
}

fn in_order(mut all: Vec<Planned>) -> Vec<Planned> {
    all.sort_by(|a, b| (a.time, a.judged, &a.files).cmp(&(b.time, b.judged, &b.files)));
    all
}

/// The commit of a push that has a record; a push tried again has none of its own.
fn pushed(plan: &Plan, cell: &Cell, slot: u64) -> Option<Planned> {
    let seen = plan.evaluation(cell, slot);
    let mut stream = plan.seed.stream("commit", [cell.box_number.into(), cell.day.into(), slot]);
    let before = 1 + stream.below(90) as i64;
    let topic = seen.event.topic;
    (!seen.repeat).then(|| Planned {
        time: Timestamp(seen.event.time.0 - before * 1_000_000),
        by: plan.recipe.agents[seen.event.agent].clone(),
        files: seen.event.files.iter().map(|f| plan.file(*f, topic)).collect(),
        topic,
        poor: seen.event.poor,
        judged: Some(Judged::Push(cell.box_number, cell.day, slot)),
        kind: Kind::Agent,
    })
}

/// A commit that a hook without its key let pass: two mornings of the last week.
fn silent(plan: &Plan, n: u64) -> Planned {
    let mut stream = plan.seed.stream("silent", [n, 0, 0]);
    let day = plan.spec.days.saturating_sub(4 + (n % 2) as u32).max(1) - 1;
    let topic = stream.below(plan.recipe.topics.len() as u64);
    let second = 18_000 + stream.below(14_000) as i64;
    let time = plan.start(day).0 + second * 1_000_000;
    Planned {
        time: Timestamp(time.min(plan.spec.end.0 - 1_000_000)),
        by: plan.recipe.agents[0].clone(),
        files: vec![plan.file((0, 40 + n), topic)],
        topic,
        poor: stream.chance(0.15),
        judged: None,
        kind: Kind::Agent,
    }
}

/// A commit that no hook judges: a person's, one of other files, or one that only deletes.
fn other(plan: &Plan, n: u64) -> Planned {
    let mut stream = plan.seed.stream("other", [n, 0, 0]);
    let recipe = &plan.recipe;
    let topic = stream.below(recipe.topics.len() as u64);
    let (by, files, kind) = match n % 3 {
        0 => (stream.pick(&recipe.people), vec![plan.file((1, 60 + n), topic)], Kind::Other),
        1 => (&recipe.agents[0], vec![format!("scripts/step-{n}.sh")], Kind::Other),
        _ => (&recipe.agents[0], Vec::new(), Kind::Delete),
    };
    let time = plan.instant((n as f64 + stream.unit()) / 12.0);
    Planned { time, by: by.clone(), files, topic, poor: false, judged: None, kind }
}

/// The stream for `git fast-import`.
#[derive(Debug, Default)]
struct Import {
    out: String,
    branch: &'static str,
    present: BTreeSet<String>,
    /// A commit that stands on a side branch until the next one merges it.
    side: Option<usize>,
    /// The files of that commit as the stream has them, for the merge to hold them too.
    side_files: String,
    tip: Option<usize>,
    /// The hash of what each of them holds.
    contents: HashMap<Judged, String>,
}

impl Import {
    /// Adds a commit, with mark `n + 1`.
    fn commit(&mut self, plan: &Plan, n: usize, commit: &Planned) {
        let mut stream = plan.seed.stream("content", [n as u64, 0, 0]);
        let mark = n + 1;
        // Now and then a commit is made beside the next one, and merged by it.
        let aside = commit.kind == Kind::Agent && n % 37 == 20 && self.tip.is_some();
        let branch = if aside { "refs/heads/side" } else { self.branch };
        let email = commit.by.to_lowercase().replace(' ', ".");
        let who = format!("{} <{email}@example.invalid>", commit.by);
        let (seconds, message) = (commit.time.0.div_euclid(1_000_000), self.message(plan, commit));
        let _ = write!(
            self.out,
            "commit {branch}\nmark :{mark}\nauthor {who} {seconds} +0000\n\
             committer {who} {seconds} +0000\ndata {}\n{message}\n",
            message.len()
        );
        if let Some(tip) = self.tip {
            let _ = writeln!(self.out, "from :{tip}");
        }
        if aside {
            self.side = Some(mark);
        } else {
            if let Some(side) = self.side.take() {
                let _ = writeln!(self.out, "merge :{side}");
            }
            self.tip = Some(mark);
            self.out.push_str(&std::mem::take(&mut self.side_files));
        }
        let start = self.out.len();
        self.files(plan, commit, n, &mut stream);
        if aside {
            self.side_files = self.out[start..].to_owned();
        }
        self.out.push('\n');
    }

    fn message(&self, plan: &Plan, commit: &Planned) -> String {
        let topic = plan.recipe.topic(commit.topic);
        match commit.kind {
            Kind::Delete => "Remove an outdated note".to_owned(),
            _ => format!("Notes on {topic}"),
        }
    }

    fn files(&mut self, plan: &Plan, commit: &Planned, n: usize, stream: &mut Stream) {
        if commit.kind == Kind::Delete {
            if let Some(file) = self.present.pop_first() {
                let _ = writeln!(self.out, "D {file}");
            }
            return;
        }
        let mut judged = Vec::new();
        for file in &commit.files {
            let text = note(plan, commit, n, stream);
            let _ = write!(self.out, "M 100644 inline {file}\ndata {}\n{text}\n", text.len());
            self.present.insert(file.clone());
            judged.push(JudgedFile { path: file.clone().into_bytes(), bytes: text.into_bytes() });
        }
        if let Some(judged_by) = commit.judged {
            self.contents.insert(judged_by, Material::new(&judged).sha());
        }
    }
}

/// The text of a note: what makes it poor can be seen by a reader.
fn note(plan: &Plan, commit: &Planned, n: usize, stream: &mut Stream) -> String {
    let recipe = &plan.recipe;
    let topic = recipe.topic(commit.topic);
    let words = if commit.poor { &recipe.paragraph_bad } else { &recipe.paragraph_good };
    let mut text = format!("# On {topic}\n\nRevision {}, {}.\n", n + 1, commit.time.day_text());
    // No sentence comes twice before all have come: a note that contradicts itself is no good one.
    let mut left: Vec<&String> = Vec::new();
    for part in ["What we know", "What follows", "Open questions"] {
        let _ = write!(text, "\n## {part}\n\n");
        for _ in 0..1 + stream.below(3) {
            if left.is_empty() {
                left.extend(words);
            }
            let sentence = left.swap_remove(stream.below(left.len() as u64) as usize);
            fill(&mut text, sentence, topic, stream);
            text.push('\n');
        }
    }
    text
}
