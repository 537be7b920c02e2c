//! What was assigned to reviewers, and how far they are.

use crate::assignments::{ReviewerWork, Work};
use crate::calibration::Pair;
use crate::config::ReviewerShare;
use crate::domain::Timestamp;
use crate::domain::review::{Act, EntryId, Present};
use crate::frame::trend::Rate;
use crate::report::{PlainOrJson, counted};
use crate::text::escape::line as visible;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// What was assigned.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AssignDocument {
    /// `foureyes/fleet-assign/1`.
    schema: &'static str,
    /// Nothing was saved.
    dry_run: bool,
    /// What each reviewer got, in the order of their names.
    assignments: Vec<AssignmentRow>,
    /// Assignments that were ended.
    released: u64,
    /// Places for which nobody was left: all reviewers have their load, or labelled the record.
    left: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct AssignmentRow {
    /// The reviewer.
    reviewer: String,
    /// When the assignment ends.
    #[schemars(with = "String", extend("format" = "date-time"))]
    until: Timestamp,
    /// Records of which theirs is the first label.
    records: u64,
    /// Records that two reviewers label, and theirs is the second place.
    second: u64,
    /// Those that somebody else had assigned at the same time, to others.
    lost: u64,
}

impl AssignDocument {
    /// Of what is saved, or would be.
    pub fn new(acts: &[Act], left: usize, dry_run: bool) -> Self {
        let row = |act: &Act| match act {
            Act::Assignment(own) => Some(AssignmentRow {
                reviewer: own.reviewer.clone(),
                until: own.until,
                records: own.records.len() as u64,
                second: own.second.len() as u64,
                lost: 0,
            }),
            _ => None,
        };
        let assignments: Vec<_> = acts.iter().filter_map(row).collect();
        let released = (acts.len() - assignments.len()) as u64;
        let schema = "foureyes/fleet-assign/1";
        Self { schema, dry_run, assignments, released, left: left as u64 }
    }

    /// Notes which places they got; `saved` are the entries of the assignments, in their order.
    pub fn read_back(&mut self, present: &Present, saved: &[EntryId]) {
        for (row, id) in self.assignments.iter_mut().zip(saved) {
            let places = present.places.values().flatten();
            let held = places.filter(|place| place.entry == *id).count() as u64;
            row.lost = (row.records + row.second).saturating_sub(held);
        }
    }
}

impl PlainOrJson for AssignDocument {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        let would = if self.dry_run { "would assign" } else { "assigned" };
        for row in &self.assignments {
            let records = counted(row.records + row.second, "record", "records");
            let (who, until) = (visible(&row.reviewer), row.until);
            write!(out, "{would} {records} to {who} until {until}")?;
            if row.second > 0 {
                write!(out, ", {} as the second reviewer", row.second)?;
            }
            writeln!(out)?;
            if row.lost > 0 {
                let lost = counted(row.lost, "record", "records");
                writeln!(out, "  {lost} were assigned by others at the same time: theirs holds")?;
            }
        }
        if self.released > 0 {
            writeln!(out, "released {}", counted(self.released, "assignment", "assignments"))?;
        } else if self.assignments.is_empty() {
            writeln!(out, "nothing to assign")?;
        }
        if self.left > 0 {
            let left = counted(self.left, "place", "places");
            writeln!(out, "{left} left: every reviewer has their load, or labelled the record")?;
        }
        Ok(())
    }
}

/// How far reviewers are.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WorkDocument {
    /// `foureyes/fleet-work/1`.
    schema: &'static str,
    /// When it was counted.
    #[schemars(with = "String", extend("format" = "date-time"))]
    generated: Timestamp,
    /// Reviewers, in the order of their names.
    reviewers: Vec<WorkRow>,
    /// Each two who labelled the same records.
    pairs: Vec<Pair>,
}

/// The work of a reviewer: `assigned = waiting + done + by_others + ended`.
#[derive(Debug, Serialize, JsonSchema)]
struct WorkRow {
    /// The name.
    reviewer: String,
    /// Whether `[reviewers]` in the configuration names them.
    configured: bool,
    /// Their team.
    team: Option<String>,
    /// Most records that are assigned to them at a time.
    load: Option<u32>,
    /// Records that were ever assigned to them; each counts once, by the last assignment.
    assigned: u64,
    /// Those that wait for their label.
    waiting: u64,
    /// When the next of these ends.
    #[schemars(with = "Option<String>")]
    next_end: Option<Timestamp>,
    /// Those that they labelled.
    done: u64,
    /// Those that others labelled in their place.
    by_others: u64,
    /// Those whose assignment ended without their label.
    ended: u64,
    /// Records that they labelled, assigned or not.
    labelled: u64,
    /// Those of them that were assigned to others alone.
    of_others: u64,
    /// Labels that agree with labels of others on the same record: numerator, denominator, estimate and
    /// exact 95 % bounds.
    #[schemars(with = "BTreeMap<String, Option<f64>>")]
    agreement: Rate,
}

impl WorkDocument {
    /// Of the work at a time.
    pub fn new(
        work: Work,
        configured: &BTreeMap<String, ReviewerShare>,
        generated: Timestamp,
    ) -> Self {
        let row = |of: ReviewerWork| {
            let own = configured.get(&of.name);
            WorkRow {
                configured: own.is_some(),
                team: own.and_then(|own| own.team.clone()),
                load: own.map(|own| own.load),
                reviewer: of.name,
                assigned: of.assigned,
                waiting: of.waiting,
                next_end: of.next_end,
                done: of.done,
                by_others: of.by_others,
                ended: of.ended,
                labelled: of.labelled,
                of_others: of.of_others,
                agreement: of.agreement,
            }
        };
        let reviewers = work.reviewers.into_iter().map(row).collect();
        Self { schema: "foureyes/fleet-work/1", generated, reviewers, pairs: work.pairs }
    }
}

