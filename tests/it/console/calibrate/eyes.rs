//! Leaving blind in the calibration queue: asked first, with its price, and taken back.

use super::*;
use foureyes::tui::model::BlindMode;

/// A queue of which a few lines fit on the screen.
fn short() -> World {
    let mut world = calibrating(1.0);
    resize(&mut world, (80, 12));
    world
}

#[test]
fn leaving_blind_mode_is_confirmed_with_its_cost() {
    let mut world = short();
    world.keys("b");
    let asked = "Show verdicts? 36 will no longer count as blind";
    assert!(drawn(&world).contains(asked), "{}", drawn(&world));
    world.keys("b enter y a");
    assert_eq!(world.model.sight(), BlindMode::Blind);
    assert!(drawn(&world).contains(asked), "{}", drawn(&world));
    world.keys("esc");
    assert_eq!(note(&world), "still blind");
    let id = here(&world);
    world.keys("p");
    assert!(given(&world, id)[0].1.blind);
}

#[test]
fn heading_states_what_label_counts_as_and_undo_restores_blinding() {
    let mut world = short();
    assert!(drawn(&world).contains("Label, blind · "), "{}", drawn(&world));
    world.keys("b ctrl-s");
    assert_eq!(world.model.sight(), BlindMode::Open);
    assert!(drawn(&world).contains("· not blind"), "{}", drawn(&world));
    let seen = here(&world);
    world.keys("u");
    assert_eq!(world.model.sight(), BlindMode::Blind);
    let left = world.model.blind_left();
    assert!((1..36).contains(&left), "{left}");
    let said = format!("blind again: verdicts are hidden; {left} items count as blind");
    assert_eq!(note(&world), said);
    // What stood on the screen was seen; the rest was not.
    assert!(drawn(&world).contains("· not blind"), "{}", drawn(&world));
    world.keys("p G");
    assert!(drawn(&world).contains("Label, blind · "), "{}", drawn(&world));
    let unseen = here(&world);
    world.keys("p");
    let blind = [seen, unseen].map(|id| given(&world, id)[0].1.blind);
    assert_eq!(blind, [false, true]);
    // The label is what is undone next, and nothing opens the eyes again.
    world.keys("u u ctrl-r ctrl-r ctrl-r");
    assert_eq!(world.model.sight(), BlindMode::Blind);
}

#[test]
fn already_unblinded_label_needs_no_confirmation() {
    let mut world = calibrating(0.0);
    world.keys("b");
    assert_eq!((world.model.overlay.is_none(), world.model.sight()), (true, BlindMode::Open));
}
