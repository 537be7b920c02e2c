//! `foureyes label ID… LABEL`.

use super::{Args, find, requested};
use crate::cli::operator::{NOTE, ledger, reading};
use crate::cli::{Context, Failure, text_argument};
use crate::domain::review::{Act, Label, Selection, Word};
use crate::report::saved::Document;
use crate::store::ledger::{Ledger, fresh_id};

/// Labels the records that are named: all or, where one is not found, none.
pub(super) fn run(context: &Context, args: &Args) -> Result<Document, Failure> {
    let Some((word, ids)) = args.words.split_last().filter(|(_, ids)| !ids.is_empty()) else {
        return Err(Failure::usage("records and a label are needed")
            .hint("such as `foureyes label 3a27bae51430 poor`"));
    };
    let word = Word::from_name(word).ok_or_else(|| {
        Failure::usage(format!("`{word}` is not a label"))
            .hint("the last word is `acceptable`, `poor` or `unsure`")
    })?;
    let selection = Selection::from_name(&args.selection).unwrap_or_default();
    let pi = selection.pi(args.pi).map_err(Failure::usage)?;
    let reviewer = ledger::reviewer(context, args.reviewer.as_deref())?;
    let logs = args.from.from.iter().any(|path| path.as_os_str() == "-");
    if logs && args.note.as_deref() == Some("-") {
        return Err(Failure::usage("standard input cannot be both the logs and the note"));
    }
    let (reason, reasons) = checked_reason(context, args.reason.as_deref())?;
    let collected = reading::collect(context, &args.from)?;
    let found = find::all(context, &collected, ids)?;
    let note = text_argument::text(args.note.as_deref(), "--note", NOTE)?;
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present(context.now);
    let asked = requested::requested(context, &collected, &present, &reviewer.name, &found)?;
    let own = |record| present.word_of(record, &reviewer.name);
    let mut labels: Vec<Label> = Vec::new();
    for record in found {
        if labels.iter().any(|label| label.record == record) {
            continue;
        }
        // A correction of what was asked for is what was asked for.
        let corrected = own(record).filter(|_| !args.again);
        let requested = match corrected {
            Some(given) => given.label.requested,
            None => asked.get(&record).copied(),
        };
        labels.push(Label {
            scores: args.scores,
            reason: reason.clone(),
            reasons,
            note: note.clone(),
            blind: args.blind,
            selection,
            pi,
            seconds: args.seconds,
            replaces: corrected.map(|given| given.entry),
            adjudicates: args.adjudicate,
            requested: requested.filter(|_| !args.adjudicate),
            ..Label::new(record, word)
        });
    }
    let act = match labels.len() {
        1 => Act::Label(labels.remove(0)),
        _ => Act::Labels { labels, import: None },
    };
    let saved = ledgers.append(&reviewer, fresh_id(context.now), context.now, &act);
    let saved = saved.map_err(ledger::failure)?;
    let document = Document::new(&reviewer, context.now, &act, &saved);
    Ok(document.without_window(&present, context.now))
}

/// A code that is in the list, and the version of the list.
fn checked_reason(
    context: &Context,
    code: Option<&str>,
) -> Result<(Option<String>, Option<u32>), Failure> {
    let Some(code) = code else { return Ok((None, None)) };
    let known = context.config.all_reasons();
    if known.iter().any(|reason| reason.code == code) {
        return Ok((Some(code.to_owned()), Some(crate::config::reasons::version())));
    }
    let codes: Vec<&str> = known.iter().map(|reason| reason.code.as_str()).collect();
    Err(Failure::usage(format!("`{code}` is not a known reason"))
        .hint(format!("reasons are: {}", codes.join(", ")))
        .hint("`[reasons]` in the configuration adds others"))
}
