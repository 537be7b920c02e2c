//! Records as plain values, and the frame made of them.

use foureyes::domain::review::{OverrideWord, PeerOpinion, Review, Reviews, Word};
use foureyes::domain::{RecordId, Timestamp};
use foureyes::frame::grouped::Values;
use foureyes::frame::{Frame, schema};

/// What the frame knows of one record.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) id: [u8; 32],
    pub(super) box_index: u32,
    pub(super) ts: Option<i64>,
    pub(super) family: u32,
    pub(super) outcome: u32,
    pub(super) cause: u32,
    pub(super) repeat: bool,
    pub(super) settled: u32,
    pub(super) round: u32,
    pub(super) escalation: bool,
    pub(super) overtaken: bool,
    /// A round that left its run open.
    pub(super) is_open: bool,
    pub(super) latency: Option<i64>,
    pub(super) scores: [Option<f32>; 3],
    pub(super) odd_score: bool,
    pub(super) commit: Option<String>,
    pub(super) task: Option<String>,
    pub(super) author: Option<String>,
    pub(super) model: Option<String>,
    pub(super) served: Option<String>,
    pub(super) verdict: Option<String>,
    pub(super) files: Vec<String>,
    pub(super) findings: Option<String>,
    pub(super) mode: Option<String>,
    pub(super) reviewer: Option<String>,
    pub(super) consensus: Option<String>,
    pub(super) tier: Option<String>,
    pub(super) depth: Option<String>,
    pub(super) terms: Option<String>,
}

impl Row {
    /// 1 for a push verdict, 2 for one on a task, 0 for what no judge gave.
    pub(super) fn evaluation(&self) -> u32 {
        match self.family {
            _ if [8, 15, 16].contains(&self.cause) || self.is_open => 0,
            0 => 1,
            1 | 2 => 2,
            _ => 0,
        }
    }
}

/// A push evaluation that said GO, at a time of that text.
pub(super) fn go(time: &str) -> Row {
    Row {
        id: [0; 32],
        box_index: 0,
        ts: Timestamp::parse(time).map(|t| t.0),
        family: 0,
        outcome: 0,
        cause: 0,
        repeat: false,
        settled: 0,
        round: 0,
        escalation: false,
        overtaken: false,
        is_open: false,
        latency: Some(1_000),
        scores: [Some(4.0), Some(5.0), Some(5.0)],
        odd_score: false,
        commit: None,
        task: None,
        author: None,
        model: None,
        served: None,
        verdict: Some("GO".to_owned()),
        files: Vec::new(),
        findings: None,
        mode: None,
        reviewer: None,
        consensus: None,
        tier: None,
        depth: None,
        terms: None,
    }
}

/// The boxes that [`Row::box_index`] counts.
pub(super) fn boxes() -> Vec<String> {
    ["small", "Small-2", "big"].map(str::to_owned).to_vec()
}

/// What people say of a record: its id decides.
pub(super) fn review(id: [u8; 32]) -> Option<Review> {
    let label = [None, Some(Word::Acceptable), Some(Word::Poor), Some(Word::Unsure)];
    let decision = [None, Some(OverrideWord::Accept), Some(OverrideWord::Reject)];
    let (label, decision) = (label[usize::from(id[0] % 4)], decision[usize::from(id[9] % 3)]);
    let reviewers = match (label, decision) {
        (None, None) => return None,
        (Some(Word::Unsure), _) => vec!["llama".to_owned(), "Timeout at ÉTUDE".to_owned()],
        _ => vec!["small".to_owned()],
    };
    let held = [None, Some(true), Some(false)][usize::from(id[17] % 3)];
    // Two who are unsure may differ in what they said before, or not at all.
    let conflict = reviewers.len() > 1 && id[1].is_multiple_of(2);
    let claimed = [None, Some("anna"), Some("Hannah")][usize::from(id[18] % 3)];
    let (labelled_by, claimed_by) = (reviewers.clone(), claimed.map(str::to_owned));
    let assigned = [&[][..], &["anna"], &["bert", "Anna B"]][usize::from(id[19] % 3)];
    let assigned_to = assigned.iter().map(|name| (*name).to_owned()).collect();
    let peer = [
        None,
        Some(PeerOpinion::Agrees),
        Some(PeerOpinion::Differs),
        Some(PeerOpinion::Undetermined),
    ][usize::from(id[20] % 4)];
    Some(Review {
        label,
        conflict,
        decision,
        held,
        labelled_by,
        reviewers,
        claimed_by,
        assigned_to,
        peer,
    })
}

