//! What a record says, field by field.

use foureyes_calibration::relevance::{Candidate, Pick};
use foureyes_core::domain::{
    Dimension, Family, Field, Improvement, Outcome, PreviousRound, Record, Scores, Section, Usage,
    Value,
};
use foureyes_page::page::{Item, Role, Row, Text, Untrusted, number};
use foureyes_page::text;

/// What a listing shows of a record below its title: where it was found, what was judged, and what was found.
pub fn listed(record: &Record, level: usize) -> Vec<Item> {
    let written = record.timestamp_text.as_deref().map(|text| Row::field("time as written", text));
    let verdict = other_verdict(record).map(|text| Row::field("verdict as written", text));
    let rows = [Some(Row::field("box", &record.box_name)), written, verdict];
    let mut items: Vec<Item> =
        rows.into_iter().flatten().map(|row| Item::Row(row.level(level))).collect();
    let sections = [Section::Cause, Section::Subject, Section::Scores, Section::Findings];
    items.extend(sections.into_iter().flat_map(|which| section(record, which, level)));
    items
}

/// The fields of a section.
pub fn section(record: &Record, section: Section, level: usize) -> Vec<Item> {
    let fields = record.section(section);
    fields.flat_map(|(field, value)| items(record, field, value, level)).collect()
}

fn items(record: &Record, field: &Field, shown: Value<'_>, level: usize) -> Vec<Item> {
    let label = field.label;
    let rows: Vec<Row> = match shown {
        Value::Text(text) if field.section == Section::Findings => {
            let label = text!("{}:", label);
            return vec![Item::Quote { label, text: Untrusted(text).into(), level }];
        }
        Value::Text(text) => vec![Row::field(label, text)],
        Value::Texts(texts) => texts.iter().map(|text| Row::field(label, text)).collect(),
        Value::Flag(_) => vec![Row::new(Role::Text, label)],
        Value::Improvements(all) => suggestions(all),
        Value::Extra(_) => {
            let all = extra(record).into_iter();
            all.map(|(name, value)| Row::field(label, &format!("{name} = {value}"))).collect()
        }
        Value::Rounds(rounds) => vec![Row::field(label, &earlier_rounds(rounds))],
        shown => {
            let row = |text| Row::new(Role::Dim, text!("{}: ", label)).part(Role::Text, text);
            value(field, shown).map(row).into_iter().collect()
        }
    };
    rows.into_iter().map(|row| Item::Row(Row { level: level + row.level, ..row })).collect()
}

/// What a judge wants changed.
fn suggestions(all: &[Improvement]) -> Vec<Row> {
    all.iter().enumerate().flat_map(suggestion).collect()
}

fn suggestion((at, improvement): (usize, &Improvement)) -> Vec<Row> {
    let Improvement { dimension, location, issue, suggestion } = improvement;
    let named = [
        ("dimension", dimension),
        ("location", location),
        ("issue", issue),
        ("suggestion", suggestion),
    ];
    let head = Row::new(Role::Dim, text!("suggestion {}:", at + 1));
    let given = named.into_iter().filter_map(|(name, text)| Some((name, text.as_deref()?)));
    let rows = given.map(|(name, text)| Row::field(name, text).level(1));
    std::iter::once(head).chain(rows).collect()
}

/// The outcome of a record with its mark, readable without colour; what is no evaluation has marks of its
/// own.
pub fn outcome(row: &Record) -> &'static str {
    match (row.outcome, row.family) {
        (Some(Outcome::Go), _) => "✔ GO",
        (Some(Outcome::NoGo), _) => "✖ NO-GO",
        (Some(Outcome::Undetermined), _) => "? UNDET",
        (None, Family::Pick) => "◇ pick",
        (None, Family::Prompt) => "◇ prompt",
        // A verdict that is kept back.
        (None, Family::Push) => "",
        (None, _) => "◆ override",
    }
}

/// What was picked, in a few words: `1 of 6 kept`; `None` of a record that is no pick.
pub fn picked(row: &Record) -> Option<String> {
    let pick = Pick::of(row)?;
    let kept = pick.candidates.iter().filter(|one| one.kept).count();
    let why = pick.fallback.map(|why| format!(", {why}")).unwrap_or_default();
    Some(format!("{kept} of {} kept{why}", pick.candidates.len()))
}

