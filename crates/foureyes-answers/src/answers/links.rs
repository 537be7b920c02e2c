//! Where figures of answers lead: which records, and the filter that finds them.

use foureyes_app::overview::kpi_filters;
use foureyes_calibration::calibration::Word;
use foureyes_core::domain::{JudgementKind, Outcome, Threshold, Timestamp};
use foureyes_page::page::{Link, Ours, day};
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
