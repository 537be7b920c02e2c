//! What reviewers would have labelled of the made-up data, so that there is something to calibrate.

use super::truth::{Truths, doubtful, otherwise, truths};
use crate::assess::{Ask, AssessError, Evaluations, assess_loaded, completeness};
use crate::calibration::Readiness;
use crate::cli::operator::{ledger, reading};
use crate::cli::{Context, Failure};
use crate::collect::{self, SourceBox};
use crate::config::Sources;
use crate::domain::review::Reviewer;
use crate::domain::review::{Act, ContentHash, Label, Selection, Shown, Word};
use crate::domain::{JudgementKind, RecordId, Timestamp};
use crate::store::cache::{Archive, Located, Row};
use crate::store::ledger::{Ledger, fresh_id};
use std::path::Path;

/// Who labels each day, who gives the second labels that the program draws, and who decides where these
/// two differ. The ledgers of a family are its own, so that each goes on in time.
pub(super) fn reviewers(family: JudgementKind) -> [String; 3] {
    let of = if family.is_default() { String::new() } else { format!("{} ", family.as_str()) };
    [format!("demo {of}reviewer"), format!("second demo {of}reviewer"), format!("demo {of}lead")]
}

/// The latest days are left for whoever tries it.
const LEFT: usize = 1;
/// Microseconds of an hour.
const HOUR: i64 = 3_600_000_000;

/// Labels all days but the latest, as the content was planted. `dir` holds logs, configuration
/// and truth.
pub(super) fn plant(context: &Context, dir: &Path) -> Result<(), Failure> {
    let truth = std::fs::read_to_string(dir.join("truth.jsonl"))?;
    let truths = truths(&truth);
    let flag_path = Some(dir.join(super::CONFIG));
    let sources = Sources { flag_path, environment: context.environment.clone() };
    let config = crate::config::load(&sources).map_err(crate::cli::context::config_failure)?.config;
    let collected = collect::configured(&context.data, &config, context.now);
    let archive = collected.open(&reading::settings(context, &config), &|_| {});
    let archive = archive.map_err(reading::cache_failure)?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    // Windows first: an entry counts from when those before it were written.
    for begins in [true, false] {
        for family in JudgementKind::ALL {
            let evaluations = Evaluations::load(&archive, family, &|| false);
            let evaluations =
                evaluations.map_err(|AssessError::Cache(error)| reading::cache_failure(error))?;
            let Some(evaluations) = evaluations else { continue };
            let (now, boxes, ledgers) = (context.now, &collected.boxes[..], &mut ledgers);
            let (archive, truths) = (&archive, &truths);
            let mut planting =
                Planting { family, now, boxes, archive, evaluations, truths, ledgers };
            if begins { planting.begin()? } else { planting.run()? }
        }
    }
    super::peers::plant(&archive, &config, &mut ledgers, context.now)?;
    super::relevance::plant(&archive, &truth, &mut ledgers, context.now)
}

/// What labels are planted on.
pub(super) struct Planting<'a> {
    pub(super) family: JudgementKind,
    now: Timestamp,
    boxes: &'a [SourceBox],
    archive: &'a Archive,
    pub(super) evaluations: Evaluations,
    truths: &'a Truths,
    ledgers: &'a mut Ledger,
}

impl Planting<'_> {
    /// Labels the days.
    fn run(&mut self) -> Result<(), Failure> {
        let Some(start) = self.first_day() else { return Ok(()) };
        let reviewers = reviewers(self.family);
        let [reviewer, second_reviewer, lead] = reviewers.each_ref().map(String::as_str);
        let days = self.readiness().days;
        let labelled = days.len().saturating_sub(LEFT);
        let mut last = start;
        for day in days.iter().take(labelled) {
            let labels = self.words(&day.missing)?.into_iter().map(blind_label).collect();
            let midnight = Timestamp::parse_day(&day.day).unwrap_or(last);
            last = Timestamp(midnight.0 + 18 * HOUR);
            self.label(reviewer, last, labels)?;
        }
        // Which second labels are asked for depends on the first ones, and third ones on where they differ.
        self.further(second_reviewer, Timestamp(last.0 + HOUR), otherwise)?;
        self.further(lead, Timestamp(last.0 + 2 * HOUR), |_, word| word)?;
        let settled = self.words(&self.readiness().conflicts)?.into_iter();
        let settled = settled.map(|word| Label { adjudicates: true, ..blind_label(word) });
        self.label(lead, Timestamp(last.0 + 3 * HOUR), settled.collect())
    }

    pub(super) fn append(&mut self, by: &str, at: Timestamp, act: &Act) -> Result<(), Failure> {
        let by = Reviewer { name: by.to_owned(), machine: "demo".to_owned() };
        self.ledgers.append(&by, fresh_id(at), at, act).map(drop).map_err(ledger::failure)
    }

    pub(super) fn label(
        &mut self,
        by: &str,
        at: Timestamp,
        labels: Vec<Label>,
    ) -> Result<(), Failure> {
        match labels.is_empty() {
            true => Ok(()),
            false => self.append(by, at, &Act::Labels { labels, import: None }),
        }
    }

    /// The answer with the labels that there are.
    pub(super) fn readiness(&self) -> Readiness {
        let (complete_until, missing_boxes) = completeness(self.boxes, self.now);
        let ask = Ask::new(self.family, self.now, complete_until, &missing_boxes);
        assess_loaded(&self.evaluations, &self.ledgers.present(self.now), &ask).readiness
    }

    /// What a reviewer finds records to be.
    pub(super) fn words(&self, records: &[RecordId]) -> Result<Vec<(RecordId, Word)>, Failure> {
        let rows = records.iter().map(|id| self.archive.find_row(*id));
        let rows: Result<Vec<Option<Row>>, _> = rows.collect();
        let rows: Vec<Row> = rows.map_err(reading::cache_failure)?.into_iter().flatten().collect();
        let located = self.archive.records(&rows).map_err(reading::row_failure)?;
        let word = |located: Located| {
            let row = located.record;
            let of = |name: Option<String>| name.and_then(|name| self.truths.get(&name));
            let word = of(row.commit).or_else(|| of(row.task_id));
            // Of what nothing is known nobody could tell; a day without its label would stay open.
            (row.id, word.filter(|_| !doubtful(&row.id)).copied().unwrap_or(Word::Unsure))
        };
        Ok(located.into_iter().map(word).collect())
    }
}

/// A label as somebody would have typed it with the content before them; the hash is made up.
pub(super) fn blind_label((record, word): (RecordId, Word)) -> Label {
    let shown = Some(Shown::Content(ContentHash(record.0)));
    Label { blind: true, selection: Selection::Picked, shown, ..Label::new(record, word) }
}
