//! One pick: candidates found, judged, chosen, and written down.

use super::log::{CandidateText, PickLog, PickText, TextFormat};
use crate::config::Config;
use crate::domain::Timestamp;
use crate::engine::record::{PickCandidate, PickChoice, PickFormat, PickRecord, RecordError};
use crate::engine::relevance::{self, Candidate, Criterion, Fallback, Mode, Question, prompt_sha};
use crate::judging::relevance::{Judged, RelevanceJudge};
use crate::memories::{
    Directory, DirectoryError, Hit, Index, Memory, Method, Query, Scope, index_path, search, update,
};
use crate::text::mask::mask;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long an agent waits for an index that is brought up to date.
const UPDATE: Duration = Duration::from_millis(2_500);
/// Bytes of a prompt that are looked at for everything but its search.
const LOOKED_AT: usize = 64 << 10;
/// Characters of a prompt that are kept for labelling, and of the beginning of a memory.
const KEPT_PROMPT: usize = 4_000;
const KEPT_BODY: usize = 600;

/// What a pick is made with.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// The directory of memories.
    pub directory: &'a Path,
    /// The directory of what can be made again.
    pub cache: &'a Path,
    /// The log, whose lines of today count for the cap of a day.
    pub log: Option<&'a PickLog>,
    /// Where what models refuse of a question is kept.
    pub refused: Option<&'a Path>,
    /// The time.
    pub now: Timestamp,
    /// When a judge must have answered, its key included; `None` where nobody waits but for its own time.
    pub until: Option<Instant>,
}

impl Setup<'_> {
    /// Time that is left for the judge.
    fn left(&self) -> Duration {
        let most = self.config.memories.timeout;
        self.until.map_or(most, |until| most.min(until.saturating_duration_since(Instant::now())))
    }
}

/// What memories are wanted for. Its texts are hostile.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The prompt, or the words searched for.
    pub prompt: &'a str,
    /// The last lines of the conversation.
    pub context: &'a [String],
    /// For whom.
    pub mode: Mode,
    /// Most memories that are put out.
    pub limit: usize,
}

/// What a pick came to.
#[derive(Debug, Clone)]
pub struct Picked {
    /// Its record.
    pub record: PickRecord,
    /// The memories that are put out, by rank.
    pub memories: Vec<Memory>,
    /// What people label it by, where that is to be kept.
    pub text: Option<PickText>,
    /// What should be known besides, a clause each.
    pub warnings: Vec<String>,
}

/// A candidate with its memory.
struct Found {
    hit: Hit,
    memory: Memory,
}

/// What was decided: which candidates are kept, by their ranks from 0, and how.
struct Decision {
    kept: Vec<usize>,
    choice: PickChoice,
    fallback: Option<Fallback>,
    error: Option<String>,
    judge: Option<RelevanceJudge>,
    judged: Option<(Judged, Duration)>,
}

/// Picks memories. Nothing is written but the index.
///
/// # Errors
/// The directory of memories cannot be read.
pub fn pick(setup: &Setup<'_>, wanted: &Wanted<'_>) -> Result<Picked, DirectoryError> {
    let directory = Directory::open(setup.directory)?;
    let mut warnings: Vec<String> =
        refresh(&directory, setup.cache, wanted.mode).into_iter().collect();
    let scope = match wanted.mode {
        Mode::Strict => Scope::Head,
        Mode::Lenient => Scope::Whole,
    };
    let limit = setup.config.memories.candidates(wanted.mode);
    let found = search(&directory, setup.cache, &Query::new(wanted.prompt), scope, limit)?;
    let mut all = Vec::new();
    for hit in found.hits {
        match directory.read(&hit.listed()) {
            Ok(memory) => all.push(Found { hit, memory }),
            Err(problem) => warnings.push(problem.to_string()),
        }
    }
    let prompt = masked(wanted.prompt);
    let order = relevance::order(&prompt, all.len());
    let wanted = Wanted { prompt: &prompt, ..*wanted };
    let mut decision = decide(setup, &wanted, &found.method, &all, &order);
    decision.kept.sort_unstable();
    decision.kept.truncate(wanted.limit);
    let record = record(setup, &wanted, &all, &order, &decision);
    let text = setup.config.memories.keep_prompts.then(|| text(&record, &wanted, &all));
    let kept =
        |(rank, found): (usize, Found)| decision.kept.contains(&rank).then_some(found.memory);
    let memories = all.into_iter().enumerate().filter_map(kept).collect();
    Ok(Picked { record, memories, text, warnings })
}

/// The record where no candidates could be looked for.
pub fn failed(setup: &Setup<'_>, wanted: &Wanted<'_>, why: &str) -> PickRecord {
    let prompt = masked(wanted.prompt);
    let decision = Decision { error: Some(why.to_owned()), ..Decision::unjudged(None) };
    record(setup, &Wanted { prompt: &prompt, ..*wanted }, &[], &[], &decision)
}

