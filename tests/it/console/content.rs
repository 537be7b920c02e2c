//! What git can answer, made by hand: texts and differences, and every reason why there are none.

use foureyes::content::highlight::lines as colours;
use foureyes::content::{
    Absence, Base, Content, Diff, DiffLine, FileContent, LineKind, Nowhere, State, Where,
};
use foureyes::domain::Timestamp;
use foureyes::tui::model::HighlightedContent;
use std::path::PathBuf;
use std::sync::Arc;

const COMMIT: &str = "dead000200000000000000000000000000000002";

/// A page as it is judged.
const PAGE: &str = "# Rates in the third quarter\n\nThe majority of *banks* moved by `0.25`:\n\n\
    ```rust\nfn rate(base: f64) -> f64 {\n    base + 0.25 // a step\n}\n```\n\n\
    | bank | rate |\n|---|---|\n| A | 4.25 |\n\nSee [the table](table.md).\n";

/// Every answer with a name.
pub(super) fn all() -> Vec<(&'static str, Arc<HighlightedContent>)> {
    let nowhere = |why: Absence| Err(Nowhere { why, tried: Vec::new() });
    let named = |name, content| (name, Arc::new(highlighted(content)));
    let said = || "fatal: bad object".to_owned();
    let mut all = vec![
        named("text", Ok(content(PAGE))),
        named("states", Ok(states())),
        named("tried", Err(tried())),
    ];
    let absences = [
        ("no repository", Absence::NoRepository { box_name: "north".to_owned() }),
        ("no commit id", Absence::NoCommitId { text: "HEAD~1; ls".to_owned() }),
        ("ambiguous", Absence::Ambiguous { commits: 2 }),
        ("unknown", Absence::Unknown { fetched: false }),
        ("unknown and fetched", Absence::Unknown { fetched: true }),
        ("shallow", Absence::Shallow),
        ("fetch off", Absence::FetchOff),
        ("no remote", Absence::NoRemote),
        ("fetch failed", Absence::FetchFailed { reason: said() }),
        ("no clone", Absence::NoClone { path: PathBuf::from("/srv/judged"), reason: said() }),
        ("no git", Absence::NoGit),
        ("no git on the box", Absence::NoGitOnBox),
        ("no repository on the box", Absence::NoRepositoryOnBox),
        ("box unreachable", Absence::BoxUnreachable { reason: "timed out".to_owned() }),
        ("cancelled", Absence::Cancelled),
        ("failed", Absence::Failed { reason: said() }),
    ];
    all.extend(absences.into_iter().map(|(name, why)| named(name, nowhere(why))));
    all
}

/// The same text in every place that takes one.
pub(super) fn infested(payload: &str) -> [Arc<HighlightedContent>; 2] {
    let mut content = content(&format!("{payload}\nplain\n{payload}"));
    content.subject = payload.to_owned();
    content.author = payload.to_owned();
    content.committer = format!("{payload}!");
    content.source = Where::Box { name: payload.to_owned(), path: payload.replace('\0', "0") };
    content.files.push(file(payload, State::Link { target: payload.to_owned() }));
    content
        .files
        .push(file(payload, State::Absent(Absence::Failed { reason: payload.to_owned() })));
    for file in &mut content.files {
        file.path = payload.to_owned();
        file.diff.lines.iter_mut().for_each(|l| l.text = payload.to_owned());
    }
    let why = Absence::FetchFailed { reason: payload.to_owned() };
    let place = Where::Fetched { path: PathBuf::from(payload), remote: payload.to_owned() };
    let nowhere = Nowhere { why: why.clone(), tried: vec![(place, why)] };
    [Arc::new(highlighted(Ok(content))), Arc::new(highlighted(Err(nowhere)))]
}

/// So many files of one text, without colours.
pub(super) fn many(files: usize, text: &str) -> Arc<HighlightedContent> {
    let mut content = content(text);
    let first = content.files[0].clone();
    content.files = vec![first; files];
    Arc::new(HighlightedContent { content: Ok(content), kinds: Vec::new() })
}

fn highlighted(content: Result<Content, Nowhere>) -> HighlightedContent {
    let of = |file: &FileContent| match &file.state {
        State::Text { text, .. } => colours(text, &file.path, &|| false),
        _ => Vec::new(),
    };
    let kinds = content.as_ref().map(|c| c.files.iter().map(of).collect()).unwrap_or_default();
    HighlightedContent { content, kinds }
}

fn content(text: &str) -> Content {
    let state =
        State::Text { text: text.to_owned(), size: text.len() as u64, cut: false, lossy: false };
    Content {
        source: Where::Clone(PathBuf::from("/srv/judged")),
        commit: COMMIT.parse().unwrap(),
        subject: "Add the third quarter".to_owned(),
        author: "OpenClaw Agent".to_owned(),
        committer: "OpenClaw Agent".to_owned(),
        time: Timestamp::parse("2026-02-19T09:00:00Z"),
        base: Base::Parent("beef000000000000000000000000000000000000".parse().unwrap()),
        files: vec![file("research/market/rates.md", state)],
        left_out: 0,
    }
}

fn file(path: &str, state: State) -> FileContent {
    let line = |kind, old, new, text: &str| DiffLine { kind, old, new, text: text.to_owned() };
    let lines = vec![
        line(LineKind::Hunk, None, None, "-1,3 +1,3"),
        line(LineKind::Context, Some(1), Some(1), "# Rates in the third quarter"),
        line(LineKind::Removed, Some(2), None, "Some of the banks moved."),
        line(LineKind::Added, None, Some(2), "The majority of banks moved."),
        line(LineKind::Note, None, None, "no line end at the end of the file"),
    ];
    let diff = Diff { change: None, from: None, lines, cut: false };
    FileContent { path: path.to_owned(), state, diff }
}

/// One file of every state but the plain one.
fn states() -> Content {
    let text = |cut, lossy| State::Text { text: "A\nB\n".to_owned(), size: 9_000, cut, lossy };
    let files = [
        ("cut.md", text(true, false)),
        ("lossy.md", text(false, true)),
        ("binary.bin", State::Binary { size: 4_096 }),
        ("link.md", State::Link { target: "../other.md".to_owned() }),
        ("deleted.md", State::Deleted),
        ("out.md", State::Absent(Absence::PathLeaves)),
        ("nopath.md", State::Absent(Absence::NoPath)),
        ("other.md", State::Absent(Absence::NotAtCommit)),
        ("folder", State::Absent(Absence::Directory)),
        ("module", State::Absent(Absence::Submodule)),
        ("gone.md", State::Absent(Absence::NotHere)),
    ];
    let files = files.into_iter().map(|(path, state)| file(path, state)).collect();
    Content { files, base: Base::Cut, left_out: 3, ..content(PAGE) }
}

fn tried() -> Nowhere {
    let place = |p: &str| Where::Clone(PathBuf::from(p));
    let on_box = Where::Box { name: "north".to_owned(), path: "judged".to_owned() };
    Nowhere {
        why: Absence::Shallow,
        tried: vec![
            (place("/srv/judged"), Absence::Shallow),
            (place("/srv/empty"), Absence::NoGit),
            (on_box, Absence::BoxUnreachable { reason: "timed out".to_owned() }),
        ],
    }
}
