//! Queries with the memories that help, and a sample of both.

use serde::Deserialize;

/// Longest file of queries, in bytes.
pub const MOST_QUERIES: u64 = 16 << 20;

/// A query, and the memories that help with it, where that is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct LabelledQuery {
    /// What the agent is asked for.
    pub prompt: String,
    /// Paths of the memories that help.
    #[serde(default)]
    pub relevant: Option<Vec<String>>,
}

/// Sample memories, with the listing among them: path and text of each file.
///
/// # Errors
/// None in a program that was tested.
pub fn sample() -> Result<Vec<(String, String)>, toml::de::Error> {
    let Sample { memory, query } = toml::from_str(SAMPLE)?;
    let mut listing =
        "# Memories\n\n| Title | Tags | Category | Path |\n|---|---|---|---|\n".to_owned();
    let mut files = Vec::new();
    for Sampled { path, title, category, tags, body } in memory {
        listing += &format!("| {title} | {} | {category} | {path} |\n", tags.join(", "));
        files.push((path, body + "\n"));
    }
    let line = |one: &LabelledQuery| {
        serde_json::json!({"prompt": one.prompt, "relevant": one.relevant}).to_string() + "\n"
    };
    files.push(("index.md".to_owned(), listing));
    files.push(("queries.jsonl".to_owned(), query.iter().map(line).collect()));
    Ok(files)
}

const SAMPLE: &str = include_str!("../../../../assets/memories-sample.toml");

#[derive(Deserialize)]
struct Sample {
    memory: Vec<Sampled>,
    query: Vec<LabelledQuery>,
}

#[derive(Deserialize)]
struct Sampled {
    path: String,
    title: String,
    category: String,
    tags: Vec<String>,
    body: String,
}

/// Reads queries: a JSON object with `prompt` a line, and `relevant` where it is known.
///
/// # Errors
/// The first line that is none, counted from 1.
pub fn queries(text: &str) -> Result<Vec<LabelledQuery>, usize> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    lines.map(|(line, number)| serde_json::from_str(line).map_err(|_| number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_has_20_queries_whose_memories_are_there() {
        let files = sample().unwrap();
        let text = &files.last().unwrap().1;
        let queries = queries(text).unwrap();
        assert_eq!(queries.len(), 20);
        let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
        assert!(
            queries
                .iter()
                .flat_map(|q| q.relevant.iter().flatten())
                .all(|path| paths.contains(&&**path))
        );
        assert_eq!(super::queries("{\"prompt\":\"x\"}\n\n[]\n"), Err(3));
    }
}
