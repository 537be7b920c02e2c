//! Where a figure leads: its count, the filter that finds its records, and what they are.

use super::picks_report::PicksReport;
use super::sanitize;
use crate::calibration::{Readiness, Word};
use crate::domain::{
    ByKind, Dimension, JudgementKind, Kpi, Measure, Outcome, Threshold, Timestamp, Triage,
};
use crate::frame::query::Query;
use crate::overview::{
    Breakdowns, Figure, GroupRow, Groups, Part, Span, Step, What, escalations, kpi_filters, of_box,
};
use crate::page::{Link, Untrusted};
use crate::text::CommandLine;

/// One of the tables of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Table {
    /// Who judged.
    Models,
    /// Who wrote.
    Agents,
    /// Where.
    Paths,
    /// In which terms of quality.
    Terms,
}

/// What lies outside of all bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum OutsideBars {
    /// Before the first bar.
    Earlier,
    /// After the last one.
    Later,
    /// Without a time.
    Undated,
}

/// What a figure counts, by its place in the documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::tui) enum DrillDown {
    /// The whole window.
    Whole(What),
    /// A bar.
    Bar(usize, What),
    /// What is outside of all bars.
    Outside(OutsideBars, What),
    /// A box, and a bar.
    Heat(usize, usize, What),
    /// A cause.
    Cause(usize),
    /// A dimension, and a score.
    Bin(usize, usize),
    /// A row of a table.
    Name(Table, usize, What),
    /// The numerator of a KPI.
    Numerator(Measure),
    /// The denominator of a KPI.
    Denominator(Measure),
    /// What a box holds of the window.
    Box(usize),
    /// A box and a day on which commits were not judged.
    Gap(usize),
    /// Verdict and labels.
    Labelled(LabelledGroup),
    /// The numerator or the denominator of a KPI in a window that is not the screen's.
    Elsewhere(Threshold, bool),
    /// Runs of tasks that wait for a person.
    Escalations,
}

/// Records by verdict and labels. It claims no number: the filter finds
/// what the list of records looks at, and an assessment has a window of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct LabelledGroup {
    /// `GO`, `NO-GO`, or either.
    pub(in crate::tui) outcome: Option<Outcome>,
    /// What labels there must be.
    pub(in crate::tui) label: LabelFilter,
}

/// What labels there must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum LabelFilter {
    /// Some label.
    Any,
    /// This one.
    Word(Word),
}

impl LabelledGroup {
    /// What is behind it.
    pub(in crate::tui) fn target(self, family: JudgementKind) -> Link {
        let (verdict, name) = match self.outcome {
            Some(Outcome::Go) => ("verdict:go", "GO records"),
            Some(Outcome::NoGo) => ("verdict:no-go", "NO-GO records"),
            Some(Outcome::Undetermined) => ("verdict:undetermined", "UNDETERMINED records"),
            None => ("", "records"),
        };
        let (label, with) = match self.label {
            LabelFilter::Any => ("label:any", " with a label"),
            LabelFilter::Word(Word::Poor) => ("label:poor", " labelled poor"),
            LabelFilter::Word(Word::Acceptable) => ("label:acceptable", " labelled acceptable"),
            LabelFilter::Word(Word::Unsure) => ("label:unsure", " labelled unsure"),
        };
        let parts = [family.filter(), verdict, label];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let query = parts.collect::<Vec<_>>().join(" ");
        Link { count: None, label: Untrusted(&format!("{name}{with}")).into(), query }
    }
}

/// The documents of a page.
#[derive(Debug, Clone, Copy)]
pub(in crate::tui) struct Documents<'a> {
    /// Counts, KPIs, boxes.
    pub(in crate::tui) triage: &'a Triage,
    /// The rest, where it is counted.
    pub(in crate::tui) breakdowns: Option<&'a Breakdowns>,
    /// What the labels of each family say, where it is assessed.
    pub(in crate::tui) readiness: ByKind<Option<&'a Readiness>>,
    /// What the picks of memories come to, where they are read.
    pub(in crate::tui) picks: Option<&'a PicksReport>,
    /// Whether the store is read, of which it is not known what was seen.
    pub(in crate::tui) fleet: bool,
    /// What commands are completed with.
    pub(in crate::tui) command_line: CommandLine,
    /// The time: data grow older while they are looked at.
    pub(in crate::tui) now: Timestamp,
}

