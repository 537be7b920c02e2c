//! What the judge finds in the work of each agent.

use super::{AssessError, Breakdown, Evaluations, part_names};
use crate::calibration::Evaluation;
use crate::calibration::agents::{Agent, AgentItem, agents};
use crate::config::Config;
use crate::domain::{JudgementKind, Outcome, Timestamp, Window};
use crate::frame::schema;
use crate::store::cache::{Archive, Row};
use schemars::JsonSchema;
use serde::Serialize;

/// Value of `schema` in the document.
pub const AGENTS_SCHEMA: &str = "foureyes/calibration-agents/1";

/// What the judge finds in the work of each agent. It rests on verdicts, not on labels, and decides nothing.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AgentsDocument {
    /// [`AGENTS_SCHEMA`].
    pub schema: &'static str,
    /// Whose evaluations it is about; absent for those of pushes.
    #[serde(skip_serializing_if = "JudgementKind::is_default")]
    #[schemars(default)]
    pub family: JudgementKind,
    /// When the document was made.
    #[schemars(with = "String")]
    pub generated: Timestamp,
    /// The first day that is looked at.
    #[schemars(with = "String")]
    pub from: Timestamp,
    /// The agents, in the order of their names.
    pub agents: Vec<Agent>,
}

/// The figures of agents in a window, over the first verdict on each content.
///
/// # Errors
/// A cache that cannot be read.
pub fn agents_in(
    archive: &Archive,
    all: &Evaluations,
    config: &Config,
    window: Window,
) -> Result<Vec<Agent>, AssessError> {
    let inside = |e: &Evaluation| e.is_judged() && window.holds(Some(e.at));
    let places: Vec<u32> =
        (0..).zip(all.all()).filter(|(_, e)| inside(e)).map(|(at, _)| at).collect();
    let names = part_names(archive, all, &places, Breakdown::Agent, config)?;
    let rows = places.iter().filter_map(|at| all.row_at(*at as usize));
    let rows: Vec<Row> = rows.collect();
    let files = archive.texts(&rows, schema::FILES)?;
    let terms = archive.texts(&rows, schema::TERMS)?;
    let texts = names.iter().zip(files.iter().zip(terms.iter()));
    let items = places.iter().zip(texts).filter_map(|(at, (agent, (files, terms)))| {
        let at = *at as usize;
        let evaluation = all.all().get(at)?;
        Some(AgentItem {
            agent,
            at: evaluation.at,
            judge: evaluation.fingerprint,
            box_index: *all.boxes().get(at)?,
            flagged: evaluation.outcome == Outcome::NoGo,
            scores: all.scores(at)?,
            files: files.as_deref().unwrap_or_default(),
            terms: terms.as_deref().unwrap_or_default(),
        })
    });
    Ok(agents(&items.collect::<Vec<_>>()))
}