impl PlainOrJson for WorkDocument {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.reviewers.is_empty() {
            return writeln!(out, "nobody labelled anything, and nothing is assigned");
        }
        for row in &self.reviewers {
            row.write(out)?;
        }
        for pair in &self.pairs {
            let (first, second) = (visible(&pair.first), visible(&pair.second));
            let [both, .., neither] = pair.counts;
            let agree = share(&Rate::new(both + neither, pair.items));
            write!(out, "{first} and {second} agree on {agree}")?;
            let number = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.2}"));
            writeln!(out, ", kappa {}, AC1 {}", number(pair.kappa), number(pair.ac1))?;
        }
        Ok(())
    }
}

impl WorkRow {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", visible(&self.reviewer))?;
        if let Some(team) = &self.team {
            write!(out, " ({})", visible(team))?;
        }
        if !self.configured {
            write!(out, " (not in [reviewers])")?;
        }
        writeln!(out)?;
        let Self { assigned, waiting, done, by_others, ended, .. } = self;
        write!(out, "  assigned    {assigned}: {done} labelled, {waiting} waiting")?;
        writeln!(out, ", {by_others} labelled by others, {ended} ended")?;
        if let Some(end) = self.next_end {
            let load = self.load.map_or(String::new(), |load| format!(" of at most {load}"));
            writeln!(out, "  waiting     {waiting}{load}; the next ends {end}")?;
        }
        let (labelled, of_others) = (self.labelled, self.of_others);
        writeln!(out, "  labelled    {labelled}, {of_others} assigned to others")?;
        writeln!(out, "  agreement   {} with others", share(&self.agreement))
    }
}

/// A share with its interval: `18 of 20 (90.0 %, 68.3 to 98.8)`.
fn share(rate: &Rate) -> String {
    let (n, of) = (rate.numerator, rate.denominator);
    match (rate.estimate, rate.lower, rate.upper) {
        (Some(share), Some(lower), Some(upper)) => {
            let [share, lower, upper] = [share, lower, upper].map(|part| part * 100.0);
            format!("{n} of {of} ({share:.1} %, {lower:.1} to {upper:.1})")
        }
        _ => format!("{n} of {of}"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::RecordId;
    use crate::domain::review::{Assignment, Dated};

    #[test]
    fn the_stored_schemas_are_those_of_the_documents() {
        let assign = schemars::schema_for!(AssignDocument);
        crate::asset_tests::assert_bundled("fleet.schema.json", "fleet-assign", &assign);
        let work = schemars::schema_for!(WorkDocument);
        crate::asset_tests::assert_bundled("fleet.schema.json", "fleet-work", &work);
    }

    fn plain(document: &impl PlainOrJson) -> String {
        let mut text = Vec::new();
        document.write_plain(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn what_others_assigned_first_is_shown_and_names_are_harmless() {
        let own = Assignment {
            reviewer: "an\u{1b}[2Jna".to_owned(),
            until: Timestamp(9_000_000),
            records: vec![RecordId([1; 32]), RecordId([2; 32])],
            second: vec![RecordId([3; 32])],
        };
        let mut document = AssignDocument::new(&[Act::Assignment(own.clone())], 1, false);
        let mut present = Present::default();
        let dated = |n, time, what| Dated {
            entry: EntryId([n; 16]),
            time: Timestamp(time),
            reviewer: "lead".to_owned(),
            what,
        };
        let other = Assignment { reviewer: "bert".to_owned(), second: vec![], ..own.clone() };
        present.receive(&[dated(1, 2, own), dated(2, 1, other)]);
        document.read_back(&present, &[EntryId([1; 16])]);
        let text = plain(&document);
        assert!(text.contains("assigned 3 records to an") && !text.contains('\u{1b}'), "{text}");
        assert!(text.contains("2 records were assigned by others"), "{text}");
        assert!(text.contains("1 as the second reviewer"), "{text}");
        assert!(text.contains("1 place left"), "{text}");
    }

    #[test]
    fn every_share_has_its_denominator_and_interval() {
        let mut reviewer = ReviewerWork {
            name: "anna".to_owned(),
            assigned: 10,
            waiting: 4,
            done: 3,
            by_others: 2,
            ended: 1,
            next_end: Some(Timestamp(0)),
            labelled: 7,
            of_others: 4,
            agreement: Rate::new(18, 20),
        };
        let of = |reviewer: &ReviewerWork| {
            let work = Work { reviewers: vec![reviewer.clone()], pairs: Vec::new() };
            plain(&WorkDocument::new(work, &BTreeMap::new(), Timestamp(0)))
        };
        let text = of(&reviewer);
        assert!(text.starts_with("anna (not in [reviewers])\n"), "{text}");
        assert!(
            text.contains("10: 3 labelled, 4 waiting, 2 labelled by others, 1 ended"),
            "{text}"
        );
        assert!(text.contains("18 of 20 (90.0 %, 68.3 to 98.8) with others"), "{text}");
        reviewer.agreement = Rate::new(0, 0);
        assert!(of(&reviewer).contains("agreement   0 of 0 with others"));
    }
}
