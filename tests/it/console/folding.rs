//! Readiness answers first: a line for each figure, and the rest where it is unfolded.

use super::assess::unfold;
use super::paper;
use super::planted::{Planted, console};
use super::world::World;
use foureyes::calibration::{KpiResult, KpiRow};

#[test]
fn first_view_has_each_figure_on_a_line_and_what_is_undecided_first() {
    let planted = Planted::default();
    let r = planted.readiness();
    let decided = |row: &KpiRow| matches!(row.result, KpiResult::Met | KpiResult::NotMet);
    assert!(r.kpis.iter().any(decided) && !r.kpis.iter().all(decided), "both kinds are there");
    let mut world = console((120, 40), &planted, "5 g");
    let lines = paper::lines(&paper::drawn(&world.model));
    let line = |row: &KpiRow| {
        let is =
            |line: &&String| line.chars().take(40).collect::<String>().contains(row.id.title());
        let found = lines.iter().position(|line| is(&line) && !line.contains("Undecided"));
        found.unwrap_or_else(|| panic!("{} in\n{}", row.id.title(), lines.join("\n")))
    };
    let (mut open, mut closed): (Vec<usize>, Vec<usize>) = Default::default();
    for row in &r.kpis {
        if decided(row) { closed.push(line(row)) } else { open.push(line(row)) }
    }
    assert!(open.iter().max() < closed.iter().min(), "{open:?} {closed:?}");
    let mut all = [open, closed].concat();
    all.sort_unstable();
    assert_eq!(all.last().unwrap() - all[0], all.len() - 1, "a line each: {all:?}");
    // One that is unfolded has its result below it, and folds again.
    let found = |world: &World| {
        let lines = paper::lines(&paper::drawn(&world.model));
        lines.iter().any(|line| line.trim_start().starts_with("not enough evidence"))
    };
    assert!(!found(&world));
    for _ in 0..40 {
        if found(&world) {
            break;
        }
        world.keys("j");
        unfold(&mut world);
    }
    assert!(found(&world));
    world.keys("space");
    assert!(!found(&world));
}
