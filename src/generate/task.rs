//! Task runs: rounds of quick, deep and tiebreaker, the newer ladder, and a person's word.

use super::dirt::{self, Kind};
use super::fields::{self, Fields};
use super::page::Page;
use super::plan::Plan;
use super::recipe::fill;
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
    box_number: u32,
    stream: Stream,
    /// Records written, and to be written in all.
    done: u64,
    total: u64,
    /// Task and ladder records in the logs of the boxes before.
    before: u64,
    fields: Fields,
    page: Page,
    truth: Vec<u8>,
}

impl<'a> TaskLog<'a> {
    pub(super) fn new(plan: &'a Plan, box_number: u32, page: Page) -> Self {
        let before = plan.others[..box_number as usize].iter().map(|[t, l, ..]| t + l).sum();
        let [tasks, ladders, overrides, _] = plan.others[box_number as usize];
        Self {
            plan,
            box_number,
            stream: plan.seed.stream("task", [box_number.into(), 0, 0]),
            done: 0,
            total: tasks + ladders + overrides,
            before,
            fields: Fields::default(),
            page,
            truth: Vec::new(),
        }
    }

    /// Writes the whole log.
    pub(super) fn write(mut self) -> Result<(super::Summary, Vec<u8>), Error> {
        let [mut tasks, ladders, mut overrides, _] = self.plan.others[self.box_number as usize];
        let mut run = 0;
        while tasks > 0 {
            run += 1;
            let id = format!("issue-{}", u64::from(self.box_number) * 100_000 + run);
            let (rounds, poor) = self.run();
            let rounds = &rounds[..rounds.len().min(tasks as usize)];
            for n in 0..rounds.len() {
                self.task(&id, rounds, n, poor)?;
            }
            tasks -= rounds.len() as u64;
            let last = rounds.last().map_or("", |r| r.verdict);
            if overrides > 0 && (matches!(last, "escalate" | "reject") || tasks == 0) {
                self.person(&id, poor)?;
                overrides -= 1;
            }
        }
        for n in 0..overrides {
            self.person(&format!("issue-late-{n}"), false)?;
        }
        for n in 0..ladders {
            self.ladder(&format!("change-{}", u64::from(self.box_number) * 100_000 + n))?;
        }
        if !self.plan.dirt.is_none() && self.box_number + 1 == self.plan.spec.boxes {
            self.page.no_final_newline();
        }
        Ok((self.page.finish()?, self.truth))
    }

    /// The rounds of one run, and whether its content is poor.
    fn run(&mut self) -> (Vec<Round>, bool) {
        let s = &mut self.stream;
        let poor = s.chance(0.15);
        let x = s.unit();
        let quick = match (poor, x) {
            (true, x) if x < 0.45 => "reject",
            (false, x) if x < 0.02 => "reject",
            (true, x) if x < 0.9 => "improve",
            (false, x) if x < 0.2 => "improve",
            _ => "accept",
        };
        let mut rounds = vec![Round { verdict: quick, tier: 0, scores: scores(quick, s) }];
        if quick == "improve" {
            let deep = if s.chance(if poor { 0.1 } else { 0.7 }) { "accept" } else { "improve" };
            rounds.push(Round { verdict: deep, tier: 1, scores: scores(deep, s) });
            if deep == "improve" && s.chance(0.6) {
                let last =
                    ["escalate", if poor { "reject" } else { "accept" }][s.below(2) as usize];
                rounds.push(Round { verdict: last, tier: 2, scores: scores(last, s) });
            }
        }
        (rounds, poor)
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
        let phrases = if safe { &recipe.good } else { &recipe.bad };
        let sentence = self.stream.pick(phrases);
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
        let count = if safe { 0 } else { 1 + self.stream.below(2) as usize };
        let stream = &mut self.stream;
        fields.put("improvements", |out| {
            fields::list(out, &[(); 2][..count], |out, ()| {
                let dimension = *stream.pick(&["semantic", "pragmatic", "syntactic"]);
                let mut part = |key: &[u8], words: &[String]| {
                    text.clear();
                    let sentence = stream.pick(words);
                    fill(&mut text, sentence, topic, stream);
                    out.extend_from_slice(key);
                    fields::string(out, &text);
                };
                part(
                    format!("{{\"dimension\":\"{dimension}\",\"location\":").as_bytes(),
                    &recipe.locations,
                );
                part(b",\"issue\":", &recipe.bad);
                part(b",\"suggestion\":", &recipe.advice);
                out.push(b'}');
            });
        });
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
        let [_, tasks, ladders, _] = self.page.summary.families;
        let place = self.before + tasks + ladders;
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
            let line = Line { family, subject: ("task_id", id), time, poor, verdict };
            line.write(&plan.recipe.box_name(self.box_number), &mut self.truth);
        }
        Ok(())
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

/// Scores by which the rubric's rule gives the verdict.
fn scores(verdict: &str, stream: &mut Stream) -> [u64; 3] {
    match verdict {
        "accept" | "SAFE_TO_COMMIT" | "SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK" => {
            *stream.pick(&[[4, 4, 4], [4, 5, 5], [5, 4, 4], [3, 4, 4], [5, 5, 5], [4, 3, 5]])
        }
        "reject" | "BLOCK" => *stream.pick(&[[1, 2, 3], [1, 1, 2], [2, 1, 4], [1, 3, 3]]),
        _ => *stream.pick(&[[2, 3, 4], [3, 2, 3], [3, 3, 4], [2, 2, 4], [3, 3, 3]]),
    }
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
