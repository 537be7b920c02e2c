//! What picks and their labels come to, and what that decides.

use super::steps::{Gaps, Step, steps};
use super::{
    Check, Decision, Drawn, GateWindow, Labelled, Measured, Pick, Policy, check, decide, measure,
    passed_over,
};
use crate::domain::review::{Dated, PickJudge, PickWindow};
use crate::domain::{Timestamp, Window};
use crate::stats::spending;
use crate::text::mask::mask;
use schemars::JsonSchema;
use serde::Serialize;

/// A pick, and what is known of it.
#[derive(Debug, Clone)]
pub struct Item<'a> {
    /// The pick.
    pub pick: &'a Pick,
    /// Its judge; `None` where none was to be asked.
    pub judge: Option<&'a PickJudge>,
    /// What was said of it.
    pub labelled: Option<Labelled>,
    /// When somebody first labelled it because it was drawn; `None` also where somebody named it.
    pub first_label: Option<Timestamp>,
    /// Whether its prompt was kept.
    pub has_text: bool,
    /// Its place in the draw, in [0, 1).
    pub draw: f64,
}

/// What is to be assessed.
#[derive(Debug)]
pub struct Inputs<'a> {
    /// All picks of a mode, the oldest first.
    pub items: Vec<Item<'a>>,
    /// Whether they are those of searches.
    pub is_lenient: bool,
    /// The windows that were begun, the earliest first.
    pub windows: &'a [Dated<PickWindow>],
    /// The policy as it is configured.
    pub configured: Policy,
    /// What is displayed beside the decision.
    pub days: Window,
    /// Drawn picks with a label that are not in the logs.
    pub elsewhere: u64,
}

/// The window as the document names it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WindowRow {
    /// When it was begun; `null` where none runs, and these are the numbers of one that would begin now.
    #[schemars(with = "Option<String>")]
    pub begun: Option<Timestamp>,
    /// The judge whose picks decide; `null` where there is none yet.
    pub judge: Option<PickJudge>,
    /// Its number among the windows of this judge, from 1.
    pub number: u64,
    /// Its share of the allowed error.
    pub share: f64,
    /// Judges that windows were begun for so far.
    pub judges: u64,
    /// The first pick that counts.
    #[schemars(with = "Option<String>")]
    pub first: Option<Timestamp>,
    /// The last pick that counts.
    #[schemars(with = "Option<String>")]
    pub last: Option<Timestamp>,
    /// Picks of other judges, which do not count.
    pub other_judges: u64,
    /// Drawn picks that wait for a label.
    pub due: u64,
    /// Picks that cannot be labelled, since their prompt was not kept.
    pub without_text: u64,
    /// What the picks come to that decide.
    pub measured: Measured,
}

/// What is to be known before the answer is trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Note {
    /// What it is about.
    pub id: NoteId,
    /// A sentence on it.
    pub text: String,
}

/// What a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteId {
    /// Several judges were tried.
    Judges,
    /// The policy asks for less than the default.
    WeakerPolicy,
    /// The configuration has another policy than the one that decides.
    PolicyChanged,
}

/// What picks come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// What is displayed.
    pub measured: Measured,
    /// The days that it is of.
    pub days: Window,
    /// The window.
    pub window: WindowRow,
    /// The policy that decides.
    pub policy: Policy,
    /// Each condition.
    pub checks: Vec<Check>,
    /// What is decided.
    pub decision: Decision,
    /// What is to be known before it is trusted.
    pub notes: Vec<Note>,
    /// What to do, in this order.
    pub steps: Vec<Step>,
}

/// Decides on all picks of the window, and measures those that are displayed.
pub fn assess(inputs: &Inputs<'_>) -> Assessment {
    let latest = inputs.items.iter().rev().find_map(|item| item.judge);
    let window = GateWindow::new(inputs.windows, inputs.is_lenient, latest);
    let policy = window.policy.unwrap_or(inputs.configured);
    let counted: Vec<&Item<'_>> =
        inputs.items.iter().filter(|item| window.is_of(item.judge)).collect();
    let reach = reach(&counted);
    let of_window = counted.iter().map(|item| (item.pick, item.in_window(reach)));
    let (measured, checks) = check(of_window, &policy, window.number);
    let row = row(&window, inputs, &counted, measured);
    let gaps = gaps(&window, inputs, &counted, reach);
    let decision = decide(&checks, gaps.is_any());
    Assessment {
        measured: displayed(inputs),
        days: inputs.days,
        notes: notes(&window, &policy, inputs),
        steps: steps(&row, &checks, &policy, &gaps, inputs.is_lenient),
        window: row,
        policy: Policy { since: inputs.days.from, ..policy },
        checks,
        decision,
    }
}

