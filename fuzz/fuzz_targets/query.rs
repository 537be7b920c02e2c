//! What a filter prints parses to the same filter, and no text panics.

#![no_main]

use foureyes::domain::review::Reviews;
use foureyes::domain::Timestamp;
use foureyes::frame::query::{Query, Scope};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(query) = Query::parse(text) else { return };
    let printed = query.to_string();
    let again = Query::parse(&printed);
    assert_eq!(again.as_ref().ok(), Some(&query), "{printed}");
    let scope = Scope { boxes: &[], now: Timestamp(1_771_151_400_000_000), reviews: Reviews::none() };
    let _ = query.expr(&scope);
});
