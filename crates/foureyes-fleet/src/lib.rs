//! What many operators know together: records and ledgers in a store that all of them share.
//!
//! | module | what it does |
//! |---|---|
//! | [`fleet`] | the store: its schema, what is published, and how complete it is |

use foureyes_core::{domain, jsonl, text, thesaurus};
use foureyes_data::{collect, frame, store};
use foureyes_judge::{config, files, provider};

pub mod fleet;