/// How far the draw was labelled: the largest place of a pick that was labelled because it was drawn; below
/// all without any.
fn reach(counted: &[&Item<'_>]) -> f64 {
    let drawn = counted.iter().filter(|item| item.is_complete() && item.first_label.is_some());
    drawn.map(|item| item.draw).fold(-1.0, f64::max)
}

fn displayed(inputs: &Inputs<'_>) -> Measured {
    let within = |item: &&Item<'_>| inputs.days.holds(item.pick.at);
    let items: Vec<&Item<'_>> = inputs.items.iter().filter(within).collect();
    let mut measured = measure(items.iter().map(|item| (item.pick, item.labelled.clone())));
    (measured.labels.due, measured.labels.without_text) = waiting(&items);
    measured
}

/// How many picks wait for a label, and how many cannot get one.
fn waiting(items: &[&Item<'_>]) -> (u64, u64) {
    let waiting = items.iter().filter(|item| item.pick.is_due() && item.labelled.is_none());
    let count = |has_text| waiting.clone().filter(|item| item.has_text == has_text).count() as u64;
    (count(true), count(false))
}

fn row(
    window: &GateWindow,
    inputs: &Inputs<'_>,
    counted: &[&Item<'_>],
    mut measured: Measured,
) -> WindowRow {
    (measured.labels.due, measured.labels.without_text) = waiting(counted);
    let asked = inputs.items.iter().filter(|item| item.judge.is_some()).count();
    WindowRow {
        begun: window.begun,
        judge: window.judge.as_ref().map(masked),
        number: window.number,
        share: spending::window(window.number),
        judges: window.judges,
        first: counted.iter().find_map(|item| item.pick.at),
        last: counted.iter().rev().find_map(|item| item.pick.at),
        other_judges: asked.saturating_sub(counted.len()) as u64,
        due: measured.labels.due,
        without_text: measured.labels.without_text,
        measured,
    }
}

fn masked(judge: &PickJudge) -> PickJudge {
    let part = |text: &str| mask(text).0.into_owned();
    PickJudge {
        model: part(&judge.model),
        served_model: part(&judge.served_model),
        prompt_sha: part(&judge.prompt_sha),
    }
}

/// What keeps READY away whatever the picks say.
fn gaps<'a>(
    window: &GateWindow,
    inputs: &Inputs<'_>,
    counted: &[&Item<'a>],
    reach: f64,
) -> Gaps<'a> {
    let others =
        inputs.items.iter().filter(|item| item.judge.is_some() && !window.is_of(item.judge));
    let since = |begun| others.filter_map(|item| item.pick.at).find(|at| *at >= begun);
    let can_be_labelled =
        |item: &&&Item<'_>| item.pick.is_due() && (item.has_text || item.labelled.is_some());
    let picks: Vec<&&Item<'a>> = counted.iter().filter(can_be_labelled).collect();
    let drawn: Vec<Drawn> = picks.iter().map(|item| item.drawn(reach)).collect();
    let missing = passed_over(&drawn);
    let missing = missing
        .into_iter()
        .filter_map(|at| picks.get(at))
        .map(|item| (item.pick, item.labelled.is_some()));
    let (differing, unlabelled): (Vec<_>, Vec<_>) =
        missing.partition(|(_, is_labelled)| *is_labelled);
    Gaps {
        has_window: window.begun.is_some(),
        has_policy: window.policy.is_some(),
        other_judge: window.begun.and_then(since),
        passed_over: unlabelled.len() as u64,
        differing: differing.into_iter().map(|(pick, _)| pick).collect(),
        elsewhere: inputs.elsewhere,
    }
}

impl Item<'_> {
    fn is_complete(&self) -> bool {
        self.labelled.as_ref().is_some_and(Labelled::is_complete)
    }

    /// Its labels for a window whose draw was labelled so far.
    fn in_window(&self, reach: f64) -> Option<Labelled> {
        self.labelled.clone().map(|of| of.in_window(self.draw <= reach))
    }

    /// What the draw knows of it. A pick that was labelled by name alone says nothing on when the draw came
    /// to those before it.
    fn drawn(&self, reach: f64) -> Drawn {
        let counts = self.in_window(reach).is_some_and(|of| of.is_drawn && of.is_complete());
        let labelled = counts.then(|| self.first_label.unwrap_or(Timestamp(i64::MIN)));
        Drawn { draw: self.draw, made: self.pick.at, labelled }
    }
}

fn notes(window: &GateWindow, policy: &Policy, inputs: &Inputs<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut add = |id, text| notes.push(Note { id, text });
    if window.judges > 1 {
        let (k, most) = (window.judges, window.judges as f64 * policy.alpha * 100.0);
        let text = format!(
            "{k} judges were tried at this gate: the risk of a false READY is up to {most:.0} %."
        );
        add(NoteId::Judges, text);
    }
    let weaker = policy.weaker();
    if !weaker.is_empty() {
        let text = format!("The policy asks for less than the default: {}.", weaker.join(", "));
        add(NoteId::WeakerPolicy, text);
    }
    if window.policy.is_some_and(|of| !of.asks_as(&inputs.configured)) {
        let text = "The configuration was changed after this window began. The window keeps its policy; the next one takes the new one.";
        add(NoteId::PolicyChanged, text.to_owned());
    }
    notes
}
