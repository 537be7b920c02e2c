//! What the judge finds in the work of each agent.

use super::breakdown::{difference, name};
use foureyes_app::assess::AgentsDocument;
use foureyes_calibration::calibration::agents::{Agent, Change};
use foureyes_calibration::stats::rate::Rate;
use foureyes_page::page::{Block, Page, Role, Row, Text, Untrusted, counted, day, number};
use foureyes_page::text;

/// The figures of each agent.
pub fn page(all: &AgentsDocument) -> Page {
    let title = text!("foureyes calibration agents{}", all.family.option());
    let mut page = super::document(title, all.generated);
    let note = text!("verdicts since {}", day(all.from));
    let mut block = Block::new("agents", "Agents").note(note);
    if all.agents.is_empty() {
        block.text(Role::Dim, "no GO or NO-GO since then");
        page.blocks.push(block);
        return page;
    }
    all.agents.iter().for_each(|agent| add(&mut block, agent));
    page.blocks.push(block);
    let mut notes = Block::untitled("notes");
    NOTES.into_iter().for_each(|text| notes.text(Role::Dim, text));
    page.blocks.push(notes);
    page
}

const NOTES: [&str; 3] = [
    "These are the judge's verdicts, not labels: where it errs, an agent looks better or worse than it is.",
    "Intervals: 95 %, for one look at one agent.",
    "Differences and changes are adjusted for multiple comparisons (Holm): where there are none, the \
     chance that any agent is named is at most 5 % for each.",
];

fn add(block: &mut Block, agent: &Agent) {
    let contents = counted(agent.no_go.denominator, "content", "contents");
    block.text(Role::Text, text!("{}: {}", name(&agent.name), contents));
    let mut add = |role, text| block.add(Row::new(role, text).level(1));
    for (name, rate) in rates(agent) {
        add(Role::Text, text!("{}: {}", name, share(&rate)));
    }
    if !agent.terms.is_empty() {
        let terms = agent.terms.iter().map(|t| text!("{} {}", Untrusted(&t.name), t.contents));
        add(Role::Text, text!("most frequent in its NO-GOs: {}", Text::joined(terms, ", ")));
    }
    add(Role::Text, agent.change.as_ref().map_or(TOO_FEW.into(), change));
    let next = &agent.next;
    let versions = [
        ("next version GO after NO-GO", &next.go_after_no_go),
        ("next version GO after GO", &next.go_after_go),
    ];
    for (name, rate) in versions.into_iter().filter(|(_, rate)| rate.denominator > 0) {
        add(Role::Text, text!("{}: {}", name, share(rate)));
    }
    if next.no_go_without > 0 {
        add(Role::Text, text!("NO-GO without a next version: {}", next.no_go_without));
    }
    let differs = agent.comparisons.iter().filter(|one| one.differs);
    differs.for_each(|one| add(Role::Warning, difference(one)));
}

/// What was flagged, and each dimension that has scores.
fn rates(agent: &Agent) -> Vec<(Text, Rate)> {
    let mut rates = vec![("NO-GO".into(), agent.no_go)];
    let dimensions = agent.marked_down.each().into_iter();
    let dimensions = dimensions.filter(|(_, rate)| rate.denominator > 0);
    rates.extend(dimensions.map(|(d, rate)| (text!("{} marked down", d.as_str()), rate)));
    rates
}

fn share(rate: &Rate) -> Text {
    let counts = text!("{} of {}", rate.numerator, rate.denominator);
    let Some(estimate) = rate.estimate else { return counts };
    let ends = number::share_ends(rate.lower, rate.upper).unwrap_or_default();
    text!("{}, {}, {}", counts, number::percent(estimate), ends)
}

const TOO_FEW: &str = "change: not enough evidence (ten NO-GO and ten GO are needed)";

/// `change: fewer NO-GO, 30 of 60 in the earlier half, 10 of 60 in the later one, p 0.0003`
fn change(change: &Change) -> Text {
    let what = match (change.changes, change.z < 0.0) {
        (false, _) => "none shown",
        (true, true) => "fewer NO-GO",
        (true, false) => "more NO-GO",
    };
    let counts = |rate: &Rate| text!("{} of {}", rate.numerator, rate.denominator);
    text!(
        "change: {}, {} in the earlier half, {} in the later one, p {}",
        what,
        counts(&change.early),
        counts(&change.late),
        number::p_value(change.adjusted)
    )
}
