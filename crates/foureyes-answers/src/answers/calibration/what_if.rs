//! What if other score rules had decided: sliders on a console, and what follows from each rule.

use foureyes_app::assess::WhatIfDocument;
use foureyes_calibration::calibration::{Candidate, Replayed, ReplayedRate, two_sided};
use foureyes_core::domain::Dimension;
use foureyes_page::page::chart::{Chart, Slider};
use foureyes_page::page::{
    Block, Focus, Forms, Item, Page, Role, Row, Text, Untrusted, counted, number,
};
use foureyes_page::text;

/// The block of the sliders.
pub const BLOCK: &str = "rules";

/// Places of a slider: nothing, then each half score up to the highest.
const PLACES: usize = 9;

/// What other score rules would do, as far as that is known.
#[derive(Debug, Clone, Copy)]
pub enum WhatIf<'a> {
    /// Labels are being read.
    Reading,
    /// They cannot be read.
    Failed {
        /// Why.
        problem: &'a str,
        /// What to do.
        next: &'a str,
    },
    /// Rules can be tried.
    Ready {
        /// Labelled records that they are replayed over.
        records: u64,
        /// The rule that the sliders show.
        rule: &'a Candidate,
        /// Rules that were looked at: they share the allowed error.
        tried: u64,
        /// What the latest would have done.
        replays: Replays<'a>,
    },
}

/// What rules would have done, as far as that is known.
#[derive(Debug, Clone, Copy)]
pub enum Replays<'a> {
    /// They are being replayed.
    Running,
    /// They cannot be replayed.
    Failed(&'a str),
    /// What each would have done.
    Done(&'a [Replayed]),
}

/// What each rule of a run would have done.
pub fn page(all: &WhatIfDocument) -> Page {
    let title = text!("foureyes calibration what-if{}", all.family.option());
    let mut page = super::document(title, all.generated);
    let mut block = titled();
    block.text(Role::Dim, replayed_over(all.records));
    results(&mut block, &all.rules, all.rules.len() as u64);
    page.blocks.push(block);
    page
}

/// The sliders, and the rules that were tried.
pub(super) fn block(all: &WhatIf<'_>) -> Block {
    let mut block = titled().only(Forms::Console);
    match *all {
        WhatIf::Reading => block.add(Row::new(Role::Notice, "reading labels…").focus("busy")),
        WhatIf::Failed { problem, next } => {
            let text = text!("the labels cannot be replayed: {}", Untrusted(problem));
            block.add(Row::new(Role::Error, text).focus("failed"));
            block.text(Role::Text, Untrusted(next));
        }
        WhatIf::Ready { records: 0, .. } => {
            block.add(Row::new(Role::Warning, NO_RECORDS).focus("none"));
        }
        WhatIf::Ready { records, rule, tried, replays } => {
            block.items.extend((0..=Dimension::ALL.len()).map(|at| slide(rule, at)));
            block.text(Role::Dim, replayed_over(records).and("; left and right move a slider"));
            tried_rules(&mut block, tried, replays);
        }
    }
    block
}

/// That nothing can be replayed, and what would change that.
pub const NO_RECORDS: &str =
    "no labelled record of the sample has scores: label NO-GOs and audited GOs of the window first";

fn titled() -> Block {
    Block::new(BLOCK, "What if").note("minimum scores to pass; changes nothing")
}

fn replayed_over(records: u64) -> Text {
    let records = counted(records, "labelled record", "labelled records");
    text!("replayed over {} of the sample", records)
}

fn slide(rule: &Candidate, at: usize) -> Item {
    let (name, value) = (slider(at), minimum(rule, at));
    let text = match value {
        Some(value) => text!("at least {}", number::score(value)),
        None => "no minimum".into(),
    };
    let note = text!("minimum {} score: left and right move it", name);
    Item::Chart(Chart::Slider(Slider {
        focus: Focus { note, ..Focus::new(name) },
        name,
        place: value.map_or(0, |v| ((v - 1.0) * 2.0).round() as usize),
        places: PLACES,
        text,
    }))
}

/// What a rule asks of a slider's score; `None` is nothing.
fn minimum(rule: &Candidate, at: usize) -> Option<f32> {
    rule.minimum.get(at).copied().unwrap_or(rule.average)
}

/// What a slider sets: a dimension by its place, and behind them the mean.
pub fn slider(at: usize) -> &'static str {
    Dimension::ALL.get(at).map_or("average", |d| d.as_str())
}

