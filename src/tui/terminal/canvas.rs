//! What ratatui draws on: a page of bytes, sent at once, and empty where nothing changed.

use super::bytes;
use super::guard::TerminalGuard;
use super::linked_cells::LinkedCells;
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A backend that collects.
///
/// The one of the library writes a few bytes for a frame without a change, and asks the terminal
/// for its cursor. This one keeps in mind where the cursor is.
#[derive(Debug)]
pub(super) struct Canvas {
    guard: &'static TerminalGuard,
    inner: CrosstermBackend<OutputBuffer>,
    page: OutputBuffer,
    /// The cursor that the terminal shows now, `None` where it shows none.
    shown: Option<Position>,
    visible: bool,
    position: Position,
    /// The links that the terminal shows now.
    links: Vec<LinkedCells>,
    /// Shown instead of a cell that would be an instruction to the terminal.
    harmless: Cell,
}

/// Bytes of a frame, shared between the backend and who sends them.
#[derive(Debug, Clone, Default)]
struct OutputBuffer(Arc<Mutex<Vec<u8>>>);

impl OutputBuffer {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for OutputBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Canvas {
    pub(super) fn new(guard: &'static TerminalGuard) -> Self {
        let page = OutputBuffer::default();
        Self {
            guard,
            inner: CrosstermBackend::new(page.clone()),
            page,
            shown: None,
            visible: false,
            position: Position::ORIGIN,
            links: Vec::new(),
            harmless: Cell::new("\u{fffd}"),
        }
    }

    /// The terminal was taken anew: it shows no cursor.
    pub(super) fn forget(&mut self) {
        self.shown = None;
        self.links.clear();
        self.page.take();
    }

    /// The links that the terminal shows now.
    pub(super) fn links(&self) -> Vec<LinkedCells> {
        self.links.clone()
    }

    /// Makes links of cells, behind the frame that has them: those that are links already are not sent again. `former`
    /// are the cells that were links before it and are none any more.
    pub(super) fn link(
        &mut self,
        former: &[LinkedCells],
        links: Vec<LinkedCells>,
    ) -> io::Result<()> {
        // The library sends a cell only where it looks another way, and a link is no look.
        for link in former {
            self.send(link)?;
        }
        let known = std::mem::take(&mut self.links);
        for link in links.iter().filter(|link| !known.contains(link)) {
            let Some(begin) = bytes::link(&link.address) else { continue };
            self.inner.write_all(&begin)?;
            self.send(link)?;
            self.inner.write_all(bytes::LINK_ENDS)?;
        }
        self.links = links;
        Ok(())
    }

    fn send(&mut self, link: &LinkedCells) -> io::Result<()> {
        self.draw(link.cells.iter().map(|(x, y, cell)| (*x, *y, cell)))
    }

    /// The bytes of the frame, empty where nothing is to be sent.
    pub(super) fn finish(&mut self) -> io::Result<Vec<u8>> {
        let wanted = self.visible.then_some(self.position);
        let drawn = self.page.take();
        if drawn.is_empty() && wanted == self.shown {
            return Ok(drawn);
        }
        self.inner.write_all(&drawn)?;
        match wanted {
            Some(position) => {
                self.inner.set_cursor_position(position)?;
                if self.shown.is_none() {
                    self.inner.show_cursor()?;
                }
            }
            None if self.shown.is_some() => self.inner.hide_cursor()?,
            None => {}
        }
        self.shown = wanted;
        Ok(self.page.take())
    }
}

/// Whether a terminal would act on a part of the text.
fn commands(cell: &Cell) -> bool {
    cell.symbol().chars().any(char::is_control)
}

impl Backend for Canvas {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut content = content.peekable();
        if content.peek().is_none() {
            return Ok(());
        }
        let harmless = &self.harmless;
        let safe = content.map(|(x, y, cell)| (x, y, if commands(cell) { harmless } else { cell }));
        self.inner.draw(safe)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.visible = false;
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.visible = true;
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.position)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.position = position.into();
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.links.clear();
        self.inner.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.links.clear();
        self.inner.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        Ok(Size::from(self.guard.size()))
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