impl<'a> Documents<'a> {
    /// What is behind a figure.
    pub(in crate::tui) fn target(
        &self,
        drill_down: DrillDown,
        family: JudgementKind,
    ) -> Option<Link> {
        match drill_down {
            DrillDown::Whole(what) => Some(self.whole(what)),
            DrillDown::Bar(at, what) => part(self.bar(at)?, what, &self.span(at)?),
            DrillDown::Outside(place, what) => part(self.outside_bars(place)?, what, place.label()),
            DrillDown::Heat(row, at, what) => {
                let row = self.breakdowns?.heat.rows.get(row)?;
                let place = format!("{}, {}", sanitize(&row.name), self.span(at)?);
                part(row.cells.get(at)?, what, &place)
            }
            DrillDown::Cause(at) => {
                let row = self.breakdowns?.causes.get(at)?;
                let cause = row.cause.map_or("no known cause", |c| c.as_str());
                let what = format!("{}, {cause}", noun(What::UnitUndetermined));
                Some(target(Some(row.share.numerator), what, &row.query))
            }
            DrillDown::Bin(dimension, score) => {
                let strip = self.breakdowns?.scores.get(dimension)?;
                let bin = strip.histogram.get(score)?;
                let what = format!("evaluations, {} {}", strip.dimension.as_str(), bin.score);
                Some(target(Some(bin.count), what, &bin.query))
            }
            DrillDown::Name(table, at, what) => {
                let row = self.table(table)?.rows.get(at)?;
                part(&row.part, what, &name(row, table))
            }
            DrillDown::Numerator(id) => self.kpi(family, id, true),
            DrillDown::Denominator(id) => self.kpi(family, id, false),
            DrillDown::Box(at) => {
                let name = &self.triage.boxes.get(at)?.name;
                let what = format!("records of {} in the window", sanitize(name));
                Some(target(None, what, &of_box(name)))
            }
            DrillDown::Gap(at) => {
                let row = self.triage.coverage.get(at)?;
                let what =
                    format!("records of {}, {}", sanitize(&row.box_name), sanitize(&row.day));
                let query = format!("{} day:{}", of_box(&row.box_name), row.day);
                Some(Link { count: None, label: Untrusted(&what).into(), query })
            }
            DrillDown::Labelled(group) => Some(group.target(family)),
            DrillDown::Elsewhere(kpi, numerator) => elsewhere(family, kpi, numerator),
            DrillDown::Escalations => {
                let what = "tasks that wait for a person".to_owned();
                Some(target(Some(self.breakdowns?.escalations), what, &escalations()))
            }
        }
    }

    fn whole(&self, what: What) -> Link {
        let c = &self.triage.counts;
        let count = match what {
            What::Records => Some(c.in_window),
            What::Go => Some(c.go),
            What::NoGo => Some(c.no_go),
            What::Undetermined => Some(c.undetermined),
            What::Overrides => Some(c.overrides),
            What::Memories => Some(c.picks + c.prompts),
            What::Bypassed => Some(c.bypassed),
            What::Flagged => Some(self.triage.flagged_total),
            What::Repeats => Some(c.repeats),
            _ => self.breakdowns.map(|b| b.whole.count(what)),
        };
        target(count, noun(what), &what.filter())
    }