fn tried_rules(block: &mut Block, tried: u64, replays: Replays<'_>) {
    match replays {
        _ if tried == 0 => {}
        Replays::Failed(problem) => {
            block.text(Role::Error, text!("not replayed: {}", Untrusted(problem)));
        }
        Replays::Running => block.text(Role::Notice, "replaying…"),
        Replays::Done(all) => results(block, all, tried),
    }
}

fn results(block: &mut Block, all: &[Replayed], tried: u64) {
    all.iter().for_each(|one| result(block, one));
    let Some(first) = all.first() else { return };
    let text = text!(
        "Intervals: {} confidence: the allowed error is split over the {} tried.",
        number::short_percent(two_sided(first.confidence)),
        counted(tried, "rule", "rules")
    );
    block.text(Role::Warning, text);
    let text = "Compare all rules in one run: separate runs are not adjusted for each other.";
    block.add(Row::new(Role::Dim, text).only(Forms::Documents));
}

fn result(block: &mut Block, one: &Replayed) {
    let name = rule(&one.candidate);
    block.add(Row::new(Role::Title, name.clone()).focus(name.raw()));
    let mut add = |role, text| block.add(Row::new(role, text).level(1));
    add(Role::Text, text!("FPR {}", replayed_rate(&one.false_positive)));
    add(Role::Text, text!("FNR {}", replayed_rate(&one.false_negative)));
    add(Role::Dim, replayed(one));
}

/// A rule: `at least semantic 3.0, average 3.5`.
fn rule(candidate: &Candidate) -> Text {
    let minima = (0..=Dimension::ALL.len())
        .filter_map(|at| Some(text!("{} {}", slider(at), number::score(minimum(candidate, at)?))));
    text!("at least {}", Text::joined(minima, ", "))
}

/// A rate under a rule: `4.7 %, 2.1 to 9.0 %`.
fn replayed_rate(rate: &ReplayedRate) -> Text {
    let share = rate.estimate.map_or("not estimable".into(), number::percent);
    let ends = number::share_ends(Some(rate.lower), Some(rate.upper)).unwrap_or_default();
    text!("{}, {}", share, ends)
}

/// What a rule would newly flag and newly let pass.
fn replayed(one: &Replayed) -> Text {
    let [flagged, passed] = one.flips;
    let unscored = match one.unscored {
        0 => Text::EMPTY,
        n => text!("; {} lack a score and keep their verdict", n),
    };
    let p = number::p_value(one.flips_p);
    text!("newly flagged {}, newly passed {}, p {}{}", flagged, passed, p, unscored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_names_what_it_asks_for() {
        let of = |minimum, average| rule(&Candidate { minimum, average }).raw();
        let both = of([Some(3.0), None, None], Some(3.25));
        assert_eq!(both, "at least semantic 3.0, average 3.25");
        assert_eq!(of([None, None, Some(5.0)], None), "at least syntactic 5.0");
    }

    #[test]
    fn sliders_are_for_the_console_and_the_rules_they_tried_follow() {
        let rule = Candidate { minimum: [None, Some(2.5), None], average: None };
        let (records, tried, replays) = (7, 1, Replays::Running);
        let block = block(&WhatIf::Ready { records, rule: &rule, tried, replays });
        assert_eq!(block.forms, Forms::Console);
        let places = block.items.iter().filter_map(|item| match item {
            Item::Chart(Chart::Slider(slider)) => Some(slider.place),
            _ => None,
        });
        assert_eq!(places.collect::<Vec<_>>(), [0, 3, 0, 0]);
        assert_eq!(block.rows().last().map(|row| row.text().raw()).as_deref(), Some("replaying…"));
    }
}
