//! Hosts that a person's SSH configuration names.

use crate::config::FirstBox;

/// So many are offered.
const MOST: usize = 8;

/// The boxes that an SSH configuration names, in its order, at most eight: what is a pattern, or no name of a
/// host, is left out.
pub fn hosts(text: &str) -> Vec<FirstBox> {
    let mut found: Vec<FirstBox> = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let (key, rest) = line.split_once([' ', '\t', '=']).unwrap_or((line, ""));
        if !key.eq_ignore_ascii_case("host") {
            continue;
        }
        // `Host small`, `Host=small` and `Host = small` are the same.
        let rest = rest.trim_start().trim_start_matches('=');
        let names = rest.split_whitespace().take_while(|name| !name.starts_with('#'));
        for name in names.map(|name| name.trim_matches('"')) {
            let is_known = found.iter().any(|one| one.name.eq_ignore_ascii_case(name));
            if found.len() < MOST && !is_known && is_host(name) {
                found.push(FirstBox::over_ssh(name));
            }
        }
    }
    found
}

/// Whether it can be a box by its own name.
fn is_host(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    !name.is_empty() && name.len() <= 64 && !name.starts_with(['-', '.']) && name.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_and_patterns_and_hostile_ones_are_not() {
        let text = "# Host old\nHost small build-7 # my box\n  HostName 10.0.0.1\nhost=\"third\"\nHost = fourth\nHost *\n\
                    Host !no web? -oProxyCommand=x a\u{1b}b SMALL\nMatch host other\n";
        let names: Vec<String> = hosts(text).into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["small", "build-7", "third", "fourth"]);
        let many: String = (0..20).map(|n| format!("Host h{n}\n")).collect();
        assert_eq!(hosts(&many).len(), 8);
    }
}
