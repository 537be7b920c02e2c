//! Records of a window as a frame: equal ones once, with how many they are. Lines of tasks that have several
//! come one by one, since other lines decide on each. No text but names on an axis travels.

use super::super::connection::Store;
use super::super::flag_cache::AllFlags;
use super::super::lookup::within;
use super::super::row_binary::{Columns, Torn};
use super::super::spans::Span;
use super::super::{FleetError, fold, spans, tasks};
use super::axis::{Axis, Key};
use crate::domain::{Outcome, Window};
use crate::frame::grouped::{TIMED, TIMES, Values};
use crate::frame::{Flags, Frame, FrameError, schema};
use std::collections::HashMap;

/// The rows of a frame.
#[derive(Debug, Default)]
pub(super) struct Grouped {
    names: Vec<&'static str>,
    keys: Vec<Values>,
    ts: Vec<Option<i64>>,
    family: Vec<u32>,
    outcome: Vec<u32>,
    cause: Vec<u32>,
    evaluation: Vec<u32>,
    reports: Vec<bool>,
    scores: [Vec<Option<f32>>; 3],
    latency: Vec<Option<i64>>,
    times: Vec<u64>,
    timed: Vec<u64>,
    flags: Flags,
}

/// The records of a window.
pub(super) async fn rows(
    store: &Store,
    boxes: &[String],
    window: Window,
    axis: &Axis,
) -> Result<Grouped, FleetError> {
    let numbers = (0..).zip(boxes).map(|(at, name)| (name.as_str(), at)).collect();
    let mut all = Grouped::new(axis);
    let mut read = Read { axis, boxes: &numbers, into: &mut all };
    let spans = spans::of(store, &within(window)).await?;
    for span in &spans {
        let counted = counted(store, span, axis);
        store.rows("count records", &counted, |row| read.counted(row)).await?;
        let timed = timed(store, span, axis);
        store.rows("count latencies", &timed, |row| read.timed(row)).await?;
    }
    let flags = tasks::flags(store, &within(window)).await?;
    if flags.is_any {
        for span in &spans {
            let lines = lines(store, span, axis);
            store.rows("look at lines of tasks", &lines, |row| read.line(row, &flags)).await?;
        }
    }
    Ok(all)
}

const KIND: &str = "family, outcome, cause, evaluation, reports_outages";
const SCORES: &str = "semantic, pragmatic, syntactic";

/// Records that are no lines of runs of tasks, or the only ones of theirs, with whether a later one replaces each as `later`.
fn single(store: &Store, span: &Span, axis: &Axis, more: &str) -> String {
    let (names, within) = (store.names(), &span.condition);
    let day = if axis.by_day { ", day" } else { "" };
    let columns = format!(", unit, {KIND}{more}{day}{}", axis.columns());
    let alone = fold::lone(names, within);
    let places = fold::first_places(
        names,
        &columns,
        &format!("(role = 0 OR {alone}) AND {within}"),
        &span.days,
    );
    let repeat = fold::repeat(names, span);
    format!(
        "SELECT {}{}, toUInt8({repeat}) AS later, at, {KIND}{more} FROM ({places})",
        axis.selected(),
        axis.time()
    )
}

fn counted(store: &Store, span: &Span, axis: &Axis) -> String {
    let by = format!("{}{KIND}, later, {SCORES}", axis.names());
    let single = single(store, span, axis, &format!(", {SCORES}"));
    format!("SELECT {by}, min(at), toUInt64(count()) FROM ({single}) GROUP BY {by}, time_of")
}

fn timed(store: &Store, span: &Span, axis: &Axis) -> String {
    let by = format!("{}evaluation, latency", axis.names());
    let single = single(store, span, axis, ", latency");
    format!(
        "SELECT {by}, min(at), toUInt64(count()) FROM ({single}) \
         WHERE evaluation != 0 AND later = 0 AND isNotNull(latency) GROUP BY {by}, time_of"
    )
}

fn lines(store: &Store, span: &Span, axis: &Axis) -> String {
    let within = &span.condition;
    let columns = format!(", {KIND}, {SCORES}, latency{}", axis.columns());
    let several = fold::several(store.names(), within, "1");
    let of_tasks = format!("role != 0 AND (unit = 0 OR unit GLOBAL IN ({several})) AND {within}");
    let places = fold::first_places(store.names(), &columns, &of_tasks, &span.days);
    let short = fold::SHORT;
    format!("SELECT {short}, {}{KIND}, {SCORES}, latency, at FROM ({places})", axis.selected())
}

/// Reads rows of replies into a frame.
struct Read<'a> {
    axis: &'a Axis,
    boxes: &'a HashMap<&'a str, u32>,
    into: &'a mut Grouped,
}

