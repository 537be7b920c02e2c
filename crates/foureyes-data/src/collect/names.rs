//! Which box a given path belongs to.

use std::path::Path;

/// Directories that say nothing of whose logs they hold.
const GENERIC: [&str; 5] = [".openclaw", "judge-verdicts", "judge-overrides", "boxes", "logs"];

/// Names the box of a file found under a given directory: the first directory below it that
/// says something, else the given one itself.
pub(super) fn box_of(file: &Path, given: &Path) -> String {
    let below = file.strip_prefix(given).unwrap_or(file);
    let telling = |path: &Path| {
        let names = path.components().map(|c| c.as_os_str().to_string_lossy().into_owned());
        names
            .filter(|n| !GENERIC.contains(&n.as_str()) && n != "/" && n != "." && n != "..")
            .collect::<Vec<_>>()
    };
    let inside = telling(below.parent().unwrap_or(Path::new("")));
    let outside = || {
        let whole = given.canonicalize().unwrap_or_else(|_| given.to_path_buf());
        let dir = if whole.is_dir() { whole.as_path() } else { whole.parent().unwrap_or(&whole) };
        telling(dir).pop()
    };
    inside.into_iter().next().or_else(outside).unwrap_or_else(|| "local".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn box_name_comes_from_distinguishing_directory() {
        let of = |file: &str, given: &str| box_of(Path::new(file), Path::new(given));
        assert_eq!(of("/x/boxes/small/.openclaw/judge-verdicts/a.jsonl", "/x/boxes"), "small");
        assert_eq!(of("/x/out/boxes/small/.openclaw/a.jsonl", "/x/out"), "small");
        assert_eq!(of("/x/logs/a.jsonl", "/x/logs"), "x");
    }
}
