//! Boxes by days.

use super::axis::{Axis, Place};
use super::part::Part;
use super::what::in_box;
use crate::frame::grid::{Grid, Sums};
use serde::Serialize;
use std::collections::HashMap;

/// Boxes by the spans of the bars.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Heat {
    /// A row a box, in configured order, those without a log among them.
    pub rows: Vec<HeatRow>,
}

/// A box.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeatRow {
    /// Its name.
    #[serde(rename = "box")]
    pub name: String,
    /// A cell a bar, in their order. One that is silent ([`Part::is_silent`]) is not the same as
    /// one with evaluations of which none is flagged: there the hook may be dead.
    pub cells: Vec<Part>,
}

impl Heat {
    /// `names` are the boxes to show; `boxes` are those that the cells count.
    pub(super) fn new(grid: &Grid, axis: &Axis, mut names: Vec<String>, boxes: &[String]) -> Self {
        for name in boxes {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let mut found: HashMap<(&str, usize), Sums> = HashMap::new();
        for ((day, box_index), sums) in &grid.cells {
            let name = boxes.get(*box_index as usize);
            if let (Some(name), Some(Place::At(at))) = (name, day.map(|day| axis.place(day))) {
                found.entry((name, at)).or_default().merge(sums);
            }
        }
        let row = |name: String| {
            let cell = |(at, span): (usize, &super::Span)| {
                let sums = found.get(&(name.as_str(), at)).copied().unwrap_or_default();
                let place = std::iter::once(in_box(&name)).chain(span.nodes()).collect();
                Part::new(place, sums)
            };
            let cells = axis.spans.iter().enumerate().map(cell).collect();
            HeatRow { cells, name }
        };
        Self { rows: names.into_iter().map(row).collect() }
    }
}
