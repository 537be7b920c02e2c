//! `foureyes records --rejects`.

use super::{Args, Context, Failure};
use crate::cli::operator::reading::{self, Trouble};
use crate::cli::output;
use crate::domain::RejectRow;
use crate::report::{Options, rejects};
use crate::store::cache::Archive;
use crate::text::counted;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::process::ExitCode;

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    let collected = reading::collect(context, &args.from)?;
    reading::warn_stale(&collected);
    let mut listing = Listing::new(context, args);
    reading::ask(context, &collected, |archive| listing.go_on(archive))?;
    if listing.printed == 0 {
        reading::note("nothing was rejected");
    }
    if listing.unkept > 0 {
        let more = counted(listing.unkept, "more was", "more were");
        reading::note(&format!("{more} counted, of which only the number is kept"));
    }
    if listing.foreign > 0 {
        let lines = counted(listing.foreign, "line is", "lines are");
        reading::note(&format!("{lines} from other programs: `foureyes triage` names their logs"));
    }
    reading::note_masked(listing.masked);
    Ok(ExitCode::SUCCESS)
}

/// How rejects are written.
type Form = fn(&mut dyn Write, &[RejectRow], &Options) -> io::Result<usize>;

/// What is printed, and how far it is.
struct Listing {
    out: BufWriter<StdoutLock<'static>>,
    form: Form,
    options: Options,
    most: usize,
    printed: usize,
    /// Rejects that no place is kept of.
    unkept: u64,
    /// Lines of other programs, which are no rejects.
    foreign: u64,
    last: Option<RejectRow>,
    masked: usize,
}

/// The second look finds others than the first.
#[derive(Debug, thiserror::Error)]
#[error("the logs changed while they were read")]
struct Changed;

impl Listing {
    fn new(context: &Context, args: &Args) -> Self {
        Self {
            out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
            form: if args.json { rejects::json } else { rejects::plain },
            options: args.show.options(context),
            most: args.limit.unwrap_or(usize::MAX),
            printed: 0,
            unkept: 0,
            foreign: 0,
            last: None,
            masked: 0,
        }
    }

    /// Prints what is not printed yet. Where the cache is found damaged on the way, it is called
    /// again with the one made anew, and goes on behind what is printed.
    fn go_on(&mut self, archive: &Archive) -> Result<(), Trouble> {
        let mut rows = archive.rejects(self.most)?.into_iter();
        self.unkept = archive.rejects_unkept();
        self.foreign = archive.accounting().foreign;
        let last = rows.by_ref().take(self.printed).last();
        if last != self.last {
            let failure = Failure::local(Changed).hint("the output is incomplete: run it again");
            return Err(failure.into());
        }
        for row in rows {
            if let Err(error) = self.print(row) {
                return Ok(output::pipe(Err(error))?);
            }
        }
        Ok(output::pipe(self.out.flush())?)
    }

    fn print(&mut self, row: RejectRow) -> io::Result<()> {
        let rows = std::slice::from_ref(&row);
        self.masked += (self.form)(&mut self.out, rows, &self.options)?;
        self.printed += 1;
        self.last = Some(row);
        Ok(())
    }
}
