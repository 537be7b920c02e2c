//! What waits for a label, shared out.

use super::{Args, Context, Failure, reading};
use crate::assess::{self, Evaluations, Turn};
use crate::assignments::{By, Candidate, Shared, WantedPlace, share_out, wanted};
use crate::calibration::no_window;
use crate::cli::operator::reading::{From, Trouble};
use crate::domain::review::Present;
use crate::domain::team::team_of;
use crate::domain::{Record, RecordId, Timestamp, Window};
use crate::frame::query::{Query, Scope};
use crate::store::cache::Archive;
use crate::triage::Seen;
use std::collections::{HashMap, HashSet};

/// Shares out what waits among candidates, in the order of the calibration queue.
pub(super) fn shared(
    context: &Context,
    args: &Args,
    present: &Present,
    candidates: &[Candidate],
) -> Result<Shared, Failure> {
    let filter = args.filter.as_deref().map(reading::parse_filter).transpose()?;
    let collected = reading::collect(context, &From::default())?;
    reading::warn_stale(&collected);
    let (complete_until, missing) = assess::completeness(&collected.boxes, context.now);
    let ask = assess::Ask::new(args.family.kind(), context.now, complete_until, &missing);
    reading::ask(context, &collected, |archive| {
        let cancelled = || Failure::local("the question was cancelled");
        let all = Evaluations::load(archive, ask.family, ask.cancel)?.ok_or_else(cancelled)?;
        let assessed = assess::assess_loaded(&all, present, &ask);
        if assessed.rules.window_start.is_none() {
            return Err(Failure::usage("nothing waits for a label")
                .hint(no_window(ask.family))
                .into());
        }
        // Nobody in particular: what waits for anybody.
        let who = assess::Reviewer { name: "", repeats: 0.0, turn: Turn::Mixed };
        let waiting = assess::waiting(&all, &assessed, present, who, context.now);
        let mut places = wanted(&waiting.due, &assessed.rules.plan, present, args.overlap);
        if let Some(filter) = &filter {
            let visit = reading::visit(context, &collected, filter)?;
            let matching = matching(context, (archive, visit), present, filter)?;
            places.retain(|place| matching.contains(&place.record));
        }
        places.retain(|place| all.row(place.record).is_some());
        limit(&mut places, args.limit);
        let by = By::from(args.by);
        let known = if by == By::Skill { read(archive, &all, &places)? } else { HashMap::new() };
        let is_apt = |candidate: usize, place: usize| {
            let record = places.get(place).and_then(|place| known.get(&place.record));
            record.zip(candidates.get(candidate)).is_some_and(|(r, c)| is_apt(context, &c.name, r))
        };
        let seconds = context.clock.now().plus_days(args.days).0 / 1_000_000;
        let until = Timestamp(seconds * 1_000_000);
        Ok(share_out(&places, candidates, present, by, until, &is_apt))
    })
}

fn matching(
    context: &Context,
    (archive, visit): (&Archive, Option<Seen>),
    present: &Present,
    filter: &Query,
) -> Result<HashSet<RecordId>, Trouble> {
    let who = crate::config::reviewer(&context.config, &context.environment, None);
    let mut reviews = present.reviews().read_by(who.map(|who| who.name));
    if let Some(visit) = visit {
        reviews = reviews.read_until(visit.reached(archive)?);
    }
    let scope = Scope { boxes: archive.boxes(), now: context.now, reviews: &reviews };
    let rows = archive.matching(filter, &scope, Window::ALL)?;
    Ok(archive.ids(&rows)?.into_iter().collect())
}

/// Keeps the places of the first records.
fn limit(places: &mut Vec<WantedPlace>, most: Option<usize>) {
    let mut records = HashSet::new();
    let most = most.unwrap_or(usize::MAX);
    places.retain(|place| {
        let known = records.contains(&place.record);
        known || (records.len() < most && records.insert(place.record))
    });
}

/// The records of places, whose files and authors decide who is apt.
fn read(
    archive: &Archive,
    all: &Evaluations,
    places: &[WantedPlace],
) -> Result<HashMap<RecordId, Record>, Trouble> {
    let rows: Vec<_> = places.iter().filter_map(|place| all.row(place.record)).collect();
    let located = archive.records(&rows)?;
    Ok(located.into_iter().map(|one| (one.record.id, one.record)).collect())
}

fn is_apt(context: &Context, name: &str, record: &Record) -> bool {
    let Some(own) = context.config.reviewers.get(name) else { return false };
    let files = record.files.iter().map(String::as_str);
    let teams = context.config.fleet.listed_teams();
    let team = || team_of(&teams, &record.box_name, record.author.as_deref(), files.clone());
    own.knows(files.clone()) || own.team.as_deref().is_some_and(|name| team() == Some(name))
}
