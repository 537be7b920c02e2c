//! Worlds with planted error rates, labelled by scripted reviewers in the line console; where a test is about
//! what follows the first words, these stand in the ledger as a sitting writes them.
//!
//! A judge ran for forty days on two boxes before the program was ever started. What the program then
//! answers is known from what was planted.

mod answers;
mod followed;
mod site;
mod sitting;
mod walked;

use super::kpi;
use serde_json::Value;
use site::{Plan, Site};

/// The names of the rules that keep the answer from READY.
fn blocks(report: &Value) -> Vec<&str> {
    let all = report["blocks"].as_array().unwrap().iter();
    all.map(|block| block["id"].as_str().unwrap()).collect()
}

/// Errors of a KPI, and what they are counted among.
fn counts(report: &Value, id: &str) -> (u64, u64) {
    let row = kpi(report, id);
    (row["numerator"].as_u64().unwrap(), row["denominator"].as_u64().unwrap())
}

/// The step of a kind.
fn step<'a>(report: &'a Value, kind: &str) -> Option<&'a Value> {
    report["steps"].as_array().unwrap().iter().find(|step| step["kind"] == kind)
}
