//! From tokens to a tree, by recursive descent.
//!
//! ```text
//! any  = all { "|" all }
//! all  = part { part }
//! part = { "-" } ( "(" any ")" | word )
//! ```

use super::ast::Node;
use super::error::{Fault, QueryError};
use super::field;
use super::lex::{self, Kind, Token};
use std::ops::Range;

/// Most bytes of a query.
pub(super) const MAX_BYTES: usize = 16 << 10;
/// Most conditions in a query.
pub(super) const MAX_TERMS: usize = 1_000;
/// Deepest nesting of groups and negations, so that no recursion on a query can run away.
pub(super) const MAX_DEPTH: usize = 64;

/// Reads a whole query.
pub(super) fn parse(text: &str) -> Result<Node, QueryError> {
    if text.len() > MAX_BYTES {
        let from = (0..=MAX_BYTES).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        return Err(Fault::TooLong(MAX_BYTES).at(from..text.len()));
    }
    let mut parser = Parser { text, at: 0, terms: 0, ahead: None };
    parser.advance()?;
    if parser.ahead.is_none() {
        return Ok(Node::All);
    }
    let node = parser.any(0)?;
    match parser.ahead {
        None => Ok(node),
        Some(token) => Err(Fault::UnopenedGroup.at(token.range)),
    }
}

struct Parser<'a> {
    text: &'a str,
    /// First byte after the token ahead.
    at: usize,
    terms: usize,
    ahead: Option<Token>,
}

impl Parser<'_> {
    /// Takes the token ahead and reads the one after it.
    fn advance(&mut self) -> Result<Option<Token>, QueryError> {
        let next = lex::next(self.text, self.at)?;
        self.at = next.as_ref().map_or(self.text.len(), |t| t.range.end);
        Ok(std::mem::replace(&mut self.ahead, next))
    }

    fn sees(&self, kind: &Kind) -> bool {
        self.ahead.as_ref().is_some_and(|t| t.kind == *kind)
    }

    fn any(&mut self, depth: usize) -> Result<Node, QueryError> {
        let mut sides = Vec::new();
        let mut bar = None;
        loop {
            if self.ends_side() {
                let here = self.ahead.as_ref().map(|t| t.range.clone());
                let bar: Option<Range<usize>> = bar.or(here.filter(|_| self.sees(&Kind::Bar)));
                let place = bar.unwrap_or(self.text.len()..self.text.len());
                return Err(Fault::EmptySide.at(place));
            }
            sides.push(self.all(depth)?);
            if !self.sees(&Kind::Bar) {
                return Ok(one_or(sides, Node::Or));
            }
            bar = self.advance()?.map(|t| t.range);
        }
    }

    fn all(&mut self, depth: usize) -> Result<Node, QueryError> {
        let mut parts = Vec::new();
        while !self.ends_side() {
            parts.push(self.part(depth)?);
        }
        Ok(one_or(parts, Node::And))
    }

    fn ends_side(&self) -> bool {
        self.ahead.as_ref().is_none_or(|t| matches!(t.kind, Kind::Bar | Kind::Close))
    }

    fn part(&mut self, mut depth: usize) -> Result<Node, QueryError> {
        let mut minuses = 0;
        let mut last = 0..0;
        while self.sees(&Kind::Minus) {
            last = self.advance()?.map_or(0..0, |t| t.range);
            minuses += 1;
            deeper(&mut depth, &last)?;
            if self.ahead.as_ref().is_none_or(|t| t.range.start != last.end) {
                return Err(Fault::EmptyNegation.at(last));
            }
        }
        let Some(token) = self.advance()? else {
            return Err(Fault::EmptyNegation.at(last));
        };
        let node = match token.kind {
            Kind::Open => self.group(depth, token.range)?,
            Kind::Word(word) => Node::Term(self.term(&word, token.range)?),
            _ => return Err(Fault::EmptyNegation.at(last)),
        };
        Ok((0..minuses).fold(node, |node, _| Node::Not(Box::new(node))))
    }

    /// Reads what follows an opening parenthesis.
    fn group(&mut self, mut depth: usize, open: Range<usize>) -> Result<Node, QueryError> {
        deeper(&mut depth, &open)?;
        if let Some(close) = self.ahead.as_ref().filter(|t| t.kind == Kind::Close) {
            return Err(Fault::EmptyGroup.at(open.start..close.range.end));
        }
        if self.ahead.is_none() {
            return Err(Fault::UnclosedGroup.at(open));
        }
        let node = self.any(depth)?;
        match self.advance()? {
            Some(_) => Ok(node),
            None => Err(Fault::UnclosedGroup.at(open)),
        }
    }

    fn term(
        &mut self,
        word: &lex::Word,
        range: Range<usize>,
    ) -> Result<super::ast::Term, QueryError> {
        self.terms += 1;
        if self.terms > MAX_TERMS {
            return Err(Fault::TooMany(MAX_TERMS).at(range));
        }
        field::term(self.text, word, range)
    }
}

fn deeper(depth: &mut usize, range: &Range<usize>) -> Result<(), QueryError> {
    *depth += 1;
    if *depth > MAX_DEPTH { Err(Fault::TooDeep(MAX_DEPTH).at(range.clone())) } else { Ok(()) }
}

fn one_or(mut nodes: Vec<Node>, several: fn(Vec<Node>) -> Node) -> Node {
    match (nodes.len(), nodes.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            nodes.extend(last);
            several(nodes)
        }
    }
}
