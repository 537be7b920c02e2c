//! All that is known of one box, as lines.

use super::{pulling, sanitize};
use crate::answers::triage::{boxes, foreign};
use crate::assess::{WITHDRAWN, blocking_caveat};
use crate::domain::{BoxReport, BoxState, Caveat};
use crate::report::counted;
use crate::store::state::{Fact, PullEntry};
use crate::text::escape;
use crate::tui::model::{Load, Model};
use crate::tui::theme::Role;

/// A line, and what it means.
pub(super) type Line = (Role, String);

/// How the box is, what went wrong, and how its last pulls went.
pub(super) fn lines(model: &Model, report: &BoxReport, width: usize) -> Vec<Line> {
    let mut page = DetailLines { width: width.max(20), lines: Vec::new() };
    let fresh = boxes::freshness(report.state, report.age_at(model.now)).raw();
    let role = boxes::state_role(report.state);
    page.text(role, "", &format!("{fresh}; {}", boxes::holdings(report).raw()));
    for caveat in blocking(model, &report.name) {
        let role = if caveat.id == WITHDRAWN { Role::Error } else { Role::Warning };
        page.text(role, "", &model.facts.command_line.complete(&sanitize(&caveat.text)));
    }
    let pulling = pulling(model, &report.name);
    if !pulling.is_empty() {
        page.text(Role::Notice, "", &format!("pull: {pulling}"));
    }
    if let Some(error) = &report.error {
        page.text(Role::Error, "", "the last pull failed:");
        page.text(Role::Error, "| ", &sanitize_lines(error));
    }
    for notice in &report.notices {
        // Of what is read by default not every file is on every box.
        match Fact::is_missing(notice) && report.state == BoxState::Ok && report.records > 0 {
            true => page.text(Role::Dim, "", &sanitize(notice)),
            false => page.text(Role::Warning, "! ", &sanitize(notice)),
        }
    }
    let logs = model.overview.summary.value.iter().flat_map(|triage| &triage.foreign_logs);
    for log in logs.filter(|log| log.box_name == report.name) {
        page.text(Role::Text, "! ", &format!("{}: {}", sanitize(&log.file), foreign(log)));
    }
    match model.facts.fleet {
        true => {
            page.lines.push((Role::Text, String::new()));
            let text = "The store has no log of pulls: whoever pulls this box has it. `foureyes fleet status` shows who published when.";
            page.text(Role::Dim, "", &model.facts.command_line.complete(text));
        }
        false => log(model, &mut page),
    }
    page.lines
}

/// What is said of a box that blocks.
fn blocking(model: &Model, name: &str) -> Vec<Caveat> {
    let modes = model.modes();
    let Some(of) = modes.of_box(name).filter(|of| of.blocks) else { return Vec::new() };
    let is_withdrawn = model.is_withdrawn_from(&modes, of);
    let all = model.blocking_caveats().into_iter();
    let withdrawn = all.filter(|caveat| is_withdrawn && caveat.id == WITHDRAWN);
    withdrawn.chain(std::iter::once(blocking_caveat(of, model.now))).collect()
}

/// A text from outside that may have several lines.
fn sanitize_lines(text: &str) -> String {
    text.lines().map(sanitize).collect::<Vec<_>>().join("\n")
}

struct DetailLines {
    width: usize,
    lines: Vec<Line>,
}

impl DetailLines {
    /// Adds a text, each of its lines behind a gutter.
    fn text(&mut self, role: Role, gutter: &str, text: &str) {
        let block = escape::block(text, &format!("  {gutter}"), self.width);
        self.lines.extend(block.lines().map(|line| (role, line.to_owned())));
    }
}

fn log(model: &Model, page: &mut DetailLines) {
    let log = &model.boxes.log;
    page.lines.push((Role::Text, String::new()));
    match (&log.value, &log.load) {
        (_, Load::Failed(problem)) => {
            let text = format!("the pull log cannot be read: {}", sanitize(&problem.text));
            page.text(Role::Error, "", &text);
            page.text(Role::Text, "", &sanitize(&model.next_step(problem)));
        }
        (Some(entries), _) if entries.is_empty() => {
            page.text(
                Role::Dim,
                "",
                "No pull recorded: these logs are read in place, or nothing was pulled yet.",
            );
        }
        (Some(entries), _) => {
            let title = match entries.len() {
                1 => "The only recorded pull:".to_owned(),
                pulls => format!("The last {pulls} pulls, newest first:"),
            };
            page.text(Role::Title, "", &title);
            entries.iter().for_each(|entry| add_entry(page, entry));
        }
        (None, _) => page.text(Role::Dim, "", "reading the pull log…"),
    }
}

fn add_entry(page: &mut DetailLines, entry: &PullEntry) {
    let time = entry.at.to_string();
    let when = match (time.get(..10), time.get(11..19)) {
        (Some(day), Some(second)) => format!("{day} {second}Z"),
        _ => time,
    };
    let (role, how) =
        if entry.error.is_some() { (Role::Error, "FAILED") } else { (Role::Text, "ok") };
    let bytes = counted(entry.bytes, "new byte", "new bytes");
    let files = counted(entry.files, "file", "files");
    let received = counted(entry.received, "byte", "bytes");
    let trips = counted(entry.round_trips, "round trip", "round trips");
    let took = format!("{:.2} s", entry.took_ms as f64 / 1000.0);
    page.text(
        role,
        "",
        &format!("{when}  {how}  {took}, {bytes} in {files}, {received} received, {trips}"),
    );
    if let Some(error) = &entry.error {
        page.text(Role::Error, "    | ", &sanitize_lines(error));
    }
    let notices = entry.notices.iter().filter(|of| !matches!(of.fact, Fact::Missing { .. }));
    for notice in notices {
        page.text(Role::Warning, "    ! ", &sanitize(&notice.fact.to_string()));
    }
    let more = entry.noticed.saturating_sub(entry.notices.len() as u64);
    if more > 0 {
        let text = counted(more, "more notice was dropped", "more notices were dropped");
        page.text(Role::Warning, "    ", &text);
    }
}
