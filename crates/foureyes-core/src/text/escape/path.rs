//! Paths that are shorter and still tell the file.

use super::{truncate, width};
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;

/// What stands for what was cut.
const CUT: &str = "…";

/// Columns of a name below which directories give way to it.
const LEAST_NAME: usize = 12;

/// Columns of an extension, with its dot, that stays.
const LONGEST_EXTENSION: usize = 8;

/// Cuts a harmless path to at most `width` columns: directories in the middle go first, then the middle of
/// the name. The extension stays, and the first directory as long as the name can be told beside it.
pub fn truncate_path(path: &str, width: usize) -> Cow<'_, str> {
    if self::width(path) <= width {
        return Cow::Borrowed(path);
    }
    let parts: Vec<&str> = path.split('/').collect();
    let Some((name, directories)) = parts.split_last() else { return truncate(path, width) };
    // With more directories first; in front of the last one are all that are left out.
    let (starts, least) = match directories {
        [] => (Vec::new(), String::new()),
        [one] => (Vec::new(), format!("{one}/")),
        [first, middle @ ..] => {
            let kept = (1..middle.len()).map(|from| middle[from..].join("/"));
            let starts = kept.map(|kept| format!("{first}/{CUT}/{kept}/")).collect();
            (starts, format!("{first}/{CUT}/"))
        }
    };
    let room = |start: &str| width.saturating_sub(self::width(start));
    let fits = |start: &str, columns: usize| self::width(start) + columns <= width;
    let whole = starts.iter().find(|start| fits(start, self::width(name)));
    let bare = if directories.is_empty() { String::new() } else { format!("{CUT}/") };
    let mut shorter = [&least, &bare].into_iter();
    let enough = LEAST_NAME.min(self::width(name));
    let start = whole.or_else(|| shorter.find(|start| fits(start, enough)));
    let start = start.map_or("", String::as_str);
    Cow::Owned(format!("{start}{}", truncate_name(name, room(start))))
}

/// Cuts the middle of a name; its extension stays where there is room for it.
fn truncate_name(name: &str, width: usize) -> String {
    if self::width(name) <= width {
        return name.to_owned();
    }
    let dot =
        name.rfind('.').filter(|at| *at > 0 && self::width(&name[*at..]) <= LONGEST_EXTENSION);
    let (stem, extension) = name.split_at(dot.unwrap_or(name.len()));
    let Some(room) = width.checked_sub(self::width(extension) + 1).filter(|room| *room > 1) else {
        return truncate(name, width).into_owned();
    };
    let head = fitting(stem.graphemes(true), room.div_ceil(2));
    let tail = fitting(stem.graphemes(true).rev(), room / 2);
    let end = stem.len() - tail;
    format!("{}{CUT}{}{extension}", &stem[..head], &stem[end..])
}

/// Bytes of as many clusters as take at most so many columns.
fn fitting<'a>(clusters: impl Iterator<Item = &'a str>, room: usize) -> usize {
    let mut used = 0;
    let fits = |cluster: &&str| {
        used += width(cluster);
        used <= room
    };
    clusters.take_while(fits).map(str::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn middle_directories_go_before_the_middle_of_the_name() {
        let path = "nimbalyst-local/knowledge/agents/dependency-pinning-6.md";
        let cut = |width| truncate_path(path, width).into_owned();
        assert_eq!(cut(56), path);
        assert_eq!(cut(55), "nimbalyst-local/…/agents/dependency-pinning-6.md");
        assert_eq!(cut(48), "nimbalyst-local/…/agents/dependency-pinning-6.md");
        assert_eq!(cut(47), "nimbalyst-local/…/dependency-pinning-6.md");
        assert_eq!(cut(40), "nimbalyst-local/…/dependenc…pinning-6.md");
        assert_eq!(cut(25), "…/dependency-pinning-6.md");
        assert_eq!(cut(20), "…/depende…nning-6.md");
        assert_eq!(cut(9), "dep…-6.md");
    }

    #[test]
    fn one_directory_or_none_and_no_extension() {
        assert_eq!(truncate_path("research/rates-of-the-year.md", 22), "research/rates…year.md");
        assert_eq!(truncate_path("a-long-name-without-end", 11), "a-lon…t-end");
        assert_eq!(truncate_path("name.a-long-extension", 10), "name.…sion");
        assert_eq!(truncate_path("日本語の資料.md", 10), "日…料.md");
        assert_eq!(truncate_path("a/b.md", 0), "");
        assert_eq!(truncate_path("one/two/three/", 3), "…/");
    }

    proptest! {
        #[test]
        fn never_wider_than_asked(path in "[a-z日/.]{0,60}", width in 0usize..70) {
            prop_assert!(self::width(&truncate_path(&path, width)) <= width);
        }
    }
}
