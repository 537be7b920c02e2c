//! Measures as a table, each with its picture.

use super::whisker::whisker;
use super::{Html, is_in_html, signed};
use crate::page::write::{name, whole};
use crate::page::{Item, Measure, Text};

impl Html<'_> {
    pub(super) fn measures(&self, items: &[Item]) -> String {
        let all = || {
            items.iter().filter_map(|item| if let Item::Measure(m) = item { Some(m) } else { None })
        };
        let rows: String = all().map(|measure| self.measure(measure)).collect();
        format!(
            "<table class=\"kpis\">\n<thead><tr><th scope=\"col\">KPI</th><th scope=\"col\">result</th>\
             <th scope=\"col\">estimate, interval, threshold</th></tr></thead>\n<tbody>\n{rows}</tbody>\n\
             </table>\n"
        )
    }

    fn measure(&self, measure: &Measure) -> String {
        let result = measure.result.as_ref().map_or_else(String::new, |(sign, text)| {
            let class = sign.role().as_str();
            format!("<span class=\"mark {class}\">{}</span>", signed(*sign, &self.text(text)))
        });
        let title = Text::from(measure.name).capitalized().raw();
        let title = name(measure).replacen(measure.name, &title, 1);
        format!(
            "<tr><th scope=\"row\">{title}</th>\n<td>{result}</td>\n<td>{}{}</td></tr>\n",
            whisker(measure),
            self.numbers(measure)
        )
    }

    fn numbers(&self, measure: &Measure) -> String {
        let mut estimate = measure.estimate.clone();
        let counts = whole(&measure.counts);
        if !counts.is_empty() {
            estimate = estimate.and(", ").and(counts);
        }
        let mut out = self.text(&estimate);
        if !measure.interval.is_empty() {
            out += &format!("<br>interval: {}", self.text(&measure.interval));
        }
        out += &format!("<br>threshold: {}", self.text(&measure.threshold));
        let below = measure.below.iter().filter(|row| is_in_html(row.forms));
        let below: String = below.map(|row| format!("<br>{}", self.text(&row.text()))).collect();
        if below.is_empty() { out } else { format!("{out}<span class=\"more\">{below}</span>") }
    }
}
