//! Whether the labels are those of the draw.

use crate::domain::Timestamp;

/// A pick that can be labelled, as the draw sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drawn {
    /// Its place in the draw, in [0, 1): what is smaller is labelled first.
    pub draw: f64,
    /// When it was made.
    pub made: Option<Timestamp>,
    /// When it was first labelled, where its labels count.
    pub labelled: Option<Timestamp>,
}

/// The places of picks that were passed over: they have no label that counts, and on a later day than theirs
/// a pick behind them in the draw was labelled.
///
/// Whoever leaves out prompts chooses the evidence. On the day of a pick itself its log may not have been
/// there yet.
pub fn passed_over(picks: &[Drawn]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..picks.len()).collect();
    let draw = |at: &usize| picks.get(*at).map_or(0.0, |pick| pick.draw);
    order.sort_by(|a, b| draw(b).total_cmp(&draw(a)));
    let mut last = i32::MIN;
    let mut gaps = Vec::new();
    for at in order {
        let Some(pick) = picks.get(at) else { continue };
        match pick.labelled {
            Some(time) => last = last.max(time.day()),
            None if last > pick.made.map_or(i32::MIN, Timestamp::day) => gaps.push(at),
            None => {}
        }
    }
    gaps.reverse();
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000_000;

    fn drawn(draw: f64, made: i64, labelled: Option<i64>) -> Drawn {
        let on = |day: i64| Timestamp(day * DAY + 1);
        Drawn { draw, made: Some(on(made)), labelled: labelled.map(on) }
    }

    #[test]
    fn what_the_draw_has_before_a_label_is_passed_over() {
        let picks = [
            drawn(0.5, 1, Some(3)),
            drawn(0.1, 1, None),
            drawn(0.9, 1, None),
            drawn(0.2, 2, Some(3)),
        ];
        assert_eq!(passed_over(&picks), [1]);
        assert_eq!(passed_over(&picks[1..3]), [] as [usize; 0], "nothing is labelled");
    }

    #[test]
    fn what_came_on_the_day_of_the_label_or_later_is_not_passed_over() {
        let picks = [drawn(0.5, 1, Some(3)), drawn(0.1, 3, None), drawn(0.2, 4, None)];
        assert_eq!(passed_over(&picks), [] as [usize; 0]);
        let later = [picks[0], picks[1], picks[2], drawn(0.3, 1, Some(5))];
        assert_eq!(passed_over(&later), [1, 2], "in the order of the draw");
        let unknown = [picks[0], Drawn { made: None, ..picks[1] }];
        assert_eq!(passed_over(&unknown), [1]);
    }
}
