//! What the answers come to: a file, and a window or why there is none.

use super::{Answers, CountedFrom, Reached, Sampled, Survey};
use crate::assess::NO_GO;
use crate::config::{FirstBox, first_file};
use crate::domain::Timestamp;
use crate::domain::review::{Act, AuditRate, Draw, WindowStart};
use std::path::Path;

/// What is to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The file.
    pub file: String,
    /// The window; without one the file alone is written.
    pub window: Result<WindowChoice, Missing>,
}

/// A window that can be begun.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowChoice {
    /// From when on records count.
    pub counted: CountedFrom,
    /// Names of its boxes.
    pub boxes: Vec<String>,
    /// Who begins it.
    pub reviewer: String,
}

/// Why no window can be begun yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// Boxes were refused: their older logs would block the window later.
    Refused(Vec<String>),
    /// Boxes are still being asked, or their logs counted.
    Answer,
    /// Nobody is named who labels.
    Reviewer,
    /// A window runs already, and its labels are not to be lost.
    Running,
    /// The logs or the ledgers could not be read.
    Uncounted,
}

/// Decides what is to be written; `None` for the survey while the logs are being counted.
///
/// # Errors
/// Why no file can be written: what is wrong with it, or nothing where no box is chosen.
pub fn decide(
    answers: &Answers,
    survey: Option<&Survey>,
    home: Option<&Path>,
) -> Result<Decision, Option<String>> {
    let boxes: Vec<FirstBox> = answers.chosen().map(|one| one.source.clone()).collect();
    if boxes.is_empty() {
        return Err(None);
    }
    let (file, _) = first_file(&boxes, home).map_err(Some)?;
    Ok(Decision { file, window: window(answers, survey) })
}

fn window(answers: &Answers, survey: Option<&Survey>) -> Result<WindowChoice, Missing> {
    let refused = answers.chosen().filter(|one| matches!(one.reached, Reached::Refused { .. }));
    let refused: Vec<String> = refused.map(|one| one.source.name.clone()).collect();
    if !refused.is_empty() {
        return Err(Missing::Refused(refused));
    }
    let is_asking = answers.chosen().any(|one| one.reached == Reached::Asking);
    let survey = survey.filter(|_| !is_asking).ok_or(Missing::Answer)?;
    if let Some(hindrance) = &survey.hindrance {
        return Err(hindrance.clone());
    }
    let reviewer = answers.reviewer.clone().ok_or(Missing::Reviewer)?;
    let boxes = answers.chosen().map(|one| one.source.name.clone()).collect();
    let counted = match survey.offer {
        Some(_) => answers.counted,
        None => CountedFrom::Today,
    };
    Ok(WindowChoice { counted, boxes, reviewer })
}

/// The entries of a window and of what is sampled from now on, in their order, without their secrets.
pub fn entries(
    window: &WindowChoice,
    survey: &Survey,
    sampled: Sampled,
    now: Timestamp,
) -> Vec<Act> {
    let natural = |draw: Draw| Some((survey.offer.as_ref()?, draw));
    let offered = match window.counted {
        CountedFrom::FirstRecord(draw) => natural(draw),
        CountedFrom::Today => None,
    };
    let rate = |stratum, rate| Act::Rate(AuditRate::new(now, stratum, rate, None));
    let today = || WindowStart::new(Timestamp::of_day(now.day()));
    let start = offered.map_or_else(today, |(offer, draw)| offer.with_draw(draw));
    let mut all = vec![Act::Window(start), rate(None, sampled.rate())];
    // A thin draw goes on for NO-GOs, too: the price of a day counts them all.
    if offered.is_some_and(|(offer, draw)| offer.rate_of(draw) < 1.0) {
        all.push(rate(Some(NO_GO.to_owned()), 1.0));
    }
    all
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::Candidate;
    use super::*;

    const NOW: Timestamp = Timestamp(40 * 86_400_000_000 + 5);

    fn candidate(name: &str, reached: Reached) -> Candidate {
        Candidate { source: FirstBox::over_ssh(name), chosen: true, by_hand: false, reached }
    }

    fn found() -> Reached {
        Reached::Found { records: 3, span: None }
    }

    fn answers(candidates: Vec<Candidate>) -> Answers {
        let counted = CountedFrom::FirstRecord(Draw::Thin);
        let reviewer = Some("anna".to_owned());
        Answers { candidates, counted, sampled: Sampled::Half, reviewer }
    }

    fn missing(answers: &Answers, survey: Option<&Survey>) -> Option<Missing> {
        decide(answers, survey, None).unwrap().window.err()
    }

    #[test]
    fn window_needs_an_answer_of_every_chosen_box_and_a_name() {
        let survey = Survey::default();
        let refused = Reached::Refused { why: "port 22".into(), next: String::new() };
        let mut two = answers(vec![candidate("small", found()), candidate("build-7", refused)]);
        let names = vec!["build-7".to_owned()];
        assert_eq!(missing(&two, Some(&survey)), Some(Missing::Refused(names)));
        assert!(decide(&two, None, None).unwrap().file.contains("build-7"));
        two.candidates[1].chosen = false;
        assert_eq!(missing(&two, None), Some(Missing::Answer));
        assert_eq!(missing(&two, Some(&survey)), None);
        for hindrance in [Missing::Running, Missing::Uncounted] {
            let survey = Survey { hindrance: Some(hindrance.clone()), ..Survey::default() };
            assert_eq!(missing(&two, Some(&survey)), Some(hindrance), "no window is begun");
        }
        two.candidates[0].reached = Reached::Asking;
        assert_eq!(missing(&two, Some(&survey)), Some(Missing::Answer));
        two.candidates[0].reached = found();
        two.reviewer = None;
        assert_eq!(missing(&two, Some(&survey)), Some(Missing::Reviewer));
        two.candidates[0].chosen = false;
        assert_eq!(decide(&two, Some(&survey), None), Err(None));
    }

    #[test]
    fn without_a_whole_day_the_window_is_of_today_with_its_sample() {
        let survey = Survey::default();
        let one = answers(vec![candidate("small", found())]);
        let window = decide(&one, Some(&survey), None).unwrap().window.unwrap();
        assert_eq!(window.counted, CountedFrom::Today);
        let all = entries(&window, &survey, one.sampled, NOW);
        let [Act::Window(start), Act::Rate(rate)] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!((start.from, start.natural.is_some()), (Timestamp::of_day(NOW.day()), false));
        assert_eq!((rate.from, rate.rate, &rate.stratum), (NOW, 0.5, &None));
    }

    #[test]
    fn box_that_has_records_is_chosen_unless_somebody_chose() {
        let mut one = answers(vec![candidate("small", Reached::Asking)]);
        one.candidates[0].chosen = false;
        one.take("small", found());
        assert!(one.candidates[0].chosen);
        one.candidates[0].chosen = false;
        one.take("small", found());
        assert!(!one.candidates[0].chosen);
        one.candidates[0].reached = Reached::Asking;
        one.candidates[0].by_hand = true;
        one.take("small", found());
        assert!(!one.candidates[0].chosen, "it was left out while it was asked");
    }
}
