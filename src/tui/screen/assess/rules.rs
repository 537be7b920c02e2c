//! What if other score rules had decided: four sliders, and what follows from them.

use crate::calibration::{Replayed, two_sided};
pub(super) use crate::report::calibration::slider;
use crate::report::calibration::{replayed, replayed_rate, rule};
use crate::report::counted;
use crate::report::number::short_percent;
use crate::tui::model::{AssessmentDetails, Load, Rules};
use crate::tui::page::row::{Block, Row};
use crate::tui::page::sanitize;
use crate::tui::theme::{Glyphs, Role};

/// The block of the sliders.
pub(super) const NAME: &str = "rules";

const TITLE: &str = "What if";
const MORE: &str = "minimum scores to pass; changes nothing";

/// The same while nothing can be replayed yet.
pub(super) fn absent(load: &Load, width: usize, glyphs: &'static Glyphs) -> Block {
    let mut block = Block::new(width, glyphs, TITLE, MORE);
    match load {
        Load::Failed(problem) => {
            let text = format!("the labels cannot be replayed: {}", sanitize(&problem.text));
            block.text(Row::stop(NAME, "failed"), Role::Error, &text);
            block.text(Row::new(), Role::Text, &sanitize(&problem.next));
        }
        _ => block.text(Row::stop(NAME, "busy"), Role::Notice, "reading labels…"),
    }
    block
}

/// The sliders, and the rules that were tried.
pub(super) fn block(
    rules: &Rules,
    parts: &AssessmentDetails,
    width: usize,
    glyphs: &'static Glyphs,
) -> Block {
    let mut block = Block::new(width, glyphs, TITLE, MORE);
    let records = parts.replays.len() as u64;
    if records == 0 {
        let text = "No labelled record of the sample has scores: label NO-GOs and audited GOs of the window first.";
        block.text(Row::stop(NAME, "none"), Role::Warning, text);
        return block;
    }
    for at in 0..Rules::SLIDERS {
        block.add(slide(rules, at, glyphs));
    }
    let replayed = counted(records, "labelled record", "labelled records");
    block.text(Row::new(), Role::Dim, &format!("replayed over {replayed}; left and right move"));
    results(&mut block, rules);
    block
}

fn slide(rules: &Rules, at: usize, glyphs: &'static Glyphs) -> Row {
    let value = rules.value(at);
    let place = value.map_or(0, |v| ((v - 1.0) * 2.0).round() as usize);
    let note = format!("least {} score: left and right move it", slider(at));
    let row = Row::stop(NAME, slider(at)).note(note).span(Role::Text, slider(at)).pad_to(11);
    let row = (0..9).fold(row, |row, cell| match cell == place {
        true => row.span(Role::Gauge, glyphs.thumb),
        false => row.span(Role::Dim, glyphs.track),
    });
    let text = value.map_or(" asks for nothing".to_owned(), |v| format!(" at least {v:.1}"));
    row.span(Role::Text, text)
}

fn results(block: &mut Block, rules: &Rules) {
    match (&rules.replayed.value, &rules.replayed.load) {
        _ if rules.tried.is_empty() => {}
        (_, Load::Failed(problem)) => {
            let text = format!("not replayed: {}", sanitize(&problem.text));
            block.text(Row::new(), Role::Error, &text);
        }
        (_, Load::Busy) | (None, _) => block.text(Row::new(), Role::Notice, "replaying…"),
        (Some(all), _) => {
            all.iter().for_each(|one| result(block, one));
            let Some(first) = all.first() else { return };
            let text = format!(
                "{} confidence: the allowed error is split over the {} looked at.",
                short_percent(two_sided(first.confidence)),
                counted(rules.tried.len() as u64, "rule", "rules")
            );
            block.text(Row::new(), Role::Warning, &text);
        }
    }
}

fn result(block: &mut Block, one: &Replayed) {
    let name = rule(&one.candidate);
    block.text(Row::stop(NAME, name.as_str()), Role::Title, &name);
    block.indented(Role::Text, &format!("FPR {}", replayed_rate(&one.false_positive)));
    block.indented(Role::Text, &format!("FNR {}", replayed_rate(&one.false_negative)));
    block.indented(Role::Dim, &replayed(one));
}
