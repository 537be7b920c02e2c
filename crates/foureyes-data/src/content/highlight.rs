//! Which parts of a text are what, for colouring it.
//!
//! Only syntaxes that are built in are used. The first use loads them, which takes some tens of
//! milliseconds: not for a task that draws.

use std::ops::Range;
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

/// What a part of a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A word of the language, a constant of it, a tag.
    Keyword,
    /// A text in quotes, also one of Markdown's code.
    String,
    /// A comment.
    Comment,
    /// A number.
    Number,
    /// The name of a function, where it is made or called.
    Function,
    /// The name of a type.
    Type,
    /// A heading.
    Heading,
    /// A link.
    Link,
    /// Bold or italic.
    Emphasis,
    /// Anything else.
    Plain,
}

/// The parts of one line: byte ranges that follow one another and cover the line without its end.
pub type Line = Vec<(Kind, Range<usize>)>;

/// Longest line that is looked at, in bytes; a longer one is plain.
pub const LONGEST_LINE: usize = 2000;
/// Lines after which all is plain.
pub const MOST_LINES: usize = 50_000;
/// Time after which all is plain.
const PATIENCE: Duration = Duration::from_secs(2);

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);

/// Scopes by their beginning, the first that fits counts.
static KINDS: LazyLock<Vec<(Scope, Kind)>> = LazyLock::new(|| {
    let named = [
        ("comment", Kind::Comment),
        ("markup.heading", Kind::Heading),
        ("entity.name.section", Kind::Heading),
        ("markup.underline.link", Kind::Link),
        ("meta.link", Kind::Link),
        ("string.other.link", Kind::Link),
        ("markup.bold", Kind::Emphasis),
        ("markup.italic", Kind::Emphasis),
        ("markup.raw", Kind::String),
        ("string", Kind::String),
        ("constant.character", Kind::String),
        ("constant.numeric", Kind::Number),
        ("constant.language", Kind::Keyword),
        ("keyword", Kind::Keyword),
        ("storage", Kind::Keyword),
        ("entity.name.tag", Kind::Keyword),
        ("entity.name.function", Kind::Function),
        ("support.function", Kind::Function),
        ("support.macro", Kind::Function),
        ("variable.function", Kind::Function),
        ("entity.name", Kind::Type),
        ("support.type", Kind::Type),
        ("support.class", Kind::Type),
    ];
    named.into_iter().filter_map(|(name, kind)| Some((Scope::new(name).ok()?, kind))).collect()
});

/// The parts of each line of a text, by the syntax that its path or its first line tells.
///
/// Lines end at `\n` and there are as many as `text.split('\n')` gives, but for an empty last one.
/// It ends soon on any text: what is too long or takes too long is plain, and so is the rest where
/// `stop` says that nobody waits any more.
pub fn lines(text: &str, path: &str, stop: &dyn Fn() -> bool) -> Vec<Line> {
    let mut painter = Painter::new(text, path);
    let until = Instant::now() + PATIENCE;
    let line = |(number, line): (usize, &str)| {
        if number >= MOST_LINES || Instant::now() >= until || (number % 64 == 0 && stop()) {
            painter.give_up();
        }
        painter.line(line)
    };
    text.split_inclusive('\n').enumerate().map(line).collect()
}

/// The syntax of a file: by its ending, its name, or its first line.
fn syntax(text: &str, path: &str) -> Option<&'static SyntaxReference> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let known = |word: &str| {
        let short = !word.is_empty() && word.len() <= 32;
        short.then(|| SYNTAXES.find_syntax_by_extension(word)).flatten()
    };
    let first = text.lines().next().filter(|line| line.len() <= LONGEST_LINE);
    let by_first_line = || SYNTAXES.find_syntax_by_first_line(first.unwrap_or_default());
    known(ending).or_else(|| known(name)).or_else(by_first_line).filter(|s| s.name != "Plain Text")
}

/// What goes through the lines; without a state, all is plain.
struct Painter {
    state: Option<(ParseState, ScopeStack)>,
}

impl Painter {
    fn new(text: &str, path: &str) -> Self {
        let state = syntax(text, path).map(|s| (ParseState::new(s), ScopeStack::new()));
        Self { state }
    }

    fn give_up(&mut self) {
        self.state = None;
    }

    fn line(&mut self, line: &str) -> Line {
        let end = line.strip_suffix('\n').unwrap_or(line).len();
        let painted = (line.len() <= LONGEST_LINE).then(|| self.parse(line, end)).flatten();
        painted.unwrap_or_else(|| if end == 0 { Line::new() } else { vec![(Kind::Plain, 0..end)] })
    }

    fn parse(&mut self, line: &str, end: usize) -> Option<Line> {
        let (state, stack) = self.state.as_mut()?;
        // A syntax that fails on a line would fail on all that follow.
        let Ok(changes) = state.parse_line(line, &SYNTAXES) else {
            self.state = None;
            return None;
        };
        let (mut parts, mut at) = (Line::new(), 0);
        for (place, change) in changes {
            push(&mut parts, kind(stack), at..place.min(end));
            at = at.max(place.min(end));
            if stack.apply(&change).is_err() {
                self.state = None;
                return None;
            }
        }
        push(&mut parts, kind(stack), at..end);
        Some(parts)
    }
}

/// Adds a part; parts of one kind become one.
fn push(parts: &mut Line, kind: Kind, range: Range<usize>) {
    match parts.last_mut() {
        _ if range.is_empty() => {}
        Some((last, before)) if *last == kind => before.end = range.end,
        _ => parts.push((kind, range)),
    }
}

/// What the innermost scope that says something says.
fn kind(stack: &ScopeStack) -> Kind {
    let of = |scope: &Scope| KINDS.iter().find(|(head, _)| head.is_prefix_of(*scope));
    stack.as_slice().iter().rev().find_map(of).map_or(Kind::Plain, |(_, kind)| *kind)
}

#[cfg(test)]
mod tests;
