//! The errors of each rater where nobody knows the truth, by expectation and maximisation.
//!
//! Dawid and Skene, Applied Statistics 28, 1979. Raters err independently of each other, given what
//! is true of an item; an item may be rated by any of them, any number of times.

/// An item as its raters see it: rater and category of each rating.
pub type Ratings = Vec<(usize, usize)>;

/// What the ratings make likely.
#[derive(Debug, Clone, PartialEq)]
pub struct Latent {
    /// Share of the items that truly are of each category.
    pub shares: Vec<f64>,
    /// Of each rater and true category, the share of ratings of each category; a rater who never
    /// rated such an item has zeros.
    pub errors: Vec<Vec<Vec<f64>>>,
    /// Natural logarithm of the likelihood.
    pub log_likelihood: f64,
    /// Whether further rounds would change nothing that matters.
    pub converged: bool,
}

/// Rounds after which it is given up; each costs as much as there are ratings.
const ROUNDS: usize = 2_000;

/// A gain in the logarithm of the likelihood that is none.
const STILL: f64 = 1e-9;

/// The estimate from items that occur so many times each.
///
/// It begins with the share of each category among the ratings of an item, as the paper does, and
/// uses no random number. Fewer than three raters on the same items do not determine it: then it is
/// one of many that fit equally well, the one nearest to the votes.
///
/// `None` without items or with fewer than two categories, and where an item has no rating or one of
/// a rater or category that does not exist.
pub fn dawid_skene(items: &[(Ratings, u64)], raters: usize, categories: usize) -> Option<Latent> {
    let known = |&(rater, category): &(usize, usize)| rater < raters && category < categories;
    let sound = |(ratings, _): &(Ratings, u64)| !ratings.is_empty() && ratings.iter().all(known);
    let count: u64 = items.iter().map(|(_, times)| times).sum();
    if count == 0 || categories < 2 || !items.iter().all(sound) {
        return None;
    }
    let mut truths: Vec<Vec<f64>> =
        items.iter().map(|(ratings, _)| votes(ratings, categories)).collect();
    let mut last = f64::NEG_INFINITY;
    for round in 1.. {
        let (shares, errors) = maximise(items, &truths, raters, categories);
        let log_likelihood = expect(items, &mut truths, &shares, &errors);
        let converged = log_likelihood - last < STILL;
        if converged || round == ROUNDS {
            return Some(Latent { shares, errors, log_likelihood, converged });
        }
        last = log_likelihood;
    }
    None
}

/// The share of each category among some ratings.
fn votes(ratings: &Ratings, categories: usize) -> Vec<f64> {
    let mut shares = vec![0.0; categories];
    for (_, category) in ratings {
        shares[*category] += 1.0 / ratings.len() as f64;
    }
    shares
}

/// Shares and errors that fit best, were these the chances of what is true of each item.
fn maximise(
    items: &[(Ratings, u64)],
    truths: &[Vec<f64>],
    raters: usize,
    categories: usize,
) -> (Vec<f64>, Vec<Vec<Vec<f64>>>) {
    let mut shares = vec![0.0; categories];
    let mut errors = vec![vec![vec![0.0; categories]; categories]; raters];
    for ((ratings, times), truth) in items.iter().zip(truths) {
        for (category, chance) in truth.iter().enumerate() {
            let weight = chance * *times as f64;
            shares[category] += weight;
            for (rater, rating) in ratings {
                errors[*rater][category][*rating] += weight;
            }
        }
    }
    normalise(&mut shares);
    errors.iter_mut().flatten().for_each(|row| normalise(row));
    (shares, errors)
}

/// Scales numbers so that their sum is 1; zeros stay.
fn normalise(numbers: &mut [f64]) {
    let sum: f64 = numbers.iter().sum();
    if sum > 0.0 {
        numbers.iter_mut().for_each(|n| *n /= sum);
    }
}