impl Read<'_> {
    fn keys(&mut self, row: &mut Columns<'_>) -> Result<(), Torn> {
        for (key, values) in self.axis.keys.iter().zip(&mut self.into.keys) {
            match (key, values) {
                (Key::Box, Values::Codes(all)) => {
                    all.push(self.boxes.get(row.text()?.as_str()).copied().unwrap_or(u32::MAX));
                }
                (Key::Text(_), Values::Texts(all)) => all.push(row.nullable(Columns::text)?),
                (Key::Made(..), Values::Texts(all)) => {
                    all.push(Some(row.text()?).filter(|text| text != "\0"));
                }
                (Key::Word(_), Values::Words(all)) => all.push(row.u64()?),
                (Key::Code(_), Values::Codes(all)) => all.push(row.u32()?),
                _ => return Err(Torn),
            }
        }
        Ok(())
    }

    fn kind(&mut self, row: &mut Columns<'_>) -> Result<(), Torn> {
        self.into.family.push(row.u8()?.into());
        self.into.outcome.push(row.u8()?.into());
        self.into.cause.push(row.u8()?.into());
        self.into.evaluation.push(row.u8()?.into());
        self.into.reports.push(row.u8()? != 0);
        Ok(())
    }

    fn scores(&mut self, row: &mut Columns<'_>) -> Result<(), Torn> {
        for scores in &mut self.into.scores {
            scores.push(row.nullable(Columns::f32)?);
        }
        Ok(())
    }

    fn at(&mut self, row: &mut Columns<'_>) -> Result<(), Torn> {
        self.into.ts.push(Some(row.i64()?).filter(|at| *at != i64::MIN));
        Ok(())
    }

    fn counted(&mut self, row: &mut Columns<'_>) -> Result<(), Torn> {
        self.keys(row)?;
        self.kind(row)?;
        let repeat = row.u8()? != 0;
        self.scores(row)?;
        self.at(row)?;
        self.into.latency.push(None);
        let times = row.u64()?;
        self.end((times, 0), repeat);
        Ok(())
    }

    fn timed(&mut self, row: &mut Columns<'_>) -> Result<(), Torn> {
        self.keys(row)?;
        self.into.family.push(0);
        self.into.outcome.push(Outcome::NONE_CODE.into());
        self.into.cause.push(0);
        self.into.evaluation.push(row.u8()?.into());
        self.into.reports.push(false);
        self.into.scores.iter_mut().for_each(|scores| scores.push(None));
        self.into.latency.push(row.nullable(Columns::i64)?);
        self.at(row)?;
        let timed = row.u64()?;
        self.end((0, timed), false);
        Ok(())
    }

    fn line(&mut self, row: &mut Columns<'_>, flags: &AllFlags) -> Result<(), Torn> {
        let id = row.fixed()?;
        self.keys(row)?;
        self.kind(row)?;
        self.scores(row)?;
        self.into.latency.push(row.nullable(Columns::i64)?);
        self.at(row)?;
        let of_line = flags.of(&id);
        self.end((1, 1), of_line.repeat);
        if let Some(last) = self.into.flags.settled.last_mut() {
            *last = of_line.settled;
        }
        if let Some(last) = self.into.flags.overtaken.last_mut() {
            *last = of_line.overtaken;
        }
        if let Some(last) = self.into.flags.run_latency.last_mut() {
            *last = of_line.run_latency;
        }
        Ok(())
    }

    fn end(&mut self, (times, timed): (u64, u64), repeat: bool) {
        self.into.times.push(times);
        self.into.timed.push(timed);
        let flags = &mut self.into.flags;
        flags.duplicate.push(false);
        flags.repeat.push(repeat);
        flags.settled.push(None);
        flags.overtaken.push(false);
        flags.run_latency.push(None);
    }
}

impl Grouped {
    fn new(axis: &Axis) -> Self {
        let values = |key: &Key| match key {
            Key::Box | Key::Code(_) => Values::Codes(Vec::new()),
            Key::Text(_) | Key::Made(..) => Values::Texts(Vec::new()),
            Key::Word(_) => Values::Words(Vec::new()),
        };
        Self {
            names: axis.keys.iter().map(Key::name).collect(),
            keys: axis.keys.iter().map(values).collect(),
            ..Self::default()
        }
    }

    /// The frame of numbers, that of texts, and the flags of their rows.
    pub(super) fn frames(self) -> Result<(Frame, Frame, Flags), FrameError> {
        let flags = self.flags.clone();
        let [numbers, texts] = self.columns();
        Ok((Frame::of_columns(numbers)?, Frame::of_columns(texts)?, flags))
    }

    /// One frame of all.
    pub(super) fn whole(self) -> Result<Frame, FrameError> {
        let flags = self.flags.to_frame()?;
        let [numbers, texts] = self.columns();
        Frame::together(vec![Frame::of_columns([numbers, texts].concat())?, flags])
    }

    fn columns(self) -> [Vec<(&'static str, Values)>; 2] {
        let [semantic, pragmatic, syntactic] = self.scores.map(Values::Scores);
        let numbers = vec![
            (schema::TS, Values::Whole(self.ts)),
            (schema::FAMILY, Values::Codes(self.family)),
            (schema::OUTCOME, Values::Codes(self.outcome)),
            (schema::CAUSE, Values::Codes(self.cause)),
            (schema::EVALUATION, Values::Codes(self.evaluation)),
            (schema::REPORTS_OUTAGES, Values::Flags(self.reports)),
            (schema::LATENCY, Values::Whole(self.latency)),
            (schema::SCORES[0], semantic),
            (schema::SCORES[1], pragmatic),
            (schema::SCORES[2], syntactic),
            (TIMES, Values::Words(self.times)),
            (TIMED, Values::Words(self.timed)),
        ];
        let keys = self.names.into_iter().zip(self.keys);
        let (texts, more): (Vec<_>, Vec<_>) =
            keys.partition(|(_, values)| matches!(values, Values::Texts(_)));
        [[numbers, more].concat(), texts]
    }
}
