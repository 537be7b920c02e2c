//! Records of the store that operators share, for the commands that show records.

use super::super::{output, reading, signals};
use super::{Context, Failure, failure, nodes};
use crate::domain::{Family, Record, RecordId};
use crate::fleet::{FleetError, FleetRow, Question, Reader};
use crate::overrides::{Settlements, settling as answering};
use crate::store::cache::Located;
use std::process::ExitCode;

/// Records that are fetched and written at a time.
const CHUNK: usize = 500;
/// So many lines of a task are looked at for what answers its run.
const LINES: usize = 1000;

/// Hands the records that match over, in their order, with what is needed to ask more; tells how many
/// there were, or the exit code of a signal.
pub(in crate::cli::operator) fn found(
    context: &Context,
    question: &Question<'_>,
    mut take: impl AsyncFnMut(&Reader, Vec<Located>) -> Result<bool, Failure>,
) -> Result<Result<usize, ExitCode>, Failure> {
    let nodes = nodes(&context.config.fleet)?;
    let settings = reading::settings(context, &context.config);
    let answer = signals::unless_interrupted(async {
        let reader = Reader::connect(nodes).await.map_err(failure)?;
        let rows: Vec<FleetRow> = reader.list(question).await.map_err(failure)?;
        for some in rows.chunks(CHUNK) {
            let located = reader.located(some, &settings).await.map_err(failure)?;
            if !take(&reader, located).await? {
                break;
            }
        }
        warn_left_out(&reader.left_out());
        Ok(rows.len())
    })?;
    match answer {
        Ok(found) => found.map(Ok),
        Err(code) => Ok(Err(code)),
    }
}

/// Says which records are missing from a list.
pub(in crate::cli::operator) fn warn_left_out(ids: &[RecordId]) {
    for id in ids {
        output::to_stderr(&format!(
            "warning: the store's bytes of the record {id} cannot be read: it is left out"
        ));
    }
}

/// The overrides in logs that answer the runs which some records end.
pub(in crate::cli::operator) async fn settlements(
    context: &Context,
    reader: &Reader,
    rows: &[Located],
) -> Result<Settlements, Failure> {
    let mut found = Settlements::default();
    let ends = rows.iter().map(|located| &located.record);
    let ends = ends.filter(|row| row.family != Family::Override && row.decision.is_some());
    let tasks = ends.filter_map(|row| Some((row.box_name.clone(), row.task_id.clone()?)));
    let settings = reading::settings(context, &context.config);
    let tasks = reader.decided_tasks(&tasks.collect(), &settings).await.map_err(failure)?;
    tasks.lines.values().for_each(|lines| found.add(lines, &tasks.decided));
    Ok(found)
}

/// The override in a log that answers the run which a record ends.
pub(in crate::cli::operator) async fn settling(
    context: &Context,
    reader: &Reader,
    row: &Record,
) -> Result<Option<Record>, Failure> {
    let task = row.task_id.as_deref().filter(|task| *task != "unknown");
    let Some(task) = task.filter(|_| row.decision.is_some()) else { return Ok(None) };
    let settings = reading::settings(context, &context.config);
    let lines = reader.lines_of_task(task, &row.box_name, LINES, &settings).await;
    Ok(answering(row, &records(lines)?).cloned())
}

fn records(lines: Result<Vec<Located>, FleetError>) -> Result<Vec<Record>, Failure> {
    Ok(lines.map_err(failure)?.into_iter().map(|located| located.record).collect())
}
