//! The planted truth, a line a record.

use super::fields::{self, Fields};
use crate::domain::{Family, Timestamp};

/// What is true of the content that one record judged.
///
/// The verdict is the one the judge gave; dirt may have made another of it in the record.
pub(super) struct Line<'a> {
    pub(super) family: Family,
    /// `commit` or `task_id`, and its value.
    pub(super) subject: (&'static str, &'a str),
    pub(super) time: Timestamp,
    pub(super) poor: bool,
    pub(super) verdict: &'a str,
}

impl Line<'_> {
    /// Appends the line.
    pub(super) fn write(&self, box_name: &str, out: &mut Vec<u8>) {
        let mut fields = Fields::default();
        fields.text("box", box_name);
        fields.text("family", self.family.as_str());
        fields.text(self.subject.0, self.subject.1);
        fields.put("timestamp", |out| fields::time(out, self.time));
        fields.text("truth", if self.poor { "poor" } else { "acceptable" });
        fields.text("verdict", self.verdict);
        fields.compact(out);
        out.push(b'\n');
    }
}

/// Appends the line of a pick: the memories that help with its prompt, by their paths.
pub(super) fn relevant(box_name: &str, pick: &str, memories: Vec<String>, out: &mut Vec<u8>) {
    let (family, of) = (Family::Pick.as_str(), memories);
    let line = serde_json::json!({"box": box_name, "family": family, "pick": pick, "relevant": of});
    out.extend_from_slice(line.to_string().as_bytes());
    out.push(b'\n');
}

/// The text of a value that stands in a record.
pub(super) fn text_of(record: &Fields, key: &str) -> String {
    let json = record.get(key).unwrap_or(b"\"\"");
    serde_json::from_slice(json).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_subject_truth_and_verdict() {
        let mut out = Vec::new();
        let subject = ("commit", "abc");
        let (family, time) = (Family::Push, Timestamp(0));
        Line { family, subject, time, poor: true, verdict: "GO" }.write("attic", &mut out);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "{\"box\":\"attic\",\"family\":\"push\",\"commit\":\"abc\",\"timestamp\":\"1970-01-01T00:00:00Z\",\
             \"truth\":\"poor\",\"verdict\":\"GO\"}\n"
        );
        let mut record = Fields::default();
        record.text("commit", "a\"b");
        assert_eq!(text_of(&record, "commit"), "a\"b");
    }
}
