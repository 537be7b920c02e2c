//! Claims of escalations in the console: who takes one on, what others see, and how a claim ends.

use super::world::{NOW, Setup, World};
use super::{logs, paper};
use foureyes::domain::RecordId;
use foureyes::domain::review::{Act, Claim, Reviewer};
use foureyes::store::ledger::id_of;
use foureyes::tui::Effect;
use foureyes::tui::model::Level;

fn drawn(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

/// The escalation that waits, and the console that shows it.
fn waiting() -> (World, RecordId) {
    let mut world = World::ready(&Setup::default(), &logs::runs());
    world.keys("P");
    let id = world.model.selected().unwrap().row.id;
    (world, id)
}

/// Who holds a record, by the ledgers.
fn holders(world: &World, id: RecordId) -> Vec<String> {
    let claims = world.ledger().present(NOW).claims;
    claims.get(&id).into_iter().flatten().map(|claim| claim.reviewer.clone()).collect()
}

fn claim_as(world: &World, who: &str, record: RecordId) {
    let by = Reviewer { name: who.to_owned(), machine: "desk".to_owned() };
    let act = Act::Claim(Claim { record });
    world.ledger().append(&by, id_of(who.as_bytes()), NOW, &act).unwrap();
}

fn note(world: &World) -> (Level, String) {
    world.model.notices.current().map(|n| (n.level, n.text.clone())).unwrap()
}

#[test]
fn escalation_is_claimed_and_shown_in_list_record_and_history() {
    let (mut world, id) = waiting();
    world.keys("m");
    assert_eq!(holders(&world, id), ["anna"]);
    assert_eq!(note(&world).1, "claimed by anna");
    let text = drawn(&world);
    assert!(text.contains("@ anna"), "{text}");
    assert!(text.contains("claimed") && text.contains("by anna since 2026-02-20 12:34"), "{text}");
    world.keys("enter l l l");
    assert!(drawn(&world).contains("by anna since 2026-02-20 12:34"), "{}", drawn(&world));
    world.keys("m");
    assert!(note(&world).1.starts_with("already claimed by anna since "), "{:?}", note(&world));
    assert_eq!(holders(&world, id), ["anna"], "claimed twice, it is written once");
    world.keys("q / ctrl-u");
    world.typed("claimed:anna");
    world.keys("enter");
    assert_eq!(world.model.records.len(), 1);
    // A list that depends on claims follows them.
    world.keys("I");
    assert_eq!((world.model.records.len(), holders(&world, id).len()), (0, 0));
}

#[test]
fn second_claim_is_a_conflict_that_stays_and_release_ends_it() {
    let (mut world, id) = waiting();
    claim_as(&world, "bert \u{1b}[2J", id);
    world.keys("m");
    let (level, text) = note(&world);
    assert_eq!(level, Level::Error);
    assert!(text.starts_with("already claimed by bert"), "{text}");
    assert_eq!(holders(&world, id).len(), 1);
    assert!(drawn(&world).contains("nothing was saved"), "{}", drawn(&world));
    paper::harmless(&paper::drawn(&world.model), "a claim by a hostile name");
    // Any line of the task ends it, also one of another round.
    world.keys("esc 3 / ctrl-u");
    world.typed("task:issue-7 round:1");
    world.keys("enter I");
    assert!(note(&world).1.starts_with("released: claimed by bert"), "{:?}", note(&world));
    assert_eq!(holders(&world, id).len(), 0);
    world.keys("I");
    assert_eq!(note(&world).1, "nobody had claimed it");
}

#[test]
fn only_a_waiting_escalation_can_be_claimed() {
    let (mut world, _) = waiting();
    world.keys("3 / ctrl-u");
    world.typed("task:issue-8 tier:human -family:override");
    world.keys("enter m");
    assert!(note(&world).1.contains("not an escalation that waits"), "{:?}", note(&world));
    let mut world = World::ready(&Setup::default(), &logs::mixed());
    world.keys("3 / d e a d enter m");
    assert_eq!(note(&world).1, "only the run of a task can be claimed");
    assert!(world.ledger().entries().next().is_none());
    // A run that only reads offers neither, and its tasks refuse.
    let mut setup = Setup::default();
    setup.facts.read_only = true;
    let mut world = World::ready(&setup, &logs::runs());
    world.keys("P m");
    assert!(!world.effects.iter().any(|effect| matches!(effect, Effect::Claim { .. })));
    assert!(note(&world).1.contains("read-only"));
}

#[test]
fn overridden_escalation_is_settled_in_history_by_the_one_who_decided() {
    let mut world = World::ready(&Setup { takes: true, ..Setup::default() }, &logs::runs());
    world.keys("P m O tab");
    world.typed("fine");
    world.keys("ctrl-s 3 / ctrl-u");
    world.typed("task:issue-7 tier:human");
    world.keys("enter enter l l l");
    let text = drawn(&world);
    assert!(
        text.contains("settled") && text.contains("accept by anna, 2026-02-20 12:34"),
        "{text}"
    );
    assert!(!text.contains("nobody has yet"), "{text}");
}
