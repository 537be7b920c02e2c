//! What the service counts, as Prometheus reads it. No name of a client and no content is in it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the times of judgements, in milliseconds.
const BOUNDS_MS: [u64; 9] = [5, 50, 250, 1_000, 5_000, 15_000, 30_000, 60_000, 120_000];
/// Milliseconds that a judgement is reckoned with before one was made.
const FIRST_GUESS_MS: u64 = 5_000;

/// What the service counts.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    /// Answers, by route and status.
    answers: Mutex<BTreeMap<(&'static str, u16), u64>>,
    /// Answered judgements, by verdict; errors by their class.
    verdicts: Mutex<BTreeMap<String, u64>>,
    /// Connections that the service ended, by reason.
    closed: Mutex<BTreeMap<&'static str, u64>>,
    pub(super) judged: Counter,
    pub(super) reused: Counter,
    pub(super) cancelled: Counter,
    pub(super) connections: Counter,
    pub(super) tls_failed: Counter,
    tokens: Counter,
    cost_millionths: Counter,
    times: Times,
}

/// A number that grows.
#[derive(Debug, Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Debug, Default)]
struct Times {
    within: [Counter; BOUNDS_MS.len()],
    sum_ms: Counter,
    count: Counter,
}

/// What is true at this moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Now {
    pub(super) waiting: usize,
    pub(super) running: usize,
    pub(super) open_connections: usize,
    pub(super) log_lines: u64,
    pub(super) log_torn: u64,
    pub(super) log_broken: u64,
    pub(super) log_unverified: u64,
    pub(super) calls_torn: u64,
    pub(super) calls_unlogged: u64,
    pub(super) ready: bool,
}

impl Metrics {
    pub(super) fn answered(&self, route: &'static str, status: u16) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        *answers.entry((route, status)).or_default() += 1;
    }

    pub(super) fn verdict(&self, word: &str) {
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        *verdicts.entry(word.to_owned()).or_default() += 1;
    }

    /// Counts a connection that the service ended.
    pub(super) fn closed(&self, reason: &'static str) {
        let mut closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        *closed.entry(reason).or_default() += 1;
    }

    /// Counts one content that was judged.
    pub(super) fn evaluated(&self, took: Duration, tokens: u64, cost: Option<f64>) {
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        for (bound, counter) in BOUNDS_MS.iter().zip(&self.times.within) {
            counter.add(u64::from(ms <= *bound));
        }
        self.times.sum_ms.add(ms);
        self.times.count.add(1);
        self.judged.add(1);
        self.tokens.add(tokens);
        self.cost_millionths.add((cost.unwrap_or_default() * 1e6) as u64);
    }

    /// The mean time of one judgement.
    pub(super) fn mean(&self) -> Duration {
        let mean = self.times.sum_ms.get().checked_div(self.times.count.get());
        Duration::from_millis(mean.unwrap_or(FIRST_GUESS_MS))
    }

    /// All of it, in the text format of Prometheus.
    pub(super) fn text(&self, now: &Now) -> String {
        let mut out = String::new();
        let counters = [
            ("judgements_judged_total", "Contents that a judge was asked about.", &self.judged),
            ("judgements_reused_total", "Answers taken from an earlier judgement.", &self.reused),
            (
                "judgements_cancelled_total",
                "Judgements whose end nobody waited for; they are logged.",
                &self.cancelled,
            ),
            ("connections_total", "Connections taken.", &self.connections),
            ("tls_failures_total", "TLS handshakes that failed.", &self.tls_failed),
            ("tokens_total", "Tokens that the judges counted.", &self.tokens),
        ];
        for (name, help, counter) in counters {
            one(&mut out, name, "counter", help, &counter.get().to_string());
        }
        let cost = self.cost_millionths.get() as f64 / 1e6;
        let help = "Cost of all judgements, where prices are known.";
        one(&mut out, "cost_total", "counter", help, &cost.to_string());
        for (name, help, value) in [
            ("queue_length", "Contents that wait for a judge.", now.waiting as u64),
            ("judgements_running", "Contents that are judged.", now.running as u64),
            ("connections_open", "Connections that are open.", now.open_connections as u64),
            ("log_lines_at_start", "Lines of the log that were read.", now.log_lines),
            ("log_torn_at_start", "Lines of the log without an end or a form.", now.log_torn),
            ("log_broken_links_at_start", "Breaks of the log's chain.", now.log_broken),
            ("log_unverified", "Lines of the log whose signature is wrong.", now.log_unverified),
            (
                "calls_torn_at_start",
                "Lines of the account without an end or a form.",
                now.calls_torn,
            ),
            (
                "calls_unlogged_at_start",
                "Calls of the newest day without a line in the log.",
                now.calls_unlogged,
            ),
            ("ready", "Whether new contents are taken.", u64::from(now.ready)),
        ] {
            one(&mut out, name, "gauge", help, &value.to_string());
        }
        self.labelled(&mut out);
        self.histogram(&mut out);
        out
    }

    fn labelled(&self, out: &mut String) {
        head(out, "http_requests_total", "counter", "Answers, by route and status.");
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        for ((route, status), count) in &*answers {
            let labels = format!("{{route=\"{route}\",status=\"{status}\"}}");
            line(out, "http_requests_total", &labels, &count.to_string());
        }
        head(out, "verdicts_total", "counter", "Answered judgements, by verdict or error.");
        let verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        for (verdict, count) in &*verdicts {
            let labels = format!("{{verdict=\"{verdict}\"}}");
            line(out, "verdicts_total", &labels, &count.to_string());
        }
        let name = "connections_closed_total";
        head(out, name, "counter", "Connections that the service ended, by reason.");
        let closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        for (reason, count) in &*closed {
            line(out, name, &format!("{{reason=\"{reason}\"}}"), &count.to_string());
        }
    }

    fn histogram(&self, out: &mut String) {
        let name = "judgement_seconds";
        head(out, name, "histogram", "Time that judges took.");
        for (bound, counter) in BOUNDS_MS.iter().zip(&self.times.within) {
            let labels = format!("{{le=\"{}\"}}", *bound as f64 / 1e3);
            line(out, &format!("{name}_bucket"), &labels, &counter.get().to_string());
        }
        let count = self.times.count.get().to_string();
        line(out, &format!("{name}_bucket"), "{le=\"+Inf\"}", &count);
        let sum = self.times.sum_ms.get() as f64 / 1e3;
        line(out, &format!("{name}_sum"), "", &sum.to_string());
        line(out, &format!("{name}_count"), "", &count);
    }
}

fn one(out: &mut String, name: &str, kind: &str, help: &str, value: &str) {
    head(out, name, kind, help);
    line(out, name, "", value);
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "# HELP foureyes_{name} {help}\n# TYPE foureyes_{name} {kind}");
}

fn line(out: &mut String, name: &str, labels: &str, value: &str) {
    let _ = writeln!(out, "foureyes_{name}{labels} {value}");
}
