//! Task runs: of this program and of the bash runner, the newer ladder, and people's decisions.

use super::dirt::{self, Kind};
use super::fields::{self, Fields};
use super::opinion::{improvements, scores};
use super::page::Page;
use super::plan::Plan;
use super::protocol_run::ProtocolRun;
use super::recipe::fill;
use super::repository::Commits;
use super::schedule::{Answered, Entry, Schedule};
use super::stream::Stream;
use super::truth::Line;
use super::{Error, corruption, push};
use crate::domain::{Family, Timestamp};

/// One answer of a task judge.
#[derive(Debug, Clone, Copy)]
struct Round {
    verdict: &'static str,
    tier: usize,
    scores: [u64; 3],
}

const TIERS: [&str; 3] = ["quick", "deep", "tiebreaker"];

/// The task log of one box under construction.
pub(super) struct TaskLog<'a> {
    plan: &'a Plan,
    commits: &'a Commits,
    box_number: u32,
    stream: Stream,
    /// Records written, and to be written in all.
    done: u64,
    total: u64,
    /// Task and ladder records in the logs of the boxes before.
    before: u64,
    /// Records of this log that may be dirty.
    bash_records: u64,
    fields: Fields,
    page: Page,
    truth: Vec<u8>,
}

impl<'a> TaskLog<'a> {
    pub(super) fn new(plan: &'a Plan, commits: &'a Commits, box_number: u32, page: Page) -> Self {
        let before = plan.others[..box_number as usize].iter().map(|[t, l, ..]| t + l).sum();
        Self {
            plan,
            commits,
            box_number,
            stream: plan.seed.stream("task words", [box_number.into(), 0, 0]),
            done: 0,
            total: 0,
            before,
            bash_records: 0,
            fields: Fields::default(),
            page,
            truth: Vec::new(),
        }
    }

    /// Writes the whole log.
    pub(super) fn write(mut self) -> Result<(super::Summary, Vec<u8>), Error> {
        let schedule = Schedule::new(self.plan, self.box_number);
        self.total = schedule.total();
        for (before, entry) in schedule {
            self.done = before;
            match entry {
                Entry::Bash { id, rounds, poor, settled } => {
                    self.bash(&id, &rounds, poor)?;
                    if settled {
                        self.person(&id, poor)?;
                    }
                }
                Entry::Protocol { id, run, settled } => {
                    let end = self.protocol(&id, &run)?;
                    if settled {
                        self.settle(&id, &run, end)?;
                    }
                }
                Entry::Ladder { id } => self.ladder(&id)?,
                Entry::Person { id } => self.person(&id, false)?,
            }
        }
        if !self.plan.dirt.is_none() && self.box_number + 1 == self.plan.spec.boxes {
            self.page.no_final_newline();
        }
        Ok((self.page.finish()?, self.truth))
    }

    /// A run of the bash runner.
    fn bash(&mut self, id: &str, answered: &[Answered], poor: bool) -> Result<(), Error> {
        let s = &mut self.stream;
        let rounds = answered.iter().map(|(verdict, tier)| Round {
            verdict,
            tier: *tier,
            scores: scores(verdict, s),
        });
        let rounds: Vec<_> = rounds.collect();
        (0..rounds.len()).try_for_each(|n| self.task(id, &rounds, n, poor))
    }

    /// A run of this program's, line by line as it writes them; when it ends.
    fn protocol(&mut self, id: &str, run: &ProtocolRun) -> Result<Timestamp, Error> {
        let begin = run.begin(self.plan, self.done, self.total);
        let commit = self.commits.run(self.box_number, run.number);
        let lines = run.lines(self.plan, id, begin, commit);
        for record in &lines {
            // Every record is JSON.
            self.page.line(&record.line().unwrap_or_default())?;
            let summary = &mut self.page.summary;
            summary.count(Family::Task, Family::Task.outcome(&record.verdict));
            summary.latencies += u64::from(record.latency_ms.is_some());
            summary.outages += u64::from(record.error.is_some());
            let time = record.timestamp.whole_second();
            self.truth(Family::Task, id, time, &record.verdict, run.poor);
        }
        Ok(lines.last().map_or(begin, |line| line.timestamp))
    }

