use super::draw::draw;
use super::keys::Effect;
use super::questions::{Place, Questions, Sheet};
use crate::config::FirstBox;
use crate::domain::Timestamp;
use crate::first_start::{Missing, Reached, Sampled, Survey};
use crate::tui::input::Input;
use crate::tui::key::{Code, Key};
use crate::tui::theme::{Glyphs, Theme};
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const NOW: Timestamp = Timestamp(20_000 * 86_400_000_000);

fn two() -> Questions {
    let boxes = vec![FirstBox::over_ssh("small"), FirstBox::over_ssh("build-7")];
    Questions::new(boxes, Some("anna".into()), ("/c/config.toml".into(), None), NOW)
}

fn press(q: &mut Questions, key: Key) -> Vec<Effect> {
    q.input(&Input::Key(key))
}

fn found(records: u64) -> Reached {
    Reached::Found { records, span: None }
}

fn refused() -> Reached {
    Reached::Refused { why: "port 22\u{1b}[2J".into(), next: "start sshd".into() }
}

fn drawn(q: &Questions, width: u16, height: u16) -> String {
    let theme = Theme::plain();
    let pen = Pen { theme: &theme, glyphs: &Glyphs::UNICODE };
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    draw(q, &pen, &mut buffer);
    let rows = buffer.content.chunks(usize::from(width));
    let row =
        |cells: &[ratatui::buffer::Cell]| cells.iter().map(|c| c.symbol()).collect::<String>();
    rows.map(|cells| row(cells).trim_end().to_owned() + "\n").collect()
}

#[test]
fn boxes_with_records_are_chosen_and_counted_and_refused_ones_keep_the_window_away() {
    let mut q = two();
    assert!(
        matches!(q.answered("small", found(3)).as_slice(), [Effect::Count(1, b)] if b.len() == 1)
    );
    q.answered("build-7", refused());
    assert!(q.survey.is_none() && q.answers.chosen().count() == 1);
    q.counted(1, Survey::default());
    assert!(q.survey.is_none(), "an outdated count");
    q.counted(2, Survey::default());
    assert!(q.decision().is_ok_and(|decision| decision.window.is_ok()));
    press(&mut q, Key::plain(Code::Down));
    assert_eq!(q.place(), Place::Candidate(1));
    press(&mut q, Key::char(' '));
    let why = q.decision().ok().and_then(|decision| decision.window.err());
    assert_eq!(why, Some(Missing::Refused(vec!["build-7".into()])));
    assert!(drawn(&q, 80, 24).contains("no window: build-7 was refused"));
}

#[test]
fn enter_only_unfolds_and_esc_closes_one_thing() {
    let mut q = two();
    q.answered("small", refused());
    assert!(!drawn(&q, 80, 24).contains("start sshd"));
    let before = q.answers.clone();
    assert!(press(&mut q, Key::plain(Code::Enter)).is_empty());
    let screen = drawn(&q, 80, 24);
    assert!(screen.contains("start sshd") && !screen.contains('\u{1b}'), "{screen}");
    assert_eq!(q.answers, before);
    assert!(press(&mut q, Key::plain(Code::Esc)).is_empty());
    assert_eq!(press(&mut q, Key::plain(Code::Esc)), [Effect::Skip]);
}

#[test]
fn nothing_is_written_while_no_box_is_chosen() {
    let mut q = two();
    assert!(press(&mut q, Key::ctrl('s')).is_empty());
    assert!(q.note.is_some());
    q.answered("small", found(1));
    assert!(press(&mut q, Key::ctrl('s')).is_empty(), "not before it is counted");
    q.counted(q.counting, Survey::default());
    assert_eq!(press(&mut q, Key::ctrl('s')), [Effect::Write]);
    press(&mut q, Key::char('v'));
    assert_eq!(q.sheet, Sheet::File);
    assert!(drawn(&q, 80, 24).contains("name = \"small\""));
}

#[test]
fn typed_places_are_checked_before_they_are_asked() {
    let mut q = two();
    while q.place() != Place::Another {
        press(&mut q, Key::plain(Code::Down));
    }
    for (text, is_taken) in
        [("-oProxyCommand=x", false), ("SMALL", false), ("third", true), ("/v/logs", true)]
    {
        text.chars().for_each(|c| drop(press(&mut q, Key::char(c))));
        let effects = press(&mut q, Key::plain(Code::Enter));
        assert_eq!(effects.iter().any(|one| matches!(one, Effect::Ask(_))), is_taken, "{text}");
        press(&mut q, Key::plain(Code::Esc));
    }
    let names: Vec<&str> = q.answers.chosen().map(|one| one.source.name.as_str()).collect();
    assert_eq!(names, ["third", "logs"]);
}

#[test]
fn line_by_line_the_same_answers_come_to_the_same() {
    let mut q = two();
    q.answered("small", found(3));
    q.survey = Some(Survey::default());
    assert!(
        q.prompt(1).is_some_and(|text| text.starts_with("1 of 4.") && text.ends_with("[small]"))
    );
    assert_eq!((q.reply(1, ""), q.prompt(2)), (Ok(()), None));
    assert!(q.reply(3, "most").is_err());
    assert_eq!(q.reply(3, "a quarter"), Ok(()));
    assert!(q.reply(4, "elsewhere").is_err());
    assert_eq!(q.reply(4, "small"), Ok(()));
    assert_eq!(q.answers.sampled, Sampled::Quarter);
    assert!(q.decision().is_ok_and(|decision| decision.file.contains("may_block = true")));
    assert!(q.reply(1, "-x").is_err());
}

#[test]
fn questions_can_be_read_at_every_size() {
    let mut q = two();
    q.answered("small", found(1_612));
    q.counted(q.counting, Survey::default());
    for (width, height) in [(80, 24), (120, 40), (40, 12), (1, 1)] {
        let screen = drawn(&q, width, height);
        if height > 12 {
            let all = [
                "1 Where are the logs?",
                "3 How much a day",
                "4 Which boxes may block",
                "1,612 records",
            ];
            assert!(all.iter().all(|text| screen.contains(text)), "{screen}");
        }
        for _ in 0..q.places().len() {
            press(&mut q, Key::plain(Code::Tab));
            assert!(
                height < 12 || drawn(&q, width, height).contains('▸'),
                "{}",
                drawn(&q, width, height)
            );
        }
    }
}
