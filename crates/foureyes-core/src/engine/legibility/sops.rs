//! Files of SOPS: names in the clear, values encrypted, and a part that says how.

use std::str::from_utf8;

/// What is said of one.
pub(super) const ALL: &str = "encrypted with SOPS";
/// What is said of one that has more than that.
pub(super) const PART: &str = "partly encrypted with SOPS";

/// How a value begins.
const VALUE: &str = "ENC[AES256_GCM,data:";

/// How much of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encrypted {
    Nothing,
    Part,
    All,
}

/// What a line of such a file is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// A name, or a bracket: it has no value.
    Structure,
    /// It has an encrypted value.
    Value,
    /// It says how it is encrypted.
    Metadata,
    /// It has a value in the clear.
    Clear,
    /// No such file has it: a text about SOPS does.
    Other,
}

/// Tells how much of a text SOPS has encrypted; where it was cut, the part that says how may not be there.
pub(super) fn encrypted(bytes: &[u8], is_cut: bool) -> Encrypted {
    if memchr::memmem::find(bytes, VALUE.as_bytes()).is_none() {
        return Encrypted::Nothing;
    }
    let text = match from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => from_utf8(bytes.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or(""),
    };
    let form = match text.trim_start().bytes().next() {
        Some(b'{') => Form::Json,
        _ => Form::Lines,
    };
    let (mut metadata, mut mac, mut counts) = (None, false, [0_usize; 2]);
    let mut block = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        metadata = within(form, line, metadata);
        block = block.filter(|above| depth(line) > *above);
        let kind = match (metadata, block) {
            (Some(_), _) => Line::Metadata,
            (None, Some(_)) => Line::Clear,
            (None, None) => kind(form, line.trim()),
        };
        // The lines of a longer text in the clear are deeper than its name.
        let begins =
            [": |", ": >", ": |-", ": >-"].iter().any(|end| line.trim_end().ends_with(end));
        let is_block = form == Form::Lines && begins;
        block = block.or(is_block.then_some(depth(line)));
        mac |= kind == Line::Metadata && line.contains("mac") && line.contains(VALUE);
        match kind {
            Line::Structure | Line::Metadata => {}
            Line::Value => counts[0] += 1,
            Line::Clear => counts[1] += 1,
            Line::Other => return Encrypted::Nothing,
        }
    }
    match counts {
        _ if !mac && !is_cut => Encrypted::Nothing,
        [0, _] => Encrypted::Nothing,
        [_, 0] => Encrypted::All,
        [_, _] => Encrypted::Part,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    /// YAML, variables and INI.
    Lines,
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether a line is in the part that says how: its depth, where it is.
fn within(form: Form, line: &str, before: Option<usize>) -> Option<usize> {
    let (depth, line) = (depth(line), line.trim());
    let begins = match form {
        Form::Json => line.starts_with("\"sops\":"),
        Form::Lines => matches!(line, "sops:" | "[sops]") || line.starts_with("sops_"),
    };
    if begins {
        return Some(depth);
    }
    let own = before?;
    let goes_on = match form {
        _ if depth > own => true,
        Form::Json => line.starts_with('}'),
        // Items of a list may stand at the depth of its name; INI has no depth.
        Form::Lines => line.starts_with("- ") || own == 0 && line.contains(" = "),
    };
    goes_on.then_some(own)
}

fn kind(form: Form, line: &str) -> Line {
    let has_value = line.contains(VALUE);
    match form {
        Form::Json => match line.trim_end_matches(',') {
            "{" | "}" | "[" | "]" | "[]" | "{}" => Line::Structure,
            line if !line.starts_with('"') => Line::Clear,
            line if line.ends_with(['{', '[']) => Line::Structure,
            _ if has_value => Line::Value,
            _ => Line::Clear,
        },
        Form::Lines if has_value => match line.split(VALUE).next().unwrap_or_default().trim() {
            // A comment is encrypted like a value.
            "#" | "-" | "" | "- #" => Line::Value,
            before if before.trim_end_matches(['"', '\'']).ends_with([':', '=']) => Line::Value,
            before if is_pair(before) => Line::Value,
            _ => Line::Other,
        },
        Form::Lines => match line {
            "---" | "..." => Line::Structure,
            _ if line.starts_with('#') || line.starts_with(';') => Line::Clear,
            _ if line.starts_with('[') && line.ends_with(']') => Line::Structure,
            _ if line.ends_with(':') && is_pair(line) => Line::Structure,
            _ if is_pair(line) || line.starts_with("- ") => Line::Clear,
            _ => Line::Other,
        },
    }
}

/// Whether a line is a name with its value.
fn is_pair(line: &str) -> bool {
    let line = line.trim_start_matches("- ");
    let name = line.split_once(": ").or_else(|| line.split_once('=')).map(|(name, _)| name);
    let name = name.or_else(|| line.strip_suffix(':')).unwrap_or_default().trim();
    let name = name.trim_matches(['"', '\'']);
    !name.is_empty() && !name.contains(char::is_whitespace) && !name.contains(['`', '*', '<'])
}
