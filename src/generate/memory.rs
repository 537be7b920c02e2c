//! Memories of a coding agent as files, queries with those that help, and sessions of the agent.

use super::plan::Plan;
use super::recipe::Recipe;
use crate::domain::Timestamp;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Where memories are, and sessions of the agent.
pub(super) const MEMORIES: &str = "memories";
const SESSIONS: &str = "sessions";
/// Queries to compare on.
const QUERIES: usize = 20;

/// Kinds of memories: their category, and how the title goes on.
const KINDS: [(&str, &str); 4] = [
    ("decision", "what was decided, and why"),
    ("fix", "the fault of last spring and its cause"),
    ("howto", "steps that worked"),
    ("note", "open questions"),
];
/// What people ask an agent for.
pub(super) const QUESTIONS: [&str; 4] = [
    "The tests of {t} fail since yesterday, find out why.",
    "Change {t} so that it survives a restart.",
    "Write down how {t} works before I review it.",
    "What did we decide on {t}, and does the code do that?",
];
/// What was said before a question, by whom.
pub(super) const BEFORE: [(&str, &str); 2] =
    [("user", "Go on with the list."), ("assistant", "The first two items are done.")];

/// A memory, by its topic and kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Memory {
    pub(super) topic: u64,
    pub(super) kind: usize,
}

impl Memory {
    pub(super) const KINDS: u64 = KINDS.len() as u64;

    pub(super) fn category(self) -> &'static str {
        KINDS[self.kind].0
    }

    pub(super) fn title(self, recipe: &Recipe) -> String {
        format!("{}: {}", recipe.topic(self.topic), KINDS[self.kind].1)
    }

    pub(super) fn tags(self, recipe: &Recipe) -> Vec<&str> {
        recipe.topic(self.topic).split(' ').collect()
    }

    /// Its file, from the directory of memories.
    pub(super) fn path(self, recipe: &Recipe) -> String {
        format!("{}/{}.md", self.category(), recipe.topic(self.topic).replace(' ', "-"))
    }

    pub(super) fn body(self, recipe: &Recipe) -> String {
        let (category, about) = KINDS[self.kind];
        let topic = recipe.topic(self.topic);
        format!("A {category} on {topic}: {about}. It was checked when it was written.")
    }
}

/// All files, from the directory that is written to.
pub(super) fn files(plan: &Plan) -> Vec<(PathBuf, String)> {
    let recipe = &plan.recipe;
    let topics = 0..recipe.topics.len() as u64;
    let of_topic = |topic| (0..KINDS.len()).map(move |kind| Memory { topic, kind });
    let mut listing =
        "# Memories\n\n| Title | Tags | Category | Path |\n|---|---|---|---|\n".to_owned();
    let mut files = Vec::new();
    for one in topics.clone().flat_map(of_topic) {
        let (title, path) = (one.title(recipe), one.path(recipe));
        let tags = one.tags(recipe).join(", ");
        listing += &format!("| {title} | {tags} | {} | {path} |\n", one.category());
        files.push((Path::new(MEMORIES).join(path), one.body(recipe) + "\n"));
    }
    let asked = |topic: u64| {
        let question = QUESTIONS[topic as usize % QUESTIONS.len()];
        question.replace("{t}", recipe.topic(topic))
    };
    let query = |topic: u64| {
        let relevant: Vec<_> = of_topic(topic).map(|one| one.path(recipe)).collect();
        json!({"prompt": asked(topic), "relevant": relevant}).to_string() + "\n"
    };
    files.push((Path::new(MEMORIES).join("index.md"), listing));
    let queries = topics.take(QUERIES).map(query).collect();
    files.push((Path::new(MEMORIES).join("queries.jsonl"), queries));
    for number in 0..QUESTIONS.len() as u64 {
        let path = Path::new(SESSIONS).join(format!("session-{}.jsonl", number + 1));
        files.push((path, session(number, &asked(number), plan.spec.end)));
    }
    files
}

/// A session as Claude Code keeps it, up to a question.
fn session(number: u64, question: &str, end: Timestamp) -> String {
    let name = format!("demo-session-{}", number + 1);
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let call = json!([{"type": "tool_use", "id": "call-1", "name": "Bash",
        "input": {"command": "cargo test"}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "call-1", "content": "42 passed"}]);
    let [asked, answered] = BEFORE.map(|(_, text)| text);
    let messages: [(&str, Value); 6] = [
        ("user", json!("Read the list of open items, and begin.")),
        ("assistant", call),
        ("user", result),
        ("user", json!(asked)),
        ("assistant", text(answered)),
        ("user", json!(question)),
    ];
    let line = |(at, (role, content)): (usize, (&str, Value))| {
        let time = Timestamp(end.0 - 60_000_000 * (6 - at as i64));
        let line = json!({
            "type": role, "sessionId": name, "timestamp": time.to_string(),
            "message": {"role": role, "content": content},
        });
        line.to_string() + "\n"
    };
    messages.into_iter().enumerate().map(line).collect()
}