/// A record's fields that no table names, each with its value. Of a pick each candidate is one, in the order
/// of search.
pub fn extra(row: &Record) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (name, value) in &row.extra {
        match Pick::of(row).filter(|_| name == "candidates") {
            None => all.push((name.clone(), value.to_string())),
            Some(pick) => all.extend(pick.candidates.iter().map(|one| {
                let kept = match (one.kept, one.no_room) {
                    (true, _) => "kept",
                    (false, true) => "chosen, no room",
                    (false, false) => "dropped",
                };
                (format!("{}. {kept}", one.rank), candidate(one))
            })),
        }
    }
    all
}

/// A candidate as the judge is shown it, and its path.
fn candidate(one: &Candidate) -> String {
    let title = one.title.as_deref().unwrap_or("untitled");
    let category = one.category.as_deref().unwrap_or("unknown");
    format!("[{category}] {title} (tags: {}), {}", one.tags.join(", "), one.memory)
}

/// The verdict as written, where the outcome alone does not tell it.
pub fn other_verdict(row: &Record) -> Option<&str> {
    let usual = match (row.family, row.outcome) {
        (Family::Push, Some(Outcome::Go)) => "GO",
        (Family::Push, Some(Outcome::NoGo)) => "NO-GO",
        (Family::Push, Some(Outcome::Undetermined)) => "UNDETERMINED",
        _ => "",
    };
    row.verdict.as_deref().filter(|v| *v != usual)
}

/// Scores by name: `semantic 2, pragmatic 3, syntactic 4`.
pub fn scores(scores: &Scores) -> Option<Text> {
    let given = |d: &Dimension| Some(text!("{} {}", d.as_str(), number::written(scores.get(*d)?)));
    let given: Vec<Text> = Dimension::ALL.iter().filter_map(given).collect();
    (!given.is_empty()).then(|| Text::joined(given, ", "))
}

/// A value of a record in words, as every document and screen writes it; the unit of a number is in
/// the name of its field. `None` for what each form writes in its own way, and for no value.
pub fn value(field: &Field, value: Value<'_>) -> Option<Text> {
    Some(match value {
        Value::Text(text) => Untrusted(text).into(),
        Value::Word(word) => word.into(),
        Value::Id(id) => id.into(),
        Value::Time(time) => time.into(),
        Value::Number(number) => number::written(number).into(),
        Value::Count(count) if field.name.ends_with("_ms") => text!("{} ms", count),
        Value::Count(count) => count.into(),
        Value::Scores(given) => scores(given)?,
        Value::Usage(usage) => tokens(usage),
        Value::Rounds(rounds) => Untrusted(&earlier_rounds(rounds)).into(),
        Value::Dimensions(all) => Text::joined(all.iter().map(|d| d.as_str()), ", "),
        Value::Absent
        | Value::Texts(_)
        | Value::Flag(_)
        | Value::Improvements(_)
        | Value::Origins(_)
        | Value::Extra(_) => return None,
    })
}

/// Tokens in words, as far as they are known.
fn tokens(usage: Usage) -> Text {
    let known = [(usage.prompt_tokens, "prompt"), (usage.completion_tokens, "answer")];
    let known = known.into_iter().filter_map(|(n, kind)| Some(text!("{} {}", n?, kind)));
    Text::joined(known, ", ")
}

/// Earlier rounds of a run, each with what its line lists: `1 quick improve 3.33; 2 deep reject 1.67`.
/// Raw text.
pub fn earlier_rounds(rounds: &[PreviousRound]) -> String {
    let one = |PreviousRound(fields): &PreviousRound| {
        let known = ["round", "judge_tier", "model", "verdict", "average"];
        let first = known.into_iter().filter_map(|name| fields.get(name));
        let rest = fields.iter().filter(|(name, _)| !known.contains(&name.as_str()));
        let mut parts: Vec<String> = first.map(plain_json).collect();
        parts.extend(rest.map(|(name, value)| format!("{name} {}", plain_json(value))));
        parts.join(" ")
    };
    rounds.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// A text without its quotes, any other value as JSON.
fn plain_json(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
