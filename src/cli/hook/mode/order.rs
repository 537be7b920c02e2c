//! What is to be switched: by options, or as one document.

use super::Args;
use crate::cli::{Context, Failure};
use crate::hook::switch::{LARGEST_REPORT, Order};
use std::io::Read;
use std::path::Path;

/// The order that the arguments give; `None` where they only ask.
pub(super) fn given(context: &Context, args: &Args) -> Result<Option<Order>, Failure> {
    if let Some(path) = &args.order {
        let text = read(path)?;
        let order = serde_json::from_str(&text)
            .map_err(|error| Failure::usage(format!("the order cannot be read: {error}")));
        return Ok(Some(order?));
    }
    let Some(mode) = args.mode else { return Ok(None) };
    let name = || ["USER", "LOGNAME"].into_iter().find_map(|name| context.environment.text(name));
    let by = args.by.clone().or_else(name).unwrap_or_else(|| "somebody".to_owned());
    if args.reason.as_deref() == Some("-") && args.report.as_deref() == Some(Path::new("-")) {
        return Err(Failure::usage("standard input cannot be both the report and the reason"));
    }
    let reason = crate::cli::text_argument::text(
        args.reason.as_deref(),
        "--reason",
        crate::cli::text_argument::REASON,
    )?;
    Ok(Some(Order {
        reason,
        until: args.until,
        report: args.report.as_deref().map(read).transpose()?,
        ..Order::new(mode, by)
    }))
}

/// The text of a file, or of standard input.
fn read(path: &Path) -> Result<String, Failure> {
    // An order holds its report with some signs written longer.
    let most = 2 * LARGEST_REPORT as u64;
    let mut text = String::new();
    let read = match path.as_os_str() == "-" {
        true => std::io::stdin().lock().take(most).read_to_string(&mut text),
        false => std::fs::File::open(path)
            .and_then(|file| std::io::Read::take(file, most).read_to_string(&mut text)),
    };
    let hint = "check that it exists, is readable and is text";
    let failed =
        |error| Failure::local(format!("failed to read {}: {error}", path.display())).hint(hint);
    read.map_err(failed)?;
    Ok(text)
}
