//! The file of one memory: JSON, or Markdown with front matter.

use super::memory::{Problem, label, tags};
use serde_json::Value;

/// What a file says of its memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fields {
    pub(super) title: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) category: Option<String>,
    pub(super) body: String,
}

/// Names under which files have a title, a category and a text, the first that is there counts.
const TITLE: [&str; 2] = ["title", "name"];
const CATEGORY: [&str; 2] = ["category", "type"];
const BODY: [&str; 5] = ["body", "content", "text", "memory", "description"];

/// Tells whether a path is that of a file that can be read as a memory, by its name.
pub(super) fn is_known(path: &str) -> bool {
    is_json(path) || [".md", ".markdown"].iter().any(|end| path.ends_with(end))
}

fn is_json(path: &str) -> bool {
    path.ends_with(".json")
}

/// Reads a file.
pub(super) fn parse(path: &str, text: &str) -> Result<Fields, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if is_json(path) { json(path, text) } else { markdown(path, text) }
}

fn json(path: &str, text: &str) -> Result<Fields, Problem> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| Problem::at(path, error.line().max(1), "it is not valid JSON"))?;
    if !value.is_object() {
        return Err(Problem::at(path, 1, "it is not a JSON object"));
    }
    let text = |names: &[&str]| {
        names.iter().find_map(|name| value.get(name)).and_then(Value::as_str).map(str::to_owned)
    };
    let tags = match value.get("tags") {
        Some(Value::Array(all)) => tags(all.iter().filter_map(Value::as_str)),
        Some(Value::String(all)) => tags(all.split(',')),
        _ => Vec::new(),
    };
    Ok(Fields {
        title: text(&TITLE).as_deref().and_then(label),
        tags,
        category: text(&CATEGORY).as_deref().and_then(label),
        body: text(&BODY).unwrap_or_default(),
    })
}

fn markdown(path: &str, text: &str) -> Result<Fields, Problem> {
    let mut fields = Fields::default();
    let mut lines = text.split_inclusive('\n');
    let mut body = 0;
    if text.lines().next().is_some_and(|first| first.trim_end() == "---") {
        body += lines.next().map_or(0, str::len);
        let mut has_end = false;
        let mut list = None;
        for line in lines {
            body += line.len();
            if matches!(line.trim_end(), "---" | "...") {
                has_end = true;
                break;
            }
            list = front_matter(&mut fields, line.trim_end(), list);
        }
        if !has_end {
            return Err(Problem::at(path, 1, "its front matter has no end"));
        }
    }
    text.get(body..).unwrap_or_default().trim().clone_into(&mut fields.body);
    if fields.title.is_none() {
        let heading = fields.body.lines().find_map(|line| line.strip_prefix("# "));
        fields.title = heading.and_then(label);
    }
    Ok(fields)
}

/// Takes one line of front matter. `list` is the key whose items come on lines of their own; returned is
/// that of the next line.
fn front_matter<'a>(fields: &mut Fields, line: &'a str, list: Option<&'a str>) -> Option<&'a str> {
    if let (Some("tags"), Some(item)) = (list, line.trim_start().strip_prefix("- ")) {
        let more = fields.tags.iter().map(String::as_str).chain([unquoted(item)]);
        fields.tags = tags(more.collect::<Vec<_>>());
        return list;
    }
    // What is indented belongs to a key that is of no use here.
    let (key, value) = line.split_once(':').filter(|_| !line.starts_with([' ', '\t', '-']))?;
    let (key, value) = (key.trim(), value.trim());
    if TITLE.contains(&key) && fields.title.is_none() {
        fields.title = label(unquoted(value));
    } else if CATEGORY.contains(&key) && fields.category.is_none() {
        fields.category = label(unquoted(value));
    } else if key == "tags" {
        let value = value.strip_prefix('[').and_then(|v| v.strip_suffix(']')).unwrap_or(value);
        fields.tags = tags(value.split(',').map(unquoted));
    }
    Some(key)
}

fn unquoted(value: &str) -> &str {
    let value = value.trim();
    ['"', '\''].iter().find_map(|q| value.strip_prefix(*q)?.strip_suffix(*q)).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_has_lists_in_both_forms_and_body_is_what_follows() {
        for tags in [
            "tags: [ops, \"blue green\"]",
            "tags: ops, blue green",
            "tags:\n  - ops\n- 'blue green'",
        ] {
            let text = format!(
                "---\ntitle: \"Deploy: how\"\nauthor:\n  name: x\n{tags}\ncategory: runbook\n---\n\nBody\n"
            );
            let fields = parse("a.md", &text).unwrap();
            assert_eq!(fields.title.as_deref(), Some("Deploy: how"));
            assert_eq!(fields.tags, ["ops", "blue green"], "{tags}");
            assert_eq!((fields.category.as_deref(), &*fields.body), (Some("runbook"), "Body"));
        }
    }

    #[test]
    fn heading_is_the_title_where_nothing_else_names_one() {
        let fields = parse("a.md", "intro\n# The title\nrest").unwrap();
        assert_eq!(fields.title.as_deref(), Some("The title"));
        assert_eq!(fields.body, "intro\n# The title\nrest");
    }

    #[test]
    fn json_has_text_under_several_names() {
        for key in BODY {
            let text =
                format!("{{\"name\":\"T\",\"tags\":\"a, #b\",\"type\":\"c\",\"{key}\":\"B\"}}");
            let fields = parse("a.json", &text).unwrap();
            assert_eq!((fields.title.as_deref(), &*fields.body), (Some("T"), "B"), "{key}");
            assert_eq!(
                (fields.tags, fields.category.as_deref()),
                (vec!["a".into(), "b".into()], Some("c"))
            );
        }
    }

    #[test]
    fn problems_have_their_line() {
        for (path, text, line) in [
            ("a.json", "{\n\"title\": \n", 3),
            ("a.json", "[]", 1),
            ("a.md", "---\ntitle: x\nbody", 1),
        ] {
            let problem = parse(path, text).unwrap_err();
            assert_eq!(problem.line, Some(line), "{problem}");
        }
    }
}