/// Brings the index up to date where the listing changed since. Before a prompt nobody is waited for: the old
/// one is searched where that takes too long. Returns what went wrong.
fn refresh(directory: &Directory, cache: &Path, mode: Mode) -> Option<String> {
    let indexed = Index::open(&index_path(cache, directory)).and_then(|index| index.listing());
    if indexed.ok() == directory.listing_stamp() {
        return None;
    }
    let now = Instant::now();
    let lock = if mode == Mode::Strict { now } else { now + UPDATE };
    match update(directory, cache, lock, now + UPDATE) {
        Ok(updated) if mode == Mode::Lenient => updated.problems.first().map(|problem| {
            let count = updated.problems.len();
            format!("{count} memories are left out, the first: {problem}")
        }),
        Ok(_) => None,
        Err(error) => Some(error.to_string()),
    }
}

fn decide(
    setup: &Setup<'_>,
    wanted: &Wanted<'_>,
    method: &Method,
    all: &[Found],
    order: &[usize],
) -> Decision {
    let (count, memories) = (all.len(), &setup.config.memories);
    let instead = |fallback: Fallback, why: Option<String>| {
        let kept = (0..memories.kept_instead(wanted.mode, fallback).min(count)).collect();
        Decision { kept, error: why, ..Decision::unjudged(Some(fallback)) }
    };
    if let Method::Keywords(why) = method {
        return instead(Fallback::NoIndex, Some(why.clone()));
    }
    if count == 0 {
        return Decision::unjudged(None);
    }
    if !memories.judge {
        return instead(Fallback::Off, None);
    }
    let judge =
        match RelevanceJudge::new(setup.config, setup.refused.map(Path::to_owned), setup.left()) {
            Ok(judge) => judge,
            Err(unready) => {
                let (fallback, why) = unready.fallback();
                return instead(fallback, Some(why));
            }
        };
    let candidates: Vec<Candidate<'_>> =
        order.iter().filter_map(|rank| all.get(*rank)).map(Found::candidate).collect();
    let question = Question {
        mode: wanted.mode,
        keep: memories.keep(wanted.mode),
        criterion: Criterion::Relevance,
        prompt: wanted.prompt,
        context: wanted.context,
        candidates: &candidates,
    };
    if let Some(why) = capped(setup, &judge, &question) {
        return Decision { judge: Some(judge), ..instead(Fallback::Cap, Some(why)) };
    }
    let began = Instant::now();
    let judged = asked(setup, &judge, &question);
    let took = began.elapsed();
    let by_judge = |kept: &Vec<usize>| {
        let choice = if kept.is_empty() { PickChoice::None } else { PickChoice::Kept };
        let kept = kept.iter().filter_map(|number| order.get(*number).copied()).collect();
        Decision { kept, choice, ..Decision::unjudged(None) }
    };
    let decision = match &judged.kept {
        Ok(kept) => by_judge(kept),
        Err(none) => instead(none.fallback(), Some(none.why.clone())),
    };
    Decision { judge: Some(judge), judged: Some((judged, took)), ..decision }
}

/// Why a question may not be asked today; `None` where it may.
fn capped(setup: &Setup<'_>, judge: &RelevanceJudge, question: &Question<'_>) -> Option<String> {
    let cap = setup.config.memories.max_cost_per_day?;
    let spent = match setup.log.map_or(Ok(0.0), |log| log.spent(setup.now)) {
        Ok(spent) => spent,
        Err(error) => return Some(format!("what was spent today is not known: {error}")),
    };
    let dual = setup.config.memories.dual;
    let refused = judge.reserve(question, dual, cap, spent).err()?;
    Some(refused.words().replace("spend cap", "cap of the day"))
}

fn asked(setup: &Setup<'_>, judge: &RelevanceJudge, question: &Question<'_>) -> Judged {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return Judged::failed(RecordError::PromptMissing, &error.to_string()),
    };
    let judged = runtime.block_on(async {
        let until = tokio::time::Instant::now() + setup.left();
        judge.judge(question, setup.config.memories.dual, until).await
    });
    // A name that is still looked up would keep it waiting.
    runtime.shutdown_background();
    judged
}