/// The chances of what is true of each item, were these the shares and errors; gives the logarithm
/// of the likelihood of all ratings.
fn expect(
    items: &[(Ratings, u64)],
    truths: &mut [Vec<f64>],
    shares: &[f64],
    errors: &[Vec<Vec<f64>>],
) -> f64 {
    let mut log_likelihood = 0.0;
    for ((ratings, times), truth) in items.iter().zip(truths) {
        for (category, chance) in truth.iter_mut().enumerate() {
            let rating = ratings.iter().map(|(rater, rating)| errors[*rater][category][*rating]);
            *chance = shares[category] * rating.product::<f64>();
        }
        log_likelihood += truth.iter().sum::<f64>().ln() * *times as f64;
        normalise(truth);
    }
    log_likelihood
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;
    use std::collections::BTreeMap;

    /// Table 1 of the paper: 45 patients, the first anaesthetist three times, four others once.
    const ANAESTHETISTS: &str = "\
        1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 \
        2223343 1111111 2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 \
        2223222 2212222 1111111 1111111 2322222 1111111 1111111 1121121 1111111 3333233 1111111 \
        2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 \
        2222222";

    fn anaesthetists() -> Vec<(Ratings, u64)> {
        const RATER: [usize; 7] = [0, 0, 0, 1, 2, 3, 4];
        let patient = |digits: &str| {
            let rating = digits.bytes().map(|digit| usize::from(digit - b'1'));
            (RATER.into_iter().zip(rating).collect(), 1)
        };
        ANAESTHETISTS.split_whitespace().map(patient).collect()
    }

    #[test]
    fn the_anaesthetists_of_the_paper() {
        let patients = anaesthetists();
        assert_eq!(patients.len(), 45);
        let got = dawid_skene(&patients, 5, 4).unwrap();
        assert!(got.converged);
        // As the paper prints them, to two places: shares, and two rows of the first observer.
        for (share, printed) in got.shares.iter().zip([0.40, 0.42, 0.11, 0.07]) {
            near(*share, printed, 0.005);
        }
        let printed = [
            [0.89, 0.11, 0.00, 0.00],
            [0.07, 0.88, 0.05, 0.00],
            [0.00, 0.34, 0.66, 0.00],
            [0.00, 0.00, 0.56, 0.44],
        ];
        for (row, printed) in got.errors[0].iter().zip(printed) {
            row.iter().zip(printed).for_each(|(rate, printed)| near(*rate, printed, 0.005));
        }
        near(got.errors[4][1][0], 0.159, 0.0005);
    }

    #[test]
    fn equal_items_may_be_counted_together_and_their_order_is_nothing() {
        let single = anaesthetists();
        let mut together: BTreeMap<Ratings, u64> = BTreeMap::new();
        single.iter().for_each(|(ratings, _)| *together.entry(ratings.clone()).or_default() += 1);
        let together: Vec<(Ratings, u64)> = together.into_iter().rev().collect();
        assert!(together.len() < single.len());
        let (one, other) =
            (dawid_skene(&single, 5, 4).unwrap(), dawid_skene(&together, 5, 4).unwrap());
        near(one.log_likelihood, other.log_likelihood, 1e-6);
        one.shares.iter().zip(&other.shares).for_each(|(a, b)| near(*a, *b, 1e-6));
    }

    /// A number in [0, 1) that depends on a place alone.
    fn chance(place: u32) -> f64 {
        let hash = blake3::hash(&place.to_be_bytes());
        let bytes: [u8; 8] = hash.as_bytes()[..8].try_into().unwrap();
        (u64::from_be_bytes(bytes) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// 20 % of the items are of category 1. Of each of three raters: how often an item of 0 is
    /// called 1, and how often one of 1 is called 0. A rater skips a third of the items.
    fn simulated(rates: [(f64, f64); 3]) -> Vec<(Ratings, u64)> {
        let item = |n: u32| {
            let truth = usize::from(chance(n * 16) < 0.2);
            let rating = |(rater, (up, down)): (usize, &(f64, f64))| {
                let place = n * 16 + 1 + 2 * rater as u32;
                let wrong = chance(place) < if truth == 0 { *up } else { *down };
                let skips = chance(place + 1) < 1.0 / 3.0;
                (!skips).then_some((rater, if wrong { 1 - truth } else { truth }))
            };
            let ratings: Ratings = rates.iter().enumerate().filter_map(rating).collect();
            (!ratings.is_empty()).then_some(ratings)
        };
        let mut items: BTreeMap<Ratings, u64> = BTreeMap::new();
        (0..20_000).filter_map(item).for_each(|ratings| *items.entry(ratings).or_default() += 1);
        items.into_iter().collect()
    }

    #[test]
    fn planted_errors_of_three_raters_are_found() {
        let rates = [(0.02, 0.10), (0.05, 0.20), (0.01, 0.30)];
        let got = dawid_skene(&simulated(rates), 3, 2).unwrap();
        assert!(got.converged);
        near(got.shares[1], 0.2, 0.01);
        for (rater, (up, down)) in rates.into_iter().enumerate() {
            near(got.errors[rater][0][1], up, 0.01);
            near(got.errors[rater][1][0], down, 0.03);
        }
    }

    #[test]
    fn without_anything_rated_nothing_is_estimated() {
        assert_eq!(dawid_skene(&[], 2, 2), None);
        assert_eq!(dawid_skene(&[(vec![(0, 1)], 0)], 2, 2), None);
        assert_eq!(dawid_skene(&[(vec![], 3)], 2, 2), None);
        assert_eq!(dawid_skene(&[(vec![(2, 0)], 1)], 2, 2), None);
        assert_eq!(dawid_skene(&[(vec![(0, 2)], 1)], 2, 2), None);
        assert_eq!(dawid_skene(&[(vec![(0, 0)], 1)], 2, 1), None);
        // All say the same: one category, and no error of a rater.
        let got = dawid_skene(&[(vec![(0, 0), (1, 0)], 9)], 2, 2).unwrap();
        assert_eq!((got.shares, got.errors[1][0][0], got.converged), (vec![1.0, 0.0], 1.0, true));
    }
}
