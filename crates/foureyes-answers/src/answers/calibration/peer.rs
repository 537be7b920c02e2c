//! What a judge of another family found about the verdicts on pushes.

use crate::answers::links;
use foureyes_app::peer::PeerDocument;
use foureyes_calibration::calibration::peer::PeerShare;
use foureyes_page::page::chart::{Chart, Point, Strip};
use foureyes_page::page::{
    Block, Focus, Item, Part, Role, Row, Text, Untrusted, counted, day, number,
};
use foureyes_page::text;

/// How often the two differ, which way, where more than elsewhere, and from week to week.
pub(super) fn block(found: &PeerDocument) -> Block {
    let note = text!("verdicts since {}; decides nothing", day(found.since));
    let mut block = Block::new("peer review", "Peer review").note(note);
    disagreement(&mut block, found);
    let marked = stands_out(found);
    if marked.is_empty() {
        block.add(Row::new(Role::Dim, "nothing stands out from the rest").focus("even"));
    }
    for (at, text) in marked.into_iter().enumerate() {
        block.add(Row::new(Role::Warning, text).focus(at.to_string()));
    }
    block.items.push(Item::Chart(Chart::Strip(weeks(found))));
    block
}

fn disagreement(block: &mut Block, found: &PeerDocument) {
    let (kpi, figures) = (found.kpi(), &found.figures);
    let differ = text!("{} of {}", kpi.differ, kpi.reviewed);
    let row = Row::default().focus("differ");
    let row = row.link(Role::Figure, differ, Some(links::peer_differs()));
    block.add(row.part(Role::Text, " reviews differ"));
    let unlabelled = counted(kpi.unlabelled, "of these records has", "of these records have");
    let texts = [
        text!("of all verdicts: {}", share(&figures.disagreement)),
        text!(
            "NO-GO by the judge alone {}, by the peer alone {}",
            figures.only_judge,
            figures.only_peer
        ),
        text!("{} no label", unlabelled),
    ];
    texts.into_iter().for_each(|text| block.add(Row::new(Role::Dim, text).level(1)));
}

/// A share with its interval; *not known* where a stratum has no review.
fn share(share: &PeerShare) -> Text {
    let estimate = share.estimate.map_or("not known".into(), number::percent);
    let ends = number::share_ends(Some(share.lower), Some(share.upper)).unwrap_or_default();
    text!("{} ({})", estimate, ends)
}

/// What stands out after the correction, a sentence each.
fn stands_out(found: &PeerDocument) -> Vec<Text> {
    let figures = &found.figures;
    let dimensions = figures.dimensions.iter().filter(|one| one.stands_out).map(|one| {
        text!(
            "{}: the peer scores lower in {} and higher in {} of {}",
            one.dimension.as_str(),
            one.lower,
            one.higher,
            one.compared
        )
    });
    let parts = found.by.iter().zip(&figures.parts).flat_map(|(by, parts)| {
        parts.iter().filter(|part| part.stands_out).map(|part| {
            let name = Untrusted(&part.name);
            text!("{} {}: {} of {} differ", by.as_str(), name, part.differ, part.reviewed)
        })
    });
    dimensions.chain(parts).collect()
}

fn weeks(found: &PeerDocument) -> Strip {
    let share =
        |differ: u64, reviewed: u64| (reviewed > 0).then(|| differ as f64 / reviewed as f64);
    let points = found.weeks.iter().map(|week| Point {
        share: share(week.differ, week.reviewed),
        role: Role::Gauge,
        link: None,
    });
    Strip {
        focus: Focus::new("weeks"),
        label: vec![Part { role: Role::Text, text: "by week".into(), link: None }],
        points: points.collect(),
        after: Vec::new(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use foureyes_app::assess::Breakdown;
    use foureyes_app::peer::{PEER_SCHEMA, PeerWeek};
    use foureyes_calibration::calibration::peer::{PeerItem, compare};
    use foureyes_core::domain::Timestamp;

    /// What a peer found that differs from the first so many of twenty verdicts on what one agent wrote.
    fn found(differs: usize) -> PeerDocument {
        let item = |differs| PeerItem {
            stratum: 0,
            flagged: false,
            peer: Some(differs),
            scores: [None; 3],
        };
        let items: Vec<PeerItem> = (0..40).map(|n| item(n < differs)).collect();
        let name = |n| if n < 20 { "evil" } else { "Ada" };
        let agents = (0..40).map(|n| name(n).to_owned()).collect();
        let figures = compare(&[("doubtful", 900)], &items, &[agents]);
        let disagreement = figures.disagreement;
        let week = PeerWeek {
            monday: "2026-01-05".to_owned(),
            verdicts: 900,
            reviewed: 40,
            differ: differs as u64,
            disagreement,
        };
        PeerDocument {
            schema: PEER_SCHEMA,
            generated: Timestamp(0),
            since: Timestamp(0),
            peers: Vec::new(),
            figures,
            by: vec![Breakdown::Agent],
            weeks: vec![week],
            queue: Vec::new(),
        }
    }

    fn texts(found: &PeerDocument) -> Vec<Text> {
        block(found).rows().map(Row::text).collect()
    }

    #[test]
    fn what_stands_out_is_named_and_not_ours() {
        let texts = texts(&found(15));
        let has = |text: &str| texts.iter().any(|one| one.raw().contains(text));
        assert!(has("15 of 40 reviews differ") && has("37.5 % (22.7 to 54.2 %)"), "{texts:#?}");
        let named = texts.iter().find(|text| text.raw().contains("evil: 15 of 20 differ"));
        assert!(!named.unwrap().is_ours(), "{texts:#?}");
    }

    #[test]
    fn nothing_is_named_where_nothing_stands_out() {
        let texts = texts(&found(2));
        assert!(texts.iter().any(|text| text.raw().contains("nothing stands out")), "{texts:#?}");
    }
}