    /// A person's decision about such a run, some hours later.
    fn settle(&mut self, id: &str, run: &ProtocolRun, end: Timestamp) -> Result<(), Error> {
        let recipe = &self.plan.recipe;
        let (verdict, reasons) =
            if run.poor { ("reject", &recipe.uphold) } else { ("accept", &recipe.overrule) };
        let s = &mut self.stream;
        let (reason, reviewer) = (s.pick(reasons), s.pick(&recipe.reviewers));
        let time = self.plan.before_end(end.0 + s.below(7_200) as i64 * 1_000_000);
        human(&mut self.fields, Some(id), verdict, reason);
        self.fields.put("timestamp", |out| fields::time(out, time));
        signed(&mut self.fields, reviewer, reason, s);
        self.done(Family::Override, id, time, verdict, None)
    }

    fn task(&mut self, id: &str, rounds: &[Round], n: usize, poor: bool) -> Result<(), Error> {
        let round = rounds[n];
        let time = self.head(id, round);
        self.fields.put("timestamp", |out| fields::time(out, time));
        self.fields.put("round", |out| fields::number(out, n as u64 + 1));
        self.fields.text("judge_tier", TIERS[round.tier]);
        let tiers = &self.plan.recipe.tiers;
        let mut number = 0;
        self.fields.put("previous_rounds", |out| {
            fields::list(out, &rounds[..n], |out, earlier| {
                number += 1;
                out.extend_from_slice(format!("{{\"round\":{number},\"model\":").as_bytes());
                fields::string(out, &tiers[earlier.tier]);
                out.extend_from_slice(b",\"verdict\":");
                fields::string(out, earlier.verdict);
                out.extend_from_slice(b",\"average\":");
                average(out, earlier.scores);
                out.push(b'}');
            });
        });
        let split = if round.verdict == "escalate" { "\"split\"" } else { "\"majority\"" };
        self.fields.raw("consensus", if round.tier == 2 { split } else { "null" });
        self.fields.raw("human_override", "null");
        self.done(Family::Task, id, time, round.verdict, Some(poor))
    }

    fn ladder(&mut self, id: &str) -> Result<(), Error> {
        let poor = self.stream.chance(0.15);
        let verdict = match (poor, self.stream.unit()) {
            (_, x) if x < 0.05 => "INSUFFICIENT_EVIDENCE",
            (true, x) if x < 0.6 => "FIX_FIRST",
            (true, x) if x < 0.96 => "BLOCK",
            (false, x) if x < 0.11 => "FIX_FIRST",
            (false, x) if x < 0.25 => "SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK",
            _ => "SAFE_TO_COMMIT",
        };
        let tier = self.stream.below(2) as usize;
        let scores = scores(verdict, &mut self.stream);
        let time = self.head(id, Round { verdict, tier, scores });
        self.fields.put("timestamp", |out| fields::time(out, time));
        self.fields.raw("round", "1");
        self.fields.text("judge_tier", TIERS[tier]);
        self.fields.raw("previous_rounds", "[]");
        self.fields.raw("consensus", "null");
        self.fields.raw("human_override", "null");
        self.done(Family::Ladder, id, time, verdict, Some(poor))
    }

    /// A person's decision, as that system writes it.
    fn person(&mut self, id: &str, poor: bool) -> Result<(), Error> {
        let time = self.now();
        let verdict = if poor { "reject" } else { "accept" };
        let recipe = &self.plan.recipe;
        let reasons = if poor { &recipe.uphold } else { &recipe.overrule };
        let reason = self.stream.pick(reasons);
        human(&mut self.fields, Some(id), verdict, reason);
        self.fields.put("timestamp", |out| fields::time(out, time));
        self.done(Family::Override, id, time, verdict, None)
    }

