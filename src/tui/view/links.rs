//! What on the screen leads elsewhere: commits, files, and the file that was written last.

use crate::text::escape;
use crate::tui::layout;
use crate::tui::link::{self, Link};
use crate::tui::model::Model;
use crate::tui::screen::record;
use ratatui::layout::Rect;
use std::sync::Arc;

/// The links of a frame; none where the terminal does not know them.
pub fn links(model: &Model) -> Vec<Link> {
    let Some(areas) = layout::areas(model).filter(|_| model.facts.hyperlinks) else {
        return Vec::new();
    };
    // What lies above the screen has none.
    let shows_record = model.overlay.is_none() && model.list().is_some();
    let pane = layout::split(model, areas.body).record.filter(|_| shows_record);
    let mut links = pane.map(|area| record::links(model, area)).unwrap_or_default();
    links.extend(written(model, areas.notice));
    links
}

/// The path of a file that was written, where a notice names it.
fn written(model: &Model, area: Rect) -> Option<Link> {
    let written = model.written.as_ref()?;
    model.notices.current().filter(|notice| notice.text.contains(&written.name))?;
    let lines = layout::notice::wrapped(model, area.width);
    let place = |(row, line): (usize, &String)| {
        let before = line.get(..line.find(&written.name)?)?;
        // The sign and a blank are before it.
        let x = u16::try_from(2 + escape::width(before)).ok()?;
        let width = u16::try_from(escape::width(&written.name)).ok()?;
        let y = area.y + u16::try_from(row).ok()?;
        Some(Rect { x, y, width, height: 1 }.intersection(area))
    };
    let place = lines.iter().enumerate().find_map(place)?;
    let address = Arc::from(link::file(&written.path)?);
    Some(Link { place, address })
}
