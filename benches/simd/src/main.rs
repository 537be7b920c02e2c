//! Parses JSON Lines into typed records with simd-json and throws them away: the least that any
//! reader of such logs must do.
//!
//! `simd THREADS FILE…` prints the number of records and those that said GO.

use serde::Deserialize;
use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The documented fields of a push verdict; texts borrow where they can.
#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    commit: Cow<'a, str>,
    #[serde(borrow)]
    timestamp: Cow<'a, str>,
    #[serde(borrow)]
    author: Cow<'a, str>,
    #[serde(borrow)]
    judge_model: Cow<'a, str>,
    #[serde(borrow)]
    files_evaluated: Vec<Cow<'a, str>>,
    scores: Option<Scores>,
    #[serde(borrow)]
    verdict: Cow<'a, str>,
    #[serde(borrow)]
    findings: Cow<'a, str>,
    #[serde(borrow)]
    revision_suggestions: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    served_model: Option<Cow<'a, str>>,
    latency_ms: Option<u64>,
    #[serde(borrow)]
    error: Option<Cow<'a, str>>,
    #[serde(borrow)]
    prompt_sha: Option<Cow<'a, str>>,
    #[serde(borrow)]
    content_sha: Option<Cow<'a, str>>,
    #[serde(borrow)]
    mode: Option<Cow<'a, str>>,
    inconsistent: Option<bool>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Scores {
    semantic: Option<f64>,
    pragmatic: Option<f64>,
    syntactic: Option<f64>,
}

impl Record<'_> {
    /// Touches every field, so that none is parsed for nothing.
    fn weight(&self) -> usize {
        let texts =
            [&self.commit, &self.timestamp, &self.author, &self.judge_model, &self.findings];
        let maybe =
            [&self.served_model, &self.error, &self.prompt_sha, &self.content_sha, &self.mode];
        let lists = self.files_evaluated.iter().chain(&self.revision_suggestions);
        let scores = self.scores.iter().flat_map(|s| [s.semantic, s.pragmatic, s.syntactic]);
        let usage = self.usage.iter().flat_map(|u| [u.prompt_tokens, u.completion_tokens]);
        texts.into_iter().chain(maybe.into_iter().flatten()).map(|t| t.len()).sum::<usize>()
            + lists.map(|t| t.len()).sum::<usize>()
            + scores.flatten().count()
            + usage.flatten().count()
            + usize::from(self.latency_ms.is_some())
            + usize::from(self.inconsistent == Some(true))
    }
}

#[derive(Default, Clone, Copy)]
struct Sum {
    records: usize,
    go: usize,
    weight: usize,
}

fn file(path: &str) -> Result<Sum, String> {
    let mut bytes = std::fs::read(path).map_err(|e| format!("{path}: {e}"))?;
    let mut buffers = simd_json::Buffers::default();
    let mut sum = Sum::default();
    let mut rest = bytes.as_mut_slice();
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let (line, after) = rest.split_at_mut(end);
        rest = after.get_mut(1..).unwrap_or_default();
        if line.is_empty() {
            continue;
        }
        let record: Record<'_> = simd_json::serde::from_slice_with_buffers(line, &mut buffers)
            .map_err(|e| format!("{path}: record {}: {e}", sum.records + 1))?;
        sum.records += 1;
        sum.go += usize::from(record.verdict == "GO");
        sum.weight += record.weight();
    }
    Ok(sum)
}

fn work(files: &[String], next: &AtomicUsize) -> Result<Sum, String> {
    let mut sum = Sum::default();
    while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
        let part = file(path)?;
        sum.records += part.records;
        sum.go += part.go;
        sum.weight += part.weight;
    }
    Ok(sum)
}

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let threads = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let files: Vec<String> = arguments.collect();
    let next = AtomicUsize::new(0);
    let parts: Vec<Result<Sum, String>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| work(&files, &next))).collect();
        workers.into_iter().map(|w| w.join().unwrap_or(Err("a thread died".into()))).collect()
    });
    let mut sum = Sum::default();
    for part in parts {
        let part = part?;
        sum.records += part.records;
        sum.go += part.go;
        sum.weight += part.weight;
    }
    println!("{} {} {}", sum.records, sum.go, sum.weight);
    Ok(())
}
