//! What evaluations are about: their paths, each with its author.

/// The works of rows, each a number that names an author and a path: few bytes, and only while evaluations are
/// read. Two works may share a number; then one is taken for retried that is not, and is labelled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Works {
    numbers: Vec<u32>,
    /// Where the numbers of each row end.
    ends: Vec<u32>,
}

impl Works {
    /// Adds a row.
    pub fn push(&mut self, numbers: impl Iterator<Item = u32>) {
        self.numbers.extend(numbers);
        self.ends.push(u32::try_from(self.numbers.len()).unwrap_or(u32::MAX));
    }

    /// Adds so many rows of another list; those that it does not name have none.
    pub fn join(&mut self, other: Self, rows: usize) {
        let before = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let ends = other.ends.iter().map(|end| before.saturating_add(*end));
        let last = ends.clone().next_back().unwrap_or(before);
        self.ends.extend(ends.chain(std::iter::repeat(last)).take(rows));
        self.numbers.extend(other.numbers);
    }

    /// Those of a row.
    pub fn of(&self, row: usize) -> &[u32] {
        let end = |row: usize| self.ends.get(row).map(|end| *end as usize);
        let from = row.checked_sub(1).map_or(Some(0), end);
        let span = from.zip(end(row)).and_then(|(from, to)| self.numbers.get(from..to));
        span.unwrap_or_default()
    }
}

/// The works of a record by an author; before each of its files is a NUL, as in the column of files.
pub(super) fn of_files<'a>(
    author: Option<&'a str>,
    files: Option<&'a str>,
) -> impl Iterator<Item = u32> + 'a {
    let paths = files.unwrap_or_default().split('\0').filter(|path| !path.is_empty());
    paths.map(move |path| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(author.unwrap_or_default().as_bytes());
        hasher.update(&[0]);
        hasher.update(path.as_bytes());
        let [a, b, c, d, ..] = *hasher.finalize().as_bytes();
        u32::from_be_bytes([a, b, c, d])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_works_when_lists_are_joined() {
        let mut all = Works::default();
        all.push([1, 2].into_iter());
        all.push([].into_iter());
        let mut more = Works::default();
        more.push([3].into_iter());
        all.join(more, 2);
        all.join(Works::default(), 1);
        all.push([4, 5].into_iter());
        let rows: Vec<&[u32]> = (0..7).map(|row| all.of(row)).collect();
        assert_eq!(rows, [&[1, 2][..], &[], &[3], &[], &[], &[4, 5], &[]]);
    }

    #[test]
    fn a_work_is_its_author_and_its_path() {
        let of = |author, files| of_files(author, Some(files)).collect::<Vec<_>>();
        let ann = of(Some("ann"), "\0a.md\0b.md");
        assert_eq!(ann.len(), 2);
        assert_eq!(of(Some("ann"), "\0b.md"), ann[1..]);
        assert_ne!(of(Some("bob"), "\0b.md"), ann[1..]);
        // No author is one, too, and a name cannot pass for another with a path.
        assert_ne!(of(None, "\0annb.md"), ann[1..]);
        assert_eq!(of_files(None, None).count(), 0);
    }
}
