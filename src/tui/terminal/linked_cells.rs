//! Cells that a terminal shows as a link.

use crate::text::escape;
use crate::tui::link::Link;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use std::sync::Arc;

/// The cells of a link, and where they lead.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LinkedCells {
    place: Rect,
    /// Each with its place; of a wide one the first.
    pub(super) cells: Vec<(u16, u16, Cell)>,
    pub(super) address: Arc<str>,
}

impl LinkedCells {
    /// The cells of a link in a frame; `None` where it is not in it.
    pub(super) fn read(buffer: &Buffer, link: &Link) -> Option<Self> {
        let (place, address) = (link.place, Arc::clone(&link.address));
        Some(Self { place, cells: Vec::new(), address }.again(buffer))
            .filter(|of| !of.cells.is_empty())
    }

    /// The same place in another frame.
    pub(super) fn again(&self, buffer: &Buffer) -> Self {
        let place = self.place.intersection(buffer.area);
        let mut cells = Vec::new();
        for y in place.top()..place.bottom() {
            let mut x = place.left();
            while x < place.right() {
                let Some(cell) = buffer.cell(Position { x, y }) else { break };
                cells.push((x, y, cell.clone()));
                let width = u16::try_from(escape::width(cell.symbol())).unwrap_or(1);
                x = x.saturating_add(width.max(1));
            }
        }
        Self { place: self.place, cells, address: Arc::clone(&self.address) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    #[test]
    fn a_wide_cell_is_read_once_and_a_place_outside_is_no_link() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 1));
        buffer.set_string(0, 0, "a日b", Style::new());
        let link = |x, width| Link {
            place: Rect { x, y: 0, width, height: 1 },
            address: Arc::from("file:///a"),
        };
        let read = LinkedCells::read(&buffer, &link(0, 4)).unwrap();
        let symbols: Vec<&str> = read.cells.iter().map(|(_, _, cell)| cell.symbol()).collect();
        assert_eq!(symbols, ["a", "日", "b"]);
        assert_eq!(LinkedCells::read(&buffer, &link(9, 4)), None);
    }
}
