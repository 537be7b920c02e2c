//! Names with `*` in them.

/// Whether a name fits a pattern in which `*` stands for any text; case does not matter.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_lowercase(), name.to_lowercase());
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    rest.len() >= last.len() && rest.ends_with(last)
}

/// Whether the name of a model fits: whole, or without what stands before its last `/`, which
/// is the provider's name.
pub(super) fn fits_model(pattern: &str, model: &str) -> bool {
    let bare = model.rsplit('/').next().unwrap_or(model);
    fits(pattern, model) || fits(pattern, bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn star_matches_any_text() {
        for (pattern, name) in [
            ("gpt-5", "gpt-5"),
            ("gpt-*", "GPT-5.1"),
            ("*", ""),
            ("*mini", "o4-mini"),
            ("a*b*c", "a-b-b-c"),
            ("**", "x"),
            ("a*a", "aa"),
        ] {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("gpt", "gpt-5"), ("gpt-*", "xgpt-5"), ("a*a", "a"), ("", "x"), ("a*b*c", "acb")]
        {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn provider_prefix_is_optional_in_model() {
        assert!(fits_model("kimi-*", "opencode/kimi-k2.5-free"));
        assert!(fits_model("opencode/*", "opencode/kimi-k2.5-free"));
        assert!(!fits_model("kimi-*", "opencode/gpt-5"));
    }
}