fn record(
    setup: &Setup<'_>,
    wanted: &Wanted<'_>,
    all: &[Found],
    order: &[usize],
    decision: &Decision,
) -> PickRecord {
    let candidate = |(rank, found): (usize, &Found)| {
        let position = order.iter().position(|shown| *shown == rank).unwrap_or(rank);
        found.record((rank, position), decision.kept.contains(&rank))
    };
    let judge = decision.judge.as_ref();
    let judged = decision.judged.as_ref().map(|(judged, _)| judged);
    let service = judged.and_then(|judged| judged.service.as_ref());
    let (dual, keep) = (setup.config.memories.dual, setup.config.memories.keep(wanted.mode));
    let own_model = || judge.map(|judge| judge.model().to_owned());
    PickRecord {
        schema: PickFormat::Pick1,
        pick: id(),
        timestamp: setup.now,
        at_us: None,
        choice: decision.choice,
        mode: wanted.mode,
        keep: Some(keep).filter(|keep| *keep != wanted.mode.most()),
        dual,
        prompt_sha: service
            .map_or_else(|| prompt_sha(keep, dual), |service| service.prompt_sha.clone()),
        content_sha: blake3::hash(wanted.prompt.as_bytes()).to_hex().to_string(),
        judge_sha: judge.map(RelevanceJudge::sha),
        model: service.map(|service| service.model.clone()).or_else(own_model),
        served_model: judged.and_then(|judged| judged.served_model.clone()),
        candidates: all.iter().enumerate().map(candidate).collect(),
        fallback: decision.fallback,
        error: decision.error.clone(),
        latency_ms: decision.judged.as_ref().map(|(_, took)| took.as_millis() as u64),
        usage: judged.and_then(|judged| judged.usage),
        cost: judged.and_then(|judged| judged.cost),
        cost_at_most: judged.and_then(|judged| judged.cost_at_most),
        scripted: judge.is_some_and(RelevanceJudge::is_scripted)
            || service.is_some_and(|service| service.scripted),
    }
}

fn text(record: &PickRecord, wanted: &Wanted<'_>, all: &[Found]) -> PickText {
    let cut = |text: &str, most: usize| mask(text).0.chars().take(most).collect::<String>();
    let candidate = |found: &Found| CandidateText {
        memory: found.memory.path.clone(),
        title: found.memory.title.as_deref().map(|title| cut(title, KEPT_BODY)),
        body: cut(&found.memory.body, KEPT_BODY),
    };
    PickText {
        schema: TextFormat::PickText1,
        pick: record.pick.clone(),
        timestamp: record.timestamp,
        prompt: cut(wanted.prompt, KEPT_PROMPT),
        context: wanted.context.iter().map(|line| cut(line, KEPT_BODY)).collect(),
        candidates: all.iter().map(candidate).collect(),
    }
}

/// The beginning of a prompt without secrets: what is hashed, asked about and kept.
fn masked(prompt: &str) -> String {
    let beginning = prompt.get(..prompt.floor_char_boundary(LOOKED_AT)).unwrap_or_default();
    mask(beginning).0.into_owned()
}

/// An id, drawn at random.
fn id() -> String {
    let mut bytes = [0_u8; 8];
    if getrandom::fill(&mut bytes).is_err() {
        // Ids need to differ, not to be secret.
        let now =
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        bytes =
            (now.as_nanos() as u64 ^ u64::from(std::process::id()).rotate_left(40)).to_be_bytes();
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Decision {
    /// Nobody decided, and nothing is kept yet.
    fn unjudged(fallback: Option<Fallback>) -> Self {
        let choice = match fallback.is_some_and(Fallback::is_failure) {
            true => PickChoice::Fallback,
            false => PickChoice::Unjudged,
        };
        Self { kept: Vec::new(), choice, fallback, error: None, judge: None, judged: None }
    }
}

impl Found {
    fn candidate(&self) -> Candidate<'_> {
        let Memory { title, category, tags, .. } = &self.memory;
        Candidate { title: title.as_deref(), category: category.as_deref(), tags }
    }

    fn record(&self, (rank, position): (usize, usize), kept: bool) -> PickCandidate {
        let Memory { path, title, category, tags, .. } = self.memory.clone();
        PickCandidate {
            memory: path,
            title,
            category,
            tags,
            rank: (rank + 1) as u32,
            score: self.hit.score,
            position: position as u32,
            kept,
            no_room: false,
        }
    }
}

impl Picked {
    /// Leaves memories out that there is no room for, by their places. They stay in the record.
    pub fn leave_out(&mut self, places: &[usize]) {
        self.record.leave_out(places);
        let mut place = 0..;
        self.memories.retain(|_| place.next().is_none_or(|place| !places.contains(&place)));
    }

    /// Writes it down: first the text that people label it by, then the record. Returns what could not be
    /// written.
    pub fn append(&self, log: &PickLog, until: Instant) -> Vec<String> {
        let text = self.text.as_ref().map(|text| log.append_text(text, until));
        let all = text.into_iter().chain([log.append(&self.record, until)]);
        all.filter_map(Result::err).map(|error| crate::domain::chain(&error)).collect()
    }
}