/// What they say of all.
pub(super) fn reviews(rows: &[Row]) -> Reviews {
    let said = rows.iter().filter_map(|row| Some((RecordId(row.id), review(row.id)?)));
    Reviews::new(said.collect())
}

/// How far the last visit reached in the logs: one a box, where a record is at the byte of its round.
pub(super) const REACHED: [u64; 2] = [2, 0];

/// The frame of these records.
pub(super) fn frame(rows: &[Row]) -> Frame {
    let columns = fixed(rows).into_iter().chain(texts(rows));
    Frame::of_columns(columns.collect()).unwrap()
}

/// The same with some columns alone.
pub(super) fn frame_with(names: &[&str], rows: &[Row]) -> Frame {
    let columns = fixed(rows).into_iter().chain(texts(rows));
    Frame::of_columns(columns.filter(|(name, _)| names.contains(name)).collect()).unwrap()
}

/// A name and its values.
type Column = (&'static str, Values);

fn fixed(rows: &[Row]) -> Vec<Column> {
    fn column<T>(name: &'static str, rows: &[Row], of: impl Fn(&Row) -> T) -> Column
    where
        Values: FromValues<T>,
    {
        (name, Values::of_values(rows.iter().map(of).collect()))
    }
    let mut columns: Vec<Column> = (0..4)
        .map(|i| column(schema::ID[i], rows, |r| RecordId(r.id).word(i)))
        .chain((0..3).map(|i| column(schema::SCORES[i], rows, |r| r.scores[i])))
        .collect();
    columns.extend([
        column(schema::BOX, rows, |r| r.box_index),
        column(schema::FILE, rows, |r| r.box_index),
        column(schema::BYTE, rows, |r| u64::from(r.round)),
        column(schema::TS, rows, |r| r.ts),
        column(schema::FAMILY, rows, |r| r.family),
        column(schema::OUTCOME, rows, |r| r.outcome),
        column(schema::CAUSE, rows, |r| r.cause),
        column(schema::EVALUATION, rows, Row::evaluation),
        column(schema::RUN_LATENCY, rows, |_| 0_u32),
        column(schema::ESCALATION, rows, |r| r.escalation),
        column(schema::REPORTS_OUTAGES, rows, |_| true),
        column(schema::REPEAT, rows, |r| r.repeat),
        column(schema::SETTLED, rows, |r| r.settled),
        column(schema::RUN, rows, |_| 0_u64),
        column(schema::OVERTAKEN, rows, |r| r.overtaken),
        column(schema::ROUND, rows, |r| r.round),
        column(schema::LATENCY, rows, |r| r.latency),
        column(schema::ODD_SCORE, rows, |r| r.odd_score),
    ]);
    columns
}

fn texts(rows: &[Row]) -> Vec<Column> {
    let files = |r: &Row| {
        let joined: String = r.files.iter().map(|f| format!("\0{f}")).collect();
        Some(joined).filter(|f| !f.is_empty())
    };
    let column = |name: &'static str, of: &dyn Fn(&Row) -> Option<String>| {
        (name, Values::Texts(rows.iter().map(of).collect()))
    };
    vec![
        column(schema::COMMIT, &|r| r.commit.clone()),
        column(schema::TASK, &|r| r.task.clone()),
        column(schema::AUTHOR, &|r| r.author.clone()),
        column(schema::MODEL, &|r| r.model.clone()),
        column(schema::SERVED_MODEL, &|r| r.served.clone()),
        column(schema::VERDICT, &|r| r.verdict.clone()),
        column(schema::FILES, &files),
        column(schema::FINDINGS, &|r| r.findings.clone()),
        column(schema::MODE, &|r| r.mode.clone()),
        column(schema::REVIEWER, &|r| r.reviewer.clone()),
        column(schema::CONSENSUS, &|r| r.consensus.clone()),
        column(schema::TIER, &|r| r.tier.clone()),
        column(schema::DEPTH, &|r| r.depth.clone()),
        column(schema::TERMS, &|r| r.terms.clone()),
    ]
}

/// The values of a column, of one type.
trait FromValues<T> {
    fn of_values(values: Vec<T>) -> Self;
}

macro_rules! from_values {
    ($($t:ty => $variant:ident),*) => {$(
        impl FromValues<$t> for Values {
            fn of_values(values: Vec<$t>) -> Self {
                Self::$variant(values)
            }
        }
    )*};
}

from_values!(u32 => Codes, u64 => Words, bool => Flags, Option<i64> => Whole, Option<f32> => Scores);
