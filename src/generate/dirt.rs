//! The kinds of dirt, and which record gets which.

use super::stream::Seed;

/// A way in which real logs differ from the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Scores as text: `"4"`.
    ScoresAsText,
    /// Scores as floats: `4.0`.
    ScoresAsFloats,
    /// Scores beside the verdict instead of under `scores`.
    ScoresFlat,
    /// A score outside 1 to 5.
    ScoreOutOfRange,
    /// An average without a decimal point.
    AverageAsInteger,
    /// Improvements as plain strings.
    ImprovementsAsText,
    /// A key that is not there.
    MissingKey,
    /// `task_id` is `unknown`.
    UnknownTask,
    /// No timestamp.
    Undated,
    /// Keys in another order.
    KeyOrder,
    /// Fields of no known name.
    UnknownField,
    /// A verdict that is not one of the exact words.
    UnknownWord,
    /// Code fences in the findings.
    CodeFence,
    /// Escapes, markup, instructions, secrets in the findings.
    HostileText,
    /// Such text as author and as name of a file.
    HostileName,
    /// A line that ends in CR LF.
    CrLf,
    /// A record indented over several lines.
    Indented,
    /// A record twice in a file.
    Twice,
    /// A record twice, its keys in another order.
    TwiceReordered,
    /// A record in the logs of two boxes.
    OnBothBoxes,
    /// Two records on one line.
    TwoOnOneLine,
    /// A torn head with a whole record behind it on the line.
    TornHead,
    /// A line that was half overwritten.
    HalfOverwritten,
    /// A key given twice.
    DuplicateKey,
    /// Bytes that are no UTF-8.
    InvalidUtf8,
    /// A line that is no JSON object.
    Garbage,
    /// An empty line.
    Blank,
    /// A line of spaces.
    White,
    /// An empty file.
    EmptyFile,
    /// Records of today in the file of yesterday.
    GrownYesterday,
    /// The last line of today's file, not complete yet.
    Incomplete,
    /// A whole last record without its newline.
    NoFinalNewline,
}

/// What befalls single records of the push log, in turn.
pub(super) const PUSH: &[Kind] = &[
    Kind::ScoresAsText,
    Kind::Indented,
    Kind::HostileText,
    Kind::Twice,
    Kind::DuplicateKey,
    Kind::MissingKey,
    Kind::TornHead,
    Kind::ScoresFlat,
    Kind::Blank,
    Kind::Undated,
    Kind::OnBothBoxes,
    Kind::CodeFence,
    Kind::TwoOnOneLine,
    Kind::HalfOverwritten,
    Kind::KeyOrder,
    Kind::Garbage,
    Kind::UnknownWord,
    Kind::CrLf,
    Kind::InvalidUtf8,
    Kind::ScoresAsFloats,
    Kind::HostileName,
    Kind::TwiceReordered,
    Kind::ScoreOutOfRange,
    Kind::White,
    Kind::UnknownField,
];

/// What befalls single records of the task log, in turn.
pub(super) const TASK: &[Kind] = &[
    Kind::ImprovementsAsText,
    Kind::AverageAsInteger,
    Kind::UnknownTask,
    Kind::Indented,
    Kind::ScoresAsText,
    Kind::MissingKey,
    Kind::Undated,
    Kind::HostileText,
    Kind::KeyOrder,
    Kind::Twice,
    Kind::DuplicateKey,
    Kind::ScoresFlat,
    Kind::CodeFence,
    Kind::Garbage,
    Kind::UnknownWord,
    Kind::TornHead,
];

impl Kind {
    /// The name in the summary.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ScoresAsText => "scores_as_text",
            Self::ScoresAsFloats => "scores_as_floats",
            Self::ScoresFlat => "scores_flat",
            Self::ScoreOutOfRange => "score_out_of_range",
            Self::AverageAsInteger => "average_as_integer",
            Self::ImprovementsAsText => "improvements_as_text",
            Self::MissingKey => "missing_key",
            Self::UnknownTask => "unknown_task",
            Self::Undated => "undated",
            Self::KeyOrder => "key_order",
            Self::UnknownField => "unknown_field",
            Self::UnknownWord => "unknown_word",
            Self::CodeFence => "code_fence",
            Self::HostileText => "hostile_text",
            Self::HostileName => "hostile_name",
            Self::CrLf => "cr_lf",
            Self::Indented => "indented",
            Self::Twice => "twice",
            Self::TwiceReordered => "twice_reordered",
            Self::OnBothBoxes => "on_both_boxes",
            Self::TwoOnOneLine => "two_on_one_line",
            Self::TornHead => "torn_head",
            Self::HalfOverwritten => "half_overwritten",
            Self::DuplicateKey => "duplicate_key",
            Self::InvalidUtf8 => "invalid_utf8",
            Self::Garbage => "garbage",
            Self::Blank => "blank",
            Self::White => "white",
            Self::EmptyFile => "empty_file",
            Self::GrownYesterday => "grown_yesterday",
            Self::Incomplete => "incomplete",
            Self::NoFinalNewline => "no_final_newline",
        }
    }
}

/// Spreads dirt over records: one in each run of `period` records, the kinds in turn.
///
/// So even a short log holds every kind, and which record is dirty depends on nothing else.
#[derive(Debug)]
pub(super) struct Dirt {
    period: Option<u64>,
    seed: Seed,
}

impl Dirt {
    pub(super) fn new(share: f64, seed: Seed) -> Self {
        let period = (share > 0.0).then(|| (1.0 / share).round().max(2.0) as u64);
        Self { period, seed }
    }

    /// Tells whether everything is clean.
    pub(super) fn is_none(&self) -> bool {
        self.period.is_none()
    }

    /// The dirt of the record at a place of a log, and how often all kinds had their turn before.
    pub(super) fn at(&self, kinds: &[Kind], log: &str, place: u64) -> Option<(Kind, u64)> {
        self.places(kinds, log, place, 1).next().map(|(_, kind, turn)| (kind, turn))
    }

    /// The dirty places among `count` from `first` on.
    pub(super) fn places<'a>(
        &'a self,
        kinds: &'a [Kind],
        log: &'a str,
        first: u64,
        count: u64,
    ) -> impl Iterator<Item = (u64, Kind, u64)> + 'a {
        let period = self.period.unwrap_or(u64::MAX);
        let runs = self.period.map_or(0..0, |p| first / p..(first + count).div_ceil(p));
        runs.map(move |run| {
            let place = run * period + self.seed.stream(log, [u64::MAX, 0, run]).below(period);
            let all = kinds.len() as u64;
            (place, kinds[(run % all) as usize], run / all)
        })
        .filter(move |(place, ..)| (first..first + count).contains(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_period_has_one_dirty_record_and_kinds_alternate() {
        let dirt = Dirt::new(0.05, Seed::new(1));
        let all: Vec<_> = dirt.places(PUSH, "push", 0, 2_000).collect();
        assert_eq!(all.len(), 100);
        assert!(PUSH.iter().all(|kind| all.iter().filter(|(_, k, _)| k == kind).count() == 4));
        let single = (0..2_000).filter_map(|p| dirt.at(PUSH, "push", p).map(|(k, t)| (p, k, t)));
        assert!(single.eq(all.iter().copied()));
        assert!(Dirt::new(0.0, Seed::new(1)).at(PUSH, "push", 0).is_none());
    }
}