    /// The KPIs of a family; none where it has no evaluation.
    pub(in crate::tui) fn kpis(&self, family: JudgementKind) -> &'a [Kpi] {
        if family.is_push() {
            return &self.triage.kpis;
        }
        let of = self.triage.families.iter().find(|of| of.family == family);
        of.map_or(&[], |of| of.kpis.as_slice())
    }

    fn kpi(&self, family: JudgementKind, id: Measure, numerator: bool) -> Option<Link> {
        let kpi = self.kpis(family).iter().find(|k| k.id == id)?;
        let (above, below) = kpi_filters(family, kpi.threshold())?;
        let title = id.title();
        Some(match numerator {
            true => target(Some(kpi.numerator), format!("numerator of the {title}"), &above),
            false => target(Some(kpi.denominator), format!("denominator of the {title}"), &below),
        })
    }

    fn bar(&self, at: usize) -> Option<&'a Part> {
        Some(&self.breakdowns?.days.bars.get(at)?.part)
    }

    /// The days of a bar.
    pub(in crate::tui) fn span(&self, at: usize) -> Option<String> {
        let days = &self.breakdowns?.days;
        days.bars.get(at).map(|bar| span(days.step, bar.span))
    }

    /// What is outside of all bars.
    pub(in crate::tui) fn outside_bars(&self, place: OutsideBars) -> Option<&'a Part> {
        let days = &self.breakdowns?.days;
        match place {
            OutsideBars::Earlier => days.earlier.as_ref(),
            OutsideBars::Later => days.later.as_ref(),
            OutsideBars::Undated => days.undated.as_ref(),
        }
    }

    /// A table of names.
    pub(in crate::tui) fn table(&self, table: Table) -> Option<&'a Groups> {
        let all = self.breakdowns?;
        Some(match table {
            Table::Models => &all.models,
            Table::Agents => &all.agents,
            Table::Paths => &all.paths,
            Table::Terms => &all.terms,
        })
    }
}

impl OutsideBars {
    /// Its label.
    pub(in crate::tui) fn label(self) -> &'static str {
        match self {
            Self::Earlier => "earlier",
            Self::Later => "dated ahead of the clock",
            Self::Undated => "undated",
        }
    }
}

fn target(count: Option<u64>, label: String, query: &Query) -> Link {
    Link { count, label: Untrusted(&label).into(), query: query.to_string() }
}

/// What a KPI is taken over, without a claim of how many.
pub(in crate::tui) fn elsewhere(
    family: JudgementKind,
    kpi: Threshold,
    numerator: bool,
) -> Option<Link> {
    let (above, below) = kpi_filters(family, kpi)?;
    let (name, query) = if numerator { ("numerator", above) } else { ("denominator", below) };
    Some(target(None, format!("{name} of the {}", kpi.measure.title()), &query))
}

fn part(part: &Part, what: What, place: &str) -> Option<Link> {
    let Figure { count, query } = part.figure(what);
    Some(target(Some(count), format!("{}, {place}", noun(what)), &query))
}

/// The days of a bar: `2026-11-20`, `2026-11-16 to 2026-11-22`, `2026-11`.
fn span(step: Step, span: Span) -> String {
    let day = |day| crate::domain::Timestamp::of_day(day).day_text();
    match step {
        Step::Day => day(span.first),
        Step::Week => format!("{} to {}", day(span.first), day(span.last)),
        Step::Month => day(span.first).chars().take(7).collect(),
    }
}

/// The name of a row, or what it has instead of one.
pub(in crate::tui) fn name(row: &GroupRow, table: Table) -> String {
    match (&row.name, table) {
        (Some(name), _) => sanitize(name),
        (None, Table::Models) => "no model named".to_owned(),
        (None, Table::Agents) => "no author named".to_owned(),
        (None, Table::Paths) => "no file named".to_owned(),
        (None, Table::Terms) => "no listed term".to_owned(),
    }
}

/// What is counted, in the words of the documents: verdicts are of all families, evaluations are
/// the units of the KPIs.
pub(in crate::tui) fn noun(what: What) -> String {
    let scored = |d: Dimension| format!("evaluations with a {} score", d.as_str());
    let text = match what {
        What::Records => "records",
        What::Go => "GO verdicts",
        What::NoGo => "NO-GO verdicts",
        What::Undetermined => "UNDETERMINED verdicts",
        What::Overrides => "overrides",
        What::Memories => "picks of memories and their prompts",
        What::Bypassed => "bypassed",
        What::Flagged => "flagged verdicts",
        What::Repeats => "repeats",
        What::Units => "evaluations",
        What::UnitGo => "GO evaluations",
        What::UnitNoGo => "NO-GO evaluations",
        What::UnitUndetermined => "UNDETERMINED evaluations",
        What::Scored(dimension) => return scored(dimension),
    };
    text.to_owned()
}
