//! Names of an earlier dialect.

use super::tokens;

/// Names that say nothing to whoever does not know the code: speech for input and output, the stage
/// for state. As names of modules, types, functions, fields and variables alike.
const BANNED: [&str; 42] = [
    "Aim",
    "Book",
    "Deal",
    "Dealt",
    "Dossier",
    "Ear",
    "Errand",
    "Far",
    "Fared",
    "Ground",
    "Heard",
    "Holder",
    "Outward",
    "Print",
    "Said",
    "Seat",
    "Sight",
    "Standing",
    "Surveyor",
    "Talk",
    "Told",
    "World",
    "dealt",
    "ear",
    "far",
    "ground",
    "hear",
    "heard",
    "said",
    "say",
    "seat",
    "soil",
    "standing",
    "stands",
    "talk",
    "tell",
    "told",
    "unsaid",
    "untold",
    "vacant",
    "visible_text",
    "words_of",
];

/// Banned names among the identifiers of a file, each once, and its own name.
pub(super) fn banned(path: &str, text: &str) -> Vec<String> {
    let tokens = tokens::of(path, text);
    let stem = path.trim_end_matches(".rs").rsplit('/').next().unwrap_or_default();
    let identifiers = tokens.iter().map(|token| token.text.as_str()).chain([stem]);
    let found: std::collections::BTreeSet<_> =
        identifiers.filter(|name| BANNED.contains(name)).collect();
    found.into_iter().map(|name| format!("{path}: {name}")).collect()
}