    /// The fields up to the timestamp, and the time.
    fn head(&mut self, id: &str, round: Round) -> Timestamp {
        let recipe = &self.plan.recipe;
        let topic = recipe.topic(self.stream.below(recipe.topics.len() as u64));
        let safe = round.verdict == "accept" || round.verdict.starts_with("SAFE");
        let mut text = String::new();
        let sentence = match safe {
            true => self.stream.pick(&recipe.good),
            false => recipe.bad(round.scores, &mut self.stream).1,
        };
        fill(&mut text, sentence, topic, &mut self.stream);
        let fields = &mut self.fields;
        fields.clear();
        fields.text("task_id", id);
        fields.text("model", &recipe.tiers[round.tier]);
        fields.text("mode", TIERS[round.tier]);
        fields.text("verdict", round.verdict);
        fields.put("scores", |out| push::nested(out, round.scores));
        fields.put("average", |out| average(out, round.scores));
        fields.text("reasoning", &text);
        let wanted = match safe {
            true => Vec::new(),
            false => improvements(recipe, round.scores, topic, &mut self.stream),
        };
        // Writing to memory cannot fail.
        self.fields.put("improvements", |out| drop(serde_json::to_writer(out, &wanted)));
        self.now()
    }

    /// The time of the next record: they are spread evenly over the run.
    fn now(&mut self) -> Timestamp {
        let part = (self.done as f64 + self.stream.unit()) / self.total.max(1) as f64;
        self.plan.instant(part)
    }

    /// Soils, writes and counts the record.
    fn done(
        &mut self,
        family: Family,
        id: &str,
        time: Timestamp,
        verdict: &str,
        poor: Option<bool>,
    ) -> Result<(), Error> {
        let (plan, fields) = (self.plan, &mut self.fields);
        // A person's word stays clean: there are too few of them for every kind.
        let place = self.before + self.bash_records;
        self.bash_records += u64::from(poor.is_some());
        let kind = poor.and_then(|_| plan.dirt.at(dirt::TASK, "task", place));
        if let Some(dirt) = kind {
            corruption::corrupt(fields, dirt, &plan.recipe, &mut self.stream);
        }
        let kind = kind.map(|(kind, _)| kind);
        let outcome = family.outcome(verdict);
        let unknown = kind == Some(Kind::UnknownWord);
        let outcome =
            if unknown { outcome.map(|_| crate::domain::Outcome::Undetermined) } else { outcome };
        self.page.record(fields, kind, (&plan.recipe, &mut self.stream))?;
        self.page.summary.count(family, outcome);
        self.page.summary.undated += u64::from(kind == Some(Kind::Undated));
        self.done += 1;
        if let Some(poor) = poor {
            self.truth(family, id, time, verdict, poor);
        }
        Ok(())
    }

    fn truth(&mut self, family: Family, id: &str, time: Timestamp, verdict: &str, poor: bool) {
        let line = Line { family, subject: ("task_id", id), time, poor, verdict };
        line.write(&self.plan.recipe.box_name(self.box_number), &mut self.truth);
    }
}

/// The fields of a person's decision up to its timestamp.
pub(super) fn human(fields: &mut Fields, task: Option<&str>, verdict: &str, reason: &str) {
    fields.clear();
    if let Some(id) = task {
        fields.text("task_id", id);
    }
    fields.raw("model", "\"human\"");
    fields.raw("mode", "\"override\"");
    fields.text("verdict", verdict);
    fields.put("scores", |out| push::nested(out, [0; 3]));
    fields.raw("average", "0");
    fields.text("reasoning", reason);
    fields.raw("improvements", "[]");
    fields.raw("round", "0");
    fields.raw("judge_tier", "\"human\"");
    fields.raw("previous_rounds", "[]");
    fields.raw("consensus", "null");
    fields.raw("human_override", "true");
}

/// The fields that this program adds to a person's decision.
pub(super) fn signed(fields: &mut Fields, reviewer: &str, reason: &str, stream: &mut Stream) {
    let id = [stream.word(), stream.word()];
    fields.put("id", |out| fields::hex(out, &id, 32));
    fields.text("reviewer", reviewer);
    fields.text("reason", reason);
}

/// The average with two decimals at most, as that system rounds it.
fn average(out: &mut Vec<u8>, scores: [u64; 3]) {
    let hundredths = (scores.iter().sum::<u64>() * 200 + 3) / 6;
    let (whole, part) = (hundredths / 100, hundredths % 100);
    let text = if part == 0 { format!("{whole}.0") } else { format!("{whole}.{part:02}") };
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_are_rounded_to_two_decimals() {
        for (scores, text) in
            [([4, 4, 5], "4.33"), ([5, 5, 4], "4.67"), ([4, 4, 4], "4.0"), ([1, 1, 2], "1.33")]
        {
            let mut out = Vec::new();
            average(&mut out, scores);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }
}
