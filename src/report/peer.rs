//! What a peer review says, as a document.

use super::PlainOrJson;
use super::counted;
use crate::calibration::peer::{PeerDimension, PeerPart, PeerShare, PeerStratum};
use crate::page::number::{p_value, percent, share_ends};
use crate::peer::{PeerDocument, PeerWeek};
use crate::text::escape;
use std::io::{self, Write};

/// Columns of a name.
const NAME: usize = 28;

impl PlainOrJson for PeerDocument {
    fn write_plain(&self, out: &mut dyn Write) -> io::Result<()> {
        let peers = self.peers.iter().map(|peer| escape::line(peer).into_owned());
        let peers = peers.collect::<Vec<_>>().join(", ");
        writeln!(out, "Verdicts on pushes since {}, reviewed by {peers}\n", self.since.day_text())?;
        writeln!(out, "{:<NAME$} verdicts  reviewed  differ  share that differs", "stratum")?;
        let figures = &self.figures;
        figures.strata.iter().try_for_each(|stratum| row(out, stratum))?;
        let sum = |of: fn(&PeerStratum) -> u64| figures.strata.iter().map(of).sum::<u64>();
        row(
            out,
            &PeerStratum {
                name: "all, weighted by size".to_owned(),
                verdicts: sum(|s| s.verdicts),
                reviewed: sum(|s| s.reviewed),
                undetermined: 0,
                differ: sum(|s| s.differ),
                share: figures.disagreement,
            },
        )?;
        let none = sum(|s| s.undetermined);
        if none > 0 {
            let reviews = counted(none, "review", "reviews");
            writeln!(out, "{reviews} ended without a verdict and count in no share")?;
        }
        let (judge, peer) = (figures.only_judge, figures.only_peer);
        writeln!(
            out,
            "\nNO-GO by the judge alone: {judge}; by the peer alone: {peer} (McNemar, mid-p {})",
            p_value(figures.mid_p)
        )?;
        writeln!(out, "\n{:<NAME$} compared     lower  higher", "the peer's score")?;
        figures.dimensions.iter().try_for_each(|dimension| score(out, dimension))?;
        for (by, parts) in self.by.iter().zip(&figures.parts) {
            let by = format!("by {}", by.as_str());
            writeln!(out, "\n{by:<NAME$}           reviewed  differ  share that differs")?;
            parts.iter().try_for_each(|part| self::part(out, part))?;
        }
        writeln!(out, "\n{:<NAME$} verdicts  reviewed  differ  share that differs", "week from")?;
        self.weeks.iter().try_for_each(|week| self::week(out, week))?;
        writeln!(
            out,
            "\nIntervals have 95 % confidence. `*` marks what stands out from the rest of its stratum, at 5 % for\n\
             everything above together (Holm). Two judges that agree may both be wrong."
        )?;
        match self.queue.len() as u64 {
            0 => writeln!(out, "Every record on which the two differ has a label."),
            n => writeln!(
                out,
                "{} no label: `foureyes records \"peer:differs label:none\"`",
                counted(
                    n,
                    "record on which the two differ has",
                    "records on which the two differ have"
                )
            ),
        }
    }
}

fn row(out: &mut dyn Write, stratum: &PeerStratum) -> io::Result<()> {
    let PeerStratum { name, verdicts, reviewed, differ, share, .. } = stratum;
    writeln!(out, "{name:<NAME$} {verdicts:>8}  {reviewed:>8}  {differ:>6}  {}", shown(share))
}

fn score(out: &mut dyn Write, of: &PeerDimension) -> io::Result<()> {
    let PeerDimension { dimension, compared, lower, higher, p, stands_out } = *of;
    let name = dimension.as_str();
    let mark = if stands_out { format!("  * p {p:.4}") } else { String::new() };
    writeln!(out, "{name:<NAME$} {compared:>8}  {lower:>8}  {higher:>6}{mark}")
}

fn part(out: &mut dyn Write, part: &PeerPart) -> io::Result<()> {
    let name = if part.name.is_empty() { "not named" } else { &part.name };
    let name = escape::field(0, "", name, usize::MAX);
    let name: String = name.trim().chars().take(NAME).collect();
    let mark = match part.p {
        Some(p) if part.stands_out => format!("  * p {p:.4}"),
        Some(_) => String::new(),
        None => "  too few to compare".to_owned(),
    };
    let PeerPart { reviewed, differ, share, .. } = part;
    writeln!(out, "{name:<NAME$}           {reviewed:>8}  {differ:>6}  {}{mark}", shown(share))
}

fn week(out: &mut dyn Write, week: &PeerWeek) -> io::Result<()> {
    let PeerWeek { monday, verdicts, reviewed, differ, disagreement } = week;
    writeln!(
        out,
        "{monday:<NAME$} {verdicts:>8}  {reviewed:>8}  {differ:>6}  {}",
        shown(disagreement)
    )
}

/// A share with its interval; *not known* where a stratum has no review.
fn shown(share: &PeerShare) -> String {
    let estimate = share.estimate.map_or("not known".into(), percent);
    let ends = share_ends(Some(share.lower), Some(share.upper)).unwrap_or_default();
    format!("{estimate} ({ends})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(PeerDocument);
        crate::asset_tests::assert_asset("peer.schema.json", &schema);
    }
}
