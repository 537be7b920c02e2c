//! The search without full text: how many words of the query a title and its tags have.

use super::memory::{Hit, Listed};
use super::query::Query;

/// The best of a listing, those with most words of the query first, of equal ones in order of their paths.
pub(super) fn search(listed: &[Listed], query: &Query, limit: usize) -> Vec<Hit> {
    let score = |one: &Listed| {
        let title = one.title.as_deref().unwrap_or_default();
        query.matches(&format!("{title} {}", one.tags.join(" ")))
    };
    let mut found: Vec<_> =
        listed.iter().map(|one| (score(one), one)).filter(|(n, _)| *n > 0).collect();
    found.sort_by(|(a, one), (b, other)| b.cmp(a).then_with(|| one.path.cmp(&other.path)));
    let hit = |(rank, (score, one)): (usize, (usize, &Listed))| Hit {
        path: one.path.clone(),
        title: one.title.clone(),
        tags: one.tags.clone(),
        category: one.category.clone(),
        rank: rank + 1,
        score: score as f64,
    };
    found.into_iter().take(limit).enumerate().map(hit).collect()
}
