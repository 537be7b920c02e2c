//! Charts on a console.

use super::{Line, Maker};
use crate::page::Role;
use crate::page::chart::{Chart, Slider, Strip};

/// Columns of the names of strips.
const LABEL: usize = 11;

impl Maker<'_> {
    pub(super) fn chart(&self, block: &'static str, chart: &Chart) -> Vec<Line> {
        match chart {
            Chart::Strip(strip) => vec![self.strip(block, strip)],
            Chart::Slider(slider) => vec![self.slider(block, slider)],
            _ => Vec::new(),
        }
    }

    fn slider(&self, block: &'static str, slider: &Slider) -> Line {
        let line = Line::new(Some(self.stop(block, &slider.focus)));
        let line = line.span(Role::Text, slider.name).pad_to(LABEL);
        let line = (0..slider.places).fold(line, |line, place| match place == slider.place {
            true => line.span(Role::Gauge, self.glyphs.thumb),
            false => line.span(Role::Dim, self.glyphs.track),
        });
        line.span(Role::Text, format!(" {}", self.options.line(&slider.text)))
    }

    fn strip(&self, block: &'static str, strip: &Strip) -> Line {
        let line = Line::new(Some(self.stop(block, &strip.focus)));
        let line = self.parts(line, &strip.label).pad_to(LABEL);
        let line = strip.points.iter().fold(line, |line, point| {
            line.cell(point.role, self.glyphs.spark(point.share), point.link.as_ref())
        });
        match strip.after.is_empty() {
            true => line,
            false => self.parts(line.span(Role::Text, "  "), &strip.after),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::write::Options;
    use crate::page::write::console::Layout;
    use crate::page::{Block, Focus, Glyphs, Item, Page};
    use crate::text;
    use foureyes_core::text::CommandLine;

    #[test]
    fn slider_shows_its_place_and_what_that_means() {
        let slider = Slider {
            focus: Focus::new("semantic"),
            name: "semantic",
            place: 2,
            places: 4,
            text: "at least 2.0".into(),
        };
        let chart = Chart::Slider(slider);
        assert_eq!(chart.sentences(), [text!("semantic: at least 2.0")]);
        let mut block = Block::untitled("rules");
        block.items.push(Item::Chart(chart));
        let page = Page { blocks: vec![block], ..Page::default() };
        let command_line = CommandLine::default();
        let options = Options { is_masked: true, width: 40, command_line };
        let layout = Layout::new(&page, 40, &Glyphs::ASCII, &options);
        let text: Vec<String> = layout
            .rows
            .iter()
            .map(|row| row.parts.iter().map(|(_, text)| text.as_str()).collect())
            .collect();
        let Glyphs { track, thumb, .. } = Glyphs::ASCII;
        assert_eq!(text, [format!("semantic   {track}{track}{thumb}{track} at least 2.0")]);
        assert_eq!(layout.stops.first().map(|stop| stop.stop.id.row.as_str()), Some("semantic"));
    }
}
