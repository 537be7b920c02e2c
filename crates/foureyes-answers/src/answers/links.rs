//! Where figures of answers lead: which records, and the filter that finds them.

use foureyes_app::overview::{Figure, Part, What, kpi_filters};
use foureyes_calibration::calibration::Word;
use foureyes_core::domain::{Dimension, JudgementKind, Kpi, Outcome, Threshold, Timestamp, Triage};
use foureyes_page::page::{Link, Ours, Text, day};
use foureyes_page::text;

/// What labels records must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelFilter {
    /// None is asked for.
    Whatever,
    /// Some label.
    Any,
    /// This one.
    Word(Word),
}

/// Records of a family by verdict and labels; `None` is any verdict. It claims no number: the filter finds
/// what the list of records is about, and an assessment has a window of its own.
pub fn labelled(family: JudgementKind, outcome: Option<Outcome>, label: LabelFilter) -> Link {
    let (verdict, name) = match outcome {
        Some(Outcome::Go) => ("verdict:go", "GO records"),
        Some(Outcome::NoGo) => ("verdict:no-go", "NO-GO records"),
        Some(Outcome::Undetermined) => ("verdict:undetermined", "UNDETERMINED records"),
        None => ("", "records"),
    };
    let (label, with) = match label {
        LabelFilter::Whatever => ("", ""),
        LabelFilter::Any => ("label:any", " with a label"),
        LabelFilter::Word(Word::Poor) => ("label:poor", " labelled poor"),
        LabelFilter::Word(Word::Acceptable) => ("label:acceptable", " labelled acceptable"),
        LabelFilter::Word(Word::Unsure) => ("label:unsure", " labelled unsure"),
    };
    let parts = [family.filter(), verdict, label];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    let query = parts.collect::<Vec<_>>().join(" ");
    Link { count: None, label: text!("{}{}", name, with), query }
}

/// Records of a day without a label.
pub fn unlabelled(family: JudgementKind, number: i32) -> Link {
    let day = day(Timestamp::of_day(number));
    let query = format!("{} day:{day} label:none", family.filter());
    Link { count: None, label: text!("unlabelled records of {}", day), query }
}

/// All records of a day of a family; `label` says what of.
pub fn day_of(family: JudgementKind, number: i32, label: Text) -> Link {
    let day = day(Timestamp::of_day(number));
    Link { count: None, label, query: format!("{} day:{day}", family.filter()).trim().to_owned() }
}

/// Records from which a peer differs. The filter is over all records, a report over some days.
pub fn peer_differs() -> Link {
    let label = text!("records from which a peer differs");
    Link { count: None, label, query: "peer:differs".to_owned() }
}

/// The numerator and the denominator of a KPI that needs no labels, without a claim of how many.
pub fn sides(family: JudgementKind, kpi: Threshold) -> Option<[Link; 2]> {
    let (above, below) = kpi_filters(family, kpi)?;
    let title = kpi.measure.title();
    let link = |name: &'static str, query: String| {
        let label = text!("{} of the {}", name, Ours::from(title));
        Link { count: None, label, query }
    };
    Some([link("numerator", above.to_string()), link("denominator", below.to_string())])
}

/// The numerator and the denominator of a KPI that needs no labels, each with its count.
pub fn counted_sides(family: JudgementKind, kpi: &Kpi) -> Option<[Link; 2]> {
    let [above, below] = sides(family, kpi.threshold())?;
    let (numerator, denominator) = (Some(kpi.numerator), Some(kpi.denominator));
    Some([Link { count: numerator, ..above }, Link { count: denominator, ..below }])
}

/// Records of the whole window.
pub fn whole(triage: &Triage, what: What) -> Link {
    let c = &triage.counts;
    let count = match what {
        What::Records => Some(c.in_window),
        What::Go => Some(c.go),
        What::NoGo => Some(c.no_go),
        What::Undetermined => Some(c.undetermined),
        What::Overrides => Some(c.overrides),
        What::Memories => Some(c.picks + c.prompts),
        What::Bypassed => Some(c.bypassed),
        What::Flagged => Some(triage.flagged_total),
        What::Repeats => Some(c.repeats),
        _ => None,
    };
    Link { count, label: noun(what), query: what.filter().to_string() }
}

/// Records of a part of the window, which is named behind them.
pub fn part(part: &Part, what: What, place: Text) -> Link {
    let Figure { count, query } = part.figure(what);
    let label = noun(what).and(", ").and(place);
    Link { count: Some(count), label, query: query.to_string() }
}

/// Records of the window that came after the last visit.
pub fn new(count: u64) -> Link {
    let label = text!("records since your last visit");
    Link { count: Some(count), label, query: "is:new".to_owned() }
}

/// What is counted: verdicts are of all families, evaluations are the units of the KPIs.
pub fn noun(what: What) -> Text {
    match what {
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
        What::UnitFlagged => "flagged evaluations",
        What::Scored(dimension) => return scored(dimension),
    }
    .into()
}

fn scored(dimension: Dimension) -> Text {
    text!("evaluations with a {} score", dimension.as_str())
}
