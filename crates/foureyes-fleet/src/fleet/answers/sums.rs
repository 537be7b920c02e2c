//! Sums that the nodes make whole.

use super::super::connection::Store;
use super::super::lookup::within;
use super::super::row_binary::Columns;
use super::super::{FleetError, fold, schema as tables};
use super::axis::Axis;
use super::group;
use crate::domain::{Family, JudgementKind, Outcome, Timestamp, Window};
use crate::frame::grid::{Grid, Part};
use crate::frame::{Configured, schema};
use std::collections::HashMap;

/// Contents of pushes that were NO-GO first and GO later, by one judge and prompt. Doubles change nothing.
pub(super) async fn lifted(store: &Store, window: Window) -> Result<u64, FleetError> {
    let (no_go, go) = (Outcome::NoGo.code(), Outcome::Go.code());
    let select = format!(
        "SELECT toUInt64(count()) FROM (SELECT content, model, prompt FROM {} WHERE {} AND family = {} AND \
         content != 0 AND isNotNull(ts) AND {} GROUP BY content, model, prompt HAVING \
         countIf(outcome = {no_go}) > 0 AND countIf(outcome = {go}) > 0 AND \
         minIf(ifNull(ts, 0), outcome = {no_go}) < maxIf(ifNull(ts, 0), outcome = {go}))",
        store.names().table(tables::OCCURRENCES.name),
        fold::counts(store.names(), &within(window)),
        Family::Push.code(),
        within(window)
    );
    store.one("count contents that were asked again", &select, |row| row.u64()).await
}

/// The configurations of judges that made the push records of a window.
pub(super) async fn configured(
    store: &Store,
    boxes: &[String],
    window: Window,
) -> Result<Vec<Configured>, FleetError> {
    let numbers: HashMap<&str, u32> =
        (0..).zip(boxes).map(|(at, name)| (name.as_str(), at)).collect();
    let of_push = format!(
        "family = {} AND judge != 0 AND isNotNull(ts) AND {}",
        Family::Push.code(),
        within(window)
    );
    let select = format!(
        "SELECT box, judge, toUInt64(count()), min(at), max(at) FROM ({}) GROUP BY box, judge",
        fold::first_places(store.names(), ", judge", &of_push, &within(window))
    );
    let read = |row: &mut Columns<'_>| {
        let box_index = numbers.get(row.text()?.as_str()).copied().unwrap_or(u32::MAX);
        let (judge, records) = (row.u64()?, row.u64()?);
        let (first, last) = (Timestamp(row.i64()?), Timestamp(row.i64()?));
        Ok(Configured { box_index, judge, records, first, last })
    };
    let mut all = store.rows("look at the configurations of judges", &select, read).await?;
    all.sort_unstable_by_key(|c| (c.box_index, c.first, c.last, c.judge));
    Ok(all)
}

/// What [`crate::frame::Frame::questions`] gives.
pub(super) async fn questions(
    store: &Store,
    boxes: &[String],
    window: Window,
) -> Result<Vec<Configured>, FleetError> {
    let numbers: HashMap<&str, u32> =
        (0..).zip(boxes).map(|(at, name)| (name.as_str(), at)).collect();
    let of_push = format!(
        "family = {} AND isNotNull(prompt) AND isNotNull(ts) AND {}",
        Family::Push.code(),
        within(window)
    );
    let select = format!(
        "SELECT box, assumeNotNull(prompt), toUInt64(count()), min(at), max(at) FROM ({}) GROUP BY box, prompt",
        fold::first_places(store.names(), ", prompt", &of_push, &within(window))
    );
    let read = |row: &mut Columns<'_>| {
        let box_index = numbers.get(row.text()?.as_str()).copied().unwrap_or(u32::MAX);
        let (judge, records) = (Configured::name(&row.text()?), row.u64()?);
        let (first, last) = (Timestamp(row.i64()?), Timestamp(row.i64()?));
        Ok(Configured { box_index, judge, records, first, last })
    };
    let all = store.rows("look at the questions of judges", &select, read).await?;
    Ok(Configured::merged(all.into_iter().filter(|one| one.judge != 0)))
}

/// In how many places records of a window are, by box and day; without a day where they have no time.
async fn places(
    store: &Store,
    window: Window,
) -> Result<Vec<(String, Option<i32>, u64)>, FleetError> {
    let select = format!(
        "SELECT box, without, toInt64(on_day), toUInt64(count()) FROM \
         (SELECT box, any(isNull(ts)) AS without, any(day) AS on_day FROM {} WHERE {} AND {} \
         GROUP BY id, box, file, byte) GROUP BY box, without, on_day",
        store.names().table(tables::OCCURRENCES.name),
        fold::counts(store.names(), &within(window)),
        within(window)
    );
    let read = |row: &mut Columns<'_>| {
        let (box_name, without, day) = (row.text()?, row.u8()? != 0, row.i64()?);
        let day = i32::try_from(day).ok().filter(|_| !without);
        Ok((box_name, day, row.u64()?))
    };
    store.rows("count places of records", &select, read).await
}

/// The sums of a window by day and box, and by names.
pub(super) async fn grid(
    store: &Store,
    boxes: &[String],
    of: JudgementKind,
    window: Window,
) -> Result<Grid, FleetError> {
    let whole = group::rows(store, boxes, window, &Axis::box_and_day()).await?;
    let (frame, _, flags) = whole.frames()?;
    let mut grid = Grid::of_cells(&frame, &flags, of)?;
    for (box_name, day, places) in places(store, window).await? {
        let at = boxes.binary_search(&box_name).ok().and_then(|at| u32::try_from(at).ok());
        grid.add_places(day, at.unwrap_or(u32::MAX), places);
    }
    for (part, axis) in [
        (Part::Judges, Axis::texts(&[schema::SERVED_MODEL, schema::MODEL])),
        (Part::Authors, Axis::texts(&[schema::AUTHOR])),
        (Part::Paths, Axis::directories()),
        (Part::Terms, Axis::texts(&[schema::TERMS])),
    ] {
        let (frame, texts, flags) = group::rows(store, boxes, window, &axis).await?.frames()?;
        grid.add_names(part, (&frame, &texts), &flags, of)?;
    }
    Ok(grid)
}
