//! Each day the first step of *What next* is done as it says, until there is an answer.

use super::answers::GOOD;
use super::*;

/// Reviewers who do what the first step says.
struct Followers<'a> {
    site: &'a Site,
    reviewers: &'a [&'static str],
    /// Labels between two looks at the steps.
    portion: usize,
    labels: usize,
}

/// What they see, once nothing is left to do.
struct Seen {
    report: Value,
    code: i32,
    /// What is read first.
    said: String,
}

impl Seen {
    fn first(&self) -> &Value {
        &self.report["steps"][0]
    }

    /// Whether no label helps any more.
    fn is_final(&self) -> bool {
        self.code < 2 || ["hopeless", "too_close"].iter().any(|kind| self.first()["kind"] == *kind)
    }
}

impl<'a> Followers<'a> {
    fn new(site: &'a Site, reviewers: &'a [&'static str], portion: usize) -> Self {
        Self { site, reviewers, portion, labels: 0 }
    }

    fn read_answer(&self) -> Seen {
        let (report, code, said) = self.site.report(self.reviewers[0]);
        Seen { report, code, said }
    }

    /// Does all that can be done today.
    fn day(&mut self) -> Seen {
        loop {
            let seen = self.read_answer();
            if seen.is_final() || !self.follow(seen.first()) {
                return seen;
            }
        }
    }

    fn night(&mut self) {
        self.site.night();
    }

    /// Does what a step says: its first command, or a portion of labels of the queue that it opens. Tells
    /// whether that could be done.
    fn follow(&mut self, step: &Value) -> bool {
        let line = step["ways"][0]["lines"][0].as_str();
        if let Some(line) = line.and_then(|line| line.strip_prefix("foureyes ")) {
            let args: Vec<&str> = line.split(' ').collect();
            self.site.good(self.reviewers[0], &args);
            return true;
        }
        assert!(line.is_some() || step["opens"]["queue"] == "calibration", "{step}");
        for who in self.reviewers {
            let sat = self.site.sit(who, self.portion);
            self.labels += sat.labels;
            if sat.labels > 0 {
                return true;
            }
        }
        false
    }
}

#[test]
fn good_judge_is_ready_that_evening_with_two_reviewers_and_the_next_day_alone() {
    let site = Site::new(Plan { latency: false, ..GOOD });
    let mut alone = Followers::new(&site, &["anna"], usize::MAX);
    let seen = alone.day();
    assert_eq!(alone.labels, site.records.len());
    assert_eq!((&seen.report["result"], seen.code), (&Value::from("not_enough_evidence"), 2));
    assert_eq!(blocks(&seen.report), ["double_labels_missing"]);
    let confirm = step(&seen.report, "confirm").expect("a second word on what was called poor");
    assert_eq!(confirm["labels"], GOOD.poor, "{confirm}");
    let end = site.sit("anna", usize::MAX).end;
    assert!(end.contains("for another reviewer or a later day"), "{end}");
    // Another reviewer gives the second words at once.
    site.keep();
    site.sit("bert", usize::MAX);
    let (report, code, said) = site.report("anna");
    assert_eq!((&report["result"], code), (&Value::from("ready"), 0), "{said}");
    assert!(said.contains("Latency not recorded"), "{said}");
    assert_eq!(kpi(&report, "median_latency")["not_recorded"], true);
    // Alone they come on the next day.
    site.go_back();
    alone.night();
    let seen = alone.day();
    assert_eq!((&seen.report["result"], seen.code), (&Value::from("ready"), 0), "{}", seen.said);
    assert!(alone.labels < 2 * site.records.len(), "{}", alone.labels);
}

#[test]
fn bad_judge_is_not_ready_as_the_words_stand_and_not_ready_the_next_day() {
    let plan = Plan { poor: 72, missed: 14, acceptable: 288, blocked: 3, latency: true };
    let site = Site::new(plan);
    let mut alone = Followers::new(&site, &["anna"], 180);
    let seen = alone.day();
    assert_eq!((&seen.report["result"], seen.code), (&Value::from("not_enough_evidence"), 2));
    let words = "NOT READY as the words stand, 72 to confirm: not met: false negative rate";
    assert!(seen.said.contains(words), "{}", seen.said);
    alone.night();
    let seen = alone.day();
    assert_eq!(
        (&seen.report["result"], seen.code),
        (&Value::from("not_ready"), 1),
        "{}",
        seen.said
    );
    assert_eq!(seen.first()["kind"], "not_met");
    // All of them once, the confirmations, and what was drawn for a second label.
    assert!((plan.records() as usize + 72..500).contains(&alone.labels), "{}", alone.labels);
}

#[test]
fn marginal_judge_is_told_once_that_it_is_too_close() {
    let plan = Plan { poor: 102, missed: 5, acceptable: 408, blocked: 4, latency: true };
    let site = Site::new(plan);
    site.good("anna", &["gate", "window"]);
    let first = site.type_first_words("anna");
    let mut both = Followers::new(&site, &["bert", "anna"], usize::MAX);
    let seen = both.day();
    let text = seen.first()["text"].as_str().unwrap();
    assert!(text.contains("too close to the threshold of 5 %"), "{}", seen.report["steps"]);
    assert_eq!(seen.first()["about"], "false_negative_rate");
    assert_eq!(seen.report["steps"].to_string().matches("too close").count(), 1);
    assert!(step(&seen.report, "label").is_none(), "{}", seen.report["steps"]);
    assert!(first + both.labels <= 1500, "{}", both.labels);
}
