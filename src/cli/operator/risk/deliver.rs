//! Signed rates of authors on their way to boxes.

use crate::cli::operator::boxes;
use crate::cli::{Context, Failure, output};
use crate::domain::chain;
use crate::failure::Kind;
use crate::hook::check::{Finding, State};

/// Brings the rates to each of some boxes, also after one that does not take them.
pub(super) fn to_all(context: &Context, names: &[String], signed: &[u8]) -> Result<(), Failure> {
    let (mut failed, mut kind) = (Vec::new(), None);
    for name in names {
        let found = boxes::deliver_rates(context, name, signed).unwrap_or_else(|failure| {
            kind.get_or_insert(failure.kind);
            Finding {
                name: "rates".to_owned(),
                state: State::Fail,
                text: chain(failure.error.as_ref()),
                hint: failure.hints.into_iter().next(),
            }
        });
        output::print(format!("{}: {}", output::visible(name), found.plain()))?;
        if found.state != State::Ok {
            failed.push(name.as_str());
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    let (count, of, failed) = (failed.len(), names.len(), failed.join(", "));
    let text = format!("{count} of {of} boxes have no new rates: {failed}");
    Err(Failure { kind: kind.unwrap_or(Kind::Remote), ..Failure::remote(text) })
}
