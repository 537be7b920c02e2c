//! Small things that every screen draws with. Text from outside becomes harmless here.

mod chart;
mod pen;

pub use chart::chart;
pub use foureyes_page::page::Gauge;
pub use pen::Pen;

pub use crate::text::counted;

use crate::text::escape;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

/// A text cut to so many columns; what was cut is shown by an ellipsis.
pub fn fit(text: &str, width: usize) -> String {
    // A cluster is made short where it is drawn, so that this is more than fits.
    let most = (width + 1) * 64;
    if text.len() <= most {
        return escape::truncate(&escape::line(text), width).into_owned();
    }
    let start = format!("{}…", &text[..text.floor_char_boundary(most)]);
    escape::truncate(&escape::line(&start), width).into_owned()
}

/// A text cut or filled to exactly so many columns.
pub fn cell(text: &str, width: usize) -> String {
    escape::pad(&fit(text, width), width)
}

/// The end of a path, which identifies more than its beginning.
pub fn fit_end(text: &str, width: usize) -> String {
    use unicode_segmentation::UnicodeSegmentation;
    let shown = escape::line(text);
    if escape::width(&shown) <= width {
        return shown.into_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut used = 1;
    for cluster in shown.graphemes(true).rev() {
        used += escape::width(cluster);
        if used > width {
            break;
        }
        kept.push(cluster);
    }
    kept.push("…");
    kept.into_iter().rev().collect()
}

/// Clears the place of what lies above a screen and draws its heading; gives the inside.
pub fn window(pen: &Pen<'_>, buffer: &mut Buffer, area: Rect, title: &str) -> Rect {
    Clear.render(area, buffer);
    buffer.set_style(area, pen.style(Role::Text));
    pen.heading(buffer, area, true, &pen.line([(Role::Title, format!(" {title} ").as_str())]));
    Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area }
}
